"""Emit: forward and backward modules that execute a schedule, run by run.

A value is released where its last reader is done: the generated code drops each name there, and the calling convention
("boxed") hands the arguments over."""

from __future__ import annotations

import operator

import numpy
import torch
from torch import fx
from torch._functorch._aot_autograd.descriptors import SavedForBackwardsAOTOutput
from torch.fx.graph import _BoxedCodeGen
from torch.utils._pytree import tree_leaves, tree_map

from . import in_place, operators
from .capture import COPIES, Role, is_scalar
from .errors import UnsupportedGraph
from .schedule import Schedule
from .trace import new_like


def _device(args, kwargs) -> torch.device:
    found = next((v.device for v in tree_leaves((args, kwargs)) if isinstance(v, torch.Tensor)), None)
    return found or torch.device(kwargs.get("device") or "cpu")


def _generator_state(device: torch.device) -> torch.Tensor:
    return torch.get_rng_state() if device.type == "cpu" else torch.cuda.get_rng_state(device)


def draw_and_save(target, *args, **kwargs):
    """(state of the generator, results): runs a random operator and saves what it drew from."""
    state = torch.empty(torch.get_rng_state().numel(), dtype=torch.uint8) if operators.is_fake() else _generator_state(_device(args, kwargs))
    return state, target(*args, **kwargs)


def draw_again(state, target, *args, **kwargs):
    """Runs a random operator from a saved state; the generator goes on as if it had not."""
    if operators.is_fake():
        return target(*args, **kwargs)  # the copy of the state that is put back is scratch
    device = _device(args, kwargs)
    present = _generator_state(device)
    put = torch.set_rng_state if device.type == "cpu" else lambda s: torch.cuda.set_rng_state(s, device)
    put(state)
    results = target(*args, **kwargs)
    put(present)
    return results


# Copies under way, by the address of what is written.
_under_way: dict[int, torch.cuda.Event] = {}
_streams: dict[tuple, torch.cuda.Stream] = {}


def _copy(source, into, device: torch.device, direction: str) -> None:
    """Copies beside what is computed on a CUDA device; on the CPU, which only tests, at once."""
    if device.type != "cuda":
        into.copy_(source)
        return
    stream = _streams.setdefault((device, direction), torch.cuda.Stream(device))
    stream.wait_stream(torch.cuda.current_stream(device))
    with torch.cuda.stream(stream):
        into.copy_(source, non_blocking=True)
        _under_way[into.data_ptr()] = stream.record_event()


def _wait(written, device: torch.device) -> None:
    event = _under_way.pop(written.data_ptr(), None) if device.type == "cuda" else None
    if event is not None:
        torch.cuda.current_stream(device).wait_event(event)


def offload(tensor):
    """Begins a copy to the host: pinned memory, or, of a tensor on the CPU, memory that PyTorch's allocator does not know."""
    size, stride, dtype = tensor.size(), tensor.stride(), tensor.dtype
    if operators.is_fake():
        return torch.empty_strided(size, stride, dtype=dtype, device="meta")  # no bytes of the device
    if tensor.device.type == "cuda":
        host = torch.empty_strided(size, stride, dtype=dtype, pin_memory=True)
    else:
        host = torch.from_numpy(numpy.empty(tensor.untyped_storage().nbytes(), numpy.uint8)).view(dtype).as_strided(size, stride)
    _copy(tensor, host, tensor.device, "out")
    return host


def left(host, tensor) -> None:
    """What comes later may take the bytes of `tensor`, which was copied to `host`."""
    if not operators.is_fake():
        _wait(host, tensor.device)


def reload(host, device: torch.device):
    """Begins a copy from the host; what takes the bytes of its result now must wait for it."""
    tensor = torch.empty_strided(host.size(), host.stride(), dtype=host.dtype, device=device)
    if not operators.is_fake():
        _copy(host, tensor, device, "in")
    return tensor


def arrived(tensor, host) -> None:
    """What comes later may read `tensor`, which was copied from `host`."""
    if not operators.is_fake():
        _wait(tensor, tensor.device)


def _with_form(function, values):
    """`function` that runs on fake tensors too, where it makes results of the form of `values`."""

    def run(*args, **kwargs):
        return tree_map(new_like, values) if operators.is_fake() else function(*args, **kwargs)

    return run


class _Part:
    """One module under construction: `env` has the fx node of each tensor that exists."""

    def __init__(self, schedule: Schedule):
        self.schedule, self.step = schedule, schedule.graph
        self.graph, self.env = fx.Graph(), {}
        self._attributes: dict[str, fx.Node] = {}
        self._scalars: dict[fx.Node, fx.Node] = {}

    def place_argument(self, like: fx.Node, name: str) -> None:
        """An argument of the joint graph."""
        if is_scalar(like):
            self._scalars[like] = self.graph.placeholder(name)
            self._scalars[like].meta = dict(like.meta)
        else:
            self.place(self.step.id(like), like, name)

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
        return self.scalar(node) if is_scalar(node) and not self.step.runs_for(node) else self.env[self.step.id(node)]

    def scalar(self, node: fx.Node) -> fx.Node:
        """A size, computed where it is first read."""
        if node not in self._scalars:
            self._scalars[node] = self.graph.node_copy(node, self._operand)
            self._scalars[node].meta = dict(node.meta)
        return self._scalars[node]

    def run(self, run) -> None:
        node = self.step.nodes[run.node]
        if node.role in COPIES:
            return self._copy(node)
        source, results = node.fx, list(run.makes)
        recomputation = operators.recomputation_of(source) if run.after_boundary else None
        if run.over in node.over:
            made = self.graph.call_function(*in_place.call_over(source, recomputation is not None, self.env[run.over], self._operand))
        elif recomputation:
            made = self.graph.call_function(recomputation.target, fx.node.map_arg(recomputation.arguments(source.args), self._operand))
        elif run.replays or node.draws in results:
            args, kwargs = fx.node.map_arg((source.args, source.kwargs), self._operand)
            state = (self.env[node.draws],) if run.replays else ()
            made = self.graph.call_function(draw_again if run.replays else draw_and_save, (*state, source.target, *args), kwargs)
        elif operators.is_region(source) or "sized" in source.meta:
            made = self.graph.call_function(_with_form(source.target, source.meta["val"]), *fx.node.map_arg((source.args, source.kwargs), self._operand))
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
                self.env[t].meta |= {"symbolic": self.step.value(t, "symbolic")} if "symbolic" in source.meta else {}

    def _copy(self, node) -> None:
        given = [self.env[t] for t in node.inputs]
        if node.role is Role.OFFLOAD:
            made = self.graph.call_function(offload, (given[0],))
        elif node.role is Role.RELOAD:
            made = self.graph.call_function(reload, (given[0], self.step.value(node.outputs[0]).device))
        else:
            self.graph.call_function(*((left, (given[1], given[0])) if node.role is Role.LEFT else (arrived, (given[0], given[1]))))
            return
        self.env[node.outputs[0]] = made
        made.meta = {"val": self.step.value(node.outputs[0])}

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
        forward.place_argument(p, p.name)
    for run in schedule.runs[: schedule.cut]:
        forward.run(run)
    saved = _saved(schedule)
    missing = [graph.tensors[t].name for t in saved if t not in forward.env]
    if missing:
        raise UnsupportedGraph(f"'{missing[0]}' is read by the backward and not made before it")
    tuples = [o if not isinstance(o, fx.Node) else forward._operand(o) for o in graph.forward_outputs]
    descriptors = [*graph.descriptors[0], *(SavedForBackwardsAOTOutput(i) for i in range(len(saved) + len(graph.sizes)))]
    # AOTAutograd wants sizes after the saved tensors, and gives them to the backward before these.
    made = forward.finish([*tuples, *(forward.env[t] for t in saved), *map(forward.scalar, graph.sizes)], descriptors, graph.joint)
    for size in graph.sizes:
        backward.place_argument(size, size.name)
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


def emit_whole(schedule: Schedule) -> fx.GraphModule:
    """Module of a whole step, with the inputs and the structure of outputs of the graph that was planned."""
    graph, part = schedule.graph, _Part(schedule)
    for p in graph.primals:
        part.place_argument(p, p.target)
    for run in schedule.runs:
        if graph.nodes[run.node].role is not Role.END:
            part.run(run)
    output = graph.joint.graph.output_node()
    part.graph.output(fx.node.map_arg(output.args[0], part._operand)).meta = dict(output.meta)
    part.graph.set_codegen(graph.joint.graph._codegen)
    return fx.GraphModule(graph.joint, part.graph)


def boxed(module: fx.GraphModule):
    """Callable on a list of arguments that it empties; each argument and value is released after its last reader."""
    module.graph.set_codegen(_BoxedCodeGen())
    module.recompile()

    def call(arguments):
        return module.forward(arguments)

    call._boxed_call = True
    return call
