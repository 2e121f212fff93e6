"""What operators become in the form that they have below autograd: as joint graphs hold them, with their gradients."""

from __future__ import annotations

import dataclasses

import torch

from .capture import operator_name
from .lower import Constant, joint_lowering
from .operators_elementwise import _number, _reduce
from .operators_nn import _CONV_DEFAULTS, _POOL_DEFAULTS, _affine, _matmul, _need_rank, _operands, _pair, _window
from .operators_shape import _expanded, emit_slice, emit_split, strided_groups
from .text import Unit, Value

# Creation and movement ------------------------------------------------------------------------------------------------


def _filled(lower, node, number) -> Constant:
    """A constant of one number; it takes memory when an operation reads it as a tensor."""
    value = node.meta["val"]
    return Constant(torch.full((), number, dtype=value.dtype).expand(value.shape))


@joint_lowering("aten.zeros.default", "aten.zeros_like.default", "aten.new_zeros.default", "aten.empty.memory_format",
                "aten.empty_like.default", "aten.new_empty.default", "aten.new_empty_strided.default", "aten.empty_strided.default",
                "aten.empty_permuted.default")
def _zeros(lower, node, *_, **__):
    return _filled(lower, node, 0)


@joint_lowering("aten.ones.default", "aten.ones_like.default", "aten.new_ones.default")
def _ones(lower, node, *_, **__):
    return _filled(lower, node, 1)


@joint_lowering("aten.full.default", "aten.full_like.default", "aten.new_full.default")
def _full(lower, node, _, number, *__, **___):
    return _filled(lower, node, number)


@joint_lowering("aten.copy.default")
def _copy(lower, node, target, source, *_):
    value = lower.materialize(source)
    shape, batch_dims, dtype = lower.node_type(node)
    if dtype != value.dtype:
        raise lower.unsupported("it converts the element type", "the step is computed in float32")
    return _expanded(lower, value, shape, batch_dims)


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
        groups = strided_groups(lower, shape[dim], start, step)
        if grad.shape[dim] != groups:
            raise lower.unsupported("it ends before the last group", "slice to the end")
        grad = lower.reshape(grad, (*shape[:dim], groups, 1, *shape[dim + 1:]), batch_dims)
        spread = lower.emit("slice_grad", [grad], {"dim": dim + 1, "start": start, "full_size": step},
                            (*shape[:dim], groups, step, *shape[dim + 1:]), batch_dims)
        return lower.reshape(spread, shape, batch_dims)
    return lower.emit("slice_grad", [grad], {"dim": dim, "start": start, "full_size": shape[dim]}, shape, batch_dims)


@joint_lowering("aten.constant_pad_nd.default")
def _pad(lower, node, value, pads, fill=0):
    value = lower.materialize(value)
    for i in range(len(pads) // 2):
        dim, (before, after) = value.rank - 1 - i, pads[2 * i:2 * i + 2]
        value = padded(lower, value, dim, before, after, fill)
    return value


def padded(lower, value: Value, dim: int, before: int, after: int, fill: float) -> Value:
    """`value` with so many elements more on both sides of a dimension; negative numbers cut off."""
    if before < 0 or after < 0:
        cut = max(-before, 0)
        value = emit_slice(lower, value, dim, cut, value.shape[dim] - cut - max(-after, 0))
        before, after = max(before, 0), max(after, 0)
    if not before and not after:
        return value

    def shape(size):
        return (*value.shape[:dim], size, *value.shape[dim + 1:])

    full = value.shape[dim] + before + after
    if fill == 0 and value.dtype == "f32":
        return lower.emit("slice_grad", [value], {"dim": dim, "start": before, "full_size": full}, shape(full))
    border = [Constant(torch.full((), float(fill)).expand(shape(size))) for size in (before, after)]
    pieces = [border[0]] * (before > 0) + [value] + [border[1]] * (after > 0)
    return lower.emit("concat", pieces, {"dim": dim}, shape(full), value.batch_dims, value.dtype)


@joint_lowering("aten.as_strided_scatter.default")
def _as_strided_scatter(lower, node, value, source, size, stride, offset=0):
    whole, part = node.args[0].meta["val"], node.args[1].meta["val"]
    if offset or tuple(size) != tuple(whole.shape) or tuple(stride) != whole.stride() or part.shape != whole.shape:
        raise lower.unsupported("it writes memory in an order of its own", "use views, slices and transposes")
    return source


@joint_lowering("aten.unbind.int")
def _unbind(lower, node, value, dim=0):
    value = lower.materialize(value)
    dim %= value.rank
    parts = emit_split(lower, value, dim, [1] * value.shape[dim])
    return [lower.reshape(part, (*value.shape[:dim], *value.shape[dim + 1:]), ()) for part in parts]


# Indices --------------------------------------------------------------------------------------------------------------


def _indexed_dimension(lower, node, value, indices) -> tuple[int, Value]:
    """The one dimension that is indexed by a tensor of integers, and that tensor."""
    given = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    if len(given) != 1 or value.dtype != "f32":
        raise lower.unsupported(f"it indexes {len(given)} dimensions at once, or elements that are not float32", "index one dimension")
    dim, index = given[0]
    if isinstance(index, Constant):
        if index.tensor.dtype == torch.bool:
            index = Constant(index.tensor.nonzero().squeeze(1))
        # A negative index counts from the end.
        return dim, lower.materialize(Constant(index.tensor % value.shape[dim]))
    index = lower.materialize(index)
    if index.dtype != "i64":
        raise lower.unsupported(f"its index has element type {index.dtype}", "use int64")
    return dim, index


def _as_table(lower, value: Value, dim: int) -> Value:
    """`value` with dimension `dim` as the rows of a matrix."""
    turned = lower.transpose(value, [dim, *(d for d in range(value.rank) if d != dim)])
    return lower.reshape(turned, (value.shape[dim], torch.Size(turned.shape[1:]).numel()), ())


@joint_lowering("aten.index.Tensor", "aten._unsafe_index.Tensor")
def _index(lower, node, value, indices):
    value = lower.materialize(value)
    dim, index = _indexed_dimension(lower, node, value, indices)
    return _rows_at(lower, value, dim, index)


@joint_lowering("aten.index_select.default")
def _index_select(lower, node, value, dim, index):
    value = lower.materialize(value)
    dim, index = _indexed_dimension(lower, node, value, [None] * (dim % value.rank) + [index])
    return _rows_at(lower, value, dim, index)


def _rows_at(lower, value: Value, dim: int, index: Value) -> Value:
    rest = (*value.shape[:dim], *value.shape[dim + 1:])
    picked = emit_embedding(lower, _as_table(lower, value, dim), index)
    picked = lower.reshape(picked, (*index.shape, *rest), ())
    # The dimensions of the index take the place of the one that it indexes.
    order = [index.rank + d for d in range(dim)] + list(range(index.rank)) + [index.rank + d for d in range(dim, len(rest))]
    return lower.transpose(picked, order)


@joint_lowering("aten.index_put.default", "aten._unsafe_index_put.default")
def _index_put(lower, node, value, indices, source, accumulate=False):
    shape, _, _ = lower.node_type(node)
    zeros = isinstance(value, Constant) and not bool(value.tensor.reshape(-1)[:1].any())
    if not accumulate or not zeros:
        raise lower.unsupported("it writes into a tensor at places that values name", "sum into zeros, as the gradient of an index does")
    like = Value("", shape)
    dim, index = _indexed_dimension(lower, node, like, indices)
    source = lower.materialize(source)
    # The dimensions of the index come first, then all others.
    order = list(range(dim, dim + index.rank)) + [d for d in range(source.rank) if not dim <= d < dim + index.rank]
    rows = lower.transpose(source, order)
    rest = rows.shape[index.rank:]
    rows = lower.reshape(rows, (*index.shape, torch.Size(rest).numel()), ())
    table = lower.emit("embedding_grad", [index, rows], {"num_embeddings": shape[dim]}, (shape[dim], rows.shape[-1]), ())
    table = lower.reshape(table, (shape[dim], *rest), ())
    return lower.transpose(table, [*range(1, dim + 1), 0, *range(dim + 1, len(shape))])


@joint_lowering("aten.index_add.default")
def _index_add(lower, node, value, dim, index, source, alpha=1):
    if alpha != 1:
        raise lower.unsupported(f"alpha is {alpha}", "scale the source")
    return _index_put(lower, node, value, [None] * (dim % len(node.meta["val"].shape)) + [index], source, True)


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
    conv = _Convolution.of(lower, node, rank, stride, padding, dilation, transposed, output_padding, groups)
    shape, batch_dims, _ = lower.node_type(node)
    return lower.reshape(conv.forward(conv.image(value), conv.image(weight), bias), shape, batch_dims)


@joint_lowering("aten.convolution_backward.default")
def _convolution_backward(lower, node, grad, value, weight, _, stride, padding, dilation, transposed, output_padding, groups, mask):
    value, weight = lower.materialize(value), lower.materialize(weight)
    conv = _Convolution.of(lower, node, value.rank, stride, padding, dilation, transposed, output_padding, groups)
    image, filters, grad = conv.image(value), conv.image(weight), conv.image(grad)
    wanted = wanted_results(node, mask)
    return [lower.reshape(conv.input_grad(grad, image, filters), value.shape, value.batch_dims) if wanted[0] else None,
            lower.reshape(conv.weight_grad(grad, image, filters), weight.shape, ()) if wanted[1] else None,
            lower.emit("reduce_sum", [grad], {"dims": [0, 2, 3]}, (grad.shape[1],), ()) if wanted[2] else None]


def wanted_results(node, mask) -> list[bool]:
    """Which of the results are asked for and read."""
    read = {user.args[1] for user in node.users}
    return [bool(m) and i in read for i, m in enumerate(mask)]


# Normalization --------------------------------------------------------------------------------------------------------


@joint_lowering("aten._native_batch_norm_legit_functional.default")
def _batch_norm(lower, node, value, weight, bias, running_mean, running_var, training, momentum, epsilon):
    out, mean, invstd, variance = _training_batch_norm(lower, value, weight, bias, training, epsilon)
    vector = (mean.shape, (), "f32")
    updated = lower.emit("batch_norm_update_stats", [running_mean, running_var, mean, variance], {"momentum": float(momentum)},
                         outputs=[(".running_mean.new", *vector), (".running_var.new", *vector)])
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
        raise lower.unsupported(f"the threshold is {threshold}", "use relu")
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
        raise lower.unsupported("a row of its operand may be masked whole", "use a constant mask that leaves an element in each row")
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
    if p >= 1 or any(operator_name(user) != "aten.native_dropout_backward.default" for mask in kept for user in mask.users):
        raise lower.unsupported(f"p is {p}, or its mask is read", "use a probability below 1")
    salt = lower.next_salt()
    return [lower.emit("dropout", [value, lower.seed()], {"p": float(p), "salt": salt}), _Mask(float(p), salt)]


@joint_lowering("aten.native_dropout_backward.default")
def _dropout_backward(lower, node, grad, mask, scale):
    if not isinstance(mask, _Mask):
        raise lower.unsupported("its mask is not that of a dropout", "use dropout")
    return lower.emit("dropout", [grad, lower.seed()], {"p": mask.p, "salt": mask.salt}) if mask.p else grad


@joint_lowering("aten.bernoulli.p")
def _bernoulli(lower, node, value, p=0.5, **_):
    # A dropout of ones gives 0 or 1 / (1 - p).
    ones = _filled(lower, node, 1)
    if p in (0, 1):
        return _filled(lower, node, p)
    kept = lower.emit("dropout", [ones, lower.seed()], {"p": 1.0 - float(p), "salt": lower.next_salt()})
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


@joint_lowering("aten.max_pool2d_with_indices.default")
def _max_pool(lower, node, value, kernel, stride=(), padding=0, dilation=1, ceil_mode=False):
    value = _need_rank(lower, value, 4, "[N, C, H, W]")
    where = [user for user in node.users if user.args[1] == 1]
    if any(operator_name(user) != "aten.max_pool2d_with_indices_backward.default" for w in where for user in w.users):
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


@joint_lowering("aten.avg_pool2d_backward.default")
def _avg_pool_backward(lower, node, grad, value, kernel, stride, padding, ceil_mode, count_include_pad, divisor):
    value, grad = _need_rank(lower, value, 4, "[N, C, H, W]"), lower.materialize(grad)
    attributes, more = _pool_window(node, value.shape[2:], grad.shape[2:], kernel, stride, padding, 1)
    if any(more) or divisor is not None:
        raise lower.unsupported("its last windows are cut, or a divisor is set", "use plain windows and scale the result")
    if count_include_pad:
        attributes["count_include_pad"] = Unit()
    return lower.emit("avg_pool2d_grad", [grad], {**attributes, "input_size": list(value.shape[2:])}, value.shape, ())


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


def emit_embedding(lower, table: Value, ids: Value) -> Value:
    lower.bound_ids(ids, table.shape[0])
    return lower.emit("embedding", [table, ids], {}, (*ids.shape, table.shape[1]), ids.batch_dims)


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


@joint_lowering("aten._log_softmax.default")
def _log_softmax(lower, node, value, dim, half_to_float):
    value = lower.materialize(value)
    losses = [user for user in node.users if operator_name(user) in _NLL]
    backward = [user for user in node.users if operator_name(user) in _NLL_BACKWARD]
    others = [user for user in node.users if user not in losses and user not in backward]
    plain = all(user.args[2] is None and user.args[3] == 1 for user in losses)
    gradients = [operator_name(user) == "aten._log_softmax_backward_data.default" and operator_name(user.args[0]) in _NLL_BACKWARD
                 for user in others]
    if dim % value.rank == 1 and len(losses) == 1 and plain and all(gradients):
        return _LogSoftmax(value)
    return _written_out(lower, value, dim % value.rank)


def _written_out(lower, value: Value, dim: int) -> Value:
    """value - logsumexp(value); the cross entropy with any label gives the logarithm."""
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


@joint_lowering(*_NLL)
def _nll_loss(lower, node, scores, labels, weight, reduction, ignore_index):
    if not isinstance(scores, _LogSoftmax):
        raise lower.unsupported("its scores are not a log_softmax that it reads alone, or it takes no plain mean", "use cross_entropy")
    rows, labels = _class_rows(lower, scores.logits), lower.materialize(labels)
    lower.bound_ids(labels, rows.shape[1])
    labels = lower.reshape(labels, (rows.shape[0],), ())
    attributes = {"ignore_index": ignore_index} if ignore_index != -100 else {}
    loss, sums = lower.emit("cross_entropy", [rows, labels], attributes,
                            outputs=[("", (), (), "f32"), (".logsumexp", (rows.shape[0],), (), "f32")])
    scores.saved = rows, labels, sums, attributes
    return [loss, None]


@joint_lowering(*_NLL_BACKWARD)
def _nll_loss_backward(lower, node, grad, scores, *_):
    if not isinstance(scores, _LogSoftmax):
        raise lower.unsupported("its scores are not a log_softmax that it reads alone", "use cross_entropy")
    return _NllGrad(grad, scores)


@joint_lowering("aten._log_softmax_backward_data.default")
def _log_softmax_backward(lower, node, grad, scores, dim, dtype):
    if not isinstance(grad, _NllGrad):
        raise lower.unsupported("its gradient is not that of a cross entropy", "use cross_entropy")
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
