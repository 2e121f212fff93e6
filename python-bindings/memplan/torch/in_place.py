"""In place: operators that can write their result over an argument, and the form of them that does.

Operators on elements read each one before they write it. Those on rows read a row, then write its elements in order, and a batch norm reads
its input twice before it does: no signature promises that, so each is tried on the device that will run it, against its result beside its
arguments. It must be contiguous: over other strides PyTorch writes as if it were."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_leaves

from . import operators

aten = torch.ops.aten

# Operators on elements that PyTorch does not tag as such.
_ON_ELEMENTS = {aten.hardtanh_backward.default, aten.leaky_relu_backward.default, aten.elu_backward.default, aten.hardsigmoid_backward.default,
                aten.hardswish.default}

# Operators on rows: arguments of a trial, from two tensors of one form. Only the first argument is overwritten.
_ON_ROWS = {
    aten._log_softmax.default: lambda a, b, dim: (a, dim, False),
    aten._softmax.default: lambda a, b, dim: (a, dim, False),
    aten._log_softmax_backward_data.default: lambda a, b, dim: (a, b.log_softmax(dim), dim, a.dtype),
    aten._softmax_backward_data.default: lambda a, b, dim: (a, b.softmax(dim), dim, a.dtype),
}
# (sizes, dimension): short, long and very long rows, which have kernels of their own, and rows that are no neighbours in memory.
_TRIALS = (((3, 5), 1), ((4, 300), 1), ((3, 5000), 1), ((2, 70, 9), 1), ((40, 30), 0))

# A batch norm in training; its other results are small.
_NORM = aten._native_batch_norm_legit_functional.default
_NORM_TRIALS = ((2, 3, 5, 7), (4, 64, 14, 14), (3, 33, 3, 3), (2, 5, 200, 200), (6, 5), (3, 7, 11), (2, 3, 4, 5, 6))


@dataclasses.dataclass(frozen=True)
class Form:
    """An operator that writes its result into a tensor: the one that it is given as `name`, or its first argument where that is None."""

    target: Callable
    name: str | None

    def call(self, over, args, kwargs) -> tuple[tuple, dict]:
        """Arguments of a run that writes over `over`, one of `args`."""
        return args, kwargs if self.name is None else {**kwargs, self.name: over}


def _same_arguments(schema, other) -> bool:
    return [(a.name, str(a.type)) for a in schema] == [(a.name, str(a.type)) for a in other]


@functools.cache
def form_of(target) -> Form | None:
    """How an operator writes its result over an argument; None where it does not. Forms that PyTorch makes of others copy: none of these."""
    if not isinstance(target, torch._ops.OpOverload) or target.namespace != "aten" or target._schema.is_mutable:
        return None
    if torch.Tag.pointwise not in target.tags and target not in _ON_ELEMENTS and target not in _ON_ROWS:
        return None
    packets = [target.overloadpacket, getattr(aten, f"{target._opname}_", None)]
    others = [getattr(packet, name) for packet in packets if packet is not None for name in packet.overloads()]
    for other in others:
        if not other._schema.is_mutable or torch.Tag.generated in other.tags:
            continue
        arguments = other._schema.arguments
        written = [a for a in arguments if a.alias_info is not None and a.alias_info.is_write]
        rest = [a for a in arguments if a not in written]
        if len(written) == 1 and written[0].kwarg_only and _same_arguments(rest, target._schema.arguments):
            return Form(other, written[0].name)
        if len(written) == 1 and written[0] is arguments[0] and _same_arguments(arguments, target._schema.arguments):
            return Form(other, None)
    return None


@functools.cache
def _agrees(target, device: torch.device, dtype: torch.dtype) -> bool:
    """Whether an operator on rows gives the same bits over its first argument as beside it, on some rows of random numbers."""
    form, made = form_of(target), torch.Generator().manual_seed(0)
    try:
        with _disable_current_modes(), torch.no_grad():
            for sizes, dim in _TRIALS:
                a, b = (torch.randn(sizes, generator=made, device="cpu").to(device, dtype) for _ in range(2))
                args = _ON_ROWS[target](a, b, dim)
                beside = target(*args)
                args, kwargs = form.call(a, args, {})
                if not torch.equal(form.target(*args, **kwargs), beside):
                    return False
    except (RuntimeError, NotImplementedError):  # the device is not here, or does not know the type
        return False
    return True


def _norm_over(input, weight, bias, mean, variance, training, momentum, eps):
    """Batch norm with new running statistics, written over its input."""
    statistics = mean.clone(), variance.clone()
    saved = mean.new_empty(mean.size()), mean.new_empty(mean.size())
    if not isinstance(input, FakeTensor):
        aten._native_batch_norm_legit.out(input, weight, bias, *statistics, training, momentum, eps, out=input, save_mean=saved[0], save_invstd=saved[1])
    return input, *saved, *statistics


def _norm_again_over(input, weight, bias, training, momentum, eps):
    """Batch norm without running statistics, written over its input."""
    saved = input.new_empty(input.size(1)), input.new_empty(input.size(1))
    if not isinstance(input, FakeTensor):
        aten._native_batch_norm_legit.no_stats_out(input, weight, bias, training, momentum, eps, out=input, save_mean=saved[0], save_invstd=saved[1])
    return input, *saved


@functools.cache
def _norm_agrees(device: torch.device, dtype: torch.dtype) -> bool:
    """Whether a batch norm gives the same bits over its input as beside it, when it runs first and again, on some random numbers."""
    made = torch.Generator().manual_seed(0)
    try:
        with _disable_current_modes(), torch.no_grad():
            for sizes in _NORM_TRIALS:
                a, scale, shift, mean, variance = (torch.rand(n, generator=made).to(device, dtype) for n in (sizes, *[sizes[1]] * 4))
                args = a, scale, shift, mean, variance, True, 0.1, 1e-5
                beside = _NORM(*args)
                first = _norm_over(a.clone(), *args[1:])
                again = _norm_again_over(a.clone(), *operators.RECOMPUTATIONS[_NORM].arguments(args)[1:])
                if not all(map(torch.equal, (*first, *again), (*beside, *beside[:3]))):
                    return False
    except (RuntimeError, NotImplementedError):  # the device is not here, or does not know the type
        return False
    return True


def call_over(node: fx.Node, again: bool, over, operand: Callable) -> tuple[Callable, tuple, dict]:
    """What runs `node` over `over`, which stands for one of its arguments; `operand` says what stands for each; `again`: as its recomputation does."""
    if node.target is _NORM:
        target, args = (_norm_again_over, operators.RECOMPUTATIONS[_NORM].arguments(node.args)) if again else (_norm_over, node.args)
        return target, fx.node.map_arg(args, operand), {}
    form = form_of(node.target)
    return form.target, *form.call(over, *fx.node.map_arg((node.args, node.kwargs), operand))


def _is_like(value, result: torch.Tensor) -> bool:
    """Whether a tensor of the form of `result`, which fills its storage, fills one of the same bytes."""
    return (isinstance(value, torch.Tensor) and value.layout == torch.strided and value.dtype == result.dtype and value.device == result.device
            and value.size() == result.size() and value.stride() == result.stride() and value.storage_offset() == 0
            and value.untyped_storage().nbytes() == result.untyped_storage().nbytes())


def _norm_candidates(node: fx.Node) -> list[fx.Node]:
    """The input of a batch norm in training, where all it is given is of one type."""
    values = operators.example_arguments(node)[0]
    result, tensors = node.meta["val"][0], [v for v in values if isinstance(v, torch.Tensor)]
    if operators.recomputation_of(node) is None or node.kwargs or not result.is_contiguous() or len({t.dtype for t in tensors}) != 1:
        return []
    return [node.args[0]] if _is_like(values[0], result) and _norm_agrees(result.device, result.dtype) else []


def candidates(node: fx.Node) -> list[fx.Node]:
    """Arguments of `node` that its one result, or the first of a batch norm's, could be written over, were it their last reader."""
    if node.target is _NORM:
        return _norm_candidates(node)
    form, result = form_of(node.target), node.meta.get("val")
    if form is None or operators.is_random(node) or not isinstance(result, torch.Tensor) or not result.dtype.is_floating_point:
        return []
    if node.target in _ON_ROWS and not (result.is_contiguous() and _agrees(node.target, result.device, result.dtype)):
        return []
    first_only = form.name is None or node.target in _ON_ROWS
    read = [a for a in tree_leaves((node.args, node.kwargs)) if isinstance(a, fx.Node)]
    return [a for a in node.args[: 1 if first_only else None] if isinstance(a, fx.Node) and read.count(a) == 1 and _is_like(a.meta.get("val"), result)]
