"""What the benchmarks of dynamic rematerialization share: simulated runs and traces by memplan-solve, and the original's figures."""
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "remat"))
from common import ROOT, Table, built, check, figure, graph_named, plan, timed, write_json  # noqa: E402,F401

HEURISTICS = ("h_dtr", "e_star", "local", "msps", "lru", "size", "megengine")
PAGE = [ROOT / "docs/Benchmarks/Dtr.md"]
SHARES = (0.3, 0.4, 0.5, 0.6, 0.7)


def originals():
    """What the simulator of DTR's authors gives: cost of recomputations, or how the run ended, by (graph, policy, share)."""
    rows = json.loads((ROOT / "test/Planner/Inputs/dtr_original.json").read_text())["rows"]
    return {(row["graph"], row["policy"], row["ratio"]): row.get("recompute_cost", row["end"]) for row in rows if "within" not in row}


def simulate(tools, step, policy, budget, trace=None):
    """The figures of one simulated run, which gives up at the limit of the original's evaluation: recomputations that cost as much as the step."""
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
    return "-" if value is None else f"{round(100 * value, 2) + 0:.2f}"  # No minus before a zero.


def draw_arenas(rows, label, pool_key, path, with_live=False):
    """Bars of the static arena beside the pool of the same sequence, as .png or .svg."""
    pyplot = figure()
    if not pyplot:
        return
    _, axis = pyplot.subplots(figsize=(1 + 0.55 * len(rows), 4))
    places = range(len(rows))
    axis.bar([place - 0.2 for place in places], [1] * len(rows), 0.4, label="pool")
    axis.bar([place + 0.2 for place in places], [row["arena_bytes"] / row[pool_key] for row in rows], 0.4, label="static arena")
    if with_live:
        axis.plot(list(places), [row["live_bytes"] / row[pool_key] for row in rows], "_", color="black", markersize=14, label="live bytes")
    axis.axhline(0.891, linestyle=":", color="black", label="MegEngine, ResNet-50")
    axis.set_xticks(list(places), [f"{row[label]} {row['share']}" for row in rows], rotation=60, ha="right", fontsize=7)
    axis.set_ylabel("bytes for the same sequence")
    axis.legend(fontsize=7, loc="lower left")
    pyplot.tight_layout()
    pyplot.savefig(path)
