"""A build that was asked for the Python module has it: without the module most files here are skipped."""

import importlib.util
import re

import pytest


def test_the_module_is_there_where_the_build_was_asked_for_it(build_dir):
    """A module that failed to build would look like tests that need not run."""
    cache = build_dir / "CMakeCache.txt"
    asked = re.search(r"^MEMPLAN_WITH_PYTHON:\w+=ON$", cache.read_text(), re.MULTILINE) if cache.exists() else None
    if not asked:
        pytest.skip("the build was not asked for the Python module (MEMPLAN_WITH_PYTHON=ON)")
    for name in ("memplan._planner", "memplan._runtime"):
        assert importlib.util.find_spec(name), f"{name} is not built: {build_dir / 'python'}; build the target memplan-python"
