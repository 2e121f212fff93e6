"""benchmarks/models/step_time.py: its tables say of which commit, threads and precision a row is, and divide what belongs together."""
import importlib.util
import json
import shutil
import subprocess
import sys

import pytest

from fixtures import ROOT

SCRIPT = ROOT / "benchmarks/models/step_time.py"
_spec = importlib.util.spec_from_file_location("step_time", SCRIPT)
step_time = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(step_time)

TURNS = {"torch": [2.0, 4.0, 3.0], "free": [1.0, 3.0, 1.5], "budget": [2.0, 3.0, 6.0]}
SHORT = {"torch": [2.0], "torch_short": [1.0], "free": [4.0], "free_short": [1.0]}


def result(name, commit="abc", turns=TURNS, **changes):
    origin = {"commit": commit, "date": "2026-11-26", "processor": "A processor", "processors": 2}
    settings = {"threads": 2, "clock": "wall", "budget": "80%", "precision": None, "layout": "channels-first"}
    return {"name": name, "batch": 4, **settings, "turns": turns, "origin": origin, "products": 6e11, "peak": 2e11} | changes


def test_a_ratio_is_the_median_of_those_of_turns():
    assert step_time.row(result("resnet50")) == "| resnet50 | 4 | 3.000 | 1.500 | 0.50 | 3.000 | 1.00 |  |  | 1.00 | 0.70 |"
    turns = TURNS | {"last": [1.0, 1.0, 3.0]}
    assert step_time.row(result("resnet50", turns=turns)) == "| resnet50 | 4 | 3.000 | 1.500 | 0.50 | 3.000 | 1.00 | 1.000 | 0.50 | 1.00 | 0.70 |"


def test_a_ratio_of_precisions_is_of_one_side():
    assert step_time.row(result("bert", turns=SHORT, precision="bf16")) == "| bert | 4 | 2.000 | 1.000 | 0.50 | 4.000 | 1.000 | 0.25 |"


def test_rows_of_two_commits_say_so():
    lines = step_time.table({name: result(name, commit) for name, commit in (("unet", "bbb"), ("resnet50", "aaa"))}).lines
    assert lines[0] == "Commit aaa; unet: bbb, 2026-11-26, A processor (2 processors)."
    assert lines[2] == "A step in seconds, threads: 2, channels-first."
    assert [line.split(" |")[0] for line in lines if line.startswith("| ")] == ["| network", "| resnet50", "| unet"]


def test_what_is_asked_is_of_another_clock_where_that_is_so():
    lines = step_time.table({"unet": result("unet", threads=1, clock="cpu")}).lines
    assert lines[2] == "A step in processor seconds, threads: 1, channels-first. What is asked is of seconds of two threads."


@pytest.mark.parametrize("flags, refused", [(["--threads=1"], True), (["--layout=channels-last"], True), ([], False)])
def test_rows_of_other_settings_are_not_put_beside_each_other(build_dir, tmp_path, tool, flags, refused):
    tool("memplan-run")
    former = tmp_path / "former.json"
    former.write_text(json.dumps([result(name) for name in step_time.BATCHES]))
    done = subprocess.run([sys.executable, SCRIPT, "--from", former, "--build", build_dir, *flags], capture_output=True, text=True)
    assert (done.returncode != 0) is refused, done.stdout + done.stderr
    assert ("other settings" in done.stderr) is refused and ("| unet |" in done.stdout) is not refused


def test_products_are_counted_and_nothing_else(tool, tmp_path):
    """Of a product and a ReLU, the multiply-adds of the product."""
    program = tmp_path / "step.mlir"
    program.write_text("""
func.func @step(%x: tensor<4x8xf32> {memplan.kind = "input"}, %w: tensor<8x16xf32> {memplan.kind = "parameter"}) -> tensor<4x16xf32> {
  %y = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %z = memplan.relu %y : (tensor<4x16xf32>) -> tensor<4x16xf32>
  return %z : tensor<4x16xf32>
}
""")
    assert step_time.operations_of_products(tool("memplan-opt"), program) == 2 * 4 * 8 * 16


def test_the_peak_is_one_of_a_processor(tmp_path):
    """One multiply-add unit of four lanes does 8 operations a cycle, and no processor does 1,000."""
    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    one = step_time.peak_rate(1, tmp_path)
    assert 4e9 < one < 5e12


def test_the_peak_of_threads_is_that_of_all_together(tmp_path, monkeypatch):
    """Of two threads the table would show what one does."""
    compiler = tmp_path / "cc"
    compiler.write_text(f"#!{sys.executable}\nimport sys, pathlib\nprogram = pathlib.Path(sys.argv[sys.argv.index('-o') + 1])\n"
                        "program.write_text('#!/bin/sh\\necho 3.5e9 0\\n')\nprogram.chmod(0o755)\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    assert [step_time.peak_rate(threads, tmp_path) for threads in (1, 2, 3)] == [3.5e9, 7e9, 10.5e9]


@pytest.mark.torch
def test_a_network_of_the_examples_is_exported(tmp_path):
    """The script would not find the examples, whose folder holds a package that is not built besides."""
    pytest.importorskip("torchvision")
    program = tmp_path / "unet.mlir"
    done = subprocess.run([sys.executable, SCRIPT, "--program", "unet", "f32", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "memplan.conv" in program.read_text()
