#!/usr/bin/env python3
"""Bytes of a step of GPT-2 small: attention as one operation, and its scores written out. Writes two tables of docs/Export.md.

    benchmarks/models/attention.py [--chunks N] [--batch 8] [--build DIR] [--write]

Both steps are exports of one module, by `attention_as_products`: that of `transformers` with its dropout, as it is trained, and the same without dropout. "Held at the loss" is what no order of the step can be below where nothing is
recomputed: parameters, states and inputs, and each value that is made on the way to the loss and read again by what depends on the loss. "At no extra time" is the plan
within the bytes of the step without one. With --chunks it writes the second table: the loss by N chunks of rows (`--loss-chunks`), against the first table's scores
written out, whose loss is computed at once. Needs `transformers`; takes a minute.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("", "cuda")]
from gpt2_bytes import unplanned_bytes  # noqa: E402
from shared import ROOT, Table, built  # noqa: E402


def export(path, batch, dropout, as_products):
    import torch
    import transformers

    from memplan.export import export_joint_step, optimizer, record_initializers

    config = transformers.GPT2Config(use_cache=False) if dropout else transformers.GPT2Config(use_cache=False, attn_pdrop=0.0, resid_pdrop=0.0, embd_pdrop=0.0)
    with record_initializers() as record:
        model = transformers.GPT2LMHeadModel(config).train()
    ids = torch.zeros((batch, config.n_positions), dtype=torch.int64)
    path.write_text(export_joint_step(model, {"input_ids": ids, "labels": ids}, {}, None, record=record, optimizer_settings=optimizer("adamw", lr=1e-4),
                                      attention_as_products=as_products))


def closure(start, next_of):
    found, work = set(), [start]
    while work:
        for node in next_of(work.pop()):
            if node not in found:
                found.add(node)
                work.append(node)
    return found


def bytes_held_at_the_loss(graph):
    """Of a graph in JSON: they live at once in any order that computes each value once."""
    tensors, nodes = ({item["id"]: item for item in graph[key]} for key in ("tensors", "nodes"))

    def storage(tensor):
        while (of := tensors[tensor].get("view_of")) is not None:
            tensor = of
        return tensor

    producer, users = {}, {}
    for node in nodes.values():
        for tensor in node["outputs"]:
            producer[tensor] = node["id"]
        for tensor in node["inputs"]:
            users.setdefault(tensor, []).append(node["id"])
    loss = next(node["id"] for node in nodes.values() if node["name"] == "memplan.cross_entropy")
    before = closure(loss, lambda n: [producer[t] for t in nodes[n]["inputs"] if t in producer]) | {loss}
    after = closure(loss, lambda n: [user for t in nodes[n]["outputs"] for user in users.get(t, [])])
    # A view of a value may be made on either side of the loss.
    made = {storage(t) for n in before for t in nodes[n]["outputs"]}
    read = {storage(t) for n in after for t in nodes[n]["inputs"]}
    kept = {t for t, tensor in tensors.items() if tensor["kind"] in ("parameter", "state", "input")}
    return sum(tensors[t]["bytes"] for t in kept | (made & read))


def planned_bytes(tool, step, budget, *flags):
    summary = subprocess.run([str(tool), str(step), f"--budget={budget}", *flags, "-o", "/dev/null"], capture_output=True, text=True, check=True).stderr
    found = re.search(r"device (\d+) bytes.*overhead 0\.00 %", summary)
    if not found:
        sys.exit(f"no plan at no extra time: {summary}")
    return int(found[1])


def cost(graph) -> float:
    return sum(node["cost"] for node in graph["nodes"])


def row(tool, step, batch, dropout):
    """Cells of the first table."""
    graph = step.with_suffix(".json")
    export(step, batch, dropout, True)
    found = [unplanned_bytes(tool, step, "f32", graph)]
    export(step, batch, dropout, False)
    found.append(unplanned_bytes(tool, step, "f32", graph))
    found += [planned_bytes(tool, step, found[1]), bytes_held_at_the_loss(json.loads(graph.read_text()))]
    return [f"{found[0]:,}", *(f"{each:,} | {each / found[0]:.3f}" for each in found[1:])]


def row_of_chunks(tool, step, batch, dropout, chunks):
    """Cells of the second table."""
    graph, flag = step.with_suffix(".json"), f"--loss-chunks={chunks}"
    export(step, batch, dropout, True)
    scores = unplanned_bytes(tool, step, "f32", graph)
    export(step, batch, dropout, False)
    unplanned_bytes(tool, step, "f32", graph)
    before = cost(json.loads(graph.read_text()))
    found = [unplanned_bytes(tool, step, "f32", graph, flag)]
    after = cost(json.loads(graph.read_text()))
    found.append(planned_bytes(tool, step, found[0], flag))
    return [f"{scores:,}", *(f"{each:,} | {each / scores:.3f}" for each in found), f"{after / before:.4f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--chunks", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    tool = built(options.build.resolve(), "memplan-opt") / "bin/memplan-opt"
    sys.path.insert(0, str(options.build.resolve() / "python"))  # graphs are read by the built package
    table = Table()
    first = f"| GPT-2 small, batch {options.batch}, f32 | scores written out, bytes |"
    if options.chunks > 1:
        table.add(f"{first} attention as one operation, loss in {options.chunks} chunks | ratio | at no extra time | ratio | modelled time, chunks / whole |",
                  "|---|---|---|---|---|---|---|")
    else:
        table.add(f"{first} attention as one operation | ratio | at no extra time | ratio | held at the loss | ratio |", "|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        step = pathlib.Path(name) / "step.mlir"
        for dropout in (True, False):
            given = tool, step, options.batch, dropout
            cells = row_of_chunks(*given, options.chunks) if options.chunks > 1 else row(*given)
            table.add(f"| {'dropout .1, as it is trained' if dropout else 'without dropout'} | {' | '.join(cells)} |")
    if options.write:
        table.write([ROOT / "docs/Export.md"], f"benchmarks/models/attention.py{' --chunks' if options.chunks > 1 else ''}")


if __name__ == "__main__":
    main()
