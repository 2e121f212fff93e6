"""The same input gives the same bytes: plans wherever and however often they are made, results whatever the run."""
import signal
import subprocess

import pytest

from fixtures import ROOT, stop_at_work, surroundings

# Six layers, for which 80 % of the unplanned peak is only reached by recomputing.
CHAIN = ROOT / "test" / "Transforms" / "Inputs" / "chain.mlir"
RESIDUAL = ROOT / "examples" / "small" / "residual.mlir"


@pytest.fixture
def run(tool):
    def call(name, *arguments, **around):
        done = subprocess.run([tool(name), *map(str, arguments)], capture_output=True, **around)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return call


# A plan that hangs on addresses, clocks, the locale, the environment, the number of processors or the folder would
# differ between two of these.
@pytest.mark.parametrize("kind, text", [
    ("--remat=greedy", b"run = 1"), ("--remat=milp", b"run = 1"), ("--remat=auto", b"run = 1"),
    ("--swap=search --bandwidth=1000000,1000000", b"memplan.evict"), ("--streams=2", b"run = 1"), ("--effort=.05s", b"run = 1")])
def test_twenty_plannings_give_the_same_bytes(run, kind, text):
    effort = [] if "--effort" in kind else ["--effort=2000"]
    step = [CHAIN, *kind.split(), "--budget=80%", *effort]
    plans = {run("memplan-opt", *step, **surroundings(n)) for n in range(20)}
    assert len(plans) == 1
    assert text in plans.pop()
    # The plan file also says who planned it and what is proved.
    files = {run("memplan-opt", *step, "--emit=plan", **surroundings(n)) for n in range(4)}
    assert len(files) == 1


@pytest.mark.parametrize("backend", ["cpu", "reference"])
def test_three_planned_runs_give_the_same_bits(run, tmp_path, backend):
    saved = []
    for number in range(3):
        file = tmp_path / f"{number}.safetensors"
        run("memplan-run", RESIDUAL, "--budget=70%", "--threads=2",
            f"--backend={backend}", f"--save-params={file}")
        saved.append(file.read_bytes())
    assert saved[0] == saved[1] == saved[2]
    # Another seed starts elsewhere, so that equal files mean something.
    run("memplan-run", RESIDUAL, "--budget=70%", "--threads=2",
        f"--backend={backend}", "--init-seed=1", f"--save-params={tmp_path / 'other'}")
    assert (tmp_path / "other").read_bytes() != saved[0]


# Plain kernels add in the same order for every thread count.
def test_plain_kernels_compute_the_same_with_any_number_of_threads(run, tmp_path):
    saved = set()
    for threads in (1, 2, 3):
        file = tmp_path / f"{threads}.safetensors"
        run("memplan-run", RESIDUAL, "--backend=reference", f"--threads={threads}", f"--save-params={file}")
        saved.add(file.read_bytes())
    assert len(saved) == 1


# Ctrl-C in a long search means: enough, run what there is. Who sends SIGTERM wants the process to end.
@pytest.mark.parametrize("number, status, steps", [(signal.SIGINT, 0, 2), (signal.SIGTERM, 143, 0)])
def test_a_stop_while_planning_gives_memplan_run_a_plan(tool, number, status, steps):
    command = [tool("memplan-run"), str(ROOT / "examples" / "small" / "unet.mlir"), "--remat=milp", "--effort=1000000000", "--budget=500K",
               "--steps=2", "--backend=reference"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stop_at_work(process, number)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == status, errors
    assert output.count("loss = ") == steps and " by " in errors
    assert ("stopped by SIGTERM after 0 of 2 steps" in errors) == (steps == 0)


# A training job that is told to end wants the plan it has waited for.
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_gives_a_plan(tool, tmp_path, number):
    command = [tool("memplan-opt"), "--remat=milp", "--effort=1000000000", "--budget=70%", "--emit=plan",
               str(ROOT / "examples" / "vgg16.mlir"), "-o", str(tmp_path / "plan.json")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    stop_at_work(process, number)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    # Applying a plan verifies it.
    subprocess.run([tool("memplan-opt"), f"--plan={tmp_path / 'plan.json'}", "--budget=70%",
                    str(ROOT / "examples" / "vgg16.mlir"), "-o", "/dev/null"], check=True, capture_output=True)
