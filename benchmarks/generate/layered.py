#!/usr/bin/env python3
"""A random layered graph: nothing like a network, and hard for every solver that counts on chains.

    benchmarks/generate/layered.py NODES [--seed N] [-o FILE]

Layers of 1 to 10 nodes. A node of the first layer reads nothing; every other one reads one to three values of the layer
before, and with probability 1/3 one or two of any earlier layer. What a layer leaves unread is read by the first node
of the next, so that nothing is made in vain but at the end. Costs are 1 to 100, sizes 1 to 60 times 102400 bytes, small
ones more often than large ones.
"""
import argparse
import random
import sys

from graph_file import simple_graph, write_graph


def layered(count, seed):
    # Only random() is the same in every version of Python.
    draw = random.Random(seed).random
    up_to = lambda most: int(draw() * most)
    nodes, layers = [], []
    while len(nodes) < count:
        width = min(1 + up_to(10), count - len(nodes))
        layer = list(range(len(nodes), len(nodes) + width))
        unread = set(layers[-1]) if layers else set()
        for node in layer:
            inputs = set()
            if layers:
                inputs |= {layers[-1][up_to(len(layers[-1]))] for _ in range(1 + up_to(3))}
                if len(layers) > 1 and draw() < 1 / 3:
                    inputs |= {up_to(layers[-1][0]) for _ in range(1 + up_to(2))}
            unread -= inputs
            nodes.append([f"n{node}", 1 + up_to(100), 102400 * (1 + int(60 * draw() ** 2)), inputs, False])
        if layer and layers:
            nodes[layer[0]][3] |= unread
        layers.append(layer)
    return simple_graph(f"layered{count}_s{seed}", [tuple(node) for node in nodes])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nodes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    if arguments.nodes < 1:
        parser.error(f"a graph has at least one node, not {arguments.nodes}")
    write_graph(layered(arguments.nodes, arguments.seed), arguments.output)


if __name__ == "__main__":
    main()
