#!/usr/bin/env python3
"""Ten budgets for each of twelve models: are they kept to the byte on fake tensors, and does more budget never cost time?

usage: cells.py [MODEL:BATCH...] [--effort=N] [--budgets=N] [--json=FILE]
Budgets stand at equal steps from the least that a quick search finds to just below the unplanned peak. Times are user CPU seconds.
"""
import argparse
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "build/python"), str(pathlib.Path(__file__).parent)]
import memplan  # noqa: E402
import models  # noqa: E402
from memplan.torch import BudgetError, capture, emit, solve, trace, verify  # noqa: E402


def quick_least(graph):
    """A budget that works, without the walk to the least one."""
    return memplan.min_budget(solve.as_graph(graph), effort=1000, **{**solve.OPTIONS, "arena": "auto"}).bytes


def measure(name, effort, count):
    """All cells of one model."""
    module, inputs, loss = models.build(name)
    joint = trace.trace_joint(module.train(), inputs, loss)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
    free, low, cells = solve.unplanned(graph), quick_least(graph), []
    for number in range(count):
        budget = low + (free.peak_bytes - low) * number // count
        begin = time.process_time()
        try:
            schedule = solve.solve(graph, budget, effort=effort)
        except BudgetError as error:
            cells.append({"budget": budget, "error": str(error)})
            continue
        took = time.process_time() - begin
        cells.append({"budget": budget, "planned": schedule.live_bytes, "true": verify.true_live_bytes(graph, *emit.emit(schedule)),
                      "overhead": schedule.cost / free.cost - 1, "recomputations": schedule.recomputations, "seconds": took})
    return {"model": name, "nodes": len(graph.nodes), "unplanned": free.peak_bytes, "cells": cells}


def line(found):
    """One row of the table."""
    cells = [cell for cell in found["cells"] if "error" not in cell]
    kept = sum(cell["true"] <= cell["budget"] for cell in cells)
    apart = max(abs(cell["true"] - cell["planned"]) for cell in cells)
    monotone = all(a["overhead"] >= b["overhead"] - 1e-9 for a, b in zip(cells, cells[1:]))
    seconds = sorted(cell["seconds"] for cell in cells)
    times = ", ".join(f"{100 * cell['overhead']:.1f}" for cell in cells)
    return (f"| {found['model']} | {found['nodes']} | {found['cells'][0]['budget'] / 1e6:.0f} to {found['unplanned'] / 1e6:.0f} | {kept} kept, {len(found['cells']) - len(cells)} refused | "
            f"{apart} | {'yes' if monotone else 'no'} | {seconds[len(seconds) // 2]:.1f} | {times} |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: ") :])
    parser.add_argument("models", nargs="*", default=models.DEFAULTS)
    parser.add_argument("--effort", type=int, default=0)
    parser.add_argument("--budgets", type=int, default=10)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    print("| model:batch | nodes | budgets, MB | of ten budgets | bytes true - planned | more budget, never more time | CPU s of one plan | extra time, % |\n|" + "---|" * 8)
    found = []
    for name in options.models:
        found.append(measure(name, options.effort, options.budgets))
        print(line(found[-1]), flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
