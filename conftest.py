"""What every pytest of memplan shares."""
import importlib.util
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parent


@pytest.fixture(scope="session")
def build_dir():
    """The build folder whose tools are tested: MEMPLAN_BUILD_DIR, else build/."""
    return pathlib.Path(os.environ.get("MEMPLAN_BUILD_DIR", ROOT / "build"))


@pytest.fixture(scope="session")
def tool(build_dir):
    """tool("memplan-opt") is its path; the test fails where it is not built."""

    def find(name):
        path = build_dir / "bin" / name
        assert path.exists(), f"{path} is not built"
        return str(path)

    return find


def pytest_collection_modifyitems(items):
    if importlib.util.find_spec("torch") is not None:
        return
    for item in items:
        if item.get_closest_marker("torch"):
            item.add_marker(pytest.mark.skip(reason="PyTorch is not installed (utils/test.sh --torch installs it)"))
