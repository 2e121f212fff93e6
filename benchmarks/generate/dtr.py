#!/usr/bin/env python3
"""Converts a source graph of the DTR evaluation to a graph file (docs/Formats.md).

IN has a comment line that names the model and its constant bytes, then one node a line:
id cost_ns size_bytes is_backward parents(,) opname. A value is released after its last reader.
"""
import argparse
import re
import sys

from graph_file import write_graph


def convert(lines, name):
    fixed, tensors, nodes = 0, [], []
    for line in lines:
        if line.startswith("#"):
            found = re.search(r"constant bytes \([^)]*\) (\d+)", line)
            fixed = int(found.group(1)) if found else fixed
            continue
        number, cost, size, backward, parents, label = line.split()
        if int(number) != len(nodes):
            sys.exit(f"node {number} stands where node {len(nodes)} should")
        inputs = [] if parents == "-" else [int(parent) for parent in parents.split(",")]
        if any(parent >= len(nodes) for parent in inputs):
            sys.exit(f"node {number} reads a later node")
        tensors.append({"id": len(nodes), "bytes": int(size), "kind": "activation"})
        # Nanoseconds as they were measured: whole numbers, whose sums are exact. Inputs keep their order, which decides
        # ties between candidates.
        nodes.append({"id": len(nodes), "name": label, "cost": int(cost), "inputs": list(dict.fromkeys(inputs)),
                      "outputs": [len(nodes)], "backward": backward == "1"})
    return {"version": 1, "name": name, "fixed_bytes": fixed, "tensors": tensors, "nodes": nodes}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="IN.graph.txt")
    parser.add_argument("result", metavar="OUT.graph.json")
    parser.add_argument("--name", required=True)
    arguments = parser.parse_args()
    with open(arguments.source) as lines:
        graph = convert(lines, arguments.name)
    with open(arguments.result, "w") as stream:
        write_graph(graph, stream)


if __name__ == "__main__":
    main()
