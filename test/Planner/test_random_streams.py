"""Random plans of several streams, right ones and mutated ones: memplan's verifier and the checker that shares no code with
it give one verdict, time and peak; what they accept goes right in every order that the queues allow, and what they refuse
for a missing wait goes wrong in one.

Else a plan that both believe could read bytes that another stream still writes, on the one machine where the timing is so.
"""
import collections
import copy
import importlib.util
import json
import random
import subprocess

import byte_machine
import pytest
import random_mutations
import random_plans

from fixtures import ROOT

spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils" / "check_plan.py")
check_plan = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_plan)

SEEDS = (1, 2, 3)
PLANS = 50  # for each seed, and as many mutations
MOST_STATES = 6000
MISSING_WAIT = ("is not waited for on queue", "may still use them")

SCRIPT = 'for i in $(seq 0 $(($2 - 1))); do "$1" check $i.graph $i.plan > $i.out 2>&1; echo $? > $i.rc; done'


def claim(draft):
    """What the plan says of itself, where it can be executed as far as its end."""
    draft.claims = {"cost": 0, "peak_bytes": 0}
    graph, plan = check_plan.Graph(draft.graph), draft.plan()
    execution = check_plan.Execution(graph)
    try:
        for record in plan["steps"]:
            execution.perform(record)
        execution.finish()
    except check_plan.Violation:
        return
    draft.claims = {"cost": execution.cost, "peak_bytes": execution.peak}


def make_cases(seed):
    """(graph, plan, is it mutated)"""
    r, cases = random.Random(seed), []
    for _ in range(PLANS):
        draft = random_plans.random_draft(r)
        claim(draft)
        cases.append((draft.graph, copy.deepcopy(draft.plan()), False))
        random_mutations.mutate(r, draft)
        claim(draft)
        cases.append((draft.graph, copy.deepcopy(draft.plan()), True))
    return cases


def judge_by_memplan(program, folder, cases):
    """For each case its exit status and what memplan-solve says, in one shell."""
    for number, (graph, plan, _) in enumerate(cases):
        (folder / f"{number}.graph").write_text(json.dumps(graph))
        (folder / f"{number}.plan").write_text(json.dumps(plan))
    subprocess.run(["sh", "-c", SCRIPT, "sh", program, str(len(cases))], cwd=folder, check=True)
    numbers = range(len(cases))
    return [(int((folder / f"{n}.rc").read_text()), (folder / f"{n}.out").read_text()) for n in numbers]


def judge_by_checker(graph, plan):
    """(execution, None) or (None, why not)."""
    try:
        return check_plan.check(graph, plan), None
    except check_plan.Violation as violation:
        return None, str(violation)


def judge_by_bytes(graph, plan):
    """("right", machine), ("wrong", why) or ("undecided", why)."""
    try:
        machine = byte_machine.Machine(graph, plan)
        machine.run_all_orders(MOST_STATES)
        return "right", machine
    except byte_machine.Wrong as wrong:
        return "wrong", str(wrong)
    except byte_machine.Undecided as undecided:
        return "undecided", str(undecided)


def check_accepted(line, execution, bytes_say, machine, counts):
    figures = dict(word.split("=") for word in line.split()[1:])
    assert float(figures["time"]) == pytest.approx(execution.queues.end, rel=1e-5)
    assert int(figures["peak_bytes"]) == execution.peak
    assert bytes_say != "wrong", machine
    counts["accepted"] += 1
    if bytes_say == "right":
        counts["accepted, right in every order"] += 1
        assert machine.peak == execution.peak and machine.time() == pytest.approx(execution.queues.end)


def check_variety(cases):
    """The generator keeps using what the formats offer."""
    steps = [step for _, plan, _ in cases for step in plan["steps"]]
    parts = [part for graph, _, _ in cases for part in graph["tensors"] + graph["nodes"]]
    spaces = {arena["space"] for _, plan, _ in cases for arena in plan.get("arenas", [])}
    used = {key for record in steps + parts for key in record} | spaces
    assert used >= {"compute", "free", "evict", "fetch", "wait", "drop_host", "in_place", "variant", "discard", "device", "host"}
    assert used >= {"view_of", "writes", "workspace_bytes"} and any(len(part.get("outputs", [])) > 1 for part in parts)
    assert {step.get("stream", 0) for step in steps} >= {0, 1, 2}
    assert "comm" in {part.get("stream") for part in parts}


@pytest.mark.parametrize("seed", SEEDS)
def test_three_opinions_agree(tool, tmp_path, seed):
    cases, counts = make_cases(seed), collections.Counter()
    check_variety(cases)
    verdicts = judge_by_memplan(tool("memplan-solve"), tmp_path, cases)
    for (graph, plan, mutated), (status, line) in zip(cases, verdicts):
        execution, why = judge_by_checker(graph, plan)
        bytes_say, machine = judge_by_bytes(graph, plan)
        print(f"seed {seed}", json.dumps(graph), json.dumps(plan), sep="\n")
        print(f"memplan: {status} {line}\nchecker: {why}\nbytes: {bytes_say} {machine}")
        assert status in (0, 1, 2)
        assert (status == 0) == (why is None)
        counts["mutated" if mutated else "plain"] += 1
        if why is None:
            check_accepted(line, execution, bytes_say, machine, counts)
        elif any(text in why for text in MISSING_WAIT):
            assert bytes_say != "right", "a wait is asked for that no order needs"
            counts["a wait is missing"] += 1
            counts["a wait is missing, wrong in some order"] += bytes_say == "wrong"
    print(f"seed {seed}: {dict(counts)}")
    # The generator keeps making plans that decide something.
    assert counts["accepted, right in every order"] >= PLANS / 2
    assert counts["a wait is missing, wrong in some order"] >= PLANS / 10
