"""Arithmetic, activations, reductions and dropout."""

from __future__ import annotations

import dataclasses

import torch

from .element_types import is_real
from .lower import Constant, Lowering, lowering
from .text import Unit, Value

# Element types that expressions have.
_KINDS = ("f32", "bf16", "f16", "i64", "i8")


def _same_shape(op: str):
    def lower(lower: Lowering, node, value):
        return lower.emit(op, [value])

    return lower


for _name in ("relu", "sigmoid", "tanh", "silu"):
    lowering(f"aten.{_name}.default")(_same_shape(_name))


def emit_map(lower: Lowering, node, expression: str, operands) -> Value:
    """`expression` of the operands, x0, x1 and so on, in the type of `node`. Numbers are written into it."""
    numbers = [_number(o) for o in operands]
    tensors = [o for o, n in zip(operands, numbers) if n is None]
    places = iter(range(len(tensors)))
    words = [f"x{next(places)}" if n is None else repr(float(n)) for n in numbers]
    tokens = [words[int(t[1:])] if t[0] == "x" and t[1:].isdigit() else t for t in expression.replace(";", " ;").split()]
    shape, batch_dims, dtype = lower.node_type(node)
    values = [lower.materialize(t) for t in tensors]
    if not values or dtype not in _KINDS or any(v.dtype not in _KINDS for v in values):
        raise lower.unsupported(f"its element types are {', '.join(v.dtype for v in values)} and {dtype}", "use float32, int64 or bool")
    attributes = {"expression": " ".join(tokens).replace(" ;", ";")}
    if dtype != "f32":
        attributes["element"] = dtype
    if torch.broadcast_shapes(*(v.shape for v in values)) != torch.Size(shape):
        if batch_dims:
            raise lower.unsupported("it repeats a tensor for every sample of the batch", "let arithmetic broadcast it instead")
        attributes["shape"] = list(shape)
    result = lower.emit("map", values, attributes, shape, batch_dims, dtype)
    words = expression.split()
    if len(words) != 4 or words[-1] != "select" or is_real(dtype):
        return result
    chosen = [operands[int(word[1:])] for word in words[1:3]]  # a choice of integers gives one or the other as it is
    return dataclasses.replace(result, arguments=tuple(a for o in chosen if isinstance(o, Value) for a in o.arguments))


@lowering("aten.gelu.default")
def _gelu(lower, node, value, approximate="none"):
    return lower.emit("gelu", [value], {"approximate": approximate})


@lowering("aten.hardtanh.default")
def _hardtanh(lower, node, value, low=-1.0, high=1.0):
    return lower.emit("clamp", [value], {"min": float(low), "max": float(high)})


@lowering("aten.clamp.default", "aten.clamp.Tensor")
def _clamp(lower, node, value, low=None, high=None):
    if _number(low) is None or _number(high) is None:
        bounds = [(name, bound) for name, bound in (("max", low), ("min", high)) if bound is not None]
        words = "".join(f" x{i + 1} {name}" for i, (name, _) in enumerate(bounds))
        return emit_map(lower, node, f"x0{words}", [value, *(b for _, b in bounds)])
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
    operands = _held_once(lower, lhs, rhs), _held_once(lower, rhs, lhs)
    dtypes = {o.dtype for o in operands if isinstance(o, Value)} | {lower.node_type(lower.node)[2]}
    if not all(map(is_real, dtypes)):
        return emit_map(lower, lower.node, f"x0 x1 {op}", list(operands))
    return lower.emit_like_node(op, [_operand(lower, o) for o in operands])


def _held_once(lower, operand, other):
    """A number, or the value of a tensor. A constant that only repeats, as masks of all samples do, is what the other operand repeats by itself."""
    if _number(operand) is not None:
        return operand
    repeats = isinstance(operand, Constant) and isinstance(other, Value) and tuple(other.shape) == tuple(lower.node_type(lower.node)[0])
    return lower.materialize(Constant(without_repeats(operand.tensor)) if repeats else operand)


def without_repeats(tensor: torch.Tensor) -> torch.Tensor:
    """One of each dimension along which `tensor` only repeats, as batch and heads of a mask do, in memory too where a model adds masks; the last two stay."""
    for dim in range(tensor.dim() - 2):
        first = tensor.narrow(dim, 0, 1)
        if tensor.stride(dim) == 0 or torch.equal(first.expand_as(tensor), tensor):
            tensor = first
    return tensor


def _multiplied(lower, operand, factor):
    if factor == 1:
        return operand
    number = _number(operand)
    return number * factor if number is not None else _scale(lower, operand, factor)


@lowering("aten.add.Tensor", "aten.add.Scalar")
def _add(lower, node, lhs, rhs, alpha=1):
    return _binary(lower, "add", lhs, _multiplied(lower, rhs, alpha))


@lowering("aten.sub.Tensor", "aten.sub.Scalar")
def _sub(lower, node, lhs, rhs, alpha=1):
    return _binary(lower, "sub", lhs, _multiplied(lower, rhs, alpha))


@lowering("aten.rsub.Scalar", "aten.rsub.Tensor")
def _rsub(lower, node, lhs, rhs, alpha=1):
    return _binary(lower, "sub", rhs, _multiplied(lower, lhs, alpha))


@lowering("aten.mul.Tensor", "aten.mul.Scalar")
def _mul(lower, node, lhs, rhs):
    for value, factor in ((lhs, _number(rhs)), (rhs, _number(lhs))):
        if factor is not None and lower.node_type(node)[2] == lower.materialize(value).dtype and is_real(lower.materialize(value).dtype):
            return _scale(lower, value, factor)
    return _binary(lower, "mul", lhs, rhs)


@lowering("aten.div.Tensor", "aten.div.Scalar")
def _div(lower, node, lhs, rhs):
    divisor = _number(rhs)
    plain = divisor and _number(lhs) is None and is_real(lower.materialize(lhs).dtype)
    return _scale(lower, lhs, 1.0 / divisor) if plain else _binary(lower, "div", lhs, rhs)


@lowering("aten.neg.default")
def _neg(lower, node, value):
    return _scale(lower, value, -1.0) if is_real(lower.materialize(value).dtype) else emit_map(lower, node, "x0 neg", [value])


@lowering("aten.square.default")
def _square(lower, node, value):
    return lower.emit("mul", [value, value])


@lowering("aten.pow.Tensor_Scalar")
def _pow(lower, node, value, exponent):
    if exponent == 2 and is_real(lower.materialize(value).dtype):
        return _square(lower, node, value)
    known = {0.5: "x0 sqrt", 1: "x0", 2: "x0 x0 mul", 3: "x0 x0 mul x0 mul", -1: "1 x0 div", -0.5: "x0 rsqrt"}
    return emit_map(lower, node, known.get(exponent, f"x0 {float(exponent)!r} pow"), [value])


def _reduce(op: str):
    def reduce(lower: Lowering, node, value, dims=None, keepdim=False, dtype=None):
        value = lower.materialize(value)
        dims = sorted(d % value.rank for d in (dims if dims else range(value.rank)))
        attributes = {"dims": dims, **({"keepdims": Unit()} if keepdim else {})}
        shape, batch_dims, kind = lower.node_type(node)
        if is_real(value.dtype) and is_real(kind):
            # Torch adds up in the type that it gives.
            value = lower.cast(value, "f32") if kind == "f32" else value
            return lower.emit(op, [value], attributes, shape, batch_dims)
        # Integers below 2^24 add up exactly in f32.
        single = value if value.dtype == "f32" else lower.emit("map", [value], {"expression": "x0"}, value.shape, value.batch_dims)
        total = lower.emit(op, [single], attributes, shape, batch_dims)
        return total if kind == "f32" else lower.emit("map", [total], {"element": kind, "expression": "x0"}, shape, batch_dims, kind)

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
    if dtype == torch.float32:
        value = lower.cast(value, "f32")
    elif dtype not in (None, False):
        raise lower.unsupported(f"it converts to {dtype}", "take the softmax in float32")
    return lower.emit("softmax", [value], {"axis": dim % lower.materialize(value).rank})


@lowering("aten.dropout.default")
def _dropout(lower, node, value, p, train):
    return lower.dropout(value, p) if train else value


@lowering("aten.masked_fill.Scalar", "aten.masked_fill.Tensor")
def _masked_fill(lower, node, value, mask, fill):
    number = _number(fill)
    causal = isinstance(mask, Constant) and number is not None and _is_above_diagonal(mask.tensor)
    if not causal or tuple(mask.tensor.shape[-2:]) != lower.materialize(value).shape[-2:]:
        return emit_map(lower, node, "x1 x2 x0 select", [value, mask, fill])
    return lower.emit("causal_mask", [value], {"fill": float(number)})


@lowering("aten.where.self", "aten.where.ScalarSelf", "aten.where.ScalarOther", "aten.where.Scalar")
def _where(lower, node, condition, chosen, other):
    # where(mask, scores, fill) and where(above, fill, scores) are masked_fill.
    if isinstance(condition, Constant) and condition.tensor.dtype == torch.bool:
        if _number(other) is not None:
            return _masked_fill(lower, node, chosen, Constant(~condition.tensor), other)
        if _number(chosen) is not None:
            return _masked_fill(lower, node, other, condition, chosen)
    return emit_map(lower, node, "x0 x1 x2 select", [condition, chosen, other])


def _is_above_diagonal(mask: torch.Tensor) -> bool:
    if mask.dim() < 2 or mask.numel() != mask.shape[-1] * mask.shape[-2]:
        return False
    square = mask.reshape(mask.shape[-2:]).bool()
    return torch.equal(square, torch.ones_like(square).triu(1))
