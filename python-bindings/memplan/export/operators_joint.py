"""What operators become in the form that they have below autograd: as joint graphs hold them, with their gradients."""

from __future__ import annotations

import dataclasses

import torch

from . import operators_volume
from .capture import operator_name
from .element_types import is_real
from .lower import Constant, joint_lowering
from .operators_elementwise import _reduce, emit_map
from .operators_index import emit_embedding
from .operators_nn import _CONV_DEFAULTS, _POOL_DEFAULTS, _affine, _matmul, _need_rank, _operands, _pair, _window, cross_entropy_attributes
from .operators_shape import _expanded, emit_slice, emit_split, padded, put_every, wanted_results
from .text import Unit, Value

# Creation and movement ------------------------------------------------------------------------------------------------


def _filled(lower, node, number) -> Constant:
    """A constant of one number; it takes memory when an operation reads it as a tensor."""
    value = node.meta["val"]
    return Constant(torch.full((), number, dtype=value.dtype).expand(value.shape))


@joint_lowering("aten.zeros.default", "aten.zeros_like.default", "aten.new_zeros.default", "aten.empty.memory_format",
                "aten.empty_like.default", "aten.new_empty.default", "aten.new_empty_strided.default", "aten.empty_strided.default",
                "aten.empty_permuted.default", "aten.zero.default")
def _zeros(lower, node, *_, **__):
    return _filled(lower, node, 0)


@joint_lowering("aten.ones.default", "aten.ones_like.default", "aten.new_ones.default")
def _ones(lower, node, *_, **__):
    return _filled(lower, node, 1)


@joint_lowering("aten.fill.Scalar")
def _fill(lower, node, _, number):
    return _filled(lower, node, number)


@joint_lowering("aten.full.default", "aten.full_like.default")
def _full(lower, node, _, number, *__, **___):
    return _filled(lower, node, number)


@joint_lowering("aten.new_full.default")
def _new_full(lower, node, _, size, number, **__):
    return _filled(lower, node, number)


@joint_lowering("aten.copy.default")
def _copy(lower, node, target, source, *_):
    value = lower.materialize(source)
    shape, batch_dims, dtype = lower.node_type(node)
    if dtype != value.dtype and not (is_real(dtype) and is_real(value.dtype)):
        raise lower.unsupported("it converts the element type", "convert data before the step")
    return _expanded(lower, lower.cast(value, dtype), shape, batch_dims)


@joint_lowering("aten._unsafe_view.default", "aten.squeeze.default", "aten._reshape_copy.default")
def _view(lower, node, value, *_):
    shape, batch_dims, _ = lower.node_type(node)
    return lower.reshape(value, shape, batch_dims)


@joint_lowering("aten.as_strided.default")
def _as_strided(lower, node, value, size, stride, offset=0):
    if isinstance(value, Constant) and value.tensor.numel() and bool((value.tensor == value.tensor.reshape(-1)[0]).all()):
        return _filled(lower, node, value.tensor.reshape(-1)[0].item())
    source, result = node.args[0].meta["val"], node.meta["val"]
    same = source.shape == result.shape and source.stride() == result.stride()
    dense = source.is_contiguous() and result.is_contiguous() and source.numel() == result.numel()
    if offset or not (same or dense):
        raise lower.unsupported("it reads memory in an order of its own", "use views, slices and transposes")
    return _view(lower, node, value)


@joint_lowering("aten.select_backward.default")
def _select_backward(lower, node, grad, sizes, dim, index):
    shape, batch_dims, _ = lower.node_type(node)
    dim %= len(shape)
    thin = lower.reshape(grad, (*shape[:dim], 1, *shape[dim + 1:]), batch_dims)
    return lower.emit("slice_grad", [thin], {"dim": dim, "start": index % shape[dim], "full_size": shape[dim]}, shape, batch_dims)


@joint_lowering("aten.slice_backward.default")
def _slice_backward(lower, node, grad, sizes, dim, start, end, step):
    shape, batch_dims, _ = lower.node_type(node)
    grad = lower.materialize(grad)
    dim %= len(shape)
    start = max(start + shape[dim], 0) if start < 0 else start
    if grad.shape == shape:
        return grad
    if step != 1:
        return put_every(lower, grad, dim, start, step, shape[dim])
    return lower.emit("slice_grad", [grad], {"dim": dim, "start": start, "full_size": shape[dim]}, shape, batch_dims)


@joint_lowering("aten.slice_scatter.default")
def _slice_scatter(lower, node, value, source, dim=0, start=None, end=None, step=1):
    shape, _, dtype = lower.node_type(node)
    dim %= len(shape)
    source = lower.materialize(source)
    start = max(start + shape[dim], 0) if (start or 0) < 0 else (start or 0)
    return _replaced(lower, value, source, dim, start, step, shape, dtype)


@joint_lowering("aten.select_scatter.default")
def _select_scatter(lower, node, value, source, dim, index):
    shape, _, dtype = lower.node_type(node)
    dim %= len(shape)
    source = lower.reshape(source, (*shape[:dim], 1, *shape[dim + 1:]), ())
    return _replaced(lower, value, source, dim, index % shape[dim], 1, shape, dtype)


def _replaced(lower, value, source: Value, dim: int, start: int, step: int, shape, dtype) -> Value:
    """`value` with `source` in the place of a range of one dimension."""
    if step != 1:
        places = torch.zeros(shape[dim], dtype=torch.bool)
        places[start::step][:source.shape[dim]] = True
        spread = put_every(lower, source, dim, start, step, shape[dim])
        return emit_map(lower, lower.node, "x0 x1 x2 select", [Constant(places.reshape(-1, *[1] * (len(shape) - dim - 1))), spread, value])
    if source.shape == shape:
        return source
    value, stop = lower.materialize(value), start + source.shape[dim]
    pieces = [emit_slice(lower, value, dim, 0, start)] if start else []
    pieces.append(source)
    if stop < shape[dim]:
        pieces.append(emit_slice(lower, value, dim, stop, shape[dim] - stop))
    return lower.emit("concat", pieces, {"dim": dim}, shape, (), dtype)


@joint_lowering("aten.expand.default")
def _expand(lower, node, value, *_, **__):
    if isinstance(value, Constant):
        return Constant(value.tensor.expand(node.meta["val"].shape))
    value = lower.materialize(value)
    shape, batch_dims, dtype = lower.node_type(node)
    if is_real(dtype) or shape == value.shape or torch.Size(shape).numel() == torch.Size(value.shape).numel():
        return _expanded(lower, value, shape, batch_dims) if is_real(dtype) else lower.reshape(value, shape, ())
    return emit_map(lower, node, "x0", [value])


@joint_lowering("aten.linalg_vector_norm.default")
def _vector_norm(lower, node, value, ord=2, dim=None, keepdim=False, dtype=None):
    if ord not in (1, 2):
        raise lower.unsupported(f"the order is {ord}", "use order 1 or 2")
    each = emit_map(lower, node.args[0], "x0 abs" if ord == 1 else "x0 x0 mul", [value])
    total = _reduce("reduce_sum")(lower, node, each, dim, keepdim)
    return total if ord == 1 else emit_map(lower, node, "x0 sqrt", [total])


@joint_lowering("aten.constant_pad_nd.default")
def _pad(lower, node, value, pads, fill=0):
    value = lower.materialize(value)
    for i in range(len(pads) // 2):
        dim, (before, after) = value.rank - 1 - i, pads[2 * i:2 * i + 2]
        value = padded(lower, value, dim, before, after, fill)
    return value


@joint_lowering("aten.as_strided_scatter.default")
def _as_strided_scatter(lower, node, value, source, size, stride, offset=0):
    whole, part = node.args[0].meta["val"], node.args[1].meta["val"]
    same = tuple(size) == tuple(whole.shape) and tuple(stride) == whole.stride()
    dense = whole.is_contiguous() and tuple(stride) == torch.empty(size, device="meta").stride() and whole.numel() == part.numel()
    if offset or part.shape != torch.Size(size) or not (same or dense):
        raise lower.unsupported("it writes memory in an order of its own", "use views, slices and transposes")
    return lower.reshape(source, tuple(whole.shape), ())


@joint_lowering("aten.unbind.int")
def _unbind(lower, node, value, dim=0):
    value = lower.materialize(value)
    dim %= value.rank
    parts = emit_split(lower, value, dim, [1] * value.shape[dim])
    return [lower.reshape(part, (*value.shape[:dim], *value.shape[dim + 1:]), ()) for part in parts]


# Convolution ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Convolution:
    """A convolution of one or two spatial dimensions as the dialect has it. One of one dimension is a row of height 1."""

    lower: object
    stride: list
    padding: list
    dilation: list
    transposed: bool
    output_padding: list
    groups: int

    @classmethod
    def of(cls, lower, node, rank, stride, padding, dilation, transposed, output_padding, groups):
        if rank not in (3, 4):
            raise lower.unsupported(f"its input has rank {rank}", "convolutions of one and two dimensions have a counterpart")
        if rank == 3:
            stride, padding, dilation, output_padding = [1, *stride], [0, *padding], [1, *dilation], [0, *output_padding]
        two = [_pair(list(v)) for v in (stride, padding, dilation, output_padding)]
        return cls(lower, two[0], two[1], two[2], transposed, two[3], groups)

    def image(self, value) -> Value:
        value = self.lower.materialize(value)
        if value.rank == 4:
            return value
        return self.lower.reshape(value, (*value.shape[:2], 1, value.shape[2]), value.batch_dims)

    def window(self, **more) -> dict:
        return _window(_CONV_DEFAULTS, strides=self.stride, padding=self.padding, dilation=self.dilation, groups=self.groups, **more)

    def spread_size(self, value: Value, weight: Value) -> list[int]:
        """Rows and columns of what a convolution without output padding spreads `value` to."""
        return [(value.shape[2 + i] - 1) * self.stride[i] - 2 * self.padding[i] + self.dilation[i] * (weight.shape[2 + i] - 1) + 1
                for i in range(2)]

    def forward(self, value: Value, weight: Value, bias) -> Value:
        if self.transposed:
            size = [s + p for s, p in zip(self.spread_size(value, weight), self.output_padding)]
            return self.lower.emit("conv_transpose2d", _operands(value, weight, bias), self.window(output_padding=self.output_padding),
                                   (value.shape[0], weight.shape[1] * self.groups, *size), value.batch_dims)
        return self.product(value, weight, bias)

    def product(self, value: Value, weight: Value, bias=None) -> Value:
        size = [(value.shape[2 + i] + 2 * self.padding[i] - self.dilation[i] * (weight.shape[2 + i] - 1) - 1) // self.stride[i] + 1
                for i in range(2)]
        return self.lower.emit("conv2d", _operands(value, weight, bias), self.window(), (value.shape[0], weight.shape[0], *size),
                               value.batch_dims)

    def input_grad(self, grad: Value, value: Value, weight: Value) -> Value:
        if self.transposed:
            return self.product(grad, weight)
        rest = [s - g for s, g in zip(value.shape[2:], self.spread_size(grad, weight))]
        return self.lower.emit("conv2d_input_grad", [grad, weight], self.window(output_padding=rest), value.shape, value.batch_dims)

    def weight_grad(self, grad: Value, value: Value, weight: Value) -> Value:
        operands = [grad, value] if self.transposed else [value, grad]
        return self.lower.emit("conv2d_filter_grad", operands, {**self.window(), "kernel": list(weight.shape[2:])}, weight.shape, ())


@joint_lowering("aten.convolution.default")
def _convolution(lower, node, value, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    rank = lower.materialize(value).rank
    if rank == 5:
        return operators_volume.convolution(lower, node, value, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    conv = _Convolution.of(lower, node, rank, stride, padding, dilation, transposed, output_padding, groups)
    shape, batch_dims, _ = lower.node_type(node)
    return lower.reshape(conv.forward(conv.image(value), conv.image(weight), bias), shape, batch_dims)


@joint_lowering("aten.convolution_backward.default")
def _convolution_backward(lower, node, grad, value, weight, _, stride, padding, dilation, transposed, output_padding, groups, mask):
    value, weight = lower.materialize(value), lower.materialize(weight)
    if value.rank == 5:
        return operators_volume.convolution_backward(lower, node, grad, value, weight, stride, padding, dilation, transposed, groups, mask)
    conv = _Convolution.of(lower, node, value.rank, stride, padding, dilation, transposed, output_padding, groups)
    image, filters, grad = conv.image(value), conv.image(weight), conv.image(grad)
    wanted = wanted_results(node, mask)
    return [lower.reshape(conv.input_grad(grad, image, filters), value.shape, value.batch_dims) if wanted[0] else None,
            lower.reshape(conv.weight_grad(grad, image, filters), weight.shape, ()) if wanted[1] else None,
            lower.emit("reduce_sum", [grad], {"dims": [0, 2, 3]}, (grad.shape[1],), ()) if wanted[2] else None]


# Normalization --------------------------------------------------------------------------------------------------------


@joint_lowering("aten._native_batch_norm_legit_functional.default")
def _batch_norm(lower, node, value, weight, bias, running_mean, running_var, training, momentum, epsilon):
    out, mean, invstd, variance = _training_batch_norm(lower, value, weight, bias, training, epsilon)
    vector = (mean.shape, (), "f32")
    updated = lower.emit("batch_norm_update_stats", [running_mean, running_var, mean, variance], {"momentum": float(momentum)},
                         outputs=[(".running_mean.new", *vector), (".running_var.new", *vector)])
    lower.versions.update(new.name for new in updated)
    return [out, mean, invstd, *updated]


@joint_lowering("aten._native_batch_norm_legit.no_stats")
def _batch_norm_without_statistics(lower, node, value, weight, bias, training, momentum, epsilon):
    return list(_training_batch_norm(lower, value, weight, bias, training, epsilon)[:3])


def _training_batch_norm(lower, value, weight, bias, training, epsilon):
    if not training:
        raise lower.unsupported("it uses the running statistics", "call model.train(); a frozen batch norm is a scale and an offset")
    value = lower.materialize(value)
    vector = ((value.shape[1],), (), "f32")
    outputs = [("", value.shape, value.batch_dims, "f32"), (".mean", *vector), (".invstd", *vector), (".variance", *vector)]
    return lower.emit("batch_norm", [value, *_affine(lower, weight, bias, value.shape[1])], {"epsilon": float(epsilon)}, outputs=outputs)


@joint_lowering("aten.native_batch_norm_backward.default")
def _batch_norm_backward(lower, node, grad, value, weight, running_mean, running_var, mean, invstd, training, epsilon, mask):
    if not training:
        raise lower.unsupported("it uses the running statistics", "call model.train()")
    value = lower.materialize(value)
    vector = ((value.shape[1],), (), "f32")
    scale, _ = _affine(lower, weight, None, value.shape[1])
    return lower.emit("batch_norm_grad", [grad, value, scale, mean, invstd],
                      outputs=[("", value.shape, value.batch_dims, "f32"), (".scale", *vector), (".bias", *vector)])


def _rows(lower, value, normalized: int) -> Value:
    """`value` with its last dimensions, of so many elements, as one."""
    value = lower.materialize(value)
    return lower.reshape(value, (torch.Size(value.shape).numel() // normalized, normalized), ())


def emit_layer_norm(lower, rows: Value, weight, bias, epsilon):
    count = ((rows.shape[0],), (), "f32")
    return lower.emit("layer_norm", [rows, *_affine(lower, weight, bias, rows.shape[1])], {"epsilon": float(epsilon)},
                      outputs=[("", rows.shape, (), "f32"), (".mean", *count), (".rstd", *count)])


def emit_layer_norm_grad(lower, grad: Value, rows: Value, weight, mean, rstd):
    scale, _ = _affine(lower, weight, None, rows.shape[1])
    count, vector = (rows.shape[0],), ((rows.shape[1],), (), "f32")
    mean, rstd = (lower.reshape(v, count, ()) for v in (mean, rstd))
    return lower.emit("layer_norm_grad", [grad, rows, scale, mean, rstd],
                      outputs=[("", rows.shape, (), "f32"), (".scale", *vector), (".bias", *vector)])


def _vector(lower, value, size):
    return None if value is None else lower.reshape(value, (size,), ())


@joint_lowering("aten.native_layer_norm.default")
def _layer_norm(lower, node, value, normalized_shape, weight, bias, epsilon):
    size = torch.Size(normalized_shape).numel()
    results = emit_layer_norm(lower, _rows(lower, value, size), _vector(lower, weight, size), _vector(lower, bias, size), epsilon)
    return [lower.reshape(r, lower.value_type(v)[0], ()) for r, v in zip(results, node.meta["val"])]


@joint_lowering("aten.native_layer_norm_backward.default")
def _layer_norm_backward(lower, node, grad, value, normalized_shape, mean, rstd, weight, bias, mask):
    size = torch.Size(normalized_shape).numel()
    results = emit_layer_norm_grad(lower, _rows(lower, grad, size), _rows(lower, value, size), _vector(lower, weight, size), mean, rstd)
    return [None if v is None else lower.reshape(r, lower.value_type(v)[0], ()) for r, v in zip(results, node.meta["val"])]


@joint_lowering("aten.native_group_norm.default")
def _group_norm(lower, node, value, weight, bias, batch, channels, pixels, groups, epsilon):
    """A layer norm of each group, then the scale and the offset of each channel."""
    rows = _rows(lower, value, channels // groups * pixels)
    out, mean, rstd = emit_layer_norm(lower, rows, None, None, epsilon)
    out = lower.reshape(out, (batch, channels, pixels), ())
    if weight is not None:
        out = lower.emit("mul", [out, lower.reshape(weight, (channels, 1), ())])
    if bias is not None:
        out = lower.emit("add", [out, lower.reshape(bias, (channels, 1), ())])
    return [lower.reshape(r, lower.value_type(v)[0], ()) for r, v in zip((out, mean, rstd), node.meta["val"])]


@joint_lowering("aten.native_group_norm_backward.default")
def _group_norm_backward(lower, node, grad, value, mean, rstd, weight, batch, channels, pixels, groups, mask):
    size, (wants_input, wants_weight, wants_bias) = channels // groups * pixels, wanted_results(node, mask)
    flat = lower.reshape(grad, (batch, channels, pixels), ())
    value = lower.materialize(value)
    results = [None, None, None]
    if wants_input:
        scaled = flat if weight is None else lower.emit("mul", [flat, lower.reshape(weight, (channels, 1), ())])
        rows = emit_layer_norm_grad(lower, _rows(lower, scaled, size), _rows(lower, value, size), None, mean, rstd)[0]
        results[0] = lower.reshape(rows, value.shape, ())
    if wants_weight:
        one = (batch * groups, 1)
        centred = lower.emit("sub", [_rows(lower, value, size), lower.reshape(mean, one, ())])
        normalized = lower.emit("mul", [centred, lower.reshape(rstd, one, ())])
        product = lower.emit("mul", [flat, lower.reshape(normalized, (batch, channels, pixels), ())])
        results[1] = lower.emit("reduce_sum", [product], {"dims": [0, 2]}, (channels,), ())
    if wants_bias:
        results[2] = lower.emit("reduce_sum", [flat], {"dims": [0, 2]}, (channels,), ())
    return results


# Activations ----------------------------------------------------------------------------------------------------------


@joint_lowering("aten.threshold_backward.default")
def _threshold_backward(lower, node, grad, value, threshold):
    if threshold != 0:
        return emit_map(lower, node, f"x1 {float(threshold)!r} le 0 x0 select", [grad, value])
    return lower.emit("relu_grad", [value, grad])


@joint_lowering("aten.hardtanh_backward.default")
def _hardtanh_backward(lower, node, grad, value, low, high):
    return lower.emit("clamp_grad", [value, grad], {"min": float(low), "max": float(high)})


@joint_lowering("aten.gelu_backward.default")
def _gelu_backward(lower, node, grad, value, approximate="none"):
    return lower.emit("gelu_grad", [value, grad], {"approximate": approximate})


for _name, _op in (("sigmoid", "sigmoid_grad"), ("tanh", "tanh_grad"), ("silu", "silu_grad")):
    joint_lowering(f"aten.{_name}_backward.default")(lambda lower, node, grad, value, op=_op: lower.emit(op, [value, grad]))


@joint_lowering("aten._softmax.default")
def _softmax(lower, node, value, dim, half_to_float=False):
    return lower.emit("softmax", [value], {"axis": dim % lower.materialize(value).rank})


@joint_lowering("aten._softmax_backward_data.default")
def _softmax_backward(lower, node, grad, value, dim, dtype):
    value = lower.materialize(value)
    return lower.emit("softmax_grad", [value, grad], {"axis": dim % value.rank})


@joint_lowering("aten._safe_softmax.default")
def _safe_softmax(lower, node, value, dim, dtype=None):
    # It differs from softmax in rows of minus infinities only, which scores alone do not have.
    source = node.args[0]
    while operator_name(source) in ("aten.view.default", "aten._unsafe_view.default", "aten.expand.default"):
        source = source.args[0]
    masked = operator_name(source) not in ("aten.bmm.default", "aten.mm.default", "aten.mul.Scalar", "aten.mul.Tensor", "aten.div.Tensor")
    if masked and not _mask_leaves_something(lower, source, dim):
        # A row of minus infinities has no softmax; it counts as zeros.
        return emit_map(lower, node, "x0 x0 eq x0 0 select", [_softmax(lower, node, value, dim)])
    return _softmax(lower, node, value, dim)


def _mask_leaves_something(lower, source, dim) -> bool:
    if operator_name(source) != "aten.add.Tensor":
        return False
    constants = [lower.values[a].tensor for a in source.args if isinstance(a, torch.fx.Node) and isinstance(lower.values[a], Constant)]
    return any(bool((c > -torch.inf).any(dim).all()) for c in constants)


@dataclasses.dataclass(frozen=True)
class _Mask:
    """What native_dropout says it kept; the dropout of the gradient with the same salt keeps the same."""

    p: float
    salt: int


@joint_lowering("aten.native_dropout.default")
def _dropout(lower, node, value, p, train):
    if not train or p == 0:
        return [value, _Mask(0.0, 0)]
    kept = [user for user in node.users if user.args[1] == 1]
    if any(operator_name(user) != "aten.native_dropout_backward.default" for mask in kept for user in mask.users):
        raise lower.unsupported("its mask is read", "multiply by a mask of your own")
    salt = lower.next_salt()
    return [lower.dropout(value, p, salt), _Mask(float(p), salt)]


@joint_lowering("aten.native_dropout_backward.default")
def _dropout_backward(lower, node, grad, mask, scale):
    if not isinstance(mask, _Mask):
        raise lower.unsupported("its mask is not that of a dropout", "use dropout")
    return lower.dropout(grad, mask.p, mask.salt)


@joint_lowering("aten.bernoulli.p")
def _bernoulli(lower, node, value, p=0.5, **_):
    # A dropout of ones gives 0 or 1 / (1 - p).
    ones = _filled(lower, node, 1)
    if p in (0, 1):
        return _filled(lower, node, p)
    kept = lower.dropout(ones, 1.0 - float(p))
    return lower.emit("scale", [kept], {"factor": float(p)})


# Pooling --------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Positions:
    """Where the largest elements were, as the dialect holds it."""

    indices: Value
    attributes: dict
    more: tuple[int, int]  # rows and columns that were added at the end


def _pool_window(node, shape, size, kernel, stride, padding, dilation):
    kernel = _pair(kernel)
    given = dict(strides=_pair(stride) if stride else kernel, padding=_pair(padding), dilation=_pair(dilation))
    # With ceil_mode the last windows end beyond the padding.
    more = [max(0, (out - 1) * s + d * (k - 1) + 1 - n - 2 * p) for out, n, k, s, p, d in
            zip(size, shape, kernel, given["strides"], given["padding"], given["dilation"])]
    return {"kernel": kernel, **_window(_POOL_DEFAULTS, **given)}, tuple(more)


_POOL_GRADIENTS = {"aten.max_pool2d_with_indices_backward.default", "aten.adaptive_max_pool2d_backward.default"}


@joint_lowering("aten.max_pool2d_with_indices.default")
def _max_pool(lower, node, value, kernel, stride=(), padding=0, dilation=1, ceil_mode=False):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    where = [user for user in node.users if user.args[1] == 1]
    if any(operator_name(user) not in _POOL_GRADIENTS for w in where for user in w.users):
        raise lower.unsupported("its indices are read", "use max_pool2d, which returns no indices")
    shape, _ = lower.value_type(node.meta["val"][0])
    attributes, more = _pool_window(node, value.shape[2:], shape[2:], kernel, stride, padding, dilation)
    for dim, size in zip((2, 3), more):
        value = padded(lower, value, dim, 0, size, float("-inf"))
    out, indices = lower.emit("max_pool2d", [value], attributes, outputs=[("", shape, (), "f32"), (".indices", shape, (), "i8")])
    return [out, _Positions(indices, attributes, more)]


@joint_lowering("aten.max_pool2d_with_indices_backward.default")
def _max_pool_backward(lower, node, grad, value, kernel, stride, padding, dilation, ceil_mode, positions):
    if not isinstance(positions, _Positions):
        raise lower.unsupported("its indices are not those of a max_pool2d", "use max_pool2d")
    shape, _, _ = lower.node_type(node)
    size = [n + m for n, m in zip(shape[2:], positions.more)]
    result = lower.emit("max_pool2d_grad", [grad, positions.indices], {**positions.attributes, "input_size": size}, (*shape[:2], *size), ())
    for dim in (2, 3):
        if result.shape[dim] != shape[dim]:
            result = emit_slice(lower, result, dim, 0, shape[dim])
    return result


def _adaptive_window(lower, node, size) -> list[int]:
    """The window of an adaptive pooling whose windows are equal."""
    whole = node.args[0].meta["val"].shape[-len(size):]
    if any(w % s for w, s in zip(whole, size)):
        raise lower.unsupported(f"its windows differ: {list(whole)} to {list(size)}", "use sizes that divide those of the input")
    return [w // s for w, s in zip(whole, size)]


@joint_lowering("aten.adaptive_max_pool2d.default")
def _adaptive_max_pool(lower, node, value, size):
    window = _adaptive_window(lower, node, size)
    return _max_pool(lower, node, value, window, window)


@joint_lowering("aten.adaptive_max_pool2d_backward.default")
def _adaptive_max_pool_backward(lower, node, grad, value, positions):
    return _max_pool_backward(lower, node, grad, value, (), (), (), (), False, positions)


@joint_lowering("aten.max_pool3d_with_indices.default")
def _max_pool3d(lower, node, value, kernel, stride=(), padding=(0,), dilation=(1,), ceil_mode=False):
    return operators_volume.max_pool(lower, node, value, kernel, stride, padding, dilation)


@joint_lowering("aten.max_pool3d_with_indices_backward.default")
def _max_pool3d_backward(lower, node, grad, value, kernel, stride, padding, dilation, ceil_mode, positions):
    return operators_volume.max_pool_backward(lower, node, grad, positions)


@joint_lowering("aten.adaptive_max_pool3d.default")
def _adaptive_max_pool3d(lower, node, value, size):
    window = _adaptive_window(lower, node, size)
    return operators_volume.max_pool(lower, node, value, window, window, [0], [1])


@joint_lowering("aten.adaptive_max_pool3d_backward.default")
def _adaptive_max_pool3d_backward(lower, node, grad, value, positions):
    return operators_volume.max_pool_backward(lower, node, grad, positions)


@joint_lowering("aten._adaptive_avg_pool2d.default")
def _adaptive_pool(lower, node, value, output_size):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    shape, _, _ = lower.node_type(node)
    return value if shape == value.shape else lower.emit_like_node("adaptive_avg_pool2d", [value], {"output_size": list(shape[2:])})


@joint_lowering("aten._adaptive_avg_pool2d_backward.default")
def _adaptive_pool_backward(lower, node, grad, value):
    grad, (shape, _, _) = lower.materialize(grad), lower.node_type(node)
    return grad if shape == grad.shape else lower.emit("adaptive_avg_pool2d_grad", [grad], {"input_size": list(shape[2:])}, shape, ())


# Embedding and losses -------------------------------------------------------------------------------------------------


@joint_lowering("aten.embedding.default")
def _embedding(lower, node, table, ids, *_, **__):
    return emit_embedding(lower, lower.materialize(table), lower.materialize(ids))


@joint_lowering("aten.embedding_dense_backward.default")
def _embedding_backward(lower, node, grad, ids, count, padding, by_frequency):
    if by_frequency:
        raise lower.unsupported("it scales by frequency", "use scale_grad_by_freq=False")
    grad = lower.materialize(grad)
    table = lower.emit("embedding_grad", [ids, grad], {"num_embeddings": count}, (count, grad.shape[-1]), ())
    if padding < 0:
        return table
    counts = torch.ones(count, 1)
    counts[padding] = 0
    return lower.emit("mul", [table, Constant(counts)])


@dataclasses.dataclass
class _LogSoftmax:
    """log_softmax over dimension 1 that only nll_loss and the gradients read: a cross entropy."""

    logits: Value
    saved: tuple = ()


@dataclasses.dataclass(frozen=True)
class _NllGrad:
    """The gradient of nll_loss, waiting for that of the log_softmax before it."""

    loss_grad: object
    scores: _LogSoftmax


_NLL = ("aten.nll_loss_forward.default", "aten.nll_loss2d_forward.default")
_NLL_BACKWARD = ("aten.nll_loss_backward.default", "aten.nll_loss2d_backward.default")
_VIEWS = ("aten.view.default", "aten._unsafe_view.default", "aten.unsqueeze.default", "aten.squeeze.dim")


@joint_lowering("aten._log_softmax.default")
def _log_softmax(lower, node, value, dim, half_to_float):
    value = lower.materialize(value)
    views = [user for user in node.users if _keeps_classes(user)]
    users = [user for seen in (node, *views) for user in seen.users if user not in views]
    losses = [user for user in users if operator_name(user) in _NLL]
    backward = [user for user in users if operator_name(user) in _NLL_BACKWARD]
    others = [user for user in users if user not in losses and user not in backward]
    plain = all(user.args[2] is None and user.args[3] != 0 for user in losses)
    if dim % value.rank != 1 or len(losses) != 1 or not plain or not all(_is_gradient_of_nll(user) for user in others):
        return _written_out(lower, value, dim % value.rank)
    scores = _LogSoftmax(value)
    lower.values.update(dict.fromkeys(views, scores))
    lower.done.update(views)
    return scores


def _keeps_classes(node) -> bool:
    """Whether `node` is [N, V, d..] with other dimensions behind the classes, as PyTorch's loss of sequences and volumes has them."""
    if operator_name(node) not in _VIEWS:
        return False
    before, after = node.args[0].meta["val"].shape, node.meta["val"].shape
    return len(before) > 1 and before[:2] == after[:2]


def _is_gradient_of_nll(node) -> bool:
    if operator_name(node) != "aten._log_softmax_backward_data.default":
        return False
    grad = node.args[0]
    return operator_name(grad.args[0] if _keeps_classes(grad) else grad) in _NLL_BACKWARD


def _written_out(lower, value: Value, dim: int) -> Value:
    """value - logsumexp(value); the cross entropy with any label gives the logsumexp."""
    order = [d for d in range(value.rank) if d != dim] + [dim]
    turned = lower.transpose(value, order)
    rows = _rows(lower, turned, value.shape[dim])
    labels = Constant(torch.zeros((), dtype=torch.int64).expand(rows.shape[0]))
    sums = lower.emit("cross_entropy", [rows, labels], outputs=[("", (), (), "f32"), (".logsumexp", (rows.shape[0],), (), "f32")])[1]
    result = lower.emit("sub", [rows, lower.reshape(sums, (rows.shape[0], 1), ())])
    return lower.transpose(lower.reshape(result, turned.shape, ()), [order.index(d) for d in range(value.rank)])


def _class_rows(lower, value: Value) -> Value:
    """[N, V, d..] as one row of classes for each prediction."""
    value = lower.transpose(value, [0, *range(2, value.rank), 1])
    return _rows(lower, value, value.shape[-1])


def _chosen(lower, scores_node, labels, weight):
    """Labels, numbers of the classes and weights of these, so that they are broadcast to the scores."""
    shape = tuple(scores_node.meta["val"].shape)
    dim = 1 if len(shape) > 1 else 0
    along = [1] * len(shape)
    along[dim] = shape[dim]
    labels = lower.materialize(labels)
    wide = lower.reshape(labels, (*labels.shape[:dim], 1, *labels.shape[dim:]), ())
    weights = None if weight is None else lower.reshape(weight, along, ())
    return wide, Constant(torch.arange(shape[dim]).reshape(along)), weights


def _written_nll(lower, node, scores, labels, weight, reduction, ignore_index):
    """The scores of the labels, picked by comparison with the numbers of the classes."""
    source = node.args[0]
    labels, classes, weights = _chosen(lower, source, labels, weight)
    chosen = f"x0 x1 eq x0 {ignore_index} ne mul; t2 x2 neg 0 select" + (" x3 mul" if weights is not None else "")
    picked = emit_map(lower, source, chosen, [labels, classes, scores, *_operands(weights)])
    loss, total = node.meta["val"]
    dims = [1 if source.meta["val"].dim() > 1 else 0] if reduction == 0 else list(range(picked.rank))
    loss = lower.emit("reduce_sum", [picked], {"dims": dims}, tuple(loss.shape), ())
    if reduction != 1:
        return [loss, Constant(torch.zeros(()))]
    counted = f"x0 x1 eq x0 {ignore_index} ne mul" + (" x2 mul" if weights is not None else "")
    counts = emit_map(lower, source, counted, [labels, classes, *_operands(weights)])
    total = lower.emit("reduce_sum", [counts], {"dims": list(range(counts.rank))}, (), ())
    return [lower.emit("div", [loss, total]), total]


@joint_lowering(*_NLL)
def _nll_loss(lower, node, scores, labels, weight, reduction, ignore_index):
    if not isinstance(scores, _LogSoftmax):
        return _written_nll(lower, node, scores, labels, weight, reduction, ignore_index)
    rows, labels = _class_rows(lower, scores.logits), lower.materialize(labels)
    lower.bound_ids(labels, rows.shape[1])
    labels = lower.reshape(labels, (rows.shape[0],), ())
    attributes = cross_entropy_attributes(reduction, ignore_index)
    loss, sums = lower.emit("cross_entropy", [rows, labels], attributes,
                            outputs=[("", (), (), "f32"), (".logsumexp", (rows.shape[0],), (), "f32")])
    scores.saved = rows, labels, sums, attributes
    return [loss, None]


@joint_lowering(*_NLL_BACKWARD)
def _nll_loss_backward(lower, node, grad, scores, labels, weight, reduction, ignore_index, total):
    if not isinstance(scores, _LogSoftmax):
        labels, classes, weights = _chosen(lower, node.args[1], labels, weight)
        expression = f"x0 x1 eq x0 {ignore_index} ne mul; t2 x2 neg 0 select" + (" x3 mul" if weights is not None else "")
        if reduction == 0:
            grad = lower.reshape(grad, lower.materialize(labels).shape, ())
        result = emit_map(lower, node, expression, [labels, classes, grad, *_operands(weights)])
        return result if reduction != 1 else lower.emit("div", [result, total])
    result = _NllGrad(grad, scores)
    views = [user for user in node.users if _keeps_classes(user)]
    lower.values.update(dict.fromkeys(views, result))
    lower.done.update(views)
    return result


@joint_lowering("aten._log_softmax_backward_data.default")
def _log_softmax_backward(lower, node, grad, scores, dim, dtype):
    if not isinstance(grad, _NllGrad):
        grad = lower.materialize(grad)
        shape = list(grad.shape)
        shape[dim % grad.rank] = 1
        total = lower.emit("reduce_sum", [grad], {"dims": [dim % grad.rank], "keepdims": Unit()}, shape, ())
        return emit_map(lower, node, "x0 x1 exp x2 mul sub", [grad, scores, total])
    rows, labels, sums, attributes = grad.scores.saved
    result = lower.emit("cross_entropy_grad", [rows, labels, sums, grad.loss_grad], attributes, rows.shape, ())
    shape, _, _ = lower.node_type(node)
    turned = lower.reshape(result, (shape[0], *shape[2:], shape[1]), ())
    return lower.transpose(turned, [0, len(shape) - 1, *range(1, len(shape) - 1)])


@joint_lowering("aten.mse_loss_backward.default")
def _mse_loss_backward(lower, node, grad, prediction, target, reduction):
    if reduction != 1:
        raise lower.unsupported("it takes no mean", "use the plain mean")
    prediction = lower.materialize(prediction)
    return lower.emit("mse_loss_grad", [prediction, target, grad], {}, prediction.shape, ())


# Products and sums ----------------------------------------------------------------------------------------------------


@joint_lowering("aten.baddbmm.default")
def _baddbmm(lower, node, added, lhs, rhs, beta=1, alpha=1):
    product = _matmul(lower, lhs, rhs)
    product = product if alpha == 1 else lower.emit("scale", [product], {"factor": float(alpha)})
    if beta == 0:
        return product
    added = lower.materialize(added) if beta == 1 else lower.emit("scale", [added], {"factor": float(beta)})
    return lower.emit_like_node("add", [product, added])
