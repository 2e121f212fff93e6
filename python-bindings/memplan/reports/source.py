"""What a report is made from: plans, report data, curves and measurements, from files, texts or objects."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

from .. import errors, planning


class ReportData:
    """What a report of one plan shows: the object of a *.report.json (docs/Formats.md), with columns of its parts.

    label   what a page with several plans calls this one
    """

    def __init__(self, report: dict[str, Any], label: str = ""):
        self.report = report
        self.label = label

    def __getitem__(self, key: str):
        return self.report[key]

    @property
    def summary(self) -> dict[str, Any]:
        """Bytes, times and bounds of the plan."""
        return self.report["summary"]


def read_json(path: str | os.PathLike, what: str) -> dict[str, Any]:
    """The object in a file. Raises InputError with the file's name."""
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise errors.InputError(f"cannot read: {error.strerror}", os.fspath(path)) from None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise errors.InputError(f"is not JSON: {error}", os.fspath(path)) from None
    if not isinstance(value, dict):
        raise errors.InputError(f"holds no {what}", os.fspath(path))
    return value


def of_plan(plan: planning.Plan, label: str = "", **options) -> ReportData:
    """The report data of a plan. The options are those of planning that count: bandwidth, host_budget, cost_model."""
    return ReportData(json.loads(planning._report(plan, planning._options_of(options))), label)


def find_graph(path) -> pathlib.Path:
    """The graph beside a plan that was given without one."""
    plan = pathlib.Path(path)
    graph = plan.with_name(plan.name.replace(".plan.json", ".graph.json"))
    if graph == plan or not graph.exists():
        raise errors.InputError("a plan names tensors by number only, so its graph is needed too: memplan report PLAN GRAPH, or the "
                                "file that --emit=report-data writes", os.fspath(path))
    return graph


def load(path: str | os.PathLike, graph: planning.GraphLike | None = None, **options) -> ReportData:
    """Reads a *.report.json, or a *.plan.json with its graph (by default the *.graph.json beside it).

    Raises InputError with the file's name.
    """
    value = read_json(path, "plan or report data")
    label = pathlib.Path(path).name
    if value.get("kind") == "memplan report":
        if value.get("version") != 1:
            raise errors.InputError(f"is of version {value.get('version')}; this memplan reads version 1", os.fspath(path))
        return ReportData(value, label)
    if "status" not in value:
        raise errors.InputError("is neither a plan nor report data", os.fspath(path))
    return of_plan(planning.Plan.load(find_graph(path) if graph is None else graph, path), label, **options)
