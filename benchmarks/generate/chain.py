#!/usr/bin/env python3
"""A chain of equal layers as a training step: the graph on which checkpointing was first studied.

    benchmarks/generate/chain.py LAYERS [-o FILE]            one mebibyte and one unit of cost a layer, a loss of 4 bytes
    benchmarks/generate/chain.py LAYERS --unit               C(n) of Checkmate: every value one byte, the loss too

By default the gradient with respect to a value reads the value, what the next layer made of it and the gradient before.
With --unit it reads the value and the gradient before only, and node n is the loss: nodes 0..2n.
"""
import argparse
import sys

from graph_file import simple_graph, write_graph

MEBIBYTE = 1 << 20


def chain(layers):
    nodes = [(f"l{i}", 1, MEBIBYTE, [i - 1] if i else [], False) for i in range(layers)]
    nodes.append(("loss", 0, 4, [layers - 1], False))
    for i in reversed(range(layers)):
        # Node i + 1 is what reads the value: a layer, or the loss.
        nodes.append((f"grad_l{i}", 1, MEBIBYTE, {i, i + 1, len(nodes) - 1}, True))
    return simple_graph(f"chain{layers}", nodes)


def unit_chain(layers):
    """Node 2n - i also reads node i, for i < n."""
    nodes = [(f"f{i}", 1, 1, [i - 1] if i else [], False) for i in range(layers + 1)]
    for i in reversed(range(layers)):
        nodes.append((f"b{i}", 1, 1, [i, len(nodes) - 1], True))
    return simple_graph(f"unit_chain{layers}", nodes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layers", type=int)
    parser.add_argument("--unit", action="store_true")
    parser.add_argument("-o", "--output", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    if arguments.layers < 1:
        parser.error(f"a chain has at least one layer, not {arguments.layers}")
    write_graph((unit_chain if arguments.unit else chain)(arguments.layers), arguments.output)


if __name__ == "__main__":
    main()
