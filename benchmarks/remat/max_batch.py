#!/usr/bin/env python3
"""The largest batch within a budget (figure 6 of Checkmate): its six networks, a bar for each strategy.

    benchmarks/remat/max_batch.py [--networks NAME ...] [--budget 16G] [--slowdown forward] [--solvers NAME ...] [--json FILE] [--picture FILE]

memplan-opt --max-batch infers the step anew for every batch it tries, backward pass and updates included, and plans it: sizes,
costs (roofline) and arenas are those of that batch. By default recomputation may cost one more forward pass.
"""
import argparse
import pathlib
import re
import sys

from common import ROOT, figure, timed, write_json

NETWORKS = {"unet": "examples/unet.mlir", "fcn8": "benchmarks/networks/fcn8.mlir", "segnet": "benchmarks/networks/segnet.mlir",
            "vgg19": "benchmarks/networks/vgg19.mlir", "mobilenet_v1": "benchmarks/networks/mobilenet_v1.mlir",
            "resnet50": "examples/resnet50.mlir"}
STRATEGIES = ("checkpoint-all", "ap-sqrt", "linearized-greedy", "auto")


def largest(tools, network, solver, budget, slowdown, flags):
    command = [tools / "memplan-opt", "--max-batch", f"--budget={budget}", f"--slowdown={slowdown}", f"--remat={solver}",
               "--emit=plan", *flags, ROOT / NETWORKS[network], "-o", "/dev/null"]
    done, seconds = timed(command)
    row = {"network": network, "solver": solver, "budget": budget, "slowdown": slowdown, "user_seconds": round(seconds, 2)}
    row["tried"] = [{"batch": int(found[1]), "plan": found[2].strip()}
                    for found in re.finditer(r"^memplan-opt: +(\d+) (.*)$", done.stderr, re.MULTILINE)]
    chosen = re.search(r"^memplan-opt: +(\d+) +(\d+) +([-\d.]+) %.*<- chosen$", done.stderr, re.MULTILINE)
    if not chosen:
        return row | {"batch": 0, "note": done.stderr.strip().splitlines()[-1]}
    return row | {"batch": int(chosen[1]), "peak_bytes": int(chosen[2]), "overhead": float(chosen[3]) / 100}


def draw(rows, path):
    pyplot = figure()
    if pyplot is None:
        return
    networks = list(dict.fromkeys(row["network"] for row in rows))
    solvers = list(dict.fromkeys(row["solver"] for row in rows))
    picture, axes = pyplot.subplots(figsize=(8, 3.5))
    for number, solver in enumerate(solvers):
        batches = [next(r["batch"] for r in rows if r["network"] == n and r["solver"] == solver) for n in networks]
        base = [next(r["batch"] for r in rows if r["network"] == n and r["solver"] == solvers[0]) for n in networks]
        places = [i + number * 0.8 / len(solvers) for i in range(len(networks))]
        bars = axes.bar(places, [b / max(a, 1) for a, b in zip(base, batches)], 0.8 / len(solvers), label=solver)
        axes.bar_label(bars, batches, fontsize=7)
    axes.set_xticks([i + 0.3 for i in range(len(networks))], networks)
    axes.set_ylabel(f"largest batch, {solvers[0]} = 1")
    axes.legend(fontsize=8)
    picture.tight_layout()
    picture.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=NETWORKS)
    parser.add_argument("--solvers", nargs="+", default=STRATEGIES)
    parser.add_argument("--budget", default="16G")
    parser.add_argument("--slowdown", default="forward")
    parser.add_argument("--flags", nargs="*", default=[], help="more flags for memplan-opt, without their dashes")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = []
    print(f"budget {arguments.budget}, limit {arguments.slowdown}")
    for network in arguments.networks:
        for solver in arguments.solvers:
            rows.append(largest(arguments.build / "bin", network, solver, arguments.budget, arguments.slowdown,
                                [f"--{flag}" for flag in arguments.flags]))
            row = rows[-1]
            said = f'{row["peak_bytes"] / 1e9:8.3f} GB, overhead {100 * row["overhead"]:.2f} %' if row["batch"] else row["note"]
            print(f'{network:<14}{solver:<20}{row["batch"]:>6}  {said}, {row["user_seconds"]:.1f} user s', flush=True)
            if arguments.json:
                write_json(arguments.json, rows)
    if arguments.picture:
        draw(rows, arguments.picture)


if __name__ == "__main__":
    sys.exit(main())
