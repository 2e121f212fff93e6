"""From a torch module and a loss to a graph of aten operators and the meaning of its placeholders."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import logging
from unittest import mock

import torch

from .activations import gelu_as_one_operation
from .errors import ExportError, cannot_trace

# Sizes 0 and 1 are treated as constants by tracing, so a batch of one could not be told from any other 1.
_TRACED_BATCH = 3


def _takes_by_name(model: torch.nn.Module, names) -> bool:
    """Whether forward() has a parameter of each of these names."""
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    try:
        parameters = inspect.signature(model.forward).parameters
    except (TypeError, ValueError):
        return False
    return all(name in parameters and parameters[name].kind in by_name for name in names)


def _own_loss(output, *_):
    """What a model that is given labels says itself, as those of transformers do; a scalar that it returns is the loss."""
    if isinstance(output, torch.Tensor) and output.dim() == 0:
        return output
    loss = output.get("loss") if hasattr(output, "get") else getattr(output, "loss", None)
    if loss is None:
        raise ExportError(f"no loss is given, and the {type(output).__name__} that the module returns has none of its own; give a loss, or the labels among the inputs")
    return loss


class StepModule(torch.nn.Module):
    """Forward and loss as one module, so that one graph holds both. Inputs go by name where forward() has all their names, else in their order."""

    def __init__(self, model, loss, names):
        super().__init__()
        self.model, self.loss, self._names = model, loss or _own_loss, list(names)
        self._by_name = _takes_by_name(model, self._names)

    def forward(self, *tensors):
        inputs, targets = tensors[:len(self._names)], tensors[len(self._names):]
        output = self.model(**dict(zip(self._names, inputs))) if self._by_name else self.model(*inputs)
        return self.loss(output, *targets)


@dataclasses.dataclass
class Placeholder:
    """kind: parameter, buffer or input; name: the dotted path in the module, or the name of the input."""

    kind: str
    name: str
    tensor: torch.Tensor


@dataclasses.dataclass
class Captured:
    nodes: list  # torch.fx.Node in order, without placeholders and the output
    placeholders: dict  # torch.fx.Node -> Placeholder
    loss: object  # torch.fx.Node
    mutated_buffers: set
    batch: int | None  # where the examples do not fix all sizes
    parameters: list  # (name, tensor) in module order, tied ones once
    buffers: list
    leaf_modules: set  # paths of modules without children


def check_step(model: torch.nn.Module, inputs: dict, targets: dict) -> None:
    """Raises ExportError for a step that cannot be traced."""
    if not model.training:
        raise ExportError("the module is in evaluation mode, a training step needs model.train()")
    tensors = {**inputs, **targets}
    if len(tensors) != len(inputs) + len(targets):
        raise ExportError(f"an input and a target have the same name: {sorted(set(inputs) & set(targets))}")


def _batch_of(tensors: dict) -> int:
    """The batch of the examples, which is dimension 0 of each."""
    sizes = {name: tensor.shape[0] if tensor.dim() else None for name, tensor in tensors.items()}
    if len(set(sizes.values())) != 1 or None in sizes.values():
        raise ExportError(f"inputs and targets disagree on the batch, which is their dimension 0: {sizes}")
    return next(iter(sizes.values()))


@contextlib.contextmanager
def _without_own_gradients():
    """Refuses functions of users that have a backward pass of their own: of them a forward graph holds the operators alone."""
    # A method of C or of Python, as the version of PyTorch has it.
    plain = inspect.getattr_static(torch.autograd.Function, "apply")

    def apply(cls, *args, **kwargs):
        if cls.__module__.split(".")[0] != "torch":
            raise ExportError(f"{cls.__qualname__} is a torch.autograd.Function, whose backward pass is its own; export_joint_step() takes it, and this road differentiates "
                              "the forward pass")
        return plain.__get__(None, cls)(*args, **kwargs)

    with mock.patch.object(torch.autograd.Function, "apply", classmethod(apply)):
        yield


def capture_step(model: torch.nn.Module, inputs: dict, targets: dict, loss, batch: int | None) -> Captured:
    """Traces one training step. Every tensor of inputs and targets has the batch as its dimension 0."""
    check_step(model, inputs, targets)
    tensors = {**inputs, **targets}
    example_batch = _batch_of(tensors)

    device = next((p.device for p in model.parameters()), torch.device("cpu"))
    examples = tuple(
        torch.zeros((_TRACED_BATCH, *t.shape[1:]), dtype=t.dtype, device=device) for t in tensors.values())
    dimension = torch.export.Dim("batch", min=2)
    step = StepModule(model, loss, inputs)
    logging.getLogger("torch").setLevel(logging.ERROR)
    try:
        with gelu_as_one_operation(model), _without_own_gradients():
            program = torch.export.export(step, examples, dynamic_shapes=(tuple({0: dimension} for _ in examples),), strict=False)
    except ExportError:
        raise
    except Exception as error:
        remedy = "the step must run in PyTorch as it stands; if this names the batch, some code fixes its size where it should take it from a shape"
        raise cannot_trace("torch.export", error, remedy) from error
    return _read(program, step, list(tensors), examples, batch or example_batch)


def _read(program, step, input_names, examples, batch) -> Captured:
    signature = program.graph_signature
    parameters = dict(step.named_parameters(remove_duplicate=False))
    buffers = dict(step.named_buffers(remove_duplicate=False))
    # Tied tensors have several paths; the first one in module order names them.
    first_path = {}
    for path, tensor in [*parameters.items(), *buffers.items()]:
        first_path.setdefault(id(tensor), path)

    placeholders, position = {}, 0
    for node in program.graph.nodes:
        if node.op != "placeholder":
            continue
        if node.name in signature.inputs_to_parameters:
            tensor = parameters[signature.inputs_to_parameters[node.name]]
            placeholders[node] = Placeholder("parameter", _public_path(first_path[id(tensor)]), tensor)
        elif node.name in signature.inputs_to_buffers:
            tensor = buffers[signature.inputs_to_buffers[node.name]]
            placeholders[node] = Placeholder("buffer", _public_path(first_path[id(tensor)]), tensor)
        elif node.name in signature.inputs_to_lifted_tensor_constants:
            path = signature.inputs_to_lifted_tensor_constants[node.name]
            placeholders[node] = Placeholder("constant", path, program.constants[path])
        else:
            placeholders[node] = Placeholder("input", input_names[position], examples[position])
            position += 1

    output = next(n for n in program.graph.nodes if n.op == "output")
    results = output.args[0]
    loss = results[-1]
    if loss.meta["val"].dim() != 0:
        raise ExportError(f"the loss has shape {tuple(loss.meta['val'].shape)}, it must be a scalar")
    nodes = [n for n in program.graph.nodes if n.op not in ("placeholder", "output")]
    # In the training form of the graph, buffers change by operators that write their first operand.
    mutated = {placeholders[n.args[0]].name for n in nodes if writes_first_operand(n) and n.args[0] in placeholders}
    mutated |= {placeholders[n.args[i]].name for n in nodes if operator_name(n) == "aten.batch_norm.default"
                and n.args[5] for i in (3, 4) if n.args[i] is not None}
    modules = {_public_path(path) for path, module in step.named_modules() if not any(module.children())}
    unique_parameters = {_public_path(first_path[id(t)]): t for t in parameters.values()}
    unique_buffers = {_public_path(first_path[id(t)]): t for t in buffers.values()}
    return Captured(nodes, placeholders, loss, mutated, batch, list(unique_parameters.items()),
                    list(unique_buffers.items()), modules)


def _public_path(path: str) -> str:
    return path.removeprefix("model.") if path != "model" else ""


def operator_name(node) -> str:
    """`aten.relu.default`, or the name of a Python function such as getitem."""
    if isinstance(node.target, torch._ops.OpOverload):
        return str(node.target)
    return getattr(node.target, "__name__", str(node.target))


def writes_first_operand(node) -> bool:
    if not isinstance(node.target, torch._ops.OpOverload):
        return False
    arguments = node.target._schema.arguments
    return bool(arguments) and arguments[0].alias_info is not None and arguments[0].alias_info.is_write


def module_path(node) -> str:
    """The dotted path of the module that made the operator, empty for the loss and the top level."""
    return _public_path(_stack_top(node))


def location_name(node) -> str:
    """module_path, or which of the two parts without a path made the operator."""
    return module_path(node) or ("model" if _stack_top(node) == "model" else "loss")


def _stack_top(node) -> str:
    stack = node.meta.get("nn_module_stack") or {}
    path = list(stack.values())[-1][0] if stack else ""
    # Nodes that tracing adds itself carry a note in place of a path.
    return path if isinstance(path, str) and path.split(".")[0] in ("model", "loss") else ""
