"""benchmarks/house: its table must be of plans that were made, and must not call met what is not."""
import importlib.util
import json
import subprocess
import sys

from fixtures import ROOT

SCRIPT = ROOT / "benchmarks/house/table.py"


def module():
    spec = importlib.util.spec_from_file_location("house_table", SCRIPT)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_a_small_case_of_each_group_has_a_row(tool, build_dir, tmp_path):
    """A group that breaks would be found out in the middle of an hour."""
    tool("memplan-opt"), tool("memplan-solve")
    log = tmp_path / "log.json"
    command = [sys.executable, SCRIPT, "--quick", "--groups", "joint", "both", "alone", "never", "bounds", "gate", "--build", build_dir, "--json", log]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    groups = json.loads(log.read_text())
    assert all(group["rows"] and group["commit"] for group in groups.values())
    assert all(row.get("overhead", 0) >= 0 for name in ("joint", "never") for row in groups[name]["rows"])
    # Of the log alone, the same table.
    again = subprocess.run([sys.executable, str(SCRIPT), "--groups", "--json", str(log)], capture_output=True, text=True)
    rows = [line for line in again.stdout.splitlines() if line.startswith("|")]
    assert rows == [line for line in done.stdout.splitlines() if line.startswith("|")] and len(rows) > 4


def test_what_falls_short_is_missed():
    table = module()
    plans = [{"step": "48x4", "share": .5, "kind": "remat", "overhead": .1}, {"step": "48x4", "share": .5, "kind": "swap", "link": 8, "overhead": .2}]
    for both, word in ((.05, True), (.1, False)):
        rows = {what: is_met for what, _, _, is_met in table.say_joint([*plans, {"step": "48x4", "share": .5, "kind": "both", "link": 8, "overhead": both}])}
        assert rows["both / better of either, transformer 48x4 0.5, 100,000 moves"] is word
    without = {"step": "a", "limit": "--effort=1", "overhead": .1}
    for with_copies, is_met in ((.1, True), (.11, False), (None, False)):
        row = without | {"link": 8, "overhead": with_copies} if with_copies else {"step": "a", "limit": "--effort=1", "link": 8}
        assert [row[-1] for row in table.say_never([without, row])] == [is_met]
    assert [row[-1] for row in table.say_batches([{"batch": 1, "overhead": .3}, {"batch": 2, "overhead": .32}])] == [False]
    assert [row[-1] for row in table.say_bounds([{"step": "a", "case": "a", "overhead": .1, "bound": .096}])] == [True]
