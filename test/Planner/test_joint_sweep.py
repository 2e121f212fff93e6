"""Every example, at several budgets and bandwidths: recomputing and copying together is never slower than either alone, more
budget never takes more time in separate runs, and a second stream never slows a plan down.

Else an option that only widens the choice could make a step slower. MEMPLAN_SWEEP=N tries N budgets and as many bandwidths,
on the large examples too, with the default effort; that takes hours. MEMPLAN_SWEEP_EFFORT=MOVES makes it minutes.
"""
import json
import os
import subprocess

import pytest

from fixtures import ROOT

COUNT = int(os.environ.get("MEMPLAN_SWEEP", 0))
EFFORT = int(os.environ.get("MEMPLAN_SWEEP_EFFORT", 0 if COUNT else 300))
EXAMPLES = sorted((ROOT / "examples" / "small").glob("*.mlir")) + (sorted((ROOT / "examples").glob("*.mlir")) if COUNT else [])
BUDGETS = [f"{35 + 55 * i // COUNT}%" for i in range(COUNT)] or ["55%", "80%"]
# All values once to the host and back, in so many times of the step.
COPY_TIMES = [20 * 0.5 ** i for i in range(COUNT)] or [2, 0.2]


def time_of(solve, graph, folder, budget, bandwidth, remat, swap, streams=1):
    path = folder / "one.plan.json"
    path.unlink(missing_ok=True)
    effort = [f"--effort={EFFORT}"] if EFFORT else []
    done = subprocess.run([solve, "remat", graph, f"--budget={budget}", f"--bandwidth={bandwidth}", f"--remat={remat}", f"--swap={swap}",
                           f"--streams={streams}", "--order=source", *effort, "-o", path], capture_output=True, text=True)
    assert done.returncode in (0, 1, 3), done.stderr
    made = json.loads(path.read_text())
    return float("inf") if made["status"] in ("infeasible", "no_plan") else made.get("time", made["cost"])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_wider_choice_is_never_slower(example, tool, tmp_path):
    solve, graph = tool("memplan-solve"), tmp_path / "step.graph.json"
    subprocess.run([tool("memplan-opt"), example, "--emit=graph", "-o", graph], check=True, capture_output=True)
    text = json.loads(graph.read_text())
    cost = sum(node["cost"] for node in text["nodes"])
    size = sum(tensor["bytes"] for tensor in text["tensors"] if "view_of" not in tensor)
    for copy_time in COPY_TIMES:
        rate = f"{2 * size / cost / copy_time:.12f}"
        bandwidth, before = f"{rate},{rate},{cost / 1000:.6f}", float("inf")
        for budget in BUDGETS:
            alone = time_of(solve, graph, tmp_path, budget, bandwidth, "search", "none")
            copies = time_of(solve, graph, tmp_path, budget, bandwidth, "checkpoint-all", "search")
            both = time_of(solve, graph, tmp_path, budget, bandwidth, "search", "search")
            assert both <= min(alone, copies) * (1 + 1e-9), (budget, copy_time)
            assert both <= before * (1 + 1e-9), (budget, copy_time)
            before = both
        streams = time_of(solve, graph, tmp_path, BUDGETS[-1], bandwidth, "search", "search", streams=2)
        alone = time_of(solve, graph, tmp_path, BUDGETS[-1], bandwidth, "search", "none", streams=2)
        assert streams <= min(before, alone) * (1 + 1e-9), copy_time


def test_copies_alone_fit_where_a_copy_takes_longer_than_the_step(tool, tmp_path):
    """Bytes over the budget must outweigh the time of copies, whatever the link is."""
    solve, graph, plan = tool("memplan-solve"), tmp_path / "step.graph.json", tmp_path / "step.plan.json"
    subprocess.run([tool("memplan-opt"), ROOT / "examples" / "small" / "residual.mlir", "--emit=graph", "-o", graph], check=True,
                   capture_output=True)
    for budget in ("50%", "90%"):
        subprocess.run([solve, "remat", graph, f"--budget={budget}", "--bandwidth=4000,4000,2", "--remat=checkpoint-all", "--swap=search",
                        "-o", plan], check=True, capture_output=True)
        assert json.loads(plan.read_text())["status"] == "feasible", budget
