"""A step of many equal micro-batches: one of them is planned, and all run like it. The verifier of plans executes what comes out.

Else a plan of one micro-batch could be none of the whole step, cost more in it than it says, or need more bytes; or the walk over budgets of a step of
a hundred thousand nodes would take a minute again.
"""
import collections
import json
import subprocess
import sys

from fixtures import ROOT

LAYERS, TURNS = 4, 90


def step(folder):
    path = folder / "turns.graph.json"
    subprocess.run([sys.executable, ROOT / "benchmarks/generate/transformer.py", str(LAYERS), str(TURNS), "--hidden", "256", "--sequence", "256", "-o", path],
                   check=True)
    return path, json.loads(path.read_text())


def planned(solve, path, share, folder, *options):
    made = folder / f"{share}.plan.json"
    subprocess.run([solve, "remat", path, f"--budget={share}%", "--quiet", *options, "-o", made], check=True)
    plan = json.loads(made.read_text())
    subprocess.run([solve, "check", path, made, f"--budget={plan['budget_bytes']}"], check=True, stdout=subprocess.DEVNULL)
    return plan


def test_all_turns_run_like_one(tool, tmp_path):
    solve = tool("memplan-solve")
    path, graph = step(tmp_path)
    nodes = len(graph["nodes"])
    assert nodes >= 15_000
    turn = [i for i, node in enumerate(graph["nodes"]) if node["name"] == "loss"]
    period = turn[-1] - turn[-2]
    cost = sum(node["cost"] for node in graph["nodes"])
    costs = []
    for share in (90, 80):
        plan = planned(solve, path, share, tmp_path)
        assert cost < plan["bound"] <= plan["cost"] * (1 + 1e-9)
        assert plan["bound"] - cost > 0.8 * (plan["cost"] - cost), "hardly anything is proved"
        runs = collections.Counter(action["compute"] for action in plan["steps"] if "compute" in action)
        # By place in the turn, from the end: the last turn is none of them, and the first one adds nothing up.
        like = [[runs[nodes - 1 - place - of * period] for place in range(period)] for of in range(2, TURNS - 2)]
        assert all(one == like[0] for one in like)
        assert sum(runs.values()) > nodes, "nothing was recomputed"
        costs.append(plan["cost"])
    assert cost < costs[0] <= costs[1]
    in_time = planned(solve, path, 80, tmp_path, "--time-limit=5")
    assert cost <= in_time["bound"] <= in_time["cost"] * (1 + 1e-9)
