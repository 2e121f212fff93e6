#!/usr/bin/env python3
"""Real steps of small models on the CPU: does the allocator hand out what was planned, and what does a plan cost in time?

usage: steps.py [MODEL...] [--budgets=N] [--times] [--rounds=N] [--json=FILE] [--from FILE...] [--write]
Each budget is a compilation by memplan.torch.compile with the loss inside, and one step between events of PyTorch's allocator. Budgets stand at equal
steps from the least to just below what the step takes without a plan. --times measures instead: steps at a budget of .8 of that range and eager ones
in turn, in CPU seconds. --from reads what --json wrote; --write puts the rows into docs/Benchmarks/Torch.md.
Rows of other models stay there.
"""
import argparse
import copy
import json
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "build/python"), str(pathlib.Path(__file__).parent), str(ROOT / "benchmarks")]
import memplan.torch  # noqa: E402
import models  # noqa: E402
import shared  # noqa: E402
import torch  # noqa: E402
from memplan.torch import solve  # noqa: E402

PAGE = ROOT / "docs/Benchmarks/Torch.md"


def cpu_seconds():
    """Of all threads of this process."""
    return time.process_time()


class Model:
    """A small model, its inputs and its loss; `compiled(budget)` is its step."""

    def __init__(self, name):
        self.name = name
        self.module, self.inputs, self.loss = models.build_small(name)
        self.module.train()
        self.scratch = memplan.torch.Measurements("")

    def compiled(self, budget, **options):
        torch._dynamo.reset()
        self.module.zero_grad(set_to_none=True)
        return memplan.torch.compile(self.module, budget, loss=self.loss, measure=self.scratch, quiet=True, **options)

    def step(self, call):
        """Loss of one step; its gradients are in the module."""
        torch.manual_seed(5)
        value = call(*self.inputs)
        value.backward()
        return value.detach()

    def range(self):
        """(least bytes that a plan is known for, bytes without one), both with scratch."""
        step = self.compiled(1 << 50)
        self.step(step)
        graph = step.schedule.graph
        return solve.least(graph).peak_bytes, step.report.planned_bytes, len(graph.nodes)


def gradients(module):
    return [p.grad.clone() for p in module.parameters() if p.grad is not None]


def keep(name, count):
    """Cells of one model: planned and measured bytes, and whether loss, gradients and buffers are eager's."""
    model = Model(name)
    least, most, nodes = model.range()
    state = copy.deepcopy(model.module.state_dict())

    def run(call):
        model.module.load_state_dict(state)
        model.module.zero_grad(set_to_none=True)
        value = model.step(call)
        return [value, *gradients(model.module), *(b.clone() for b in model.module.buffers())]

    expected = run(lambda *inputs: model.loss(model.module(*inputs[:-1]), inputs[-1]))
    cells = []
    for number in range(count):
        budget = least + (most - least) * number // count
        begin = cpu_seconds()
        step = model.compiled(budget, on_miss="ignore")
        try:
            found = run(step)
        except memplan.torch.BudgetError as error:
            cells.append({"budget": budget, "error": str(error)})
            continue
        report = step.report
        cells.append({"budget": budget, "planned": report.planned_bytes, "measured": report.measured_bytes, "overhead": report.overhead, "recomputations": report.recomputations,
                      "over": sum(run.over is not None for run in step.schedule.runs),
                      "equal": all(torch.equal(a, b) for a, b in zip(expected, found, strict=True)), "seconds": cpu_seconds() - begin})
    return {"model": name, "origin": shared.origin(), "nodes": nodes, "unplanned": most, "cells": cells}


def keep_line(found):
    """One row of the table of --write; cells that were refused have only a budget."""
    cells = [cell for cell in found["cells"] if "error" not in cell]
    kept = sum(cell["measured"] <= cell["budget"] for cell in cells)
    row = (f"| {found['model']} | {found['nodes']} | {found['cells'][0]['budget'] / 1e6:.1f} to {found['unplanned'] / 1e6:.1f} | {kept} kept, {len(cells) - kept} exceeded, "
           f"{len(found['cells']) - len(cells)} refused |")
    if not cells:
        return row + " - |" * 5
    apart = max(abs(cell["planned"] / cell["measured"] - 1) for cell in cells)
    equal = sum(cell["equal"] for cell in cells)
    seconds = statistics.median(cell["seconds"] for cell in cells)
    return (f"{row} {100 * apart:.3f} | {equal} of {len(cells)} | {min(c['recomputations'] for c in cells)} to {max(c['recomputations'] for c in cells)} | "
            f"{min(c['over'] for c in cells)} to {max(c['over'] for c in cells)} | {seconds:.1f} |")


def keep_summary(rows):
    """What all rows say together."""
    counts = shared.budget_counts(rows)
    apart = [row.split("|")[5].strip() for row in rows]
    return (f"Of {sum(counts.values())} cells of {len(rows)} models {counts['kept']} are kept, {counts['exceeded']} exceeded and {counts['refused']} refused. "
            f"Planned and measured bytes differ by at most {max((float(each) for each in apart if each != '-'), default=0):.3f} %.")


def times(name, rounds):
    """CPU seconds of a planned and of an eager step, in turn."""
    model = Model(name)
    least, most, nodes = model.range()
    budget = int(least + 0.8 * (most - least))
    step = model.compiled(budget, on_miss="ignore")

    def eager(*inputs):
        return model.loss(model.module(*inputs[:-1]), inputs[-1])

    taken = {"planned": [], "eager": [], "without a plan": []}
    model.step(step)
    overhead, recomputations = step.report.overhead, step.report.recomputations  # reading the report ends the watch
    free = memplan.torch.compile(model.module, 1 << 50, loss=model.loss, measure=model.scratch, quiet=True)
    model.module.zero_grad(set_to_none=True)
    model.step(free)
    free.report  # noqa: B018
    for number in range(rounds + 2):
        for kind, call in (("planned", step), ("eager", eager), ("without a plan", free)):
            model.module.zero_grad(set_to_none=True)
            begin = cpu_seconds()
            model.step(call)
            if number > 1:
                taken[kind].append(cpu_seconds() - begin)
    return {"model": name, "origin": shared.origin(), "nodes": nodes, "budget": budget, "unplanned": most, "overhead": overhead, "recomputations": recomputations, "taken": taken}


def times_line(found):
    planned, eager, free = (statistics.median(found["taken"][kind]) for kind in ("planned", "eager", "without a plan"))
    each = statistics.median(a / b for a, b in zip(found["taken"]["planned"], found["taken"]["eager"]))
    return (f"| {found['model']} | {found['budget'] / 1e6:.1f} of {found['unplanned'] / 1e6:.1f} | {found['recomputations']} | {100 * found['overhead']:.1f} | {len(found['taken']['eager'])} | {1000 * eager:.0f} | "
            f"{planned / eager:.3f} | {each:.3f} | {free / eager:.3f} |")


HEADS = {
    "keep": "| model:batch | nodes | budgets, MB | budgets | planned / measured - 1, largest, % | loss, gradients and buffers equal eager's | recomputations | results over arguments | CPU s to compile and run |\n|" + "---|" * 9,
    "times": "| model:batch | budget, MB | recomputations | planned extra time, % | rounds | eager, CPU ms | planned / eager, medians | median of ratios | without a plan / eager |\n|" + "---|" * 9,
}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: ") :])
    parser.add_argument("models", nargs="*")
    parser.add_argument("--budgets", type=int, default=10)
    parser.add_argument("--times", action="store_true")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", dest="known", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    kind = "times" if options.times else "keep"
    line = times_line if options.times else keep_line
    known, found = [model for path in options.known for model in json.loads(path.read_text())], []
    rows = []
    print(HEADS[kind])
    for given in known or options.models or (models.TIMED if options.times else models.SMALL):
        found.append(given if known else times(given, options.rounds) if options.times else keep(given, options.budgets))
        rows.append(line(found[-1]))
        print(rows[-1], flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))
    if not options.times:
        print(f"\n{keep_summary(rows)}")
    if options.write:
        shared.merge_rows(PAGE, f"benchmarks/torch/steps.py{' --times' if options.times else ''}", models.heads(found), HEADS[kind], rows, None if options.times else keep_summary)


if __name__ == "__main__":
    main()
