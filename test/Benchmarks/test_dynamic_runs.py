"""benchmarks/dynamic: its tables in docs/Dynamic.md are what is typed today, and the figure beside them has its rows."""
import json
import math
import pathlib
import re
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
    *_, titles, _, row_typed = typed
    assert titles.startswith("| example") and titles in page, typed
    assert row_typed in page, f"docs/Dynamic.md lacks the row that benchmarks/dynamic/runs.py prints: {row_typed}"
    assert json.loads(log.read_text())[table][0]["example"] == row


def test_swapping_and_recomputing_are_timed_by_kind(tool, tmp_path):
    """Times would be of all values, or of none: relu moves its bytes on the device, which is faster than over any bus
    where launches cost little beside them."""
    log = tmp_path / "log.json"
    run(tool, "swap_or_recompute.py", "--networks", ROOT / "examples/small/resnet.mlir", "--batch", 4096, "--json", log)
    rows = json.loads(log.read_text())["resnet"]
    assert rows["relu"]["again_is_faster"] == rows["relu"]["values"] > 0
    assert all(row["copy_us"] == pytest.approx(row["bytes"] / 16e3) for row in rows.values())


def test_steps_along_other_paths_give_the_same_losses(build_dir):
    """A value of a path that was taken once would be one of another path, or of none, once it was evicted."""
    if not (build_dir / "lib/libmemplan-runtime.so").exists():
        pytest.skip("memplan-runtime is not built")
    done = subprocess.run([sys.executable, SCRIPTS / "spos.py", "--check", "--build", build_dir], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("the same losses in 4 steps") == 2, done.stdout


def test_generated_residual_networks_train(tool, tmp_path):
    """ResNet-1202 would be no such network, or be refused, where figures of it are asked for."""
    program = tmp_path / "resnet20.mlir"
    script = ROOT / "benchmarks/generate/resnet_cifar.py"
    subprocess.run([sys.executable, script, "20", "--batch", "2", "-o", program], check=True)
    # Chapter 4.2 of the paper: 0.27 million parameters; convolutions of the shortcuts come on top.
    text = program.read_text()
    shapes = re.findall(r"tensor<([\dx]+)xf32> \{memplan.init", text)
    assert 270_000 < sum(math.prod(map(int, shape.split("x"))) for shape in shapes) < 276_000
    assert text.count("memplan.conv2d") == 19 + 2
    done = subprocess.run([tool("memplan-run"), program, "--dynamic=dtr", "--budget=80%", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "were the same in the unplanned run, bit for bit" in done.stdout
    done = subprocess.run([sys.executable, script, "21"], capture_output=True, text=True)
    assert done.returncode == 2 and "has 8, 14, 20 ... layers, not 21" in done.stderr


def test_larger_batches_of_a_small_network(tool, tmp_path):
    """The first batch would be one that evicts, or a larger one than fits be counted as a run."""
    log = tmp_path / "log.json"
    run(tool, "larger_batches.py", "--networks", "resnet20", "--memory", 50e6, "--times", 1, 2, 40, "--json", log)
    once, twice, many = json.loads(log.read_text())["rows"]
    assert once["evictions"] == 0 and 45e6 < once["live_bytes"] <= 50e6
    assert twice["batch"] == 2 * once["batch"] and twice["evictions"] > 0 and twice["time_percent"] > 0 and twice["live_bytes"] <= 50e6
    assert many["ops"] is None
