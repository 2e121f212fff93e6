#!/usr/bin/env python3
"""Plans of transformer steps from hundreds to a hundred thousand nodes.

    benchmarks/remat/scale.py [--steps 12x2|48x4|80x32 ...] [--fractions F ...] [--beside-outputs] [--solvers NAME ...] [--json FILE]

Steps come from benchmarks/generate/transformer.py. Overhead and bound are above the step without recomputation, bytes
those of the packed arena (alignment 1); user seconds of the whole process, reading and the built-in check included. Every
plan passes utils/check_plan.py.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from common import ROOT, Step, head, percent, plan, write_json

# Layers x micro-batches, hidden size and tokens; the last in eight shards.
STEPS = {"2x1": ["--hidden", 512, "--sequence", 128], "12x2": ["--hidden", 2048, "--sequence", 1024],
         "24x3": ["--hidden", 4096, "--sequence", 2048],
         "48x4": ["--hidden", 4096, "--sequence", 2048], "80x32": ["--hidden", 8192, "--sequence", 4096, "--fsdp", 8]}


def generate(folder, size):
    layers, micro = size.split("x")
    path = folder / f"transformer-{size}.graph.json"
    command = [sys.executable, ROOT / "benchmarks/generate/transformer.py", layers, micro, *STEPS[size], "-o", path]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return Step(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", nargs="+", default=["12x2", "48x4"], choices=STEPS)
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.7, 0.5])
    parser.add_argument("--beside-outputs", action="store_true", help="count the sums of gradients among what is always there")
    parser.add_argument("--solvers", nargs="+", default=["auto"])
    parser.add_argument("--flags", nargs="*", default=[], help="more flags for memplan-solve, without their dashes")
    parser.add_argument("--limit", type=float, help="user seconds for each plan")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    print(head(), flush=True)
    rows = []
    print(f'{"step":<10}{"nodes":>8} {"f":>4} {"solver":<18}{"overhead":>9}{"bound":>9} {"space, proof":<28}{"user s":>8}')
    with tempfile.TemporaryDirectory() as name:
        for size in arguments.steps:
            step = generate(pathlib.Path(name), size)
            for fraction in arguments.fractions:
                for solver in arguments.solvers:
                    budget = step.budget_beside_outputs(fraction) if arguments.beside_outputs else step.budget(fraction)
                    row = plan(arguments.build / "bin", step, solver, budget, "--alignment=1",
                               *[f"--{flag}" for flag in arguments.flags], limit=arguments.limit)
                    rows.append(row | {"step": size, "fraction": fraction, "beside_outputs": arguments.beside_outputs,
                                       "flags": arguments.flags})
                    print(f'{size:<10}{step.nodes:>8} {fraction:>4} {solver:<18}{percent(row.get("overhead")):>9}{percent(row.get("bound")):>9} '
                          f'{", ".join(filter(None, (row.get("bound_space"), row.get("proof")))):<28}{row["user_seconds"]:>8.2f}'
                          f'  {row["status"]}', flush=True)
                    if arguments.json:
                        write_json(arguments.json, rows)


if __name__ == "__main__":
    main()
