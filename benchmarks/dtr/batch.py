#!/usr/bin/env python3
"""The largest batch of DTR, of checkpointing and of memplan's plan at one budget.

The budget is what the step takes at its own batch without recomputation. Values grow with the batch, parameters and other constants do not, so
that a batch b times as large fits where the values fit 1/b of their bytes. Two limits: recomputations cost no more than one more forward pass (a third of the
step, as in Checkmate's experiment) or than the step (where the evaluation of DTR gives up). Found by bisection to a hundredth; DTR is simulated with the
bytes of values, plans count those of their arena.
"""
import argparse
import pathlib
import sys

from simulation import HEURISTICS, PAGE, ROOT, Table, built, graph_named, plan, simulate, write_json

PLANNERS = {"checkpointing": "linearized-greedy", "plan": "auto"}


def overhead(tools, step, who, share, flags):
    budget = step.budget(share)
    if who in PLANNERS:
        return plan(tools, step, PLANNERS[who], budget, *flags).get("overhead")
    run = simulate(tools, step, who, budget)
    return run["recompute_cost"] / step.cost if run["end"] == "done" else None


def least_share(fits, precision):
    """The least share that fits, all between it and 1 taken to fit; online heuristics are not monotone, so larger steps come first."""
    good, bad = 1.0, 0.0
    while good - bad > precision:
        middle = max((good + bad) / 2, good * 0.8)
        if fits(middle):
            good = middle
        else:
            bad = middle
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of a build with memplan-solve")
    parser.add_argument("--graphs", nargs="+", default=["dtr_resnet32", "dtr_unet", "dtr_transformer", "torch_resnet50_b32", "torch_unet_b1"])
    parser.add_argument("--heuristics", nargs="+", default=HEURISTICS)
    parser.add_argument("--limits", nargs="+", type=float, default=(1 / 3, 1))
    parser.add_argument("--precision", type=float, default=0.01)
    parser.add_argument("--effort", type=int, help="of the plans")
    parser.add_argument("--json", type=pathlib.Path, help="write every row as JSON")
    parser.add_argument("--write", action="store_true", help="put the table into docs/Benchmarks/Dtr.md")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-solve")
    table, who = Table(), [*arguments.heuristics, *PLANNERS]
    flags = [f"--effort={arguments.effort}"] if arguments.effort else []
    rows = []
    for name in arguments.graphs:
        step, tried = graph_named(name), {}

        def fits(way, share, limit):
            key = way, round(share, 6)
            if key not in tried:
                tried[key] = overhead(arguments.build / "bin", step, way, share, flags)
            return tried[key] is not None and tried[key] <= limit

        for limit in arguments.limits:
            found = {way: 1 / least_share(lambda share: fits(way, share, limit), arguments.precision) for way in who}  # noqa: B023
            rows.append({"graph": name, "limit": limit, "batch": found})
            print(f"{name} {limit:.2f}: {found}", file=sys.stderr)
            if arguments.json:
                write_json(arguments.json, rows)
    table.add("| graph | recomputations at most | " + " | ".join(who) + " |", "|---" * (len(who) + 2) + "|")
    for row in rows:
        table.add(f"| {row['graph']} | {100 * row['limit']:.0f} % | " + " | ".join(f"{row['batch'][way]:.2f}" for way in who) + " |")
    if arguments.write:
        table.write(PAGE, "benchmarks/dtr/batch.py")


if __name__ == "__main__":
    main()
