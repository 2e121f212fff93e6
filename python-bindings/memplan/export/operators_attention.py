"""Scaled dot-product attention: one operation, or its scores written out where that has no counterpart."""

from __future__ import annotations

import torch
from torch.nn import functional as F
from torch.overrides import TorchFunctionMode

from .element_types import is_real
from .lower import Constant, Lowering, Transposed, joint_lowering, lowering
from .operators_elementwise import _is_above_diagonal, without_repeats
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
    if lower.attention_as_products or dropout_p >= 1 or learned or is_wide:
        return _products(lower, query, key, value, mask, causal, scale, dropout_p)
    return emit_attention(lower, query, key, value, mask, causal, scale, dropout_p)[0]


def emit_attention(lower, query, key, value, mask, causal: bool, scale: float, dropout_p: float = 0.0, salt: int | None = None):
    """The output and the log-sum-exp of each row of its scores. Without a `salt` a dropout takes the next one."""
    outputs = [("", (*query.shape[:-1], value.shape[-1]), query.batch_dims, "f32"), (".logsumexp", query.shape[:-1], query.batch_dims, "f32")]
    attributes = _attributes(causal, scale)
    if not dropout_p:
        return lower.emit("attention", _operands(query, key, value, mask), attributes, outputs=outputs)
    attributes |= {"p": float(dropout_p), "salt": lower.next_salt() if salt is None else salt}
    return lower.emit("attention_dropout", _operands(query, key, value, lower.seed(), mask), attributes, outputs=outputs)


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
    return _matmul(lower, lower.dropout(weights, dropout_p), value)


def _mask(lower, mask, causal: bool, scores: tuple):
    """What is added to the scores, if anything, and whether they are causal."""
    if mask is None:
        return None, causal
    if isinstance(mask, Constant):
        mask = Constant(without_repeats(mask.tensor))
        # Models also write the least number for minus infinity. In a row that sees a key, as each row of a causal mask does, both weigh nothing.
        excluded = ~mask.tensor if mask.tensor.dtype == torch.bool else mask.tensor <= torch.finfo(mask.tensor.dtype).min
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
    return _emit_gradients(lower, (grad, query, key, value), (output, logsumexp), attn_mask, is_causal, scale)


def _emit_gradients(lower, inputs, saved, attn_mask, is_causal: bool, scale: float | None, dropout: dict | None = None):
    """Gradients of query, key and value. `dropout`: what the forward operation says of its own."""
    grad, query, key, value = map(lower.materialize, inputs)
    shapes = [v.shape for v in (query, key, value)]
    key, value = (_repeated(lower, query, v) for v in (key, value))
    mask, causal = _mask(lower, attn_mask, is_causal, (query.shape[-2], key.shape[-2]))
    attributes = _attributes(causal, float(scale if scale is not None else query.shape[-1]**-0.5)) | (dropout or {})
    outputs = [(suffix, v.shape, v.batch_dims, "f32") for suffix, v in ((".query", query), (".key", key), (".value", value))]
    operands = _operands(grad, query, key, value, *saved, lower.seed() if dropout else None, mask)
    grads = lower.emit("attention_dropout_grad" if dropout else "attention_grad", operands, attributes, outputs=outputs)
    return [_of_shared(lower, g, shape) for g, shape in zip(grads, shapes)]


# With dropout -----------------------------------------------------------------------------------------------------------
#
# PyTorch has no such operator on the CPU and would write the scores out. While a step is traced, one of these stands for it.


@torch.library.custom_op("memplan::attention_dropout", mutates_args=())
def attention_dropout(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None, p: float, causal: bool,
                      scale: float) -> tuple[torch.Tensor, torch.Tensor]:
    raise NotImplementedError("this operator is only traced")


@torch.library.custom_op("memplan::attention_dropout_backward", mutates_args=())
def attention_dropout_backward(grad: torch.Tensor, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None, output: torch.Tensor,
                               logsumexp: torch.Tensor, p: float, causal: bool, scale: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    raise NotImplementedError("this operator is only traced")


@attention_dropout.register_fake
def _(query, key, value, mask, p, causal, scale):
    if mask is not None:
        if mask.dtype not in (torch.bool, query.dtype):
            raise TypeError(f"the mask of an attention has element type {mask.dtype}, it must be bool or {query.dtype}")
        mask.expand(*query.shape[:-1], key.shape[-2])
    return query.new_empty(*query.shape[:-1], value.shape[-1]), query.new_empty(query.shape[:-1], dtype=torch.float32)


@attention_dropout_backward.register_fake
def _(grad, query, key, value, mask, output, logsumexp, p, causal, scale):
    return tuple(torch.empty_like(t, memory_format=torch.contiguous_format) for t in (query, key, value))


def _save(ctx, inputs, output):
    *tensors, ctx.p, ctx.causal, ctx.scale = inputs
    ctx.save_for_backward(*tensors, *output)


def _differentiate(ctx, grad, _):
    grads = attention_dropout_backward(grad.contiguous(), *ctx.saved_tensors, ctx.p, ctx.causal, ctx.scale)
    return *grads, None, None, None, None


attention_dropout.register_autograd(_differentiate, setup_context=_save)


class AttentionWithDropout(TorchFunctionMode):
    """While it is on, attention with dropout stays one operator where it has a counterpart."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is F.scaled_dot_product_attention:
            return self._attention(*args, **kwargs)
        return function(*args, **kwargs)

    @staticmethod
    def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        tensors, leading = (query, key, value), query.shape[:-2]
        fits = (all(t.dim() >= 2 and t.shape[:-2] == leading and t.dtype == torch.float32 and t.shape[-1] <= _MOST_COLUMNS for t in tensors)
                and not (attn_mask is not None and attn_mask.requires_grad))
        if not fits or not 0 < dropout_p < 1:
            return F.scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
        return attention_dropout(query, key, value, attn_mask, dropout_p, is_causal, scale if scale is not None else query.shape[-1]**-0.5)[0]


@joint_lowering("memplan.attention_dropout.default")
def _attention_dropout(lower, node, query, key, value, attn_mask, p, is_causal, scale):
    query, key, value = map(lower.materialize, (query, key, value))
    mask, causal = _mask(lower, attn_mask, is_causal, (query.shape[-2], key.shape[-2]))
    salt = lower.next_salt()
    output, logsumexp = emit_attention(lower, query, key, value, mask, causal, scale, p, salt)
    lower.salts[logsumexp] = salt
    return [output, logsumexp]


@joint_lowering("memplan.attention_dropout_backward.default")
def _attention_dropout_backward(lower, node, grad, query, key, value, attn_mask, output, logsumexp, p, is_causal, scale):
    return _emit_gradients(lower, (grad, query, key, value), (output, logsumexp), attn_mask, is_causal, scale,
                           {"p": p, "salt": lower.salts[logsumexp]})
