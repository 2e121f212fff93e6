"""Wrap: a budget without a compiler. Blocks of an eager module are checkpointed, as few as the budget allows, and what blocks keep is copied to the
host where that is told.

How many is decided by running the step on fake tensors. Candidates stand in one fixed order of more and more recomputation, then of more and more
copies beside it, and the first that fits is taken, so that more budget never takes more time."""

from __future__ import annotations

import contextlib
import dataclasses
import functools

import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.nn.modules.batchnorm import _BatchNorm
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.checkpoint import checkpoint

from . import emit
from . import optimizer as optimizers
from .errors import BudgetError, UnsupportedGraph, parse_bytes, show_bytes
from .trace import fake
from .verify import LiveBytes


@dataclasses.dataclass(frozen=True)
class Wrapped:
    """What wrap() chose: `checkpointed` of `blocks` blocks, the first ones, `offloaded` of which have their inputs on the host until they run again;
    and the bytes of the step on fake tensors, which know no scratch."""

    checkpointed: int
    blocks: int
    estimated_bytes: int
    budget_bytes: int
    offloaded: int = 0


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


def _offloaded(block: nn.Module):
    """A forward of `block` that runs again in the backward, from inputs that were copied to the host. CUDA computes on once a copy is done."""
    forward = _checkpointed(block)

    @functools.wraps(forward)
    def call(*args, **kwargs):
        stays = {t.untyped_storage()._cdata for t in (*block.parameters(), *block.buffers())}

        def pack(tensor):
            overlaps = any(stride == 0 and size > 1 for stride, size in zip(tensor.stride(), tensor.size()))
            if not tensor.numel() or overlaps or tensor.untyped_storage()._cdata in stays:
                return tensor
            host = emit.offload(tensor)
            emit.left(host, tensor)
            return host, tensor.device

        def unpack(packed):
            if isinstance(packed, torch.Tensor):
                return packed
            host, device = packed
            tensor = emit.reload(host, device)
            emit.arrived(tensor, host)
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            return forward(*args, **kwargs)

    return call


def _apply(blocks, checkpointed: int, offloaded: int) -> None:
    for number, block in enumerate(blocks[:checkpointed]):
        block.forward = (_offloaded if number < offloaded else _checkpointed)(block)


@contextlib.contextmanager
def _applied(blocks, checkpointed: int, offloaded: int):
    _apply(blocks, checkpointed, offloaded)
    try:
        yield
    finally:
        for block in blocks[:checkpointed]:
            del block.forward


class _Step(nn.Module):
    """Forward, loss and backward in one call, so that what runs again in the backward sees the same parameters."""

    def __init__(self, module, loss):
        super().__init__()
        self.module, self.loss = module, loss

    def forward(self, *inputs):
        result = self.module(*(inputs if self.loss is None else inputs[:-1]))
        if self.loss is None:
            value = sum(t.sum() for t in tree_leaves(result) if t.requires_grad)
        else:
            value = self.loss(result, inputs[-1])
        del result
        value.backward()


def step_bytes(module: nn.Module, inputs, loss=None) -> int:
    """Peak of live bytes of one eager step, forward and backward, on fake tensors. Nothing is allocated."""
    mode, live, step = FakeTensorMode(), LiveBytes(), _Step(module, loss)
    real = list(dict.fromkeys((*module.parameters(), *module.buffers())))
    fakes = {id(t): fake(mode, t.detach()).requires_grad_(t.requires_grad) for t in real}
    named = (*step.named_parameters(remove_duplicate=False), *step.named_buffers(remove_duplicate=False))
    given = tree_map(lambda v: fake(mode, v), tuple(inputs))
    for tensor in (*fakes.values(), *tree_leaves(given)):
        live.count(tensor)
    with mode, live:
        torch.func.functional_call(step, {n: fakes[id(t)] for n, t in named}, given, tie_weights=False)
    return live.peak


def wrap(module: nn.Module, budget: int | str, inputs, *, loss=None, optimizer=None, fixed_bytes: int | str = 0, offload: str | None = None) -> Wrapped:
    """Makes an eager module keep a budget: the first blocks are checkpointed, as few as suffice. Changes `module` in place.

        memplan.torch.wrap(model, "6GiB", (images, labels), loss=loss, optimizer=optimizer)

    inputs       those of a step, with the target last where there is a loss; real or on the device "meta"
    fixed_bytes  what else is on the device, and an allowance for scratch in operators
    offload      "host": where all blocks are checkpointed and more is needed, inputs of the first blocks wait in pinned host memory

    Raises BudgetError with the least bytes where that does not suffice: compile() goes further."""
    if offload not in (None, "host"):
        raise ValueError(f"offload is None or \"host\", not {offload!r}")
    size, blocks = parse_bytes(budget), find_blocks(module)
    if not blocks:
        raise UnsupportedGraph("the module has no list or sequence of blocks to checkpoint; memplan.torch.compile plans single operations")
    if any("forward" in vars(block) for block in blocks):
        raise UnsupportedGraph("a block of the module is wrapped already")
    fixed = parse_bytes(fixed_bytes) + optimizers.distinct_bytes(p.grad for p in module.parameters())
    fixed += optimizers.needs(optimizer).state_bytes if optimizer is not None else 0
    least = None
    choices = [(count, 0) for count in range(len(blocks) + 1)] + [(len(blocks), count) for count in range(1, len(blocks) + 1) if offload]
    for checkpointed, offloaded in choices:
        with _applied(blocks, checkpointed, offloaded):
            taken = step_bytes(module, inputs, loss) + fixed
        if taken <= size:
            _apply(blocks, checkpointed, offloaded)
            return Wrapped(checkpointed, len(blocks), taken, size, offloaded)
        least = taken if least is None else min(least, taken)
    copied = " and their inputs on the host" if offload else ""
    raise BudgetError(f"with all {len(blocks)} blocks checkpointed{copied} the step takes no less than {show_bytes(least)} ({least} bytes) of {size}; "
                      "memplan.torch.compile recomputes single operations and goes further", least)
