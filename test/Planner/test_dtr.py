"""DTR on the command line: what it simulates, and the plan that comes of it."""
import json
import subprocess

import pytest

from fixtures import ROOT

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
    assert simulated["end"] == "done" and simulated["recompute_cost"] == 54821925, simulated
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


def test_a_trace_becomes_a_plan(solve, tmp_path):
    """What ran would not be what is packed, or its plan would cost more or be larger than it."""
    trace, plan, stats = tmp_path / "unet.trace.json", tmp_path / "unet.plan.json", tmp_path / "stats.json"
    done = solve("remat", UNET, "--solver=dtr", "--heuristic=h_dtr", f"--budget={HALF}", "-o", "/dev/null", f"--trace={trace}")
    assert done.returncode == 0, done.stderr
    done = solve("replay", trace, f"--graph={UNET}", "-o", plan, f"--stats={stats}", "--remat=greedy")
    assert done.returncode == 0, done.stderr
    figures = json.loads(stats.read_text())
    assert figures["live_bytes"] <= figures["arena_bytes"] <= 0.85 * figures["pool_bytes"], figures
    packed, improved, planned = (figures[name] for name in ("packed", "improved", "planned"))
    assert packed["cost"] == 490038483 and packed["cost"] > improved["cost"] >= planned["cost"]
    assert packed["device_bytes"] >= improved["device_bytes"] and packed["device_bytes"] >= planned["device_bytes"]
    assert solve("check", UNET, plan, f"--budget={packed['device_bytes']}").returncode == 0
    assert json.loads(plan.read_text())["cost"] == planned["cost"]


def test_a_trace_can_be_packed_alone(solve, tmp_path):
    """Without the graph nobody could compare a run with static offsets."""
    trace = tmp_path / "two.trace.json"
    trace.write_text(json.dumps({"version": 1, "tensors": [{"id": 1, "bytes": 1000, "node": 0, "output": 0},
                                                           {"id": 2, "bytes": 1000, "node": 1, "output": 0}],
                                 "steps": [{"compute": 0}, {"free": [1]}, {"compute": 1}]}))
    done = solve("replay", trace)
    assert done.returncode == 0 and "static arena, the same sequence             1000 bytes" in done.stderr, done.stderr


def test_broken_traces_are_refused(solve, tmp_path):
    trace = tmp_path / "broken.trace.json"
    trace.write_text('{"version": 1, "tensors": [], "steps": [{"free": [3]}]}')
    done = solve("replay", trace)
    assert done.returncode == 2
    assert "broken.trace.json: key 'free' of steps[0] names tensor 3, which is not among the trace's tensors" in done.stderr
    done = solve("remat", UNET, "--budget=50%", f"--trace={tmp_path / 'none'}")
    assert done.returncode == 2 and "--trace records what an online policy does" in done.stderr
