#!/usr/bin/env python3
"""memplan.torch against PyTorch's own partitioner (activation_memory_budget), on fake tensors: no kernel runs.

usage: budgets.py [MODEL:BATCH...] [--effort=N] [--shares=0.6,0.3,0.1] [--json=FILE] [--from FILE...] [--write] [--picture=FILE]
For each model one joint graph, one cost model and one count of live bytes for both. PyTorch's best peak is the lowest that any
of its budgets reaches. Times are user CPU seconds. --from reads what --json wrote instead of measuring; --write puts the rows into the
two pages of docs. Rows of other models stay there.
"""
import argparse
import copy
import json
import pathlib
import sys
import time

import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "build/python"), str(pathlib.Path(__file__).parent), str(ROOT / "benchmarks")]
import models  # noqa: E402
import shared  # noqa: E402
import torch._functorch.config  # noqa: E402
from memplan.torch import BudgetError, capture, emit, operators, solve, trace, verify  # noqa: E402
from torch._functorch import partitioners  # noqa: E402


PAGES = (ROOT / "docs/Torch.md", ROOT / "docs/Benchmarks/Torch.md")


def seconds(function, *args, **kwargs):
    """(user CPU seconds, result) of one call."""
    begin = time.process_time()
    result = function(*args, **kwargs)
    return time.process_time() - begin, result


def copy_of(joint):
    """A copy of a joint graph that shares the values in its metadata."""
    graph, made = torch.fx.Graph(), {}
    for node in joint.graph.nodes:
        made[node] = graph.node_copy(node, lambda a: made[a])
        made[node].name, made[node].meta = node.name, copy.copy(node.meta)
    return torch.fx.GraphModule(joint, graph)


def modelled_micros(*modules):
    """Time of partitioned modules by memplan's cost model: nodes that make views cost nothing."""
    line, total = operators.Roofline(), 0.0
    for node in (n for m in modules for n in m.graph.nodes):
        if node.op != "call_function" or not operators.is_operator(node):
            continue
        tensors = [[t for t in torch.utils._pytree.tree_leaves(v) if isinstance(t, torch.Tensor)]
                   for v in (operators.example_arguments(node), node.meta["val"])]
        read, made = ({t.untyped_storage()._cdata for t in part} for part in tensors)
        total += 0.0 if made <= read else line.micros(node)
    return total


def partition_by_torch(joint, graph, base, also=lambda *_: {}):
    """Rows (budget, true peak, overhead, seconds) of PyTorch's partitioner over its budgets, with what `also` says of each pair of modules."""
    rows = []
    for tenth in range(10, -1, -1):
        clone = copy_of(joint.module)
        with torch._functorch.config.patch(activation_memory_budget=tenth / 10), joint.mode:
            took, parts = seconds(partitioners.min_cut_rematerialization_partition, clone, joint.inputs,
                                  num_fwd_outputs=joint.forward_outputs, static_lifetime_input_indices=list(joint.static))
        peak = verify.true_live_bytes(graph, *parts)
        rows.append({"budget": tenth / 10, "peak": peak, "overhead": modelled_micros(*parts) / base - 1, "seconds": took} | also(*parts))
    return rows


def plan(graph, budget, effort, base):
    """One row of memplan: budget, planned and true peak, overhead, seconds; None where there is no plan."""
    try:
        took, schedule = seconds(solve.solve, graph, budget, effort=effort)
    except BudgetError:
        return None
    true = verify.true_live_bytes(graph, *emit.emit(schedule))
    return {"budget": budget, "planned": schedule.live_bytes, "true": true, "overhead": schedule.cost / base - 1, "recomputations": schedule.recomputations, "seconds": took}


def measure(name, effort, shares):
    """All figures of one model."""
    module, inputs, loss = models.build(name)
    joint = trace.trace_joint(module.train(), inputs, loss)
    original = trace.Joint(copy_of(joint.module), joint.inputs, joint.forward_outputs, joint.static, joint.mode)
    took, graph = seconds(capture.StepGraph, joint.module, joint.forward_outputs, static=joint.static)
    free, base = solve.unplanned(graph), modelled_micros(original.module)
    peers = partition_by_torch(original, graph, base)
    best = min(peers, key=lambda row: (row["peak"], row["overhead"]))
    least = solve.least(graph, effort)
    budgets = [int(least.peak_bytes + share * (free.peak_bytes - least.peak_bytes)) for share in shares]
    rows = [row for budget in sorted({best["peak"], *budgets}) if (row := plan(graph, budget, effort, base))]
    return {"model": name, "origin": shared.origin(), "nodes": len(graph.nodes), "unplanned": peers[0]["peak"], "own": free.peak_bytes, "own_overhead": free.cost / base - 1, "least": least.peak_bytes, "capture_seconds": took,
            "torch": peers, "torch_best": best, "memplan": rows}


def line(found):
    """One row of the table."""
    peers, rows, best = found["torch"], found["memplan"], found["torch_best"]
    at = next((row for row in rows if row["budget"] == best["peak"]), None)
    apart = max(abs(row["true"] - row["planned"]) for row in rows)
    falls = all(a["peak"] >= b["peak"] for a, b in zip(peers, peers[1:]))
    monotone = all(a["overhead"] >= b["overhead"] - 1e-9 for a, b in zip(rows, rows[1:]))
    middle = sorted(row["seconds"] for row in rows)[len(rows) // 2]
    theirs = sorted(row["seconds"] for row in peers)[len(peers) // 2]
    mega = "{:.0f}".format
    curve = ", ".join(f"{mega(row['budget'] / 1e6)}: {100 * row['overhead']:.1f}" for row in rows)
    return (f"| {found['model']} | {found['nodes']} | {mega(found['unplanned'] / 1e6)} | {mega(best['peak'] / 1e6)} | {100 * best['overhead']:.1f} | "
            f"{100 * at['overhead']:.1f} | {mega(found['least'] / 1e6)} | {apart} | {'yes' if falls else 'no'} / {'yes' if monotone else 'no'} | "
            f"{theirs:.1f} / {middle:.1f} | {curve} |" if at else f"| {found['model']} | no plan at PyTorch's best peak, {best['peak']} bytes |")


def draw(found, path):
    """Peak bytes and extra time of both, for one model."""
    pyplot = shared.figure()
    if pyplot is None:
        return
    figure, axes = pyplot.subplots(figsize=(6.4, 3.6))
    ours = [(row["true"] / 1e6, 100 * row["overhead"]) for row in found["memplan"]] + [(found["own"] / 1e6, 100 * found["own_overhead"])]
    theirs = sorted(((row["peak"] / 1e6, 100 * row["overhead"], row["budget"]) for row in found["torch"]), key=lambda row: -row[2])
    axes.plot(*zip(*ours), marker="o", label="memplan, budgets in bytes")
    axes.plot([row[0] for row in theirs], [row[1] for row in theirs], marker="x", linestyle=":", label="PyTorch, activation_memory_budget")
    for peak, overhead, budget in (theirs[0], theirs[-1]):
        axes.annotate(f"{budget:g}", (peak, overhead), textcoords="offset points", xytext=(6, 2), fontsize=8)
    axes.set_xlabel("true peak on fake tensors, MB")
    axes.set_ylabel("extra time by the cost model, %")
    axes.set_title(found["model"], fontsize=10)
    axes.set_ylim(bottom=min(0, *(row[1] for row in ours)) - 2)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: ") :])
    parser.add_argument("models", nargs="*", default=models.DEFAULTS)
    parser.add_argument("--effort", type=int, default=0)
    parser.add_argument("--shares", type=lambda text: [float(part) for part in text.split(",")], default=[0.6, 0.3, 0.1])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", dest="known", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--picture", type=pathlib.Path, help="of the first model: peaks and extra time of both")
    options = parser.parse_args()
    rows, columns = [], ("| model:batch | nodes | unplanned MB | PyTorch's best peak MB | its extra time % | memplan's % there | least MB | true - planned, bytes | "
             "more budget, never more bytes (PyTorch) / time (memplan) | CPU s of one plan: PyTorch / memplan | memplan, MB: extra time % |\n|" + "---|" * 11)
    print(columns)
    known, found = [model for path in options.known for model in json.loads(path.read_text())], []
    for given in known or options.models:
        found.append(given if known else measure(given, options.effort, options.shares))
        rows.append(line(found[-1]))
        print(rows[-1], flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))
    if options.write:
        for page in PAGES:
            shared.merge_rows(page, "benchmarks/torch/budgets.py", models.heads(found), columns, rows)
    if options.picture:
        draw(found[0], options.picture)


if __name__ == "__main__":
    main()
