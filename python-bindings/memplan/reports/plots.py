"""Pictures by matplotlib: PNG, SVG or PDF, for papers and issues."""

from __future__ import annotations

import os

from .. import errors
from .source import ReportData, load, read_json

UNITS = ["B", "KiB", "MiB", "GiB", "TiB"]
# Okabe and Ito's colours, which colour-blind people can tell apart; the same as on the page.
COLOURS = {"fixed": "#BFBFBF", "parameters": "#0072B2", "states": "#56B4E9", "inputs": "#B0B060", "gradients": "#CC79A7", "kept for backward": "#D55E00",
           "recomputed": "#009E73", "fetched": "#B010D8", "temporaries": "#E69F00", "outputs": "#F0E442", "scratch": "#4D4D4D"}

# Of baselines, beside their colours.
MARKS = "sD^v<>PX*h"


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
    least = curve["least_cost"] or 1
    unit, size = _unit_of(points[-1]["budget_bytes"])
    over = [100 * (point["time"] / least - 1) for point in points]
    proved = [100 * (max(point.get("bound", 0), least) / least - 1) for point in points]
    x = [point["budget_bytes"] / size for point in points]
    axes.fill_between(x, proved, over, color=COLOURS["states"], alpha=0.35, label="from the proved bound to the plan")
    axes.plot(x, over, marker="o", color=COLOURS["parameters"], linewidth=2, label="memplan")
    colours = [COLOURS[name] for name in ("kept for backward", "recomputed", "gradients", "temporaries", "fetched", "scratch", "inputs")]
    for number, row in enumerate(curve.get("baselines", [])):
        label = row["solver"] if len(row["points"]) == len(points) else f"{row['solver']}, {len(row['points'])} of {len(points)} budgets"
        axes.plot([point["budget_bytes"] / size for point in row["points"]], [100 * (point["time"] / least - 1) for point in row["points"]],
                  marker=MARKS[number % len(MARKS)], color=colours[number % len(colours)], linestyle=":", label=label)
    axes.set(xlabel=f"budget in {unit}", ylabel="% more time", ylim=(0, None))
    figure.legend(loc="outside right upper", fontsize="small")
    return figure


def draw_curve(curve: dict, output: str | os.PathLike) -> None:
    """Draws the object of a *.curve.json, with its baselines, into a .png, .svg or .pdf file."""
    _save(_draw_curve(curve), output)


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
        draw_curve(curve, output)
        return
    data = load(path, graph, **options)
    if "peak" not in data.report:
        raise errors.InputError("has no steps to draw: " + data["verdict"], os.fspath(path))
    _save({"timeline": _draw_timeline, "arena": _draw_arena}[what](data), output)
