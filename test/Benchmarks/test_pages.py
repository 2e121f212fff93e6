"""Tables of docs/ are what their scripts print today: a row of each is typed, with what depends on the machine left out."""
import re
import subprocess
import sys

import pytest

from fixtures import ROOT

NETWORKS = ROOT / "benchmarks/networks"
# Script and its arguments, the page, and which cells of a row do not depend on seconds.
ROWS = {
    "sharing/compare.py": (["vgg16"], "docs/Benchmarks/Sharing.md", slice(None)),
    "sharing/streams.py": (["--networks", NETWORKS / "shufflenet_v2.mlir", "--streams", "2"], "docs/Planner/Sharing.md", slice(None)),
    "remat/curves.py": (["--graphs", "--examples", "vgg16", "--fractions", "0.7", "0.5", "--solvers", "linearized-greedy", "dtr", "--alignment", "256"],
                        "docs/Benchmarks/Curves.md", slice(0, 4)),
}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(page):
    """The lines between the marks of a script, by script."""
    found = re.findall(r"<!-- (\S+\.py)( [^\n]*?)? writes this -->\n(.*?)<!-- end of the table -->", page.read_text(), re.DOTALL)
    return [(script, text.splitlines()) for script, _, text in found]


@pytest.mark.parametrize("script", ROWS)
def test_rows_are_what_is_typed(tool, build_dir, tmp_path, script):
    """A page would show what an earlier version did."""
    arguments, page, part = ROWS[script]
    tool("memplan-opt")
    command = [sys.executable, ROOT / "benchmarks" / script, *arguments, "--build", build_dir] + ["--pictures", tmp_path] * ("curves" in script)
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    typed = [cells(line) for line in done.stdout.splitlines() if line.startswith("|")][2:]
    shown = [cells(line) for name, lines in tables(ROOT / page) if name == f"benchmarks/{script}" for line in lines if line.startswith("|")]
    assert typed and len(typed[0]) >= 5
    for row in typed:
        assert row[part] in [other[part] for other in shown], f"{page} lacks {row}"


def test_curves_are_what_is_typed(tool, build_dir, tmp_path):
    """Figure 4 would be drawn of baselines of another day."""
    tool("memplan-solve")
    command = [sys.executable, ROOT / "benchmarks/remat/curves.py", "--graphs", "mobilenet", "--solvers", "linearized-greedy", "dtr", "--build", build_dir, "--pictures", tmp_path]
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    typed = {cells(line)[0]: cells(line)[1:-1] for line in done.stdout.splitlines() if line.startswith("| `")}
    lines = next(lines for script, lines in tables(ROOT / "docs/Benchmarks/Curves.md") if script == "benchmarks/remat/curves.py")
    begin = next(place for place, line in enumerate(lines) if line.startswith("`mobilenet`"))
    shown = {solver: cells(line)[1:-1] for line in lines[begin + 1:begin + 12] if line.startswith("| `") for solver in cells(line)[0].split(", ")}
    assert len(typed) == 2 and all(shown[solver] == overheads for solver, overheads in typed.items()), (typed, shown)


def test_largest_batches_are_what_is_typed(tool, build_dir):
    """Ratios against the best baseline would be of baselines that are weaker or stronger than those of today."""
    tool("memplan-opt")
    solvers = ["checkpoint-all", "ap-greedy", "linearized-greedy"]
    command = [sys.executable, ROOT / "benchmarks/remat/max_batch.py", "--networks", "unet", "--solvers", *solvers, "--build", build_dir]
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    typed = dict(re.findall(r"^unet +(\S+) +(\d+) ", done.stdout, re.MULTILINE))
    for page in ("docs/Benchmarks/Batch.md", "docs/Benchmarks.md"):
        lines = next(lines for script, lines in tables(ROOT / page) if script == "benchmarks/remat/max_batch.py")
        titles = [title.strip("`") for title in cells(next(line for line in lines if line.startswith("| network")))]
        shown = dict(zip(titles, cells(next(line for line in lines if line.startswith("| U-Net")))))
        assert {solver: shown[solver] for solver in solvers} == typed, page


@pytest.mark.parametrize("page", sorted(path for path in (ROOT / "docs").rglob("*.md") if "writes this -->" in path.read_text()), ids=lambda path: path.stem)
def test_tables_say_what_they_are_of(page):
    """A figure would have no commit, day and machine, or no script that makes it."""
    for script, lines in tables(page):
        assert (ROOT / script).is_file() and "--write" in (ROOT / script).read_text(), script
        if lines:
            assert re.match(r"Commit [0-9a-f]+.*, \d{4}-\d\d-\d\d, .+ \(\d+ processors\)\.$", lines[0]), f"{page.name}, {script}: {lines[0]}"


@pytest.mark.parametrize("page", sorted((ROOT / "docs/Benchmarks").glob("*.md")), ids=lambda path: path.stem)
def test_figures_are_of_a_commit_and_not_of_another_day(page):
    """A reader would not know which of two figures holds."""
    assert not re.findall(r"earlier run|that day|newer than|the run before|since this run|another day", page.read_text())


def test_the_first_page_of_figures_is_short():
    """A user would look for the three tables that matter among all others."""
    assert len((ROOT / "docs/Benchmarks.md").read_text().splitlines()) <= 150
