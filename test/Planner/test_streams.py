"""Plans of several streams, with copies, host stays and time: what is right is accepted with its time and peak, and what
is wrong is refused for the reason that the case is about, by memplan's verifier and by the checker that shares no code
with it.

Else a plan would run that reads bytes which another stream still writes.
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

FILE = json.loads((ROOT / "test" / "Planner" / "Inputs" / "streams.cases.json").read_text())
CASES = {case["id"]: case for case in FILE["cases"]}


def graph_of(case):
    """The case's graph, with what it changes; null takes a key away."""
    graph = {**copy.deepcopy(FILE["graphs"][case["graph"]]), **case.get("graph_with", {})}
    return {key: value for key, value in graph.items() if value is not None}


def plan_of(case):
    return {"version": 1, "graph": case["graph"], "status": "feasible", "solver": "hand", **case["plan"]}


def write(tmp_path, graph, plan):
    paths = [tmp_path / "g.json", tmp_path / "p.json"]
    for path, record in zip(paths, (graph, plan)):
        path.write_text(json.dumps(record))
    return [str(path) for path in paths]


INPUTS = ROOT / "test" / "Planner" / "Inputs"


def test_the_published_race_is_found(tool):
    """MX-7 with the rule switched off that makes colors safe, on two streams, and with the wait that is missing."""
    graph = INPUTS / "mx7.graph.json"
    race, safe = (INPUTS / f"mx7-{name}.plan.json" for name in ("race", "safe"))
    check = [tool("memplan-solve"), "check", graph]
    done = subprocess.run([*check, race], capture_output=True, text=True)
    assert done.returncode == 1
    assert "plan_c15: tensor 5 and tensor 1 share bytes at step 7, but stream 1, which uses the second, is not waited for" in done.stdout
    with pytest.raises(check_plan.Violation, match="tensor 5 and tensor 1 share bytes at step 7; queue 1 may still use them"):
        check_plan.check(json.loads(graph.read_text()), json.loads(race.read_text()))
    assert subprocess.run([*check, safe], capture_output=True).returncode == 0
    check_plan.check(json.loads(graph.read_text()), json.loads(safe.read_text()))


def figures(line):
    return {key: float(value) for key, _, value in (word.partition("=") for word in line.split()[1:]) if value and key != "status"}


def test_every_case_is_there():
    assert list(CASES) == [f"ST-{n}" for n in range(1, 90)]
    assert sum("accepted" in case for case in CASES.values()) == 34


@pytest.mark.parametrize("name", CASES)
def test_memplan_solve_check(tool, tmp_path, name):
    case = CASES[name]
    command = [tool("memplan-solve"), "check", *write(tmp_path, graph_of(case), plan_of(case)), *case.get("options", [])]
    done = subprocess.run(command, capture_output=True, text=True)
    if "refused" in case:
        assert done.returncode in (1, 2)
        assert case["refused"]["memplan"] in done.stdout + done.stderr
    else:
        assert done.returncode == 0, done.stdout + done.stderr
        found = figures(done.stdout)
        assert {key: found[key] for key in case["accepted"]} == case["accepted"]


@pytest.mark.parametrize("name", CASES)
def test_the_independent_checker(capsys, monkeypatch, tmp_path, name):
    case = CASES[name]
    monkeypatch.setattr("sys.argv", ["check_plan.py", *write(tmp_path, graph_of(case), plan_of(case)), *case.get("options", [])])
    status, line = check_plan.main(), capsys.readouterr().out
    if "refused" in case:
        assert status == 1 and case["refused"]["check_plan"] in line
    else:
        assert status == 0, line
        found = figures(line)
        assert {key: found[key] for key in case["accepted"]} == case["accepted"]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "accepted" in case])
def test_time_and_peak_of_right_plans_are_checked(tool, tmp_path, name):
    case = CASES[name]
    for key in ("time", "peak_bytes", "cost"):
        plan = plan_of(case)
        plan[key] += 1
        paths = write(tmp_path, graph_of(case), plan)
        done = subprocess.run([tool("memplan-solve"), "check", *paths, *case.get("options", [])], capture_output=True, text=True)
        assert done.returncode == 1 and "plan says" in done.stdout
        with pytest.raises(check_plan.Violation, match=f"the plan says {key}"):
            check_plan.check(graph_of(case), plan)


@pytest.mark.parametrize("value", ["1", "1,2,3,4", "0,1", "1,-1", "nan,1", "inf,1", "1,1,-2", "1,1,x", "1e999,1"])
def test_bandwidth_must_make_sense(tool, tmp_path, value):
    paths = write(tmp_path, graph_of(CASES["ST-1"]), plan_of(CASES["ST-1"]))
    done = subprocess.run([tool("memplan-solve"), "check", *paths, f"--bandwidth={value}"], capture_output=True, text=True)
    assert done.returncode == 2 and "--bandwidth" in done.stderr and "H2D,D2H[,LATENCY]" in done.stderr
    with pytest.raises(check_plan.argparse.ArgumentTypeError, match="H2D,D2H"):
        check_plan.parse_bandwidth(value)
