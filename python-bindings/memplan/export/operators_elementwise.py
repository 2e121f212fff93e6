"""Arithmetic, activations, reductions and dropout."""

from __future__ import annotations

import torch

from .lower import Constant, Lowering, lowering
from .text import Unit


def _same_shape(op: str):
    def lower(lower: Lowering, node, value):
        return lower.emit(op, [value])

    return lower


for _name in ("relu", "sigmoid", "tanh", "silu"):
    lowering(f"aten.{_name}.default")(_same_shape(_name))


@lowering("aten.gelu.default")
def _gelu(lower, node, value, approximate="none"):
    return lower.emit("gelu", [value], {"approximate": approximate})


@lowering("aten.hardtanh.default")
def _hardtanh(lower, node, value, low=-1.0, high=1.0):
    return lower.emit("clamp", [value], {"min": float(low), "max": float(high)})


@lowering("aten.clamp.default")
def _clamp(lower, node, value, low=None, high=None):
    if low is None or high is None:
        raise lower.unsupported("it bounds one side only", "give both bounds, or use relu")
    return lower.emit("clamp", [value], {"min": float(low), "max": float(high)})


@lowering("aten.relu6.default")
def _relu6(lower, node, value):
    return lower.emit("clamp", [value], {"min": 0.0, "max": 6.0})


def _scale(lower, value, factor):
    return value if factor == 1 else lower.emit("scale", [value], {"factor": float(factor)})


def _number(operand):
    """The Python number that an operand is, or None. A constant of rank 0 counts as a number."""
    if isinstance(operand, (int, float)) and not isinstance(operand, bool):
        return operand
    if isinstance(operand, Constant) and operand.tensor.dim() == 0:
        return operand.tensor.item()
    return None


def _operand(lower, operand):
    number = _number(operand)
    return operand if number is None else Constant(torch.tensor(float(number)))


def _binary(lower, op, lhs, rhs):
    return lower.emit_like_node(op, [_operand(lower, lhs), _operand(lower, rhs)])


@lowering("aten.add.Tensor", "aten.add.Scalar")
def _add(lower, node, lhs, rhs, alpha=1):
    if alpha != 1:
        rhs = rhs * alpha if _number(rhs) is not None else _scale(lower, rhs, alpha)
    return _binary(lower, "add", lhs, rhs)


@lowering("aten.sub.Tensor", "aten.sub.Scalar")
def _sub(lower, node, lhs, rhs, alpha=1):
    if alpha != 1:
        rhs = rhs * alpha if _number(rhs) is not None else _scale(lower, rhs, alpha)
    return _binary(lower, "sub", lhs, rhs)


@lowering("aten.rsub.Scalar", "aten.rsub.Tensor")
def _rsub(lower, node, lhs, rhs, alpha=1):
    return _binary(lower, "sub", rhs, lhs if alpha == 1 else _scale(lower, lhs, alpha))


@lowering("aten.mul.Tensor", "aten.mul.Scalar")
def _mul(lower, node, lhs, rhs):
    for value, factor in ((lhs, _number(rhs)), (rhs, _number(lhs))):
        if factor is not None:
            return _scale(lower, value, factor)
    return _binary(lower, "mul", lhs, rhs)


@lowering("aten.div.Tensor", "aten.div.Scalar")
def _div(lower, node, lhs, rhs):
    divisor = _number(rhs)
    return _scale(lower, lhs, 1.0 / divisor) if divisor else _binary(lower, "div", lhs, rhs)


@lowering("aten.neg.default")
def _neg(lower, node, value):
    return _scale(lower, value, -1.0)


@lowering("aten.square.default")
def _square(lower, node, value):
    return lower.emit("mul", [value, value])


@lowering("aten.pow.Tensor_Scalar")
def _pow(lower, node, value, exponent):
    if exponent == 1:
        return value
    if exponent != 2:
        raise lower.unsupported(f"the exponent is {exponent}", "only squares have a counterpart")
    return _square(lower, node, value)


def _reduce(op: str):
    def reduce(lower: Lowering, node, value, dims=None, keepdim=False, dtype=None):
        if dtype not in (None, torch.float32):
            raise lower.unsupported(f"it converts to {dtype}", "reduce in float32")
        rank = lower.materialize(value).rank
        dims = sorted(d % rank for d in (dims if dims else range(rank)))
        return lower.emit_like_node(op, [value], {"dims": dims, **({"keepdims": Unit()} if keepdim else {})})

    return reduce


lowering("aten.mean.dim")(_reduce("reduce_mean"))
lowering("aten.sum.dim_IntList")(_reduce("reduce_sum"))


@lowering("aten.mean.default")
def _mean_all(lower, node, value, dtype=None):
    return _reduce("reduce_mean")(lower, node, value, dtype=dtype)


@lowering("aten.sum.default")
def _sum_all(lower, node, value, dtype=None):
    return _reduce("reduce_sum")(lower, node, value, dtype=dtype)


@lowering("aten.softmax.int")
def _softmax(lower, node, value, dim, dtype=None):
    if dtype not in (None, False, torch.float32):
        raise lower.unsupported(f"it converts to {dtype}", "take the softmax in float32")
    return lower.emit("softmax", [value], {"axis": dim % lower.materialize(value).rank})


@lowering("aten.dropout.default")
def _dropout(lower, node, value, p, train):
    if not train or p == 0:
        return value
    if p >= 1:
        raise lower.unsupported(f"p is {p}", "use a probability below 1")
    return lower.emit("dropout", [value, lower.seed()], {"p": float(p), "salt": lower.next_salt()})


@lowering("aten.masked_fill.Scalar", "aten.masked_fill.Tensor")
def _masked_fill(lower, node, value, mask, fill):
    number = _number(fill)
    causal = isinstance(mask, Constant) and number is not None and _is_above_diagonal(mask.tensor)
    if not causal or tuple(mask.tensor.shape[-2:]) != lower.materialize(value).shape[-2:]:
        raise lower.unsupported("its mask is not the part above the diagonal of the last two dimensions",
                                "causal masks are supported, as a constant; other masks can be added to the scores")
    return lower.emit("causal_mask", [value], {"fill": float(number)})


@lowering("aten.where.self", "aten.where.ScalarSelf", "aten.where.ScalarOther")
def _where(lower, node, condition, chosen, other):
    # where(mask, scores, fill) and where(above, fill, scores) are masked_fill.
    if isinstance(condition, Constant) and condition.tensor.dtype == torch.bool:
        if _number(other) is not None:
            return _masked_fill(lower, node, chosen, Constant(~condition.tensor), other)
        if _number(chosen) is not None:
            return _masked_fill(lower, node, other, condition, chosen)
    raise lower.unsupported("its condition is not a constant causal mask", "only causal masks have a counterpart")


def _is_above_diagonal(mask: torch.Tensor) -> bool:
    if mask.dim() < 2 or mask.numel() != mask.shape[-1] * mask.shape[-2]:
        return False
    square = mask.reshape(mask.shape[-2:]).bool()
    return torch.equal(square, torch.ones_like(square).triu(1))
