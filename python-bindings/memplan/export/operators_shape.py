"""Views, transposes, pieces and their joining; tensors that only change how they are seen."""

from __future__ import annotations

import torch

from .capture import operator_name
from .element_types import is_real
from .lower import Constant, Lowering, Transposed, lowering
from .text import Value

_PRODUCTS = ("aten.matmul.default", "aten.mm.default", "aten.bmm.default", "aten.addmm.default")


@lowering("aten.view.default", "aten.reshape.default", "aten.flatten.using_ints", "aten.unflatten.int", "aten.squeeze.dim",
          "aten.squeeze.dims", "aten.unsqueeze.default", "aten.view_as.default", "aten.reshape_as.default")
def _reshape(lower: Lowering, node, value, *_, **__):
    shape, batch_dims, _ = lower.node_type(node)
    return lower.reshape(value, shape, batch_dims)


@lowering("aten.clone.default", "aten.contiguous.default")
def _same(lower, node, value, *_, **__):
    return value


@lowering("aten.to.device", "aten.type_as.default")
def _to(lower, node, value, *_, **__):
    value = lower.materialize(value)
    wanted = lower.node_type(node)[2]
    if wanted != value.dtype and not (is_real(wanted) and is_real(value.dtype)):
        raise lower.unsupported("it converts the element type", "convert data before the step")
    return lower.cast(value, wanted)


@lowering("aten.detach.default")
def _detach(lower, node, value):
    if isinstance(value, Value) and value.arguments and all(argument.kind == "input" for argument in value.arguments):
        return value
    raise lower.unsupported("it stops gradients", "keep values that need no gradient out of the module, as inputs")


@lowering("aten.transpose.int")
def _transpose(lower, node, value, first, second):
    rank = _rank(lower, value)
    perm = list(range(rank))
    perm[first % rank], perm[second % rank] = perm[second % rank], perm[first % rank]
    return _permuted(lower, node, value, perm)


@lowering("aten.permute.default")
def _permute(lower, node, value, perm):
    rank = _rank(lower, value)
    return _permuted(lower, node, value, [p % rank for p in perm])


@lowering("aten.t.default", "aten.mT.default")
def _t(lower, node, value):
    rank = _rank(lower, value)
    return value if rank < 2 else _permuted(lower, node, value, [*range(rank - 2), rank - 1, rank - 2])


def _rank(lower, value) -> int:
    return value.value.rank if isinstance(value, Transposed) else lower.materialize(value).rank


def _permuted(lower, node, value, perm):
    if _swaps_last_two(perm):
        if isinstance(value, Transposed):
            return value.value
        if node.users and all(operator_name(user) in _PRODUCTS or _is_transpose(user) for user in node.users):
            return Transposed(lower.materialize(value))
    return lower.transpose(lower.materialize(value), perm)


def _swaps_last_two(perm) -> bool:
    return len(perm) >= 2 and list(perm) == [*range(len(perm) - 2), len(perm) - 1, len(perm) - 2]


def _is_transpose(node) -> bool:
    """Whether `node` exchanges the last two dimensions: of one that is exchanged already it is the value itself, as the gradient of a linear layer is."""
    name, rank = operator_name(node), node.args[0].meta["val"].dim() if node.args and hasattr(node.args[0], "meta") else 0
    if name in ("aten.t.default", "aten.mT.default"):
        return rank >= 2
    if name == "aten.transpose.int":
        return rank >= 2 and {d % rank for d in node.args[1:3]} == {rank - 2, rank - 1}
    return name == "aten.permute.default" and _swaps_last_two([d % rank for d in node.args[1]])


@lowering("aten.split.Tensor", "aten.split_with_sizes.default", "aten.chunk.default")
def _split(lower: Lowering, node, value, _, dim=0):
    value = lower.materialize(value)
    dim %= value.rank
    parts = [tuple(int(s) if isinstance(s, int) else -1 for s in part.shape) for part in node.meta["val"]]
    sizes = [part[dim] for part in parts]
    if dim in value.batch_dims or -1 in sizes:
        raise lower.unsupported("it splits the batch", "split along another dimension")
    heads = _split_heads(lower, node, value, dim, sizes)
    return heads if heads is not None else emit_split(lower, value, dim, sizes)


def emit_split(lower: Lowering, value: Value, dim: int, sizes) -> list[Value]:
    outputs = [(f".{i}", (*value.shape[:dim], size, *value.shape[dim + 1:]), value.batch_dims, value.dtype)
               for i, size in enumerate(sizes)]
    results = lower.emit("split", [value], {"dim": dim, "sizes": sizes}, outputs=outputs)
    return results if isinstance(results, list) else [results]


def _split_heads(lower: Lowering, node, value, dim, sizes):
    """Query, key and value of all heads at once.

    split into n equal parts along the last dimension, then view and transpose of each part, becomes one reshape, one transpose that
    brings n to the front, and a split there. That split takes no bytes and no time, while parts of the last dimension are copies.
    Returns the parts, or None where the graph is not of this form.
    """
    if dim != value.rank - 1 or len(set(sizes)) != 1 or len(sizes) < 2 or len(value.batch_dims) > 1:
        return None
    chains = []
    for item in node.users:
        view = next(iter(item.users), None)
        turned = next(iter(view.users), None) if view is not None else None
        # A key may be read through a second transpose by the product, which is not part of this pattern.
        if turned is None or len(item.users) != 1 or len(view.users) != 1:
            return None
        if operator_name(view) not in ("aten.view.default", "aten.reshape.default") or operator_name(turned) != "aten.transpose.int":
            return None
        chains.append((item, view, turned))
    if sorted(item.args[1] for item, *_ in chains) != list(range(len(sizes))):
        return None
    viewed, batch_dims, _ = lower.node_type(chains[0][1])
    exchanged = {tuple(d % len(viewed) for d in turned.args[1:3]) for *_, turned in chains}
    same_view = all(lower.node_type(view)[0] == viewed for _, view, _ in chains)
    # The view must only cut the last dimension in two: [.., h * d] to [.., h, d].
    if len(exchanged) != 1 or not same_view or viewed[:-2] != value.shape[:-1] or batch_dims != value.batch_dims:
        return None

    lead, count = value.rank - 1, len(sizes)
    cut = lower.reshape(value, (*value.shape[:-1], count, *viewed[-2:]), value.batch_dims)
    perm = list(range(len(viewed)))
    first, second = exchanged.pop()
    perm[first], perm[second] = perm[second], perm[first]
    # In the cut tensor the dimension of size n stands before the heads.
    turned = lower.transpose(cut, [lead, *(p if p < lead else p + 1 for p in perm)])
    parts = emit_split(lower, turned, 0, [1] * count)
    shape, batch_dims, _ = lower.node_type(chains[0][2])
    heads = [lower.reshape(part, shape, batch_dims) for part in parts]
    for item, view, transposed in chains:
        lower.values[item] = lower.values[view] = lower.values[transposed] = heads[item.args[1]]
        lower.done |= {item, view, transposed}
    return heads


@lowering("aten.slice.Tensor")
def _slice(lower: Lowering, node, value, dim=0, start=None, end=None, step=1):
    value = lower.materialize(value)
    shape, batch_dims, _ = lower.node_type(node)
    dim %= value.rank
    if shape == value.shape:
        return value
    if dim in value.batch_dims:
        raise lower.unsupported("it takes part of the batch", "slice along another dimension")
    if shape[dim] == 0:  # what a rotary position leaves of a head, where it takes all
        return Constant(torch.empty(shape, dtype=node.meta["val"].dtype))
    start = max(start + value.shape[dim], 0) if (start or 0) < 0 else (start or 0)
    if step != 1 and lower.joint:
        return take_every(lower, value, dim, start, step, shape[dim])
    if step != 1:
        groups = strided_groups(lower, value.shape[dim], start, step)
        cut = lower.reshape(value, (*value.shape[:dim], groups, step, *value.shape[dim + 1:]), _moved(value.batch_dims, dim))
        thin = emit_slice(lower, cut, dim + 1, start, 1)
        every = lower.reshape(thin, (*value.shape[:dim], groups, *value.shape[dim + 1:]), value.batch_dims)
        return every if groups == shape[dim] else emit_slice(lower, every, dim, 0, shape[dim])
    return emit_slice(lower, value, dim, start, shape[dim])


def strided_groups(lower, size: int, start: int, step: int) -> int:
    """How many groups of `step` elements there are, of which each has one element of the slice."""
    if size % step or start >= step:
        raise lower.unsupported(f"its step {step} does not divide the {size} elements", "pad to a multiple of the step")
    return size // step


def _moved(dims, after: int) -> tuple[int, ...]:
    """Dimensions once another one stands behind dimension `after`."""
    return tuple(d + 1 if d > after else d for d in dims)


@lowering("aten.roll.default")
def _roll(lower: Lowering, node, value, shifts, dims=()):
    value = lower.materialize(value)
    if not dims:
        raise lower.unsupported("it rolls the flattened tensor", "name the dimensions")
    for shift, dim in zip(shifts, dims):
        dim %= value.rank
        size = value.shape[dim]
        if dim in value.batch_dims:
            raise lower.unsupported("it rolls the batch", "roll another dimension")
        if shift % size:
            head, tail = emit_split(lower, value, dim, [size - shift % size, shift % size])
            value = lower.emit("concat", [tail, head], {"dim": dim}, value.shape, value.batch_dims, value.dtype)
    return value


@lowering("aten.repeat.default")
def _repeat(lower: Lowering, node, value, repeats):
    value = lower.materialize(value)
    shape, batch_dims, _ = lower.node_type(node)
    if any(not isinstance(r, int) for r in repeats):
        raise lower.unsupported("it repeats a tensor for every sample of the batch", "let arithmetic broadcast it instead")
    sizes = (1,) * (len(repeats) - value.rank) + value.shape
    grown = [i for i, r in enumerate(repeats) if r > 1]
    if not grown:
        return lower.reshape(value, shape, batch_dims)
    dims, wide = [], []
    for i, size in enumerate(sizes):
        if repeats[i] > 1:
            dims.append(len(wide))
            wide.append(repeats[i])
        wide.append(size)
    full = lower.reshape(value, sizes, tuple(d + len(sizes) - value.rank for d in value.batch_dims))
    spots = [d for d in range(len(wide)) if d not in dims]
    batch = tuple(spots[d] for d in full.batch_dims)
    repeated = lower.emit("broadcast", [full], {"dims": dims, "sizes": [wide[d] for d in dims]}, wide, batch)
    return lower.reshape(repeated, shape, batch_dims)


def emit_slice(lower, value, dim, start, count) -> Value:
    return lower.emit("slice", [value], {"dim": dim, "start": start, "size": count},
                      (*value.shape[:dim], count, *value.shape[dim + 1:]), value.batch_dims, value.dtype)


@lowering("aten.narrow.default")
def _narrow(lower, node, value, dim, start, length):
    return _slice(lower, node, value, dim, start, start + length)


@lowering("aten.select.int")
def _select(lower, node, value, dim, index):
    value = lower.materialize(value)
    dim %= value.rank
    if dim in value.batch_dims:
        raise lower.unsupported("it takes one sample of the batch", "select along another dimension")
    shape, batch_dims, _ = lower.node_type(node)
    return lower.reshape(emit_slice(lower, value, dim, index % value.shape[dim], 1), shape, batch_dims)


@lowering("aten.cat.default", "aten.concat.default")
def _cat(lower, node, values, dim=0):
    # A cache starts as a tensor without elements, which adds nothing.
    values = [lower.materialize(v) for v in values if not (isinstance(v, Constant) and v.tensor.numel() == 0)]
    dim %= values[0].rank
    if dim in values[0].batch_dims:
        raise lower.unsupported("it joins along the batch", "join along another dimension")
    return lower.emit_like_node("concat", values, {"dim": dim}) if len(values) > 1 else values[0]


@lowering("aten.stack.default")
def _stack(lower, node, values, dim=0):
    shape, batch_dims, _ = lower.node_type(node)
    dim %= len(shape)
    single = (*shape[:dim], 1, *shape[dim + 1:])
    columns = [lower.reshape(v, single, batch_dims) for v in values]
    return lower.emit("concat", columns, {"dim": dim}, shape, batch_dims)


@lowering("aten.expand.default", "aten.expand_as.default")
def _expand(lower: Lowering, node, value, *_, **__):
    shape, batch_dims, _ = lower.node_type(node)
    return _expanded(lower, lower.materialize(value), shape, batch_dims)


@lowering("aten.broadcast_tensors.default")
def _broadcast_tensors(lower, node, values):
    values = [lower.materialize(v) for v in values]
    widest = max(values, key=lambda v: torch.Size(v.shape).numel())
    shape = torch.broadcast_shapes(*(v.shape for v in values))
    if shape != widest.shape:
        raise lower.unsupported("no operand has the common shape", "expand the operands first")
    return [_expanded(lower, v, widest.shape, widest.batch_dims) for v in values]


def _expanded(lower: Lowering, value: Value, shape, batch_dims) -> Value:
    if shape == value.shape:
        return value
    added = len(shape) - value.rank
    grown = [d for d, size in enumerate(shape) if d < added or value.shape[d - added] != size]
    if any(d in batch_dims for d in grown):
        raise lower.unsupported("it repeats a tensor for every sample of the batch", "let arithmetic broadcast it instead")
    kept = [d for d in range(len(shape)) if d not in grown]
    thin = lower.reshape(value, [shape[d] for d in kept], tuple(i for i, d in enumerate(kept) if d in batch_dims))
    return lower.emit("broadcast", [thin], {"dims": grown, "sizes": [shape[d] for d in grown]}, shape, batch_dims, value.dtype)


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
    if fill == 0 and is_real(value.dtype):
        return lower.emit("slice_grad", [value], {"dim": dim, "start": before, "full_size": full}, shape(full))
    dtype = {"f32": torch.float32, "i64": torch.int64, "i8": torch.bool}[value.dtype]
    border = [Constant(torch.full((), fill, dtype=dtype).expand(shape(size))) for size in (before, after)]
    pieces = [border[0]] * (before > 0) + [value] + [border[1]] * (after > 0)
    return lower.emit("concat", pieces, {"dim": dim}, shape(full), value.batch_dims, value.dtype)


def take_every(lower: Lowering, value: Value, dim: int, start: int, step: int, count: int) -> Value:
    """`count` elements of a dimension, from `start` on, each `step` after the one before."""
    span = count * step if step > 1 else count
    value = padded(lower, value, dim, 0, max(0, start + span - value.shape[dim]), 0)
    value = emit_slice(lower, value, dim, start, span) if value.shape[dim] != span else value
    if step == 1:
        return value
    cut = lower.reshape(value, (*value.shape[:dim], count, step, *value.shape[dim + 1:]), ())
    thin = emit_slice(lower, cut, dim + 1, 0, 1)
    return lower.reshape(thin, (*value.shape[:dim], count, *value.shape[dim + 1:]), ())


def put_every(lower: Lowering, value: Value, dim: int, start: int, step: int, size: int) -> Value:
    """The opposite of take_every: zeros of `size` elements with `value` at the places."""
    count = value.shape[dim]
    if step > 1:
        thin = lower.reshape(value, (*value.shape[:dim], count, 1, *value.shape[dim + 1:]), ())
        wide = padded(lower, thin, dim + 1, 0, step - 1, 0)
        value = lower.reshape(wide, (*value.shape[:dim], count * step, *value.shape[dim + 1:]), ())
    return padded(lower, value, dim, start, size - start - value.shape[dim], 0)


def wanted_results(node, mask) -> list[bool]:
    """Which of the results are asked for and read."""
    read = {user.args[1] for user in node.users}
    return [bool(m) and i in read for i, m in enumerate(mask)]
