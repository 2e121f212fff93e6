"""Writes graph files (docs/Formats.md): one tensor or node a line, so that differences can be read."""
import json


def compact(entry):
    return json.dumps(entry, separators=(",", ":"))


def write_graph(graph, stream):
    head = {key: value for key, value in graph.items() if key not in ("tensors", "nodes")}
    stream.write(compact(head)[:-1] + ',\n"tensors":[\n')
    stream.write(",\n".join(compact(tensor) for tensor in graph["tensors"]))
    stream.write('],\n"nodes":[\n')
    stream.write(",\n".join(compact(node) for node in graph["nodes"]) + "]}\n")


def simple_graph(name, nodes, fixed_bytes=0):
    """A graph in which each node makes one value; `nodes` lists (name, cost, bytes, inputs, backward) in order."""
    return {"version": 1, "name": name, "fixed_bytes": fixed_bytes,
            "tensors": [{"id": i, "bytes": node[2], "kind": "activation"} for i, node in enumerate(nodes)],
            "nodes": [{"id": i, "name": label, "cost": cost, "inputs": sorted(inputs), "outputs": [i], "backward": backward}
                      for i, (label, cost, _, inputs, backward) in enumerate(nodes)]}
