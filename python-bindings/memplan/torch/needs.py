"""Explain: what a step needs, before anything runs. Of a module that is not there (fake, or on the device "meta"): no GPU, no allocation."""

from __future__ import annotations

import dataclasses

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._pytree import tree_leaves, tree_map

import memplan

from . import optimizer as optimizers
from .capture import StepGraph
from .errors import BudgetError, check_inputs, parse_budget, parse_bytes, show_bytes
from .measure import Measurements
from .solve import EFFORT, OPTIONS, as_graph, as_schedule, least, plan_within, unplanned
from .trace import trace_joint


@dataclasses.dataclass(frozen=True)
class Point:
    """One plan of the curve: device bytes, and extra time over the unplanned step by the cost model."""

    bytes: int
    overhead: float


@dataclasses.dataclass(frozen=True)
class Explanation:
    """Needs of a training step in bytes.

    held: parameters, buffers, inputs, the optimizer's state, and gradients that are already there; update: highest while the optimizer updates.
    unplanned: of forward and backward; least and curve: budgets that hold the update too.
    own_loss: the module returns its loss, which is the step then.
    unmeasured: operators whose scratch is not known and not counted; a budget that compile() keeps may be larger by that."""

    held_bytes: int
    gradient_bytes: int
    optimizer_bytes: int
    update_bytes: int
    unplanned_bytes: int
    least_bytes: int
    curve: tuple[Point, ...]
    largest_batch: int | None = None
    budget_bytes: int | None = None
    unmeasured: tuple[str, ...] = ()
    own_loss: bool = False

    @property
    def suggestion(self) -> str:
        """The line to add to a program: with the budget that was given where a plan keeps it, else one in the middle of the curve."""
        given = self.budget_bytes or 0
        budget = given if given >= self.least_bytes else self.curve[len(self.curve) // 2].bytes
        shown = f'"{budget >> 20}MiB"' if budget % 2**20 == 0 else budget  # Rounded, it could be less than any plan keeps.
        if self.own_loss:
            return f"step = memplan.torch.compile(lambda *args, **kwargs: model(*args, **kwargs).loss, {shown}, optimizer=optimizer)"
        return f"step = memplan.torch.compile(model, {shown}, loss=loss, optimizer=optimizer)"

    def __str__(self):
        lines = [f"held during the step  {show_bytes(self.held_bytes)}, {show_bytes(self.optimizer_bytes)} of it the optimizer's state",
                 f"gradients             {show_bytes(self.gradient_bytes)}", f"the update alone      {show_bytes(self.update_bytes)}",
                 f"without a plan        {show_bytes(self.unplanned_bytes)}", f"least with a plan     {show_bytes(self.least_bytes)}", "budget: more time by the cost model"]
        lines += [f"  {show_bytes(p.bytes)} ({p.bytes} bytes): {100 * p.overhead:.1f} %" for p in self.curve]
        if self.largest_batch is not None:
            lines.append(f"largest batch in {show_bytes(self.budget_bytes)}: {self.largest_batch}")
        if self.unmeasured:
            more = f" and {len(self.unmeasured) - 3} more" if len(self.unmeasured) > 3 else ""
            lines.append(f"not counted: scratch inside {', '.join(self.unmeasured[:3])}{more}; compile counts it. "
                         "Measure it with measure=True (doctor: --measure)")
        return "\n".join([*lines, f"add: {self.suggestion}"])


def _tensors(tree) -> list[torch.Tensor]:
    return [t for t in tree_leaves(tree) if isinstance(t, torch.Tensor)]


@dataclasses.dataclass
class _Step:
    """A step that is looked at, for any inputs."""

    module: torch.nn.Module
    loss: object
    optimizer: torch.optim.Optimizer | None
    outside: int
    mode: object
    measurements: Measurements | None

    def __post_init__(self):
        self.needs = optimizers.needs(self.optimizer) if self.optimizer is not None else optimizers.Needs(0, 0)
        self.resident = optimizers.distinct_bytes((*self.module.parameters(), *self.module.buffers()))
        self.trained = optimizers.distinct_bytes(p for p in self.module.parameters() if p.requires_grad)
        self.there = optimizers.distinct_bytes(p.grad for p in self.module.parameters())

    def graph(self, inputs, kwargs, measure: bool) -> StepGraph:
        """Graph for planners, with scratch as far as it is known; measure: what is not known is measured."""
        joint = trace_joint(self.module, inputs, self.loss, self.mode, kwargs)
        graph = StepGraph(joint.module, joint.forward_outputs, static=joint.static, fixed_bytes=self.needs.state_bytes + self.there, outside_bytes=self.outside,
                          scratch=self.measurements and (lambda gm: self.measurements.scratch(gm, measure)))
        graph.fixed_bytes += max(0, self.resident - graph.static_bytes(joint.static))
        return graph

    def update_bytes(self, given) -> int:
        """Highest bytes of the update: parameters, gradients, state, temporaries, and the inputs, which the caller holds."""
        if self.optimizer is None:
            return 0
        return self.resident + max(self.there, self.trained) + optimizers.distinct_bytes(_tensors(given)) + self.needs.update_bytes

    def fits(self, inputs, kwargs, budget: int, effort: int, measure: bool) -> bool:
        if self.update_bytes((inputs, kwargs)) > budget:
            return False
        graph = self.graph(inputs, kwargs, measure)
        if unplanned(graph).peak_bytes <= budget:
            return True
        if graph.held_bytes() >= budget:
            return False
        try:
            plan = plan_within(as_graph(graph), budget, effort)
        except BudgetError:
            return False
        return as_schedule(graph, plan).peak_bytes <= budget


def resized(inputs, batch: int, other: int):
    """Inputs on the device "meta" for batch `other`: each leading dimension that is a multiple of `batch` scales with it."""

    def resize(value):
        if not isinstance(value, torch.Tensor) or not value.dim() or value.shape[0] % batch:
            return value
        return torch.empty((value.shape[0] // batch * other, *value.shape[1:]), dtype=value.dtype, device="meta")

    return tree_map(resize, inputs)


def _between(low: int, high: int, fits) -> int:
    """Largest count that fits, within 6 %, of those from `low`, which does, to `high`, which does not."""
    while high - low > max(1, low // 16):
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _largest(step: _Step, inputs, kwargs, budget: int, effort: int, say, measure: bool, limit: int = 1 << 16) -> int:
    """Largest batch, within 6 %, whose plan keeps the budget; 0 where not even one sample does."""
    batch = next((t.shape[0] for t in _tensors((inputs, kwargs)) if t.dim()), 1)

    def fits(count: int, measure: bool = False) -> bool:
        say(f"largest batch: {count}")
        return step.fits(*resized((tuple(inputs), kwargs), batch, count), budget, effort, measure)

    low, high = 0, 1
    while high <= limit and fits(high):
        low, high = high, 2 * high
    low = _between(low, high, fits)
    # Only batches that fit without scratch are measured: what each operator reads and makes then fits too, and few batches are tried.
    if not measure or not low or fits(low, measure=True):
        return low
    return _between(0, low, lambda count: fits(count, measure=True))


def _is_there(module, given) -> bool:
    """Whether a module and its inputs are real tensors, so that operators may run on their device."""
    return not any(isinstance(t, FakeTensor) or t.is_meta for t in (*module.parameters(), *module.buffers(), *_tensors(given)))


def _front(*schedules, floor: int) -> list[Point]:
    """Pareto front of bytes, `floor` or more, and time over the last schedule, by growing bytes."""
    found = []
    for point in sorted((Point(max(s.peak_bytes, floor), s.cost / schedules[-1].cost - 1) for s in schedules), key=lambda p: (p.bytes, p.overhead)):
        if not found or point.overhead < found[-1].overhead:
            found.append(point)
    return found


def explain(module, inputs, loss=None, optimizer=None, *, kwargs: dict | None = None, outside: int | str = 0, budget: int | str | None = None,
            points: int = 5, effort: int = 0, measure: bool | Measurements | None = None, mode=None, progress=None) -> Explanation:
    """What a step of `module` needs, the least it can do with, and what bytes cost in time, in one call. Gradients that are already there count.

        print(memplan.torch.explain(model, (images, labels), loss, optimizer, budget="6GiB"))

    inputs   those of the step, with the target last where there is a loss; real, fake or on the device "meta"
    outside  bytes between forward and backward that are not in the step, where the loss is outside
    budget   also finds the largest batch in it, within 6 %; "device:80%" asks the CUDA device
    points   of the curve, at least two
    measure  True, or Measurements(path): run each different operator once on this device, as compile() does, to know its scratch; False: count what is known
             from earlier runs, and name the others; None: measure where the module and all inputs are real
    progress called with a few words on what is being done"""
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"module is a torch.nn.Module, not {type(module).__name__}")
    check_inputs(inputs, loss)
    optimizers.check(optimizer)
    say = progress or (lambda _: None)
    say("capturing the step")
    kwargs = kwargs or {}
    measurements = measure if isinstance(measure, Measurements) else Measurements()
    measuring = _is_there(module, (inputs, kwargs)) if measure is None else bool(measure)
    step = _Step(module, loss, optimizer, parse_bytes(outside), mode, measurements)
    graph = step.graph(inputs, kwargs, measuring)
    unmeasured = measurements.missing
    say("least bytes")
    free, lowest = unplanned(graph), least(graph, effort)
    say(f"what bytes cost, {points} budgets")
    plans = memplan.curve(as_graph(graph), points, effort=effort or EFFORT, **OPTIONS)
    update = step.update_bytes((inputs, kwargs))
    curve = _front(lowest, *(as_schedule(graph, p) for p in plans), free, floor=update)
    size = None if budget is None else parse_budget(budget)
    return Explanation(
        held_bytes=graph.held_bytes(), gradient_bytes=step.trained, optimizer_bytes=step.needs.state_bytes, update_bytes=update,
        unplanned_bytes=free.peak_bytes, least_bytes=curve[0].bytes, curve=tuple(curve), budget_bytes=size,
        largest_batch=None if size is None else _largest(step, inputs, kwargs, size, effort, say, measuring), unmeasured=unmeasured)
