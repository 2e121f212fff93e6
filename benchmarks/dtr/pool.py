#!/usr/bin/env python3
"""MegEngine's experiment: the same sequence in a pool, and with static offsets; and what can be planned for those bytes.

Their step always runs the same ops: ResNet-50, batch 400, took 9595 MB of the pool and 8549 MB (0.891) once it was planned statically. Here each
graph runs as DTR runs it (`--heuristic`), with all the memory it asks for and within shares of it. One row says
- pool: the high-water mark of a pool without a limit (best fit, 512 bytes, holes joined) for the sequence;
- arena: static offsets of the same sequence, and their share of the pool; live bytes, below which no offsets go;
- then three costs within the bytes of that arena: of the run, of the improved run, and of the plan that is made of both and of the graph;
- in a pool of the budget's size, what the same policy costs, because values have to go for holes that do not fit.
"""
import argparse
import json
import pathlib
import sys
import tempfile

from simulation import PAGE, ROOT, Table, built, draw_arenas, graph_named, percent, replay, simulate, write_json

GRAPHS = ("torch_resnet50_b32", "shufflenet_v2_b32", "torch_unet_b1", "torch_gpt2_math_b4", "dtr_resnet32", "dtr_unet", "dtr_transformer")


def row_of(tools, step, share, heuristic, flags):
    budget = step.budget(share) if share < 1 else None
    row = {"graph": step.name, "share": share, "budget": budget}
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "run.trace.json"
        run = simulate(tools, step, heuristic, budget, trace)
        row |= {"end": run["end"], "run": run["recompute_cost"] / step.cost, "evictions": run["evictions"]}
        if run["end"] != "done":
            return row
        pooled = simulate(tools, step, f"{heuristic},memory=pool", budget)
        row |= {"run_in_pool": pooled["recompute_cost"] / step.cost if pooled["end"] == "done" else None, "compactions": pooled["compactions"]}
        figures = replay(tools, step, trace, *flags)
    row |= {name: figures[name] for name in ("pool_bytes", "arena_bytes", "live_bytes", "user_seconds")}
    for name in ("packed", "improved", "planned"):
        row[name] = figures[name]["cost"] / step.cost - 1
        row[f"{name}_bytes"] = figures[name]["arena_bytes"]
    return row


def add_rows(table, rows):
    table.add("| graph | share | pool MB | arena MB | arena / pool | live / pool | run % | improved % | planned % | run in such a pool % |", "|---" * 10 + "|")
    for row in rows:
        if row["end"] != "done":
            table.add(f"| {row['graph']} | {row['share']} | {row['end']} |" + " |" * 7)
            continue
        pool = row["pool_bytes"]
        table.add(f"| {row['graph']} | {row['share']} | {pool / 1e6:.1f} | {row['arena_bytes'] / 1e6:.1f} | {row['arena_bytes'] / pool:.3f} | "
                  f"{row['live_bytes'] / pool:.3f} | {percent(row['packed'])} | {percent(row['improved'])} | {percent(row['planned'])} | "
                  f"{percent(row['run_in_pool'])} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of a build with memplan-solve")
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    parser.add_argument("--shares", nargs="+", type=float, default=(1, 0.7, 0.5))
    parser.add_argument("--heuristic", default="e_star")
    parser.add_argument("--effort", type=int, help="of improving and planning")
    parser.add_argument("--json", type=pathlib.Path, help="write every row as JSON")
    parser.add_argument("--rows", type=pathlib.Path, help="print and draw the rows of such a log instead of running")
    parser.add_argument("--picture", type=pathlib.Path, help="write bars, as .png or .svg")
    parser.add_argument("--write", action="store_true", help="put the table into docs/Benchmarks/Dtr.md")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-solve")
    table, rows = Table(), []
    flags = [f"--effort={arguments.effort}"] if arguments.effort else []
    if arguments.rows:
        rows = json.loads(arguments.rows.read_text())["rows"]
    for name in arguments.graphs if not rows else ():
        step = graph_named(name)
        for share in arguments.shares:
            rows.append(row_of(arguments.build / "bin", step, share, arguments.heuristic, flags))
            print(f"{name} {share}: done", file=sys.stderr)
            if rows[-1]["end"] == "done" and rows[-1]["arena_bytes"] > rows[-1]["pool_bytes"]:
                sys.exit("static offsets took more than the pool")
            if arguments.json:
                write_json(arguments.json, rows)
    add_rows(table, rows)
    if arguments.write:
        table.write(PAGE, "benchmarks/dtr/pool.py")
    if arguments.picture:
        draw_arenas([row for row in rows if row["end"] == "done"], "graph", "pool_bytes", arguments.picture)


if __name__ == "__main__":
    main()
