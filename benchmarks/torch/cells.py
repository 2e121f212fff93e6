#!/usr/bin/env python3
"""Ten budgets for each of twelve models: are they kept to the byte on fake tensors, and does more budget never cost time?

usage: cells.py [MODEL:BATCH...] [--others] [--effort=N] [--budgets=N] [--json=FILE] [--from FILE...] [--write]
Budgets stand at equal steps from the least that a quick search finds to just below the unplanned peak. Times are user CPU seconds.
--others takes other models where none is named, and three budgets of each. --from reads what --json wrote instead of measuring; --write puts the
rows into the table of so many budgets in docs/Benchmarks/Torch.md. Rows of other models stay there.
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
    """One row of the table; cells that were refused have only a budget."""
    cells = [cell for cell in found["cells"] if "error" not in cell]
    kept = sum(cell["true"] <= cell["budget"] for cell in cells)
    row = (f"| {found['model']} | {found['nodes']} | {found['cells'][0]['budget'] / 1e6:.0f} to {found['unplanned'] / 1e6:.0f} | {kept} kept, {len(cells) - kept} exceeded, "
           f"{len(found['cells']) - len(cells)} refused |")
    if not cells:
        return row + " - |" * 4
    apart = max(abs(cell["true"] - cell["planned"]) for cell in cells)
    monotone = all(a["overhead"] >= b["overhead"] - 1e-9 for a, b in zip(cells, cells[1:]))
    seconds = sorted(cell["seconds"] for cell in cells)
    times = ", ".join(f"{100 * cell['overhead']:.1f}" for cell in cells)
    return (f"{row} {apart} | {'yes' if monotone else 'no'} | {seconds[len(seconds) // 2]:.1f} | {times} |")


def summary(rows):
    """What all rows say together."""
    counts = shared.budget_counts(rows)
    apart = [row.split("|")[5].strip() for row in rows]
    return (f"Of {sum(counts.values())} cells of {len(rows)} models {counts['kept']} are kept, {counts['exceeded']} exceeded and {counts['refused']} refused. "
            f"True and planned bytes differ by at most {max((int(each) for each in apart if each != '-'), default=0)}.")


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
    rows, columns = [], "| model:batch | nodes | budgets, MB | budgets | bytes true - planned | more budget, never more time | CPU s of one plan | extra time, % |\n|" + "---|" * 8
    print(columns)
    for given in known or options.models or (models.OTHERS if options.others else models.DEFAULTS):
        found.append(given if known else measure(given, options.effort, count))
        rows.append(line(found[-1]))
        print(rows[-1], flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))
    print(f"\n{summary(rows)}")
    if options.write:
        number = len(found[0]["cells"])
        shared.merge_rows(ROOT / "docs/Benchmarks/Torch.md", f"benchmarks/torch/cells.py --budgets={number}", models.heads(found), columns, rows, summary)


if __name__ == "__main__":
    main()
