"""What a kernel library does by itself, threads that wait and memory that it takes, is kept in bounds."""
import os
import re
import subprocess

import pytest

from fixtures import ROOT

SMALL = sorted(path.stem for path in (ROOT / "examples" / "small").glob("*.mlir"))
CHOICES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")


@pytest.fixture
def run(tool):
    program = tool("memplan-run")
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    if "+onednn" not in version:
        pytest.skip("built without oneDNN")

    def call(*arguments, **environment):
        plain = {k: v for k, v in os.environ.items() if k not in CHOICES}
        done = subprocess.run(
            [program, *map(str, arguments)], capture_output=True, text=True, env={**plain, **environment}
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return call


def spins(run, **environment):
    """What the OpenMP library says of itself when it is loaded."""
    said = run("--version", OMP_DISPLAY_ENV="VERBOSE", **environment)
    return int(re.search(r"GOMP_SPINCOUNT = '(\d+)'", said).group(1))


def test_waiting_threads_soon_sleep(run):
    """A thread that spins, for ten milliseconds by the library's own choice, holds the core that the thread it waits for needs beside busy processes."""
    assert spins(run) == 1000


def test_a_user_who_chose_a_way_to_wait_gets_it(run):
    assert spins(run, GOMP_SPINCOUNT="77") == 77
    assert spins(run, OMP_WAIT_POLICY="passive") == 0
    assert spins(run, OMP_WAIT_POLICY="active") > 10**6


@pytest.mark.parametrize("model", SMALL)
def test_a_step_takes_no_buffers_from_malloc(run, model):
    """A budget is real bytes: packing buffers of a product would be in no plan. Small objects around calls remain."""
    if "avx512f" not in open("/proc/cpuinfo").read():
        pytest.skip("without AVX-512 oneDNN has no product that takes its buffers from the caller")
    said = run(ROOT / "examples" / "small" / f"{model}.mlir", "--threads=2", "--steps=3")
    at_most = re.search(r"at most (\d+) bytes at a moment of a launch", said)
    if not at_most:
        pytest.skip("nothing counts beside a sanitizer")
    assert int(at_most.group(1)) <= 16 * 1024
