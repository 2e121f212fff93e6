"""benchmarks/arena runs from a clean clone, on tiny sizes, and says what is true."""
import itertools
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPARE = ROOT / "benchmarks" / "arena" / "compare.py"


def compare(build_dir, *flags):
    done = subprocess.run([sys.executable, COMPARE, f"--build={build_dir}", *map(str, flags)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_suite_runs_on_tiny_sizes(build_dir, tool, tmp_path):
    # A benchmark that no longer runs would be found when somebody needs its figures.
    peer = f"peer={tool('memplan-solve')} arena {{input}} --solver=xla -o {{output}}"
    graph = ROOT / "benchmarks" / "data" / "graphs" / "chain16.graph.json"
    text = compare(build_dir, "--sizes", 40, "--seeds", 1, "--solvers", "search", "xla", "--peer", peer, "--graphs", graph, "--percents", 70,
                   "--suites", "minimalloc", "steps", "training", "recomputed", "cuts", "pinwheel", "--json", tmp_path / "out.json")
    records = json.loads((tmp_path / "out.json").read_text())["records"]
    assert [r["suite"] for r in records] == ["minimalloc"] * 11 + ["steps", "training", "recomputed", "cuts", "pinwheel"]
    for record in records:
        heights = {name: result["height"] for name, result in record["solvers"].items()}
        assert all(height is None or height >= record["bound"] > 0 for height in heights.values())
        # The peer is the same solver; only memplan's own is told the capacity of the eleven, which it does not meet.
        assert heights["peer"] == heights["xla"] if heights["xla"] else heights["peer"] > 1048576
        assert record["instance"] in text
    (cuts,) = (r for r in records if r["suite"] == "cuts")
    assert cuts["solvers"]["search"]["height"] == cuts["bound"]


def test_copies_of_the_eleven_still_fit(build_dir, tmp_path):
    # A copy that does not fit would count as a failure of the solver.
    sys.path.insert(0, str(COMPARE.parent))
    import perturb_buffers
    for kind, options in perturb_buffers.KINDS.items():
        for seed, name in enumerate("BEK"):
            path = ROOT / "benchmarks" / "data" / "buffers" / "packed" / f"{name}.csv"
            rows = perturb_buffers.perturb(path, seed, **options)
            assert rows == perturb_buffers.perturb(path, seed, **options)
            assert all(lower < upper and size > 0 for lower, upper, size in rows), kind
            # At one step they take no more than the capacity.
            changes = sorted(change for lower, upper, size in rows for change in ((lower, size), (upper, -size)))
            assert max(itertools.accumulate(change for _, change in changes)) <= 1048576, kind
    text = compare(build_dir, "--suites", "copies", "--seeds", 1, "--solvers", "best-fit")
    assert "copies, reversed: best-fit 0 of 11 in 0.00 s" in text


def test_generated_tables_are_the_same_everywhere(tmp_path):
    # Figures of one machine are of use on another only if the tables are the same.
    for kind in ("training", "recomputed", "cuts", "pinwheel"):
        texts = []
        for name in "ab":
            command = [sys.executable, COMPARE.parent / "generate_buffers.py", kind, "50", "7", tmp_path / name]
            subprocess.run(command, check=True)
            texts.append((tmp_path / name).read_text())
        assert texts[0] == texts[1] and texts[0].startswith("id,lower,upper,size\n") and texts[0].count("\n") > 30
