"""What every pytest of memplan shares, below test and python-bindings/tests."""
import importlib.util
import os
import pathlib
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).parents[1]
BUILD = pathlib.Path(os.environ.get("MEMPLAN_BUILD_DIR", ROOT / "build")).resolve()
# `import memplan` is the package of that build; without one the sources, of which the exporter works alone. Scripts beside them are
# found in either case.
sys.path[:0] = [str(folder) for folder in (BUILD / "python", ROOT / "python-bindings") if folder.exists()]


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


def pytest_configure(config):
    config.addinivalue_line("markers", "torch: compares with PyTorch; skipped where it is not installed (utils/test.sh --torch installs it)")


def pytest_collection_modifyitems(items):
    if importlib.util.find_spec("torch") is not None:
        return
    for item in items:
        if item.get_closest_marker("torch"):
            item.add_marker(pytest.mark.skip(reason="PyTorch is not installed (utils/test.sh --torch installs it)"))
