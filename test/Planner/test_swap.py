"""memplan-solve remat --swap: plans with copies, as a user asks for them.

Each is verified by the tool itself; the checker that shares no code with it must agree, or both would believe a planner that is wrong.
"""
import importlib.util
import json
import subprocess

import pytest

from fixtures import ROOT

spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils" / "check_plan.py")
check_plan = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_plan)

CHAIN = ROOT / "benchmarks/data/graphs/chain16.graph.json"


def solve(tool, path, *flags):
    done = subprocess.run([str(tool("memplan-solve")), "remat", str(CHAIN), "--swap=tflms", "--bandwidth=1048576,2097152", *flags, "-o", str(path)],
                          capture_output=True, text=True)
    return done, json.loads(path.read_text()) if path.exists() else None


def replay(plan):
    graph = json.loads(CHAIN.read_text())
    graph["bandwidth"] = {"h2d": 1048576, "d2h": 2097152}
    check_plan.check(graph, plan)


@pytest.mark.parametrize("remat, share", [("checkpoint-all", 90), ("checkpoint-all", 50), ("greedy", 70)])
def test_a_plan_keeps_its_budget_by_copies(tool, tmp_path, remat, share):
    done, plan = solve(tool, tmp_path / "p.json", f"--remat={remat}", f"--budget={share}%")
    assert done.returncode == 0, done.stderr
    assert plan["peak_bytes"] <= plan["budget_bytes"] == 18874368 * share // 100
    replay(plan)
    if remat == "checkpoint-all":
        assert plan["cost"] == 32 and plan["time"] > 32
        assert plan["arenas"][1]["space"] == "host"
        assert "tensors, " in done.stderr and "swap-ins" in done.stderr


def test_the_same_input_gives_the_same_plan(tool, tmp_path):
    flags = ("--remat=checkpoint-all", "--budget=60%", "--tflms=lb=auto,swap_branches=true")
    _, first = solve(tool, tmp_path / "a.json", *flags)
    _, second = solve(tool, tmp_path / "b.json", *flags)
    assert first == second and any("evict" in step for step in first["steps"])


def test_the_host_budget_is_kept(tool, tmp_path):
    done, plan = solve(tool, tmp_path / "p.json", "--remat=checkpoint-all", "--tflms=threshold=1", "--host-budget=4M")
    assert done.returncode == 0, done.stderr
    assert plan["arenas"][1]["bytes"] == 4 << 20
    assert json.loads(CHAIN.read_text()).get("host_budget_bytes") is None  # It is the option that is kept.


def test_what_does_not_fit_says_so(tool, tmp_path):
    done, plan = solve(tool, tmp_path / "p.json", "--remat=checkpoint-all", "--budget=4M", "--tflms=n_tensors=2")
    assert done.returncode == 3 and plan["status"] == "no_plan"
    assert "swapping leaves" in done.stderr
    done, _ = solve(tool, tmp_path / "q.json", "--tflms=codec=bf16")
    assert done.returncode != 0 and "no node of the graph is memplan.encode_bf16" in done.stderr
