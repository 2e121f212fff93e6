#!/usr/bin/env python3
"""What recomputation costs at shares of the memory: every online heuristic of DTR, and an offline plan.

Graphs are those of DTR's evaluation (benchmarks/data/graphs/dtr_*). A share is (budget - constants) / (peak in source order - constants).
Heuristics are simulated with the accounting of the original, which counts bytes of values; memplan's plan keeps the same budget in bytes of its
arena, which is harder; `best in a pool` is the best heuristic where it, too, has to find addresses in one block of the budget. Beside each heuristic stands what the simulator of DTR's authors gives (test/Planner/Inputs/dtr_original.json), where it was run.
"""
import argparse
import json
import pathlib
import sys

from simulation import HEURISTICS, ROOT, SHARES, figure, graph_named, originals, percent, plan, simulate, write_json

PLAN = "offline plan"


def row_of(tools, step, share, heuristics, known, flags):
    budget = step.budget(share)
    online = {}
    for heuristic in heuristics:
        run = simulate(tools, step, heuristic, budget)
        ended = run["rerun_cost"] if run["end"] == "done" else {"out_of_memory": "oom", "thrashing": "thrash"}[run["end"]]
        if ended != known.get((step.name, heuristic, share), ended):
            sys.exit(f"{step.name}, {heuristic}, {share}: {ended}, but {known[step.name, heuristic, share]} in the original")
        online[heuristic] = None if isinstance(ended, str) else ended / step.cost
    pooled = [simulate(tools, step, f"{heuristic},memory=pool", budget) for heuristic in heuristics]
    offline = plan(tools, step, "auto", budget, *flags)
    return {"graph": step.name, "share": share, "budget": budget, "online": online,
            "original": {name: known[step.name, name, share] for name in heuristics if (step.name, name, share) in known},
            "best": min((cost for cost in online.values() if cost is not None), default=None),
            "best_in_pool": min((run["rerun_cost"] / step.cost for run in pooled if run["end"] == "done"), default=None),
            "offline": offline.get("overhead"), "bound": offline.get("bound"), "user_seconds": offline["user_seconds"]}


def print_table(rows, heuristics):
    print("| graph | share | " + " | ".join(f"`{name}`" for name in heuristics) + f" | best in a pool | {PLAN} | its bound | plan / best | plan / best in a pool | user s |")
    print("|---" * (len(heuristics) + 8) + "|")

    def share_of(row, name):
        return f"{row['offline'] / row[name]:.3f}" if row[name] and row["offline"] is not None else "-"

    for row in rows:
        print(f"| {row['graph']} | {row['share']} | " + " | ".join(percent(row["online"].get(name)) for name in heuristics) +
              f" | {percent(row['best_in_pool'])} | {percent(row['offline'])} | {percent(row['bound'])} | {share_of(row, 'best')}"
              f" | {share_of(row, 'best_in_pool')} | {row['user_seconds']:.1f} |")


def draw(rows, heuristics, path):
    pyplot = figure()
    if not pyplot:
        return
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    _, axes = pyplot.subplots(1, len(graphs), figsize=(4.5 * len(graphs), 3.6), squeeze=False)
    for axis, graph in zip(axes[0], graphs):
        own = [row for row in rows if row["graph"] == graph]
        lines = {name: [row["online"].get(name) for row in own] for name in heuristics}
        lines["best in a pool"] = [row["best_in_pool"] for row in own]
        lines[PLAN] = [row["offline"] for row in own]
        for name, values in lines.items():
            points = [(row["share"], 100 * value) for row, value in zip(own, values) if value is not None]
            axis.plot(*zip(*points) if points else ([], []), marker="o", markersize=3, label=name, linewidth=2.5 if name == PLAN else 1)
        axis.set(title=graph, xlabel="memory / source order", ylabel="recomputation in % of the step", ylim=(0, 60))
    axes[0][-1].legend(fontsize=7)
    pyplot.tight_layout()
    pyplot.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin", help="folder of memplan-solve")
    parser.add_argument("--graphs", nargs="+", default=["dtr_resnet32", "dtr_unet", "dtr_transformer", "dtr_lstm"])
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES)
    parser.add_argument("--heuristics", nargs="+", default=HEURISTICS)
    parser.add_argument("--effort", type=int, help="of the offline plan")
    parser.add_argument("--log", type=pathlib.Path, help="write every row as JSON")
    parser.add_argument("--rows", type=pathlib.Path, help="print and draw the rows of such a log instead of running")
    parser.add_argument("--picture", type=pathlib.Path, help="write the curves, as .png or .svg")
    arguments = parser.parse_args()
    rows, known = [], originals()
    flags = [f"--effort={arguments.effort}"] if arguments.effort else []
    if arguments.rows:
        rows = json.loads(arguments.rows.read_text())["rows"]
    for name in arguments.graphs if not rows else ():
        step = graph_named(name)
        for share in arguments.shares:
            rows.append(row_of(arguments.tools, step, share, arguments.heuristics, known, flags))
            print(f"{name} {share}: best heuristic {percent(rows[-1]['best'])} %, plan {percent(rows[-1]['offline'])} %", file=sys.stderr)
            if arguments.log:
                write_json(arguments.log, rows)
    print_table(rows, arguments.heuristics)
    if arguments.picture:
        draw(rows, arguments.heuristics, arguments.picture)


if __name__ == "__main__":
    main()
