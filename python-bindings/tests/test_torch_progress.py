"""Progress of exports and of training steps from Python: on a terminal only, not where it is told to be quiet; Ctrl-C keeps what was done and says so."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from typed import Typed

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._compiler", reason="the compiler is not in this build")
import memplan  # noqa: E402

# What a line of progress begins with; PyTorch may say something of its own beside it.
ERASED = "\x1b[K"
SCRIPT = """
import sys, torch, memplan.torch
torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-4)
batches = [(torch.randn(64, 256), torch.randint(10, (64,))) for _ in range(8)]
data = batches * int(sys.argv[1])
try:
    memplan.torch.run(net, None, data, loss=torch.nn.functional.cross_entropy, optimizer=optimizer, quiet=len(sys.argv) > 2)
except KeyboardInterrupt as stopped:
    print(stopped, file=sys.stderr)
    taken = len(stopped.runner.losses)
    after = [p.clone() for p in net.parameters()]
    # What there is was made by whole steps: as many of them, unbroken, give the same bits.
    torch.manual_seed(1)
    again = torch.nn.Sequential(torch.nn.Linear(256, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    runner = memplan.torch.run(again, None, data, loss=torch.nn.functional.cross_entropy, optimizer=torch.optim.Adam(again.parameters(), lr=1e-4), steps=taken, quiet=True)
    assert all(torch.equal(a, b) for a, b in zip(after, again.parameters())) and runner.losses == stopped.runner.losses
    assert {int(state["step"]) for state in optimizer.state.values()} == {taken}
    stopped.runner.train(data, steps=2)
    print("kept", taken, len(stopped.runner.losses), file=sys.stderr)
"""


@pytest.fixture
def surroundings(monkeypatch):
    """Commands find the package that is tested."""
    folder = str(pathlib.Path(memplan.__file__).parents[1])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")])))


def test_training_steps(surroundings, tmp_path):
    """Somebody who trains would not know when it ends, and Ctrl-C would leave half a step in the parameters."""
    (tmp_path / "train.py").write_text(SCRIPT)
    typed = Typed(sys.executable, tmp_path / "train.py", 1000000)
    typed.read(r"step \d+ of 8000000 \(\d+ %\): loss [\d.]+, \d+ s, \d+ (?:s|min) left")
    typed.stop()
    screen, status = typed.end()
    taken = re.search(r"stopped by Ctrl-C after ([1-9]\d*) of 8000000 steps; module and optimizer hold what these learned", screen)
    assert status == 0 and taken, screen
    assert f"kept {taken[1]} {int(taken[1]) + 2}" in screen and not re.search(r"^step \d", screen, re.MULTILINE)


def test_training_steps_are_quiet_where_nobody_looks(surroundings, tmp_path):
    """A log would be full of lines that overwrite each other."""
    (tmp_path / "train.py").write_text(SCRIPT)
    typed = Typed(sys.executable, tmp_path / "train.py", 300, "quiet")
    screen, status = typed.end()
    assert status == 0 and "step " not in screen and ERASED not in typed.said
    done = subprocess.run([sys.executable, tmp_path / "train.py", "300"], capture_output=True, text=True, check=True)
    assert done.stdout == "" and "step " not in done.stderr and ERASED not in done.stderr


def test_exports(surroundings, tmp_path):
    """An export of minutes would look like a hang, and Ctrl-C would not say what is there."""
    command = [sys.executable, pathlib.Path(__file__).parents[1] / "export_examples.py", "--output", tmp_path, "small/mlp", "gpt2", "resnet50", *["densenet121"] * 20]
    typed = Typed(*command, output=None)
    typed.read(r"export [1-9] of 23 \([1-9]\d* %\): \w+: (tracing the step|operator \d+ of \d+), \d+ s")
    typed.stop()
    screen, status = typed.end()
    said = re.search(r"stopped by Ctrl-C; (\d+) of 23 programs are written", screen)
    written = [path for path in tmp_path.rglob("*.mlir")]
    assert status == 130 and said and 0 < min(int(said[1]), 4) == len(written) and all(path.read_text().endswith("}\n") for path in written), screen
    # The names of all that was written stand on lines of their own.
    assert {str(path) for path in written} <= {line.strip() for line in screen.split("\n")} and not re.search(r"^export \d", screen, re.MULTILINE), screen


def test_exports_are_quiet_where_nobody_looks(surroundings, tmp_path):
    """As above, for a log."""
    command = [sys.executable, pathlib.Path(__file__).parents[1] / "export_examples.py", "--output", tmp_path, "small/gpt2"]
    typed = Typed(*command, "--quiet", output=None)
    screen, status = typed.end()
    assert status == 0 and str(tmp_path) not in screen and ERASED not in typed.said and (tmp_path / "small/gpt2.mlir").exists()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"{tmp_path / 'small/gpt2.mlir'}\n" and ERASED not in done.stderr


def test_what_an_export_says(tmp_path):
    """Whoever shows the progress of an export would get nothing of it."""
    from memplan.export import export_joint_step, export_training_step

    net, said = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()), []
    data = {"x": torch.zeros(3, 4)}, {"y": torch.zeros(3, 4)}
    for export in (export_training_step, export_joint_step):
        said.clear()
        export(net, *data, torch.nn.functional.mse_loss, progress=said.append)
        last = re.fullmatch(r"operator (\d+) of (\d+)", said[-1])
        assert said[0].startswith("tracing the step") and last[1] == last[2] and len(said) == 1 + int(last[2])


COMPILED = """
import sys, torch, memplan.torch
net = torch.nn.Sequential(*(torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.Tanh(), torch.nn.Linear(256, 64)) for _ in range(40)))
step = memplan.torch.compile(net, 11_500_000, loss=torch.nn.functional.mse_loss, measure=False, effort=int(sys.argv[1]), quiet=len(sys.argv) > 2)
step(torch.randn(128, 64), torch.randn(128, 64)).backward()
print("done", file=sys.stderr)
"""


def test_the_first_call_of_a_compiled_step(surroundings, tmp_path):
    """The first call would look like a hang; or a terminal that shows a user's own progress would be written over although it was told not to be."""
    (tmp_path / "train.py").write_text(COMPILED)
    typed = Typed(sys.executable, tmp_path / "train.py", 50_000_000)
    typed.read(r"memplan: (planning [1-9]\d+ operators|\w+: (best|no plan)[^\r]*), \d+ s\r")
    typed.stop()
    screen, status = typed.end()
    assert status != 0 and "KeyboardInterrupt" in screen and not re.search(r"^memplan: ", screen, re.MULTILINE), screen
    typed = Typed(sys.executable, tmp_path / "train.py", 20_000, "quiet")
    screen, status = typed.end()
    assert status == 0 and "done" in screen and "memplan: " not in typed.said


def test_a_step_says_nothing_of_the_profiler_that_watches_it(surroundings, tmp_path):
    """A first step without a GPU would end with an error of the profiler's library, which is none."""
    (tmp_path / "train.py").write_text(COMPILED.replace('print("done"', 'print(step.report.verdict'))
    environment = {name: value for name, value in os.environ.items() if name != "KINETO_LOG_LEVEL"}
    done = subprocess.run([sys.executable, tmp_path / "train.py", "1000", "quiet"], capture_output=True, text=True, check=True, env=environment)
    assert done.stderr.strip().endswith(("kept", "missed")) and not re.search("USDT|ERROR|STAGE", done.stderr), done.stderr
