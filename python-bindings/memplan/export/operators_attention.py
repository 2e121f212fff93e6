"""Scaled dot-product attention: one operation, or its scores written out where that has no counterpart."""

from __future__ import annotations

import torch

from .element_types import is_real
from .lower import Constant, Lowering, Transposed, joint_lowering, lowering
from .operators_elementwise import _is_above_diagonal
from .operators_nn import _matmul, _operands
from .operators_shape import _expanded
from .text import Unit, Value

# Of a head's queries or values: the kernel has room for no more.
_MOST_COLUMNS = 1024


@lowering("aten.scaled_dot_product_attention.default")
def _attention(lower: Lowering, node, query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    query, key, value = (lower.materialize(v) for v in (query, key, value))
    if not query.shape[:-2] == key.shape[:-2] == value.shape[:-2]:
        raise lower.unsupported("its queries and keys differ in their leading dimensions", "repeat keys and values for every head")
    mask, causal = _mask(lower, attn_mask, is_causal, (query.shape[-2], key.shape[-2]))
    scale = float(scale if scale is not None else query.shape[-1]**-0.5)
    learned = mask is not None and not isinstance(attn_mask, Constant) and _reads_parameter(lower, _node_of_mask(node))
    is_wide = max(query.shape[-1], value.shape[-1]) > _MOST_COLUMNS
    if lower.attention_as_products or dropout_p or learned or is_wide:
        return _products(lower, query, key, value, mask, causal, scale, dropout_p)
    return emit_attention(lower, query, key, value, mask, causal, scale)[0]


def emit_attention(lower, query, key, value, mask, causal: bool, scale: float):
    """The output and the log-sum-exp of each row of its scores."""
    outputs = [("", (*query.shape[:-1], value.shape[-1]), query.batch_dims, "f32"), (".logsumexp", query.shape[:-1], query.batch_dims, "f32")]
    return lower.emit("attention", _operands(query, key, value, mask), _attributes(causal, scale), outputs=outputs)


def _attributes(causal: bool, scale: float) -> dict:
    return {"scale": scale, **({"causal": Unit()} if causal else {})}


def _products(lower, query, key, value, mask, causal, scale, dropout_p):
    """Scores, mask, softmax, sum."""
    scores = lower.emit("scale", [_matmul(lower, query, Transposed(key))], {"factor": scale})
    if mask is not None:
        scores = lower.emit("add", [scores, mask])
    if causal:
        scores = lower.emit("causal_mask", [scores], {"fill": float("-inf")})
    weights = lower.emit("softmax", [scores], {"axis": scores.rank - 1})
    if dropout_p:
        weights = lower.emit("dropout", [weights, lower.seed()], {"p": float(dropout_p), "salt": lower.next_salt()})
    return _matmul(lower, weights, value)


def _mask(lower, mask, causal: bool, scores: tuple):
    """What is added to the scores, if anything, and whether they are causal."""
    if mask is None:
        return None, causal
    if isinstance(mask, Constant):
        mask = Constant(_without_repeats(mask.tensor))
        excluded = ~mask.tensor if mask.tensor.dtype == torch.bool else mask.tensor == -torch.inf
        plain = mask.tensor.dtype == torch.bool or bool((excluded | (mask.tensor == 0)).all())
        if plain and tuple(mask.tensor.shape[-2:]) == scores and _is_above_diagonal(excluded):
            return None, True
        if mask.tensor.dtype == torch.bool:
            mask = Constant(torch.zeros(mask.tensor.shape).masked_fill(excluded, -torch.inf))
        return lower.materialize(mask), causal
    mask = lower.materialize(mask)
    if mask.dtype == "i8":
        mask = lower.emit("map", [mask], {"expression": "x0 0 -inf select"}, mask.shape, mask.batch_dims)
    if not is_real(mask.dtype):
        raise lower.unsupported(f"its mask has element type {mask.dtype}", "give it booleans or float32")
    return mask, causal


def _without_repeats(tensor: torch.Tensor) -> torch.Tensor:
    """One of each dimension along which `tensor` only repeats, as batch and heads of a mask do; the last two stay."""
    kept = [slice(0, 1) if stride == 0 else slice(None) for stride in tensor.stride()[:-2]]
    return tensor[tuple(kept)]


def _node_of_mask(node):
    return node.args[3] if len(node.args) > 3 else node.kwargs["attn_mask"]


def _reads_parameter(lower, node) -> bool:
    """Whether a gradient would flow to `node`: the operation has none for its mask."""
    seen, work = set(), [node]
    while work:
        node = work.pop()
        if node in seen:
            continue
        seen.add(node)
        placeholder = lower.captured.placeholders.get(node)
        if placeholder is not None and placeholder.kind == "parameter":
            return True
        work += node.all_input_nodes
    return False


def _repeated(lower, query, value) -> Value:
    """Keys or values for every head; PyTorch repeats those of fewer heads by itself."""
    value = lower.materialize(value)
    return _expanded(lower, value, (*query.shape[:-2], *value.shape[-2:]), ())


def _of_shared(lower, grad: Value, shape) -> Value:
    """The gradient of _repeated: a sum over the heads that shared."""
    dims = [d for d, (here, size) in enumerate(zip(grad.shape, shape)) if here != size]
    return lower.emit("reduce_sum", [grad], {"dims": dims, "keepdims": Unit()}, shape, ()) if dims else grad


@joint_lowering("aten._scaled_dot_product_flash_attention_for_cpu.default")
def _flash_attention(lower, node, query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    query = lower.materialize(query)
    key, value = (_repeated(lower, query, v) for v in (key, value))
    mask, causal = _mask(lower, attn_mask, is_causal, (query.shape[-2], key.shape[-2]))
    return emit_attention(lower, query, key, value, mask, causal, float(scale if scale is not None else query.shape[-1]**-0.5))


@joint_lowering("aten._scaled_dot_product_flash_attention_for_cpu_backward.default")
def _flash_attention_backward(lower, node, grad, query, key, value, output, logsumexp, dropout_p, is_causal, *, attn_mask=None, scale=None):
    grad, query, key, value = (lower.materialize(v) for v in (grad, query, key, value))
    shapes = [v.shape for v in (query, key, value)]
    key, value = (_repeated(lower, query, v) for v in (key, value))
    mask, causal = _mask(lower, attn_mask, is_causal, (query.shape[-2], key.shape[-2]))
    attributes = _attributes(causal, float(scale if scale is not None else query.shape[-1]**-0.5))
    outputs = [(suffix, v.shape, v.batch_dims, "f32") for suffix, v in ((".query", query), (".key", key), (".value", value))]
    grads = lower.emit("attention_grad", _operands(grad, query, key, value, output, logsumexp, mask), attributes, outputs=outputs)
    return [_of_shared(lower, g, shape) for g, shape in zip(grads, shapes)]
