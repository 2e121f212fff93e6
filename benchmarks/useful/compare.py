#!/usr/bin/env python3
"""Whether plans run operations in vain, and whether the default order costs more than --order=search.

    benchmarks/useful/compare.py [--build build] [--only PATTERN] [--shares 90 75 60 50 40] [--orders source auto search]
                                 [--streams 1 2] [--jobs 2] [--json FILE]

For each example (examples/*.mlir and examples/small/*.mlir, their graphs by memplan-opt --emit=graph; gpt2 of the small ones for
CUDA too) a plan at each budget, in each order, on so many streams. A run is in vain if nothing that it makes is read or copied
out before its node runs again, or by the end: utils/check_plan.py --useful refuses such a plan. Exits with 1 where a plan has
one, where a plan breaks another rule, or where auto takes longer than search.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, call, origin  # noqa: E402

CHECKER = ROOT / "utils/check_plan.py"


def emit_graphs(tools, only, folder):
    """(name, path) of each example's graph."""
    graphs = []
    for path in sorted([*(ROOT / "examples").glob("*.mlir"), *(ROOT / "examples/small").glob("*.mlir")]):
        name = str(path.relative_to(ROOT / "examples").with_suffix(""))
        kinds = [(name, [])] + ([(name + " cuda", ["--backend=cuda"])] if name == "small/gpt2" else [])
        for kind, flags in kinds:
            if not only.search(kind):
                continue
            made = folder / f"{len(graphs)}.graph.json"
            os.environ["MEMPLAN_CUDA_PLAN_ONLY"] = "1"
            call(tools / "memplan-opt", path, "--emit=graph", "-o", made, *flags)
            graphs.append((kind, made))
    return graphs


def plan_case(tools, graph, share, order, streams, folder):
    plan = folder / f"{graph.name}.{share}.{order}.{streams}.plan.json"
    command = [tools / "memplan-solve", "remat", graph, f"--budget={share}%", f"--order={order}", f"--streams={streams}", "-o", plan]
    began = time.monotonic()
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    row = {"seconds": round(time.monotonic() - began, 2)}
    if done.returncode not in (0, 1, 3):
        return row | {"status": "error", "note": done.stderr.strip()}
    made = json.loads(plan.read_text())
    row["status"] = made["status"]
    if made["status"] in ("infeasible", "no_plan"):
        return row
    nodes = json.loads(graph.read_text())["nodes"]
    row |= {"time": made.get("time", made["cost"]), "least": sum(node["cost"] for node in nodes),
            "recomputed": sum("compute" in step for step in made["steps"]) - len(nodes)}
    flags = ["--order=source"] if order == "source" else []
    checked = subprocess.run([sys.executable, CHECKER, graph, plan, "--useful", *flags], capture_output=True, text=True)
    if checked.returncode:
        row["refused"] = (checked.stdout + checked.stderr).strip().split(": ", 1)[-1]
    return row


def cell(row):
    if "time" not in row:
        return row["status"]
    return f"{100 * (row['time'] / row['least'] - 1):.2f} % ({row['recomputed']})" + (" REFUSED" if "refused" in row else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    parser.add_argument("--shares", type=int, nargs="+", default=[90, 75, 60, 50, 40])
    parser.add_argument("--orders", nargs="+", default=["source", "auto", "search"])
    parser.add_argument("--streams", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    tools = built(arguments.build, "memplan-opt", "memplan-solve") / "bin"
    faults, log = [], []
    with tempfile.TemporaryDirectory() as text, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        folder = pathlib.Path(text)
        graphs = emit_graphs(tools, arguments.only, folder)
        cases = list(itertools.product(graphs, arguments.streams, arguments.shares))
        rows = [{order: pool.submit(plan_case, tools, graph[1], share, order, streams, folder) for order in arguments.orders}
                for graph, streams, share in cases]
        print("| graph | streams | budget | " + " | ".join(arguments.orders) + " | seconds |\n|---|---|---|" + "---|" * (len(arguments.orders) + 1))
        for ((name, _), streams, share), futures in zip(cases, rows):
            row = {order: future.result() for order, future in futures.items()}
            log.append({"graph": name, "streams": streams, "share": share, "orders": row})
            seconds = " ".join(f"{made['seconds']:.1f}" for made in row.values())
            print(f"| {name} | {streams} | {share} % | " + " | ".join(map(cell, row.values())) + f" | {seconds} |", flush=True)
            faults += [f"{name}, {share} %, {order}, streams {streams}: {made[key]}" for order, made in row.items()
                       for key in ("refused", "note") if key in made]
            if {"auto", "search"} <= row.keys() and "time" in row["search"] and \
                    row["auto"].get("time", float("inf")) > row["search"]["time"] * (1 + 1e-9):
                faults.append(f"{name}, {share} %, streams {streams}: auto takes longer than search")
    plans = [made for row in log for made in row["orders"].values() if "time" in made]
    print(f"\n{len(plans)} plans, {sum('refused' in made for made in plans)} refused")
    if arguments.json:
        arguments.json.write_text(json.dumps({"origin": origin(), "rows": log}, indent=1) + "\n")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
