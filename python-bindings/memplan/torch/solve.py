"""Solve: a plan of a captured step within a budget, in process."""

from __future__ import annotations

import json

import memplan

from .capture import StepGraph
from .errors import BudgetError, show_bytes
from .schedule import Schedule

# PyTorch has an allocator of its own, and its functional operators do not write over their inputs.
OPTIONS = {"in_place": False, "sharing": "none", "alignment": 1}


def as_graph(graph: StepGraph) -> memplan.Graph:
    return memplan.Graph.from_json(json.dumps(graph.json()))


def as_schedule(graph: StepGraph, plan: memplan.Plan) -> Schedule:
    """Schedule of a plan for `graph`."""
    computes = (a for a in plan.actions if a.kind == memplan.ActionKind.COMPUTE)
    return Schedule(graph, [(a.node, a.discards) for a in computes])


def unplanned(graph: StepGraph) -> Schedule:
    """Schedule of the joint graph as it stands: each node once, in its order."""
    return Schedule(graph, [(n.id, []) for n in graph.nodes])


def least(graph: StepGraph, effort: int = 0) -> Schedule:
    """Schedule of the least bytes that the planner finds."""
    return as_schedule(graph, memplan.min_budget(as_graph(graph), effort=effort, **OPTIONS).plan)


def solve(graph: StepGraph, budget: int, *, effort: int = 0, attempts: int = 3) -> Schedule:
    """Schedule whose true bytes, replayed with scratch, are at most `budget`: without recomputation where that fits.

    The replay may exceed the planner's own count, where a caller holds what the planner would release; then the planner is
    asked again for that much less. Raises BudgetError with the least budget known."""
    schedule = unplanned(graph)
    if schedule.peak_bytes <= budget:
        return schedule
    planned, inner = as_graph(graph), budget
    for _ in range(attempts):
        try:
            plan = memplan.plan(planned, inner, effort=effort, **OPTIONS)
        except BudgetError as error:
            known = None if error.least is None else error.least + budget - inner
            says = "" if known is None else f"; {show_bytes(known)} ({known} bytes) are known to work"
            raise BudgetError(f"no plan keeps {show_bytes(budget)} ({budget} bytes){says}: {error}", known, error.bound, error.plan) from None
        schedule = as_schedule(graph, plan)
        if schedule.peak_bytes <= budget:
            return schedule
        inner -= schedule.peak_bytes - budget
    raise BudgetError(f"the plan found takes {schedule.peak_bytes} bytes of {budget}", schedule.peak_bytes)
