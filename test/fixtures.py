"""What every pytest of memplan shares, below test and python-bindings/tests."""
import importlib.util
import os
import pathlib
import random
import signal
import sys
import tempfile
import time

import pytest

ROOT = pathlib.Path(__file__).parents[1]
BUILD = pathlib.Path(os.environ.get("MEMPLAN_BUILD_DIR", ROOT / "build")).resolve()
# `import memplan` is the package of that build; without one the sources, of which the exporter works alone. Scripts beside them are
# found in either case.
sys.path[:0] = [str(folder) for folder in (BUILD / "python", ROOT / "python-bindings") if folder.exists()]

# A shell that starts these tests in the background has them ignore Ctrl-C, and what they start inherits that. Tests of Ctrl-C send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def build_dir():
    """The build folder whose tools are tested: MEMPLAN_BUILD_DIR, else build/."""
    return BUILD


@pytest.fixture(scope="session")
def tool(build_dir):
    """tool("memplan-opt") is its path; the test fails where it is not built."""

    def find(name):
        path = build_dir / "bin" / name
        assert path.exists(), f"{path} is not built"
        return str(path)

    return find


def surroundings(number):
    """Arguments of subprocess.run() that must change no plan: another folder, environment (whose size moves the stack),
    locale and time zone, one processor or all, and with each run another layout of the address space."""
    processors = sorted(os.sched_getaffinity(0))
    environment = {**os.environ, "PADDING": "x" * (97 * number), "OMP_NUM_THREADS": str(1 + number % 4),
                   "LC_ALL": ("C", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8")[number % 4],
                   "TZ": ("UTC", "Asia/Tokyo", "America/New_York")[number % 3]}
    return {"cwd": (ROOT, "/", tempfile.gettempdir())[number % 3], "env": environment,
            "preexec_fn": lambda: os.sched_setaffinity(0, processors[: 1 + number % len(processors)])}


def long_graph(count):
    """A forward chain with skips, and a backward pass that reads it."""
    dice = random.Random(5)
    nodes = []
    for i in range(count):
        inputs = {i - 1} if i else set()
        if i > count // 2:
            inputs.add(count - i)
        if i > 3:
            inputs.add(i - dice.randint(2, 4))
        nodes.append({"id": i, "cost": dice.randint(1, 9), "inputs": sorted(inputs), "outputs": [i]})
    tensors = [{"id": i, "bytes": dice.randint(1, 99) * 1024} for i in range(count)]
    graph = {"version": 1, "name": "long", "fixed_bytes": 0, "tensors": tensors, "nodes": nodes}
    return graph


def hard_buffers():
    """At every step some buffers end and others take all of their bytes: a search for a packing without a hole goes on and on."""
    dice = random.Random(11)
    live, rows = [(0, 50000)] * 20, []
    for time in range(1, 61):
        total = 0
        for _ in range(3):
            begin, size = live.pop(dice.randrange(len(live)))
            rows.append((begin, time, size))
            total += size
        low, high = sorted(dice.sample(range(1, total), 2))
        live += [(time, low), (time, high - low), (time, total - high)]
    rows += [(begin, 61, size) for begin, size in live]
    return "\n".join(["id,lower,upper,size"] + [f"{i},{b},{e},{s}" for i, (b, e, s) in enumerate(rows)]) + "\n"


def stop_at_work(process, number, cpu_seconds=0.5):
    """Sends the signal once the process catches it and has worked for so many seconds of processor time: a busy machine changes neither."""
    ticks = os.sysconf("SC_CLK_TCK")
    while True:
        assert process.poll() is None, "it ended before it could be stopped"
        status, times = (pathlib.Path(f"/proc/{process.pid}/{name}").read_text() for name in ("status", "stat"))
        caught = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigCgt:"))
        used = sum(map(int, times.rpartition(")")[2].split()[11:13])) / ticks
        if caught >> (number - 1) & 1 and used >= cpu_seconds:
            break
        time.sleep(0.01)
    process.send_signal(number)


def pytest_configure(config):
    config.addinivalue_line("markers", "torch: compares with PyTorch; skipped where it is not installed (utils/test.sh --torch installs it)")


def pytest_collection_modifyitems(items):
    if importlib.util.find_spec("torch") is not None:
        return
    for item in items:
        if item.get_closest_marker("torch"):
            item.add_marker(pytest.mark.skip(reason="PyTorch is not installed (utils/test.sh --torch installs it)"))
