#!/usr/bin/env python3
"""What is recomputed where only floating-point operations cost: memplan.torch against PyTorch's partitioner, on fake tensors.

usage: flops.py [MODEL:BATCH...] [--effort=N] [--json=FILE] [--from FILE...] [--write]
The budget is PyTorch's best peak, the lowest that any of its budgets reaches. Recomputed operations are per cent of those of the forward. --from reads
what --json wrote; the bound is of the source's order, by a search of ten times the work; --write puts the table into docs/Benchmarks/Torch.md.
"""
import argparse
import json
import pathlib
import sys

import budgets
import models
import shared
from memplan.torch import capture, emit, operators, solve, trace, verify

DEFAULTS = ("resnet50:32", "vgg16:32", "mobilenet_v2:32", "gpt2_math:4")
WORK_OF_BOUND = 10 * solve.EFFORT
UNIT = 1e6  # costs are microseconds of a device of 1 TFLOP/s


def flops_of(*modules):
    return sum(operators.flops(n) for m in modules for n in m.graph.nodes if n.op == "call_function" and operators.is_operator(n))


def measure(name, effort):
    module, inputs, loss = models.build(name)
    joint = trace.trace_joint(module.train(), inputs, loss)
    original = trace.Joint(budgets.copy_of(joint.module), joint.inputs, joint.forward_outputs, joint.static, joint.mode)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static, micros=lambda node: operators.flops(node) / UNIT)
    forward = sum(n.cost for n in graph.nodes if not n.backward) * UNIT
    total = flops_of(joint.module)
    peers = budgets.partition_by_torch(original, graph, solve.unplanned(graph).cost, also=lambda *parts: {"again": (flops_of(*parts) - total) / forward})
    best = min(peers, key=lambda row: (row["peak"], row["again"]))
    took, schedule = budgets.seconds(solve.solve, graph, best["peak"], effort=effort)
    parts = emit.emit(schedule)
    bound = solve.plan_within(solve.as_graph(graph), best["peak"], WORK_OF_BOUND).bound
    unplanned = sum(n.cost for n in graph.nodes)
    return {"model": name, "origin": shared.origin(), "budget": best["peak"], "torch": best["again"], "memplan": (flops_of(*parts) - total) / forward,
            "planned": schedule.live_bytes, "true": verify.true_live_bytes(graph, *parts), "bound": max(0.0, bound - unplanned) * UNIT / forward, "recomputations": schedule.recomputations, "seconds": took}


def line(found):
    return (f"| {found['model']} | {found['budget'] / 1e6:.0f} | {100 * found['torch']:.1f} | {100 * found['memplan']:.1f} | {100 * found['bound']:.1f} | {found['recomputations']} | "
            f"{found['true'] - found['planned']} | {found['seconds']:.1f} |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: ") :])
    parser.add_argument("models", nargs="*", default=DEFAULTS)
    parser.add_argument("--effort", type=int, default=0)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", dest="known", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows, columns = [], "| model:batch | PyTorch's best peak, MB | recomputed by PyTorch, % | by memplan, % | proved: no less than, % | nodes that run again | bytes true - planned | CPU s |\n|" + "---|" * 8
    print(columns)
    known, found = [model for path in options.known for model in json.loads(path.read_text())], []
    for given in known or options.models:
        found.append(given if known else measure(given, options.effort))
        rows.append(line(found[-1]))
        print(rows[-1], flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))
    if options.write:
        shared.merge_rows(budgets.PAGES[1], "benchmarks/torch/flops.py", models.heads(found), columns, rows)


if __name__ == "__main__":
    sys.exit(main())
