"""Fusion: which values of a schedule inductor never stores, since the kernels that read them compute them.

Inductor puts the loop of an elementwise operator into the loops of its readers, where all of these are elementwise operators or reductions of
the same graph. It stores what others read, what a graph returns, and what would be computed too often. The limits are those of
`torch._inductor`. What a kernel stores only for readers that it is fused with later counts here, so that a plan seldom promises too few bytes."""

from __future__ import annotations

import torch
from torch import fx
from torch._inductor import config

from . import operators

# Of such results inductor computes none twice on a CPU.
EXPENSIVE = {"exp", "log", "log10", "log1p", "log2", "sigmoid", "tanh"}


def _has(node: fx.Node | None, *tags) -> bool:
    return node is not None and operators.is_operator(node) and operators.is_pure(node) and any(tag in node.target.tags for tag in tags)


def is_elementwise(node: fx.Node | None) -> bool:
    """Whether inductor can compute the result of `node` where it is read."""
    return _has(node, torch.Tag.pointwise) and len(node.target._schema.returns) == 1 and not operators.is_random(node)


def is_fusible(node: fx.Node | None) -> bool:
    """Whether `node` is a loop that can compute what it reads."""
    return is_elementwise(node) or _has(node, torch.Tag.reduction)


def may_take_scratch(node: fx.Node) -> bool:
    """Whether `node` can be a kernel of PyTorch's in what inductor compiles, with scratch of its own: no view, and no loop of inductor's."""
    return operators.is_operator(node) and not node.target.is_view and not is_fusible(node)


def _limit(name: str, device: torch.device) -> int:
    """A limit of inductor's, which it has for each kind of device where the user sets none."""
    of_device = f"realize_cpu_{name}_threshold" if device.type == "cpu" else f"_realize_{name}_threshold_default"
    return getattr(config, f"realize_{name}_threshold", None) or getattr(config, of_device)


class Fused:
    """`stored[s]` is False of each storage s that no kernel stores; `last` says of the others how long they live, since what reads them may run
    where its own result is read; `over` has those that inductor writes over an argument of their kernel.

    A storage is (run, tensor) that made it. `read` has the storages that each run reads; `last` is changed."""

    def __init__(self, graph, runs, cut: int, read: list[list], last: dict):
        self._graph, self._nodes, self._cut = graph, [graph.nodes[run.node] for run in runs], cut
        self._read, self._loads, self._work = read, {}, {}
        self.stored = {}
        readers = self._readers()
        for storage in sorted(last):
            self.stored[storage] = not self._is_inlined(storage, readers.get(storage, []))
        for storage in sorted((s for s, there in self.stored.items() if not there), reverse=True):
            for source in read[storage[0]]:
                last[source] = max(last[source], last[storage])
        self.over = {storage for storage in self.stored if self._is_over(storage, last)}

    def _is_view(self, at: int) -> bool:
        outputs = self._nodes[at].outputs
        return bool(outputs) and all(self._graph.tensors[t].base != t for t in outputs)

    def _readers(self) -> dict:
        found = {}
        for at, storages in enumerate(self._read):
            for storage in storages if not self._is_view(at) else ():
                found.setdefault(storage, []).append(at)
        return found

    def _is_inlined(self, storage, readers) -> bool:
        """Whether no kernel stores it; notes what the loop that computes it loads and does."""
        at = storage[0]
        node = self._nodes[at]
        if not is_elementwise(node.fx):
            return False
        inner = [s for s in self._read[at] if not self.stored.get(s, True)]
        loads = {s for s in self._read[at] if s not in inner}.union(*(self._loads[s] for s in inner))
        work = 1 + sum(self._work[s] for s in inner)
        self._loads[storage], self._work[storage] = loads, work
        if not readers or not all(is_fusible(self._nodes[r].fx) and (r < self._cut) == (at < self._cut) for r in readers):
            return False
        device = self._graph.value(storage[1]).device
        if len(loads) > _limit("acc_reads", device):
            return False
        too_often = node.fx.target._opname in EXPENSIVE and device.type == "cpu" or len(loads) > config.realize_reads_threshold or work > _limit("opcount", device)
        return len(readers) == 1 or not too_often

    def _is_over(self, storage, last) -> bool:
        """Whether the result of an elementwise loop is written over an argument: one as large that nothing reads later."""
        if not self.stored[storage] or storage not in self._loads:
            return False
        at, form = storage[0], self._form(storage)
        is_lent = torch._functorch.config.donated_buffer  # what the forward saved may be overwritten too
        return any(last[s] == at and self._form(s) == form and (is_lent or (s[0] < self._cut) == (at < self._cut)) for s in self._loads[storage])

    def _form(self, storage):
        value = self._graph.value(storage[1])
        return value.size(), value.stride(), value.dtype
