"""Progress of long work: on a terminal only, not with --quiet; and Ctrl-C keeps the best and says so.

Each tool that works long runs on a pseudo-terminal, which is what it sees when a person types the command.
"""
import json
import re
import subprocess
import sys

import pytest

from fixtures import ROOT, hard_buffers, long_graph
from typed import Typed, shown

sys.path[:0] = [str(ROOT / "utils")]
ENDLESS = "--effort=1000000000000"


def test_the_screen_of_these_tests():
    """What a test takes for the screen would be another."""
    assert shown("a\r\x1b[Kbcd\rX\n\r\x1b[Kend\r\x1b[K") == "Xcd\n"


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    """A step on which no search ends by itself."""
    file = tmp_path_factory.mktemp("graph") / "long.graph.json"
    file.write_text(json.dumps(long_graph(160)))
    return file


def checked(graph, plan):
    import check_plan
    check_plan.check(json.loads(graph.read_text()), json.loads(plan.read_text()))


def test_planning_shows_the_best_so_far_and_ctrl_c_keeps_it(tool, graph, tmp_path):
    """Somebody who waits would not know for what; and would lose what there is."""
    typed = Typed(tool("memplan-solve"), "remat", graph, "--budget=75%", "--remat=search", ENDLESS, "-o", tmp_path / "p.json")
    typed.read(r"planning: search: best [\d.e+]+, bound [\d.e+]+, gap [\d.]+ %, [\d.]+ s")
    typed.stop()
    screen, status = typed.end()
    assert status == 0 and "note: stopped by SIGINT; this is the best so far" in screen and "planning:" not in screen
    checked(graph, tmp_path / "p.json")


def test_a_time_limit_says_what_is_left(tool, graph, tmp_path):
    """Nobody would know how long it still takes."""
    typed = Typed(tool("memplan-solve"), "remat", graph, "--budget=75%", "--remat=search", ENDLESS, "--time-limit=3", "-o", tmp_path / "p.json")
    screen, status = typed.end()
    left = [float(number) for number in re.findall(r"planning: [^\r]*, ([\d.]+) s left", typed.said)]
    assert status == 0 and left == sorted(left, reverse=True) and left[0] < 3 and len(left) > 3 and "left" not in screen


@pytest.mark.parametrize("options", [["--quiet"], []], ids=["quiet", "no terminal"])
def test_it_is_quiet_where_nobody_looks(tool, graph, tmp_path, options):
    """A log would be full of lines that overwrite each other."""
    command = [tool("memplan-solve"), "remat", graph, "--budget=75%", "--remat=search", ENDLESS, "--time-limit=1.5", "-o", tmp_path / "p.json", *options]
    if options:
        screen, status = Typed(*command).end()
    else:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
        screen, status = done.stderr, done.returncode
        assert "feasible" in screen
    assert status == 0 and "\r" not in screen and "planning:" not in screen and ("--quiet" not in options or screen == "")


def test_a_curve_counts_its_parts(tool, graph, tmp_path):
    """A curve of many budgets would look like one that hangs."""
    typed = Typed(tool("memplan-solve"), "remat", graph, "--pareto=6", "--remat=search", "--effort=5000", "-o", tmp_path / "c.json")
    typed.read(r"curve [1-9]\d* of 12 \([1-9]\d* %\): search: best")
    typed.stop()
    screen, status = typed.end()
    assert status == 0 and "stopped by SIGINT; this is the best so far" in screen and len(json.loads((tmp_path / "c.json").read_text())["points"]) > 0


def test_memplan_opt(tool, tmp_path):
    """As above, for programs."""
    typed = Typed(tool("memplan-opt"), ROOT / "examples/vgg16.mlir", "--remat=search", "--budget=70%", ENDLESS, "--emit=plan", "-o", tmp_path / "p.json")
    typed.read(r"planning: search: best [\d.e+]+")
    typed.stop()
    screen, status = typed.end()
    assert status == 0 and "memplan-opt: stopped by SIGINT; this is the best so far" in screen and "planning:" not in screen
    assert re.search(r"^memplan-opt: @train_step: peak ", screen, re.MULTILINE)
    assert json.loads((tmp_path / "p.json").read_text())["steps"]


def test_a_curve_of_a_program(tool, tmp_path):
    """A curve of many budgets would look like one that hangs, and Ctrl-C would lose the plans there are."""
    command = [tool("memplan-opt"), ROOT / "examples/vgg16.mlir", "--pareto=6", "--remat=search", f"--pareto-plans={tmp_path / 'plans'}", "-o", tmp_path / "c.json"]
    typed = Typed(*command, "--effort=20000")
    typed.read(r"curve [1-9]\d* of 12 \([1-9]\d* %\): search: best [\d.e+]+")
    typed.stop()
    screen, status = typed.end()
    assert status == 0 and "memplan-opt: stopped by SIGINT; this is the best so far" in screen and not re.search(r"^curve \d", screen, re.MULTILINE)
    points = json.loads((tmp_path / "c.json").read_text())["points"]
    assert points and len(list((tmp_path / "plans").iterdir())) == len(points)
    screen, status = Typed(*command, "--effort=50", "--quiet").end()
    assert (screen, status) == ("", 0) and json.loads((tmp_path / "c.json").read_text())["points"]


def test_the_largest_batch(tool, tmp_path):
    """Which batch is being tried, and what Ctrl-C leaves, would not be said."""
    typed = Typed(tool("memplan-opt"), ROOT / "examples/small/resnet.mlir", "--max-batch", "--budget=64M", "--remat=search", "--effort=400000", "--emit=plan", "-o", tmp_path / "p.json")
    typed.read(r"batch \d+[:,]")
    typed.stop()
    screen, status = typed.end()
    assert status == 0 and "stopped by SIGINT; this is the largest batch known to fit" in screen
    assert re.search(r"^memplan-opt: +\d+ .*<- chosen$", screen, re.MULTILINE) and not re.search(r"^batch", screen, re.MULTILINE)


def test_packing(tool, tmp_path):
    """A packing that takes minutes would be silent."""
    (tmp_path / "in.csv").write_text(hard_buffers())
    typed = Typed(tool("memplan-solve"), "arena", tmp_path / "in.csv", "--alignment=1", "--effort=9223372036854775807", "-o", tmp_path / "out.csv")
    typed.read(r"packing: \S+: best \d+")
    typed.stop()
    screen, status = typed.end()
    assert status == 0 and "stopped by SIGINT; this is the best so far" in screen and (tmp_path / "out.csv").exists()


def test_steps_are_counted_and_tell_the_time_left(tool):
    """A run of many steps would not say when it ends."""
    command = [tool("memplan-run"), ROOT / "examples/small/mlp.mlir", "--budget=100%", "--steps=100000000", "--backend=reference"]
    typed = Typed(*command)
    typed.read(r"step \d+ of 100000000 \(\d+ %\), [\d.]+ s, [\d.]+ (?:s|min) left")
    typed.stop()
    screen, status = typed.end()
    assert status == 130 and re.search(r"stopped by SIGINT after \d+ of 100000000 steps", screen)


def test_losses_and_progress_share_a_terminal(tool):
    """A loss would be printed into the line of progress."""
    typed = Typed(tool("memplan-run"), ROOT / "examples/small/resnet.mlir", "--budget=100%", "--steps=4000", "--backend=reference", output=None)
    typed.read(r"step \d+ of 4000")
    typed.read(r"step \d+ of 4000 \(\d+ %\), [\d.]+ s, [\d.]+ s left")
    typed.stop()
    screen, status = typed.end()
    lines = [line for line in screen.split("\n") if line.startswith("step ")]
    assert status == 130 and len(lines) > 1 and all(re.fullmatch(r"step \d+: loss = \S+", line) for line in lines)
    assert [int(line.split(":")[0].split()[1]) for line in lines] == list(range(len(lines)))


def test_planning_of_a_run(tool):
    """Whoever stops the planning of a run would not know that the run goes on."""
    typed = Typed(tool("memplan-run"), ROOT / "examples/small/unet.mlir", "--remat=milp", ENDLESS, "--budget=500K", "--steps=2", "--backend=reference")
    typed.read(r"planning: \w+: (no plan yet|best [\d.e+]+), bound [\d.e+]+")
    typed.stop()
    screen, status = typed.end()
    assert status == 0 and "memplan-run: planning was stopped by SIGINT; this is the best plan so far" in screen


def test_a_profile_says_what_it_waits_for(tool, tmp_path):
    """The repeats of a profile would look like a hang."""
    typed = Typed(tool("memplan-run"), ROOT / "examples/small/vgg.mlir", "--budget=100%", "--batch=256", "--backend=reference", "--remat=checkpoint-all", f"--profile={tmp_path / 'p.json'}")
    typed.read(r"timing until medians are stable: run \d+, [\d.]+ s")
    typed.stop()
    screen, status = typed.end()
    assert status == 130 and json.loads((tmp_path / "p.json").read_text())


@pytest.mark.parametrize("command, kept", [(["plan", "--budget=75%"], "plan"), (["min-budget"], "plan"), (["curve", "--points=6"], "curve")], ids=lambda value: value[0])
def test_the_command_of_the_package(build_dir, graph, tmp_path, command, kept):
    """As above, for the console script."""
    pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")
    typed = Typed("env", f"PYTHONPATH={build_dir / 'python'}", sys.executable, "-m", "memplan", command[0], graph, *command[1:], "--remat=search", "--effort=1000000000", "-o", tmp_path / "made.json")
    typed.read(rf"{'curve' if kept == 'curve' else 'planning'}: \w+: best [\d.e+]+, (bound [\d.e+]+, )?\d+ s")
    typed.stop()
    screen, status = typed.end()
    assert status in (0, 3) and f"stopped by Ctrl-C; this is the best {kept} so far" in screen
    assert json.loads((tmp_path / "made.json").read_text())["version"] == 1
