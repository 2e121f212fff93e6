"""benchmarks/models/step_time.py: its tables say of which commit, threads and precision a row is, and divide what belongs together."""
import importlib.util
import json
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
    return {"name": name, "batch": 4, **settings, "turns": turns, "origin": origin} | changes


def test_a_ratio_is_the_median_of_those_of_turns():
    assert step_time.row(result("resnet50")) == "| resnet50 | 4 | 3.000 | 1.500 | 0.50 | 3.000 | 1.00 | 0.70 |"


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
