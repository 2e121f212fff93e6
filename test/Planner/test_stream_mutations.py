"""Plans of several streams and copies, broken in every way that MUTATIONS lists: memplan's verifier and the checker that
shares no code with it refuse each, or else it does no harm in any order that its queues allow.

Else a planner's bug would reach an execution that reads bytes which another stream or a copy still writes.

With MEMPLAN_MUTATIONS=N, up to N places are broken of each plan for each kind (1 by default).
"""
import collections
import copy
import importlib.util
import json
import os
import random
import subprocess

import byte_machine
import pytest
from stream_mutations import MUTATIONS, Draft

from fixtures import ROOT

spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils" / "check_plan.py")
check_plan = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_plan)

INPUTS = ROOT / "test" / "Planner" / "Inputs"
CASES = json.loads((INPUTS / "streams.cases.json").read_text())
PLACES = int(os.environ.get("MEMPLAN_MUTATIONS", "1"))
MOST_STATES = 20000
SCRIPT = 'for i in $(seq 0 $(($2 - 1))); do "$1" check $i.graph $i.plan > $i.out 2>&1; echo $? > $i.rc; done'

# Two branches and their way back, as in training; every value is small, so that bytes can be told apart one by one.
BRANCHES = {
    "version": 1, "name": "branches", "fixed_bytes": 0, "bandwidth": {"h2d": 2, "d2h": 2, "latency": 0},
    "tensors": [{"id": 0, "bytes": 2, "kind": "input"}, *({"id": i, "bytes": b} for i, b in enumerate((2, 3, 2, 2, 1, 2, 3), 1)),
                {"id": 8, "bytes": 1, "kind": "output"}],
    "nodes": [{"id": i, "cost": c, "inputs": r, "outputs": [i + 1], **more} for i, (c, r, more) in enumerate([
        (2, [0], {}), (3, [1], {}), (2, [1], {"workspace_bytes": 2}), (1, [2], {"in_place": [[4, 2]]}), (4, [3], {}),
        (1, [4, 5, 1], {}), (2, [6, 3], {}), (1, [7], {})])]}
# Names of a plan, its graph file and its plan file.
READY = [
    ("there and back", "there-and-back", "there-and-back"),
    ("moments between steps on the host", "state-on-host", "moments-on-host"),
    ("a weight too", "state-on-host", "state-on-host"),
]
OPTIONS = [(2, "prefer"), (2, "balance"), (2, "memory"), (3, "balance")]


def claim(graph, plan):
    """What the plan says of itself, so that it is refused for what was broken and not for its figures."""
    plan.update(cost=0, peak_bytes=0)
    try:
        read = check_plan.Graph(graph)
        execution = check_plan.Execution(read, check_plan.hosted_tensors(plan, read))
        for record in plan["steps"]:
            execution.perform(record)
        execution.finish()
    except (check_plan.Violation, KeyError):
        return plan
    plan.update(cost=execution.cost, peak_bytes=execution.peak)
    return plan


def planned(program, folder, streams, parallelism):
    graph, plan = folder / "branches.graph.json", folder / "branches.plan.json"
    graph.write_text(json.dumps(BRANCHES))
    command = [program, "remat", graph, "--remat=checkpoint-all", "--alignment=1", f"--streams={streams}", f"--parallelism={parallelism}"]
    subprocess.run([*command, "-o", plan], check=True, capture_output=True)
    return json.loads(plan.read_text())


def right_plans(program, folder):
    """(name, graph, plan): the accepted cases, and what the planner makes of two branches, and plans that lie here: of copies there
    and back, and of state that lives on the host between steps."""
    plans = []
    for case in CASES["cases"]:
        if "accepted" in case and not case.get("options"):
            graph = {**copy.deepcopy(CASES["graphs"][case["graph"]]), **case.get("graph_with", {})}
            graph = {key: value for key, value in graph.items() if value is not None}
            plans.append((case["id"], graph, {"version": 1, "graph": case["graph"], "status": "feasible", "solver": "hand", **case["plan"]}))
    made = [(f"{parallelism} on {streams}", BRANCHES, planned(program, folder, streams, parallelism)) for streams, parallelism in OPTIONS]
    for name, graph, plan in READY:
        made.append((name, *(json.loads((INPUTS / f"{file}.json").read_text()) for file in (f"{graph}.graph", f"{plan}.plan"))))
    for name, graph, plan in made:
        plan = {key: plan[key] for key in plan if key not in ("graph_hash", "bound", "bound_space", "proof", "budget_bytes")}
        plans.append((name, graph, {**plan, "status": "feasible"}))
    return plans


def judge_by_memplan(program, folder, cases):
    for number, (_, graph, plan) in enumerate(cases):
        (folder / f"{number}.graph").write_text(json.dumps(graph))
        (folder / f"{number}.plan").write_text(json.dumps(plan))
    subprocess.run(["sh", "-c", SCRIPT, "sh", program, str(len(cases))], cwd=folder, check=True)
    return [((folder / f"{n}.rc").read_text().strip(), (folder / f"{n}.out").read_text()) for n in range(len(cases))]


def judge_by_checker(graph, plan):
    try:
        check_plan.check(graph, plan)
    except check_plan.Violation as violation:
        return str(violation)
    return None


def do_all_orders_go_right(graph, plan):
    machine = byte_machine.Machine(graph, plan)
    machine.run_all_orders(MOST_STATES)
    return True


@pytest.fixture(scope="module")
def plans(tool, tmp_path_factory):
    return right_plans(tool("memplan-solve"), tmp_path_factory.mktemp("plans"))


def test_there_are_enough_kinds():
    assert len(MUTATIONS) >= 55


def test_unbroken_plans_are_right(tool, tmp_path, plans):
    """A draft that nothing was done to is the plan, or all below would be refused for nothing."""
    cases = [(name, graph, claim(graph, Draft(plan).plan())) for name, graph, plan in plans]
    for (name, graph, plan), (status, line) in zip(cases, judge_by_memplan(tool("memplan-solve"), tmp_path, cases)):
        assert status == "0" and judge_by_checker(graph, plan) is None, f"{name}: {line}"
        assert do_all_orders_go_right(graph, plan)


def test_broken_plans_are_refused_or_harmless(tool, tmp_path, plans):
    cases, r = [], random.Random(1)
    for kind, mutate in MUTATIONS.items():
        for name, graph, plan in plans:
            drafts = list(mutate(Draft(plan), graph))
            for draft in r.sample(drafts, min(PLACES, len(drafts))):
                cases.append((f"{kind}, {name}", graph, claim(graph, draft.plan())))
    refused, harmless = collections.Counter(), collections.Counter()
    for (name, graph, plan), (status, line) in zip(cases, judge_by_memplan(tool("memplan-solve"), tmp_path, cases)):
        why, kind = judge_by_checker(graph, plan), name.split(",")[0]
        assert (status == "0") == (why is None), f"{name}: memplan says {line}, the checker {why}\n{json.dumps(plan)}"
        if why is None:
            assert do_all_orders_go_right(graph, plan), name
            harmless[kind] += 1
        else:
            refused[kind] += 1
    for kind in MUTATIONS:
        print(f"{kind}: {refused[kind]} refused, {harmless[kind]} harmless")
        assert refused[kind], f"{kind}: nothing of that kind is refused"
