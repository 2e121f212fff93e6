"""Watch: the first real step against the allocator."""

from __future__ import annotations

import torch

from . import allocator
from .schedule import Schedule


class Watch:
    """Bytes of the first step, from the begin of its forward to the end of its backward.

    `measured_bytes` counts what the plan counts as there from the start, plus what the allocator handed out;
    `missed` is by how much (forward, between, backward) exceeded the plan. Both None until a step was watched."""

    def __init__(self, schedule: Schedule):
        held = schedule.graph.held_bytes()
        totals = [total for _, total in schedule.profile]
        cut = schedule.cut
        parts = totals[:cut], totals[cut : cut + 1], totals[cut + 1 :]
        self._held, self._planned = held, [max(part, default=held) for part in parts]
        devices = {t.device for t in map(schedule.graph.value, range(len(schedule.graph.tensors))) if isinstance(t, torch.Tensor)}
        self._device = next((d for d in devices if d.type == "cuda"), None)
        self._running, self._ended, self._over, self._start, self._parts = None, False, False, 0, []
        self.measured_bytes: int | None = None
        self.missed: tuple[int, int, int] | None = None

    @property
    def over(self) -> bool:
        """Whether a whole step ran and its profile was read."""
        return self._over

    def begin(self) -> None:
        """Before the forward."""
        if self._over or self._ended:
            return
        self._stop()  # the last forward had no backward
        if self._device is not None:
            torch.cuda.reset_peak_memory_stats(self._device)
            self._start, self._parts, self._running = torch.cuda.memory_allocated(self._device), [], True
        else:
            self._running = allocator.start_profile(self._give_way)

    def border(self, name: str) -> None:
        """At the end of a part: "forward", "between", then "backward"."""
        if self._running is None or self._ended:
            return
        self._ended = name == "backward"
        if self._device is None:
            with allocator.mark(name):
                pass
        else:
            self._parts.append(torch.cuda.max_memory_allocated(self._device) - self._start)
            torch.cuda.reset_peak_memory_stats(self._device)

    def finish(self) -> bool:
        """True once, when a whole step was measured. Not to be called inside a backward, where autograd keeps the
        profiler's state for its own."""
        if not self._ended or self._over:
            return False
        self._over = True
        parts = self._parts
        if self._device is None:
            memory, marks = allocator.events(self._stop())
            if not {"forward", "between", "backward"} <= marks.keys():
                return False
            parts = allocator.peaks(memory, [marks[name][0][0] for name in ("forward", "between", "backward")])[:3]
        taken = [self._held + part for part in parts]
        self.measured_bytes = max(taken)
        self.missed = tuple(max(0, t - p) for t, p in zip(taken, self._planned))
        return True

    def _give_way(self) -> None:
        """Ends the profile for another: judges the step where it is complete."""
        if not self.finish():
            self._stop()

    def _stop(self):
        running, self._running = self._running, None
        if running is not None and self._device is None:
            running.__exit__(None, None, None)
        return running
