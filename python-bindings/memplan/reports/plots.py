"""Pictures by matplotlib: PNG, SVG or PDF, for papers and issues."""

from __future__ import annotations

import os

from .. import errors, planning
from .source import ReportData, load, read_json

UNITS = ["B", "KiB", "MiB", "GiB", "TiB"]
# Okabe and Ito's colours, which colour-blind people can tell apart; the same as on the page.
COLOURS = {"fixed": "#BFBFBF", "parameters": "#0072B2", "states": "#56B4E9", "inputs": "#B0B060", "gradients": "#CC79A7", "kept for backward": "#D55E00",
           "recomputed": "#009E73", "fetched": "#B010D8", "temporaries": "#E69F00", "outputs": "#F0E442", "scratch": "#4D4D4D"}


def _axes(title: str):
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise errors.UnavailableError("pictures are drawn by matplotlib: pip install 'memplan[report]'") from None
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    axes = figure.add_subplot()
    # Names are texts, not formulas.
    axes.set_title(title[:80], parse_math=False)
    return figure, axes


def _unit_of(most: float):
    power = 0
    while power + 1 < len(UNITS) and most >= 1024 ** (power + 1):
        power += 1
    return UNITS[power], 1024**power


def stack_bytes(data: ReportData) -> dict[str, list[int]]:
    """By kind, the live device bytes at each step."""
    count = len(data["steps"])
    sums = {name: [0] * (count + 1) for name in COLOURS}
    for row in data["live_ranges"]:
        if row.get("space") != "host":
            sums[row["category"]][row["begin"]] += row["bytes"]
            sums[row["category"]][row["end"]] -= row["bytes"]
    sums["fixed"][0] += data.summary["fixed_bytes"]
    for column in sums.values():
        for step in range(1, count + 1):
            column[step] += column[step - 1]
    return {name: column[:count] for name, column in sums.items() if any(column[:count])}


def _draw_timeline(data: ReportData):
    figure, axes = _axes(data["graph"])
    stack = stack_bytes(data)
    peak = data["peak"]
    unit, size = _unit_of(max(peak["bytes"], data.summary.get("budget_bytes", 0)))
    steps = range(len(data["steps"]))
    axes.stackplot(steps, [[value / size for value in column] for column in stack.values()], labels=list(stack), colors=[COLOURS[name] for name in stack], step="post")
    if "budget_bytes" in data.summary:
        axes.axhline(data.summary["budget_bytes"] / size, color="#B3261E", linestyle="--", label="budget")
    axes.plot([peak["step"]], [peak["bytes"] / size], marker="v", color="#B3261E", label="peak", linestyle="")
    axes.set(xlabel="step", ylabel=unit, xlim=(0, max(1, len(data["steps"]) - 1)), ylim=(0, None))
    figure.legend(loc="outside right upper", fontsize="small")
    return figure


def _draw_arena(data: ReportData):
    from matplotlib.collections import PolyCollection
    figure, axes = _axes(data["graph"])
    rows = [row for row in data["live_ranges"] if "offset" in row and row.get("space") != "host" and row["bytes"] > 0]
    if not rows:
        raise errors.InputError("the plan has no arena")
    most = data.summary["arena_bytes"]
    unit, size = _unit_of(most)
    corners = [(row["begin"], row["end"], row["offset"] / size, (row["offset"] + row["bytes"]) / size) for row in rows]
    axes.add_collection(PolyCollection([[(left, low), (right, low), (right, high), (left, high)] for left, right, low, high in corners],
                                       facecolors=[COLOURS[row["category"]] for row in rows], edgecolors="white", linewidths=0.2))
    for name in COLOURS:
        if any(row["category"] == name for row in rows):
            axes.fill_between([], [], color=COLOURS[name], label=name)
    axes.axvline(data["peak"]["step"], color="#B3261E", linestyle=":", label="peak")
    axes.set(xlabel="step", ylabel=f"offset in {unit}", xlim=(0, len(data["steps"])), ylim=(0, most / size))
    figure.legend(loc="outside right upper", fontsize="small")
    return figure


def _draw_curve(curve: dict):
    figure, axes = _axes(curve.get("graph", ""))
    points = curve["points"]
    if not points:
        raise errors.InputError("the curve has no points")
    least = curve["least_cost"]
    unit, size = _unit_of(points[-1]["device_bytes"])
    over = [100 * (point["time"] / least - 1) for point in points]
    proved = [100 * (max(point.get("bound", 0), least) / least - 1) for point in points]
    x = [point["device_bytes"] / size for point in points]
    axes.fill_between(x, proved, over, color=COLOURS["states"], alpha=0.35, label="from the proved bound to the plan")
    axes.plot(x, over, marker="o", color=COLOURS["parameters"], label="plans")
    axes.set(xlabel=f"device bytes in {unit}", ylabel="% more time", ylim=(0, None))
    axes.legend(fontsize="small")
    return figure


# Published methods that `race` draws beside memplan's own curve, and their marks.
BASELINES = ("checkpoint-all", "ap-sqrt", "ap-greedy", "linearized-sqrt", "linearized-greedy", "dtr")
MARKS = "sD^v<>PX*h"


def race(graph: planning.GraphLike, solvers=BASELINES, points: int = 6, count=None, **options) -> tuple[planning.Curve, dict[str, list[planning.Plan]]]:
    """Plans for the budgets of one curve, by each of several solvers of recomputation.

    solvers   names as --remat takes them
    points    number of budgets
    count     called with (budgets done, budgets in all)
    options   as in memplan.plan()

    Returns memplan's own curve, and by solver the plans that it has; a budget that a solver does not meet is left out.
    Raises InputError for a solver that does not exist, or a graph that has no plan.
    """
    graph = planning._as_graph(graph)
    own = planning.curve(graph, points, **options)
    budgets = [plan.budget_bytes for plan in own]
    if not budgets:
        raise errors.InputError("the graph has no plan with any budget")
    met: dict[str, list[planning.Plan]] = {solver: [] for solver in solvers}
    for number, (solver, budget) in enumerate((solver, budget) for solver in solvers for budget in budgets):
        try:
            met[solver].append(planning.plan(graph, budget, **{**options, "remat": solver}))
        except errors.BudgetError:
            pass
        if count is not None:
            count(number + 1, len(solvers) * len(budgets))
    return own, met


def _draw_race(own: planning.Curve, met: dict[str, list[planning.Plan]], title: str):
    figure, axes = _axes(title)
    unit, size = _unit_of(max(plan.budget_bytes for plan in own))
    over = lambda plan: 100 * (plan.time / own.least_cost - 1) if own.least_cost > 0 else 0  # noqa: E731
    budgets = [plan.budget_bytes / size for plan in own]
    proved = [100 * (max(plan.bound or 0, own.least_cost) / own.least_cost - 1) if own.least_cost > 0 else 0 for plan in own]
    axes.fill_between(budgets, proved, [over(plan) for plan in own], color=COLOURS["states"], alpha=0.35, label="from the proved bound")
    axes.plot(budgets, [over(plan) for plan in own], marker="o", color=COLOURS["parameters"], linewidth=2, label="memplan")
    colours = [COLOURS[name] for name in ("kept for backward", "recomputed", "gradients", "temporaries", "fetched", "scratch", "inputs")]
    for number, (solver, plans) in enumerate(met.items()):
        label = solver if len(plans) == len(budgets) else f"{solver}, {len(plans)} of {len(budgets)} budgets"
        axes.plot([plan.budget_bytes / size for plan in plans], [over(plan) for plan in plans], marker=MARKS[number % len(MARKS)], color=colours[number % len(colours)],
                  linestyle=":", label=label)
    axes.set(xlabel=f"budget in {unit}", ylabel="% more time", ylim=(0, None))
    figure.legend(loc="outside right upper", fontsize="small")
    return figure


def plot_race(graph, output: str | os.PathLike, solvers=BASELINES, points: int = 6, count=None, **options) -> None:
    """Draws what race() finds into a .png, .svg or .pdf file. Errors are those of race() and plot()."""
    graph = planning._as_graph(graph)
    _save(_draw_race(*race(graph, solvers, points, count, **options), graph.name), output)


def _save(figure, output):
    try:
        figure.savefig(output, dpi=150)
    except (OSError, ValueError) as error:
        raise errors.InputError(f"cannot write: {error}", os.fspath(output)) from None


def plot(what: str, path: str | os.PathLike, output: str | os.PathLike, graph=None, **options) -> None:
    """Draws "curve", "timeline" or "arena" from a file into a .png, .svg or .pdf file.

    Raises InputError where the file is of another kind, UnavailableError without matplotlib.
    """
    if what == "curve":
        curve = read_json(path, "curve")
        if "points" not in curve:
            raise errors.InputError("is not one curve: --pareto=N without --pareto-bandwidths writes one", os.fspath(path))
        figure = _draw_curve(curve)
    else:
        data = load(path, graph, **options)
        if "peak" not in data.report:
            raise errors.InputError("has no steps to draw: " + data["verdict"], os.fspath(path))
        figure = {"timeline": _draw_timeline, "arena": _draw_arena}[what](data)
    _save(figure, output)
