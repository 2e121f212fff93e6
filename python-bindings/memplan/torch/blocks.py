"""Wrap: a budget without a compiler. Of an eager module some blocks run again in the backward, and some have what it reads on the host.

Which do what is decided by running the step on fake tensors (choice.py). Of the plans that fit the fastest is taken, so that more budget never takes
more time."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import weakref

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn.modules.batchnorm import _BatchNorm
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.checkpoint import checkpoint

from . import emit
from . import optimizer as optimizers
from .choice import Effects, Link, StepTrace, Way
from .errors import BudgetError, UnsupportedGraph, check_inputs, parse_budget, parse_bytes, show_bytes
from .solve import PCIE
from .trace import fake
from .verify import LiveBytes


@dataclasses.dataclass(frozen=True)
class Wrapped:
    """What wrap() chose: `checkpointed` of `blocks` blocks run again in the backward, and `offloaded` have something on the host until then; `ways` says
    it of each block. `estimated_bytes` are those of the step on fake tensors, which know no scratch; `overhead` is extra time by the cost model."""

    checkpointed: int
    blocks: int
    estimated_bytes: int
    budget_bytes: int
    offloaded: int = 0
    overhead: float = 0.0
    ways: tuple[str, ...] = dataclasses.field(default=(), repr=False)


def find_blocks(module: nn.Module) -> list[nn.Module]:
    """Elements of lists and sequences that have parts themselves, the innermost such, in order; none lies within another."""
    found = []
    for child in module.children():
        inside = find_blocks(child) if isinstance(child, (nn.Sequential, nn.ModuleList)) or not isinstance(module, (nn.Sequential, nn.ModuleList)) else []
        is_block = isinstance(module, (nn.Sequential, nn.ModuleList)) and not isinstance(child, nn.ModuleList) and next(child.children(), None)
        found += [child] if is_block and not inside else inside
    return found


@contextlib.contextmanager
def _without_statistics(norms):
    """Batch norms update copies of their running statistics. (Autograd saves the statistics too, so that they must be live.)"""
    before = [dict(n._buffers) for n in norms]
    for n in norms:
        n._buffers.update({name: b.clone() for name, b in n._buffers.items() if b is not None})
    try:
        yield
    finally:
        for n, buffers in zip(norms, before):
            n._buffers.update(buffers)


def _checkpointed(block: nn.Module):
    """A forward of `block` that keeps its inputs and runs again in the backward; statistics are updated once, as without it."""
    forward = block.forward
    norms = [m for m in block.modules() if isinstance(m, _BatchNorm)]

    @functools.wraps(forward)
    def call(*args, **kwargs):
        if not torch.is_grad_enabled():
            return forward(*args, **kwargs)
        contexts = functools.partial(_contexts, norms)
        return checkpoint(forward, *args, use_reentrant=False, context_fn=contexts, **kwargs)

    return call


def _contexts(norms):
    return contextlib.nullcontext(), _without_statistics(norms)


class _Copies:
    """Hooks for tensors that autograd saves: each has one copy on the host. CUDA computes on once a copy is done."""

    def __init__(self, stays: set, copied):
        self._stays, self._copied, self._known = stays, copied, {}

    def pack(self, tensor):
        storage = tensor.untyped_storage()
        overlaps = any(stride == 0 and size > 1 for stride, size in zip(tensor.stride(), tensor.size()))
        if not tensor.numel() or overlaps or storage._cdata in self._stays:
            return tensor
        # A weak reference keeps the address of its storage from being given to another one.
        key = storage._cdata, tensor.storage_offset(), tensor.size(), tensor.stride(), tensor.dtype, tensor._version
        known = self._known.get(key)
        if known is None or known[0].expired():
            self._copied(tensor, True)
            known = self._known[key] = StorageWeakRef(storage), _OnHost(tensor, self._copied)
        return known[1]

    @staticmethod
    def unpack(packed):
        return packed.reload() if isinstance(packed, _OnHost) else packed


class _OnHost:
    """A copy of a tensor; `reload` gives one on the device, the same as long as it lives."""

    def __init__(self, tensor, copied):
        self._device, self._copied, self._there = tensor.device, copied, None
        self._host = emit.offload(tensor)
        emit.left(self._host, tensor)

    def reload(self):
        tensor = self._there() if self._there is not None else None
        if tensor is None:
            tensor = emit.reload(self._host, self._device)
            emit.arrived(tensor, self._host)
            self._copied(tensor, False)
            self._there = weakref.ref(tensor)
        return tensor


def _offloaded(block: nn.Module, forward, copied):
    """`forward` with what autograd saves in it on the host; of a block that runs again these are its inputs."""

    @functools.wraps(forward)
    def call(*args, **kwargs):
        if not torch.is_grad_enabled():
            return forward(*args, **kwargs)
        stays = {t.untyped_storage()._cdata for t in (*block.parameters(), *block.buffers())}
        hooks = _Copies(stays, copied)
        with torch.autograd.graph.saved_tensors_hooks(hooks.pack, hooks.unpack):
            return forward(*args, **kwargs)

    return call


def _going(block: nn.Module, way: Way, copied=lambda tensor, out: None):
    """The forward of `block` for a way. `copied(tensor, out)` is told of each copy to the host and back."""
    forward = _checkpointed(block) if way in (Way.CHECKPOINT, Way.BOTH) else block.forward
    return _offloaded(block, forward, copied) if way in (Way.OFFLOAD, Way.BOTH) else forward


class _Step(nn.Module):
    """Forward, loss and backward in one call, so that what runs again in the backward sees the same parameters."""

    def __init__(self, module, loss):
        super().__init__()
        self.module, self.loss = module, loss

    def forward(self, *inputs):
        result = self.module(*(inputs if self.loss is None else inputs[:-1]))
        if self.loss is None:
            value = sum(t.sum() for t in tree_leaves(result) if isinstance(t, torch.Tensor) and t.requires_grad)
        else:
            value = self.loss(result, inputs[-1])
        del result
        if not isinstance(value, torch.Tensor) or not value.requires_grad:
            raise UnsupportedGraph("the step has no gradient: no parameter that requires one takes part")
        if value.numel() != 1:
            raise UnsupportedGraph(f"the loss has size {list(value.size())}; it must be a scalar, such as its mean()")
        value.backward()


def _run(module: nn.Module, inputs, loss, live: LiveBytes) -> None:
    """One eager step, forward and backward, on fake tensors that `live` counts. Nothing is allocated."""
    mode, step = FakeTensorMode(), _Step(module, loss)
    real = list(dict.fromkeys((*module.parameters(), *module.buffers())))
    fakes = {id(t): fake(mode, t.detach()).requires_grad_(t.requires_grad) for t in real}
    named = (*step.named_parameters(remove_duplicate=False), *step.named_buffers(remove_duplicate=False))
    given = tree_map(lambda v: fake(mode, v), tuple(inputs))
    for tensor in (*fakes.values(), *tree_leaves(given)):
        live.count(tensor)
    with mode, live:
        torch.func.functional_call(step, {n: fakes[id(t)] for n, t in named}, given, tie_weights=False)


def step_bytes(module: nn.Module, inputs, loss=None) -> int:
    """Peak of live bytes of one eager step on fake tensors."""
    live = LiveBytes()
    _run(module, inputs, loss, live)
    return live.peak


def trace_step(module: nn.Module, blocks, ways, inputs, loss=None, link: Link | None = None) -> StepTrace:
    """Bytes and time of one eager step on fake tensors where each of `blocks` goes one of `ways`."""
    trace = StepTrace(link)
    for number, (block, way) in enumerate(zip(blocks, ways, strict=True)):
        block.forward = trace.marked(_going(block, way, trace.copied), number)
    try:
        _run(module, inputs, loss, trace)
    finally:
        for block in blocks:
            del block.forward
    trace.close()
    return trace


def _by_number(blocks: int, offload: bool):
    """Ways in which more and more of the first blocks run again, then more and more of these have their inputs on the host."""
    keep, again, both = Way.KEEP, Way.CHECKPOINT, Way.BOTH
    yield from (((again,) * count + (keep,) * (blocks - count)) for count in range(blocks + 1))
    yield from (((both,) * count + (again,) * (blocks - count)) for count in range(1, blocks + 1) if offload)


@dataclasses.dataclass(frozen=True)
class _Choice:
    """A way for each of `blocks`, with bytes and extra time of the step."""

    blocks: list[nn.Module]
    ways: tuple[Way, ...]
    bytes: int
    overhead: float


def _in_order(module, blocks, inputs, loss) -> list[nn.Module]:
    """Those of `blocks` that run, in the order in which they do."""
    trace = trace_step(module, blocks, [Way.KEEP] * len(blocks), inputs, loss)
    return [blocks[number] for kind, number in trace.parts if kind == "forward"]


def _choose(module: nn.Module, blocks, budget: int, fixed: int, inputs, loss=None, link: Link | None = None) -> _Choice:
    """The fastest choice within `budget`, of which `fixed` bytes are taken; copies to the host only over a link. Raises BudgetError with the least bytes
    that were found."""
    known: dict[tuple, StepTrace] = {}

    def trace(ways):
        if ways not in known:
            known[ways] = trace_step(module, blocks, ways, inputs, loss, link)
        return known[ways]

    kept = trace((Way.KEEP,) * len(blocks))
    if kept.highest + fixed <= budget:
        return _Choice(blocks, (Way.KEEP,) * len(blocks), kept.highest + fixed, 0.0)
    effects = Effects({way: trace((way,) * len(blocks)) for way in Way if link or way in (Way.KEEP, Way.CHECKPOINT)}, len(blocks))
    # Effects of blocks that share what they keep do not add up, so a plan takes what its trace does. Those by number are always traced.
    plans = {c.ways: (c.micros, c.bytes + fixed) for c in effects.candidates()}
    plans |= {ways: (effects.candidate(ways).micros, 0) for ways in _by_number(len(blocks), link is not None)}
    for ways, (_, bytes) in sorted(plans.items(), key=lambda plan: plan[1]):
        if bytes <= budget and (taken := trace(ways).highest + fixed) <= budget:
            return _Choice(blocks, ways, taken, trace(ways).micros / kept.micros - 1)
    trace(min(plans, key=lambda ways: effects.candidate(ways).bytes))
    least = min(max(of.highest + fixed, plans[ways][1]) for ways, of in known.items() if ways in plans)
    raise BudgetError(f"no choice of blocks that run again{' and of copies to the host' if link else ''} keeps {show_bytes(budget)} ({budget} bytes); "
                      f"{show_bytes(least)} ({least} bytes) are known to work, and memplan.torch.compile recomputes single operations and goes further", least)


def wrap(module: nn.Module, budget: int | str, inputs, *, loss=None, optimizer=None, fixed_bytes: int | str = 0, offload: str | None = None,
         bandwidth: str = PCIE) -> Wrapped:
    """Makes an eager module keep a budget: blocks run again in the backward, or have what it reads on the host. Changes `module` in place.

        memplan.torch.wrap(model, "6GiB", (images, labels), loss=loss, optimizer=optimizer)

    inputs       those of a step, with the target last where there is a loss; real or on the device "meta"
    fixed_bytes  what else is on the device, and an allowance for scratch in operators
    offload      "host": inputs of blocks, or all that their backward reads, may wait in pinned host memory, where that takes less time
    bandwidth    of these copies, in bytes per microsecond: "H2D,D2H[,LATENCY in microseconds]"

    Time is that of a cost model, in which nothing runs beside a copy. Raises BudgetError with the least bytes known where no choice suffices: compile()
    goes further."""
    if offload not in (None, "host"):
        raise ValueError(f"offload is None or \"host\", not {offload!r}")
    if not isinstance(module, nn.Module):
        raise TypeError(f"module is a torch.nn.Module, not {type(module).__name__}")
    check_inputs(inputs, loss)
    optimizers.check(optimizer)
    size, link, blocks = parse_budget(budget), Link.parse(bandwidth), find_blocks(module)
    if not blocks:
        raise UnsupportedGraph("the module has no list or sequence of blocks to checkpoint; memplan.torch.compile plans single operations")
    if any("forward" in vars(block) for block in blocks):
        raise UnsupportedGraph("a block of the module is wrapped already")
    fixed = parse_bytes(fixed_bytes, "fixed_bytes") + optimizers.distinct_bytes(p.grad for p in module.parameters())
    fixed += optimizers.needs(optimizer).state_bytes if optimizer is not None else 0
    running = _in_order(module, blocks, inputs, loss)
    if not running:
        raise UnsupportedGraph("the step runs none of the module's blocks; memplan.torch.compile plans single operations")
    chosen = _choose(module, running, size, fixed, inputs, loss, link if offload else None)
    for block, way in zip(chosen.blocks, chosen.ways, strict=True):
        if way is not Way.KEEP:
            block.forward = _going(block, way)
    count = {way: chosen.ways.count(way) for way in Way}
    return Wrapped(count[Way.CHECKPOINT] + count[Way.BOTH], len(blocks), chosen.bytes, size, count[Way.OFFLOAD] + count[Way.BOTH], chosen.overhead,
                   tuple(way.value for way in chosen.ways))
