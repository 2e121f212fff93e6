#!/usr/bin/env python3
"""Steps of small models that inductor compiles on the CPU: what a plan that counts what fusion removes says, and one that does not, beside what is measured.

usage: fused.py [MODEL...] [--shares=S,S...] [--json=FILE] [--from FILE...] [--write]
Budgets are shares of what the step takes without a plan. A step that exceeds its budget is planned again with what it missed, as memplan.torch.compile
does. --from reads what --json wrote; --write puts the rows into docs/Benchmarks/Torch.md. Rows of other models stay there.
"""
import argparse
import json
import pathlib
import sys
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "build/python"), str(pathlib.Path(__file__).parent), str(ROOT / "benchmarks")]
import memplan.torch  # noqa: E402
import models  # noqa: E402
import shared  # noqa: E402
import torch  # noqa: E402
from memplan.torch import capture, front, session  # noqa: E402

PAGE = ROOT / "docs/Benchmarks/Torch.md"
MODELS = ("gpt2:4", "bert:4", "vit:8", "mobilenet_v3_small:8")
COLUMNS = ("| model:batch | measured without a plan, MB | planned / measured there, not counting and counting | budget, MB | not counting: verdict, plans, recomputations, extra time % | "
           "counting: verdict, plans, recomputations, extra time % | planned / measured, not counting and counting |\n|" + "---|" * 7)


def one_by_one(graph, forward_outputs, **options):
    """A graph of which nothing is fused."""
    return capture.StepGraph(graph, forward_outputs, **{**options, "fuses": False})


def run(name, budget, counts):
    """What becomes of a budget: the last report, and after how many plans."""
    torch._dynamo.reset()
    module, inputs, loss = models.build_small(name)
    step = memplan.torch.compile(module.train(), budget, loss=loss, backend="inductor", quiet=True)
    plans, report = 0, None
    with unittest.mock.patch.object(session, "StepGraph", capture.StepGraph if counts else one_by_one):
        while plans <= front.ROUNDS["inductor"] + 1 and (report is None or report.verdict == "missed"):
            module.zero_grad(set_to_none=True)
            try:
                step(*inputs).backward()
            except memplan.torch.BudgetError as error:
                last = {} if report is None else {"planned": report.planned_bytes, "measured": report.measured_bytes}
                return {"verdict": "refused", "plans": plans, "least": error.least, **last}
            plans, report = plans + 1, step.report
    return {"verdict": report.verdict, "plans": plans, "planned": report.planned_bytes, "measured": report.measured_bytes, "recomputations": report.recomputations,
            "overhead": report.overhead}


def measure(name, shares):
    free = [run(name, 1 << 50, counts) for counts in (False, True)]
    budgets = [int(share * free[1]["measured"]) for share in shares]
    return {"model": name, "origin": shared.origin(), "free": free, "cells": [{"budget": budget, "runs": [run(name, budget, counts) for counts in (False, True)]} for budget in budgets]}


def ratio(run):
    return f"{run['planned'] / run['measured']:.3f}" if "planned" in run else "-"


def said(run):
    """A cell of the table."""
    if run["verdict"] == "refused":
        return f"refused, {run['plans']}"
    return f"{run['verdict']}, {run['plans']}, {run['recomputations']}, {100 * run['overhead']:.1f}"


def lines(found):
    """Rows of one model, one a budget."""
    free = found["free"]
    for cell in found["cells"]:
        share = cell["budget"] / free[1]["measured"]
        yield (f"| {found['model']} at {share:.2f} | {free[1]['measured'] / 1e6:.2f} | {ratio(free[0])}, {ratio(free[1])} | {cell['budget'] / 1e6:.2f} | {said(cell['runs'][0])} | {said(cell['runs'][1])} | "
               f"{ratio(cell['runs'][0])}, {ratio(cell['runs'][1])} |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: ") :])
    parser.add_argument("models", nargs="*")
    parser.add_argument("--shares", type=lambda text: [float(share) for share in text.split(",")], default=[0.8, 0.7])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", dest="known", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    known, found, rows = [model for path in options.known for model in json.loads(path.read_text())], [], []
    print(COLUMNS)
    for given in known or options.models or MODELS:
        found.append(given if known else measure(given, options.shares))
        for row in lines(found[-1]):
            rows.append(row)
            print(row, flush=True)
        if options.json:
            options.json.write_text(json.dumps(found, indent=1))
    if options.write:
        shared.merge_rows(PAGE, "benchmarks/torch/fused.py", models.heads(found), COLUMNS, rows)


if __name__ == "__main__":
    main()
