#!/usr/bin/env python3
"""Is `greedy` ever better than `search` in the same CPU time? In source order, on live bytes, so that nothing else decides.

    benchmarks/remat/greedy.py [--nodes 25 50 100 200] [--seeds 901 902 903] [--shares 85 75 65] [--graphs NAME ...] [--build DIR] [--json FILE] [--write]

The graphs are random layered ones (benchmarks/generate/layered.py) and the graphs of benchmarks/data/graphs up to 100 nodes. Each
is planned by `greedy` with its own effort, and by `search` with efforts that grow fivefold until its plan is no worse or it has
taken the time of `greedy`. A row counts the cells of one kind. Every plan passes utils/check_plan.py.
--write puts the table into docs/Benchmarks/Race.md.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, call, head, origin, put_table, stored

EFFORTS = (2000, 10_000, 50_000, 250_000)
# What is clearly worse, and what is the same time.
WORSE, SAME_TIME = 1 + 1e-9, 1.1


def planned(solve, path, share, plan, *options):
    """(cost or None, user seconds)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([solve, "remat", path, f"--budget={share}%", "--order=source", "--arena=none", "--quiet", "-o", plan, *options],
                          capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.returncode not in (0, 1, 3):  # A plan, proved infeasible, no plan.
        sys.exit(f"{path}: {' '.join(options)}: {done.stderr}")
    if done.returncode:
        return None, seconds
    call(sys.executable, ROOT / "utils/check_plan.py", path, plan)
    return json.loads(plan.read_text())["cost"], seconds


def race(solve, path, share, plan):
    cost, seconds = planned(solve, path, share, plan, "--remat=greedy")
    cell = {"graph": path.name.split(".")[0], "share": share, "greedy": cost, "seconds": seconds, "search": []}
    for effort in EFFORTS:
        found, took = planned(solve, path, share, plan, "--remat=search", f"--effort={effort}")
        cell["search"].append((effort, found, took))
        if cost is None or (found is not None and found <= cost * WORSE) or took > seconds * SAME_TIME:
            break
    return cell


def verdict(cell):
    """How the last search compares: the one in the time of `greedy`, or a quicker one that is no worse."""
    found, cost = cell["search"][-1][1], cell["greedy"]
    if cost is None:
        return "none" if found is None else "search alone"
    if found is None:
        return "greedy alone"
    return "equal" if cost / WORSE <= found <= cost * WORSE else "search" if found < cost else "greedy"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", nargs="+", type=int, default=[25, 50, 100, 200])
    parser.add_argument("--seeds", nargs="+", type=int, default=[901, 902, 903])
    parser.add_argument("--shares", nargs="+", type=int, default=[85, 75, 65])
    parser.add_argument("--graphs", nargs="*", help="of benchmarks/data/graphs; all up to 100 nodes where it is left out")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    solve = built(options.build, "memplan-solve") / "bin/memplan-solve"
    names = ("search", "equal", "greedy", "search alone", "greedy alone", "none")
    lines = [head(), "", "| graphs | `search` better | equal | `greedy` better | `search` alone has a plan | `greedy` alone has one | none has | CPU s of `greedy` | of `search` |",
             "|---" * 9 + "|"]
    cells = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kinds = {}
        for nodes in options.nodes:
            for seed in options.seeds:
                path = folder / f"layered{nodes}_s{seed}.graph.json"
                call(sys.executable, ROOT / "benchmarks/generate/layered.py", nodes, f"--seed={seed}", "-o", path)
                kinds.setdefault(f"layered, {nodes} nodes", []).append(path)
        kinds["those of benchmarks/data, up to 100 nodes"] = [
            path for path in stored("*.graph.json")
            if (path.name.split(".")[0] in options.graphs if options.graphs is not None else len(json.loads(path.read_text())["nodes"]) <= 100)]
        for kind, paths in kinds.items():
            raced = [race(solve, path, share, folder / "plan.json") for path in paths for share in options.shares]
            cells += raced
            counts = [sum(verdict(cell) == each for cell in raced) for each in names]
            seconds = sum(cell["seconds"] for cell in raced), sum(took for cell in raced for *_, took in cell["search"][-1:])
            lines.append(f"| {kind} | " + " | ".join(map(str, counts)) + f" | {seconds[0]:.1f} | {seconds[1]:.1f} |")
            print(lines[-1], flush=True)
    for cell in cells:
        if verdict(cell).startswith("greedy"):
            print(cell)
    if options.json:
        options.json.write_text(json.dumps({"origin": origin(), "cells": cells}, indent=1))
    if options.write:
        put_table(ROOT / "docs/Benchmarks/Race.md", "benchmarks/remat/greedy.py", "\n".join(lines))


if __name__ == "__main__":
    main()
