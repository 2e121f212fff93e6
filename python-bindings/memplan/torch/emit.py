"""Emit: forward and backward modules that execute a schedule, run by run.

A value is released where its last reader is done: the generated code drops each name there, and the calling convention
("boxed") hands the arguments over."""

from __future__ import annotations

import operator

import torch
from torch import fx
from torch._functorch._aot_autograd.descriptors import SavedForBackwardsAOTOutput
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.graph import _BoxedCodeGen
from torch.utils._python_dispatch import _get_current_dispatch_mode_stack
from torch.utils._pytree import tree_leaves

from . import operators
from .capture import Role
from .errors import UnsupportedGraph
from .schedule import Schedule


def _device(args, kwargs) -> torch.device:
    found = next((v.device for v in tree_leaves((args, kwargs)) if isinstance(v, torch.Tensor)), None)
    return found or torch.device(kwargs.get("device") or "cpu")


def _generator_state(device: torch.device) -> torch.Tensor:
    if any(isinstance(m, FakeTensorMode) for m in _get_current_dispatch_mode_stack()):
        return torch.empty(torch.get_rng_state().numel(), dtype=torch.uint8)
    return torch.get_rng_state() if device.type == "cpu" else torch.cuda.get_rng_state(device)


def draw_and_save(target, *args, **kwargs):
    """(state of the generator, results): runs a random operator and saves what it drew from."""
    return _generator_state(_device(args, kwargs)), target(*args, **kwargs)


def draw_again(state, target, *args, **kwargs):
    """Runs a random operator from a saved state; the generator goes on as if it had not."""
    device = _device(args, kwargs)
    present = _generator_state(device)
    put = torch.set_rng_state if device.type == "cpu" else lambda s: torch.cuda.set_rng_state(s, device)
    fake = any(isinstance(m, FakeTensorMode) for m in _get_current_dispatch_mode_stack())
    if not fake:
        put(state)
    results = target(*args, **kwargs)
    if not fake:
        put(present)
    return results


class _Part:
    """One module under construction: `env` has the fx node of each tensor that exists."""

    def __init__(self, schedule: Schedule):
        self.schedule, self.step = schedule, schedule.graph
        self.graph, self.env = fx.Graph(), {}
        self._attributes: dict[str, fx.Node] = {}

    def place(self, tensor: int, like: fx.Node, name: str) -> None:
        node = self.graph.placeholder(name)
        node.meta = dict(like.meta)
        if self.step.value(tensor) is not None:
            node.meta["val"] = self.step.value(tensor)
        self.env[tensor] = node

    def _operand(self, node: fx.Node) -> fx.Node:
        if node.op == "get_attr":
            if node.target not in self._attributes:
                self._attributes[node.target] = self.graph.get_attr(node.target)
                self._attributes[node.target].meta = dict(node.meta)
            return self._attributes[node.target]
        return self.env[self.step.id(node)]

    def run(self, run) -> None:
        node = self.step.nodes[run.node]
        source, results = node.fx, list(run.makes)
        rerun = operators.rerun_of(source) if run.after_boundary else None
        if rerun:
            made = self.graph.call_function(rerun.target, fx.node.map_arg(rerun.arguments(source.args), self._operand))
        elif run.replays or node.draws in results:
            args, kwargs = fx.node.map_arg((source.args, source.kwargs), self._operand)
            state = (self.env[node.draws],) if run.replays else ()
            made = self.graph.call_function(draw_again if run.replays else draw_and_save, (*state, source.target, *args), kwargs)
        else:
            made = self.graph.node_copy(source, self._operand)
        made.meta = {k: v for k, v in source.meta.items() if k != "recompute"}
        if node.draws in results:
            self.env[node.draws] = self._item(made, 0, self.step.value(node.draws))
            results.remove(node.draws)
            made = self._item(made, 1, source.meta["val"])
        for t in results:
            tensor = self.step.tensors[t]
            if tensor.source is not None:
                self.env[t] = made if tensor.index is None else self._item(made, tensor.index, self.step.value(t))

    def _item(self, made: fx.Node, index: int, value) -> fx.Node:
        item = self.graph.call_function(operator.getitem, (made, index))
        item.meta = {"val": value} if value is not None else {}
        return item

    def finish(self, values, descriptors, root) -> fx.GraphModule:
        output = self.graph.output(tuple(values))
        output.meta["desc"], output.meta["output_stack_traces"] = list(descriptors), [None] * len(values)
        return fx._lazy_graph_module._make_graph_module(root, self.graph)


def _saved(schedule: Schedule) -> list[int]:
    """Tensors that runs after the boundary read from before it, in the order of their first reader."""
    graph, made, saved = schedule.graph, set(schedule.runs[schedule.cut].makes), {}
    for run in schedule.runs[schedule.cut + 1 :]:
        if graph.nodes[run.node].role is Role.END:
            continue
        saved |= {t: None for t in run.reads if t not in made}
        made |= set(run.makes)
    saved |= {t: None for o in graph.backward_outputs for t in graph.ids(o) if t not in made}
    # AOTAutograd wants what autograd.Function objects stashed on their context at the end.
    late = {t for t in saved if (s := graph.tensors[t].source) is not None and s.meta.get("saved_tensor_with_no_vc_check")}
    return [t for t in saved if t not in late] + [t for t in saved if t in late]


def emit(schedule: Schedule) -> tuple[fx.GraphModule, fx.GraphModule]:
    """Forward and backward module, in AOTAutograd's calling convention for partitioned graphs."""
    graph = schedule.graph
    forward, backward = _Part(schedule), _Part(schedule)
    for p in graph.primals:
        forward.place(graph.id(p), p, p.name)
    for run in schedule.runs[: schedule.cut]:
        forward.run(run)
    saved = _saved(schedule)
    missing = [graph.tensors[t].name for t in saved if t not in forward.env]
    if missing:
        raise UnsupportedGraph(f"'{missing[0]}' is read by the backward and not made before it")
    tuples = [o if not isinstance(o, fx.Node) else forward.env[graph.id(o)] for o in graph.forward_outputs]
    descriptors = [*graph.descriptors[0], *(SavedForBackwardsAOTOutput(i) for i in range(len(saved)))]
    made = forward.finish([*tuples, *(forward.env[t] for t in saved)], descriptors, graph.joint)
    for t in saved:
        backward.place(t, forward.env[t], forward.env[t].name)
    for p in graph.tangents:
        backward.place(graph.id(p), p, p.name)
    for run in schedule.runs[schedule.cut + 1 :]:
        if graph.nodes[run.node].role is not Role.END:
            backward.run(run)
    gradients = [o if not isinstance(o, fx.Node) else backward.env[graph.id(o)] for o in graph.backward_outputs]
    for node in backward.graph.nodes:
        node.meta["autograd_backward"] = True
    return made, backward.finish(gradients, graph.descriptors[1], graph.joint)


def boxed(module: fx.GraphModule):
    """Callable on a list of arguments that it empties; each argument and value is released after its last reader."""
    module.graph.set_codegen(_BoxedCodeGen())
    module.recompile()

    def call(arguments):
        return module.forward(arguments)

    call._boxed_call = True
    return call
