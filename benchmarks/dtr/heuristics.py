#!/usr/bin/env python3
"""What recomputation costs at shares of the memory: every online heuristic of DTR, and an offline plan.

Graphs are those of DTR's evaluation (benchmarks/data/graphs/dtr_*). A share is (budget - constants) / (peak in source order - constants).
Heuristics are simulated with the accounting of the original, which counts bytes of values; memplan's plan keeps the same budget in bytes of its
arena, which is harder; `best in a pool` is the best heuristic where it, too, has to find addresses in one block of the budget. The plan is made from
the run of that one by `memplan-solve replay`, or from the graph alone where none ends; it may cost no more than the run, or the benchmark stops. Beside
each heuristic stands what the simulator of DTR's authors gives (test/Planner/Inputs/dtr_original.json), where it was run.
"""
import argparse
import json
import pathlib
import sys
import tempfile

from simulation import HEURISTICS, PAGE, ROOT, SHARES, Table, built, figure, graph_named, originals, percent, plan, replay, simulate, write_json

PLAN = "offline plan"


def offline_of(tools, step, online, pooled, budget, flags):
    """The plan from the run of the best heuristic, preferably one that finds addresses."""
    found = pooled or online
    if not found:
        made = plan(tools, step, "auto", budget, *flags)
        return {"offline": made.get("overhead"), "bound": made.get("bound"), "by": made.get("by"), "user_seconds": made["user_seconds"]}
    best = min(found, key=found.get)
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "run.trace.json"
        simulate(tools, step, best + (",memory=pool" if pooled else ""), budget, trace)
        figures = replay(tools, step, trace, f"--budget={budget}", *flags)
    planned, device = figures["planned"]["cost"] / step.cost - 1, figures["planned"]["device_bytes"]
    if device > budget or (pooled and planned > pooled[best] + 1e-9):
        sys.exit(f"{step.name}: the plan costs {planned} in {device} bytes, the run of {best} {found[best]} in {budget}")
    return {"offline": planned, "bound": figures["bound"] / step.cost - 1, "by": figures["by"], "from": best,
            "user_seconds": figures["user_seconds"]}


def row_of(tools, step, share, heuristics, pools, known, flags):
    budget = step.budget(share)
    online = {}
    for heuristic in heuristics:
        run = simulate(tools, step, heuristic, budget)
        ended = run["recompute_cost"] if run["end"] == "done" else {"out_of_memory": "oom", "thrashing": "thrash"}[run["end"]]
        if ended != known.get((step.name, heuristic, share), ended):
            sys.exit(f"{step.name}, {heuristic}, {share}: {ended}, but {known[step.name, heuristic, share]} in the original")
        online[heuristic] = None if isinstance(ended, str) else ended / step.cost
    pooled = {name: simulate(tools, step, f"{name},memory=pool", budget) for name in heuristics if pools}
    pooled = {name: run["recompute_cost"] / step.cost for name, run in pooled.items() if run["end"] == "done"}
    return {"graph": step.name, "share": share, "budget": budget, "online": online,
            "original": {name: known[step.name, name, share] for name in heuristics if (step.name, name, share) in known},
            "best": min((cost for cost in online.values() if cost is not None), default=None),
            "best_in_pool": min(pooled.values(), default=None),
            **offline_of(tools, step, {name: cost for name, cost in online.items() if cost is not None}, pooled, budget, flags)}


def add_rows(table, rows, heuristics):
    table.add("| graph | share | " + " | ".join(f"`{name}`" for name in heuristics) +
              f" | best in a pool | {PLAN} | its bound | plan / best | bound / best | plan / best in a pool | user s |", "|---" * (len(heuristics) + 9) + "|")

    def share_of(row, name, what="offline"):
        return f"{row[what] / row[name]:.3f}" if row[name] and row[what] is not None else "-"

    for row in rows:
        table.add(f"| {row['graph']} | {row['share']} | " + " | ".join(percent(row["online"].get(name)) for name in heuristics) +
                  f" | {percent(row['best_in_pool'])} | {percent(row['offline'])} | {percent(row['bound'])} | {share_of(row, 'best')} | {share_of(row, 'best', 'bound')}"
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
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of a build with memplan-solve")
    parser.add_argument("--graphs", nargs="+", default=["dtr_resnet32", "dtr_unet", "dtr_transformer", "dtr_lstm"])
    parser.add_argument("--shares", nargs="+", type=float, default=SHARES)
    parser.add_argument("--heuristics", nargs="+", default=HEURISTICS)
    parser.add_argument("--no-pools", action="store_true", help="do not run heuristics in a pool, where that takes too long")
    parser.add_argument("--effort", type=int, help="of the offline plan")
    parser.add_argument("--json", type=pathlib.Path, help="write every row as JSON")
    parser.add_argument("--rows", type=pathlib.Path, help="print and draw the rows of such a log instead of running")
    parser.add_argument("--picture", type=pathlib.Path, help="write the curves, as .png or .svg")
    parser.add_argument("--write", action="store_true", help="put the table into docs/Benchmarks/Dtr.md")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-solve")
    table, rows, known = Table(), [], originals()
    flags = [f"--effort={arguments.effort}"] if arguments.effort else []
    if arguments.rows:
        rows = json.loads(arguments.rows.read_text())["rows"]
    for name in arguments.graphs if not rows else ():
        step = graph_named(name)
        for share in arguments.shares:
            rows.append(row_of(arguments.build / "bin", step, share, arguments.heuristics, not arguments.no_pools, known, flags))
            print(f"{name} {share}: best heuristic {percent(rows[-1]['best'])} %, plan {percent(rows[-1]['offline'])} %", file=sys.stderr)
            if arguments.json:
                write_json(arguments.json, rows)
    add_rows(table, rows, arguments.heuristics)
    if arguments.write:
        table.write(PAGE, "benchmarks/dtr/heuristics.py")
    if arguments.picture:
        draw(rows, arguments.heuristics, arguments.picture)


if __name__ == "__main__":
    main()
