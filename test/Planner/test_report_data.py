"""The report data of memplan-solve against the plan file of the same arguments, by code of its own: a report must not say other
numbers than the plan."""
import json
import subprocess

import pytest

from fixtures import ROOT

INPUTS = ROOT / "test" / "Planner" / "Inputs"
CASES = [("chain8.graph.json", ["--budget=7K"]), ("mlp.graph.json", ["--budget=85%"]), ("mlp.graph.json", ["--budget=90%", "--streams=2"]),
         ("chain8.graph.json", ["--budget=7K", "--swap=cost", "--bandwidth=1000,1000,0.1"])]


def solve(tool, *arguments):
    done = subprocess.run([tool("memplan-solve"), "remat", *map(str, arguments), "--effort=200"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} {' '.join(case[1])}")
def planned(request, tool, tmp_path):
    """Graph, plan and report data of one case."""
    name, options = request.param
    solve(tool, INPUTS / name, *options, "-o", tmp_path / "plan.json")
    solve(tool, INPUTS / name, *options, "--emit=report-data", "-o", tmp_path / "report.json", f"--perfetto={tmp_path / 'trace.json'}")
    files = [INPUTS / name, tmp_path / "plan.json", tmp_path / "report.json", tmp_path / "trace.json"]
    return [json.loads(file.read_text()) for file in files]


def test_numbers_are_those_of_the_plan(planned):
    """A page would promise bytes or time that the plan does not keep."""
    graph, plan, report, _ = planned
    summary = report["summary"]
    assert summary["peak_bytes"] == report["peak"]["bytes"] == plan["peak_bytes"] == max(step["bytes"] for step in report["steps"])
    for key in ("status", "solver", "cost", "time", "bound", "bound_space", "budget_bytes"):
        assert summary.get(key) == plan.get(key), key
    device = next(arena for arena in plan["arenas"] if arena["space"] == "device")
    assert (summary["arena_bytes"], summary["live_bytes"]) == (device["bytes"], device["live_bytes"])
    owned = {tensor for arena in plan["arenas"] for tensor in arena.get("owns", [])}
    caller = [tensor for tensor in graph["tensors"] if tensor.get("kind") in ("parameter", "state", "input") and tensor["id"] not in owned]
    assert summary["device_bytes"] == graph.get("fixed_bytes", 0) + sum(tensor["bytes"] for tensor in caller) + device["bytes"]
    assert len(report["steps"]) == len(plan["steps"])
    assert max(step["end"] for step in report["steps"]) == pytest.approx(plan["time"])


def test_live_ranges_are_the_placements(planned):
    """The arena map would show values where the plan does not put them."""
    _, plan, report, _ = planned
    wanted = set()
    for arena in plan["arenas"]:
        for row in arena["placements"]:
            kind = next(kind for kind in ("tensor", "workspace", "discard") if kind in row)
            wanted.add((arena["space"], kind, row[kind], row["step_begin"], row["offset"]))
    shown = {(row.get("space", "device"), row["what"], row["node" if row["what"] == "workspace" else "tensor"], row["begin"], row["offset"])
             for row in report["live_ranges"] if "offset" in row and "over" not in row}
    assert shown == wanted


def test_what_was_done_is_what_the_plan_does(planned):
    """A list of recomputations, copies or values in place would be of another plan."""
    _, plan, report, _ = planned
    seen, again = set(), []
    for number, step in enumerate(plan["steps"]):
        if "compute" in step:
            if step["compute"] in seen:
                again.append(number)
            seen.add(step["compute"])
    assert [number for number, step in enumerate(report["steps"]) if step.get("recomputation")] == again
    pairs = sum(len(step.get("in_place", [])) for step in plan["steps"])
    assert sum("over" in row for row in report["live_ranges"]) == pairs
    copies = [step["tensors"][0] for step in report["steps"] if step["action"] in ("evict", "fetch")]
    assert copies == [step.get("evict", step.get("fetch")) for step in plan["steps"] if "evict" in step or "fetch" in step]


def test_trace_has_every_run_and_copy(planned):
    """Perfetto would show a step that is not the plan's."""
    _, plan, _, trace = planned
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert len(slices) == sum(any(key in step for key in ("compute", "evict", "fetch")) for step in plan["steps"])
    by_track = {}
    for event in slices:
        by_track.setdefault(event["tid"], []).append((event["ts"], event["ts"] + event["dur"]))
    for spans in by_track.values():
        spans.sort()
        assert all(first[1] <= second[0] + 1e-6 for first, second in zip(spans, spans[1:]))


def test_summaries(tool, tmp_path):
    """A script that reads the summary would get text, or other numbers than the plan."""
    said = solve(tool, INPUTS / "mlp.graph.json", "--budget=85%", "--summary=json", "-o", tmp_path / "plan.json")
    plan = json.loads((tmp_path / "plan.json").read_text())
    assert json.loads(said)["summary"]["cost"] == plan["cost"]
    full = solve(tool, INPUTS / "mlp.graph.json", "--budget=85%", "--summary=full", "-o", tmp_path / "plan.json")
    assert "Fits: " in full and "Largest tensors at the peak" in full
    assert max(map(len, full.split("\n")[1:])) <= 100


def test_a_failure_says_what_binds(tool, tmp_path):
    """Whoever has no plan needs the report most."""
    command = [tool("memplan-solve"), "remat", INPUTS / "chain8.graph.json", "--budget=2K", "--emit=report-data", "-o", tmp_path / "report.json"]
    assert subprocess.run(command, capture_output=True).returncode == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["verdict"].startswith("Does not fit, which is proved") and report["steps"] == []
    assert report["summary"]["bound_bytes"] > 2048 and report["summary"]["witness_tensors"]
