#!/usr/bin/env python3
"""Many budgets: the curve of --pareto beside single budgets, and that more budget never costs more in separate runs.

    benchmarks/remat/budgets.py [--graphs NAME ...] [--points N] [--runs N] [--seed N] [--json FILE]

For each graph: one --pareto=N, every plan of which passes utils/check_plan.py, with its user seconds and those of the
least and the middle budget alone; then N budgets between the least of the curve and the peak without recomputation, each
planned by a process of its own in random order. It fails where a larger budget has a plan that costs more, or none.
"""
import argparse
import json
import pathlib
import random
import sys
import tempfile

from common import ROOT, check, graph_named, head, plan, timed, write_json

GRAPHS = ("torch_vgg16_b32", "torch_unet_b1", "torch_mobilenet_v2_b32", "torch_resnet50_b32", "torch_gpt2_math_b4")


def curve_of(tools, step, points):
    with tempfile.TemporaryDirectory() as folder:
        path, plans = pathlib.Path(folder) / "curve.json", pathlib.Path(folder) / "plans"
        done, seconds = timed([tools / "memplan-solve", "remat", step.path, f"--pareto={points}", f"--pareto-plans={plans}", "-o", path])
        if done.returncode:
            sys.exit(f"{step.name}: {done.stderr}")
        curve = json.loads(path.read_text())
        for point in curve["points"]:
            check(step.path, point.pop("plan"), point["budget_bytes"])
    return curve, seconds


def rises(rows):
    """Pairs of budgets where the larger one costs more."""
    found, cheapest = [], None
    for row in sorted(rows, key=lambda row: row["budget"]):
        cost = row.get("overhead", float("inf"))
        if cheapest and cost > cheapest.get("overhead", float("inf")) + 1e-12:
            found.append((cheapest, row))
        if cheapest is None or cost <= cheapest.get("overhead", float("inf")):
            cheapest = row
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    parser.add_argument("--points", type=int, default=20)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    print(head(), flush=True)
    tools, dice, log, failed = arguments.build / "bin", random.Random(arguments.seed), [], False
    print(f'seed {arguments.seed}\n{"graph":<24}{"curve s":>9}{"least s":>9}{"middle s":>9}{"largest gap":>13}{"runs":>6}{"rises":>7}')
    for name in arguments.graphs:
        step = graph_named(name)
        curve, seconds = curve_of(tools, step, arguments.points)
        budgets = [point["budget_bytes"] for point in curve["points"]]
        alone = [plan(tools, step, "auto", budgets[at])["user_seconds"] for at in (0, len(budgets) // 2)]
        asked = [budgets[0] + (curve["unplanned_bytes"] - budgets[0]) * i // arguments.runs for i in range(arguments.runs)]
        dice.shuffle(asked)
        rows = [plan(tools, step, "auto", budget) for budget in asked]
        found = rises(rows)
        log.append({"graph": step.name, "user_seconds": round(seconds, 3), "least_alone": alone[0], "middle_alone": alone[1],
                    "curve": curve, "runs": rows, "rises": len(found)})
        gap = max(point["gap_percent"] for point in curve["points"])
        print(f"{step.name:<24}{seconds:>9.2f}{alone[0]:>9.2f}{alone[1]:>9.2f}{gap:>11.2f} %{len(rows):>6}{len(found):>7}", flush=True)
        for less, more in found:
            print(f'  {less["budget"]} bytes: {less.get("overhead")}, {more["budget"]} bytes: {more.get("overhead")}')
        failed |= bool(found)
        if arguments.json:
            write_json(arguments.json, log)
    sys.exit("more budget cost more" if failed else 0)


if __name__ == "__main__":
    main()
