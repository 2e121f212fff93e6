"""Random numbers inside a step. The dialect draws bits, those of a dropout, by an explicit seed; other numbers are made of them."""

from __future__ import annotations

import math

import torch

from .lower import Constant, joint_lowering
from .operators_elementwise import emit_map
from .text import Value

_BITS = 24  # of a number of [0, 1) in f32
# The bits of so many numbers take 4 * _BITS bytes each for a moment.
_MOST_NUMBERS = 1 << 18


def emit_uniform(lower, shape) -> Value:
    """Numbers of [0, 1), all multiples of 2^-24 equally likely, as PyTorch draws them."""
    shape = tuple(shape)
    count = torch.Size(shape).numel()
    if count > _MOST_NUMBERS:
        raise lower.unsupported(f"it draws {count} numbers inside the step, of which at most {_MOST_NUMBERS} are supported", "give noise as an input")
    ones = Constant(torch.ones(()).expand(_BITS, *shape))
    bits = lower.emit("dropout", [ones, lower.seed()], {"p": 0.5, "salt": lower.next_salt()})  # 0 or 2
    weights = Constant((0.5 ** torch.arange(2, _BITS + 2).float()).reshape(-1, *[1] * len(shape)))
    return lower.emit("reduce_sum", [lower.emit("mul", [bits, weights])], {"dims": [0]}, shape, ())


def _emit_normal(lower, shape) -> Value:
    """Box and Muller, 1958."""
    radius, angle = emit_uniform(lower, shape), emit_uniform(lower, shape)
    return lower.emit("map", [radius, angle], {"expression": f"1 x0 sub log -2 mul sqrt x1 {2 * math.pi!r} mul cos mul"})


def _drawn(emit):
    def lower_it(lower, node, *_, **__):
        shape, _, dtype = lower.node_type(node)
        if dtype != "f32":
            raise lower.unsupported(f"it draws numbers of element type {dtype}", "draw float32")
        return emit(lower, shape)

    return lower_it


joint_lowering("aten.rand.default", "aten.rand_like.default")(_drawn(emit_uniform))
joint_lowering("aten.randn.default", "aten.randn_like.default")(_drawn(_emit_normal))


@joint_lowering("aten.bernoulli.default")
def _bernoulli_of(lower, node, probabilities, **_):
    return emit_map(lower, node, "x0 x1 lt", [emit_uniform(lower, lower.node_type(node)[0]), probabilities])
