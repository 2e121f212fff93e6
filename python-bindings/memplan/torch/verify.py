"""Verify: what was emitted, run on fake tensors, must take the bytes that the schedule says. Nothing is allocated."""

from __future__ import annotations

import contextlib
import weakref

import torch
from torch._guards import detect_fake_mode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from . import operators
from .capture import StepGraph, is_scalar
from .emit import boxed
from .errors import BudgetError
from .schedule import Schedule


class LiveBytes(TorchDispatchMode):
    """Counts the bytes of storages from the operator that makes them until they are released: `now` and `peak`."""

    def __init__(self):
        super().__init__()
        self.now = self.peak = 0
        self._seen = weakref.WeakKeyDictionary()

    def count(self, value) -> None:
        """Counts the storage of `value`, where it is a tensor whose storage was not counted yet."""
        if isinstance(value, torch.Tensor) and value.layout == torch.strided and value.device.type != "meta":  # copies on the host are there
            storage = value.untyped_storage()
            if storage not in self._seen:
                self._seen[storage] = bytes = storage.nbytes()
                self.now += bytes
                weakref.finalize(storage, self._release, bytes).atexit = False
        self.peak = max(self.peak, self.now)

    def _release(self, bytes: int) -> None:
        self.now -= bytes

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        given = operators.given_result(function, args, kwargs or {})
        if given is not None:
            return given
        result = function(*args, **(kwargs or {}))
        for value in tree_leaves(result):
            self.count(value)
        return result


def _fresh(values):
    """New fake tensors of the same form; those that shared a storage share one again. Sizes stay."""
    storages, made = {}, []
    for value in values:
        if not isinstance(value, torch.Tensor):
            made.append(value)
            continue
        key = value.untyped_storage()._cdata
        if key not in storages:
            storages[key] = torch.empty(value.untyped_storage().nbytes(), dtype=torch.uint8, device=value.device).untyped_storage()
        made.append(torch.empty(0, dtype=value.dtype, device=value.device).set_(storages[key], value.storage_offset(), value.size(), value.stride()))
    return made


def true_live_bytes(graph: StepGraph, forward, backward) -> int:
    """Peak of live bytes of a partitioned step under AOTAutograd's calling convention, on fake tensors."""
    values = [p.meta["val"] if is_scalar(p) else graph.value(graph.id(p)) for p in graph.primals]
    tangent_values = [graph.value(graph.id(p)) for p in graph.tangents]
    mode = detect_fake_mode((values, tangent_values))
    live = LiveBytes()
    with mode or contextlib.nullcontext(), torch.no_grad():
        held = _fresh(values)
        for tensor in held:
            live.count(tensor)
        constant = graph.held_bytes() - live.now  # fixed bytes and the graph's own constants
        with live:
            results = tree_leaves(boxed(forward)(list(held)))
            returned, saved = results[: len(graph.forward_outputs)], results[len(graph.forward_outputs) :]
            del results
            sizes = [saved.pop() for _ in graph.sizes][::-1] if graph.tangents else []
            for at, out in enumerate(graph.forward_outputs):
                if out in graph.new_values:  # copied into the mutated input, then released
                    returned[at] = None
            if graph.tangents:
                tangents = _fresh(tangent_values)
                for tensor in tangents:
                    live.count(tensor)
                arguments = sizes + saved + tangents
                del saved
                gradients = boxed(backward)(arguments)
                del gradients, tangents
            del returned
    return live.peak + constant


def verify(schedule: Schedule, forward, backward, budget: int) -> int:
    """True live bytes of the emitted modules. Raises BudgetError where they exceed those of the schedule, which is a bug of
    memplan, or where the schedule with its scratch exceeds the budget."""
    true = true_live_bytes(schedule.graph, forward, backward)
    if true > schedule.live_bytes:
        raise BudgetError(f"the emitted step takes {true} live bytes where its plan says {schedule.live_bytes}; please report this")
    if schedule.peak_bytes > budget:
        raise BudgetError(f"the plan takes {schedule.peak_bytes} bytes of {budget}", schedule.peak_bytes)
    return true
