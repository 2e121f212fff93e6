"""Ranks: what the processes of one step must agree on.

All ranks of a distributed step run their collectives in one order. Each rank plans by itself; the plans are equal where the
graphs are, and their hashes are compared before one is returned."""

from __future__ import annotations

import hashlib
import json

import torch
from torch._dispatch.python import no_python_dispatcher
from torch.utils._python_dispatch import _disable_current_modes

from . import operators
from .capture import StepGraph
from .errors import BudgetError, UnsupportedGraph
from .measure import Measurements
from .schedule import Schedule
from .solve import solve


def gathered(value) -> list:
    """`value` of every rank; of this one alone where no process group carries data."""
    group = torch.distributed
    if not (group.is_available() and group.is_initialized()) or group.get_backend() == "fake":
        return [value]
    values = [None] * group.get_world_size()
    # Modes would fake the bytes that are sent. The Python dispatcher would hold the interpreter's lock while the collective is put in
    # gloo's queue, whose thread may want it to release the tensors of the one before: neither would go on.
    with _disable_current_modes(), no_python_dispatcher():
        group.all_gather_object(values, value)
    return values


def largest(scratch: dict[str, int]) -> dict[str, int]:
    """The scratch of each operator that is the largest of all ranks: plans depend on it."""
    ranks = gathered(scratch)
    return {name: max(rank.get(name, 0) for rank in ranks) for name in sorted({n for rank in ranks for n in rank})}


def scratch_of(measurements: Measurements | None, distributed: bool, asked=operators.is_operator):
    """What tells the scratch of a graph's operators by name, of those that are `asked` for, where it is measured; of all ranks the largest, where there
    are several."""

    def told(joint) -> dict[str, int]:
        scratch = measurements.scratch(joint, asked=asked) if measurements else {}
        return largest(scratch) if distributed else scratch

    return told


def _hash(schedule: Schedule) -> str:
    runs = [[schedule.graph.nodes[run.node].role.value, run.node, run.makes, run.reads] for run in schedule.runs]
    return hashlib.sha256(json.dumps([schedule.graph.json(), runs], sort_keys=True).encode()).hexdigest()[:32]


def solve_together(graph: StepGraph, budget: int, effort: int, bandwidth: str | None, *, distributed: bool = True, watch=None) -> tuple[Schedule, str]:
    """(schedule, hash), the same on all ranks. An error of one rank is an error of all: the others would wait for it for ever."""
    schedule, digest, failed = None, "", None
    try:
        schedule = solve(graph, budget, effort=effort, bandwidth=bandwidth, watch=watch)
        digest = _hash(schedule)
    except BudgetError as error:
        failed = error
    said_by_all = (digest, str(failed), failed and failed.least)
    ranks = gathered(said_by_all) if distributed else [said_by_all]
    if failed is not None:
        raise failed
    for rank, (there, said, least) in enumerate(ranks):
        if not there:
            raise BudgetError(f"on rank {rank}: {said}", least)
    if len(different := {there for there, *_ in ranks}) > 1:
        raise UnsupportedGraph(f"ranks made {len(different)} different plans, of which this one has {digest}: give all ranks one graph, with inputs "
                               "of one form, and one budget")
    return schedule, digest
