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
from . import operators
from .capture import StepGraph
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


def plan_graph(gm: fx.GraphModule, budget: int | str, *, inputs=None, static: int | Iterable[int] = (), fixed_bytes: int | str = 0,
               offload: str | None = None, bandwidth: str = PCIE, effort: int = 0, measure: bool | Measurements = True, cost: operators.Roofline | None = None,
               gathers_again: bool = False, quiet: bool = False) -> PlannedGraph:
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
    quiet          no line of progress; there is one on a terminal only

    Collectives keep their order. With a process group all ranks must call this, and the plans are compared.
    Raises BudgetError with the least budget, UnsupportedGraph."""
    if offload not in (None, "host"):
        raise ValueError(f"offload is None or 'host', not {offload!r}")
    size, gm = parse_bytes(budget), _copy_of(gm)
    static = range(static) if isinstance(static, int) else static
    _propagate(gm, inputs)
    outputs = len(tree_leaves(gm.graph.output_node().args[0]))
    distributed = any(operators.is_collective(n) for n in gm.graph.nodes)
    measurements = Measurements() if measure is True else measure or None
    with ProgressLine("memplan", quiet) as line:
        line.say("measuring operators")
        graph = StepGraph(gm, outputs, static=static, micros=(cost or operators.Roofline()).micros, scratch=scratch_of(measurements, distributed),
                          fixed_bytes=parse_bytes(fixed_bytes), gathers_again=gathers_again, overwrites=not distributed, copies=offload is not None)
        line.say(f"planning {len(graph.nodes)} operators")
        schedule, digest = solve_together(graph, size, effort, bandwidth if offload else None, distributed=distributed, watch=line.watch)
        line.say("checking the plan on fake tensors")
        verify(schedule, emit_whole(schedule), None, size)
    return PlannedGraph(emit_whole(schedule), report_of(schedule, size, measurements), schedule, digest)
