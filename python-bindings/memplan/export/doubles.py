"""Values that a step computes in f64 and rounds at the end, such as the angles of rotary positions: one `memplan.map` each, which computes in f64 where an operand
is an integer. Nothing in the program has f64 elements then."""

from __future__ import annotations

import dataclasses

import torch
from torch import fx

from .capture import operator_name
from .element_types import REAL
from .lower import Constant, find_lowering
from .operators_elementwise import _KINDS, _number
from .text import Value

_FUNCTIONS = {
    "sin.default": "x0 sin", "cos.default": "x0 cos", "exp.default": "x0 exp", "log.default": "x0 log", "sqrt.default": "x0 sqrt", "rsqrt.default": "x0 rsqrt",
    "neg.default": "x0 neg", "abs.default": "x0 abs", "reciprocal.default": "1 x0 div", "add.Tensor": "x0 x1 add", "sub.Tensor": "x0 x1 sub",
    "mul.Tensor": "x0 x1 mul", "div.Tensor": "x0 x1 div", "pow.Tensor_Scalar": "x0 x1 pow", "pow.Scalar": "x0 x1 pow", "pow.Tensor_Tensor": "x0 x1 pow",
}
# The same after rounding as before it.
_MOVEMENTS = {"unsqueeze.default", "squeeze.dim", "squeeze.dims", "expand.default", "clone.default", "view.default", "_unsafe_view.default", "reshape.default",
              "permute.default", "transpose.int", "t.default", "slice.Tensor", "select.int"}
_CASTS = {"_to_copy.default", "prims.convert_element_type.default"}
_HELD = {**REAL, "i64": torch.int64, "i8": torch.bool}
_MANTISSA_BITS = 53
# An expression that reads a value twice has it twice.
_MOST_WORDS = 256


@dataclasses.dataclass(frozen=True)
class Double:
    """A tensor in f64 that is not computed yet: an expression of `operands`, whose result of shape `shape` is then moved."""

    node: fx.Node
    words: tuple[str, ...]
    operands: tuple[Value, ...]
    shape: tuple[int, ...]
    moves: tuple[fx.Node, ...] = ()


def lower_double(lower, node) -> bool:
    """Lowers a node that reads or gives f64; False where it must be an operation on f64."""
    name = operator_name(node).removeprefix("aten.")
    args = [lower.values.get(a) if isinstance(a, fx.Node) else a for a in node.args]
    traced = node.meta["val"]
    if not isinstance(traced, torch.Tensor) or not args:
        return False
    made = None
    if traced.dtype != torch.float64:
        made = _rounded(lower, node, args[0]) if name in _CASTS and isinstance(args[0], Double) else None
    elif name in _MOVEMENTS and isinstance(args[0], Double):
        made = _after(lower, node, args[0])
    elif name in _FUNCTIONS and not node.kwargs:
        made = _computed(lower, node, _FUNCTIONS[name], args)
    elif name in _CASTS:
        made = _computed(lower, node, "x0", args[:1])
    if made is None:
        return False
    lower.values[node] = made
    return True


def _after(lower, node, double: Double) -> Double:
    """The tensor after one more movement. One that is only cast is moved as it was, so that functions of several tensors can follow."""
    if double.words != ("x0",):
        return dataclasses.replace(double, node=node, moves=(*double.moves, node))
    return Double(node, double.words, (_moved(lower, node, double.operands[0]),), tuple(node.meta["val"].shape))


def _moved(lower, move: fx.Node, value: Value) -> Value:
    """`value` after a movement that the trace has of a tensor in f64."""
    traced = move.meta["val"]
    move.meta["val"] = traced.to(_HELD[value.dtype])
    try:
        return lower.materialize(find_lowering(operator_name(move), joint=True)(lower, move, value, *move.args[1:], **move.kwargs))
    finally:
        move.meta["val"] = traced


def _computed(lower, node, expression: str, args) -> Double | None:
    """What a function makes of its operands; None where one of them can only be had in f64."""
    if not all(isinstance(a, Value) and a.dtype in _KINDS or isinstance(a, Double | Constant) or _number(a) is not None for a in args):
        return None
    moved = [a for a in args if isinstance(a, Double) and a.moves]
    if moved and any(_number(a) is None for a in args if a is not moved[0]):
        return None  # which elements meet is known after the movement
    operands: list[Value] = []
    written = [_words(lower, a, operands) for a in args]
    words = [word for token in expression.split() for word in (written[int(token[1:])] if token.startswith("x") else [token])]
    if len(words) > _MOST_WORDS:
        return None
    if moved:
        return Double(node, tuple(words), tuple(operands), moved[0].shape, moved[0].moves)
    return Double(node, tuple(words), tuple(operands), tuple(node.meta["val"].shape))


def _words(lower, operand, operands: list[Value]) -> list[str]:
    """`operand` as a part of an expression, whose tensors are added to `operands`."""
    if (number := _number(operand)) is not None:
        return [repr(float(number))]
    if isinstance(operand, Double):
        first = len(operands)
        operands += operand.operands
        return [f"x{int(word[1:]) + first}" if word.startswith("x") else word for word in operand.words]
    if isinstance(operand, Value):
        operands.append(operand)
        return [f"x{len(operands) - 1}"]
    # An f64 is an integer of 53 bits times a power of two, which are integers both.
    tensor = operand.tensor.double()
    if not bool(tensor.isfinite().all()):
        raise lower.unsupported("a constant in float64 is infinite or NaN", "use finite constants")
    mantissa, exponent = torch.frexp(tensor)
    for part in (mantissa.mul(2.0**_MANTISSA_BITS).long(), exponent.long() - _MANTISSA_BITS):
        operands.append(lower.materialize(Constant(part)))
    return [f"x{len(operands) - 2}", "2", f"x{len(operands) - 1}", "pow", "mul"]


def _rounded(lower, node, double: Double) -> Value | None:
    dtype = {torch.float32: "f32", torch.bfloat16: "bf16", torch.float16: "f16", torch.int64: "i64"}.get(node.meta["val"].dtype)
    if dtype is None:
        return None
    operands, words = list(double.operands), list(double.words)
    if all(o.dtype != "i64" for o in operands) and dtype != "i64":  # an expression computes in f64 where an integer is
        words += _words(lower, lower.materialize(Constant(torch.zeros((), dtype=torch.int64))), operands) + ["add"]
    attributes = {"expression": " ".join(words)} | ({"element": dtype} if dtype != "f32" else {})
    if torch.broadcast_shapes(*(o.shape for o in operands)) != torch.Size(double.shape):
        attributes["shape"] = list(double.shape)
    value = lower.emit("map", operands, attributes, double.shape, (), dtype)
    for move in double.moves:
        value = _moved(lower, move, value)
    return value
