#!/usr/bin/env python3
"""The tables of docs/Dynamic.md: what runs within a pool do again, and what plans make of their traces.

    benchmarks/dynamic/runs.py [--tables pools traces] [--rows NAME ...] [--build build] [--json FILE] [--write]

pools: a step of an example within a share of its unplanned peak: ops that ran again, their time by the clock of costs, compactions.
traces: a step of a small example within a pool, by roofline costs, its sequence with what its bytes do not call for left out, and the
cheapest plan within the bytes of the run. The log has the commit, the machine and the date; nothing in it depends on how fast the
machine is, or on the instructions of its processor: oneDNN's scratch does, so that it is kept to AVX2.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from shared import Table, built, origin  # noqa: E402

POOLS = {"mobilenet_v2": (2, 80, True), "resnet50": (2, 80, True), "unet": (1, 85, True), "gpt2": (1, 85, True), "vgg16": (1, 96, False),
         "shufflenet_v2": (2, 80, True)}
TRACES = {"unet": 75, "resnet": 90, "gpt2": 75}


def call(build, tool, *arguments):
    command = [str(build / "bin" / tool), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"ONEDNN_MAX_CPU_ISA": "AVX2"})
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def program(name):
    return next(ROOT / folder / f"{name}.mlir" for folder in ("examples", "benchmarks/networks") if (ROOT / folder / f"{name}.mlir").is_file())


def pool_row(build, name):
    batch, share, check = POOLS[name]
    text = call(build, "memplan-run", program(name), f"--batch={batch}", "--dynamic=dtr", f"--budget={share}%", *["--check"] * check)
    ops, again, time, compactions = re.search(r"dynamic: (\d+) ops ran, (\d+) of them again \(([\d.]+)% .*; (\d+) compactions", text).groups()
    return {"example": name, "batch": batch, "pool_percent": share, "checked": check, "ops": int(ops), "again": int(again),
            "time_percent": float(time), "compactions": int(compactions)}


def trace_row(build, name):
    source = ROOT / f"examples/small/{name}.mlir"
    with tempfile.TemporaryDirectory() as folder:
        step, graph, trace, stats = (pathlib.Path(folder) / end for end in ("step.mlir", "graph.json", "trace.json", "stats.json"))
        call(build, "memplan-run", source, f"--emit-ir={step}")
        call(build, "memplan-opt", step, "--emit=graph", "-o", graph)
        call(build, "memplan-run", source, "--dynamic=dtr", f"--budget={TRACES[name]}%", f"--trace={trace}")
        call(build, "memplan-solve", "replay", trace, f"--graph={graph}", "-o", step.with_name("plan.json"), f"--stats={stats}")
        figures = json.loads(stats.read_text())
        once = sum(node["cost"] for node in json.loads(graph.read_text())["nodes"])
    row = {"example": name, "pool_percent": TRACES[name]}
    return row | {kind: round(100 * (figures[key]["cost"] / once - 1), 1) for kind, key in (("run", "packed"), ("improved", "improved"), ("planned", "planned"))}


def pool_text(row):
    batch = f"{row['batch']}" + ("" if row["checked"] else " (without `--check`)")
    return f"| {row['example']}, {batch} | {row['pool_percent']} % | {row['again']} of {row['ops']} | {row['time_percent']:.1f} % | {row['compactions']} |"


def trace_text(row):
    return f"| {row['example']}, {row['pool_percent']} % | +{row['run']:.1f} % | +{row['improved']:.1f} % | +{row['planned']:.1f} % |"


TABLES = {"pools": (POOLS, pool_row, pool_text, "| example, batch | pool | ops run again | recomputation | compactions |"),
          "traces": (TRACES, trace_row, trace_text, "| example, pool | run | improved | planned |")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--rows", nargs="+", metavar="NAME", help="of these examples only")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/Dynamic.md")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt", "memplan-run", "memplan-solve")
    log = origin()
    for kind in arguments.tables:
        names, make, text, titles = TABLES[kind]
        table, log[kind] = Table(), []
        table.add(titles, re.sub(r"[^|]+", "---", titles))
        for name in (name for name in names if not arguments.rows or name in arguments.rows):
            log[kind].append(make(arguments.build, name))
            table.add(text(log[kind][-1]))
        if arguments.write:
            table.write([ROOT / "docs/Dynamic.md"], f"benchmarks/dynamic/runs.py --tables {kind}")
    if arguments.json:
        arguments.json.write_text(json.dumps(log, indent=1) + "\n")


if __name__ == "__main__":
    main()
