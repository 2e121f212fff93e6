"""Session: one budget, the graphs that are compiled under it, and what is known of them."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._guards import CompileContext, detect_fake_mode
from torch.nn.parallel import DistributedDataParallel

from ..terminal import ProgressLine
from . import operators, watch
from .capture import StepGraph
from .emit import boxed, emit
from .errors import BudgetError, UnsupportedGraph, parse_budget, parse_bytes, show_bytes
from .measure import Measurements
from .ranks import gathered, scratch_of, solve_together
from .schedule import Schedule
from .solve import unplanned
from .trace import Propagate, restore_symbols, set_sizes
from .verify import verify

OUTSIDE = """the loss is outside the compiled step: {count} bytes of outputs are differentiated elsewhere, and what is computed there
is not planned. Give loss=, compile a function that returns the loss, or say what that part takes: outside="64MiB", or
outside="measure" to plan without it, look at the first step, and plan again."""


def _more_time(overhead: float) -> str:
    return f"{100 * abs(overhead):.1f} % {'less' if overhead < 0 else 'more'} time"


@dataclasses.dataclass
class Report:
    """What is known of a compiled step, in bytes. `overhead` is extra time over the unplanned step, by the cost model.

    verdict: "planned" until a step was watched; then "kept", or "missed" where it took more than the budget.
    unmeasured: what takes bytes that no plan knows: operators that refused to be measured, compiled regions, collectives (buffers of the process group).
    largest_batch: what a plan with dynamic_batch= was made for and watched at; smaller batches run by it too.
    largest_sizes: of a whole step, sizes that depend on values and what each was planned for; `likely_bytes`: what the plan takes where they are the
    likely ones, and `likely_overhead`: extra time of a plan made for these."""

    budget_bytes: int
    planned_bytes: int
    live_bytes: int
    unplanned_bytes: int
    fixed_bytes: int
    overhead: float
    recomputations: int
    nodes: int
    unmeasured: tuple[str, ...] = ()
    measured_bytes: int | None = None
    offloads: int = 0
    verdict: str = "planned"
    largest_batch: int | None = None
    largest_sizes: dict[str, int] = dataclasses.field(default_factory=dict)
    likely_bytes: int | None = None
    likely_overhead: float | None = None

    def __str__(self):
        copies = f"{self.offloads} copies to the host, " if self.offloads else ""
        seen = "" if self.measured_bytes is None else f", measured {show_bytes(self.measured_bytes)}"
        time = f"{_more_time(self.overhead)} by the cost model"
        largest = ", ".join(f"{name} = {size}" for name, size in self.largest_sizes.items())
        sizes = f"; for sizes up to {largest}" if largest else ""
        if self.likely_bytes is not None:
            sizes += f"; with the likely ones {show_bytes(self.likely_bytes)}, and {_more_time(self.likely_overhead)} if planned for them"
        return (f"{self.verdict}: {show_bytes(self.planned_bytes)} of {show_bytes(self.budget_bytes)}{seen}; without a plan "
                f"{show_bytes(self.unplanned_bytes)}; {self.recomputations} recomputations, {copies}{time}{sizes}")


def report_of(schedule: Schedule, budget: int, measurements: Measurements | None) -> Report:
    """Report of a step that was planned and not watched."""
    free = unplanned(schedule.graph)
    nodes = [n.fx for n in schedule.graph.nodes if n.fx is not None]
    missing = list(measurements.missing) if measurements else []
    missing += ["a compiled region"] if any(map(operators.is_region, nodes)) else []
    missing += ["collectives"] if any(map(operators.is_collective, nodes)) else []
    return Report(budget, schedule.peak_bytes, schedule.live_bytes, free.peak_bytes, schedule.graph.fixed_bytes,
                  schedule.time / free.time - 1 if free.time else 0.0, schedule.recomputations, len(schedule.graph.nodes), tuple(missing),
                  offloads=schedule.offloads)


def _share_waits(joint) -> None:
    """Has what waits for a collective share the storage of what the collective made, as it does when it runs."""
    values = [p.meta["val"] for p in joint.graph.find_nodes(op="placeholder")]
    mode = detect_fake_mode(values)
    with mode, torch.no_grad():
        Propagate(joint, mode).run(*values, enable_io_processing=False)


class Session:
    """Plans each graph of one step within `budget` bytes. `report` is that of the last graph planned.

    fixed_bytes   there during the whole step and no tensor of the graph
    module_bytes  of all parameters and buffers; what the graph does not read of them is fixed too
    compiler      "eager" or "inductor"
    bandwidth     of copies to the host and back, in bytes per microsecond: "H2D,D2H[,LATENCY]"; None: nothing is copied
    largest_batch for which a graph with a symbolic batch is planned; None: sizes are fixed
    outside       bytes between forward and backward that the graph does not know of; "measure"; None: an error where there are any
    quiet         no line of progress; there is one on a terminal only
    layouts       whether inductor may choose those of convolutions
    """

    def __init__(self, budget, *, fixed_bytes=0, module_bytes=0, outside=None, effort=0, bandwidth: str | None = None,
                 measurements: Measurements | None = None, compiler: str = "eager", largest_batch: int | None = None,
                 quiet: bool = False, layouts: bool = True):
        self.compiler, self.largest_batch, self.quiet, self.layouts = compiler, largest_batch, quiet, layouts
        self.batch = largest_batch  # of the call that is made
        self.budget, self.fixed_bytes, self.module_bytes = parse_budget(budget), fixed_bytes, module_bytes
        self.outside, self.effort, self.bandwidth, self.measurements = outside, effort, bandwidth, measurements
        self._report: Report | None = None
        self.schedule: Schedule | None = None
        self.rounds = 0
        self._frame: int | None = None
        self._watch: watch.Watch | None = None
        self._communicates = self._agreed = False
        self._missed: tuple[int, int, int] | None = None

    def backend(self, gm, example_inputs, **_):
        """A backend for torch.compile. Raises UnsupportedGraph where the step is more than one graph."""
        reason = getattr(gm, "compile_subgraph_reason", None)
        if reason is not None and reason.graph_break:
            raise UnsupportedGraph(f"the step is more than one graph, and no budget can be promised over several: {reason.reason}")
        if torch._dynamo.config.optimize_ddp in (True, "ddp_optimizer") and DistributedDataParallel._get_active_ddp_module() is not None:
            raise UnsupportedGraph("DistributedDataParallel cuts the step by its buckets: give it to memplan.torch.compile, which leaves it whole")
        frame = getattr(CompileContext.current_compile_id(), "frame_id", None)
        if self._frame is not None and frame != self._frame:
            raise UnsupportedGraph("a second step was compiled under one budget; give each a budget of its own")
        self._frame = frame
        if self.compiler == "inductor":
            from .inductor import compile_graph

            return compile_graph(gm, example_inputs, self._partition, self._watched, self._check_inference, self.layouts)
        return aot_autograd(fw_compiler=lambda graph, _: self._watched(boxed(graph), False),
                            bw_compiler=lambda graph, _: self._watched(boxed(graph), True), inference_compiler=self._inference,
                            partition_fn=self._partition)(gm, example_inputs)

    @property
    def report(self) -> Report | None:
        """What is known of the last graph planned, or None before one was; a step that ran is judged here."""
        if self._watch is not None:
            self._watch.finish()
        if self._report and self._report.measured_bytes is None and self._watch.measured_bytes is not None:
            self._report.measured_bytes = self._watch.measured_bytes
            self._report.verdict = "kept" if self._watch.measured_bytes <= self.budget else "missed"
        return self._report

    @property
    def chooses_layouts(self) -> bool:
        """Whether inductor chose layouts that the plan does not know."""
        nodes = (n.fx for n in self.schedule.graph.nodes) if self.schedule and self.compiler == "inductor" and self.layouts else ()
        return any(n is not None and "convolution" in str(n.target) for n in nodes)

    @property
    def compiled(self) -> bool:
        """Whether a graph was compiled under this budget."""
        return self._frame is not None

    def _set_sizes(self, gm) -> None:
        if self.largest_batch is not None:
            set_sizes(gm, Fraction(self.largest_batch, self.batch))

    @property
    def outside_bytes(self) -> int:
        return 0 if self.outside in (None, "measure") else parse_bytes(self.outside)

    @property
    def missed(self) -> tuple[int, int, int] | None:
        """By how many bytes a watched step exceeded its plan (forward, between, backward), where it exceeded the budget. Of a step that
        communicates the most of any rank, once all were watched: all ranks plan again, or none does."""
        missed = self._watch.missed if self.report and self.report.verdict == "missed" else None
        if not self._communicates:
            return missed
        if not self._agreed:
            ranks = gathered((self._watch.over, missed))
            self._agreed = all(over for over, _ in ranks)
            found = [there for _, there in ranks if there is not None]
            self._missed = tuple(map(max, *found, (0, 0, 0))) if self._agreed and found else None
        return self._missed

    # ---- compilation

    def _partition(self, joint, inputs, *, num_fwd_outputs, static_lifetime_input_indices=None, **_):
        with ProgressLine("memplan", self.quiet) as line:
            return self._plan(joint, num_fwd_outputs, static_lifetime_input_indices or (), line)

    def _plan(self, joint, outputs: int, static, line: ProgressLine):
        """(forward, backward) of a joint graph, of whose outputs the first `outputs` are the forward's."""
        self._set_sizes(joint)
        eager = self.compiler == "eager"  # inductor fuses operators, and draws by operators of its own
        line.say("measuring operators")
        distributed = self._communicates = any(operators.is_collective(n) for n in joint.graph.nodes)
        if distributed:
            _share_waits(joint)
        graph = StepGraph(joint, outputs, static=static, scratch=self._scratch(distributed), fixed_bytes=self.fixed_bytes,
                          outside_bytes=self.outside_bytes, replays=eager, gathers_again=distributed, overwrites=eager and not distributed, fuses=not eager,
                          copies=self.bandwidth is not None)
        graph.fixed_bytes += max(0, self.module_bytes - graph.static_bytes(static))
        tangents = sum(graph.value(graph.id(t)).numel() > 1 for t in graph.tangents)
        if tangents and self.outside is None:
            raise UnsupportedGraph(OUTSIDE.format(count=sum(graph.tensors[graph.id(t)].bytes for t in graph.tangents)))
        line.say(f"planning {len(graph.nodes)} operators")
        schedule, _ = solve_together(graph, self.budget, self.effort, self.bandwidth, distributed=distributed, watch=line.watch)
        line.say("checking the plan on fake tensors")
        verify(schedule, *emit(schedule), self.budget)
        self._note(schedule)
        parts = emit(schedule)
        restore_symbols(*parts)
        return parts

    def _scratch(self, distributed: bool):
        """What tells the scratch of a graph's operators."""
        if self.compiler == "eager":
            return scratch_of(self.measurements, distributed)
        from .fusion import may_take_scratch  # loads a part of inductor

        return scratch_of(self.measurements, distributed, may_take_scratch)

    def _note(self, schedule: Schedule) -> None:
        self.schedule, self._report = schedule, report_of(schedule, self.budget, self.measurements)
        self._report.largest_batch = self.largest_batch
        self._watch = watch.Watch(schedule)

    def _watched(self, call, is_backward: bool):
        """A compiled forward or backward that takes a list, between marks for the watch."""
        watched = self._watch

        def forward(arguments):
            if self.batch == self.largest_batch:  # a smaller one would say nothing of the largest
                watched.begin()
            results = call(arguments)
            watched.border("forward")
            return results

        def backward(arguments):
            if torch._C._autograd._get_current_graph_task_keep_graph():
                raise UnsupportedGraph("backward(retain_graph=True) keeps saved tensors that the plan releases; run the forward again instead")
            watched.border("between")
            results = call(arguments)
            watched.border("backward")
            return results

        made = backward if is_backward else forward
        made._boxed_call = True
        return made

    def _check_inference(self, gm) -> None:
        self._set_sizes(gm)
        graph = StepGraph(gm, len(gm.graph.output_node().args[0]), fixed_bytes=self.fixed_bytes)
        peak = unplanned(graph).peak_bytes
        if peak > self.budget:
            raise BudgetError(f"without gradients the step takes {peak} bytes of {self.budget}, and nothing is recomputed there", peak)

    def _inference(self, gm, inputs):
        self._check_inference(gm)
        return boxed(gm)
