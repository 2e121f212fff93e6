#!/usr/bin/env python3
"""Milliseconds of a step on the CPU backend within one budget: DTR, checkpointing and memplan's plan; and what DTR's bookkeeping costs.

The budget is a share of what the unplanned step takes from a pool (`--dynamic=dtr --budget=100%`), the same bytes for all; each way runs several times,
in turns with the others, and the least of its medians counts. Values that differ from the unplanned step's stop the benchmark (`--check` in one run
of each). Bookkeeping: the step in a pool that is half as large again as it needs, less the planned step without recomputation, for each op.
"""
import argparse
import pathlib
import re
import sys

from simulation import ROOT, timed, write_json

EXAMPLES = ("unet", "resnet", "mobilenet", "residual", "vgg")
WAYS = {"h_dtr": ["--dynamic=dtr"], "e_star": ["--dynamic=dtr", "--heuristic=e_star"], "h_dtr, replayed": ["--dynamic=dtr", "--replay"],
        "checkpointing": ["--remat=linearized-greedy"], "plan": []}


def run(tools, example, *flags):
    """The text of one run, or None where it found no way within the budget."""
    done, _ = timed([tools / "memplan-run", example, *flags])
    text = done.stdout + done.stderr
    if "differ" in text:
        sys.exit(f"{example} {' '.join(flags)}: {text}")
    return text if done.returncode == 0 else None


def milliseconds(text):
    found = text and re.search(r"time: ([0-9.e+-]+) ms a step", text)
    return float(found.group(1)) if found else None


def best_of(tools, example, ways, steps, rounds):
    best = {}
    for name, flags in ways.items():
        best[name] = None if run(tools, example, *flags, "--steps=2", "--check") is None else float("inf")
    for _ in range(rounds):
        for name, flags in ways.items():
            if best[name] is not None:
                best[name] = min(best[name], milliseconds(run(tools, example, *flags, f"--steps={steps}")) or float("inf"))
    return best


def rows_of(arguments, name):
    example = ROOT / f"examples/small/{name}.mlir"
    text = run(arguments.tools, example, "--dynamic=dtr", "--budget=100%", "--steps=1")
    whole = int(re.search(r"pool (\d+) bytes", text).group(1))
    for share in arguments.shares:
        budget = f"--budget={int(share * whole)}"
        ways = {way: [*flags, budget] for way, flags in WAYS.items()}
        ways["no budget"] = ["--remat=checkpoint-all"]
        yield {"example": name, "share": share, "bytes": int(share * whole)} | best_of(arguments.tools, example, ways, arguments.steps, arguments.rounds)
    free = {"dynamic": ["--dynamic=dtr", f"--budget={3 * whole // 2}"], "static": ["--remat=checkpoint-all"]}
    ops = int(re.search(r"dynamic: (\d+) ops", run(arguments.tools, example, *free["dynamic"], "--steps=1")).group(1))
    best = best_of(arguments.tools, example, free, arguments.steps, arguments.rounds)
    yield {"example": name, "ops": ops, "microseconds_an_op": 1000 * (best["dynamic"] - best["static"]) / ops} | best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin", help="folder of memplan-run, with its compiler")
    parser.add_argument("--examples", nargs="+", default=EXAMPLES)
    parser.add_argument("--shares", nargs="+", type=float, default=(0.9, 0.75))
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--log", type=pathlib.Path, help="write every row as JSON")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.examples:
        for row in rows_of(arguments, name):
            rows.append(row)
            print(row, file=sys.stderr)
            if arguments.log:
                write_json(arguments.log, rows)
    ways = [*WAYS, "no budget"]
    print("| example | share | " + " | ".join(f"{way}, ms" for way in ways) + " |")
    print("|---" * (len(ways) + 2) + "|")
    for row in rows:
        if "share" in row:
            print(f"| {row['example']} | {row['share']} | " + " | ".join("-" if row[way] is None else f"{row[way]:.2f}" for way in ways) + " |")
    print("\n| example | ops | dynamic, ms | static, ms | difference, us an op |")
    print("|---|---|---|---|---|")
    for row in rows:
        if "ops" in row:
            print(f"| {row['example']} | {row['ops']} | {row['dynamic']:.3f} | {row['static']:.3f} | {row['microseconds_an_op']:.2f} |")


if __name__ == "__main__":
    main()
