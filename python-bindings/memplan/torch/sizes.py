"""Sizes: dimensions that depend on values, such as how many rows the experts of this rank are given.

A plan has the bytes of each tensor where its dimensions are the largest that they may be, and the time of one choice of sizes for which all holds that
the graph says of them. Where the step runs, each dimension is compared with its limit as soon as it is known. So no tensor takes more than planned."""

from __future__ import annotations

import math
import operator

import sympy
import torch
from torch import fx
from torch.fx.experimental.symbolic_shapes import CallMethodKey
from torch.utils._pytree import SequenceKey, tree_leaves, tree_map
from torch.utils._sympy.interp import sympy_interp
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.reference import PythonReferenceAnalysis
from torch.utils._sympy.value_ranges import ValueRanges, bound_sympy

from .errors import BudgetError, UnsupportedGraph
from .operators import is_fake
from .trace import is_symbolic, value_where

aten = torch.ops.aten


def read_number(tensor: torch.Tensor, planned: int | float) -> int | float:
    """The number in `tensor`; what was planned for where no values are."""
    return planned if is_fake() else tensor.item()


@fx.has_side_effect
def at_most(size: int, extent: int, limit: int, name: str) -> int:
    """`size`, the last that is needed to know `extent`. Raises BudgetError where that is above what was planned for."""
    if extent > limit:
        raise BudgetError(f"'{name}' is {extent} in this step, and its plan is for at most {limit}: give plan_graph a larger one in largest=")
    return size


def _expression(size):
    return size.node.expr if isinstance(size, torch.SymInt) else sympy.Integer(size)


def _tensors(node: fx.Node) -> list[torch.Tensor]:
    return [v for v in tree_leaves(node.meta.get("val")) if isinstance(v, torch.Tensor)]


class _Sizes:
    """Sizes of one graph that are not known: where each symbol is read, and which dimensions of storages depend on them."""

    def __init__(self, gm: fx.GraphModule):
        self._gm, self.roots, self.dimensions, self.facts, self.found = gm, {}, {}, [], False
        symbols, storages = set(), set()
        for node in gm.graph.nodes:
            for value in tree_leaves(node.meta.get("val")):
                if isinstance(value, torch.SymInt):
                    symbols |= value.node.expr.free_symbols
                    self.environment = value.node.shape_env
                self.found = self.found or isinstance(value, (torch.SymInt, torch.SymFloat))
            for tensor in filter(is_symbolic, _tensors(node)):
                sizes = [size for size in tensor.size() if isinstance(size, torch.SymInt)]
                symbols |= {s for size in sizes for s in size.node.expr.free_symbols}
                if sizes and tensor.untyped_storage()._cdata not in storages:
                    storages.add(tensor.untyped_storage()._cdata)
                    self.dimensions |= {size.node.expr: self.dimensions.get(size.node.expr, node) for size in sizes}
                    self.environment = sizes[0].node.shape_env
        self.symbols = sorted(symbols, key=str)
        if self.symbols:
            self.facts = [fact.expr for facts in self.environment.deferred_runtime_asserts.values() for fact in facts]
        equal = [(a, b) for fact in self.facts if isinstance(fact, sympy.Eq) for a, b in (fact.args, fact.args[::-1])]
        self.sums = {size: int(number) for size, number in equal if number.is_Integer}

    def limits(self, largest) -> dict:
        """{dimension: largest that it may be}, from what is known of them and `largest`. Raises UnsupportedGraph where one has none."""
        given = largest if isinstance(largest, dict) else {}
        unknown = [name for name in given if name not in {str(d) for d in (*self.dimensions, *self.symbols)}]
        if unknown:
            raise UnsupportedGraph(f"largest names '{unknown[0]}'; sizes that depend on values are {self._names(self.dimensions) or 'none'}")
        made, missing = {}, []
        for dimension in self.dimensions:
            every = largest if isinstance(largest, int) and dimension not in self.sums else None
            limits = [self.sums.get(dimension), given.get(str(dimension)), every, self._most(dimension, lambda s: given.get(str(s), self._upper(s)))]
            limit = min((n for n in limits if n is not None), default=None)
            missing += [dimension] if limit is None else []
            made[dimension] = limit
        if missing:
            what = ", ".join(f"'{d}' of '{self.dimensions[d]}'" for d in missing)
            raise UnsupportedGraph(f"sizes depend on values: {what}; say how large they may be: largest={{'{missing[0]}': 1024}}, or one number for all")
        return made

    def assign(self, limits: dict) -> dict:
        """{symbol: size} for which all that the graph says of sizes holds: sums as large as `limits` say where nothing says what they are, shared evenly."""
        values: dict = {}
        for sizes in (self.sums, limits):
            for expression, total in sorted(sizes.items(), key=lambda item: (len(item[0].free_symbols), str(item[0]))):
                self._share(expression, total, limits, values)
        values |= {s: self._lower(s) for s in self.symbols if s not in values}
        values = {symbol: sympy.Integer(value) for symbol, value in values.items()}
        wrong = next((f for f in self.facts if f.xreplace(values) == sympy.false), None)
        if wrong is not None:
            raise UnsupportedGraph(f"no sizes up to those of largest= were found for which '{wrong}' holds, as the graph says; choose others")
        return values

    def _share(self, expression, total: int, limits: dict, values: dict) -> None:
        """Gives the symbols of a sum that have no value yet even shares of what is left of `total`, none above its own limit."""
        free = sorted(expression.free_symbols - values.keys(), key=lambda s: (limits.get(s, math.inf), str(s)))
        rest = total - int(expression.xreplace({s: sympy.Integer(values.get(s, 0)) for s in expression.free_symbols}))
        for left, symbol in zip(range(len(free), 0, -1), free):
            factor = expression.coeff(symbol)
            factor = int(factor) if factor.is_Integer and factor > 0 else 1
            share = max(0, rest) // (factor * left)
            values[symbol] = max(self._lower(symbol), min(share, limits.get(symbol, share)))
            rest -= factor * values[symbol]

    def most_bytes(self, tensor: torch.Tensor, limits: dict, values: dict) -> int:
        """Bytes of the storage of a tensor where each of its dimensions is at its limit."""
        storage = _expression(tensor.untyped_storage().nbytes())
        if sympy.expand(storage - _expression(tensor.numel()) * tensor.element_size()) == 0:
            return math.prod(int(limits.get(e, e.xreplace(values))) for e in map(_expression, tensor.size())) * tensor.element_size()
        return self._most(storage, lambda s: limits.get(s, max(limits.values())))

    def replace(self, values: dict, limits: dict) -> None:
        """Has the graph compute sizes from what each symbol is read from, and compare them with `limits`; `values` are those that fake tensors get."""
        for node in list(self._gm.graph.nodes):
            if "val" in node.meta:
                node.meta["symbolic"] = node.meta["val"]
                node.meta["most_bytes"] = tree_map(lambda v: self.most_bytes(v, limits, values) if isinstance(v, torch.Tensor) and is_symbolic(v) else 0, node.meta["val"])
            for symbol, path in (node.meta.get("unbacked_bindings") or {}).items():
                self.roots.setdefault(symbol, self._root(node, symbol, path, values))
            if node.op == "placeholder":
                self._read_argument(node)
            elif isinstance(node.meta.get("val"), torch.SymInt) and any(map(_tensors, node.all_input_nodes)) and node not in self.roots.values():
                with self._gm.graph.inserting_before(node):
                    node.replace_all_uses_with(self._computed(node.meta["val"].node.expr))
                self._gm.graph.erase_node(node)
        unread = [s for s in self.symbols if s not in self.roots]
        if unread:
            raise UnsupportedGraph(f"size '{unread[0]}' is read from no operator of the graph; make it an argument, or trace with static shapes")
        order = {node: place for place, node in enumerate(self._gm.graph.nodes)}
        last = {d: max(d.free_symbols, key=lambda s: order[self.roots[s]]) for d in limits}
        for dimension, symbol in last.items():
            self._guard(dimension, symbol, limits[dimension])

    # ---- one symbol

    def _names(self, expressions) -> str:
        return ", ".join(f"'{e}'" for e in expressions)

    @staticmethod
    def _known(bound) -> int | None:
        return int(bound) if bound.is_Integer and int(bound) < 1 << 62 else None

    def _upper(self, symbol) -> int | None:
        return self._known(self.environment.var_to_range[symbol].upper) if symbol in self.environment.var_to_range else None

    def _lower(self, symbol) -> int:
        lower = self.environment.var_to_range[symbol].lower if symbol in self.environment.var_to_range else sympy.Integer(0)
        return max(0, int(lower)) if lower.is_Integer else 0

    def _most(self, expression, most_of) -> int | None:
        """The most that `expression` can be where no symbol is above what `most_of` says; None where it has no limit."""
        uppers = {s: most_of(s) for s in expression.free_symbols}
        ranges = {s: ValueRanges(self._lower(s), int_oo if u is None else max(u, self._lower(s))) for s, u in uppers.items()}
        return self._known(bound_sympy(expression, ranges).upper)

    def _root(self, node: fx.Node, symbol, path, values: dict) -> fx.Node:
        """What reads a symbol that the results of `node` bring up, by the path of PyTorch to it."""
        if node.target is aten._local_scalar_dense.default:
            node.target, node.args = read_number, (node.args[0], int(values[symbol]) if symbol in values else 1.0)
            return node
        node.meta["sized"] = tree_map(lambda v: value_where(v, values), node.meta["val"])
        made, keys = node, list(path)
        if isinstance(keys[0], SequenceKey):
            made = next((u for u in node.users if u.target is operator.getitem and u.args[1] == keys[0].idx), None)
            keys.pop(0)
        if made is None or len(keys) != 2 or keys[0] != CallMethodKey("size"):
            raise UnsupportedGraph(f"'{node}' has a size that depends on values and cannot be read: {path}")
        with self._gm.graph.inserting_after(made):
            return self._mark(self._gm.graph.call_function(aten.sym_size.int, (made, keys[1].idx)))

    def _read_argument(self, place: fx.Node) -> None:
        value, last = place.meta.get("val"), self._gm.graph.find_nodes(op="placeholder")[-1]
        if isinstance(value, torch.SymInt) and value.node.expr.is_Symbol:
            self.roots.setdefault(value.node.expr, place)
        for at, size in enumerate(value.size() if isinstance(value, torch.Tensor) else ()):
            if isinstance(size, torch.SymInt) and size.node.expr.is_Symbol and size.node.expr not in self.roots:
                with self._gm.graph.inserting_after(last):
                    self.roots[size.node.expr] = self._mark(self._gm.graph.call_function(aten.sym_size.int, (place, at)))

    @staticmethod
    def _mark(node: fx.Node) -> fx.Node:
        node.meta["symbolic"] = None
        return node

    def _computed(self, expression) -> fx.Node:
        """A node that computes `expression` from the roots of its symbols, where nodes are inserted now."""
        reads = {symbol: fx.Proxy(self.roots[symbol]) for symbol in expression.free_symbols}
        return sympy_interp(PythonReferenceAnalysis, reads, expression).node

    def _guard(self, dimension, symbol, limit: int) -> None:
        """Has all that reads `symbol`, the last of a dimension, wait until the dimension was compared with `limit`."""
        root = self.roots[symbol]
        users = list(root.users)
        with self._gm.graph.inserting_before(root.next):
            checked = self._mark(self._gm.graph.call_function(at_most, (root, self._computed(dimension), limit, str(dimension))))
        for user in users:
            user.replace_input_with(root, checked)
        self.roots[symbol] = checked


def plan_for(gm: fx.GraphModule, largest: int | dict[str, int] | None) -> dict[str, int]:
    """{dimension: largest that is planned for} of the sizes of `gm` that depend on values or on its inputs, as their symbols say. The graph is changed: it
    compares them when it runs, and its fake values are of these sizes. Raises UnsupportedGraph."""
    sizes = _Sizes(gm)
    limits = sizes.limits(largest)
    if not sizes.found and not limits:
        return {}
    values = sizes.assign(limits)
    for place in gm.graph.find_nodes(op="placeholder"):
        place.meta["fixed"] = value_where(place.meta["val"], values) if "val" in place.meta else None
    sizes.replace(values, limits)
    for place in gm.graph.find_nodes(op="placeholder"):
        place.meta["val"] = place.meta.pop("fixed")
    return {str(dimension): limit for dimension, limit in limits.items()}
