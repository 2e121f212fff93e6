#!/usr/bin/env python3
"""Whether plans run operations in vain, and whether the default order costs more than --order=search.

    benchmarks/useful/compare.py [--build build] [--only PATTERN] [--shares 90 75 60 50 40] [--orders source auto search]
                                 [--streams 1 2] [--jobs 2] [--json FILE] [--merge LOG ...] [--write]

For each example (examples/*.mlir and examples/small/*.mlir, their graphs by memplan-opt --emit=graph; gpt2 of the small ones for
CUDA too) a plan at each budget, in each order, on so many streams. A run is in vain if nothing that it makes is read or copied
out before its node runs again, or by the end: utils/check_plan.py --useful refuses such a plan. Exits with 1 where a plan has
one, where a plan breaks another rule, or where auto takes longer than search. --merge makes the table of several logs instead of running
anything; --write puts it in docs/Benchmarks/Useful.md.
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
from shared import ROOT, Table, built, call, origin  # noqa: E402

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


def faults_of(row):
    name = f"{row['graph']}, {row['share']} %"
    found = [f"{name}, {order}, streams {row['streams']}: {made[key]}" for order, made in row["orders"].items() for key in ("refused", "note") if key in made]
    if {"auto", "search"} <= row["orders"].keys():
        auto, search = row["orders"]["auto"], row["orders"]["search"]
        if "time" in search and auto.get("time", float("inf")) > search["time"] * (1 + 1e-9):
            found.append(f"{name}, streams {row['streams']}: auto takes longer than search")
    return found


def text_of(row):
    seconds = " ".join(f"{made['seconds']:.1f}" for made in row["orders"].values())
    return f"| {row['graph']} | {row['streams']} | {row['share']} % | " + " | ".join(map(cell, row["orders"].values())) + f" | {seconds} |"


def run(arguments):
    """Rows of the table, one after the other."""
    tools = arguments.build / "bin"
    with tempfile.TemporaryDirectory() as text, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        folder = pathlib.Path(text)
        graphs = emit_graphs(tools, arguments.only, folder)
        cases = list(itertools.product(graphs, arguments.streams, arguments.shares))
        rows = [{order: pool.submit(plan_case, tools, graph[1], share, order, streams, folder) for order in arguments.orders}
                for graph, streams, share in cases]
        for ((name, _), streams, share), futures in zip(cases, rows):
            yield {"graph": name, "streams": streams, "share": share, "orders": {order: future.result() for order, future in futures.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    parser.add_argument("--shares", type=int, nargs="+", default=[90, 75, 60, 50, 40])
    parser.add_argument("--orders", nargs="+", default=["source", "auto", "search"])
    parser.add_argument("--streams", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--merge", type=pathlib.Path, nargs="+")
    parser.add_argument("--write", action="store_true", help="put the table into docs/Benchmarks/Useful.md")
    arguments = parser.parse_args()
    if arguments.merge:
        logs = [json.loads(path.read_text()) for path in arguments.merge]
        rows = sorted((row for each in logs for row in each["rows"]), key=lambda row: (row["graph"], row["streams"], -row["share"]))
        table, log = Table(logs[-1]["origin"]), []
    else:
        built(arguments.build, "memplan-opt", "memplan-solve")
        rows, table, log = run(arguments), Table(), []
    table.add("| graph | streams | budget | " + " | ".join(arguments.orders) + " | seconds |", "|---" * (len(arguments.orders) + 4) + "|")
    for row in rows:
        log.append(row)
        table.add(text_of(row))
        if arguments.json:
            arguments.json.write_text(json.dumps({"origin": origin(), "rows": log}, indent=1) + "\n")
    plans = [made for row in log for made in row["orders"].values() if "time" in made]
    table.add("", f"{len(plans)} plans, {sum('refused' in made for made in plans)} refused.")
    if faults := [fault for row in log for fault in faults_of(row)]:
        sys.exit("\n".join(faults))
    if arguments.write:
        table.write([ROOT / "docs/Benchmarks/Useful.md"], "benchmarks/useful/compare.py")


if __name__ == "__main__":
    main()
