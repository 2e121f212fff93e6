#!/usr/bin/env python3
"""How many bytes do networks on memrefs take in one arena, and does that cost time? memplan-plan-memrefs beside best fit in program order.

    benchmarks/memrefs/compare.py [--networks unet lstm ...] [--sizes small large] [--rounds 15]
        [--build build] [--json FILE]

Each network is written by networks.py on tensors, brought to memrefs with deallocations by mlir-opt, planned, lowered and run by
mlir-runner -O3. `separate` is the sum of all allocations, `live` their bound: the most bytes that are live at one point. `in order` is best fit in
program order with the same live ranges; `as upstream` best fit in program order on ranges from allocation to deallocation, as LLVM's
static memory planner does it. Seconds are CPU time, medians of runs of three variants one after the other in one process: with separate allocations, with an
arena that each run allocates, and with one that it is given. A row whose outputs differ in a bit is an error.
"""
import argparse
import json
import pathlib
import statistics
import sys

import lower
import networks

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import head  # noqa: E402

COLUMNS = ["network", "size", "buffers", "separate", "live", "as upstream", "in order", "memplan", "/ live", "proved", "separate s", "allocated s", "given s"]


def measure(name, size, rounds, memplan_opt):
    network = networks.NETWORKS[name](size)
    text = lower.bufferize(network.text)
    allocated, row = lower.plan_reported(text, "", memplan_opt)
    given, _ = lower.plan_reported(text, "arena=argument", memplan_opt)
    in_order = lower.plan_reported(text, "solver=best-fit", memplan_opt)[1]
    upstream = lower.plan_reported(text, "solver=best-fit ranges=allocations", memplan_opt)[1]
    repeats = 1 if size == "large" else 200
    printed = lower.execute(lower.lower(lower.with_main([text, allocated, given], network, rounds, repeats))).split()
    count = len(network.results)
    hashes, seconds = printed[:3 * count], [int(value) / 1e6 / repeats for value in printed[3 * count:]]
    if hashes != hashes[:count] * 3:
        raise SystemExit(f"error: {name} {size}: outputs differ: {hashes}")
    medians = [statistics.median(seconds[place::3]) if rounds else 0.0 for place in range(3)]
    return {
        "network": name, "size": size, "buffers": row["buffers"], "kept": row["kept"], "separate_bytes": row["separate_bytes"],
        "bound_bytes": row["bound_bytes"], "arena_bytes": row["arena_bytes"], "optimal": row["optimal"],
        "best_fit_bytes": in_order["arena_bytes"], "upstream_bytes": upstream["arena_bytes"], "seconds": dict(zip(("separate", "allocated", "given"), medians)),
        "all_seconds": {key: seconds[place::3] for place, key in enumerate(("separate", "allocated", "given"))},
    }


def cells(row):
    return [row["network"], row["size"], row["buffers"], row["separate_bytes"], row["bound_bytes"], row["upstream_bytes"], row["best_fit_bytes"],
            row["arena_bytes"], f"{row['arena_bytes'] / row['bound_bytes']:.4f}", "yes" if row["optimal"] else "no",
            *(f"{value:.7f}" for value in row["seconds"].values())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", choices=list(networks.NETWORKS), default=list(networks.NETWORKS))
    parser.add_argument("--sizes", nargs="+", choices=["small", "large"], default=["small", "large"])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--build", help="folder of a build; default: memplan-opt in PATH, or build/")
    parser.add_argument("--json")
    args = parser.parse_args()
    print(head(), flush=True)
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS), flush=True)
    rows = []
    for size in args.sizes:
        for name in args.networks:
            rows.append(measure(name, size, args.rounds, args.build and f"{args.build}/bin/memplan-opt"))
            print("| " + " | ".join(map(str, cells(rows[-1]))) + " |", flush=True)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
