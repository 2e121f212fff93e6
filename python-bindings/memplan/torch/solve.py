"""Solve: a plan of a captured step within a budget, in process."""

from __future__ import annotations

import json

import memplan

from .capture import Role, StepGraph
from .errors import BudgetError, show_bytes
from .overlap import overlap
from .schedule import Schedule

# PyTorch has an allocator of its own, so that live bytes are what counts.
OPTIONS = {"arena": "none", "sharing": "none", "alignment": 1}

# Copies over a link of 16 lanes of PCIe 3.0: bytes per microsecond each way, and microseconds of latency.
PCIE = "16000,16000,10"

# Work of one plan where the caller names none: 0.4 to 0.9 CPU seconds, and 0.4 to 0.7 on graphs of 1,000 to 1,300 nodes, where PyTorch's
# partitioner takes 0.7 to 0.8. Twice the work saves 0.05 to 0.08 % of the time of vit_b_16 and resnet50 and nothing on BERT, mobilenet_v2 and
# U-Net; a quarter of it costs U-Net 0.3 %.
EFFORT = 10_000

# Work of a second search where that one finds nothing: on mobilenet_v3_large, resnext50 and swin_t it keeps less.
LITTLE = 1_000

# Plans of a graph that inductor compiles, each for another size, and the share of the budget that the last one may leave. For a vision
# transformer at .8 and for gated layers at .85 four plans found none that keeps the budget.
TRIES_OF_FUSED = 8
NEAR = 0.005

# A least budget is named without another plan where what is not known of it is less: about what the planner leaves open itself.
ROUGH = 1.001


def as_graph(graph: StepGraph) -> memplan.Graph:
    return memplan.Graph.from_json(json.dumps(graph.json()))


def as_schedule(graph: StepGraph, plan: memplan.Plan) -> Schedule:
    """Schedule of a plan for `graph`."""
    kinds, steps, ends = memplan.ActionKind, [], {}
    copies = {kinds.EVICT: (Role.OFFLOAD, Role.LEFT), kinds.FETCH: (Role.RELOAD, Role.ARRIVED)}
    for action in plan.actions:
        if action.kind == kinds.COMPUTE:
            steps.append((action.node, action.discards))
        elif action.kind in copies:
            begin, ends[action.event] = copies[action.kind][0], (copies[action.kind][1], action.tensors[0])
            steps.append((graph.add_copy(begin, action.tensors[0]).id, []))
        elif action.kind == kinds.WAIT:
            steps.append((graph.add_copy(*ends[action.event]).id, []))
    return Schedule(graph, steps, plan.time)


def unplanned(graph: StepGraph, overwrites: bool = False) -> Schedule:
    """Schedule of the joint graph as it stands: each node once, in its order, with results of their own bytes or, where they may, over arguments."""
    return Schedule(graph, [(n.id, []) for n in graph.nodes], overwrites=overwrites)


def plan_within(planned: memplan.Graph, budget: int, effort: int = 0, bandwidth: str | None = None, watch=None, **options) -> memplan.Plan:
    """The plan of least time for `budget`, with copies to the host where a bandwidth is given. Raises BudgetError where there is none."""
    copies = {} if bandwidth is None else {"swap": "cost", "bandwidth": bandwidth}
    return memplan.plan(planned, budget, progress=watch, effort=effort or EFFORT, **copies, **OPTIONS, **options)


def _overwrites(graph: StepGraph) -> bool:
    return any(node.over for node in graph.nodes)


def _within_beside(graph: StepGraph, planned: memplan.Graph, budget: int, effort: int, bandwidth: str | None, watch) -> Schedule | None:
    """Schedule within `budget` by a search that has all results beside their arguments, or the least of such ones; None where none may lie over any."""
    if not _overwrites(graph):
        return None
    try:
        return as_schedule(graph, plan_within(planned, budget, effort, bandwidth, watch, in_place=False))
    except BudgetError:
        return None if bandwidth else _least_beside(graph, planned, effort)


def _least_beside(graph: StepGraph, planned: memplan.Graph, effort: int) -> Schedule:
    """Schedule of the least bytes where the search has all results beside their arguments and the replay puts them over these. On some graphs
    it takes less than what a search of both finds."""
    return as_schedule(graph, memplan.min_budget(planned, effort=effort or EFFORT, in_place=False, **OPTIONS).plan)


def least(graph: StepGraph, effort: int = 0) -> Schedule:
    """Schedule of the least bytes that the planner finds."""
    planned = as_graph(graph)
    efforts = [effort] if effort else [EFFORT, LITTLE]
    found = [as_schedule(graph, memplan.min_budget(planned, effort=work, **OPTIONS).plan) for work in efforts]
    if _overwrites(graph):
        found += [_least_beside(graph, planned, work) for work in efforts]
    return min(found, key=lambda schedule: schedule.peak_bytes)


def _held_by_the_caller(graph: StepGraph) -> int:
    """Bytes that the forward returns: the caller holds them to the end of the step, where the planner may release and recompute them."""
    if not graph.tangents:
        return 0
    bases = {graph.tensors[t].base for o in graph.forward_outputs if o not in graph.new_values for t in graph.ids(o)}
    return sum(graph.tensors[t].bytes for t in bases if graph.tensors[t].kind == "output")


def _bytes_kept(graph: StepGraph, planned: memplan.Graph, least: int, effort: int, bandwidth: str | None, watch) -> int | None:
    """A budget that the replay of the plan for the planner's least one keeps; None where it has none after all. Planned for only where
    the caller may hold so much that a bound would be rough."""
    most = least + _held_by_the_caller(graph)
    if most <= least * ROUGH:
        return most
    try:
        return as_schedule(graph, plan_within(planned, least, effort, bandwidth, watch)).peak_bytes
    except BudgetError:
        return None


def _by_less_work(
    graph: StepGraph, planned: memplan.Graph, budget: int, bandwidth: str | None, attempts: int, watch
) -> tuple[Schedule | None, int | None]:
    """Schedule within `budget` by short searches, which may end where longer ones find nothing; else None and what such searches keep."""
    inner, known = budget, []
    for _ in range(attempts):
        try:
            schedule = as_schedule(graph, plan_within(planned, inner, LITTLE, bandwidth, watch))
        except BudgetError as error:
            known += [] if error.least is None else [_bytes_kept(graph, planned, error.least, LITTLE, bandwidth, watch)]
            break
        if schedule.peak_bytes <= budget:
            return schedule, None
        inner -= schedule.peak_bytes - budget
    if bandwidth is None and _overwrites(graph):
        beside = _least_beside(graph, planned, LITTLE)
        if beside.peak_bytes <= budget:
            return beside, None
        known.append(beside.peak_bytes)
    return None, min((b for b in known if b is not None), default=None)


def _solve_fused(graph: StepGraph, budget: int, effort: int, bandwidth: str | None, watch) -> Schedule:
    """Schedule within `budget` of a graph that inductor compiles. The planner counts what fusion removes, and does not know that a value which is
    computed where it is read keeps its arguments. So it is asked for other sizes, until what is replayed is next to the budget. Raises BudgetError
    with the least bytes of what was found."""
    planned, free = as_graph(graph), unplanned(graph)
    inner, fits, exceeds = budget + free.live_bytes - free.peak_bytes, None, None
    best, least = None, None
    for _ in range(TRIES_OF_FUSED):
        try:
            schedule = as_schedule(graph, plan_within(planned, inner, effort, bandwidth, watch))
        except BudgetError as error:
            if error.least is None or exceeds is not None and error.least >= exceeds:
                break
            inner = error.least
            continue
        left, least = budget - schedule.peak_bytes, min(schedule.peak_bytes, least or schedule.peak_bytes)
        if left >= 0:
            best, fits = schedule if best is None or schedule.cost < best.cost else best, inner
        else:
            exceeds = inner
        if 0 <= left <= budget * NEAR or fits is not None and exceeds is not None and exceeds - fits <= budget * NEAR:
            break
        if exceeds is None:
            inner += left
        elif fits is not None:
            inner = (fits + exceeds) // 2
        else:
            inner = budget if inner > budget else inner + 2 * left
    if best is not None:
        return best
    says = "" if least is None else f"; {show_bytes(least)} ({least} bytes) are known to work"
    raise BudgetError(f"no plan keeps {show_bytes(budget)} ({budget} bytes) with what inductor fuses{says}", least)


def solve(graph: StepGraph, budget: int, *, effort: int = 0, bandwidth: str | None = None, attempts: int = 3, watch=None) -> Schedule:
    """Schedule whose true bytes, replayed with scratch, are at most `budget`: without recomputation where that fits, and with no result over an
    argument where that does too.

    The replay may exceed the planner's own count, where a caller holds what the planner would release; then the planner is
    asked again for that much less. `watch` is called with what it is at. Raises BudgetError with the least budget known."""
    for overwrites in (False, True):
        schedule = unplanned(graph, overwrites)
        if schedule.peak_bytes <= budget:
            return overlap(schedule, budget)
    if graph.fuses:
        return _solve_fused(graph, budget, effort, bandwidth, watch)
    planned, inner = as_graph(graph), budget
    for _ in range(attempts):
        try:
            plan = plan_within(planned, inner, effort, bandwidth, watch)
        except BudgetError as error:
            known = None if error.least is None else _bytes_kept(graph, planned, error.least, effort, bandwidth, watch)
            proved = error.bound is not None and error.bound > budget  # whatever lies over what
            beside = None if proved else _within_beside(graph, planned, inner, effort, bandwidth, watch)
            if beside and beside.peak_bytes <= budget:
                return overlap(beside, budget)
            short, kept = (None, None) if proved or effort else _by_less_work(graph, planned, budget, bandwidth, attempts, watch)
            if short:
                return overlap(short, budget)
            known = min((b for b in (known, kept, beside and beside.peak_bytes) if b is not None), default=None)
            says = "" if known is None else f"; {show_bytes(known)} ({known} bytes) are known to work"
            raise BudgetError(f"no plan keeps {show_bytes(budget)} ({budget} bytes){says}: {error}", known, error.bound, error.plan) from None
        schedule = as_schedule(graph, plan)
        if schedule.peak_bytes <= budget:
            return overlap(schedule, budget)
        inner -= schedule.peak_bytes - budget
    raise BudgetError(f"the plan found takes {schedule.peak_bytes} bytes of {budget}", schedule.peak_bytes)
