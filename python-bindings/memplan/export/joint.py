"""The joint-graph road: forward, loss and torch's own backward as one program.

The trace is the one that `memplan.torch` plans. Every operator with a counterpart becomes it, every other one becomes
`memplan.opaque`, so that each joint graph is a program that can be planned; what has no opaque operation can run as well.
The gradients are results of kind "gradient", in whose place `memplan-autodiff` puts the updates. The batch is a number here.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import operator
import re
from unittest import mock

import torch
from torch import fx
from torch._functorch._aot_autograd import graph_capture
from torch._functorch._aot_autograd.descriptors import GradAOTOutput, InputMutationAOTOutput
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import traceback as fx_traceback
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._pytree import tree_leaves

from ..torch import operators as torch_operators
from ..torch.trace import trace_joint
from .activations import gelu_as_one_operation
from .capture import Captured, Placeholder, StepModule, check_step, operator_name
from .doubles import Double, lower_double
from .errors import ExportError, UnsupportedOperatorError, cannot_trace
from .lower import Constant, Lowering
from .operators_attention import AttentionWithDropout
from .parts import parts_of
from .text import Argument, Result, Unit, Value

# Operators that give their operand as it is. Below autograd nothing is left to detach.
_SAME = {torch.ops.aten.detach.default, torch.ops.aten.alias.default, torch.ops.aten.lift_fresh_copy.default}
# How element types of torch are held: an int32 has kernels as int64 only, a boolean takes a byte, a complex number two numbers in one more dimension.
_TYPES = {torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int64: "i64",
          torch.int32: "i64", torch.int16: "i16", torch.int8: "i8", torch.uint8: "i8", torch.bool: "i8"}
# What kernels exist for.
_COMPUTED = {torch.float32, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.bool}
_COMPLEX = {torch.complex64: "f32", torch.complex128: "f64"}


# What memplan-autodiff calls the scale of the loss.
_LOSS_SCALE = "optimizer.loss_scale"


def trace_step(model: torch.nn.Module, inputs: dict, targets: dict, loss, attention_as_products: bool = False, scaled: bool = False, lines: bool = False) -> Captured:
    """The joint graph of one step. The examples fix the batch. `scaled`: its backward pass begins with a scale that is an argument, not with 1. `lines`: operators say
    the line that made them, which takes longer."""
    check_step(model, inputs, targets)
    tensors = {**inputs, **targets}
    step = _Step(model, loss, inputs)
    stack: list = []
    hooks = [h for name, module in model.named_modules() for h in _annotate(name, module, stack)]
    try:
        # Attention that is no operation of its own is taken apart into products and a softmax, which have counterparts.
        kinds = [SDPBackend.MATH] if attention_as_products else [SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]
        with _recording_lines(lines), fx_traceback.preserve_node_meta(), sdpa_kernel(kinds), \
                _without_kernels_of_networks(), gelu_as_one_operation(model), contextlib.nullcontext() if attention_as_products else AttentionWithDropout():
            # Tensors of the code that are neither inputs nor the module's own are constants.
            joint = trace_joint(step, tuple(tensors.values()), mode=FakeTensorMode(allow_non_fake_inputs=True))
    except ExportError:
        raise
    except Exception as error:
        raise cannot_trace("torch", error, "the step must run in PyTorch as it stands, with these examples") from error
    finally:
        for hook in hooks:
            hook.remove()
    return _read(joint, step, tensors, scaled)


@contextlib.contextmanager
def _recording_lines(wanted: bool):
    """Traces whose nodes have the lines of forward() that made them."""
    if not wanted:
        yield
        return
    with mock.patch.object(graph_capture, "make_fx", functools.partial(make_fx, record_stack_traces=True)):
        yield


@contextlib.contextmanager
def _without_kernels_of_networks():
    """Traces recurrent networks by their steps, which oneDNN has a kernel for the whole of."""
    enabled = torch._C._get_mkldnn_enabled()
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(enabled)


class _Step(StepModule):
    def forward(self, *tensors):
        value = super().forward(*tensors)
        if value.dim() != 0:
            raise ExportError(f"the loss has shape {tuple(value.shape)}, it must be a scalar")
        return value


def _annotate(name: str, module, stack: list):
    """Hooks that note the module of each operator; its backward gets the same note."""

    def enter(*_):
        stack.append(fx_traceback.current_meta.get("custom"))
        fx_traceback.current_meta["custom"] = {"module": name}

    def leave(*_):
        fx_traceback.current_meta["custom"] = stack.pop() or {}

    return module.register_forward_pre_hook(enter), module.register_forward_hook(leave, always_call=True)


def _written_by(value) -> str:
    return f" by {operator_name(value)}" if isinstance(value, fx.Node) and value.op == "call_function" else ""


def _read(joint, step, tensors: dict, scaled: bool) -> Captured:
    graph = joint.module.graph
    torch_operators.drop_unread_statistics(joint.module)
    for node in list(graph.nodes):
        if node.target in _SAME:
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)
    for node in graph.nodes:
        path = (node.meta.get("custom") or {}).get("module")
        node.meta["nn_module_stack"] = {"": (f"model.{path}" if path else "loss" if path is None else "model", None)}

    parameters = dict(step.named_parameters(remove_duplicate=False))
    buffers = dict(step.named_buffers(remove_duplicate=False))
    # The trace takes parameters, buffers and inputs one after the other, tied ones once.
    first = {}
    for path, tensor in [*parameters.items(), *buffers.items()]:
        first.setdefault(id(tensor), path.removeprefix("model."))
    names = [("parameter", first[id(t)], t) for t in parameters.values()] + [("buffer", first[id(t)], t) for t in buffers.values()]
    names += [("input", name, tensor) for name, tensor in tensors.items()]
    places = {n.meta["desc"]: n for n in graph.find_nodes(op="placeholder")}
    index = {desc: getattr(desc, "idx", None) for desc in places}
    placeholders, tangents = {}, []
    for desc, node in places.items():
        if index[desc] is None:
            tangents.append(node)
        else:
            placeholders[node] = Placeholder(*names[index[desc]])
    for node in graph.nodes:
        if node.op == "get_attr":
            placeholders[node] = Placeholder("constant", node.target, getattr(joint.module, node.target))
    for node in tangents:
        if scaled and (dtype := node.meta["val"].dtype) != torch.float32:
            raise ExportError(f"the loss is {dtype} and cannot be scaled; compute it in float32, as torch.autocast does")
        placeholders[node] = Placeholder("scale", _LOSS_SCALE, torch.ones(())) if scaled else Placeholder("constant", node.name, torch.ones(()))

    output = graph.output_node()
    gradients, mutations, loss = {}, {}, None
    for position, (value, desc) in enumerate(zip(output.args[0], output.meta["desc"])):
        if isinstance(desc, InputMutationAOTOutput):
            owner = placeholders[places[desc.mutated_input]]
            if owner.kind != "buffer":
                raise ExportError(f"the step writes into {owner.kind} '{owner.name}'{_written_by(value)}; only the optimizer may change parameters, and nothing "
                                  "the inputs: write into a copy, or into a buffer")
            mutations[owner.name] = value
        elif isinstance(desc, GradAOTOutput):
            owner = placeholders[places[desc.grad_of]]
            if owner.kind == "parameter" and isinstance(value, fx.Node):
                gradients.setdefault(owner.name, []).append(value)
        elif position < joint.forward_outputs:
            loss = value
    floating = {name: t for name, t in ((p.name, p.tensor) for p in placeholders.values()) if t.is_floating_point()}
    mutations = {name: value for name, value in mutations.items() if name in floating}
    unique = {first[id(t)]: t for t in parameters.values()}
    unique_buffers = {first[id(t)]: t for t in buffers.values()}
    modules = {path.removeprefix("model.") for path, module in step.named_modules() if not any(module.children())}
    nodes = [n for n in graph.nodes if n.op == "call_function"]
    captured = Captured(nodes, placeholders, loss, set(mutations), None, list(unique.items()), list(unique_buffers.items()), modules)
    captured.gradients, captured.mutations = gradients, mutations
    return captured


class JointLowering(Lowering):
    """The state of the export of one joint graph."""

    joint = True
    advice = ("opaque=True carries each of them as `memplan.opaque`, with its bytes and its cost: the step is planned and checked, but does not run here; `--emit-plan` "
              "has the plan for those who run it elsewhere")

    def __init__(self, captured, function, record, opaque: bool = True, progress=None, loss_scale: float | None = None):
        self.opaque, self._loss_scale = opaque, loss_scale
        self.versions: set = set()  # names of values that are new versions of a state
        super().__init__(captured, function, record, progress=progress)

    def _declare_buffers_without_values(self, by_name) -> None:
        # A buffer of a module on the meta device has no values: they must be given, as those of an input.
        for placeholder in self.captured.placeholders.values():
            if placeholder.kind == "buffer" and placeholder.tensor.device.type == "meta" and placeholder.name not in by_name:
                by_name[placeholder.name] = self._argument("input", placeholder.name, placeholder.tensor)
            if placeholder.kind == "scale":
                argument = Argument(_LOSS_SCALE, "state", _LOSS_SCALE, (), init=f"constant:{self._loss_scale:.17g}")
                by_name[_LOSS_SCALE] = self.function.add_argument(argument)

    def _shape_of_input(self, tensor) -> tuple:
        return tuple(tensor.shape)

    def _batch_mark(self) -> dict:
        return {}

    def _element_type(self, name, dtype, kind) -> str:
        if dtype in _TYPES and (kind == "input" or dtype == torch.float32):
            return _TYPES[dtype]
        return super()._element_type(name, dtype, kind)

    def _constant_type(self, tensor) -> str:
        return _TYPES[tensor.dtype] if tensor.dtype in _TYPES else super()._constant_type(tensor)

    def materialize(self, value):
        if isinstance(value, Double):
            return self._carried(value)
        if isinstance(value, Constant) and value.tensor.dtype == torch.int32:
            value = Constant(value.tensor.long())
        if isinstance(value, Constant) and value.tensor.dtype in _COMPLEX:
            value = Constant(torch.view_as_real(value.tensor.resolve_conj().contiguous()))
        if isinstance(value, Constant) and value.tensor.dtype == torch.float64:
            return self._carried_double(value.tensor)
        return super().materialize(value)

    def _carried(self, value: Double):
        """What an operator that must have it in f64 reads."""
        if not self.opaque:
            raise self.unsupported("it computes in float64, which has no kernels", "use real numbers: float32, bfloat16 or float16")
        reader, self.node = self.node, value.node
        self._carry(value.node)
        self.node = reader
        return self.values[value.node]

    def _carried_double(self, tensor):
        """An f64 constant, bit for bit: no kernel computes in f64, so that it is carried as the integers of its bits, which an opaque operation reads as numbers."""
        if not self.opaque:
            raise self.unsupported("a constant has element type float64", "use real numbers: float32, bfloat16 or float16")
        bits = super().materialize(Constant(tensor.contiguous().view(torch.int64)))
        attributes = {"kernel": "aten.view.dtype", "cost": 0.0, "parameters": {"arguments": "$0, torch.float64"}}
        return self.emit("opaque", [bits], attributes, outputs=[("", tuple(tensor.shape), (), "f64")])

    def emit(self, op, operands, attributes=None, *args, **kwargs):
        marked = {"memplan.backward": Unit()} if self.node.meta.get("partitioner_tag") == "is_backward" else {}
        return super().emit(op, operands, {**(attributes or {}), **marked}, *args, **kwargs)

    def _result_name(self, op: str) -> str:
        name = super()._result_name(op)
        return f"{name}.grad" if self.node.meta.get("partitioner_tag") == "is_backward" else name

    def value_type(self, value):
        """(shape, dtype) of a tensor of the trace as the program holds it."""
        if any(not isinstance(s, int) for s in value.shape):
            raise ExportError(f"'{self.node}' has the shape {tuple(value.shape)}, which depends on values")
        if value.dtype in _COMPLEX:
            return (*value.shape, 2), _COMPLEX[value.dtype]
        if value.dtype not in _TYPES:
            raise self.unsupported(f"its result has element type {value.dtype}, which has no counterpart", "keep values in float32, bfloat16 or float16")
        return tuple(value.shape), _TYPES[value.dtype]

    def node_type(self, node):
        shape, dtype = self.value_type(node.meta["val"])
        return shape, (), dtype

    # Walk ----------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        for node in self.walk():
            self._lower_or_carry(node)
        self.finish_errors()
        self._return_values()

    def _return_values(self) -> None:
        add = self.function.results.append
        self.node = self.captured.loss
        add(Result(self.materialize(self.values[self.captured.loss]), "loss", kind="loss"))
        for name, node in self.captured.mutations.items():
            self.node = node
            add(Result(self._new_version(name, self.materialize(self.values[node])), name, updates=self._states[name]))
        for name, nodes in self.captured.gradients.items():
            self.node = nodes[-1]
            total = self.materialize(self.values[nodes[0]])
            for node in nodes[1:]:  # of a tied parameter, one from each of its names
                total = self.emit("accumulate", [total, self.values[node]])
            add(Result(total, f"{name}.grad", kind="gradient"))

    def _new_version(self, name: str, value):
        """`value` as what a buffer holds after the step. Batch norm has an operation that writes its statistics; for others there is none."""
        if value.name in self.versions:
            return value
        if not self.opaque:
            raise self.unsupported(f"it gives a new value of buffer '{name}', and only batch norm has an operation that writes its statistics", "write it after the step")
        held = self.function.arguments[self._states[name]]
        attributes = {"kernel": "aten.copy_.default", "cost": 0.0, "recompute": False, "writes": [0, 0]}
        return self.emit("opaque", [Value(held.value_name, held.shape, held.dtype), value], attributes, outputs=[("", value.shape, (), value.dtype)])

    def _live_nodes(self) -> set:
        live, work = set(), [self.captured.loss, *self.captured.mutations.values()]
        work += [node for nodes in self.captured.gradients.values() for node in nodes]
        while work:
            node = work.pop()
            if node not in live:
                live.add(node)
                work += node.all_input_nodes
        return live

    def _lower_or_carry(self, node) -> None:
        mark = self.function.mark()
        try:
            self._lower_computed(node)
        except UnsupportedOperatorError as error:
            if self._lower_parts(node, mark):
                return
            if not self.opaque:
                self.note_error(error)
                return
            self.function.reset(mark)
            self._carry(node)

    def _lower_computed(self, node) -> None:
        known = all(isinstance(self.values.get(n), Constant) for n in node.all_input_nodes)
        if not known and any(v.dtype not in _COMPUTED for v in _tensors_of(node)):
            if lower_double(self, node):
                return
            raise self.unsupported(f"it computes in {self._without_kernels(node)}, which has no kernels", "use real numbers: float32, bfloat16 or float16")
        self._lower_node(node)

    def _lower_parts(self, node, mark) -> bool:
        """Lowers the operators that `node` can be taken apart into. False, and nothing is emitted, where one of them has no counterpart."""
        found = parts_of(node)
        if found is None:
            return False
        graph, inputs = found
        self.function.reset(mark)
        self.values.update(zip(graph.find_nodes(op="placeholder"), (self.values[n] for n in inputs)))
        try:
            for part in graph.nodes:
                self.node = part
                if part.op == "get_attr":
                    self.values[part] = Constant(getattr(graph.owning_module, part.target))
                elif part.op == "call_function" and part.target in _SAME:
                    self.values[part] = self.values[part.args[0]]
                elif part.op == "call_function":
                    self._lower_computed(part)
        except UnsupportedOperatorError:
            self.function.reset(mark)
            return False
        finally:
            self.node = node
        self.values[node] = fx.map_arg(graph.output_node().args[0], self.values.get)
        return True

    @staticmethod
    def _without_kernels(node) -> str:
        return str(next(v.dtype for v in _tensors_of(node) if v.dtype not in _COMPUTED)).removeprefix("torch.")

    def _carry(self, node) -> None:
        """The operator as `memplan.opaque`: planned by its bytes and its cost, not run."""
        value, operands = node.meta["val"], []

        def text(argument) -> str:
            if isinstance(argument, fx.Node):
                if not isinstance(argument.meta.get("val"), torch.Tensor):
                    return str(argument)
                operands.append(self.materialize(self.values[argument]))
                return f"${len(operands) - 1}"
            if isinstance(argument, (list, tuple)):
                return "[" + ", ".join(text(a) for a in argument) + "]"
            return str(argument)

        arguments = [text(a) for a in node.args] + [f"{key}={text(a)}" for key, a in node.kwargs.items()]
        several = isinstance(value, (list, tuple))
        kept = [(i, *self.value_type(v)) for i, v in enumerate(value if several else [value]) if isinstance(v, torch.Tensor)]
        attributes = {"kernel": operator_name(node), "cost": float(round(torch_operators.Roofline().micros(node), 4)),
                      "parameters": {"arguments": ", ".join(arguments)}}
        if torch_operators.is_random(node):
            attributes["random"] = Unit()
        if torch_operators.is_random(node) or torch_operators.is_collective(node):
            attributes["recompute"] = False
        results = self.emit("opaque", operands, attributes, outputs=[(f".{i}" if several else "", s, (), t) for i, s, t in kept])
        results = results if isinstance(results, list) else [results]
        by_index = {i: r for (i, *_), r in zip(kept, results)}
        self.values[node] = [by_index.get(i) for i in range(len(value))] if several else results[0]


def _tensors_of(node) -> list:
    """Fake tensors that the operator reads and gives."""
    found = [node.meta.get("val"), *(n.meta.get("val") for n in node.all_input_nodes)]
    return [] if node.target is operator.getitem else [v for v in tree_leaves(found) if isinstance(v, torch.Tensor)]


_OPAQUE = re.compile(r'= memplan\.opaque .*?kernel = "([^"]*)"')
_ANY = re.compile(r"= memplan\.(\w+) ")


def coverage(text: str) -> dict:
    """What share of a program can run: `operations`, how many of them are `opaque`, and `kernels`, the opaque ones by name."""
    lines = [line for line in text.splitlines() if _ANY.search(line)]
    kernels = collections.Counter(match[1] for match in map(_OPAQUE.search, lines) if match)
    return {"operations": len(lines), "opaque": sum(kernels.values()), "kernels": dict(kernels.most_common())}
