"""benchmarks/busy: a benchmark that breaks is found out when somebody wants its figures."""
import re
import subprocess
import sys

import pytest

from fixtures import ROOT


def test_ways_to_wait_take_turns(tool, build_dir):
    """Times would be of another way to wait, or be compared with another row than the first."""
    if "+onednn" not in subprocess.run([tool("memplan-run"), "--version"], capture_output=True, text=True).stdout:
        pytest.skip("built without oneDNN")
    command = [sys.executable, ROOT / "benchmarks/busy/compare.py", "--model", "small/mlp", "--threads", 1, 2, "--busy", 0, 1, "--rounds", 1, "--policies", "memplan", "5000",
               "--build", build_dir]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    first, second = (line.split("|")[1:-1] for line in done.stdout.splitlines() if re.match(r"\| \d", line))
    assert [row[0].strip() for row in (first, second)] == ["0", "1"] and len(first) == 1 + 2 * 4
    assert {float(ratio) for ratio in first[2::2]} == {1.0} and all(float(ms) >= 0 for ms in first[1::2])
