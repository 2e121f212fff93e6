#!/usr/bin/env python3
"""What does a fixed order cost? The best plan in source order beside the best in any order, on steps so small that both can be proved.

    benchmarks/remat/order_price.py [--nodes 6 7 8 10] [--count 12] [--fractions F ...] [--graphs NAME ...] [--build build] [--json FILE] [--write]

For each number of nodes, so many random layered graphs (benchmarks/generate/layered.py), each at the same fractions; then the
graphs of benchmarks/data/graphs that are named. A fraction is one of the way from the largest working set of a node, below which nothing works, to
the peak in source order. In source order: --remat=milp. In any order: --order=search --remat=milp
--milp-formulation=free-order, an integer program of positions. Budgets are of live bytes (--arena=none), nothing lies in place, and every plan
passes utils/check_plan.py. One row is one kind of graph at one fraction: of how many graphs both costs are proved, how many have no plan in source
order but one in another, and what source order costs beyond any order, in % of the step, where both are proved.
"""
import argparse
import pathlib
import statistics
import sys
import tempfile

from common import ROOT, Step, Table, built, graph_named, percent, plan, write_json

sys.path.append(str(ROOT / "benchmarks/generate"))
from graph_file import write_graph  # noqa: E402
from layered import layered  # noqa: E402

BOTH = ("--arena=none", "--in-place=false", "--remat=milp")
FIXED = ("--order=source",)
FREE = ("--order=search", "--milp-formulation=free-order")


def generated(count, seed, folder):
    path = pathlib.Path(folder) / f"layered{count}_s{seed}.graph.json"
    with open(path, "w") as stream:
        write_graph(layered(count, seed), stream)
    return Step(path)


def is_proved(row):
    return row["status"] == "optimal"


def budget_of(step, fraction):
    sizes = [sum(step.own_bytes.get(tensor, 0) for tensor in {*node["inputs"], *node["outputs"]}) for node in step.graph["nodes"]]
    return int(max(sizes) + fraction * (step.peak - max(sizes)))


def compare(tools, step, fraction, effort):
    flags, budget = [*BOTH, f"--effort={effort}"], budget_of(step, fraction)
    fixed, free = (plan(tools, step, "milp", budget, *flags, *order) for order in (FIXED, FREE))
    row = {"graph": step.name, "nodes": step.nodes, "fraction": fraction, "budget": budget, "fixed": fixed, "free": free}
    if "overhead" in fixed and "overhead" in free and is_proved(free) and free["overhead"] > fixed["overhead"] + 1e-9:
        sys.exit(f"{step.name} at {fraction}: the proved plan in any order costs more than one in source order")
    if is_proved(fixed) and is_proved(free):
        row["price"] = fixed["overhead"] - free["overhead"]
    return row


def summary(rows):
    prices = [row["price"] for row in rows if "price" in row]
    only_free = sum("overhead" in row["free"] and "overhead" not in row["fixed"] for row in rows)
    costlier = sum(price > 1e-6 for price in prices)
    average = percent(statistics.mean(prices)) if prices else "-"
    return f"{len(rows)} | {len(prices)} | {only_free} | {costlier} | {average} | {percent(max(prices)) if prices else '-'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", nargs="*", type=int, default=[6, 7, 8, 10])
    parser.add_argument("--count", type=int, default=12, help="random graphs of each size")
    parser.add_argument("--graphs", nargs="*", default=[], help="of benchmarks/data/graphs")
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.6, 0.3, 0.1, 0])
    parser.add_argument("--effort", type=int, default=200000, help="of each plan")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="put the table into docs/Benchmarks/Curves.md")
    arguments = parser.parse_args()
    tools, table = built(arguments.build, "memplan-solve") / "bin", Table()
    table.add("| graphs | fraction | pairs of plans | both proved | no plan in source order only | costlier in source order | mean price | largest price |",
              "|---" * 8 + "|")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        kinds = [(f"layered, {count} nodes", [generated(count, seed, folder) for seed in range(1, arguments.count + 1)]) for count in arguments.nodes]
        kinds += [(name, [graph_named(name)]) for name in arguments.graphs]
        for kind, steps in kinds:
            for fraction in arguments.fractions:
                here = [compare(tools, step, fraction, arguments.effort) | {"kind": kind} for step in steps]
                rows += here
                table.add(f"| {kind} | {fraction:g} | {summary(here)} |")
                if arguments.json:
                    write_json(arguments.json, rows)
    if arguments.write:
        table.write([ROOT / "docs/Benchmarks/Curves.md"], "benchmarks/remat/order_price.py")


if __name__ == "__main__":
    main()
