#!/usr/bin/env python3
"""Milliseconds of a step on the CPU backend within one budget: DTR, checkpointing and memplan's plan; and what DTR's bookkeeping costs.

The budget is a share of what the unplanned step takes from a pool (`--dynamic=dtr --budget=100%`), the same bytes for all. Programs are compiled and
planned beforehand; each way then runs several times, in turns with the others: few steps and many, and the difference of their processor times, which
hold on a busy machine, is what the steps take. The least of a way's times counts. Values that differ from the unplanned step's stop the benchmark
(`--check` in one run of each). Bookkeeping: the step in a pool that is half as large again as it needs, less the planned step without recomputation,
for each op.
"""
import argparse
import pathlib
import re
import sys
import tempfile

from simulation import PAGE, ROOT, Table, built, timed, write_json

EXAMPLES = ("unet", "resnet", "mobilenet", "residual", "gpt2")
WAYS = {"h_dtr": ["--dynamic=dtr"], "e_star": ["--dynamic=dtr", "--heuristic=e_star"], "h_dtr, replayed": ["--dynamic=dtr", "--replay"],
        "checkpointing": ["--remat=linearized-greedy"], "plan": []}


def run(tools, example, *flags):
    """The text of one run, or None where it found no way within the budget."""
    done, _ = timed([tools / "memplan-run", example, *flags])
    text = done.stdout + done.stderr
    if "differ" in text:
        sys.exit(f"{example} {' '.join(flags)}: {text}")
    return text if done.returncode == 0 else None


class Way:
    """A program with its flags, checked; `program` is None where there is no way within the budget."""

    def __init__(self, tools, example, flags, folder):
        self.tools, self.program, self.best = tools, None, None
        if run(tools, example, *flags, "--steps=2", "--check") is None:
            return
        self.program = pathlib.Path(folder) / f"{len(list(pathlib.Path(folder).iterdir()))}.mpp"
        is_dynamic = "--dynamic=dtr" in flags
        self.flags = flags if is_dynamic else []
        planning = ["--remat=checkpoint-all"] if is_dynamic else flags
        run(tools, example, *planning, f"--{'emit-unplanned' if is_dynamic else 'emit-program'}={self.program}")

    def seconds(self, steps):
        done, seconds = timed([self.tools / "memplan-run", self.program, *self.flags, f"--steps={steps}"])
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
        return seconds

    def measure(self, steps):
        """One more time, in milliseconds a step."""
        few = max(1, steps // 10)
        taken = 1000 * (self.seconds(few + steps) - self.seconds(few)) / steps
        self.best = taken if self.best is None else min(self.best, taken)


def best_of(arguments, example, flags):
    with tempfile.TemporaryDirectory() as folder:
        ways = {name: Way(arguments.build / "bin", example, list(given), folder) for name, given in flags.items()}
        for _ in range(arguments.rounds):
            for way in ways.values():
                if way.program:
                    way.measure(arguments.steps)
        return {name: way.best for name, way in ways.items()}


def rows_of(arguments, name):
    example = ROOT / f"examples/small/{name}.mlir"
    text = run(arguments.build / "bin", example, "--dynamic=dtr", "--budget=100%", "--steps=1")
    whole = int(re.search(r"pool (\d+) bytes", text).group(1))
    for share in arguments.shares:
        budget = f"--budget={int(share * whole)}"
        ways = {way: [*flags, budget] for way, flags in WAYS.items()} | {"no budget": ["--remat=checkpoint-all"]}
        yield {"example": name, "share": share, "bytes": int(share * whole)} | best_of(arguments, example, ways)
    free = {"dynamic": ["--dynamic=dtr", f"--budget={3 * whole // 2}"], "static": ["--remat=checkpoint-all"]}
    ops = int(re.search(r"dynamic: (\d+) ops", run(arguments.build / "bin", example, *free["dynamic"], "--steps=1")).group(1))
    best = best_of(arguments, example, free)
    yield {"example": name, "ops": ops, "microseconds_an_op": 1000 * (best["dynamic"] - best["static"]) / ops} | best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of a build with memplan-run, with its compiler")
    parser.add_argument("--examples", nargs="+", default=EXAMPLES)
    parser.add_argument("--shares", nargs="+", type=float, default=(0.9, 0.75))
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path, help="write every row as JSON")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/Benchmarks/Dtr.md")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-run")
    table, rows = Table(), []
    for name in arguments.examples:
        for row in rows_of(arguments, name):
            rows.append(row)
            print(row, file=sys.stderr)
            if arguments.json:
                write_json(arguments.json, rows)
    ways = [*WAYS, "no budget"]
    table.add("| example | share | " + " | ".join(f"{way}, ms" for way in ways) + " |", "|---" * (len(ways) + 2) + "|")
    for row in rows:
        if "share" in row:
            table.add(f"| {row['example']} | {row['share']} | " + " | ".join("-" if row[way] is None else f"{row[way]:.2f}" for way in ways) + " |")
    table.add("", "| example | ops | dynamic, ms | static, ms | difference, us an op |", "|---" * 5 + "|")
    for row in rows:
        if "ops" in row:
            table.add(f"| {row['example']} | {row['ops']} | {row['dynamic']:.3f} | {row['static']:.3f} | {row['microseconds_an_op']:.2f} |")
    if arguments.write:
        table.write(PAGE, "benchmarks/dtr/runs.py")


if __name__ == "__main__":
    main()
