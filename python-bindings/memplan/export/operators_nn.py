"""Convolution, products, normalization, pooling, embedding and losses."""

from __future__ import annotations

import dataclasses

import torch

from .lower import Constant, Lowering, Transposed, lowering
from .text import Unit, Value


def _pair(value) -> list[int]:
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return values * 2 if len(values) == 1 else values


def _window(defaults: dict, **given) -> dict:
    """Attributes that differ from what the operation assumes without them."""
    return {name: value for name, value in given.items() if value != defaults[name]}


_CONV_DEFAULTS = {"strides": [1, 1], "padding": [0, 0], "dilation": [1, 1], "groups": 1, "output_padding": [0, 0]}


def _need_rank(lower, value, rank: int, what: str):
    value = lower.materialize(value)
    if value.rank != rank:
        raise lower.unsupported(f"its input has rank {value.rank}", f"give it {what}")
    return value


def _operands(*values):
    return [v for v in values if v is not None]


@lowering("aten.conv2d.default")
def _conv2d(lower: Lowering, node, value, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    attributes = _window(_CONV_DEFAULTS, strides=_pair(stride), padding=_pair(padding), dilation=_pair(dilation), groups=groups)
    return lower.emit_like_node("conv2d", _operands(value, weight, bias), attributes)


@lowering("aten.conv2d.padding")
def _conv2d_named_padding(lower, node, value, weight, bias=None, stride=1, padding="valid", dilation=1, groups=1):
    amounts = [0, 0]
    if padding == "same":
        spans = [d * (k - 1) for d, k in zip(_pair(dilation), lower.materialize(weight).shape[2:])]
        if any(span % 2 for span in spans):
            raise lower.unsupported("'same' padding of an even kernel differs between the sides", "pad by numbers, or use an odd kernel")
        amounts = [span // 2 for span in spans]
    return _conv2d(lower, node, value, weight, bias, stride, amounts, dilation, groups)


@lowering("aten.conv_transpose2d.input")
def _conv_transpose2d(lower, node, value, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    attributes = _window(_CONV_DEFAULTS, strides=_pair(stride), padding=_pair(padding), dilation=_pair(dilation), groups=groups,
                         output_padding=_pair(output_padding))
    return lower.emit_like_node("conv_transpose2d", _operands(value, weight, bias), attributes)


def _matmul(lower: Lowering, lhs, rhs, bias=None) -> Value:
    attributes, plain = {}, []
    for operand, name in ((lhs, "transpose_lhs"), (rhs, "transpose_rhs")):
        if isinstance(operand, Transposed):
            attributes[name] = Unit()
        plain.append(operand.value if isinstance(operand, Transposed) else lower.materialize(operand))
    lhs, rhs = plain
    if lhs.rank < 2 or rhs.rank < 2:
        raise lower.unsupported("an operand has rank 1", "unsqueeze it to a matrix")
    if rhs.rank > 2 and lhs.shape[:-2] != rhs.shape[:-2]:
        raise lower.unsupported(f"its leading dimensions {list(lhs.shape[:-2])} and {list(rhs.shape[:-2])} differ",
                                "give both operands the same leading dimensions")
    rows = lhs.shape[-1 if "transpose_lhs" in attributes else -2]
    columns = rhs.shape[-2 if "transpose_rhs" in attributes else -1]
    rows_dim = lhs.rank - (1 if "transpose_lhs" in attributes else 2)
    batch = tuple(d for d in lhs.batch_dims if d < lhs.rank - 2)
    batch += (lhs.rank - 2,) if rows_dim in lhs.batch_dims else ()
    return lower.emit("matmul", _operands(lhs, rhs, bias), attributes, (*lhs.shape[:-2], rows, columns), batch)


@lowering("aten.linear.default")
def _linear(lower, node, value, weight, bias=None):
    value = lower.materialize(value)
    weight = weight.value if isinstance(weight, Transposed) else Transposed(lower.materialize(weight))
    return _matmul(lower, value, weight, bias)


@lowering("aten.matmul.default", "aten.mm.default", "aten.bmm.default")
def _product(lower, node, lhs, rhs):
    return _matmul(lower, lhs, rhs)


@lowering("aten.addmm.default")
def _addmm(lower, node, bias, lhs, rhs, beta=1, alpha=1):
    if beta != 1 or alpha != 1:
        raise lower.unsupported(f"beta is {beta} and alpha {alpha}", "scale the operands")
    bias = lower.materialize(bias)
    if bias.rank == 1:
        return _matmul(lower, lhs, rhs, bias)
    return lower.emit_like_node("add", [_matmul(lower, lhs, rhs), bias])


def _affine(lower, weight, bias, size):
    """Scale and bias, ones and zeros where the module has none."""
    scale = Constant(torch.ones(size)) if weight is None else weight
    return scale, Constant(torch.zeros(size)) if bias is None else bias


@lowering("aten.batch_norm.default")
def _batch_norm(lower: Lowering, node, value, weight, bias, running_mean, running_var, training, momentum, epsilon, cudnn):
    if not training:
        raise lower.unsupported("it uses the running statistics", "call model.train(); a frozen batch norm is a scale and an offset")
    value = lower.materialize(value)
    channels = value.shape[1]
    vector = ((channels,), (), "f32")
    outputs = [("", value.shape, value.batch_dims, "f32"), (".mean", *vector), (".invstd", *vector), (".variance", *vector)]
    result, mean, _, variance = lower.emit("batch_norm", [value, *_affine(lower, weight, bias, channels)],
                                           {"epsilon": float(epsilon)}, outputs=outputs)
    if running_mean is not None:
        updated = lower.emit("batch_norm_update_stats", [running_mean, running_var, mean, variance], {"momentum": float(momentum)},
                             outputs=[(".running_mean.new", *vector), (".running_var.new", *vector)])
        lower.values[node.args[3]], lower.values[node.args[4]] = updated
    return result


@lowering("aten.layer_norm.default")
def _layer_norm(lower, node, value, normalized_shape, weight=None, bias=None, epsilon=1e-5, cudnn=True):
    if len(normalized_shape) != 1:
        raise lower.unsupported(f"it normalizes over {len(normalized_shape)} dimensions", "normalize over the last one")
    value = lower.materialize(value)
    rows = (value.shape[:-1], value.batch_dims, "f32")
    outputs = [("", value.shape, value.batch_dims, "f32"), (".mean", *rows), (".rstd", *rows)]
    return lower.emit("layer_norm", [value, *_affine(lower, weight, bias, value.shape[-1])], {"epsilon": float(epsilon)}, outputs=outputs)[0]


_POOL_DEFAULTS = {"strides": [1, 1], "padding": [0, 0], "dilation": [1, 1]}


@lowering("aten.max_pool2d.default")
def _max_pool2d(lower, node, value, kernel, stride=(), padding=0, dilation=1, ceil_mode=False):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    if ceil_mode:
        raise lower.unsupported("ceil_mode is set", "pad so that the windows fit")
    kernel = _pair(kernel)
    attributes = {"kernel": kernel, **_window(_POOL_DEFAULTS, strides=_pair(stride) if stride else kernel, padding=_pair(padding),
                                              dilation=_pair(dilation))}
    shape, batch_dims, _ = lower.node_type(node)
    return lower.emit("max_pool2d", [value], attributes, outputs=[("", shape, batch_dims, "f32"), (".indices", shape, batch_dims, "i8")])[0]


@lowering("aten.avg_pool2d.default")
def _avg_pool2d(lower, node, value, kernel, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor=None):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    if ceil_mode or divisor is not None:
        raise lower.unsupported("ceil_mode or a divisor is set", "use plain windows and scale the result")
    kernel = _pair(kernel)
    attributes = {"kernel": kernel, **_window(_POOL_DEFAULTS, strides=_pair(stride) if stride else kernel, padding=_pair(padding))}
    if count_include_pad:
        attributes["count_include_pad"] = Unit()
    return lower.emit_like_node("avg_pool2d", [value], attributes)


@lowering("aten.adaptive_avg_pool2d.default")
def _adaptive_avg_pool2d(lower, node, value, output_size):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    shape, _, _ = lower.node_type(node)
    if shape == value.shape:
        return value  # one element per window: the mean is the element
    return lower.emit_like_node("adaptive_avg_pool2d", [value], {"output_size": list(shape[2:])})


@lowering("aten.embedding.default")
def _embedding(lower, node, table, ids, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    if padding_idx >= 0 or scale_grad_by_freq:
        raise lower.unsupported("padding_idx or scale_grad_by_freq changes its gradient", "use an embedding without them")
    table, ids = lower.materialize(table), lower.materialize(ids)
    lower.bound_ids(ids, table.shape[0])
    return lower.emit("embedding", [table, ids], {}, (*ids.shape, table.shape[1]), ids.batch_dims)


@lowering("aten.cross_entropy_loss.default")
def _cross_entropy(lower: Lowering, node, logits, labels, weight=None, reduction=1, ignore_index=-100, label_smoothing=0.0):
    if weight is not None or reduction == 0 or label_smoothing:
        raise lower.unsupported("it has class weights, label smoothing or no reduction", "use the plain mean or sum over labels")
    logits, labels = lower.materialize(logits), lower.materialize(labels)
    if labels.dtype != "i64":
        raise lower.unsupported("its targets are probabilities", "give class indices (int64)")
    lower.bound_ids(labels, logits.shape[1])
    if logits.rank > 2:  # [N, V, d..] with labels [N, d..]: the classes go last, everything else becomes rows
        logits = lower.transpose(logits, [0, *range(2, logits.rank), 1])
        rows = labels.shape[0] * int(torch.Size(labels.shape[1:]).numel())
        logits = lower.reshape(logits, (rows, logits.shape[-1]), (0,))
        labels = lower.reshape(labels, (rows,), (0,))
    outputs = [("", (), (), "f32"), (".logsumexp", labels.shape, labels.batch_dims, "f32")]
    return lower.emit("cross_entropy", [logits, labels], cross_entropy_attributes(reduction, ignore_index), outputs=outputs)[0]


def cross_entropy_attributes(reduction: int, ignore_index: int) -> dict:
    """Those that are not the defaults; reductions by their numbers in ATen, 1 for the mean and 2 for the sum."""
    return ({"ignore_index": ignore_index} if ignore_index != -100 else {}) | ({"sum": Unit()} if reduction == 2 else {})


@dataclasses.dataclass(frozen=True)
class LogSoftmax:
    """log_softmax over dimension 1, waiting for the nll_loss that makes it a cross entropy."""

    logits: Value


@lowering("aten.log_softmax.int")
def _log_softmax(lower, node, value, dim, dtype=None):
    value = lower.materialize(value)
    users = {str(user.target) for user in node.users}
    if dim % value.rank != 1 or not users <= {"aten.nll_loss_nd.default"}:
        raise lower.unsupported("it is read by something else than nll_loss", "use cross_entropy, or softmax")
    return LogSoftmax(value)


@lowering("aten.nll_loss_nd.default")
def _nll_loss(lower, node, scores, labels, weight=None, reduction=1, ignore_index=-100):
    if not isinstance(scores, LogSoftmax):
        raise lower.unsupported("its input is not a log_softmax", "use cross_entropy")
    return _cross_entropy(lower, node, scores.logits, labels, weight, reduction, ignore_index)


@lowering("aten.binary_cross_entropy_with_logits.default")
def _bce_with_logits(lower, node, logits, target, weight=None, pos_weight=None, reduction=1):
    if weight is not None or pos_weight is not None or reduction != 1:
        raise lower.unsupported("it has weights or no mean", "use the plain mean")
    return lower.emit("bce_with_logits", [logits, target], {}, (), ())


@lowering("aten.mse_loss.default")
def _mse_loss(lower, node, prediction, target, reduction=1):
    if reduction != 1:
        raise lower.unsupported("it takes no mean", "use the plain mean")
    prediction, target = lower.materialize(prediction), lower.materialize(target)
    if prediction.shape != target.shape:
        raise lower.unsupported(f"its operands have shapes {list(prediction.shape)} and {list(target.shape)}", "reshape the target")
    return lower.emit("mse_loss", [prediction, target], {}, (), ())
