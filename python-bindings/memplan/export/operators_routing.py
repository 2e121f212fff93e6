"""What mixtures of experts are made of: rows in groups whose sizes are known when the step runs, each with a matrix of its own."""

from __future__ import annotations

import torch

from .lower import Constant, Transposed, joint_lowering
from .operators_elementwise import emit_map
from .operators_nn import _matmul
from .text import Value


def _grouped(lower, rows, ends, groups: int) -> Value:
    """[S, D] as [groups, S, D]: each row in its own group, zeros in the others. `ends` counts the rows up to each group's end."""
    rows, ends = lower.materialize(rows), lower.reshape(ends, (groups, 1, 1), ())
    before = lower.emit("slice", [ends], {"dim": 0, "start": 0, "size": groups - 1}, (groups - 1, 1, 1), (), ends.dtype) if groups > 1 else None
    zero = Constant(torch.zeros(1, 1, 1, dtype=torch.int64))
    begins = zero if before is None else lower.emit("concat", [zero, before], {"dim": 0}, (groups, 1, 1), (), ends.dtype)
    places = Constant(torch.arange(rows.shape[0]).reshape(-1, 1))
    return lower.emit("map", [places, begins, ends, rows], {"expression": "x1 x0 le; x0 x2 lt; t0 t1 mul x3 0 select"}, (groups, *rows.shape), ())


def _check(lower, rows, weights) -> tuple[Value, Value]:
    rows, weights = lower.materialize(rows), lower.materialize(weights)
    if rows.rank != 2 or weights.rank != 3:
        raise lower.unsupported(f"its operands have {rows.rank} and {weights.rank} dimensions", "give it rows in groups, and one matrix a group")
    return rows, weights


@joint_lowering("transformers.grouped_mm_fallback.default", "aten._grouped_mm.default")
def _grouped_product(lower, node, rows, weights, ends, bias=None, out_dtype=None):
    """The products of all groups, of which a row takes part in its own alone."""
    rows, weights = _check(lower, rows, weights)
    if bias is not None:
        raise lower.unsupported("it has a bias", "add the bias to the result")
    products = _matmul(lower, _grouped(lower, rows, ends, weights.shape[0]), weights)
    return lower.emit("reduce_sum", [products], {"dims": [0]}, products.shape[1:], ())


@joint_lowering("transformers.grouped_mm_fallback_backward.default")
def _grouped_product_backward(lower, node, rows, weights, ends, grad):
    rows, weights = _check(lower, rows, weights)
    grads = _grouped(lower, grad, ends, weights.shape[0])
    by_rows = _matmul(lower, grads, Transposed(weights))
    groups = weights.shape[0]
    wide = lower.emit("broadcast", [rows], {"dims": [0], "sizes": [groups]}, (groups, *rows.shape), ())
    return [lower.emit("reduce_sum", [by_rows], {"dims": [0]}, rows.shape, ()), _matmul(lower, Transposed(wide), grads)]


@joint_lowering("aten.histc.default")
def _histogram(lower, node, value, bins=100, min=0, max=0):
    if min >= max:
        raise lower.unsupported("its range is that of the values", "give it min and max")
    value = lower.materialize(value)
    flat = lower.reshape(value, (torch.Size(value.shape).numel(), 1), ())
    # The last bin holds the upper bound too; what lies outside counts nowhere.
    words = (f"x0 {float(min)!r} sub {bins / (max - min)!r} mul floor {float(bins - 1)!r} min; {float(min)!r} x0 le; x0 {float(max)!r} le; "
             "t3 x1 eq t4 mul t5 mul")
    hits = lower.emit("map", [flat, Constant(torch.arange(bins))], {"expression": words}, (flat.shape[0], bins), ())
    counts = lower.emit("reduce_sum", [hits], {"dims": [0]}, (bins,), ())
    return counts if lower.node_type(node)[2] == "f32" else emit_map(lower, node, "x0", [counts])
