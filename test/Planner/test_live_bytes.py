"""--arena=none: plans without an arena, whose budget limits live bytes. A checker that shares no code with memplan counts them.

Else a framework with an allocator of its own would be told a peak that it does not have.
"""
import importlib.util
import json
import random
import subprocess

import pytest
import random_plans

from fixtures import ROOT

spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils" / "check_plan.py")
check_plan = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_plan)

INPUTS = ROOT / "test/Planner/Inputs"


class Solve:
    """memplan-solve on one graph; without a plan its exit status says why."""

    def __init__(self, program, graph, folder):
        self.program, self.graph, self.folder = program, graph, folder
        self.path = folder / "step.graph.json"
        self.path.write_text(json.dumps(graph))

    def __call__(self, *options):
        out = self.folder / "step.plan.json"
        done = subprocess.run([self.program, "remat", self.path, "--arena=none", "--effort=200", "-o", out, *options],
                              capture_output=True, text=True)
        assert done.returncode in (0, 1, 3), done.stderr
        return json.loads(out.read_text()) if done.returncode == 0 else None


def judge(graph, plan, budget):
    """Checks the plan within the budget; a byte less than its peak is refused."""
    assert plan.get("arenas", []) == []
    execution = check_plan.check(graph, plan, budget)
    assert plan["peak_bytes"] == execution.peak <= budget
    with pytest.raises(check_plan.Violation, match="exceed"):
        check_plan.check(graph, plan, execution.peak - 1)


def check_budgets(solve):
    """The least budget and what lies above it. True where there was one to plan for."""
    least = solve("--min-budget")
    if not least or least["peak_bytes"] <= 1:
        return False
    judge(solve.graph, least, least["peak_bytes"])
    free = solve()
    costs = []
    for part in (0, 1, 2):
        budget = least["peak_bytes"] + (free["peak_bytes"] - least["peak_bytes"]) * part // 2
        plan = solve(f"--budget={budget}")
        judge(solve.graph, plan, budget)
        costs.append(plan["cost"])
    assert costs == sorted(costs, reverse=True), "more bytes cost more time"
    return True


@pytest.mark.parametrize("seed", range(6))
def test_random_graphs(tool, tmp_path, seed):
    r = random.Random(seed)
    assert sum(check_budgets(Solve(tool("memplan-solve"), random_plans.random_graph(r), tmp_path)) for _ in range(4)) > 0


@pytest.mark.parametrize("name", ["chain8", "mlp", "state-on-host", "there-and-back"])
@pytest.mark.parametrize("swap", ["none", "cost", "tflms"])
def test_small_graphs_with_copies(tool, tmp_path, name, swap):
    solve = Solve(tool("memplan-solve"), json.loads((INPUTS / f"{name}.graph.json").read_text()), tmp_path)
    least = solve("--min-budget", f"--swap={swap}")
    judge(solve.graph, least, least["peak_bytes"])
    within = solve(f"--budget={least['peak_bytes']}", f"--swap={swap}")
    judge(solve.graph, within, least["peak_bytes"])


def test_what_needs_an_arena_is_refused(tool, tmp_path):
    """The plan would be of something else than was asked for."""
    program, chain = tool("memplan-solve"), INPUTS / "chain8.graph.json"
    for option in ("--streams=2", "--host-state=all"):
        done = subprocess.run([program, "remat", chain, "--arena=none", option], capture_output=True, text=True)
        assert done.returncode == 2 and "need an arena" in done.stderr
    buffers = INPUTS / "buffers.csv"
    done = subprocess.run([program, "arena", buffers, "--arena=none"], capture_output=True, text=True)
    assert done.returncode == 2 and "unknown arena solver 'none'" in done.stderr
