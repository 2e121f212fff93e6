"""benchmarks/swap/streams.py: a benchmark that breaks is found out when somebody wants its figures."""
import json
import subprocess
import sys

from fixtures import ROOT


def test_streams_of_a_small_graph(tool, build_dir, tmp_path):
    """Bytes and makespans would be published of plans that are wrong, or beside arenas that are not those of the plan."""
    tool("memplan-solve")
    command = [sys.executable, ROOT / "benchmarks/swap/streams.py", "--networks", ROOT / "test/Planner/Inputs/mx7.graph.json", "--streams", 1, 2,
               "--budgets", "--build", build_dir, "--json", tmp_path / "log.json", "--pictures", tmp_path]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {(row["network"], row["streams"], row["parallelism"]): row for row in json.loads((tmp_path / "log.json").read_text())["rows"]}
    single, fast, small = (rows["mx7", *key] for key in ((1, "memory"), (2, "prefer"), (2, "memory")))
    assert fast["makespan"] < single["makespan"] == single["cost"]
    assert small["arena_bytes"] == single["arena_bytes"] <= fast["arena_bytes"]
    assert small["arena_bytes"] <= small["apart_bytes"] and 0 < small["ratio"] <= 1
    for row in rows.values():
        assert 0 < row["held_bytes"] <= min(row["arena_bytes"], row["apart_bytes"]) and row["least_ratio"] <= row["ratio"]
    assert ("mx7, forward", 2, "balance") in rows
