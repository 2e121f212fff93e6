"""What benchmarks of several folders share."""
import atexit
import datetime
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DATA = ROOT / "benchmarks/data"


def call(*command):
    """What the command prints; stops the benchmark where it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def built(folder, *tools):
    """The folder of a build, or a word about what it lacks."""
    lacking = [tool for tool in tools if not (folder / "bin" / tool).exists()]
    if lacking:
        sys.exit(f"{folder / 'bin'} has no {' and no '.join(lacking)}: build with ninja -C build {' '.join(lacking)}, "
                 "or name the folder of another build by --build")
    return folder


def figure():
    """matplotlib's pyplot, or None with a word about it."""
    try:
        import matplotlib
    except ImportError:
        print("no pictures: matplotlib is not installed", file=sys.stderr)
        return None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "memplan"
    import matplotlib.pyplot as pyplot
    return pyplot


# --- Data: plain, or compressed as NAME.xz ---

_unpacked = {}


def plain(path):
    """A path that tools can read: the path itself, or that of a copy without compression, which is removed at the end."""
    path = pathlib.Path(path)
    if path.suffix != ".xz":
        return path
    if path not in _unpacked:
        folder = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        _unpacked[path] = pathlib.Path(folder) / path.stem
        _unpacked[path].write_bytes(lzma.decompress(path.read_bytes()))
    return _unpacked[path]


def stored(pattern, folder="graphs"):
    """The plain paths of all files below benchmarks/data/FOLDER whose names, without .xz, match the pattern, sorted by name."""
    found = [*(DATA / folder).glob(pattern), *(DATA / folder).glob(pattern + ".xz")]
    return [plain(path) for path in sorted(found)]


def graph_path(name):
    """The plain path of a graph of benchmarks/data/graphs; of a graph that is not there, where it would be."""
    path = DATA / "graphs" / f"{name}.graph.json"
    packed = path.with_name(path.name + ".xz")
    return plain(packed) if packed.exists() else path


# --- What a table is of ---

def origin():
    """Commit, machine and day of a run, for the head of its log and of the tables made of it."""
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run([*git, "describe", "--always"], capture_output=True, text=True).stdout.strip()
    # A page that a table was put into changes no figure of the next table.
    if commit and subprocess.run([*git, "diff", "--quiet", "HEAD", "--", ".", ":!docs"]).returncode:
        commit += "-dirty"
    try:
        lines = open("/proc/cpuinfo").read().splitlines()
    except OSError:
        lines = []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")
    return {"commit": commit or "unknown", "processor": model, "processors": os.cpu_count(), "date": datetime.date.today().isoformat()}


def head(log=None):
    """The line above a table: of a log that was read, or of this run."""
    known = {**dict.fromkeys(("commit", "processor", "processors", "date"), "unknown"), **(origin() if log is None else log)}
    return f"Commit {known['commit']}, {known['date']}, {known['processor']} ({known['processors']} processors)."


class Table:
    """Lines that are printed as they are made, below the line that says what they are of, of a log that was read or of this run; `write` puts
    them in a page."""

    def __init__(self, log=None):
        self.lines = []
        self.add(head(log), "")

    def add(self, *lines):
        self.lines += lines
        print(*lines, sep="\n", flush=True)

    def write(self, pages, script):
        for page in pages:
            put_table(page, script, "\n".join(self.lines).rstrip())


def put_table(page, script, text):
    """Puts what a script made between its marks in a page of docs/."""
    marks = f"<!-- {script} writes this -->\n", "<!-- end of the table -->"
    before, begin, rest = page.read_text().partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not begin or not end:
        sys.exit(f"{page}: has no {marks[0].strip()} and {marks[1]}")
    page.write_text(f"{before}{begin}{text}\n{end}{after}")


def merge_rows(page, script, heads, columns, rows, summary=None):
    """Puts rows in a page's table, each in place of the one that begins with the same cell. Rows of the page that were not run again stay, and so
    do the lines that say what they are of. `summary` gives a sentence about all rows."""
    _, begin, rest = page.read_text().partition(f"<!-- {script} writes this -->\n")
    old = rest.partition("<!-- end of the table -->")[0].splitlines() if begin else []
    cell = lambda row: row.split("|")[1].strip()  # noqa: E731
    known = {cell(row): row for row in [line for line in old if line.startswith("|")][2:]}
    fresh = {cell(row): row for row in rows}
    if known.keys() - fresh.keys():
        title = columns.splitlines()[0]
        if title not in old:
            sys.exit(f"{page}: the table of {script} has other columns; run all of its rows")
        heads = [line for line in old if line.startswith("Commit ") and line not in heads] + heads
    lines = [*heads, "", columns, *(known | fresh).values()]
    put_table(page, script, "\n".join([*lines, *(["", summary(list((known | fresh).values()))] if summary else [])]))


def budget_counts(rows):
    """How many of a table's budgets are kept, exceeded and refused, by the cells that say so."""
    return {word: sum(int(number) for row in rows for number in re.findall(rf"(\d+) {word}", row)) for word in ("kept", "exceeded", "refused")}
