#!/usr/bin/env python3
"""MegEngine's largest batches: ResNet-50, ShuffleNet v2 and ResNet-1202 at multiples of the batch that a device holds without eviction.

    benchmarks/dynamic/larger_batches.py [--networks NAME ...] [--memory 11e9] [--times 1 2 3 4] [--build build] [--json FILE]

1 is the largest batch of which a step fits in the memory with nothing evicted, from the bytes of two smaller ones. The same step at so many times
that batch runs in the same pool by eviction and recomputation (--dynamic=dtr), on the device of benchmarks/dtr/dry_backend.c, without kernels or memory:
bytes, addresses and evictions are those of the runtime. The time is that of its clock of costs, beyond the step that evicts nothing.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from shared import Table, built, call, origin  # noqa: E402

NETWORKS = {"resnet50": "examples/resnet50.mlir", "shufflenet_v2": "benchmarks/networks/shufflenet_v2.mlir", "resnet1202": 1202, "resnet20": 20}
HUGE = 1 << 42


class Network:
    def __init__(self, tools, backend, folder, name):
        source = NETWORKS[name]
        self.name, self.program = name, ROOT / source if isinstance(source, str) else folder / f"{name}.mlir"
        if not isinstance(source, str):
            call(sys.executable, ROOT / "benchmarks/generate/resnet_cifar.py", source, "-o", self.program)
        self.command = [tools / "memplan-run", self.program, f"--backend={backend}", "--dynamic=dtr", "--steps=1"]

    def run(self, batch, memory):
        """The figures of a step; None where there is no room for it."""
        command = [*self.command, f"--batch={batch}", f"--budget={memory}"]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if done.returncode:
            if "no room for" not in done.stderr:
                sys.exit(f"{self.name}: {done.stdout}{done.stderr}")
            return None
        found = re.search(r"at most (\d+) in use.*\ndynamic: (\d+) ops ran, (\d+) of them again \(([\d.e+-]+)% more time .* (\d+) evictions.* (\d+) compactions", done.stdout)
        live, ops, again, time, evictions, compactions = found.groups()
        return {"live_bytes": int(live), "ops": int(ops), "again": int(again), "time_percent": float(time), "evictions": int(evictions), "compactions": int(compactions)}

    def largest(self, memory):
        """Bytes grow with the batch in a straight line, but for scratch and rounding: it is tried downwards from there, so that
        what comes out is the largest to about 1 %."""
        few, more = (self.run(batch, HUGE)["live_bytes"] for batch in (8, 16))
        batch = max(1, int(8 + (memory - few) / ((more - few) / 8)))
        while batch > 1:
            ran = self.run(batch, memory)
            if ran and not ran["evictions"]:
                break
            batch -= max(1, batch // 100)
        else:
            sys.exit(f"{self.name}: no batch runs in {memory} bytes without evictions")
        return batch


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=["resnet50", "shufflenet_v2", "resnet1202"])
    parser.add_argument("--memory", type=float, default=11e9, help="bytes of the pool")
    parser.add_argument("--times", nargs="+", type=float, default=[1, 2, 3, 4])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="put the table into docs/Dynamic.md")
    arguments = parser.parse_args()
    tools, memory = built(arguments.build, "memplan-run") / "bin", int(arguments.memory)
    table = Table()
    table.add("| network | batch | ops that ran | again | time beyond | evictions | compactions |", "|---" * 7 + "|")
    log = {**origin(), "memory_bytes": memory, "rows": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        call("cc", "-shared", "-fPIC", f"-I{ROOT / 'include'}", ROOT / "benchmarks/dtr/dry_backend.c", "-o", folder / "dry.so")
        for network in (Network(tools, folder / "dry.so", folder, name) for name in arguments.networks):
            once = network.largest(memory)
            for times in arguments.times:
                batch = int(once * times)
                row = {"network": network.name, "times": times, "batch": batch, **(network.run(batch, memory) or {"ops": None})}
                log["rows"].append(row)
                figures = "no room | | | |" if row["ops"] is None else f"{row['ops']} | {row['again']} | {row['time_percent']:.1f} % | {row['evictions']} | {row['compactions']} |"
                table.add(f"| {network.name}, {times:g} x | {batch} | {figures}")
    if arguments.json:
        arguments.json.write_text(json.dumps(log, indent=1) + "\n")
    if arguments.write:
        table.write([ROOT / "docs/Dynamic.md"], "benchmarks/dynamic/larger_batches.py")


if __name__ == "__main__":
    main()
