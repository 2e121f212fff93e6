"""benchmarks/swap: a benchmark that breaks is found out when somebody wants its figures."""
import json
import subprocess
import sys

from fixtures import ROOT


def test_swapping_makes_room_for_larger_batches(tool, build_dir, tmp_path):
    """The table would compare settings that swap nothing, or plans that the checker refuses."""
    tool("memplan-solve")
    log = tmp_path / "log.json"
    done = subprocess.run([sys.executable, str(ROOT / "benchmarks/swap/tflms.py"), "--networks", "unet3d", "--edge", "16", "--budget", "300M", "--settings",
                           "no swapping", "lb=1", "tuned", "tuned, n_tensors too", "--build", str(build_dir), "--json", str(log)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    plain, swapped, tuned, fewest = json.loads(log.read_text())["rows"]
    assert swapped["points"][-1]["batch"] > plain["points"][-1]["batch"] > 1
    last, least = tuned["points"][-1], fewest["points"][-1]
    assert last["batch"] == least["batch"] >= swapped["points"][-1]["batch"]
    assert least["tensors"] <= last["tensors"] and least["samples_per_second"] >= last["samples_per_second"]
    assert swapped["points"][-1]["tensors"] > 20 and plain["points"][-1]["overhead"] == 0
