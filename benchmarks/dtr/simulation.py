"""What the benchmarks of dynamic rematerialization share: simulated runs and traces by memplan-solve, and the original's figures."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "remat"))
from common import ROOT, check, figure, graph_named, plan, timed, write_json  # noqa: E402,F401

HEURISTICS = ("h_dtr", "e_star", "local", "msps", "lru", "size", "megengine")
SHARES = (0.3, 0.4, 0.5, 0.6, 0.7)


def originals():
    """What the simulator of DTR's authors gives: cost of reruns, or how the run ended, by (graph, policy, share)."""
    rows = json.loads((ROOT / "test/Planner/Inputs/dtr_original.json").read_text())["rows"]
    return {(row["graph"], row["policy"], row["ratio"]): row.get("rerun_cost", row["end"]) for row in rows if "within" not in row}


def simulate(tools, step, policy, budget, trace=None):
    """The figures of one simulated run, which gives up at the limit of the original's evaluation: reruns that cost as much as the step."""
    with tempfile.TemporaryDirectory() as folder:
        stats = pathlib.Path(folder) / "stats.json"
        flags = [f"--trace={trace}"] if trace else []
        done, seconds = timed([tools / "memplan-solve", "remat", step.path, "--solver=dtr", f"--heuristic={policy},limit=1", "--arena=greedy-by-size",
                               *([f"--budget={budget}"] if budget else []), "-o", "/dev/null", f"--stats={stats}", *flags])
        if not stats.exists():
            sys.exit(f"{step.name}, {policy}: {done.stderr}")
        return json.loads(stats.read_text())["simulated"] | {"user_seconds": round(seconds, 3)}


def replay(tools, step, trace, *flags):
    """The figures of `memplan-solve replay`; its plan is held against the independent checker."""
    with tempfile.TemporaryDirectory() as folder:
        stats, made = pathlib.Path(folder) / "stats.json", pathlib.Path(folder) / "made.plan.json"
        done, seconds = timed([tools / "memplan-solve", "replay", trace, f"--graph={step.path}", "-o", made, f"--stats={stats}", *flags])
        if done.returncode:
            sys.exit(f"{step.name}: {done.stderr}")
        check(step.path, made)
        text = json.loads(made.read_text())
        return json.loads(stats.read_text()) | {"user_seconds": round(seconds, 3), "by": text["solver"], "bound": text.get("bound"),
                                                "bound_space": text.get("bound_space")}


def percent(value):
    return "-" if value is None else f"{100 * value:.2f}"
