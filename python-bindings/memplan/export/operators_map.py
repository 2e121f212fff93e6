"""Elementwise operators as `memplan.map`: one expression each, in postfix order."""

from __future__ import annotations

import torch

from .element_types import is_real
from .lower import Constant, joint_lowering, lowering
from .operators_elementwise import _number, emit_map

# name -> expression of the operand. {0}, {1}, ... are further arguments of the operator, which have numbers as defaults.
_UNARY = {
    "exp": "x0 exp", "log": "x0 log", "log1p": "x0 log1p", "expm1": "x0 expm1", "sqrt": "x0 sqrt", "rsqrt": "x0 rsqrt", "sin": "x0 sin",
    "cos": "x0 cos", "erf": "x0 erf", "abs": "x0 abs", "sign": "x0 sign", "sgn": "x0 sign", "floor": "x0 floor", "ceil": "x0 ceil", "round": "x0 round",
    "reciprocal": "1 x0 div", "hardswish": "x0 3 add 0 max 6 min; x0 t2 mul 6 div", "hardsigmoid": "x0 3 add 0 max 6 min 6 div",
    "mish": "x0 exp log1p; x0 20 le t1 x0 select tanh x0 mul", "log_sigmoid": "0 x0 min; x0 abs neg exp log1p; t0 t4 sub",
    "logical_not": "x0 0 eq", "isnan": "x0 x0 ne", "isinf": "x0 abs inf eq",
}
_WITH_ARGUMENTS = {
    "leaky_relu.default": ("x0 0 max; x0 0 min; t1 {0} mul t0 add", (0.01,)),
    "elu.default": ("x0 {2} mul; x0 0 le t0 0 min expm1 {0} mul x0 select {1} mul", (1.0, 1.0, 1.0)),
    "softplus.default": ("x0 {0} mul; t0 {1} min exp log1p {0} div; t0 {1} le t4 x0 select", (1.0, 20.0)),
    "clamp_min.default": ("x0 {0} max", ()),
    "clamp_max.default": ("x0 {0} min", ()),
    "threshold.default": ("x0 {0} le {1} x0 select", ()),
    "hardshrink.default": ("x0 abs {0} le 0 x0 select", (0.5,)),
    "softshrink.default": ("x0 {0} sub 0 max; x0 {0} add 0 min; t1 t3 add", (0.5,)),
}
# name -> expression of (gradient of the output, operand of the forward pass).
_BACKWARD = {
    "hardswish_backward.default": ("x1 3 lt; x1 3 le; t0 t1 min; x1 3 div 0.5 add; x1 -3 lt 0 x1 3 le t4 1 select select x0 mul", ()),
    "hardsigmoid_backward.default": ("x1 -3 le; x1 3 lt; t0 0 t1 x0 6 div 0 select select", ()),
    "leaky_relu_backward.default": ("0 x1 lt x0 x0 {0} mul select", (0.01,)),
    "softplus_backward.default": ("x1 {0} mul; t0 {1} le x0 t0 sigmoid mul x0 select", (1.0, 20.0)),
    "mish_backward.default": ("x1 20 le x1 exp log1p x1 select tanh; x1 sigmoid; 1 t4 t4 mul sub; t4 x1 t5 mul t7 mul add; x0 t10 mul", ()),
    "softshrink_backward.default": ("x1 abs {0} le 0 x0 select", (0.5,)),
    "hardshrink_backward.default": ("x1 abs {0} le 0 x0 select", (0.5,)),
}
_BINARY = {"minimum.default": "min", "maximum.default": "max", "remainder.Tensor": "mod", "remainder.Scalar": "mod",
           "pow.Tensor_Tensor": "pow", "pow.Scalar": "pow", "floor_divide.default": "div floor"}
for _kind in ("Tensor", "Scalar"):
    _BINARY |= {f"{name}.{_kind}": name for name in ("lt", "le", "eq", "ne")}
_LOGICAL = {"logical_and": "x0 0 ne; x1 0 ne; t0 t1 mul", "logical_or": "x0 0 ne; x1 0 ne; t0 t1 max", "logical_xor": "x0 0 ne; x1 0 ne; t0 t1 ne"}
_BOOLEAN = {name: expression for names, expression in
            ((("bitwise_and", "__and__"), "x0 x1 mul"), (("bitwise_or", "__or__"), "x0 x1 max"), (("bitwise_xor", "__xor__"), "x0 x1 ne"))
            for name in names}


def _register(name: str, expression: str, defaults=(), operands: int = 1) -> None:
    @lowering(f"aten.{name}")
    def lower(lower, node, *args, **kwargs):
        given = [*args[operands:], *kwargs.values()]
        numbers = [*given, *defaults[len(given):]]
        if any(_number(n) is None and not isinstance(n, bool) for n in numbers):
            raise lower.unsupported("a setting of it is a tensor", "give a number")
        filled = expression.format(*(repr(float(_number(n) or 0)) if not isinstance(n, bool) else str(int(n)) for n in numbers))
        return emit_map(lower, node, filled, args[:operands])


for _name, _expression in _UNARY.items():
    _register(f"{_name}.default", _expression)
for _name, (_expression, _defaults) in _WITH_ARGUMENTS.items():
    _register(_name, _expression, _defaults)
for _name, _function in _BINARY.items():
    _register(_name, f"x0 x1 {_function}", operands=2)
for _name, _expression in _LOGICAL.items():
    _register(f"{_name}.default", _expression, operands=2)
for _name, _expression in _BOOLEAN.items():
    @lowering(f"aten.{_name}.Tensor")
    def _bitwise(lower, node, lhs, rhs, _expression=_expression):
        if node.meta["val"].dtype != torch.bool:
            raise lower.unsupported("its operands are no booleans", "use logical operators, or arithmetic")
        return emit_map(lower, node, _expression, [lhs, rhs])
for _kind in ("Tensor", "Scalar"):
    _register(f"gt.{_kind}", "x1 x0 lt", operands=2)
    _register(f"ge.{_kind}", "x1 x0 le", operands=2)
for _name, (_expression, _defaults) in _BACKWARD.items():
    @joint_lowering(f"aten.{_name}")
    def _backward(lower, node, grad, value, *numbers, _expression=_expression, _defaults=_defaults):
        filled = [*numbers, *_defaults[len(numbers):]]
        return emit_map(lower, node, _expression.format(*(repr(float(n)) for n in filled)), [grad, value])


@joint_lowering("aten.elu_backward.default")
def _elu_backward(lower, node, grad, alpha, scale, input_scale, is_result, value):
    inner = f"x1 {float(alpha * scale)!r} add" if is_result else f"x1 {float(input_scale)!r} mul exp {float(alpha * scale)!r} mul"
    return emit_map(lower, node, f"x1 0 le x0 {inner} {float(input_scale)!r} mul mul x0 {float(scale)!r} mul select", [grad, value])


@joint_lowering("aten.xlogy.Tensor", "aten.xlogy.Scalar_Self", "aten.xlogy.Scalar_Other")
def _xlogy(lower, node, lhs, rhs):
    return emit_map(lower, node, "x0 0 eq 0 x0 x1 log mul select", [lhs, rhs])


@joint_lowering("aten.log_sigmoid_forward.default")
def _log_sigmoid(lower, node, value):
    return [emit_map(lower, node.args[0], _UNARY["log_sigmoid"], [value]), None]


@joint_lowering("aten.log_sigmoid_backward.default")
def _log_sigmoid_backward(lower, node, grad, value, _):
    return emit_map(lower, node, "x0 x1 neg sigmoid mul", [grad, value])


@lowering("aten.bitwise_not.default")
def _bitwise_not(lower, node, value):
    if node.meta["val"].dtype != torch.bool:
        raise lower.unsupported("its operand is no boolean", "use logical_not")
    return emit_map(lower, node, "x0 0 eq", [value])


@lowering("aten.addcmul.default")
def _addcmul(lower, node, start, lhs, rhs, value=1):
    return emit_map(lower, node, f"x1 x2 mul {float(value)!r} mul x0 add", [start, lhs, rhs])


@lowering("aten.addcdiv.default")
def _addcdiv(lower, node, start, lhs, rhs, value=1):
    return emit_map(lower, node, f"x1 x2 div {float(value)!r} mul x0 add", [start, lhs, rhs])


@lowering("aten.lerp.Scalar", "aten.lerp.Tensor")
def _lerp(lower, node, start, end, weight):
    return emit_map(lower, node, "x1 x0 sub x2 mul x0 add", [start, end, weight])


@joint_lowering("aten._to_copy.default", "prims.convert_element_type.default")
@lowering("aten.to.dtype")
def _cast(lower, node, value, *_, **__):
    if isinstance(value, Constant):
        return Constant(value.tensor.to(node.meta["val"].dtype))
    value = lower.materialize(value)
    if lower.node_type(node)[2] == value.dtype and node.meta["val"].dtype != torch.bool:
        return value
    if is_real(value.dtype) and is_real(lower.node_type(node)[2]):
        return lower.cast(value, lower.node_type(node)[2])
    return emit_map(lower, node, "x0 0 ne" if node.meta["val"].dtype == torch.bool else "x0", [value])


@lowering("aten.div.Tensor_mode", "aten.div.Scalar_mode")
def _div_mode(lower, node, lhs, rhs, rounding_mode=None):
    rounding = {"floor": " floor", None: ""}.get(rounding_mode)
    if rounding is None:
        rounding = "; t0 floor; t0 ceil; t0 0 lt t2 t1 select"
    return emit_map(lower, node, f"x0 x1 div{rounding}", [lhs, rhs])
