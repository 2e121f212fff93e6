#!/usr/bin/env python3
"""Recomputing and copying together against either alone: time above the unplanned step, at several budgets and bandwidths.

    benchmarks/swap/joint.py [GRAPH.graph.json ...] [--build build] [--budgets .7,.5,.3] [--effort N]
                             [--bandwidths 8,16,64] [--runs 1] [--json FILE] [--picture FILE]

A budget of .7 is what stays (fixed bytes, the caller's tensors, outputs) and 70 % of what the unplanned step takes above
it. Bandwidths are GB/s in each direction, for graphs whose costs are microseconds: 8, 16 and 32 are what PCIe 3, 4 and 5
leave, 64 and more NVLink. Plans are packed with --alignment=1. With --runs above 1, effort is raised by a percent each time,
which makes other random choices. User seconds are those of all three plans that --swap=search compares. A graph may be
TRANSFORMER:LAYERSxMICRO, which benchmarks/generate/transformer.py makes; 48x4 has 8,068 nodes. --summary prints the table
and the distribution of a log.
"""
import argparse
import itertools
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import built, graph_path, head, plain  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAPHS = [graph_path(name) for name in ("torch_resnet50_b32", "torch_gpt2_math_b4", "torch_mobilenet_v2_b32", "torch_vgg16_b32", "torch_unet_b1")]
LIMIT = 3600  # Never met. With a limit, a budget is searched for itself; without one, others are too, so that more never costs more.
WAYS = {"remat": ("search", "none"), "swap": ("checkpoint-all", "search"), "joint": ("search", "search")}


def resident_and_peak(solve, path, folder):
    graph = json.loads(path.read_text())
    resident = graph.get("fixed_bytes", 0) + sum(
        tensor["bytes"] for tensor in graph["tensors"]
        if tensor.get("kind") in ("parameter", "state", "input", "output") and "view_of" not in tensor)
    plan = folder / "unplanned.plan.json"
    subprocess.run([solve, "remat", path, "--remat=checkpoint-all", "--order=source", "--in-place=false", "--sharing=none",
                    "--alignment=1", "-o", plan], check=True, capture_output=True)
    return resident, json.loads(plan.read_text())["peak_bytes"], sum(node["cost"] for node in graph["nodes"])


def overhead(arguments, path, budget, rate, way, effort, folder):
    """Percent above the unplanned step, or None, and user seconds."""
    remat, swap = WAYS[way]
    plan = folder / "one.plan.json"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([arguments.build / "bin/memplan-solve", "remat", path, f"--remat={remat}", f"--swap={swap}", f"--budget={budget}", "--alignment=1",
                    "--order=source", f"--bandwidth={rate},{rate}", f"--effort={effort}", f"--time-limit={LIMIT}", "-o", plan],
                   capture_output=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    made = json.loads(plan.read_text())
    return (made.get("time", made["cost"]) if made["status"] in ("optimal", "feasible") else None), seconds


def make_graph(name, folder):
    """The path of a graph that is named, or made."""
    if not str(name).startswith("TRANSFORMER:"):
        return plain(name)
    shape = str(name).split(":")[1]
    path = folder / f"transformer_{shape}.graph.json"
    subprocess.run([sys.executable, ROOT / "benchmarks" / "generate" / "transformer.py", *shape.split("x"), "-o", path], check=True,
                   capture_output=True)
    return path


def measure(arguments, folder):
    """Row by row, the whole table once for each run."""
    graphs = [(path, *resident_and_peak(arguments.build / "bin/memplan-solve", path, folder)) for path in (make_graph(name, folder) for name in arguments.graphs)]
    for run in range(arguments.runs):
        effort = int(arguments.effort * (1 + 0.01 * run))
        alone = {}  # Without copies, bandwidth does not matter.
        for (path, resident, peak, cost), share, gigabytes in itertools.product(graphs, arguments.budgets, arguments.bandwidths):
            budget = int(resident + share * (peak - resident))
            row = {"graph": path.name.split(".")[0], "share": share, "gigabytes": gigabytes, "run": run, "effort": effort}
            for way in WAYS:
                known = alone.get((path, share)) if way == "remat" else None
                time, seconds = known or overhead(arguments, path, budget, gigabytes * 1000, way, effort, folder)
                if way == "remat":
                    alone[path, share] = time, seconds
                row[way] = None if time is None else 100 * (time / cost - 1)
                row[f"{way}_seconds"] = seconds
            yield row


def ratio_of(row):
    """Joint to the better of both alone; None where neither costs anything."""
    alone = [row[way] for way in ("remat", "swap") if row[way] is not None]
    if not alone or row["joint"] is None or min(alone) < 1e-3:
        return None
    return row["joint"] / min(alone)


def print_row(row):
    cell = {way: "-" if row[way] is None else f"{row[way]:.3g}" for way in WAYS}
    ratio = ratio_of(row)
    print(f"{row['graph']:24} {row['share']:4} {row['gigabytes']:5} {cell['remat']:>8} {cell['swap']:>8} {cell['joint']:>8} "
          f"{'-' if ratio is None else f'{ratio:.2f}':>6} {row['joint_seconds']:7.1f}", flush=True)


def print_distribution(rows):
    """Of the ratios, by bandwidth."""
    for gigabytes in sorted({row["gigabytes"] for row in rows}):
        ratios = sorted(ratio for row in rows if row["gigabytes"] == gigabytes and (ratio := ratio_of(row)) is not None)
        missing = sum(row["gigabytes"] == gigabytes and row["joint"] is None for row in rows)
        if len(ratios) < 2:
            continue
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
        print(f"{gigabytes:g} GB/s: mean {statistics.mean(ratios):.3f}; least {ratios[0]:.3f}, quartiles {low:.3f}, {middle:.3f}, {high:.3f}, "
              f"most {ratios[-1]:.3f}; {len(ratios)} runs in which either alone costs time, {missing} without a plan")


def print_table(rows):
    """Markdown: means over runs."""
    def mean(graph, share, gigabytes, way):
        values = [row[way] for row in rows if (row["graph"], row["share"], row["gigabytes"]) == (graph, share, gigabytes)]
        return "-" if not values or None in values else f"{statistics.mean(values):.3g}"
    speeds = sorted({row["gigabytes"] for row in rows})
    print(f"| graph | M | recomputations alone | copies alone at {', '.join(f'{s:g}' for s in speeds)} GB/s | both |\n|---|---|---|---|---|")
    for graph, share in dict.fromkeys((row["graph"], row["share"]) for row in rows):
        cells = [", ".join(mean(graph, share, speed, way) for speed in speeds) for way in ("swap", "joint")]
        print(f"| {graph} | {share:g} | {mean(graph, share, speeds[0], 'remat')} | {cells[0]} | {cells[1]} |")


def draw(rows, file):
    try:
        import matplotlib
    except ImportError:
        print("no picture: matplotlib is not there", file=sys.stderr)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(7, 4))
    names = sorted({(row["graph"], row["share"]) for row in rows})
    for name, share in names:
        points = sorted((row["gigabytes"], row["joint"]) for row in rows
                        if (row["graph"], row["share"]) == (name, share) and row["joint"] is not None)
        axes.plot(*zip(*points), marker="o", label=f"{name} {share}") if points else None
    axes.set_xscale("log", base=2)
    axes.set_xlabel("GB/s each way")
    axes.set_ylabel("% above the unplanned step")
    axes.legend(fontsize=6)
    figure.savefig(file, dpi=150, bbox_inches="tight")


def numbers(text):
    return [float(part) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--budgets", type=numbers, default=[0.7, 0.5, 0.3])
    parser.add_argument("--bandwidths", type=numbers, default=[8, 16, 64])
    parser.add_argument("--effort", type=int, default=300000)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    parser.add_argument("--summary", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-solve")
    if arguments.summary:
        rows = [row for log in arguments.summary for row in json.loads(log.read_text())]
        print_table(rows)
        print_distribution(rows)
        return
    print(head())
    print(f"{'graph':24} {'M':>4} {'GB/s':>5} {'remat %':>8} {'swap %':>8} {'joint %':>8} {'ratio':>6} {'user s':>7}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for row in measure(arguments, pathlib.Path(folder)):
            rows.append(row)
            print_row(row)
            if arguments.json:
                arguments.json.write_text(json.dumps(rows, indent=1))
    print_distribution(rows)
    if arguments.picture:
        draw(rows, arguments.picture)


if __name__ == "__main__":
    main()
