"""benchmarks/dtr on small cases: the scripts run, and their figures are those of the tools."""
import json
import pathlib
import subprocess
import sys

import pytest

from fixtures import ROOT


@pytest.fixture
def bench(tool):
    def run(script, *arguments):
        build = pathlib.Path(tool("memplan-solve")).parents[1]
        done = subprocess.run([sys.executable, ROOT / "benchmarks/dtr" / script, "--build", build, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


def tool_exists(tool, name):
    return pathlib.Path(tool("memplan-solve")).with_name(name).exists()


def test_heuristics_stand_beside_the_plan(bench, tmp_path):
    """A figure would be of another budget, or would differ from the original unnoticed."""
    log = tmp_path / "rows.json"
    text = bench("heuristics.py", "--graphs", "dtr_unet", "--shares", "0.5", "--heuristics", "h_dtr", "lru", "--effort", 100, "--json", log)
    assert "| dtr_unet | 0.5 | 12.60 | 71.54 |" in text
    row, = json.loads(log.read_text())["rows"]
    assert row["original"] == {"h_dtr": 54821925, "lru": 311332486} and row["bound"] <= row["offline"] < row["best"]


def test_pools_take_more_than_offsets(bench, tmp_path):
    """A pool's bytes and those of static offsets would not be of the same sequence."""
    log = tmp_path / "rows.json"
    bench("pool.py", "--graphs", "dtr_unet", "--shares", "0.5", "--effort", 200, "--json", log)
    row, = json.loads(log.read_text())["rows"]
    assert row["live_bytes"] <= row["arena_bytes"] < 0.85 * row["pool_bytes"] and row["planned"] <= row["improved"] <= row["packed"]
    assert row["packed"] == pytest.approx(row["run"])


def test_the_runtimes_pool_takes_more_than_offsets(bench, tool, tmp_path):
    """The run on a device without memory would not be one that evicts, or its trace not be of the program's graph."""
    if not tool_exists(tool, "memplan-opt"):
        pytest.skip("there is no compiler")
    log = tmp_path / "rows.json"
    bench("megengine.py", "--networks", "examples/small/unet.mlir", "--shares", "0.6", "--effort", 300, "--remat", "greedy", "--json", log)
    row, = json.loads(log.read_text())["rows"]
    assert row["live_bytes"] <= row["arena_bytes"] <= row["pool"] and row["evictions"] > 0 and row["live"] < row["pool"]
    assert row["planned"] <= row["improved"] <= row["packed"] and row["planned_bytes"] <= row["packed_bytes"]


def test_batches_grow(bench):
    text = bench("batch.py", "--graphs", "dtr_unet", "--heuristics", "h_dtr", "--limits", "0.34", "--precision", "0.2", "--effort", 100)
    figures = [float(cell) for cell in text.splitlines()[-1].split("|")[3:-1]]
    assert len(figures) == 3 and all(figure >= 1 for figure in figures) and figures[-1] > 1
