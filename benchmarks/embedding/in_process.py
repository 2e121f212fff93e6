#!/usr/bin/env python3
"""What does a host save that plans in process, through C, instead of by writing and reading files?

Plans one graph in turns in both ways with the same options: by libmemplan-planner.so (graph from JSON in memory, plan as
arrays), and by memplan-solve (graph file written, tool run, plan file read and parsed). Needs a build only:

    benchmarks/embedding/in_process.py [--build build] [--rounds 15] [--graph FILE] [OPTION=VALUE ...]
"""
import argparse
import ctypes
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, graph_path  # noqa: E402


class Planner:
    """The calls of memplan-c/Planner.h that a host needs."""

    def __init__(self, library, options):
        self.c = ctypes.CDLL(str(library))
        self.c.memplan_last_error.restype = ctypes.c_char_p
        self.options = ctypes.c_void_p()
        self.check(self.c.memplan_options_create(ctypes.byref(self.options)))
        for name, value in options:
            self.check(self.c.memplan_options_set(self.options, name.encode(), value.encode()))

    def check(self, status):
        if status:
            raise SystemExit(self.c.memplan_last_error().decode())

    def read(self, text):
        graph = ctypes.c_void_p()
        self.check(self.c.memplan_graph_read_json(text, ctypes.c_int64(len(text)), ctypes.byref(graph)))
        return graph

    def plan(self, graph):
        plan, actions, arenas, count = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int64()
        self.check(self.c.memplan_plan_step(graph, self.options, ctypes.byref(plan)))
        self.check(self.c.memplan_plan_actions(plan, ctypes.byref(actions), ctypes.byref(count)))
        self.check(self.c.memplan_plan_arenas(plan, ctypes.byref(arenas), ctypes.byref(count)))
        self.c.memplan_plan_destroy(plan)

    def destroy(self, graph):
        self.c.memplan_graph_destroy(graph)


def cpu_seconds():
    """Of this process and those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measure(run):
    begin, cpu = time.perf_counter(), cpu_seconds()
    run()
    return time.perf_counter() - begin, cpu_seconds() - cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--graph", type=pathlib.Path, default=graph_path("torch_resnet50_b32"))
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("option", nargs="*", help="a planning option, for instance remat=greedy")
    flags = parser.parse_args()
    options = [option.split("=", 1) for option in flags.option]
    text = flags.graph.read_bytes()
    planner = Planner(flags.build / "lib" / "libmemplan-planner.so", options)
    made = planner.read(text)
    tool = flags.build / "bin" / "memplan-solve"
    arguments = [f"--{name}={value}" for name, value in options]

    def by_files():
        with tempfile.TemporaryDirectory() as folder:
            graph, plan = pathlib.Path(folder, "g.json"), pathlib.Path(folder, "p.json")
            graph.write_bytes(text)
            subprocess.run([tool, "remat", graph, "-o", plan, *arguments], check=True, capture_output=True)
            json.loads(plan.read_bytes())

    def in_process():
        planner.plan(made)

    def in_process_from_json():
        graph = planner.read(text)
        planner.plan(graph)
        planner.destroy(graph)

    ways = {"in process, graph at hand": in_process, "in process, graph from JSON": in_process_from_json,
            "files and memplan-solve": by_files}
    times = {name: [] for name in ways}
    for _ in range(flags.rounds):  # In turns, so that a busy machine is busy for all.
        for name, run in ways.items():
            times[name].append(measure(run))
    nodes = len(json.loads(text)["nodes"])
    print(f"{flags.graph.name}, {nodes} nodes, {' '.join(flags.option) or 'default options'}, median of {flags.rounds}")
    rows = {}
    for name, values in times.items():
        wall, cpu = (statistics.median(column) for column in zip(*values))
        rows[name] = {"wall_ms": 1e3 * wall, "cpu_ms": 1e3 * cpu}
        print(f"  {name:30} {1e3 * wall:8.1f} ms   {1e3 * cpu:8.1f} ms of CPU")
    if flags.json:
        flags.json.write_text(json.dumps({"graph": flags.graph.name, "nodes": nodes, "options": options, "times": rows}))


if __name__ == "__main__":
    main()
