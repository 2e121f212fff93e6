"""Whole steps: an FX graph with forward, loss, backward, collectives and maybe the update, planned as one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import torch
from torch import fx
from torch._guards import detect_fake_mode
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_leaves

from ..terminal import ProgressLine
from . import operators, sizes
from .capture import COPIES, Role, StepGraph
from .emit import emit_whole
from .errors import UnsupportedGraph, parse_bytes
from .measure import Measurements
from .ranks import scratch_of, solve_together
from .schedule import Schedule
from .session import Report, report_of
from .solve import PCIE
from .trace import Propagate, fake
from .verify import verify


@dataclasses.dataclass(frozen=True)
class PlannedGraph:
    """A whole step in the order of its plan: call it as the graph that was planned.

    module  runs it; under torch.no_grad(), or autograd keeps what the plan releases
    hash    of the graph and of the plan: equal on all ranks that may run it together"""

    module: fx.GraphModule
    report: Report
    schedule: Schedule
    hash: str

    def __call__(self, *inputs):
        with torch.no_grad():
            return self.module(*inputs)


def _copy_of(gm: fx.GraphModule) -> fx.GraphModule:
    graph, made = fx.Graph(), {}
    for node in gm.graph.nodes:
        made[node] = graph.node_copy(node, made.__getitem__)
        made[node].name = node.name
    graph.set_codegen(gm.graph._codegen)
    return fx.GraphModule(gm, graph)


def _propagate(gm: fx.GraphModule, inputs) -> None:
    places = gm.graph.find_nodes(op="placeholder")
    given = [p.meta.get("val") for p in places] if inputs is None else tree_leaves(inputs)
    if len(given) != len(places):
        raise UnsupportedGraph(f"the graph has {len(places)} inputs and {len(given)} were given")
    missing = next((p for p, v in zip(places, given) if v is None), None)
    if missing is not None:
        raise UnsupportedGraph(f"the form of input '{missing}' is not known: trace with fake tensors, or give inputs=")
    mode = detect_fake_mode(given) or FakeTensorMode(allow_non_fake_inputs=True)
    with mode, torch.no_grad():
        Propagate(gm, mode).run(*(fake(mode, v) for v in given), enable_io_processing=False)


def _same_runs(schedule: Schedule, graph: StepGraph) -> Schedule:
    """The runs of `schedule` on a graph of the same operators with other sizes."""
    steps, nodes = [], schedule.graph.nodes
    for run in schedule.runs:
        node = nodes[run.node]
        number = graph.add_copy(node.role, (node.outputs if node.role is Role.RELOAD else node.inputs)[0]).id if node.role in COPIES else node.id
        steps.append((number, [t for t in node.outputs if t not in run.makes]))
    return Schedule(graph, steps)


def plan_graph(gm: fx.GraphModule, budget: int | str, *, inputs=None, static: int | Iterable[int] = (), fixed_bytes: int | str = 0,
               offload: str | None = None, bandwidth: str = PCIE, effort: int = 0, measure: bool | Measurements = True, cost: operators.Roofline | None = None,
               gathers_again: bool = False, largest: int | dict[str, int] | None = None, likely: int | dict[str, int] | None = None,
               quiet: bool = False) -> PlannedGraph:
    """Plans a whole step within `budget` bytes: recomputation, copies and order, as one graph. `gm` is not changed.

        gm = make_fx(step, tracing_mode="fake")(parameters, images, labels)
        planned = memplan.torch.plan_graph(gm, "6GiB")
        loss, *gradients = planned(parameters, images, labels)

    gm             FX graph of operators. Results are the same, bit for bit
    inputs         what its inputs look like, real or fake, where the graph does not know
    static         positions of parameters and buffers among its inputs, or how many lead them; they are held as all inputs are
    fixed_bytes    what else is on the device: the state of an optimizer outside of the graph
    offload        "host": values may be copied to pinned host memory and back; bandwidth as in compile()
    effort         limit of the planner's work, a deterministic count; 0: about as long as PyTorch's partitioner takes
    measure        as in compile(); ranks take the largest scratch of all
    cost           time of operators
    gathers_again  all-gathers may run again, at one place on all ranks, as after FSDP's reshard_after_forward=True
    largest        how large sizes may be that depend on values, such as the rows of an expert: {"u0 + u1": 4096} as the error names them, or one
                   number for all. A step in which one is larger raises BudgetError before it goes on
    likely         what they are in most steps: the report says what planning for the largest costs there
    quiet          no line of progress; there is one on a terminal only

    Collectives keep their order. With a process group all ranks must call this, and the plans are compared.
    Raises BudgetError with the least budget, UnsupportedGraph."""
    if offload not in (None, "host"):
        raise ValueError(f"offload is None or 'host', not {offload!r}")
    size, fixed = parse_bytes(budget), parse_bytes(fixed_bytes)
    static = range(static) if isinstance(static, int) else static
    outputs = len(tree_leaves(gm.graph.output_node().args[0]))
    distributed = any(operators.is_collective(n) for n in gm.graph.nodes)
    measurements = Measurements() if measure is True else measure or None

    def captured(largest) -> tuple[StepGraph, dict[str, int]]:
        copied = _copy_of(gm)
        planned_for = sizes.plan_for(copied, largest)
        _propagate(copied, inputs)
        return StepGraph(copied, outputs, static=static, micros=(cost or operators.Roofline()).micros, scratch=scratch_of(measurements, distributed), fixed_bytes=fixed,
                         gathers_again=gathers_again, overwrites=not distributed and not planned_for, copies=offload is not None), planned_for

    def solved(graph: StepGraph, line: ProgressLine):
        line.say(f"planning {len(graph.nodes)} operators")
        return solve_together(graph, size, effort, bandwidth if offload else None, distributed=distributed, watch=line.watch)

    with ProgressLine("memplan", quiet) as line:
        line.say("measuring operators")
        graph, planned_for = captured(largest)
        schedule, digest = solved(graph, line)
        line.say("checking the plan on fake tensors")
        verify(schedule, emit_whole(schedule), None, size)
        report = report_of(schedule, size, measurements)
        report.largest_sizes = planned_for
        if planned_for and likely is not None:
            usual, _ = captured(likely)
            report.likely_bytes = _same_runs(schedule, usual).peak_bytes
            report.likely_overhead = report_of(solved(usual, line)[0], size, measurements).overhead
    return PlannedGraph(emit_whole(schedule), report, schedule, digest)
