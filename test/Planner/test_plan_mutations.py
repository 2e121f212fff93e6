"""Every kind of broken plan must be refused, by memplan's own verifier and by the checker that shares no code with it.

Else a planner's bug would reach an execution that reads freed or overwritten bytes.
"""
import importlib.util
import json
import random
import subprocess

import plan_case
import pytest

from fixtures import ROOT

spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils" / "check_plan.py")
check_plan = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_plan)


def replace_step(position, step):
    return lambda plan: plan["steps"].__setitem__(position, step)


def insert_step(position, step):
    return lambda plan: plan["steps"].insert(position, step)


def drop_step(position):
    return lambda plan: plan["steps"].pop(position)


def change_step(position, **changes):
    return lambda plan: plan["steps"][position].update(changes)


def claim(**changes):
    return lambda plan: plan.update(changes)


def place(position, **changes):
    return lambda plan: plan["arenas"][0]["placements"][position].update(changes)


def arena(**changes):
    return lambda plan: plan["arenas"][0].update(changes)


def swap_steps(a, b):
    def swap(plan):
        steps = plan["steps"]
        steps[a], steps[b] = steps[b], steps[a]

    return swap


def share_bytes(plan):
    placements = plan["arenas"][0]["placements"]
    placements[1]["offset"] = placements[0]["offset"]


def double_placement(plan):
    placements = plan["arenas"][0]["placements"]
    placements.append(dict(placements[0]))


def no_placement(what):
    def drop(plan):
        placements = plan["arenas"][0]["placements"]
        placements.remove(next(p for p in placements if what in p))

    return drop


# name: (mutation, what memplan says, what the independent checker says)
MUTATIONS = {
    "input freed too early": (insert_step(2, {"free": [2]}), "reads tensor 3, which is not resident", "not in memory"),
    "input never made": (drop_step(0), "reads tensor 2, which is not resident", "reads tensor 2"),
    "view of the last live range": (drop_step(10), "reads tensor 3, which is not resident", "reads tensor 3"),
    "read after an eviction": (insert_step(6, {"compute": 1}), "reads tensor 2", "reads tensor 2"),
    "evicted twice at once": (insert_step(4, {"evict": 2, "event": 7}), "while it is being copied out", "twice at once"),
    "freed while it leaves": (insert_step(4, {"free": [2]}), "while it is being copied", "during a copy"),
    "read before the fetch has ended": (drop_step(9), "reads tensor 2", "reads tensor 2"),
    "output resident already": (insert_step(3, {"compute": 2}), "resident already", "already in memory"),
    "discards what it does not make": (change_step(11, discard=[4, 6]), "none of its outputs", "does not make"),
    "discards what is read later": (change_step(2, discard=[4]), "reads tensor 4", "reads tensor 4"),
    "in place not allowed by the node": (change_step(5 + 7, in_place=[[8, 2]]), "may not put", "may not put"),
    "in place over a tensor read later": (change_step(6, in_place=[[7, 6]]), "is freed, but is not resident", "not in memory"),
    "in place and discarded": (change_step(4, discard=[6]), "both discarded and in place", "two places"),
    "node never runs": (drop_step(20), "node 9 never runs", "node 9 never runs"),
    "recomputation of a node that runs once": (insert_step(21, {"compute": 9}), "may run only once", "must not run again"),
    "second update": (insert_step(19, {"compute": 8}), "may run only once", "must not run again"),
    "collective repeated": (insert_step(17, {"compute": 6}), "may run only once", "must not run again"),
    "recompute after the update of a parameter it reads": (
        insert_step(20, {"compute": 0}),
        "reads version 1 of tensor 1, in source order version 0",
        "needs version 0 of tensor 1",
    ),
    "frees a parameter": (insert_step(1, {"free": [1]}), "may not be freed", "frees tensor 1"),
    "frees an input that is not donated": (insert_step(1, {"free": [12]}), "not donated", "not donated"),
    "frees twice": (insert_step(8, {"free": [6]}), "is freed, but is not resident", "not in memory"),
    "frees a view and its base": (change_step(13, free=[5, 3, 2]), "is freed, but is not resident", "not in memory"),
    "frees during a fetch": (insert_step(9, {"free": [2]}), "being copied", "during a copy"),
    "evicts what is not there": (insert_step(14, {"evict": 2, "event": 7}), "is evicted, but", "evicts tensor 2"),
    "evicts a view": (change_step(3, evict=3), "is a view", "is a view"),
    "event used twice": (change_step(8, event=0), "event 0 is used before", "used twice"),
    "waits for nothing": (insert_step(10, {"wait": 5}), "no step before this wait", "no earlier step signals"),
    "copy never waited for": (insert_step(22, {"evict": 11, "event": 5}), "never waited for", "never waited for"),
    "fetches what is not on the host": (change_step(8, fetch=5), "not on the host", "not on the host"),
    "fetches what is resident": (insert_step(10, {"fetch": 2, "event": 9}), "resident already", "in memory"),
    "drops a host copy that is not there": (insert_step(15, {"drop_host": 2}), "not there", "not on the host"),
    "output freed": (insert_step(13, {"free": [7]}), "tensor 7 is not resident at the end", "tensor 7"),
    "two actions in a step": (change_step(13, compute=1), "two actions", "2 actions"),
    "no action": (replace_step(13, {"nothing": 1}), "no action", "0 actions"),
    "unknown node": (change_step(0, compute=77), "node 77, which is not in the graph", "no node 77"),
    "unknown tensor": (change_step(13, free=[99]), "tensor 99, which is not in the graph", "no tensor 99"),
    "unknown variant": (change_step(6, variant=2), "no variant 2", "no variant 2"),
    "negative variant": (change_step(6, variant=-1), "-1", "no variant -1"),
    "variant's cost not paid": (change_step(6, variant=1), "plan says cost", "plan says cost"),
    "second stream that does not wait": (change_step(2, stream=1), "is not waited for", "is not waited for"),
    "negative stream": (change_step(2, stream=-1), "-1", "stream -1"),
    "wait on another stream": (change_step(9, stream=1), "is not waited for", "is not waited for"),
    "copy without an event": (lambda plan: plan["steps"][3].pop("event"), "'event'", "'event'"),
    "event of a run used twice": (change_step(4, event=0), "event 0 is used before", "used twice"),
    "peak too low": (claim(peak_bytes=plan_case.PEAK - 1), "plan says peak", "the plan says peak_bytes"),
    "peak too high": (claim(peak_bytes=plan_case.PEAK + 1), "plan says peak", "the plan says peak_bytes"),
    "cost too low": (claim(cost=18, time=18, bound=None), "plan says cost", "the plan says cost"),
    "time below cost": (claim(time=1), "plan says time", "the plan says time"),
    "bound above cost": (claim(bound=20), "bound 20", "bound 20"),
    "optimal without proof": (claim(status="optimal"), "status is optimal", "optimal, but bound"),
    "optimal without bound": (claim(status="optimal", bound=None), "bound is missing", "optimal without"),
    "optimal with a bound beyond all": (claim(status="optimal", bound=1e300), "above the cost", "above the cost"),
    "staged bound beyond all": (claim(bound=1e300, bound_space="staged"), "above the cost", "above the cost"),
    "negative bound": (claim(bound=-1), "bound -1 is negative", "bound -1 is negative"),
    "unknown bound space": (claim(bound_space="moon"), "no bound_space 'moon'", "unknown bound_space"),
    "unknown proof": (claim(proof="trust"), "no proof 'trust'", "unknown proof"),
    "bound without a space": (claim(bound_space=None), "without bound_space and proof", "without bound_space and proof"),
    "bound without a proof": (claim(proof=None), "without bound_space and proof", "without bound_space and proof"),
    "time bound above time": (claim(time_bound=20, time_bound_space="fixed-order"), "time_bound 20", "time_bound 20"),
    "negative time bound": (claim(time_bound=-1, time_bound_space="run-once"), "time_bound -1 is negative", "time_bound -1 is negative"),
    "time bound of no space": (claim(time_bound=3), "without time_bound_space", "without time_bound_space"),
    "unknown time bound space": (claim(time_bound=3, time_bound_space="staged"), "no time_bound_space 'staged'", "unknown time_bound_space"),
    "negative least budget": (claim(minimum_budget_bytes=-7), "not positive: -7", "-7 is not positive"),
    "bound_bytes of nothing": (claim(bound_bytes=0), "not positive: 0", "0 is not positive"),
    "bound_bytes above what works": (
        claim(bound_bytes=401, minimum_budget_bytes=400),
        "bound_bytes 401 is above minimum_budget_bytes 400",
        "is above minimum_budget_bytes 400",
    ),
    "budget exceeded": (claim(budget_bytes=plan_case.PEAK - 1), "exceed", "exceed"),
    "infeasible with steps": (claim(status="infeasible"), "with steps", "with steps"),
    "unknown status": (claim(status="great"), "great", "great"),
    "version unknown": (claim(version=2), "version 2", "unknown version"),
    "steps missing": (lambda plan: plan.pop("steps"), "lacks the key 'steps'", "lacks 'steps'"),
    "cost ill-typed": (claim(cost="19"), "'cost'", "'cost'"),
    "cost missing": (lambda plan: plan.pop("cost"), "lacks the key 'cost'", "lacks 'cost'"),
    "size not whole": (claim(peak_bytes=308.5), "'peak_bytes'", "'peak_bytes'"),
    "arena: bytes shared": (share_bytes, "share bytes", "share bytes"),
    "arena: unknown space": (arena(space="moon"), "'moon'", "unknown space"),
    "arena: two of them": (lambda plan: plan["arenas"].append(plan["arenas"][0]), "more than one device", "more than one device"),
    "arena: the copies on the host do not lie on the device": (arena(space="host"), "arena: ", "host arena: "),
    "arena: misaligned": (place(1, offset=72), "alignment 16", "at offset 72"),
    "arena: negative offset": (place(1, offset=-16), "offset -16", "offset -16"),
    "arena: beyond its end": (arena(bytes=plan_case.ARENA_BYTES - 16), "beyond the arena", "ends at"),
    "arena: ends too early": (place(4, step_end=21), "lives until step 22", "lives until step 22"),
    "arena: tensor not placed": (no_placement("tensor"), "no placement", "has no place"),
    "arena: workspace not placed": (no_placement("workspace"), "no placement", "has no place"),
    "arena: discard not placed": (no_placement("discard"), "no placement", "has no place"),
    "arena: placed at the wrong step": (place(4, step_begin=5), "placement for", "place"),
    "arena: placed twice": (double_placement, "two placements", "placed twice"),
    "arena: too large beside the caller's bytes": (claim(budget_bytes=plan_case.ARENA_BYTES + 143), "exceed", "exceed"),
    "arena: alignment 0": (arena(alignment=0), "alignment", "out of range"),
    "arena: fewer live bytes than there are": (arena(live_bytes=plan_case.ARENA_BYTES - 100), "replaying gives", "bytes are live, but"),
    "arena: more live bytes than there are": (arena(live_bytes=plan_case.ARENA_BYTES), "replaying gives", "bytes are live, but"),
    "arena: live bytes ill-typed": (arena(live_bytes="many"), "'live_bytes'", "'live_bytes'"),
    "arena: owns what the step makes": (arena(owns=[2]), "owns", "owns"),
}

def run_memplan(tool, tmp_path, graph, plan, *options):
    (tmp_path / "g.json").write_text(json.dumps(graph))
    (tmp_path / "p.json").write_text(json.dumps(plan))
    command = [tool("memplan-solve"), "check", str(tmp_path / "g.json"), str(tmp_path / "p.json"), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_plan_itself_is_accepted(tool, tmp_path):
    graph, plan = plan_case.graph(), plan_case.plan()
    assert run_memplan(tool, tmp_path, graph, plan) == (0, "ok status=feasible cost=19 peak_bytes=324 computes=12 time=19\n")
    assert check_plan.check(graph, plan).peak == plan_case.PEAK


@pytest.mark.parametrize("name", MUTATIONS)
def test_broken_plan_is_refused(tool, tmp_path, name):
    mutate, said, also_said = MUTATIONS[name]
    graph, plan = plan_case.graph(), plan_case.plan()
    mutate(plan)
    status, output = run_memplan(tool, tmp_path, graph, plan)
    assert status in (1, 2), output
    assert said in output
    with pytest.raises(check_plan.Violation, match=also_said):
        check_plan.check(graph, plan)


# Changes of the graph under the same plan.
def make_graph(change):
    graph = plan_case.graph()
    change(graph)
    return graph


GRAPH_CHANGES = {
    "collectives out of order": (
        lambda g: g["nodes"].insert(6, g["nodes"].pop(7)) or g["nodes"][6].update(inputs=[7]),
        "collectives and opaque nodes are not in source order",
        "out of order",
    ),
    "in place over a smaller tensor": (
        lambda g: g["tensors"][6].update(bytes=80),
        "does not fit over",
        "does not fit over",
    ),
    "in place over an output": (lambda g: g["tensors"][4].update(kind="output"), "must outlive", "must not be overwritten"),
    "in place over another view of the same bytes": (
        lambda g: (g["tensors"].append({"id": 13, "view_of": 4}), g["nodes"][2]["outputs"].append(13), g["nodes"][3]["inputs"].append(13)),
        "are read as",
        "also reads",
    ),
    "host budget": (lambda g: g.update(host_budget_bytes=63), "host_budget_bytes", "host budget"),
    "fixed bytes count": (lambda g: g.update(fixed_bytes=100), "plan says peak", "the plan says peak_bytes"),
}


@pytest.mark.parametrize("name", GRAPH_CHANGES)
def test_plan_of_another_graph_is_refused(tool, tmp_path, name):
    change, said, also_said = GRAPH_CHANGES[name]
    graph, plan = make_graph(change), plan_case.plan()
    status, output = run_memplan(tool, tmp_path, graph, plan)
    assert status in (1, 2), output
    assert said in output
    with pytest.raises(check_plan.Violation, match=also_said):
        check_plan.check(graph, plan)


def test_host_copy_of_before_an_update_is_refused(tool, tmp_path):
    # MUT-2. The donated input is written by node 8, dropped, and fetched from a copy of before.
    graph, plan = plan_case.graph(), plan_case.plan()
    graph["nodes"][8]["writes"].append(0)
    steps = plan["steps"]
    steps.insert(1, {"evict": 0, "event": 20})
    steps.insert(2, {"wait": 20})
    steps.insert(3, {"fetch": 0, "event": 21})
    steps.insert(4, {"wait": 21})
    at = steps.index({"compute": 8}) + 1
    steps.insert(at, {"free": [0]})
    steps.insert(at + 1, {"fetch": 0, "event": 22})
    steps.insert(at + 2, {"wait": 22})
    status, output = run_memplan(tool, tmp_path, graph, plan)
    assert status == 1 and "the host copy of tensor 0 is version 0, but version 1 is current" in output
    with pytest.raises(check_plan.Violation, match="the host copy of tensor 0 is out of date"):
        check_plan.check(graph, plan)


def test_budget_of_the_caller_counts(tool, tmp_path):
    graph, plan = plan_case.graph(), plan_case.plan()
    least = plan_case.ARENA_BYTES + 144
    assert run_memplan(tool, tmp_path, graph, plan, f"--budget={least}")[0] == 0
    assert run_memplan(tool, tmp_path, graph, plan, f"--budget={least - 1}")[0] == 1
    assert check_plan.check(graph, plan, least)
    with pytest.raises(check_plan.Violation, match="exceed"):
        check_plan.check(graph, plan, least - 1)


# A plan that says that the budget cannot work, and what may not be said of it.
def infeasible(**changes):
    # Node 5 needs the caller's 144 bytes, and tensors 7, 5, 2 and 8.
    plan = {
        "version": 1,
        "status": "infeasible",
        "bound_space": "free-order",
        "proof": "exact",
        "solver": "hand",
        "budget_bytes": 200,
        "bound_bytes": 64 + 16 + (4 + 32 + 64) + 64,
        "minimum_budget_bytes": 336,
        "witness": {"node": 5, "tensors": [7, 5, 2, 8]},
    }
    return {key: value for key, value in {**plan, **changes}.items() if value is not None}


FALSE_CLAIMS = {
    "no reason": (dict(bound_bytes=None, witness=None), "bound_bytes is missing", "without bound_bytes"),
    "no budget": (dict(budget_bytes=None), "without a budget", "without a budget"),
    "within the budget": (dict(bound_bytes=200), "is within the budget", "is within the budget"),
    "no witness": (dict(witness=None), "no witness", "without a witness"),
    "a byte too many": (dict(bound_bytes=245), "the witness needs only 244", "the witness needs only 244"),
    "a node that needs less": (dict(witness={"node": 9, "tensors": []}), "needs only", "needs only"),
    "a node that can run in place": (dict(witness={"node": 3, "tensors": []}), "needs only", "needs only"),
    "the end needs less": (dict(witness={"tensors": [7, 11]}), "needs only", "needs only"),
    "tensors of another node": (dict(witness={"node": 5, "tensors": [9]}), "does not need", "not needed"),
    "no such node": (dict(witness={"node": 77}), "node 77", "no node 77"),
    "no such tensor": (dict(witness={"node": 5, "tensors": [77]}), "tensor 77", "no such tensor"),
    "space": (dict(bound_space="moon"), "no bound_space 'moon'", "unknown bound_space"),
    "no space": (dict(bound_space=None), "without bound_space", "without bound_space"),
    "no proof": (dict(proof=None), "without bound_space and proof", "without bound_space and proof"),
    "negative budget": (dict(budget_bytes=-1), "budget_bytes is negative", "budget_bytes is negative"),
    "minimum below the bound": (dict(minimum_budget_bytes=243), "is above minimum_budget_bytes", "is above minimum_budget_bytes"),
    "arenas": (dict(arenas=[{"bytes": 0, "placements": []}]), "with steps or arenas", "with steps or arenas"),
}


def test_true_infeasibility_is_accepted(tool, tmp_path):
    graph = plan_case.graph()
    staged = infeasible(proof="solver", bound_space="staged", bound_bytes=201, witness=None)
    searched = infeasible(bound_space="fixed-order", bound_bytes=201, witness=None)
    for plan, space in ((infeasible(), "in any order"), (staged, "in stages"), (searched, "in this order")):
        assert run_memplan(tool, tmp_path, graph, plan) == (0, f"ok status=infeasible {space} without steps\n")
        assert check_plan.check(graph, plan) is None


@pytest.mark.parametrize("name", FALSE_CLAIMS)
def test_false_infeasibility_is_refused(tool, tmp_path, name):
    changes, said, also_said = FALSE_CLAIMS[name]
    graph, plan = plan_case.graph(), infeasible(**changes)
    status, output = run_memplan(tool, tmp_path, graph, plan)
    assert status in (1, 2), output
    assert said in output
    with pytest.raises(check_plan.Violation, match=also_said):
        check_plan.check(graph, plan)


def ill_typed(dice, value):
    """A changed copy: one member of some sort becomes another, or goes away."""
    if isinstance(value, (dict, list)) and value and dice.random() < 0.85:
        value = value.copy()
        key = dice.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if dice.random() < 0.1:
            del value[key]
        else:
            value[key] = ill_typed(dice, value[key])
        return value
    strange = [None, True, -1, 0, 3, 1 << 70, 0.5, -0.0, float("nan"), float("inf"), 1e300, "", "host", "\ud800", [], [[]], [[1, 0]]]
    return dice.choice(strange + [{}, {"id": 0}, {"node": []}, [None], [0, 0], [{}]])


def test_ill_typed_files_give_one_line(tool, tmp_path, capsys, monkeypatch):
    # Whatever stands where, the checker says so in one line: a traceback tells the user nothing. Most mutants must be
    # refused, and none may crash memplan either.
    seed = 20
    dice = random.Random(seed)
    refused = agreed = 0
    for trial in range(2000):
        graph, plan = plan_case.graph(), plan_case.plan() if trial % 4 else infeasible()
        for _ in range(dice.randint(1, 2)):
            if dice.random() < 0.5:
                graph = ill_typed(dice, graph)
            else:
                plan = ill_typed(dice, plan)
        (tmp_path / "g.json").write_text(json.dumps(graph))
        (tmp_path / "p.json").write_text(json.dumps(plan))
        monkeypatch.setattr("sys.argv", ["check_plan.py", str(tmp_path / "g.json"), str(tmp_path / "p.json")])
        status = check_plan.main()
        said = capsys.readouterr()
        lines = (said.out + said.err).splitlines()
        assert status in (0, 1, 2) and len(lines) == 1, (seed, trial, lines)
        lines[0].encode()
        refused += status != 0
        if trial % 20 == 0:
            command = [tool("memplan-solve"), "check", str(tmp_path / "g.json"), str(tmp_path / "p.json")]
            done = subprocess.run(command, capture_output=True)
            assert done.returncode in (0, 1, 2)
            agreed += (done.returncode == 0) == (status == 0)
    assert refused > 1000
    assert agreed >= 99


@pytest.mark.parametrize("text", ["", "[", "[]", "7", '{"a": 1, "a": 2}', "[" * 100000, "\ufeff{}", '{"version": ' + "9" * 5000 + "}"])
def test_files_that_are_no_plans_give_one_line(capsys, monkeypatch, tmp_path, text):
    for name in ("graph", "plan"):
        paths = {"graph": json.dumps(plan_case.graph()), "plan": json.dumps(plan_case.plan()), name: text}
        for key, content in paths.items():
            (tmp_path / key).write_text(content)
        monkeypatch.setattr("sys.argv", ["check_plan.py", str(tmp_path / "graph"), str(tmp_path / "plan")])
        assert check_plan.main() in (1, 2)
        said = capsys.readouterr()
        assert len((said.out + said.err).splitlines()) == 1


def test_there_are_enough_kinds():
    assert len(MUTATIONS) + len(GRAPH_CHANGES) >= 20
