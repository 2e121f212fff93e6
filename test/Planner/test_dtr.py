"""DTR on the command line: what it simulates, and the plan that comes of it."""
import json
import subprocess

import pytest

from conftest import ROOT

UNET = ROOT / "benchmarks/data/graphs/dtr_unet.graph.json"
HALF = 11084352256 // 2 + 93386276


@pytest.fixture
def solve(tool):
    return lambda *arguments: subprocess.run([tool("memplan-solve"), *map(str, arguments)], capture_output=True, text=True)


def test_a_policy_is_simulated_and_planned(solve, tmp_path):
    """The figure of the original's evaluation would not be what a user sees, or its plan would not be one."""
    plan, stats = tmp_path / "unet.plan.json", tmp_path / "stats.json"
    done = solve("remat", UNET, "--solver=dtr", "--heuristic=h_dtr", f"--budget={HALF}", "-o", plan, f"--stats={stats}")
    assert done.returncode == 0, done.stderr
    assert "simulated h_dtr: cost 4.90038e+08 (+12.60%), 34 evictions" in done.stderr
    simulated = json.loads(stats.read_text())["simulated"]
    assert simulated["end"] == "done" and simulated["rerun_cost"] == 54821925, simulated
    assert solve("check", UNET, plan, f"--budget={HALF}").returncode == 0


def test_no_plan_says_what_ran_out(solve):
    """A user would not know why an online policy has no plan where others have one."""
    done = solve("remat", UNET, "--solver=dtr", "--heuristic=size", "--budget=30%", "-o", "/dev/null")
    assert done.returncode == 3
    assert "simulated size: ran out of memory at node" in done.stderr


def test_wrong_policies_are_refused(solve):
    done = solve("remat", UNET, "--solver=dtr", "--heuristic=h_dtr,delete=sometimes", "--budget=50%")
    assert done.returncode == 2
    assert "heuristic" in done.stderr and "'delete' is 'sometimes', none of eager, banish, ignore" in done.stderr
