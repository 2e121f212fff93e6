"""The batch that --max-batch prints is one that runs: what is planned for it keeps the budget, and takes the time that the table says."""
import json
import re
import subprocess

import pytest

from fixtures import ROOT

SIZES = {"mlp": 1 << 18, "residual": 1 << 18}
ROW = re.compile(r"^memplan-opt: +(\d+) +(\d+) +([-\d.]+) % +([-\d.]+) %.*<- chosen$", re.MULTILINE)
OVERHEAD = re.compile(r"overhead (?:[-\d.]+ % of work and )?([-\d.]+) %")


def opt(tool, *arguments):
    done = subprocess.run([tool("memplan-opt"), *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("swap", ["none", "search", "tflms"])
@pytest.mark.parametrize("name", SIZES)
def test_the_largest_batch_runs_as_said(tool, tmp_path, name, swap):
    model, planned, flags = ROOT / f"examples/small/{name}.mlir", tmp_path / "planned.mlir", [f"--budget={SIZES[name]}", "--effort=100"]
    if swap != "none":
        flags += [f"--swap={swap}", "--bandwidth=12000,12000"]
    said = opt(tool, "--max-batch", *flags, model, "-o", planned)
    batch, _, overhead, allowed = ROW.search(said).groups()
    assert float(overhead) <= float(allowed) + 0.01
    # What is written, and what is planned when that batch is asked for.
    again = opt(tool, f"--batch={batch}", *flags, model, "-o", tmp_path / "again.mlir")
    for made in (said.rpartition("<- chosen")[2], again):
        time = float(OVERHEAD.search(made)[1])
        assert (100 + time) / (100 + float(overhead)) == pytest.approx(1, rel=0.01), made
        used, = re.findall(r"device (\d+) bytes", made)
        assert int(used) <= SIZES[name], made
    for path in (planned, tmp_path / "again.mlir"):
        done = subprocess.run([tool("memplan-run"), path, "--backend=reference", "--measure"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "handed out as planned" in done.stdout, done.stdout


@pytest.mark.parametrize("slowdown", ["forward", "1.5", "per-sample"])
def test_reports_say_the_batch_that_was_chosen(tool, tmp_path, slowdown):
    flags = [f"--budget={SIZES['mlp']}", "--effort=100", f"--slowdown={slowdown}", "--summary=json"]
    said = opt(tool, "--max-batch", *flags, ROOT / "examples/small/mlp.mlir", "-o", tmp_path / "planned.mlir")
    summary = json.loads(said[said.index("{"):])["summary"]
    assert (summary["batch"], summary["slowdown"]) == (int(re.search(r"(\d+).*<- chosen", said)[1]), slowdown)
    assert "batch_search_stopped" not in summary and "batch_is_estimated" not in summary
    # A batch that was only asked for is not said to be the largest.
    given = opt(tool, "--batch=2", "--effort=100", "--summary=json", ROOT / "examples/small/mlp.mlir", "-o", tmp_path / "given.mlir")
    assert "batch" not in json.loads(given[given.index("{"):])["summary"]
