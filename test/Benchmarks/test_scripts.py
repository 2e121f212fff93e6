"""benchmarks: the same flag means the same in every script, and what is missing is said in one sentence."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

from fixtures import ROOT

SCRIPTS = sorted(path for path in (ROOT / "benchmarks").glob("*/*.py") if "add_argument" in path.read_text())
TOOLS = [path for path in SCRIPTS if 'add_argument("--build"' in path.read_text() and path.parent.name not in ("embedding", "gate", "memrefs", "remat") and path.name != "bookkeeping.py"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_flags_are_called_alike(script):
    """Whoever knows one script would have to look up the flags of the next one."""
    flags = set(re.findall(r'add_argument\("--([a-z-]+)"', script.read_text()))
    others = {"tools": "build", "solve": "build", "memplan-opt": "build", "log": "json", "png": "picture"}
    assert not flags & set(others), {flag: f"is called --{others[flag]} elsewhere" for flag in flags & set(others)}
    assert os.access(script, os.X_OK), "is not executable"


@pytest.mark.parametrize("script", TOOLS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_missing_tools_are_named(script, tmp_path):
    """A traceback, or a plan that is blamed, would stand for tools that were not built."""
    done = subprocess.run([sys.executable, str(script), "--build", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 1
    assert re.match(r".*/(bin has no memplan-(opt|run|solve).*|lib/libmemplan-runtime.so is not there): build with ninja -C build memplan-", done.stderr), done.stderr
