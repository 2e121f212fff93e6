"""Solvers side by side: memplan's own curve, and what published methods make of the same budgets."""

from __future__ import annotations

import json

from .. import errors, planning

# Published methods that are planned beside memplan's own curve. Each gets memplan's order, in-place outputs and arena, so that only what is
# computed again differs.
BASELINES = ("checkpoint-all", "ap-sqrt", "ap-greedy", "linearized-sqrt", "linearized-greedy", "dtr")


def _entry(plan: planning.Plan) -> dict:
    return {"budget_bytes": plan.budget_bytes, "device_bytes": plan.device_bytes, "cost": plan.cost, "time": plan.time}


def race(graph: planning.GraphLike, solvers=BASELINES, points: int = 6, count=None, *, progress=None, **options) -> dict:
    """Plans for the budgets of one curve, by memplan and by each of several solvers of recomputation.

    solvers    names as --remat takes them
    points     number of budgets
    count      called with (budgets done, budgets in all), of the solvers
    progress   of memplan's own curve, as in memplan.plan()
    options    as in memplan.plan()

    Returns the object of a *.curve.json (docs/Formats.md) with `baselines`; a budget that a solver does not meet is left out there.
    Raises InputError for a solver that does not exist, or a graph that has no plan. What Ctrl-C has stopped is the `curve` of
    KeyboardInterrupt, or None.
    """
    graph = planning._as_graph(graph)
    try:
        own = planning.curve(graph, points, progress=progress, **options)
    except KeyboardInterrupt as stopped:
        made = getattr(stopped, "curve", None)
        stopped.curve = None if made is None else json.loads(made.json())
        raise
    if not len(own):
        raise errors.InputError("the graph has no plan with any budget")
    curve = json.loads(own.json())
    curve["baselines"] = [{"solver": solver, "points": []} for solver in solvers]
    pairs = [(row, plan.budget_bytes) for row in curve["baselines"] for plan in own]
    try:
        for number, (row, budget) in enumerate(pairs):
            try:
                row["points"].append(_entry(planning.plan(graph, budget, **{**options, "remat": row["solver"]})))
            except errors.BudgetError:
                pass
            if count is not None:
                count(number + 1, len(pairs))
    except KeyboardInterrupt as stopped:
        stopped.curve = curve
        raise
    return curve
