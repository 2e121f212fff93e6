#!/usr/bin/env python3
"""counter, color and offsets alone on several streams: bytes against makespan (MXNet's question about parallel branches).

    benchmarks/sharing/streams.py [--networks FILE ...] [--streams 2 4] [--batch 2] [--build build] [--json FILE] [--write]

Every node runs once. `storages` is what the pass --memplan-share=streams=N gives to values by itself, and what an arena takes in which storages
share no bytes: the sum of all of them. `waits` are those of that plan, `makespan` the microseconds until the last stream is done, by the roofline
of the default device. Every plan passes the verifier of the pass pipeline. Needs a build only.
"""
import argparse
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, Table, built, call, origin  # noqa: E402

NETWORKS = ("benchmarks/networks/two_branch.mlir", "benchmarks/networks/inception_v3.mlir", "benchmarks/networks/shufflenet_v2.mlir", "examples/small/gpt2.mlir")
SOLVERS = ("none", "counter", "color")


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"nothing like {pattern} in the planned function")
    return float(found.group(1))


def row_of(tools, program, name, streams, sharing):
    text = call(tools / "memplan-opt", program, "--memplan-in-place", f"--memplan-share=solver={sharing} streams={streams}",
                "--memplan-assign-offsets", "--memplan-apply", "--memplan-verify-plan")
    return {"network": name, "streams": streams, "sharing": sharing, "storage_bytes": int(number(r"memplan\.arena_bytes = (\d+)", text)),
            "waits": len(re.findall(r"memplan\.wait\b", text)),
            "makespan": number(r"memplan\.time = ([\d.eE+-]+)", text)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", type=pathlib.Path, default=[ROOT / name for name in NETWORKS])
    parser.add_argument("--streams", nargs="+", type=int, default=[2, 4])
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="put the table into docs/Planner/Sharing.md")
    arguments = parser.parse_args()
    tools, table = built(arguments.build, "memplan-opt") / "bin", Table()
    table.add("| network | streams | sharing | storages, MB | waits | makespan, us |", "|---" * 6 + "|")
    log = {**origin(), "rows": []}
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "step.mlir"
        for network in arguments.networks:
            batch = [f"--memplan-set-batch=batch={arguments.batch}"] if "memplan.batch" in network.read_text() else []
            train = ["--memplan-autodiff"] if "memplan.optimizer" in network.read_text() else []
            call(tools / "memplan-opt", network, *batch, *train, "-o", program)
            for streams in arguments.streams:
                for sharing in SOLVERS:
                    row = row_of(tools, program, network.stem, streams, sharing)
                    log["rows"].append(row)
                    table.add(f"| {row['network']} | {streams} | `{sharing}` | {row['storage_bytes'] / 1e6:.1f} | {row['waits']} | {row['makespan']:.1f} |")
    if arguments.json:
        arguments.json.write_text(json.dumps(log, indent=1) + "\n")
    if arguments.write:
        table.write([ROOT / "docs/Planner/Sharing.md"], "benchmarks/sharing/streams.py")


if __name__ == "__main__":
    main()
