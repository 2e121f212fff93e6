#!/usr/bin/env python3
"""Ten budgets for each of twelve models: are they kept to the byte on fake tensors, and does more budget never cost time?

usage: cells.py [MODEL:BATCH...] [--others] [--effort=N] [--budgets=N] [--json=FILE] [--from FILE...] [--write]
Budgets stand at equal steps from the least that a quick search finds to just below the unplanned peak. Times are user CPU seconds.
--others takes other models where none is named, and three budgets of each. --from reads what --json wrote instead of measuring; --write puts the
table of ten budgets, or that of other numbers of them, into docs/Benchmarks/Torch.md.
"""
import argparse
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "build/python"), str(pathlib.Path(__file__).parent), str(ROOT / "benchmarks")]
import models  # noqa: E402
import shared  # noqa: E402
from memplan.torch import BudgetError, capture, emit, solve, trace, verify  # noqa: E402


def quick_least(graph):
    """A budget that works, by a search of little effort."""
    return solve.least(graph, effort=1000).peak_bytes


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
    return {"model": name, "origin": shared.origin(), "nodes": len(graph.nodes), "unplanned": free.peak_bytes, "cells": cells}


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


def summary(found):
    """What all cells say together."""
    cells = [cell for model in found for cell in model["cells"]]
    made = [cell for cell in cells if "error" not in cell]
    return (f"\nOf {len(cells)} cells of {len(found)} models {sum(cell['true'] <= cell['budget'] for cell in made)} are kept, "
            f"{sum(cell['true'] == cell['planned'] for cell in made)} of them with what was planned to the byte. "
            f"{sum(cell['true'] > cell['budget'] for cell in made)} are exceeded and {len(cells) - len(made)} refused.")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: ") :])
    parser.add_argument("models", nargs="*")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--effort", type=int, default=0)
    parser.add_argument("--budgets", type=int)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", dest="known", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    count = options.budgets or (3 if options.others else 10)
    known, found = [model for path in options.known for model in json.loads(path.read_text())], []
    lines = ["| model:batch | nodes | budgets, MB | budgets | bytes true - planned | more budget, never more time | CPU s of one plan | extra time, % |\n|" + "---|" * 8]
    print(lines[0])
    for given in known or options.models or (models.OTHERS if options.others else models.DEFAULTS):
        found.append(given if known else measure(given, options.effort, count))
        lines.append(line(found[-1]))
        print(lines[-1], flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))
    lines.append(summary(found))
    print(lines[-1])
    if options.write:
        number = len(found[0]["cells"])
        shared.put_table(ROOT / "docs/Benchmarks/Torch.md", f"benchmarks/torch/cells.py --budgets={number}", "\n".join([*models.heads(found), "", *lines]))


if __name__ == "__main__":
    main()
