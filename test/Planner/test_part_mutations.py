"""Broken parts of a whole must be refused, by memplan and by the checker that shares no code with it.

Else a concat would be read whose pieces were never written, or written over each other.
"""
import copy
import importlib.util
import json
import subprocess

import pytest

from fixtures import ROOT

spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils" / "check_plan.py")
check_plan = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_plan)

GRAPH = {
    "version": 1,
    "tensors": [
        {"id": 0, "bytes": 16, "kind": "input"},
        {"id": 1, "bytes": 32},
        {"id": 2, "view_of": 1, "part_of": {"offset": 0, "bytes": 4, "rows": 2, "stride": 16, "written": True}},
        {"id": 3, "view_of": 1, "part_of": {"offset": 4, "bytes": 12, "rows": 2, "stride": 16, "written": True}},
        {"id": 4, "view_of": 1, "part_of": {"offset": 0, "bytes": 32}},
        {"id": 5, "bytes": 8, "kind": "output"},
    ],
    "nodes": [
        {"id": 0, "cost": 1, "inputs": [0], "outputs": [1, 2], "recompute": False},
        {"id": 1, "cost": 1, "inputs": [2], "outputs": [3], "recompute": False},
        {"id": 2, "cost": 0, "inputs": [2, 3], "outputs": [4]},
        {"id": 3, "cost": 1, "inputs": [4], "outputs": [5]},
    ],
}
PLAN = {
    "version": 1,
    "status": "feasible",
    "cost": 3,
    "peak_bytes": 56,
    "steps": [{"compute": 0}, {"compute": 1}, {"compute": 2}, {"compute": 3}, {"free": [1]}],
    "arenas": [
        {
            "space": "device",
            "bytes": 40,
            "alignment": 8,
            "placements": [
                {"tensor": 1, "step_begin": 0, "step_end": 4, "offset": 0},
                {"tensor": 5, "step_begin": 3, "step_end": 5, "offset": 32},
            ],
        }
    ],
}


def part(tensor, **changes):
    return lambda graph, plan: graph["tensors"][tensor]["part_of"].update(changes)


def steps(*wanted):
    return lambda graph, plan: plan.update(steps=list(wanted))


RUN = [{"compute": n} for n in range(4)]
FREE = {"free": [1]}

# name: (change of graph or plan, what memplan says, what the independent checker says)
MUTATIONS = {
    "offset beyond the whole": (part(3, offset=8), "graph_i9", "ends beyond its whole"),
    "offset before the whole": (part(2, offset=-4), "graph_i9", "before its whole"),
    "stride out of range": (part(3, stride=24), "graph_i9", "ends beyond its whole"),
    "stride below a row": (part(3, stride=8), "graph_i9", "rows of 12 bytes with stride 8"),
    "no bytes": (part(3, bytes=0), "graph_i9", "a part without bytes"),
    "too many rows": (part(3, rows=3), "graph_i9", "ends beyond its whole"),
    "parts over each other": (part(3, offset=3), "graph_i10", "written over each other"),
    "a part of no whole": (lambda g, p: g["tensors"][2].pop("view_of"), "'bytes'", "lacks 'bytes'"),
    "a part written twice": (lambda g, p: g["nodes"][1].pop("recompute"), "graph_i10", "may run again"),
    "a part that nothing writes": (lambda g, p: g["nodes"][1].update(outputs=[]), "graph_i", "comes from nowhere|nothing writes"),
    "ill-typed": (part(3, rows="2"), "'rows'", "'rows'"),
    "whole read before all parts are written": (
        steps(RUN[0], RUN[2], RUN[1], RUN[3], FREE),
        "plan_c2: step 1: node 2 reads tensor 3",
        "reads tensor 3",
    ),
    "part outlives the whole": (steps(RUN[0], FREE, *RUN[1:]), "plan_c2: step 2: node 1 reads tensor 2", "reads tensor 2"),
    "part written without the whole": (steps(RUN[1], RUN[0], *RUN[2:], FREE), "plan_c2", "reads tensor 2"),
    "whole placed from its last part on": (
        lambda g, p: p["arenas"][0]["placements"][0].update(step_begin=1),
        "arena: ",
        "place",
    ),
    "another tensor in the place of a part": (
        lambda g, p: p["arenas"][0]["placements"][1].update(offset=24),
        "share bytes",
        "share bytes",
    ),
}


def run_memplan(tool, tmp_path, graph, plan):
    (tmp_path / "g.json").write_text(json.dumps(graph))
    (tmp_path / "p.json").write_text(json.dumps(plan))
    command = [tool("memplan-solve"), "check", str(tmp_path / "g.json"), str(tmp_path / "p.json")]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_plan_itself_is_accepted(tool, tmp_path):
    status, output = run_memplan(tool, tmp_path, GRAPH, PLAN)
    assert (status, output) == (0, "ok status=feasible cost=3 peak_bytes=56 computes=4 time=3\n")
    assert check_plan.check(GRAPH, PLAN).peak == 56


@pytest.mark.parametrize("name", MUTATIONS)
def test_broken_parts_are_refused(tool, tmp_path, name):
    change, said, also_said = MUTATIONS[name]
    graph, plan = copy.deepcopy(GRAPH), copy.deepcopy(PLAN)
    change(graph, plan)
    status, output = run_memplan(tool, tmp_path, graph, plan)
    assert status in (1, 2), output
    assert said in output
    with pytest.raises(check_plan.Violation, match=also_said):
        check_plan.check(graph, plan)
