"""Types: what a type checker says of programs that use the package."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

planner = pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")
pytest.importorskip("mypy", reason="mypy is not installed (utils/install-torch.sh installs it)")
PACKAGE = pathlib.Path(planner.__file__).parent

# Each line that reveals a type has it behind it, each wrong one the kind of its error.
PROGRAM = '''
import memplan
from memplan import Graph, Plan

graph = memplan.Graph.load("step.graph.json")
reveal_type(graph)  # Graph
plan = memplan.plan(graph, "6GiB", effort=100)
reveal_type(plan)  # Plan
reveal_type(plan.device_bytes)  # int | None
plan.save("step.plan.json")
for action in plan.actions:
    reveal_type(action.node)  # int | None
for point in memplan.curve(graph, 5):
    reveal_type(point)  # Plan
reveal_type(memplan.min_budget(graph).bytes)  # int
cancel = memplan.Cancel()
try:
    memplan.plan(graph, 5, progress=lambda progress: print(progress.seconds), cancel=cancel)
except memplan.BudgetError as error:
    reveal_type(error.least)  # int | None
again: Graph = Graph.from_json("{}")
reveal_type(Plan.load(again, "step.plan.json").report())  # Report
reveal_type(memplan.Program.load("step.mpp"))  # Program
memplan.no_such_name  # attr-defined
memplan.plan(graph, [5])  # arg-type
memplan.Graph.load(5)  # arg-type
plan.cost = 3.0  # misc
'''


def test_a_program_that_uses_the_package_is_checked(tmp_path):
    """An editor would underline what works and be silent on what does not: names that are given on, methods that Python adds."""
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", tmp_path / "cache", tmp_path / "program.py"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
    expected = {number: line.rpartition("#")[2].strip() for number, line in enumerate(PROGRAM.splitlines(), 1) if "#" in line}
    found = {}
    for number, said in re.findall(r"program\.py:(\d+): (.*)", done.stdout):
        shown = re.search(r'Revealed type is "(.*)"|\[([\w-]+)\]$', said)
        assert shown, said
        found[int(number)] = (shown[1] or shown[2]).replace("builtins.", "").rpartition(".")[2]
    assert found == expected, done.stdout + done.stderr
