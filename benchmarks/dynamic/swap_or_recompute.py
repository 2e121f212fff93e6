#!/usr/bin/env python3
"""What making a tensor again takes beside copying it back from the host, by kind of operation.

    benchmarks/dynamic/swap_or_recompute.py [--networks resnet50 ...] [--batch N] [--device v100] [--build build] [--json FILE] [--picture FILE]

For each value that the forward pass makes and the backward pass reads, by the rates of a named device: the time of its own operation,
and that of its copy to the host and of its copy back. A row sums them over one kind of operation; the last column says for how many of
these values the operation alone takes less than the copy back. The figure shows why an engine that evicts wants both.
"""
import argparse
import json
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from shared import built, call, figure  # noqa: E402

# What both ways take a microsecond, as docs/CostModels.md has it of each device.
BYTES_PER_MICRO = {"v100": 16e3, "a100": 32e3, "h100": 64e3, "rtx4090": 32e3}


def rows_of(graph, bandwidth):
    """By kind of operation: values that wait for the backward pass, their bytes, and both times in microseconds."""
    bytes_of = {tensor["id"]: tensor.get("bytes", 0) for tensor in graph["tensors"] if "view_of" not in tensor}
    base = {tensor["id"]: tensor.get("view_of", tensor["id"]) for tensor in graph["tensors"]}
    read_late = {base[read] for node in graph["nodes"] if node.get("backward") for read in node["inputs"]}
    rows = {}
    for node in graph["nodes"]:
        kept = [output for output in node["outputs"] if not node.get("backward") and output in read_late and bytes_of.get(output, 0) > 0]
        if not kept or not node["cost"]:
            continue
        row = rows.setdefault(node["name"].removeprefix("memplan."), {"values": 0, "bytes": 0, "again_us": 0, "copy_us": 0, "again_is_faster": 0})
        size = sum(bytes_of[output] for output in kept)
        row["values"] += 1
        row["bytes"] += size
        row["again_us"] += node["cost"]
        row["copy_us"] += size / bandwidth
        row["again_is_faster"] += node["cost"] < size / bandwidth
    return dict(sorted(rows.items(), key=lambda item: -item[1]["bytes"]))


def draw(networks, path):
    pyplot = figure()
    if pyplot is None:
        return
    picture, axes = pyplot.subplots(1, len(networks), figsize=(5 * len(networks), 3.5), squeeze=False)
    for plot, (name, rows) in zip(axes[0], networks.items()):
        kinds = list(rows)
        plot.barh([i - 0.2 for i in range(len(kinds))], [rows[kind]["again_us"] for kind in kinds], 0.4, label="recomputed")
        plot.barh([i + 0.2 for i in range(len(kinds))], [rows[kind]["copy_us"] for kind in kinds], 0.4, label="copied back")
        plot.set_yticks(range(len(kinds)), kinds)
        plot.invert_yaxis()
        plot.set_xscale("log")
        plot.set_xlabel("microseconds of all values")
        plot.set_title(name)
        plot.legend(fontsize=8)
    picture.tight_layout()
    picture.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=["resnet50", "shufflenet_v2"], help="of examples or benchmarks/networks, or a program")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--device", choices=BYTES_PER_MICRO, default="v100")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt")
    networks = {}
    for name in arguments.networks:
        places = [pathlib.Path(name), *(ROOT / folder / f"{name}.mlir" for folder in ("examples", "benchmarks/networks"))]
        program = next((place for place in places if place.is_file()), None)
        if program is None:
            sys.exit(f"there is no network '{name}'")
        with tempfile.TemporaryDirectory() as folder:
            graph = pathlib.Path(folder) / "step.graph.json"
            call(arguments.build / "bin/memplan-opt", program, f"--batch={arguments.batch}", "--emit=graph", f"--cost-model=roofline:{arguments.device}", "-o", graph)
            rows = networks[program.stem] = rows_of(json.loads(graph.read_text()), BYTES_PER_MICRO[arguments.device])
        print(f"{program.stem}, batch {arguments.batch}, {arguments.device}")
        print("| operation | values | MB | recomputed, ms | copied back, ms | recomputing is faster |\n|---|---|---|---|---|---|")
        for kind, row in rows.items():
            print(f"| {kind} | {row['values']} | {row['bytes'] / 1e6:.1f} | {row['again_us'] / 1e3:.2f} | {row['copy_us'] / 1e3:.2f} | "
                  f"{row['again_is_faster']} of {row['values']} |", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(networks, indent=1) + "\n")
    if arguments.picture:
        draw(networks, arguments.picture)


if __name__ == "__main__":
    main()
