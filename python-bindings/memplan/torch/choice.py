"""Choice: what each block of an eager step does with what its backward reads, chosen by the time that it takes.

The step runs on fake tensors once for each way, with all blocks that way. These runs say what a block keeps, takes at its peak and costs; a plan of mixed
ways is the sum of its blocks. Plans come from one budget grid that does not depend on the budget asked for, and of those that fit the fastest is
taken, so that more budget never takes more time."""

from __future__ import annotations

import dataclasses
import enum

import torch
from torch.utils._pytree import tree_leaves

from . import operators
from .verify import LiveBytes

# Budgets of the grid. With 192 plans of resnet50, swin_t, mobilenet_v2 and 24 uneven blocks, with copies and without, take at most .07 % of the step's
# time less in the mean of 40 budgets, for twice the work.
LEVELS = 96

# Partial plans that are kept after each block, of different bytes. With 1,000 those plans take at most .23 % less, for up to ten times the work.
STATES = 100


class Way(enum.Enum):
    """What a block does with what its backward reads."""

    KEEP = "keep"
    CHECKPOINT = "checkpoint"  # keeps its inputs, and runs again in the backward
    OFFLOAD = "offload"  # copies to the host what its backward reads
    BOTH = "checkpoint and offload"  # its inputs are copied to the host until it runs again


@dataclasses.dataclass(frozen=True)
class Link:
    """Copies to the host and back: bytes per microsecond each way, and microseconds before each."""

    in_bytes: float
    out_bytes: float
    latency: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Link:
        """The link of "H2D,D2H[,LATENCY]". Raises ValueError for anything else."""
        try:
            parts = [float(part) for part in text.split(",")]
        except (AttributeError, ValueError):
            parts = []
        if len(parts) not in (2, 3) or min(parts[:2]) <= 0 or min(parts) < 0:
            raise ValueError(f'bandwidth is "H2D,D2H[,LATENCY]" in bytes per microsecond and microseconds, such as "16000,16000,10", not {text!r}')
        return cls(*parts)

    def micros(self, bytes: int, out: bool) -> float:
        return self.latency + bytes / (self.out_bytes if out else self.in_bytes)


@dataclasses.dataclass
class _Part:
    """Bytes when a part of the step begins, the most within it, and its time."""

    begin: int
    peak: int
    micros: float = 0.0


class StepTrace(LiveBytes):
    """Bytes and time of a step, whole and by parts: ("forward" | "after" | "backward", number of the block)."""

    def __init__(self, link: Link | None = None):
        super().__init__()
        self.micros, self.highest, self.parts, self._link = 0.0, 0, {}, link
        self._line, self._part = operators.Roofline(), None

    def enter(self, kind: str, block: int) -> None:
        """The part begins, or goes on."""
        self.close()
        self._part = self.parts.setdefault((kind, block), _Part(self.now, self.now))
        self._begun, self.peak = self.micros, self.now

    def close(self) -> None:
        """The step, or its last part, ends."""
        self.highest = max(self.highest, self.peak)
        if self._part is not None:
            self._part.peak = max(self._part.peak, self.peak)
            self._part.micros += self.micros - self._begun
            self._part = None

    def copied(self, tensor: torch.Tensor, out: bool) -> None:
        """A copy to the host or back, which nothing runs beside."""
        self.micros += self._link.micros(tensor.numel() * tensor.element_size(), out) if self._link else 0.0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = super().__torch_dispatch__(function, types, args, kwargs)
        read, made = ({t.untyped_storage()._cdata for t in tree_leaves(part) if isinstance(t, torch.Tensor) and t.layout == torch.strided}
                      for part in ((args, kwargs), result))
        if not made <= read or function._schema.is_mutable:  # views take no time
            self.micros += self._line.micros_of(function, args, kwargs or {}, result)
        return result

    def marked(self, forward, block: int):
        """`forward` of a block, which tells when it begins and ends and when its backward begins."""

        def call(*args, **kwargs):
            self.enter("forward", block)
            result = forward(*args, **kwargs)
            self.enter("after", block)
            for tensor in tree_leaves(result):
                if isinstance(tensor, torch.Tensor) and tensor.requires_grad:
                    tensor.register_hook(lambda _: self.enter("backward", block))
            return result

        return call


@dataclasses.dataclass(frozen=True)
class _Effect:
    """What a way does to the step: bytes that it leaves for later blocks, the most in its forward and in its backward above what was there before it,
    and the time above that of keeping."""

    left: int
    forward: int
    backward: int
    micros: float


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A way for each block, with its time above that of keeping everything; and its bytes by the effects of single blocks."""

    ways: tuple[Way, ...]
    micros: float
    bytes: int


class Effects:
    """Effects of ways on blocks, from one trace a way in which all blocks go that way. The first trace is of keeping."""

    def __init__(self, traces: dict[Way, StepTrace], blocks: int):
        self._blocks, kept = range(blocks), traces[Way.KEEP]
        self._start = kept.parts["forward", 0].begin
        self.effects = [{way: self._effect(trace, kept, block) for way, trace in traces.items()} for block in self._blocks]
        end = kept.parts["after", blocks - 1]
        self._head = end.peak - end.begin

    def _level(self, trace: StepTrace, block: int) -> int:
        """Bytes before the forward of a block, or after the last."""
        return trace.parts["forward", block].begin if block < len(self._blocks) else trace.parts["after", block - 1].begin

    def _effect(self, trace, kept, block) -> _Effect:
        before, parts = self._level(trace, block), [(kind, block) for kind in ("forward", "after", "backward")]
        forward = [trace.parts[part].peak for part in parts[: 2 if block + 1 < len(self._blocks) else 1]]
        backward = trace.parts[parts[2]].peak if parts[2] in trace.parts else before
        took = [sum(of.parts[part].micros for part in parts if part in of.parts) for of in (trace, kept)]
        return _Effect(self._level(trace, block + 1) - before, max(forward) - before, backward - before, max(0.0, round(took[0] - took[1], 3)))

    def candidate(self, ways) -> Candidate:
        level, most, micros = self._start, self._start, 0.0
        for way, effects in zip(ways, self.effects, strict=True):
            effect = effects[way]
            most, level, micros = max(most, level + effect.forward, level + effect.backward), level + effect.left, micros + effect.micros
        return Candidate(tuple(ways), round(micros, 3), max(most, level + self._head))

    def _fastest(self, budget: int) -> Candidate | None:
        """The fastest plan within `budget`, by dynamic programming over blocks; None where there is none."""
        states = [(self._start, 0.0, ())]  # bytes, time, ways as nested pairs
        for effects in self.effects:
            found = [(level + e.left, micros + e.micros, (ways, way)) for level, micros, ways in states for way, e in effects.items()
                     if level + max(e.forward, e.backward) <= budget]
            found.sort(key=lambda state: state[:2])
            states, best = [], float("inf")
            for state in found:
                if state[1] < best:
                    states.append(state)
                    best = state[1]
            states = states if len(states) <= STATES else [states[at * (len(states) - 1) // (STATES - 1)] for at in range(STATES)]
        ways = next((chain for level, _, chain in reversed(states) if level + self._head <= budget), None)
        chosen = []
        while ways:
            ways, way = ways
            chosen.append(way)
        return self.candidate(chosen[::-1]) if chosen else None

    def candidates(self) -> list[Candidate]:
        """The fastest plan of each budget of the grid, from the least that a plan keeps to that of keeping everything."""
        low, high = self._start, self.candidate([Way.KEEP] * len(self._blocks)).bytes
        most = high
        while high - low > most // 1000 + 1:  # the least budget lies between
            middle = (low + high) // 2
            low, high = (low, middle) if self._fastest(middle) else (middle, high)
        budgets = [high + (most - high) * step // (LEVELS - 1) for step in range(LEVELS)]
        return list({found.ways: found for budget in budgets if (found := self._fastest(budget))}.values())
