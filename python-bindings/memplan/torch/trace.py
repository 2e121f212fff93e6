"""Trace: the joint forward and backward graph of a step on fake tensors. No kernel runs and nothing is allocated."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from unittest import mock

import sympy
import torch
from torch import fx
from torch._functorch.aot_autograd import aot_function, make_boxed_func
from torch._guards import detect_fake_mode
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._pytree import tree_map

from . import operators
from .errors import UnsupportedGraph


@dataclasses.dataclass
class Joint:
    """Joint graph and what AOTAutograd tells a partitioner about it. `static` are positions of parameters and buffers."""

    module: fx.GraphModule
    inputs: object
    forward_outputs: int
    static: tuple[int, ...]
    mode: FakeTensorMode


class _Traced(BaseException):
    """Ends a trace once the joint graph is there."""


def fake(mode: FakeTensorMode, value):
    """Fake tensor like `value`, which may lie on the device "meta"; other values stay."""
    if not isinstance(value, torch.Tensor) or isinstance(value, FakeTensor):
        return value
    if value.device.type == "meta":
        with mode:
            made = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device="cpu")
        return made.requires_grad_(value.requires_grad)
    return mode.from_tensor(value)


def trace_joint(module: torch.nn.Module, inputs, loss=None, mode: FakeTensorMode | None = None, kwargs: dict | None = None) -> Joint:
    """Joint graph of `loss(module(*inputs[:-1]), inputs[-1])`, or of `module(*inputs)` where no loss is given.

    Parameters, buffers and inputs may be real, fake or on the device "meta"."""
    mode, found = mode or FakeTensorMode(), {}
    tied = {id(p): fake(mode, p) for p in (*module.parameters(), *module.buffers())}
    parameters = {name: tied[id(p)] for name, p in module.named_parameters(remove_duplicate=False)}
    buffers = {name: tied[id(b)] for name, b in module.named_buffers(remove_duplicate=False)}

    def step(parameters, buffers, inputs, kwargs):
        call = inputs if loss is None else inputs[:-1]
        result = torch.func.functional_call(module, (parameters, buffers), tuple(call), kwargs, tie_weights=False)
        # Results of other kinds, such as caches of keys and values, have no place in a graph.
        return tree_map(lambda v: v if isinstance(v, (torch.Tensor, int, float, str)) else None, result) if loss is None else loss(result, inputs[-1])

    def partition(joint, joint_inputs, *, num_fwd_outputs, static_lifetime_input_indices=None, **_):
        found.update(module=joint, inputs=joint_inputs, forward_outputs=num_fwd_outputs)
        raise _Traced

    def compiler(graph, _):
        return make_boxed_func(graph.forward)

    try:
        # Code that asks whether it is compiled leaves out what depends on values.
        with torch.enable_grad(), mock.patch.object(torch.compiler, "_is_compiling_flag", True):
            given = tree_map(lambda v: fake(mode, v), (tuple(inputs), kwargs or {}))
            aot_function(step, fw_compiler=compiler, partition_fn=partition)(parameters, buffers, *given)
    except _Traced:
        pass
    if not found:
        raise ValueError("the step has no gradient: nothing in it requires one, or gradients are disabled")
    places = [p for p in found["module"].graph.find_nodes(op="placeholder") if not p.name.startswith("tangents")]
    held = {v.untyped_storage()._cdata for v in tied.values()}
    static = tuple(i for i, p in enumerate(places) if isinstance(v := p.meta.get("val"), torch.Tensor) and v.untyped_storage()._cdata in held)
    return Joint(static=static if static else tuple(range(len(tied))), mode=mode, **found)


def new_like(value):
    """A new tensor of the form of `value`; None for None."""
    return value if value is None else torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=value.device)


class Propagate(fx.Interpreter):
    """Gives each node its fake value, such that values share a storage where the real ones do. Passes over graphs lose that."""

    def __init__(self, gm, mode):
        super().__init__(gm)
        self._mode = mode

    def run_node(self, node):
        if node.op == "get_attr":
            value = fake(self._mode, super().run_node(node))
        elif (given := operators.given_result(node.target, node.args, node.kwargs)) is not None:
            value = self.env[given]
        elif operators.is_region(node):
            value = tuple(map(new_like, operators.region_values(node)))
        elif "sized" in node.meta:
            value = tree_map(new_like, node.meta["sized"])
        else:
            value = super().run_node(node)
        if node.op != "output":
            node.meta["val"] = value
        return value


def _scaled(size: torch.SymInt, scale: Fraction) -> dict:
    """{symbol of a size: `scale` times what it is now}."""
    now = size.node.shape_env.backed_var_to_val
    unknown = [s for s in size.node.expr.free_symbols if s not in now or (int(now[s]) * scale).denominator != 1]
    if unknown:
        raise UnsupportedGraph(f"size {size} is no multiple of the batch; compile with dynamic_batch=False (each shape is planned by itself)")
    return {s: sympy.Integer(int(int(now[s]) * scale)) for s in size.node.expr.free_symbols}


def value_where(value, sizes: dict | Callable[[torch.SymInt], dict]):
    """`value` with integers for the symbols of its sizes: {symbol: integer}, or what gives that for a size. A tensor gets a storage of its own."""

    def known(size) -> int:
        return int(size.node.expr.xreplace(sizes(size) if callable(sizes) else sizes)) if isinstance(size, torch.SymInt) else size

    if not isinstance(value, torch.Tensor) or not is_symbolic(value):
        return known(value)
    size, stride = ([known(s) for s in each] for each in (value.size(), value.stride()))
    with detect_fake_mode(value), torch.no_grad():
        whole = torch.empty(known(value.untyped_storage().nbytes()) // value.element_size(), dtype=value.dtype, device=value.device)
        return whole.as_strided(size, stride, known(value.storage_offset()))


def is_symbolic(value) -> bool:
    """Whether a size, or one of a tensor, has symbols."""
    sizes = (*value.size(), *value.stride(), value.storage_offset()) if isinstance(value, torch.Tensor) else (value,)
    return any(isinstance(size, torch.SymInt) for size in sizes)


def set_sizes(gm: fx.GraphModule, scale: Fraction) -> None:
    """Gives nodes of a graph with symbolic sizes the values that they have where all symbols are `scale` times what they are now.

    The symbolic values stay, as `symbolic` beside `val`. Graphs without symbols stay as they are."""
    places = gm.graph.find_nodes(op="placeholder")
    values = [p.meta["val"] for p in places]
    if not any(map(is_symbolic, values)):
        return
    for node in gm.graph.nodes:
        node.meta |= {"symbolic": node.meta["val"]} if "val" in node.meta else {}
    mode = detect_fake_mode(values)
    with mode, torch.no_grad():
        values = [value_where(value, lambda size: _scaled(size, scale)) for value in values]
        Propagate(gm, mode).run(*values, enable_io_processing=False)


def restore_symbols(*modules: fx.GraphModule) -> None:
    """Gives nodes back the symbolic values that `set_sizes` replaced."""
    for node in (n for m in modules for n in m.graph.nodes):
        if "symbolic" in node.meta:
            node.meta["val"] = node.meta.pop("symbolic")
