"""benchmarks/gate: it must see a plan that got worse, and its table must name cases that exist."""
import json
import pathlib
import subprocess
import sys

import pytest

from fixtures import ROOT

GATE = ROOT / "benchmarks" / "gate" / "gate.py"
TABLE = ROOT / "benchmarks" / "gate" / "cases.json"


@pytest.fixture
def gate(tool):
    def run(table, *arguments):
        return subprocess.run([sys.executable, GATE, "--build", pathlib.Path(tool("memplan-solve")).parents[1], "--table", table, *arguments],
                              capture_output=True, text=True)
    return run


def test_every_case_is_recorded_and_its_graph_is_there():
    """A case without a record could not get worse."""
    cases = json.loads(TABLE.read_text())["cases"]
    assert len(cases) == len({case["name"] for case in cases}) >= 40
    for case in cases:
        assert list((ROOT / "benchmarks/data/graphs").glob(f"{case['graph']}.graph.json*")), case["name"]
        assert case["goal"] in ("time", "bytes") and case["recorded"]["time"] > 0, case["name"]


@pytest.mark.parametrize("goal, figure", [("time", "time"), ("bytes", "device_bytes")])
def test_only_a_worse_plan_fails(gate, tmp_path, goal, figure):
    case = next(case for case in json.loads(TABLE.read_text())["cases"] if case["name"] == "gpt2_4l .65 search") | {"goal": goal}
    table = tmp_path / "cases.json"

    def status(factor):
        recorded = case["recorded"] | {figure: case["recorded"][figure] * factor}
        table.write_text(json.dumps({"cases": [case | {"recorded": recorded}]}))
        return gate(table)

    case["recorded"] = json.loads(write_record(gate, table, case))["cases"][0]["recorded"]
    assert status(1).returncode == 0
    better = status(1.01)
    assert better.returncode == 0 and "| better |" in better.stdout
    worse = status(0.99)
    assert worse.returncode == 1 and "| worse |" in worse.stdout and "gpt2_4l .65 search" in worse.stderr


def write_record(gate, table, case):
    """The table that --record writes for one case, on this machine."""
    table.write_text(json.dumps({"cases": [{key: value for key, value in case.items() if key != "recorded"}]}))
    done = gate(table, "--record", "--check")
    assert done.returncode == 0, done.stderr
    return table.read_text()


def test_a_plan_that_is_lost_fails(gate, tmp_path):
    case = next(case for case in json.loads(TABLE.read_text())["cases"] if case["name"] == "gpt2_4l .65 search") | {"share": 0.01}
    (tmp_path / "cases.json").write_text(json.dumps({"cases": [case]}))
    done = gate(tmp_path / "cases.json")
    assert done.returncode == 1 and "worse than recorded: gpt2_4l" in done.stderr
