"""Every file that a tool or a pass writes changes all at once: failures leave the old one, and nothing beside it."""
import os
import random
import signal
import subprocess
import time

import pytest

from fixtures import ROOT

MLP = ROOT / "examples" / "small" / "mlp.mlir"
CHAIN = ROOT / "test" / "Transforms" / "Inputs" / "chain.mlir"
GRAPH = ROOT / "test" / "Planner" / "Inputs" / "chain8.graph.json"
BUFFERS = ROOT / "test" / "Planner" / "Inputs" / "buffers.csv"

# What writes a file, with {} where its name belongs.
OUTPUTS = {
    "opt-ir": ["memplan-opt", CHAIN, "--remat=greedy", "-o", "{}"],
    "opt-passes": ["memplan-opt", CHAIN, "--canonicalize", "-o", "{}"],
    "opt-plan": ["memplan-opt", CHAIN, "--emit=plan", "-o", "{}"],
    "opt-graph": ["memplan-opt", CHAIN, "--emit=graph", "-o", "{}"],
    "pass-plan": ["memplan-opt", CHAIN, "--memplan-plan=emit-plan={}"],
    "pass-graph": ["memplan-opt", CHAIN, "--memplan-emit-graph=output={}"],
    "solve-remat": ["memplan-solve", "remat", GRAPH, "-o", "{}"],
    "solve-stats": ["memplan-solve", "remat", GRAPH, "-o", os.devnull, "--stats={}"],
    "solve-arena": ["memplan-solve", "arena", BUFFERS, "-o", "{}"],
    "run-ir": ["memplan-run", MLP, "--emit-ir={}"],
    "run-plan": ["memplan-run", MLP, "--emit-plan={}"],
    "run-program": ["memplan-run", MLP, "--emit-program={}"],
    "run-unplanned": ["memplan-run", MLP, "--emit-unplanned={}"],
    "run-library": ["memplan-run", MLP, "--emit-library={}"],
    "run-params": ["memplan-run", MLP, "--save-params={}"],
    "run-profile": ["memplan-run", MLP, "--profile={}"],
}


@pytest.fixture
def call(tool):
    def run(command, file):
        name, *arguments = [str(part).format(file) for part in command]
        return subprocess.run([tool(name), *arguments], capture_output=True)

    return run


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_is_replaced_whole_and_keeps_its_permissions(call, tmp_path, name):
    new, old = tmp_path / "new", tmp_path / "old"
    done = call(OUTPUTS[name], new)
    assert done.returncode == 0, done.stderr.decode()
    assert new.read_bytes()
    # Longer than what comes, so that a file written over would keep its end.
    # A profile is added to, so that what is there has to be one.
    old.write_bytes(new.read_bytes() + b" " * 1000 if name == "run-profile" else b"x" * (new.stat().st_size + 1000))
    old.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to("old")
    assert call(OUTPUTS[name], link).returncode == 0
    assert link.is_symlink() and old.stat().st_mode & 0o777 == 0o640
    if name not in ("solve-stats", "run-profile", "run-library"):  # these hold times, or names of temporary files
        assert old.read_bytes() == new.read_bytes()
    assert old.read_bytes()[-1000:].strip(b"x ") and b"xxx" not in old.read_bytes()[-1000:]
    assert sorted(os.listdir(tmp_path)) == ["link", "new", "old"]


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_that_cannot_be_written_is_refused_before_the_work(call, tmp_path, name):
    (tmp_path / "file").write_text("old")
    for bad in (tmp_path, tmp_path / "none" / "x", tmp_path / "file" / "x", "/proc/x"):
        done = call(OUTPUTS[name], bad)
        assert done.returncode in (1, 2), done.stderr.decode()
        assert f"cannot write '{bad}'".encode() in done.stderr
        assert b"step 0" not in done.stdout
    assert os.listdir(tmp_path) == ["file"] and (tmp_path / "file").read_text() == "old"


@pytest.mark.parametrize("name", OUTPUTS)
def test_devices_are_written_as_they_are(call, name):
    assert call(OUTPUTS[name], os.devnull).returncode == 0
    assert not os.path.isfile(os.devnull)
    assert b"cannot write '/dev/full'" in call(OUTPUTS[name], "/dev/full").stderr


def test_the_input_may_be_the_output(tool, tmp_path):
    """Above 16 KiB the input is mapped, and writing over it took the bytes away from its user."""
    file = tmp_path / "step.mlir"
    source = (ROOT / "examples" / "small" / "resnet.mlir").read_text()
    assert len(source) > 16384
    for flags in (["--canonicalize"], ["--remat=greedy"], ["--emit=graph"]):
        file.write_text(source)
        expected = subprocess.run([tool("memplan-opt"), file, *flags], capture_output=True).stdout
        assert expected
        done = subprocess.run([tool("memplan-opt"), file, *flags, "-o", file], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        assert file.read_bytes() == expected
    assert os.listdir(tmp_path) == ["step.mlir"]


def test_training_goes_on_in_one_file(tool, tmp_path):
    file = tmp_path / "state.safetensors"
    losses = []
    for _ in range(2):
        params = [f"--params={file}"] if file.exists() else []
        done = subprocess.run([tool("memplan-run"), MLP, *params, f"--save-params={file}"], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        losses.append(done.stdout.splitlines()[0])
    twice = subprocess.run([tool("memplan-run"), MLP, "--steps=2"], capture_output=True).stdout.splitlines()[:2]
    assert losses == twice


@pytest.mark.parametrize("flags", [["--remat=greedy", "--budget=1K"], ["--memplan-plan=budget=1K"]])
def test_a_plan_that_fails_leaves_the_old_output(tool, tmp_path, flags):
    file = tmp_path / "old"
    file.write_text("old")
    done = subprocess.run([tool("memplan-opt"), CHAIN, *flags, "-o", file], capture_output=True)
    assert done.returncode == 1 and b"budget" in done.stderr
    assert file.read_text() == "old" and os.listdir(tmp_path) == ["old"]


# Ends tools at random moments: the old file or the new one, never a part, and no other file.
@pytest.mark.parametrize("name", ["opt-ir", "solve-remat", "run-program"])
def test_a_kill_leaves_the_old_file_or_the_new(tool, tmp_path, name):
    program, *arguments = [str(part) for part in OUTPUTS[name]]
    file = tmp_path / "out"
    command = [tool(program), *(part.format(file) for part in arguments)]
    begin = time.monotonic()
    assert subprocess.run(command, capture_output=True).returncode == 0
    whole_seconds, whole = time.monotonic() - begin, file.read_bytes()
    seed = 20261121
    random.seed(seed)
    for _ in range(10):
        file.write_bytes(b"old")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0, 1.2 * whole_seconds))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert file.read_bytes() in (b"old", whole), f"seed {seed}"
    # Killed between writing and renaming, a tool cannot take its own file away.
    assert [name for name in os.listdir(tmp_path) if not name.startswith(".memplan-")] == ["out"]


def test_all_that_is_asked_for_is_written(tool, tmp_path):
    """--emit-ir dropped what else was to be emitted."""
    flags = [f"--emit-ir={tmp_path}/ir", f"--emit-plan={tmp_path}/plan", f"--emit-program={tmp_path}/program"]
    done = subprocess.run([tool("memplan-run"), MLP, *flags], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert sorted(os.listdir(tmp_path)) == ["ir", "plan", "program"]
