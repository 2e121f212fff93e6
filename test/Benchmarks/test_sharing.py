"""benchmarks/sharing: its columns must be what they are called, and stand in the order that theory gives them."""
import json
import subprocess
import sys

import pytest

from fixtures import ROOT

SCRIPT = ROOT / "benchmarks/sharing/compare.py"
PROGRAMS = ("mlp", "residual", "gpt2")


@pytest.fixture(scope="module")
def rows(tool, build_dir, tmp_path_factory):
    tool("memplan-solve")
    path = tmp_path_factory.mktemp("sharing") / "rows.json"
    programs = [ROOT / "examples/small" / f"{name}.mlir" for name in PROGRAMS]
    done = subprocess.run([sys.executable, SCRIPT, *programs, "--build", build_dir, "--json", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return {(row["step"], row["pass"]): row for row in json.loads(path.read_text())}


def values_of(graph):
    """The bytes of each value that the step makes; views have none of their own."""
    made = {tensor for node in graph["nodes"] for tensor in node["outputs"]}
    return {t["id"]: t["bytes"] for t in graph["tensors"] if t["id"] in made and t.get("view_of") is None}


def live_peak(graph):
    """The most bytes of own values at one node, each there from its producer to its last user, nothing in place."""
    view_of = {t["id"]: t.get("view_of") for t in graph["tensors"]}

    def base(tensor):
        return tensor if view_of[tensor] is None else base(view_of[tensor])

    begin, end = {}, {}
    for number, node in enumerate(graph["nodes"]):
        for tensor in map(base, node["inputs"] + node["outputs"] + node.get("writes", [])):
            begin.setdefault(tensor, number)
            end[tensor] = number
    end.update({base(t["id"]): len(graph["nodes"]) for t in graph["tensors"] if t.get("kind") == "output"})
    bytes_of = values_of(graph)
    return max(sum(size for tensor, size in bytes_of.items() if begin[tensor] <= number <= end[tensor])
               for number in range(len(graph["nodes"])))


@pytest.mark.parametrize("kind", ["training", "forward"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_columns_stand_in_order(rows, name, kind):
    """A column of another plan than its name says would break one of these."""
    row = rows[name, kind]
    assert row["each"] > row["in place"] >= row["both"] >= row["arena"] >= row["live"] > 0
    assert row["each"] > row["counter"] >= row["offsets"] >= row["arena"]


@pytest.mark.parametrize("kind", ["training", "forward"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_sums_are_those_of_the_graph(rows, tool, tmp_path, name, kind):
    """The baseline that everything is compared with would otherwise be larger, or leave values out; and the packing of values
    that nothing overwrites cannot be lower than what is live."""
    path = tmp_path / "step.graph.json"
    passes = ["--memplan-autodiff"] if kind == "training" else []
    subprocess.run([tool("memplan-opt"), ROOT / f"examples/small/{name}.mlir", *passes, f"--memplan-emit-graph=output={path}",
                    "-o", tmp_path / "unused.mlir"], check=True)
    graph = json.loads(path.read_text())
    row = rows[name, kind]
    assert any(node.get("backward") for node in graph["nodes"]) == (kind == "training")
    assert row["each"] == sum(values_of(graph).values()) and row["values"] == len(values_of(graph))
    assert row["offsets"] >= live_peak(graph)
    assert row["nodes"] == len(graph["nodes"])


def test_donated_inputs_are_refused(tool, build_dir):
    """What lies in a donated input has no storage: its bytes would silently be missing."""
    tool("memplan-opt")
    program = ROOT / "test/Transforms/share/donated.mlir"
    done = subprocess.run([sys.executable, SCRIPT, program, "--build", build_dir], capture_output=True, text=True)
    assert done.returncode == 1 and "donated: donated inputs and workspaces are not compared" in done.stderr


def test_recomputed_steps_say_what_packing_costs(tool, build_dir, tmp_path):
    """The share of a budget that is lost to packing would be another one than the plan's own, or a plan be counted that is none."""
    tool("memplan-solve")
    script = ROOT / "benchmarks/sharing/recomputed_steps.py"
    graph = ROOT / "benchmarks/data/graphs/chain16.graph.json"
    done = subprocess.run([sys.executable, script, graph, "--shares", "60", "1", "--build", build_dir, "--json", tmp_path / "rows.json"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    planned, unplanned = json.loads((tmp_path / "rows.json").read_text())["rows"]
    assert planned["share"] == 60 and planned["status"] in ("optimal", "feasible")
    assert planned["arena_bytes"] >= planned["live_bytes"] > 0 and planned["overhead"] > 0
    assert planned["ratio"] == planned["arena_bytes"] / planned["live_bytes"]
    assert unplanned["status"] == "infeasible" and "ratio" not in unplanned
    assert "of 1 plans" in done.stdout


def test_sharing_on_streams(tool, build_dir, tmp_path):
    """Bytes and makespans of the page would be of other plans: without a hand-over nothing waits for bytes, and what counters share takes no
    more than a storage for each value."""
    tool("memplan-opt")
    done = subprocess.run([sys.executable, SCRIPT.with_name("streams.py"), "--networks", ROOT / "test/Planner/Inputs/mx7.mlir", "--streams", "2", "--build", build_dir,
                           "--json", tmp_path / "rows.json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {row["sharing"]: row for row in json.loads((tmp_path / "rows.json").read_text())["rows"]}
    assert rows["counter"]["storage_bytes"] <= rows["color"]["storage_bytes"] <= rows["none"]["storage_bytes"]
    assert rows["none"]["makespan"] <= min(rows["counter"]["makespan"], rows["color"]["makespan"])
    assert rows["none"]["waits"] <= min(rows["counter"]["waits"], rows["color"]["waits"])
