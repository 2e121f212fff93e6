"""Planning: what `memplan.plan`, `memplan.curve` and their like are. Defaults and checks are those of memplan-c/Planner.h."""

from __future__ import annotations

import os
import pathlib
from typing import Callable, NamedTuple, Union

from . import errors

try:
    from . import _planner  # noqa: F401
except ImportError as error:
    raise ImportError("memplan's module is not built for this Python: `pip install .` in python-bindings, or build the target "
                      f"memplan-python and put build/python on PYTHONPATH ({error})") from None

from ._planner import (
    Action, ActionKind, Arena, Cancel, Curve, Graph, GraphBuilder, Node, OptionInfo, PlacementKind, Plan, PlanStatus, Progress,
    Tensor, TensorKind, _curve, _Options, _perfetto, _plan, _read_trace, _report, _verify, options, parse_size, version_text,
)

__all__ = [
    "Action", "ActionKind", "Arena", "Cancel", "Curve", "Graph", "GraphBuilder", "LeastBudget", "Node", "OptionInfo",
    "PlacementKind", "Plan", "PlanStatus", "Progress", "Tensor", "TensorKind", "check", "curve", "min_budget", "options",
    "parse_size", "plan", "version_text",
]

Size = Union[int, str]
GraphLike = Union[Graph, str, bytes, os.PathLike]


# --- Files and texts ---


def _read_file(path) -> bytes:
    try:
        return pathlib.Path(path).read_bytes()
    except OSError as error:
        raise errors.InputError(f"cannot read: {error.strerror}", os.fspath(path)) from None


def _parse(read, text, file=None):
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"expected JSON as str or bytes, or a path, not {type(text).__name__}")
    try:
        return read(text.encode() if isinstance(text, str) else text)
    except errors.InputError as error:
        if file is None:
            raise
        raise errors.InputError(str(error) if error.line is None else f"[{error.line}:{error.column}, byte=0]: {error.reason}",
                                os.fspath(file)) from None


def _graph_from_json(text: str | bytes) -> Graph:
    """Reads and checks the text of a *.graph.json.

    Raises InputError, with line and column where the text is no JSON.
    """
    return _parse(Graph._read, text)


def _graph_load(path: str | os.PathLike) -> Graph:
    """Reads and checks a *.graph.json file.

    Raises InputError with the file's name.
    """
    return _parse(Graph._read, _read_file(path), path)


def _plan_from_json(graph: GraphLike, text: str | bytes) -> Plan:
    """Reads the text of a *.plan.json for a graph. check() verifies it.

    Raises InputError where it is no plan for the graph.
    """
    graph = _as_graph(graph)
    return _parse(lambda data: Plan._read(graph, data), text)


def _plan_load(graph: GraphLike, path: str | os.PathLike) -> Plan:
    """Reads a *.plan.json file for a graph. check() verifies it.

    Raises InputError with the file's name.
    """
    graph = _as_graph(graph)
    return _parse(lambda data: Plan._read(graph, data), _read_file(path), path)


def _plan_from_trace(graph: GraphLike, path: str | os.PathLike, **options) -> Plan:
    """Reads a *.trace.json of a run of a graph: what ran, in the sequence in which it ran, at offsets that are chosen for it.

    options   arena, alignment, bandwidth, host_budget, cost_model: as in plan()

    Raises InputError with the file's name.
    """
    graph = _as_graph(graph)
    return _parse(lambda data: _read_trace(graph, data, _options_of(options)), _read_file(path), path)


def _save(self, path: str | os.PathLike) -> None:
    """Writes the text of json() to a file."""
    pathlib.Path(path).write_text(self.json(), encoding="utf-8")


def _show(self, **arguments):
    """Shows where the memory of the plan goes, or the plans of a curve: `save(path)` writes a page, a notebook shows it.

    Arguments are those of memplan.report() behind its plan: against, curve, measured, bandwidth, host_budget, cost_model.
    """
    from . import reports
    return reports.report(self, **arguments)


def _repr_html(self):
    """For notebooks: the page of report(), where the package that draws it is installed."""
    try:
        return self.report()._repr_html_()
    except errors.UnavailableError:
        return None


Graph.from_json, Graph.load, Graph.save = staticmethod(_graph_from_json), staticmethod(_graph_load), _save
Plan.from_json, Plan.load, Plan.save = staticmethod(_plan_from_json), staticmethod(_plan_load), _save
Plan.from_trace = staticmethod(_plan_from_trace)
Curve.save, Curve.report, Curve._repr_html_ = _save, _show, _repr_html
Plan.report = _show
Plan._repr_html_ = _repr_html
Curve.__iter__ = lambda self: iter(self.plans)
Curve.__getitem__ = lambda self, number: self.plans[number]


def _is_path(given) -> bool:
    """Texts of graphs and plans are JSON objects, which no path begins like."""
    return isinstance(given, os.PathLike) or isinstance(given, str) and not given.lstrip().startswith("{")


def _as_graph(graph: GraphLike) -> Graph:
    if isinstance(graph, Graph):
        return graph
    return _graph_load(graph) if _is_path(graph) else _graph_from_json(graph)


# --- Options ---


def _text_of(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _options_of(given: dict) -> _Options:
    """Keyword arguments as options: `time_limit=2` is --time-limit=2, None is the default."""
    made = _Options()
    for name, value in given.items():
        if value is not None:
            made.set(name.replace("_", "-"), _text_of(value))
    return made


# --- Planning ---


def _explain(failure: Plan) -> str:
    proved = failure.status == PlanStatus.INFEASIBLE
    said = ["it is proved that no plan keeps the budget" if proved else "no plan within the budget was found, which proves nothing"]
    if failure.bound_bytes is not None:
        said.append(f"no budget below {failure.bound_bytes} bytes can work")
    if failure.least_bytes is not None:
        said.append(f"{failure.least_bytes} bytes are known to work")
    if failure.note:
        said.append(failure.note)
    if failure.witness_node is not None:
        node = failure.graph.node(failure.witness_node)
        said.append(f"it is node {node.id}{f' {node.name!r}' if node.name else ''} that does not fit")
    return "; ".join(said)


def _with_actions(made: Plan) -> Plan:
    if made.status in (PlanStatus.OPTIMAL, PlanStatus.FEASIBLE):
        return made
    raise errors.BudgetError(_explain(made), made.least_bytes, made.bound_bytes, made)


def plan(graph: GraphLike, budget: Size | None = None, *, progress: Callable[[Progress], object] | None = None,
         cancel: Cancel | None = None, **options) -> Plan:
    """Plans one training step so that it fits a budget in bytes at the least extra time.

    graph      a Graph, or the text or the path of a *.graph.json
    budget     device bytes: a number, "6GiB", "16G", or "80%" of the unplanned peak; None: no limit
    progress   called now and then with a Progress, on another thread; a true answer stops with the best plan so far
    cancel     stops with the best plan so far when its cancel() is called
    options    those of memplan.options(), with `_` for `-`: effort=1000, swap="search"

    Returns a verified Plan, the same for the same arguments unless it was stopped or `time_limit` was given. Ctrl-C stops
    it too and raises KeyboardInterrupt, whose `plan` is the best so far or None.
    Raises BudgetError if there is none for the budget, InputError for a wrong graph or option.
    """
    return _with_actions(_plan(_as_graph(graph), _options_of({**options, "budget": budget}), progress, cancel))


class LeastBudget(NamedTuple):
    """The least budget known to work."""

    bytes: int
    """Device bytes of the plan."""
    plan: Plan
    """A verified plan within `bytes`."""


def min_budget(graph: GraphLike, *, progress: Callable[[Progress], object] | None = None, cancel: Cancel | None = None,
               **options) -> LeastBudget:
    """Finds the least budget that the solver asked for meets, and the plan that shows it; its note says what is proved.

    Arguments and errors are those of plan().
    """
    made = _with_actions(_plan(_as_graph(graph), _options_of({**options, "min-budget": True}), progress, cancel))
    return LeastBudget(made.device_bytes, made)


def curve(graph: GraphLike, points: int = 20, *, progress: Callable[[Progress], object] | None = None,
          cancel: Cancel | None = None, **options) -> Curve:
    """Plans for `points` budgets (two at least), from the least to the one without recomputation, in about the time of two plans.

    Arguments and errors are those of plan(); what Ctrl-C has stopped is the `curve` of KeyboardInterrupt, or None. A graph that has no plan with any budget
    gives an empty curve.
    """
    return _curve(_as_graph(graph), _options_of({**options, "pareto": points}), progress, cancel)


def check(graph: GraphLike, plan: Plan | str | bytes | os.PathLike, budget: Size | None = None, **options) -> None:
    """Verifies a plan by code that shares nothing with the planners.

    plan      a Plan, or the text or the path of a *.plan.json
    budget    as in plan(); None: the plan's own
    options   order, bandwidth, host_budget

    Raises CheckError with the action that breaks a rule, InputError where the plan is of another graph.
    """
    graph = _as_graph(graph)
    if not isinstance(plan, Plan):
        plan = _plan_load(graph, plan) if _is_path(plan) else _plan_from_json(graph, plan)
    _verify(graph, plan, _options_of({**options, "budget": budget}))
