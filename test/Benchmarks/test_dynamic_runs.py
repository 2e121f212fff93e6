"""benchmarks/dynamic: its tables in docs/Dynamic.md are what is typed today, and the figure beside them has its rows."""
import json
import pathlib
import subprocess
import sys

import pytest

from fixtures import ROOT

SCRIPTS = ROOT / "benchmarks/dynamic"


def run(tool, script, *arguments):
    for name in ("memplan-opt", "memplan-run"):
        if not pathlib.Path(tool("memplan-solve")).with_name(name).exists():
            pytest.skip(f"{name} is not built")
    build = pathlib.Path(tool("memplan-solve")).parents[1]
    done = subprocess.run([sys.executable, SCRIPTS / script, "--build", build, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("table, row", [("traces", "gpt2"), ("pools", "unet")])
def test_a_row_of_the_page_is_what_is_typed(tool, tmp_path, table, row):
    """The page would show what an earlier version did."""
    log = tmp_path / "log.json"
    typed = run(tool, "runs.py", "--tables", table, "--rows", row, "--json", log).splitlines()
    page = (ROOT / "docs/Dynamic.md").read_text().splitlines()
    assert len(typed) == 4 and typed[1] in page, typed
    assert typed[3] in page, f"docs/Dynamic.md lacks the row that benchmarks/dynamic/runs.py prints: {typed[3]}"
    assert json.loads(log.read_text())[table][0]["example"] == row


def test_swapping_and_recomputing_are_timed_by_kind(tool, tmp_path):
    """Times would be of all values, or of none: relu moves its bytes on the device, which is faster than over any bus
    where launches cost little beside them."""
    log = tmp_path / "log.json"
    run(tool, "swap_or_recompute.py", "--networks", ROOT / "examples/small/resnet.mlir", "--batch", 4096, "--json", log)
    rows = json.loads(log.read_text())["resnet"]
    assert rows["relu"]["again_is_faster"] == rows["relu"]["values"] > 0
    assert all(row["copy_us"] == pytest.approx(row["bytes"] / 16e3) for row in rows.values())
