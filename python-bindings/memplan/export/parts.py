"""Parts: what PyTorch's own decompositions, or those here, make of operators of joint graphs that have no counterpart.

A decomposition returns NotImplemented for forms that it does not take.
"""

from __future__ import annotations

import functools

import torch
from torch import fx
from torch._decomp import core_aten_decompositions, decomposition_table
from torch._guards import detect_fake_mode
from torch.fx.experimental.proxy_tensor import make_fx

from .lower import find_lowering

aten = torch.ops.aten
# Decompositions of PyTorch that are not in its core set.
_MORE = (aten.exponential.default,)
_OWN = {}


def _decomposes(*operators):
    def register(function):
        _OWN.update(dict.fromkeys(operators, function))
        return function

    return register


@functools.cache
def _every_decomposition() -> dict:
    return {**core_aten_decompositions(), **{op: decomposition_table[op] for op in _MORE}, **_OWN}


@functools.cache
def _decompositions() -> dict:
    """By operator, of those that have no counterpart."""
    return {op: function for op, function in _every_decomposition().items() if find_lowering(str(op), joint=True) is None}


def parts_of(node: fx.Node) -> tuple[fx.Graph, list[fx.Node]] | None:
    """The graph that does what `node` does, and the nodes that its placeholders stand for; None where nothing takes `node` apart."""
    table = _decompositions()
    if node.target not in table:  # where it has a counterpart, but not in this form
        whole = _every_decomposition().get(node.target)
        if whole is None:
            return None
        table = {**table, node.target: whole}
    inputs = [n for n in node.all_input_nodes if isinstance(n.meta.get("val"), torch.Tensor)]
    values = [n.meta["val"] for n in inputs]

    def call(*tensors):
        given = dict(zip(inputs, tensors))
        args, kwargs = fx.map_arg((node.args, node.kwargs), lambda n: given.get(n, n))
        return node.target(*args, **kwargs)

    with detect_fake_mode(values), torch.no_grad():
        graph = make_fx(call, decomposition_table=table)(*values).graph
    graph.eliminate_dead_code()
    for part in graph.nodes:
        part.meta |= {key: node.meta[key] for key in ("nn_module_stack", "partitioner_tag", "stack_trace") if key in node.meta}
    return graph, inputs


# Own decompositions ---------------------------------------------------------------------------------------------------


@_decomposes(aten.tan.default)
def _tan(value):
    return value.sin() / value.cos()


@_decomposes(aten.var.correction)
def _variance(value, dim=None, *, correction=None, keepdim=False):
    dims = list(range(value.dim())) if not dim else [d % value.dim() for d in dim]
    count = torch.Size(value.shape[d] for d in dims).numel() - (1 if correction is None else correction)
    around = value - value.mean(dims, keepdim=True)
    return (around * around).sum(dims, keepdim=keepdim) / max(count, 0)


@_decomposes(aten._weight_norm_interface_backward.default)
def _weight_norm_backward(grad, v, g, norms, dim):
    others = [d for d in range(v.dim()) if d != dim]
    along = (grad * v).sum(others, keepdim=True)
    return g / norms * (grad - v * (along / (norms * norms))), along / norms


@_decomposes(aten._cdist_forward.default)
def _cdist(a, b, p, _):
    if p != 2:
        return NotImplemented
    apart = a.unsqueeze(-2) - b.unsqueeze(-3)
    return (apart * apart).sum(-1).sqrt()


@_decomposes(aten._cdist_backward.default)
def _cdist_backward(grad, a, b, p, distances):
    if p != 2:
        return NotImplemented
    share = torch.where(distances == 0, 0.0, grad / distances)
    return (share.unsqueeze(-1) * (a.unsqueeze(-2) - b.unsqueeze(-3))).sum(-2)


@_decomposes(aten.unfold.default)
def _unfold(value, dim, size, step):
    dim %= value.dim()
    positions = torch.arange((value.shape[dim] - size) // step + 1)[:, None] * step + torch.arange(size)
    return value.movedim(dim, -1)[..., positions].movedim(-2, dim)


@_decomposes(aten.median.dim)
def _median(value, dim, keepdim=False):
    ordered, positions = value.sort(dim)
    middle = (value.shape[dim] - 1) // 2
    parts = (ordered.narrow(dim, middle, 1), positions.narrow(dim, middle, 1))
    return parts if keepdim else tuple(part.squeeze(dim) for part in parts)


def _window_positions(size, result) -> torch.Tensor:
    """The elements of an image, or a volume, that each window of an adaptive pooling reads: [windows, elements]. A window that is smaller reads its last ones again."""
    positions = torch.zeros(1, 1, dtype=torch.long)
    for whole, count in zip(size, result):
        number = torch.arange(count)
        starts, ends = number * whole // count, (number * whole + whole + count - 1) // count
        most = max(-(-(i + 1) * whole // count) - i * whole // count for i in range(count))
        places = (starts[:, None] + torch.arange(most)).minimum(ends[:, None] - 1)
        positions = (positions[:, None, :, None] * whole + places[None, :, None, :]).flatten(2).flatten(0, 1)
    return positions


@_decomposes(aten.adaptive_max_pool2d.default, aten.adaptive_max_pool3d.default)
def _adaptive_max_pool(value, size):
    rank = len(size)
    positions = _window_positions(value.shape[-rank:], size)
    largest, which = value.flatten(-rank)[..., positions].max(-1)
    shape = (*value.shape[:-rank], *size)
    positions = positions.expand(*value.shape[:-rank], *positions.shape).gather(-1, which[..., None])
    return largest.reshape(shape), positions.reshape(shape)


def _adaptive_max_pool_backward(rank: int):
    def backward(grad, value, positions):
        return value.new_zeros(value.flatten(-rank).shape).scatter_add(-1, positions.flatten(-rank), grad.flatten(-rank)).reshape(value.shape)

    return backward


_decomposes(aten.adaptive_max_pool2d_backward.default)(_adaptive_max_pool_backward(2))
_decomposes(aten.adaptive_max_pool3d_backward.default)(_adaptive_max_pool_backward(3))


_LARGEST_OF_BAG = 2  # the mode of an embedding bag


def _bags(indices, offsets, include_last_offset: bool):
    """The bag of each index."""
    starts = offsets[1:-1] if include_last_offset else offsets[1:]
    return (torch.arange(indices.numel())[:, None] >= starts[None]).sum(1)


def _kept(indices, padding_idx: int):
    """1 for each index that counts, as a column."""
    return (indices != padding_idx).to(torch.float32)[:, None]


@_decomposes(aten._embedding_bag.default)
def _embedding_bag(weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=-1):
    if scale_grad_by_freq:
        return NotImplemented
    rows, bags = aten.embedding.default(weight, indices), _bags(indices, offsets, include_last_offset)
    count = offsets.numel() - bool(include_last_offset)
    if mode == _LARGEST_OF_BAG:
        inside = (bags[None] == torch.arange(count)[:, None]) & (indices != padding_idx)[None]
        largest, which = torch.where(inside[..., None], rows[None], float("-inf")).max(1)
        sizes = inside.to(torch.float32).sum(1)
        return torch.where((sizes > 0)[:, None], largest, 0.0), bags, sizes.long(), indices[which]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    if padding_idx >= 0:
        rows = rows * _kept(indices, padding_idx)
    sizes = rows.new_zeros(count, 1).index_add(0, bags, _kept(indices, padding_idx))
    total = rows.new_zeros(count, rows.shape[1]).index_add(0, bags, rows)
    return total / sizes.clamp(min=1) if mode == 1 else total, bags, sizes[:, 0].long(), bags


@_decomposes(aten._embedding_bag_backward.default)
def _embedding_bag_backward(grad, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode, sparse, per_sample_weights,
                            padding_idx=-1):
    if scale_grad_by_freq or sparse:
        return NotImplemented
    if mode == _LARGEST_OF_BAG:
        grad = torch.where((bag_size > 0)[:, None], grad, 0.0)
        return grad.new_zeros(num_weights, grad.shape[1]).scatter_add(0, maximum_indices, grad)
    bags = _bags(indices, offsets, include_last_offset=offsets.numel() > grad.shape[0])
    if mode == 1:
        sizes = grad.new_zeros(grad.shape[0], 1).index_add(0, bags, _kept(indices, padding_idx))
        grad = grad / sizes.clamp(min=1)
    rows = grad[bags]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    return aten.embedding_dense_backward.default(rows, indices, num_weights, padding_idx, False)


def _diagonal_places(value_shape, offset: int) -> torch.Tensor:
    """1 on the diagonal of matrices of this shape."""
    rows, columns = value_shape
    return (torch.arange(rows)[:, None] + offset == torch.arange(columns)[None]).to(torch.float32)


@_decomposes(aten.diagonal.default)
def _diagonal(value, offset=0, dim1=0, dim2=1):
    value = value.movedim((dim1, dim2), (-2, -1))
    length = min(value.shape[-2] + min(offset, 0), value.shape[-1] - max(offset, 0))
    if not value.is_floating_point() or length < 1:
        return NotImplemented
    return (value * _diagonal_places(value.shape[-2:], offset)).sum(-1)[..., max(-offset, 0):max(-offset, 0) + length]


@_decomposes(aten.diagonal_backward.default)
def _diagonal_backward(grad, sizes, offset, dim1, dim2):
    places = _diagonal_places((sizes[dim1], sizes[dim2]), offset)
    before = max(-offset, 0)
    grad = torch.constant_pad_nd(grad, [before, sizes[dim1] - before - grad.shape[-1]])
    return (grad.unsqueeze(-1) * places).movedim((-2, -1), (dim1, dim2))
