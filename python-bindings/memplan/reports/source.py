"""What a report is made from: plans, report data, curves and measurements, from files, texts or objects."""

from __future__ import annotations

import json
import os
import pathlib
import re
from typing import Any

from .. import errors, planning


class ReportData:
    """What a report of one plan shows: the object of a *.report.json (docs/Formats.md), with columns of its parts.

    label       what a page with several plans calls this one
    is_run      whether the plan was made from the trace of a dynamic run
    run_bytes   what that run took on the device, where the trace says it
    """

    def __init__(self, report: dict[str, Any], label: str = "", run_bytes: int | None = None):
        self.report = report
        self.label = label
        self.is_run = False
        self.run_bytes = run_bytes

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


def is_curve(given) -> bool:
    """Whether it is a Curve, or a file of one."""
    if isinstance(given, planning.Curve):
        return True
    return isinstance(given, (str, os.PathLike)) and os.fspath(given).endswith(".json") and "points" in read_json(given, "plan, trace, curve or report data")


def of_plan(plan: planning.Plan, label: str = "", **options) -> ReportData:
    """The report data of a plan. The options are those of planning that count: bandwidth, host_budget, cost_model."""
    return ReportData(json.loads(planning._report(plan, planning._options_of(options))), label)


def of_trace(graph: planning.GraphLike, path: str | os.PathLike, trace: dict[str, Any], **options) -> ReportData:
    """The report data of what a dynamic run did (*.trace.json), with static offsets.

    Raises InputError where the trace is not of this graph, or of no complete step.
    """
    data = of_plan(planning.Plan.from_trace(graph, path, **options), pathlib.Path(path).name, **options)
    data.is_run = True
    if "high_water_bytes" in trace:
        # A pool may hold the caller's tensors too, or leave them to the caller.
        inside = sum(tensor["bytes"] for tensor in trace["tensors"] if tensor.get("node", -1) < 0)
        data.run_bytes = trace["high_water_bytes"] - inside + data.summary["fixed_bytes"] + data.summary["caller_bytes"]
    return data


def find_graph(path) -> pathlib.Path:
    """The graph beside a plan or a trace that was given without one."""
    plan = pathlib.Path(path)
    graph = plan.with_name(re.sub(r"\.(plan|trace)\.json$", ".graph.json", plan.name))
    if graph == plan or not graph.exists():
        raise errors.InputError("a plan names tensors by number only, so its graph is needed too: memplan report PLAN GRAPH, or the "
                                "file that --emit=report-data writes", os.fspath(path))
    return graph


def load(path: str | os.PathLike, graph: planning.GraphLike | None = None, **options) -> ReportData:
    """Reads a *.report.json, or a *.plan.json or *.trace.json with its graph (by default the *.graph.json beside it).

    Raises InputError with the file's name.
    """
    value = read_json(path, "plan, trace, curve or report data")
    label = pathlib.Path(path).name
    if value.get("kind") == "memplan report":
        if value.get("version") != 1:
            raise errors.InputError(f"is of version {value.get('version')}; this memplan reads version 1", os.fspath(path))
        return ReportData(value, label)
    if "status" not in value and "tensors" in value and "steps" in value:
        return of_trace(find_graph(path) if graph is None else graph, path, value, **options)
    if "status" not in value:
        raise errors.InputError("is neither a plan, a trace, a curve nor report data", os.fspath(path))
    return of_plan(planning.Plan.load(find_graph(path) if graph is None else graph, path), label, **options)


def beside_plan(plan: ReportData, measured: dict[str, Any], file: str | None = None) -> dict[str, Any]:
    """Measurements of a run (docs/Formats.md) by step of the plan: `steps` are [step, micros], `bytes` what the arena took.

    Raises InputError where the run was of another plan.
    """
    if measured.get("kind") != "memplan measurements":
        raise errors.InputError("holds no measurements: memplan-run --measurements=FILE writes them", file)
    runs, copies, counts = {}, {"evict": [], "fetch": []}, {}
    for number, step in enumerate(plan["steps"]):
        if step["action"] == "compute":
            run = counts[step["node"]] = counts.get(step["node"], -1) + 1
            runs[step["node"], run] = number
        elif step["action"] in copies:
            copies[step["action"]].append(number)
    steps = []
    for row in measured["runs"]:
        key = row["node"], row["run"]
        if key not in runs:
            raise errors.InputError(f"measures run {key[1]} of node {key[0]}, which the plan does not have: plan and run need the same options", file)
        steps.append([runs[key], row["micros"]])
    for action, direction in (("evict", "d2h"), ("fetch", "h2d")):
        times = [row["micros"] for row in measured["copies"] if row["direction"] == direction]
        if len(times) != len(copies[action]):
            raise errors.InputError(f"measures {len(times)} copies ({direction}), but the plan has {len(copies[action])}", file)
        steps += [list(pair) for pair in zip(copies[action], times)]
    made = {"steps": sorted(steps)}
    for arena in measured["arenas"]:
        if arena["space"] == "device":
            made.update(planned_bytes=arena["planned_bytes"], bytes=arena["handed_out_bytes"], touched_bytes=arena["touched_bytes"])
    return made
