"""benchmarks/remat/baselines.py: heuristics that memplan is compared with are no weaker than in Checkmate's paper, on whole steps with batch norm."""
import json
import re
import subprocess
import sys

import pytest

from fixtures import ROOT

SCRIPT = ROOT / "benchmarks/remat/baselines.py"
sys.path.insert(0, str(SCRIPT.parent))
import baselines  # noqa: E402


def run(tool, build_dir, network, fraction, *more):
    tool("memplan-opt")
    command = [sys.executable, SCRIPT, "--networks", network, "--fractions", fraction, "--build", build_dir, *more]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


# Linear with batch norm, and with skips that a coarse choice of segment sizes loses by.
@pytest.mark.parametrize("network, fraction", [("mobilenet_v1", 0.6), ("unet", 0.6)])
def test_a_row_of_the_page_is_what_is_typed(tool, build_dir, tmp_path, network, fraction):
    """A baseline would be weaker than its paper's, or the page show what an earlier version found."""
    *_, typed = run(tool, build_dir, network, fraction, "--json", tmp_path / "log.json")
    page = (ROOT / "docs/Benchmarks/Baselines.md").read_text().splitlines()
    baseline_cells = typed.rpartition("|")[0].rpartition("|")[0]
    assert any(line.startswith(baseline_cells) for line in page), f"docs/Benchmarks/Baselines.md lacks {typed}"
    rows = json.loads((tmp_path / "log.json").read_text())["rows"]
    compared = [row for row in rows if row.get("published") is not None and "overhead" in row]
    assert compared and all(row["overhead"] <= row["published"] + 1e-9 for row in compared)


def test_a_weaker_baseline_is_found():
    """The comparison could not fail."""
    def row(solver, overhead, published=None, fraction=0.5):
        return {"graph": "net", "solver": solver, "fraction": fraction, "overhead": overhead, "published": published}

    fair = [row(name, 0.2, 0.2) for name in baselines.HEURISTICS] + [row("auto", 0.1)]
    assert not baselines.broken(fair)
    assert re.search("linearized-greedy at 0.5: 0.2, by the paper 0.1", baselines.broken([row("linearized-greedy", 0.2, 0.1) if each["solver"] == "linearized-greedy" else each for each in fair])[0])
    assert "auto has 0.3" in baselines.broken([*fair[:-1], row("auto", 0.3)])[0]
    more = [row(each["solver"], each["overhead"] + 0.1, 1, 0.7) for each in fair]
    assert any("chen-greedy: costs more within more bytes" in fault for fault in baselines.broken(fair + more))


def test_the_paper_on_a_chain():
    """The second implementation would be weaker than the paper too: on a chain of 16 layers with every fourth kept, each segment runs again
    but for its end, and no more than the checkpoints and one segment are live."""
    layers = 16
    tensors = [{"id": i, "bytes": 1} for i in range(2 * layers + 1)]
    tensors[-1]["kind"] = "output"
    nodes = [{"id": i, "cost": 1, "inputs": [i - 1] if i else [], "outputs": [i]} for i in range(layers + 1)]
    nodes += [{"id": layers + 1 + i, "cost": 1, "inputs": [layers + i, layers - 1 - i], "outputs": [layers + 1 + i], "backward": True} for i in range(layers)]

    class Step:
        graph = {"tensors": tensors, "nodes": nodes}
        own_bytes = {tensor["id"]: 1 for tensor in tensors}
        resident = 0

    paper = baselines.Paper(Step)
    assert paper.is_linear() and paper.articulation_points() == list(range(layers))
    (cost, live), = paper.plans("linearized-sqrt")
    # Where the last segment comes back: three checkpoints below it, its three layers, and two gradients.
    assert cost == len(nodes) + 12 and live == 3 + 3 + 2
