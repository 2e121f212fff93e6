"""benchmarks/useful: a run in vain, or an order that costs more than --order=search, would stand in its table unnoticed."""
import importlib.util
import json
import subprocess
import sys

from fixtures import ROOT

SCRIPT = ROOT / "benchmarks/useful/compare.py"
_spec = importlib.util.spec_from_file_location("useful", SCRIPT)  # There are other scripts of its name.
useful = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(useful)


def test_a_small_step_has_no_run_in_vain(tool, build_dir, tmp_path):
    tool("memplan-opt")
    log = tmp_path / "log.json"
    command = [sys.executable, SCRIPT, "--build", build_dir, "--only", "small/mlp$", "--shares", "90", "--streams", "1", "--json", log]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    row, = json.loads(log.read_text())["rows"]
    assert set(row["orders"]) == {"source", "auto", "search"} and all("seconds" in made for made in row["orders"].values())
    merged = subprocess.run([sys.executable, str(SCRIPT), "--merge", str(log)], capture_output=True, text=True)
    assert merged.returncode == 0 and useful.text_of(row) in merged.stdout.splitlines()


def test_faults_are_found():
    fair = {"graph": "net", "streams": 1, "share": 75, "orders": {"auto": {"time": 2.0}, "search": {"time": 2.0}}}
    assert not useful.faults_of(fair)
    slower = fair | {"orders": {"auto": {"time": 2.1}, "search": {"time": 2.0}}}
    assert useful.faults_of(slower) == ["net, 75 %, streams 1: auto takes longer than search"]
    lost = fair | {"orders": {"auto": {"status": "no_plan"}, "search": {"time": 2.0}}}
    assert useful.faults_of(lost)
    vain = fair | {"orders": {"auto": {"time": 2.0, "refused": "run 3 in vain"}, "search": {"time": 2.0}}}
    assert useful.faults_of(vain) == ["net, 75 %, auto, streams 1: run 3 in vain"]
