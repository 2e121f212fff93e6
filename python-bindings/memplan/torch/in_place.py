"""In place: operators that can write their result over an argument, and the form of them that does.

Operators on elements read each one before they write it. Those on rows read a row, then write its elements in order: no signature
promises that, so each is tried on the device that will run it, against its result beside its arguments. It must be contiguous: over
other strides PyTorch writes as if it were."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import torch
from torch import fx
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


def _is_like(value, result: torch.Tensor) -> bool:
    """Whether a tensor of the form of `result`, which fills its storage, fills one of the same bytes."""
    return (isinstance(value, torch.Tensor) and value.layout == torch.strided and value.dtype == result.dtype and value.device == result.device
            and value.size() == result.size() and value.stride() == result.stride() and value.storage_offset() == 0
            and value.untyped_storage().nbytes() == result.untyped_storage().nbytes())


def candidates(node: fx.Node) -> list[fx.Node]:
    """Arguments of `node` that its result could be written over, were it their last reader."""
    form, result = form_of(node.target), node.meta.get("val")
    if form is None or operators.is_random(node) or not isinstance(result, torch.Tensor) or not result.dtype.is_floating_point:
        return []
    if node.target in _ON_ROWS and not (result.is_contiguous() and _agrees(node.target, result.device, result.dtype)):
        return []
    first_only = form.name is None or node.target in _ON_ROWS
    read = [a for a in tree_leaves((node.args, node.kwargs)) if isinstance(a, fx.Node)]
    return [a for a in node.args[: 1 if first_only else None] if isinstance(a, fx.Node) and read.count(a) == 1 and _is_like(a.meta.get("val"), result)]
