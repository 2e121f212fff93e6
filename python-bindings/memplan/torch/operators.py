"""What memplan must know about single PyTorch operators: what they write, draw at random, cost, and how they run again."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable

import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

aten = torch.ops.aten


@dataclasses.dataclass(frozen=True)
class Recomputation:
    """Another operator with the same leading results, for runs after the step's inputs were overwritten."""

    target: Callable
    arguments: Callable  # of the first operator's arguments
    results: int  # how many leading results both operators share


# A batch norm that runs again must not read running statistics: they were updated once, as eager does.
_TRAINING = 5
RECOMPUTATIONS = {
    aten._native_batch_norm_legit_functional.default: Recomputation(
        aten._native_batch_norm_legit.no_stats, lambda a: (a[0], a[1], a[2], a[5], a[6], a[7]), 3
    ),
}


def recomputation_of(node: fx.Node) -> Recomputation | None:
    """How `node` runs again once its inputs were overwritten, or None where it runs as at first."""
    recomputation = RECOMPUTATIONS.get(node.target)
    return recomputation if recomputation and node.args[_TRAINING] is True else None


def is_operator(node: fx.Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload)


def is_fake() -> bool:
    """Whether what runs now has no values."""
    return any(isinstance(mode, FakeTensorMode) for mode in _get_current_dispatch_mode_stack())


def is_region(node: fx.Node) -> bool:
    """Whether `node` calls what torch.fx.passes.regional_inductor compiled of a part of the graph."""
    return node.op == "call_function" and getattr(node.target, "__globals__", {}).get("__name__") == "torch.fx.passes.regional_inductor"


# Higher-order operators that write nothing and draw nothing; what they call is looked at beside.
_PURE_HIGHER_ORDER = {"flex_attention", "flex_attention_backward"}


def _calls_pure_graphs(node: fx.Node) -> bool:
    called = [operator.attrgetter(a.target)(node.graph.owning_module) for a in node.all_input_nodes if a.op == "get_attr"]
    inner = [n for g in called if isinstance(g, fx.GraphModule) for n in g.graph.nodes if n.op == "call_function"]
    return not any(is_random(n) or not is_pure(n) for n in inner)


def may_repeat(node: fx.Node) -> bool:
    """Whether another run of `node` makes the same results, but for what it draws: operators do, attention over functions, and compiled regions."""
    if isinstance(node.target, torch._ops.HigherOrderOperator):
        return node.target.name() in _PURE_HIGHER_ORDER and _calls_pure_graphs(node)
    return is_operator(node) or is_region(node)


def region_values(node: fx.Node) -> tuple:
    """Fake values of a compiled region's results; None for one that nothing reads."""
    if node.meta.get("val") is not None:
        return tuple(node.meta["val"])
    found = {user.args[1]: user.meta.get("val") for user in node.users}
    return tuple(found.get(index) for index in range(max(found, default=-1) + 1))


def is_pure(node: fx.Node) -> bool:
    """Whether `node` has no effect but its results: an operator that writes nothing, or arithmetic of sizes."""
    return not is_operator(node) or not node.target._schema.is_mutable


def is_random(node: fx.Node) -> bool:
    return is_operator(node) and torch.Tag.nondeterministic_seeded in node.target.tags


COLLECTIVES = ("_c10d_functional", "c10d_functional", "c10d")


def is_collective(node: fx.Node) -> bool:
    """Whether all ranks run `node` together, or wait for such a run."""
    return is_operator(node) and node.target.namespace in COLLECTIVES


def is_wait(node: fx.Node) -> bool:
    """Whether `node` waits for a collective: it returns the tensor that it is given."""
    return is_collective(node) and node.target._opname == "wait_tensor"


# These copy what they are given, and work on the copy.
_COPIES_FIRST = ("all_reduce", "all_reduce_coalesced", "broadcast")


def reads_until_done(node: fx.Node) -> bool:
    """Whether a collective, or the one that `node` is a result of, reads its inputs until something has waited for it."""
    source = node.args[0] if node.target is operator.getitem else node
    return is_collective(source) and source.target._opname not in _COPIES_FIRST


def given_result(target, args, kwargs):
    """The argument that a collective returns: what it waits for, or writes into. None for others. Fake ones make a tensor of their own."""
    if getattr(target, "namespace", None) not in COLLECTIVES or not isinstance(target, torch._ops.OpOverload):
        return None
    return args[0] if target._opname == "wait_tensor" else kwargs.get("out")


def is_gather(node: fx.Node) -> bool:
    """Whether `node` gathers a sharded parameter, or waits for that."""
    source = node.args[0] if is_wait(node) else node
    return isinstance(source, fx.Node) and is_collective(source) and "all_gather" in source.target._opname


# Batch norms of graphs that are not functional: they overwrite running statistics, and their schemas do not say so.
_WRITES_STATISTICS = {aten.native_batch_norm.default, aten.cudnn_batch_norm.default, aten.miopen_batch_norm.default}


def written_arguments(node: fx.Node) -> list:
    """Arguments of `node` that it overwrites."""
    if node.target in _WRITES_STATISTICS and node.args[_TRAINING] is True:
        return [a for a in node.args[3:5] if a is not None]
    if not is_operator(node) or not node.target._schema.is_mutable:
        return []
    schema = node.target._schema.arguments
    marked = [a for a, s in zip(node.args, schema) if s.alias_info and s.alias_info.is_write]
    names = {s.name for s in schema if s.alias_info and s.alias_info.is_write}
    return tree_leaves(marked + [a for name, a in node.kwargs.items() if name in names])  # some write into lists


def drop_unread_statistics(joint: fx.GraphModule) -> None:
    """Takes running statistics from the arguments of batch norm's backward, which does not read them in training."""
    for node in joint.graph.nodes:
        if node.target is aten.native_batch_norm_backward.default and node.args[7] is True:
            node.args = (*node.args[:3], None, None, *node.args[5:])


def example_arguments(node: fx.Node) -> tuple[tuple, dict]:
    """Arguments of `node` with fake values in place of nodes."""

    def value(argument):
        return argument.meta.get("val") if isinstance(argument, fx.Node) else argument

    return fx.node.map_aggregate(node.args, value), fx.node.map_aggregate(node.kwargs, value)


def flops_of(target, args, kwargs, result) -> int:
    """Floating-point operations of a call, by PyTorch's own formulas; 0 where it has none."""
    formula = flop_registry.get(getattr(target, "overloadpacket", target))
    return 0 if formula is None else int(formula(*args, **kwargs, out_val=result))


def flops(node: fx.Node) -> int:
    """Floating-point operations of one run of `node`."""
    return flops_of(node.target, *example_arguments(node), node.meta.get("val"))


@dataclasses.dataclass(frozen=True)
class Roofline:
    """Time of an operator in microseconds: its FLOPs or its bytes at a device's peak rates, whichever takes longer."""

    flops_per_micro: float = 15.7e6  # V100, fp32: as --cost-model=roofline has it
    bytes_per_micro: float = 0.9e6
    link_bytes_per_micro: float = 0.025e6  # between ranks: 200 Gbit/s

    def micros(self, node: fx.Node) -> float:
        args, kwargs = example_arguments(node)
        if is_collective(node):
            return self._moved(args, kwargs, node.meta.get("val")) / self.link_bytes_per_micro
        return self.micros_of(node.target, args, kwargs, node.meta.get("val"))

    def micros_of(self, target, args, kwargs, result) -> float:
        """Time of a call of an operator that is no collective."""
        return max(flops_of(target, args, kwargs, result) / self.flops_per_micro, self._moved(args, kwargs, result) / self.bytes_per_micro)

    @staticmethod
    def _moved(*values) -> int:
        return sum(t.numel() * t.element_size() for t in tree_leaves(values) if isinstance(t, torch.Tensor))
