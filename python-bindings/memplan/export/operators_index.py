"""Places that tensors name: indexing, gather and scatter, the largest elements, running sums."""

from __future__ import annotations

import torch

from .lower import Constant, joint_lowering
from .operators_elementwise import _number, emit_map
from .operators_shape import emit_slice, padded
from .text import Unit, Value


def is_zeros(value) -> bool:
    return isinstance(value, Constant) and (value.tensor.numel() == 0 or not bool(value.tensor.any()))


def converted(lower, value: Value, dtype: str) -> Value:
    """`value` with elements of another type. As f32, integers below 2^24 are exact."""
    value = lower.materialize(value)
    if value.dtype == dtype:
        return value
    attributes = {"expression": "x0"} if dtype == "f32" else {"expression": "x0", "element": dtype}
    return lower.emit("map", [value], attributes, value.shape, value.batch_dims, dtype)


def emit_embedding(lower, table: Value, ids: Value) -> Value:
    lower.bound_ids(ids, table.shape[0])
    return lower.emit("embedding", [table, ids], {}, (*ids.shape, table.shape[1]), ids.batch_dims)


# Indices of whole dimensions ------------------------------------------------------------------------------------------


class Indexed:
    """`tensor[indices]` as rows of a table: the dimensions that are indexed are its rows, all others its columns."""

    def __init__(self, lower, shape, indices):
        self.lower, self.shape = lower, tuple(shape)
        given = [(dim, index) for dim, index in enumerate(indices) if index is not None]
        if len(given) == 1 and isinstance(given[0][1], Constant) and given[0][1].tensor.dtype == torch.bool and given[0][1].tensor.dim() == 1:
            given = [(given[0][0], Constant(given[0][1].tensor.nonzero().squeeze(1)))]
        self.dims = [dim for dim, _ in given]
        self.rest = [d for d in range(len(shape)) if d not in self.dims]
        self.ids = self._ids([index for _, index in given])
        # The dimensions of the index stand where those that it indexes did if these were together, else in front.
        together = self.dims == list(range(self.dims[0], self.dims[0] + len(self.dims)))
        self.front = self.dims[0] if together else 0

    def _ids(self, indices) -> Value:
        sizes = [self.shape[d] for d in self.dims]
        if all(isinstance(i, Constant) and i.tensor.dtype != torch.bool for i in indices):
            whole = torch.zeros((), dtype=torch.int64)
            for size, index in zip(sizes, indices):
                whole = whole * size + index.tensor.long() % size  # a negative index counts from the end
            return self.lower.materialize(Constant(whole))
        values = [self.lower.materialize(Constant(i.tensor.long()) if isinstance(i, Constant) else i) for i in indices]
        if any(v.dtype != "i64" for v in values):
            raise self.lower.unsupported(f"its indices have element types {', '.join(v.dtype for v in values)}", "use int64")
        if len(values) == 1:
            return values[0]
        words = "x0" + "".join(f" {size} mul x{i + 1} add" for i, size in enumerate(sizes[1:]))
        return self.lower.emit("map", values, {"expression": words, "element": "i64"}, torch.broadcast_shapes(*(v.shape for v in values)), (), "i64")

    @property
    def rows(self) -> int:
        return torch.Size([self.shape[d] for d in self.dims]).numel()

    @property
    def columns(self) -> list[int]:
        return [self.shape[d] for d in self.rest]

    def table(self, value: Value) -> Value:
        turned = self.lower.transpose(value, [*self.dims, *self.rest])
        return self.lower.reshape(turned, (self.rows, torch.Size(self.columns).numel()), ())

    def from_table(self, table: Value) -> Value:
        order = [*self.dims, *self.rest]
        whole = self.lower.reshape(table, [self.shape[d] for d in order], ())
        return self.lower.transpose(whole, [order.index(d) for d in range(len(order))])

    def _order(self) -> list[int]:
        """Where the result of indexing finds its dimensions among those of the index and the columns."""
        rank, columns = self.ids.rank, len(self.rest)
        return [rank + d for d in range(self.front)] + list(range(rank)) + [rank + d for d in range(self.front, columns)]

    def take(self, value: Value) -> Value:
        single = converted(self.lower, value, "f32")
        picked = self.lower.reshape(emit_embedding(self.lower, self.table(single), self.ids), (*self.ids.shape, *self.columns), ())
        return converted(self.lower, self.lower.transpose(picked, self._order()), value.dtype)

    def result_rows(self, value, shape) -> Value:
        """What has the shape of the result, as rows for each index."""
        value = self.lower.materialize(value)
        if value.shape != tuple(shape):
            value = self.lower.emit("map", [value], {"expression": "x0", "shape": list(shape), **_element(value.dtype)}, shape, (), value.dtype)
        order = self._order()
        rows = self.lower.transpose(value, [order.index(d) for d in range(len(order))])
        return self.lower.reshape(rows, (torch.Size(self.ids.shape).numel(), torch.Size(self.columns).numel()), ())

    def result_shape(self) -> tuple:
        whole = [*self.ids.shape, *self.columns]
        return tuple(whole[d] for d in self._order())


def _element(dtype: str) -> dict:
    return {} if dtype == "f32" else {"element": dtype}


@joint_lowering("aten.index.Tensor", "aten._unsafe_index.Tensor")
def _index(lower, node, value, indices):
    value = lower.materialize(value)
    blocks = _nearest_blocks(value.shape, indices)
    if blocks and value.dtype == "f32":
        return _enlarged(lower, value, blocks)
    return Indexed(lower, value.shape, indices).take(value)


@joint_lowering("aten.index_select.default")
def _index_select(lower, node, value, dim, index):
    value = lower.materialize(value)
    return Indexed(lower, value.shape, [None] * (dim % value.rank) + [index]).take(value)


@joint_lowering("aten.flip.default")
def _flip(lower, node, value, dims):
    value = lower.materialize(value)
    for dim in dims:
        dim %= value.rank
        backwards = Constant(torch.arange(value.shape[dim] - 1, -1, -1))
        value = Indexed(lower, value.shape, [None] * dim + [backwards]).take(value)
    return value


@joint_lowering("aten.index_put.default", "aten._unsafe_index_put.default")
def _index_put(lower, node, value, indices, source, accumulate=False):
    if len(indices) == 1 and indices[0] is not None and node.args[1][0].meta["val"].dtype == torch.bool and not accumulate:
        return _put_where(lower, node, value, indices[0], source)
    return _put(lower, node, value, indices, source, node.args[2].meta["val"].shape, accumulate)


def _put(lower, node, value, indices, source, source_shape, accumulate):
    shape, _, dtype = lower.node_type(node)
    blocks = _nearest_blocks(shape, indices)
    if blocks and accumulate and is_zeros(value) and lower.materialize(source).shape == tuple(source_shape):
        return _shrunk(lower, lower.materialize(source), shape, blocks)
    place = Indexed(lower, shape, indices)
    rows = place.result_rows(source, place.result_shape())
    ids = lower.reshape(place.ids, (rows.shape[0],), ())
    if accumulate:
        sums = place.from_table(lower.emit("embedding_grad", [ids, rows], {"num_embeddings": place.rows}, (place.rows, rows.shape[1]), ()))
        return sums if is_zeros(value) else lower.emit("add", [value, sums])
    wide = lower.reshape(ids, (rows.shape[0], 1), ())
    if rows.shape[1] > 1:
        wide = lower.emit("map", [wide], {"expression": "x0", "element": "i64", "shape": list(rows.shape)}, rows.shape, (), "i64")
    base = [] if is_zeros(value) else [place.table(lower.materialize(value))]
    return place.from_table(lower.emit("scatter", [wide, rows, *base], {"axis": 0, "size": place.rows}, (place.rows, rows.shape[1]), (), dtype))


def _put_where(lower, node, value, mask, source):
    """Writes one number where a mask says so; more would need to know how many places there are."""
    if node.args[2].meta["val"].numel() != 1:
        raise lower.unsupported("it writes as many elements as its mask has", "use torch.where")
    mask, whole = lower.materialize(mask), node.meta["val"].dim()
    mask = lower.reshape(mask, (*mask.shape, *[1] * (whole - mask.rank)), ())
    return emit_map(lower, node, "x0 x1 x2 select", [mask, lower.reshape(source, (), ()), value])


@joint_lowering("aten.index_add.default")
def _index_add(lower, node, value, dim, index, source, alpha=1):
    if alpha != 1:
        raise lower.unsupported(f"alpha is {alpha}", "scale the source")
    indices = [None] * (dim % len(node.meta["val"].shape)) + [index]
    return _put(lower, node, value, indices, source, node.args[3].meta["val"].shape, accumulate=True)


# Nearest upsampling ---------------------------------------------------------------------------------------------------


def _nearest_blocks(shape, indices) -> dict:
    """Dimension -> how often each element is repeated, where this is what the indices say, else nothing."""
    given = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    blocks = {}
    for place, (dim, index) in enumerate(given):
        if not isinstance(index, Constant) or dim != given[0][0] + place:
            return {}
        spread = [1] * len(given)
        spread[place] = -1
        size = index.tensor.numel()
        if size % shape[dim] or not torch.equal(index.tensor, (torch.arange(size) // (size // shape[dim])).reshape(spread[place:])):
            return {}
        blocks[dim] = size // shape[dim]
    return blocks


def _cut_blocks(shape, blocks: dict) -> tuple[list, list]:
    """The shape with a dimension of repetitions behind each that has them, and where these are."""
    cut, places = [], []
    for dim, size in enumerate(shape):
        cut.append(size)
        if blocks.get(dim, 1) > 1:
            places.append(len(cut))
            cut.append(blocks[dim])
    return cut, places


def _enlarged(lower, value: Value, blocks: dict) -> Value:
    cut, places = _cut_blocks(value.shape, blocks)
    wide = value if not places else lower.emit("broadcast", [value], {"dims": places, "sizes": [cut[p] for p in places]}, cut)
    return lower.reshape(wide, [size * blocks.get(dim, 1) for dim, size in enumerate(value.shape)], ())


def _shrunk(lower, grad: Value, shape, blocks: dict) -> Value:
    """The gradient of _enlarged."""
    cut, places = _cut_blocks(shape, blocks)
    grad = lower.reshape(grad, cut, ())
    return grad if not places else lower.emit("reduce_sum", [grad], {"dims": places}, shape, ())


# Places along one dimension -------------------------------------------------------------------------------------------


def _cropped(lower, value, shape, dim: int) -> Value:
    """The first elements of each dimension but `dim`, as many as `shape` has."""
    value = lower.materialize(value)
    for d, size in enumerate(shape):
        if d != dim and value.shape[d] != size:
            value = emit_slice(lower, value, d, 0, size)
    return value


@joint_lowering("aten.gather.default")
def _gather(lower, node, value, dim, index, **_):
    index = lower.materialize(index)
    dim %= max(index.rank, 1)
    value = _cropped(lower, value, index.shape, dim)
    return lower.emit("gather", [value, index], {"axis": dim}, index.shape, (), value.dtype)


def _in_corner(lower, value, shape, corner: Value, dim: int) -> Value:
    """`value` of `shape` with `corner` in the place of its first elements; an index may be smaller than what it writes into."""
    smaller = [d for d in range(len(shape)) if d != dim and corner.shape[d] != shape[d]]
    if not smaller:
        return corner
    if is_zeros(value) and corner.dtype == "f32":
        for d in smaller:
            corner = padded(lower, corner, d, 0, shape[d] - corner.shape[d], 0)
        return corner
    value, d = lower.materialize(value), smaller[0]
    count = corner.shape[d]
    head = _in_corner(lower, emit_slice(lower, value, d, 0, count), (*shape[:d], count, *shape[d + 1:]), corner, dim)
    return lower.emit("concat", [head, emit_slice(lower, value, d, count, shape[d] - count)], {"dim": d}, shape, (), corner.dtype)


def _scattered(lower, node, value, dim: int, index, source, op: str) -> Value:
    shape, _, _ = lower.node_type(node)
    index = lower.materialize(index)
    dim %= max(len(shape), 1)
    source = _cropped(lower, source, index.shape, len(shape))
    corner = (*index.shape[:dim], shape[dim], *index.shape[dim + 1:])
    base = [] if op == "gather_grad" or is_zeros(value) else [_cropped(lower, value, corner, dim)]
    put = lower.emit(op, [index, source, *base], {"axis": dim, "size": shape[dim]}, corner, (), source.dtype)
    return _in_corner(lower, Constant(torch.zeros(()).expand(shape)) if op == "gather_grad" else value, shape, put, dim)


@joint_lowering("aten.scatter.src", "aten.scatter.value")
def _scatter(lower, node, value, dim, index, source):
    if _number(source) is not None or isinstance(source, bool):
        number = source.tensor.item() if isinstance(source, Constant) else source
        source = Constant(torch.full((), number, dtype=node.meta["val"].dtype).expand(node.args[2].meta["val"].shape))
    return _scattered(lower, node, value, dim, index, source, "scatter")


@joint_lowering("aten.scatter_add.default")
def _scatter_add(lower, node, value, dim, index, source):
    sums = _scattered(lower, node, value, dim, index, converted(lower, source, "f32"), "gather_grad")
    sums = converted(lower, sums, lower.node_type(node)[2])
    return sums if is_zeros(value) else emit_map(lower, node, "x0 x1 add", [value, sums])


# The largest elements -------------------------------------------------------------------------------------------------


def _ordered(lower, value, k: int, dim: int, largest: bool) -> list[Value]:
    """Values, of the type of `value`, and positions."""
    value = lower.materialize(value)
    single = converted(lower, value, "f32")
    shape = (*value.shape[:dim], k, *value.shape[dim + 1:])
    attributes = {"axis": dim, "k": k, **({} if largest else {"smallest": Unit()})}
    values, indices = lower.emit("topk", [single], attributes, outputs=[("", shape, (), "f32"), (".indices", shape, (), "i64")])
    return [converted(lower, values, value.dtype), indices]


@joint_lowering("aten.topk.default")
def _topk(lower, node, value, k, dim=-1, largest=True, sorted=True):
    value = lower.materialize(value)
    if value.rank == 0:
        return [value, Constant(torch.zeros((), dtype=torch.int64))]
    return _ordered(lower, value, k, dim % value.rank, largest)


@joint_lowering("aten.sort.default")
def _sort(lower, node, value, dim=-1, descending=False):
    value = lower.materialize(value)
    return _ordered(lower, value, value.shape[dim % value.rank], dim % value.rank, descending)


@joint_lowering("aten.sort.stable")
def _sort_stable(lower, node, value, *, stable=None, dim=-1, descending=False):
    return _sort(lower, node, value, dim, descending)


@joint_lowering("aten.argsort.default", "aten.argsort.stable")
def _argsort(lower, node, value, dim=-1, descending=False, **named):
    return _sort(lower, node, value, named.get("dim", dim), named.get("descending", descending))[1]


def _extreme(largest: bool):
    def along(lower, node, value, dim, keepdim=False):
        value = lower.materialize(value)
        results = _ordered(lower, value, 1, dim % value.rank, largest)
        return [lower.reshape(r, lower.value_type(v)[0], ()) for r, v in zip(results, node.meta["val"])]

    def position(lower, node, value, dim=None, keepdim=False):
        value = lower.materialize(value)
        if dim is None:
            value, dim = lower.reshape(value, (torch.Size(value.shape).numel(),), ()), 0
        return lower.reshape(_ordered(lower, value, 1, dim % value.rank, largest)[1], lower.node_type(node)[0], ())

    def alone(lower, node, value, dims=(), keepdim=False):
        value = lower.materialize(value)
        dims = sorted(d % value.rank for d in dims) if dims else list(range(value.rank))
        order = [d for d in range(value.rank) if d not in dims] + dims
        kept = [value.shape[d] for d in order[:value.rank - len(dims)]]
        rows = lower.reshape(lower.transpose(value, order), (*kept, torch.Size(value.shape[d] for d in dims).numel()), ())
        return lower.reshape(_ordered(lower, rows, 1, len(kept), largest)[0], lower.node_type(node)[0], ())

    return along, position, alone


for _name, _largest in (("max", True), ("min", False)):
    _along, _position, _alone = _extreme(_largest)
    joint_lowering(f"aten.{_name}.dim")(_along)
    joint_lowering(f"aten.arg{_name}.default")(_position)
    joint_lowering(f"aten.a{_name}.default", f"aten.{_name}.default")(_alone)


# Sums -----------------------------------------------------------------------------------------------------------------


@joint_lowering("aten.cumsum.default")
def _cumsum(lower, node, value, dim, dtype=None):
    kind = lower.node_type(node)[2]
    single = converted(lower, value, "f32")
    if single.rank == 0:
        return converted(lower, single, kind)
    return converted(lower, lower.emit("cumsum", [single], {"axis": dim % single.rank}), kind)


def _quantified(expression: str):
    """Whether the count of elements that are not 0 is what `expression` says."""

    def lower_it(lower, node, value, dims=None, keepdim=False):
        value = lower.materialize(value)
        dims = [dims] if isinstance(dims, int) else dims
        dims = sorted(d % value.rank for d in dims) if dims else list(range(value.rank))
        ones = lower.emit("map", [value], {"expression": "x0 0 ne"}, value.shape, ())
        shape = lower.node_type(node)[0]
        count = lower.emit("reduce_sum", [ones], {"dims": dims, **({"keepdims": Unit()} if keepdim else {})}, shape, ())
        return emit_map(lower, node, expression.format(torch.Size(value.shape[d] for d in dims).numel()), [count])

    return lower_it


joint_lowering("aten.any.default", "aten.any.dim", "aten.any.dims")(_quantified("x0 0 ne"))
joint_lowering("aten.all.default", "aten.all.dim", "aten.all.dims")(_quantified("x0 {} eq"))
