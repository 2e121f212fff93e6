"""Walks a captured graph and emits memplan operations; the operators themselves are in operators_*.py."""

from __future__ import annotations

import dataclasses
import math
import operator
import struct
import warnings

import torch

from .capture import Captured, location_name, module_path, operator_name, writes_first_operand
from .element_types import ANY_TYPE, REAL, Agreement, is_real
from .errors import ExportError, UnsupportedOperatorError
from .initializers import InitializerRecord, initializer_of_values
from .text import Argument, FunctionText, Raw, Result, Value, attribute_text, quoted, tensor_type

_LOWERINGS = {}
_JOINT_LOWERINGS = {}
# Constants of more elements are written as their bytes, and above the second number they belong into a parameter file.
_READABLE_ELEMENTS = 65536
_MAX_CONSTANT_ELEMENTS = 1 << 24
# Operations with operands that are no numbers. All others compute in real numbers alone.
_WITH_INTEGERS = {"dropout", "attention_dropout", "attention_dropout_grad", "embedding", "embedding_grad", "cross_entropy", "cross_entropy_grad", "max_pool2d_grad", "gather",
                  "gather_grad", "scatter"}
# Operations whose results hold elements of their operands.
_MOVES = {"reshape", "transpose", "split", "slice", "concat", "broadcast"}
# What transformers and many others start from.
_USUAL_INIT = "normal:0.02"
_DTYPES = {torch.float32: "f32", torch.bfloat16: "bf16", torch.float16: "f16", torch.int64: "i64", torch.bool: "i8"}


def lowering(*names: str):
    """Registers `function(lower, node, *args, **kwargs) -> Value` for aten operators.

    `lower` is the Lowering; args are those of the operator with graph nodes replaced by what they were lowered to.
    An in-place form such as aten.relu_.default is served by the entry of aten.relu.default.
    """

    def register(function):
        for name in names:
            _LOWERINGS[name] = function
        return function

    return register


def joint_lowering(*names: str):
    """As lowering(), for the form that an operator has in joint graphs only."""

    def register(function):
        for name in names:
            _JOINT_LOWERINGS[name] = function
        return function

    return register


def find_lowering(name: str, joint: bool):
    """The function of the operator `name`, or None."""
    return (_JOINT_LOWERINGS.get(name) if joint else None) or _LOWERINGS.get(name)


@dataclasses.dataclass(frozen=True)
class Constant:
    """A tensor known now: what depends on no parameter, state or input."""

    tensor: torch.Tensor


class _Failed:
    """What an operator without counterpart became."""


@dataclasses.dataclass(frozen=True)
class Transposed:
    """The last two dimensions of `value` exchanged, not yet carried out: matmul takes it as an attribute."""

    value: Value


class Lowering:
    """The state of one export: what each node became, and the function being written."""

    joint = False  # whether backward operators are lowered too
    advice = ("export_joint_step() has counterparts for more operators, and carries each other one as `memplan.opaque`, with its bytes and its cost: such a step "
              "is planned and checked, but does not run here")

    def __init__(self, captured: Captured, function: FunctionText, record: InitializerRecord | None, attention_as_products: bool = False, progress=None):
        self._progress = progress or (lambda _: None)
        self.captured, self.function = captured, function
        self.attention_as_products = attention_as_products
        self.values: dict = {}
        self.done: set = set()  # nodes that a pattern has already lowered
        self.node = None
        self._states: dict[str, int] = {}
        self._salts = 0
        self.salts: dict[Value, int] = {}  # of an attention with dropout, by its log-sum-exp
        self._seed: Value | None = None
        self._errors: list = []
        self._declare_arguments(record)

    # Arguments -----------------------------------------------------------------------------------------------------

    def _declare_arguments(self, record):
        def init_of(name, tensor):
            init = (record.find(tensor) if record else None) or initializer_of_values(tensor)
            if init is None:
                unknown.append(name)
            return init or _USUAL_INIT

        by_name, unknown = {}, []
        for name, tensor in self.captured.parameters:
            by_name[name] = self._argument("parameter", name, tensor, init=init_of(name, tensor))
        for name, tensor in self.captured.buffers:
            # Integer buffers count batches; nothing in the step reads them.
            if name in self.captured.mutated_buffers and tensor.is_floating_point():
                self._states[name] = len(self.function.arguments)
                by_name[name] = self._argument("state", name, tensor, init=init_of(name, tensor))
        if unknown:
            warnings.warn(f"{len(unknown)} parameters or states have no initial values that are known here, '{unknown[0]}' among them: the program "
                          f"says {_USUAL_INIT}; build the module inside record_initializers() or with real values, or run it with --params", stacklevel=4)
        inputs = [p for p in self.captured.placeholders.values() if p.kind == "input"]
        for placeholder in inputs:
            shape = self._shape_of_input(placeholder.tensor)
            by_name[placeholder.name] = self._argument("input", placeholder.name, placeholder.tensor, shape, **self._batch_mark())
        self._declare_buffers_without_values(by_name)
        for node, placeholder in self.captured.placeholders.items():
            if placeholder.name in by_name:
                self.values[node] = by_name[placeholder.name]
            elif placeholder.tensor.device.type != "meta":
                self.values[node] = Constant(placeholder.tensor.detach())

    def _argument(self, kind, name, tensor, shape=None, **marks) -> Value:
        dtype = self._element_type(name, tensor.dtype, kind)
        return self.function.add_argument(Argument(name, kind, name, tuple(shape or tensor.shape), dtype, **marks))

    def _element_type(self, name, dtype, kind) -> str:
        if dtype not in _DTYPES:
            raise ExportError(f"'{name}' has element type {dtype}; the dialect has float32, bfloat16, float16 and int64, convert it before the export")
        return _DTYPES[dtype]

    def _shape_of_input(self, tensor) -> tuple:
        return (self.captured.batch, *tensor.shape[1:])

    def _batch_mark(self) -> dict:
        return {"batch_dim": 0}

    def _declare_buffers_without_values(self, by_name) -> None:
        """Buffers of modules on the meta device; the road of modules refuses the operators that read them."""

    def seed(self) -> Value:
        """The argument that keys all dropouts of the step; the data of a step brings another value each time."""
        if self._seed is None:
            argument = Argument("dropout_seed", "input", "dropout_seed", (1,), "i64", high=2**31 - 1)
            self._seed = self.function.add_argument(argument)
        return self._seed

    def next_salt(self) -> int:
        self._salts += 1
        return self._salts - 1

    def dropout(self, value, p: float, salt: int | None = None):
        """`value` with elements dropped with probability p. Without a `salt` it takes the next one. One of p = 1 leaves zeros, as PyTorch's does."""
        if p == 0:
            return value
        if p >= 1:
            return self.emit("scale", [value], {"factor": 0.0})
        return self.emit("dropout", [value, self.seed()], {"p": float(p), "salt": self.next_salt() if salt is None else salt})

    def bound_ids(self, ids: Value, high: int) -> None:
        """Notes that the integers of `ids` lie in [0, high), for whoever makes data."""
        for argument in ids.arguments:
            argument.high = min(high, argument.high or high)

    # Emission ------------------------------------------------------------------------------------------------------

    def emit(self, op: str, operands, attributes=None, shape=None, batch_dims=None, dtype="f32", outputs=None):
        """Appends an operation and returns its result, or with `outputs` (a list of (suffix, shape, batch_dims, dtype)) all.

        Without a shape the result has the type of the first operand.
        """
        agreement = None
        if op in ANY_TYPE:
            operands = [self.materialize(o) for o in operands]
        else:
            operands, agreement = self._agree(op, operands)
        if outputs is None:
            first = operands[0] if operands else None
            shape = first.shape if shape is None else tuple(shape)
            batch_dims = (first.batch_dims if shape == first.shape else ()) if batch_dims is None else batch_dims
            outputs = [("", shape, batch_dims, dtype)]
        names = [self.function.unique_name(self._result_name(op) + suffix) for suffix, *_ in outputs]
        # What a caller says of a real result is what torch gives the node; an operation gives what its operands have, and a cast follows.
        types = [agreement.result(i, "f32" if is_real(o[3]) else o[3]) if agreement else o[3] for i, o in enumerate(outputs)]
        whole = op in _MOVES and (len(operands) == 1 or not is_real(types[0]))  # of real operands one may carry a gradient
        held = tuple(a for o in operands for a in o.arguments) if whole else ()
        results = [Value(name, tuple(o[1]), dtype, tuple(o[2]), held) for name, o, dtype in zip(names, outputs, types)]
        self.function.add_op(op, operands, attributes or {}, results, location_name(self.node))
        return results[0] if len(results) == 1 else results

    def _agree(self, op: str, operands):
        """The operands of an operation that computes, with those cast that must have the type of others."""
        is_number = [isinstance(o, Constant) and o.tensor.dim() == 0 for o in operands]
        values = [o if is_number[i] else self.materialize(o) for i, o in enumerate(operands)]
        dtypes = [self._constant_type(v.tensor) if isinstance(v, Constant) else v.dtype for v in values]
        if op not in _WITH_INTEGERS and not all(map(is_real, dtypes)):
            raise self.unsupported(f"its operands have element types {', '.join(dtypes)}", "compute in float32, bfloat16 or float16")
        agreement = Agreement(op, dtypes, is_number)
        return [self.cast(v, agreement.operand(i, d)) for i, (v, d) in enumerate(zip(values, dtypes))], agreement

    def cast(self, value, dtype: str) -> Value:
        """`value` with real elements of type `dtype`."""
        if isinstance(value, Constant) and self._constant_type(value.tensor) != dtype and dtype in REAL:
            value = Constant(value.tensor.to(REAL[dtype]))
        value = self.materialize(value)
        if value.dtype == dtype:
            return value
        return self.emit("cast", [value], {"element": dtype}, value.shape, value.batch_dims, dtype)

    def emit_like_node(self, op: str, operands, attributes=None) -> Value:
        """As emit, with the type that tracing found for the node itself."""
        shape, batch_dims, dtype = self.node_type(self.node)
        return self.emit(op, operands, attributes, shape, batch_dims, dtype)

    def _result_name(self, op: str) -> str:
        path = module_path(self.node)
        # One operation per leaf module is the rule, so that its path says all.
        return path if path in self.captured.leaf_modules and path else f"{path}.{op}" if path else op

    def node_type(self, node):
        """(shape at the exported batch, dimensions that hold the batch, dtype) of what the node computes."""
        value = node.meta["val"]
        if value.dtype not in _DTYPES:
            raise self.unsupported(f"its result has element type {value.dtype}", "the dialect has float32, bfloat16, float16 and int64")
        sizes = [self._size(s) for s in value.shape]
        return tuple(s for s, _ in sizes), tuple(i for i, (_, b) in enumerate(sizes) if b), _DTYPES[value.dtype]

    def _size(self, size) -> tuple[int, bool]:
        if isinstance(size, int):
            return size, False
        expression = size.node.expr
        symbols = list(expression.free_symbols)
        if not symbols:
            return int(expression), False
        per_sample = expression / symbols[0]
        if len(symbols) != 1 or per_sample.free_symbols or not per_sample.is_integer:
            raise self.unsupported(f"a size of its result is {expression}, which is not a multiple of the batch",
                                   "keep the batch a dimension of its own, or merged with whole others")
        return int(per_sample) * self.captured.batch, True

    def materialize(self, value) -> Value:
        """Makes an SSA value of what a node was lowered to."""
        if isinstance(value, Value):
            return value
        if isinstance(value, Transposed):
            rank = value.value.rank
            return self.transpose(value.value, [*range(rank - 2), rank - 1, rank - 2])
        if isinstance(value, Constant):
            return self._constant(value.tensor)
        raise self.unsupported(f"an operand is {value!r}", "give it a tensor of parameters, inputs or constants")

    def _constant(self, tensor: torch.Tensor) -> Value:
        shape, dtype = tuple(tensor.shape), self._constant_type(tensor)
        if dtype == "i64" and tensor.dim() == 1 and torch.equal(tensor, torch.arange(len(tensor))):
            return self.emit("iota", [], {"size": len(tensor)}, shape, (), dtype)
        flat = tensor.reshape(-1)
        splat = flat.numel() > 0 and bool((flat == flat[0]).all())
        if not splat and tensor.numel() > _MAX_CONSTANT_ELEMENTS:
            raise self.unsupported(f"a constant operand of shape {list(shape)} would be written as text",
                                   "make it a parameter, or compute it from parameters and inputs")
        if splat:
            data = _element(flat[0].item(), dtype)
        elif tensor.numel() > _READABLE_ELEMENTS:
            data = quoted("0x" + tensor.contiguous().view(torch.uint8).numpy().tobytes().hex().upper())
        else:
            data = _nested(tensor.tolist(), dtype)
        return self.emit("constant", [], {"value": Raw(f"dense<{data}> : {tensor_type(shape, dtype)}")}, shape, (), dtype)

    def _constant_type(self, tensor: torch.Tensor) -> str:
        if tensor.dtype not in _DTYPES:
            raise self.unsupported(f"a constant operand has element type {tensor.dtype}", "use float32, bfloat16, float16 or int64")
        return _DTYPES[tensor.dtype]

    def transpose(self, value: Value, perm) -> Value:
        perm = [p % value.rank for p in perm]
        if perm == list(range(value.rank)):
            return value
        return self.emit("transpose", [value], {"perm": perm}, [value.shape[p] for p in perm],
                         tuple(i for i, p in enumerate(perm) if p in value.batch_dims), value.dtype)

    def reshape(self, value, shape, batch_dims) -> Value:
        value = self.materialize(value)
        if tuple(shape) == value.shape:
            return value
        if len(batch_dims) > 1:
            raise self.unsupported("its result has the batch in two dimensions", "reshape so that one dimension holds the batch")
        attribute = [-1 if i in batch_dims else size for i, size in enumerate(shape)]
        return self.emit("reshape", [value], {"shape": attribute}, shape, batch_dims, value.dtype)

    def unsupported(self, reason: str, remedy: str) -> UnsupportedOperatorError:
        trace = [line.strip() for line in (self.node.meta.get("stack_trace") or "").splitlines() if "File " in line]
        own = [line for line in trace if "/torch/nn/" not in line and "memplan/export/" not in line]
        return UnsupportedOperatorError(operator_name(self.node), module_path(self.node), own[-1] if own else "", reason, remedy)

    # Walk ----------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        for node in self.walk():
            try:
                self._lower_node(node)
            except UnsupportedOperatorError as error:
                self.note_error(error)
        self.finish_errors()
        self.node = self.captured.loss
        self.function.results.append(Result(self.materialize(self.values[self.captured.loss]), "loss", kind="loss"))
        for placeholder_node, placeholder in self.captured.placeholders.items():
            position = self._states.get(placeholder.name)
            if position is not None:
                self.function.results.append(
                    Result(self.values[placeholder_node], placeholder.name, updates=position))

    def walk(self):
        """The nodes that are to be lowered, each of which is `node` while it is, and says so."""
        live = self._live_nodes()
        for number, node in enumerate(self.captured.nodes):
            self._progress(f"operator {number + 1} of {len(self.captured.nodes)}")
            if node in live and node not in self.done:
                self.node = node
                yield node

    def note_error(self, error: UnsupportedOperatorError) -> None:
        """Keeps the error, so that one export names all operators without counterpart; what reads the result says no more."""
        self._errors.append(error)
        self.values[self.node] = _Failed()

    def finish_errors(self) -> None:
        if self._errors:
            raise UnsupportedOperatorError.of(self._errors, self.advice)

    def _live_nodes(self) -> set:
        """Nodes that the loss or a running statistic needs. Batch counters, sizes and assertions fall away."""
        live, work = set(), [self.captured.loss]
        for node in self.captured.nodes:
            target = node.args[0] if node.args else None
            # A write to anything that is not an integer buffer counts as a use.
            if writes_first_operand(node) and (target not in self.captured.placeholders
                                               or self.captured.placeholders[target].name in self._states):
                work.append(node)
        while work:
            node = work.pop()
            if node not in live:
                live.add(node)
                work += node.all_input_nodes
        return live

    def _lower_node(self, node) -> None:
        if not isinstance(node.meta.get("val"), (torch.Tensor, list, tuple)):
            return  # a size or a guard: shapes come from the traced types
        if node.target is operator.getitem:
            whole = self.values[node.args[0]]
            self.values[node] = whole if isinstance(whole, _Failed) else whole[node.args[1]]
            return
        name = operator_name(node)
        args = torch.fx.map_arg(node.args, self._argument_value)
        kwargs = torch.fx.map_arg(node.kwargs, self._argument_value)
        failed = any(isinstance(o, _Failed) for o in torch.utils._pytree.tree_leaves((args, kwargs)))
        if not failed and self._fold(node, args, kwargs):
            return
        in_place = writes_first_operand(node)
        lower = find_lowering(name, self.joint) or (find_lowering(name.replace("_.", ".", 1), self.joint) if in_place else None)
        if failed and lower is not None:
            self.values[node] = _Failed()
            return
        if lower is None:
            raise self.unsupported("the dialect has no counterpart", "replace it by supported operators, or register a "
                                   f"lowering with @memplan.export.lowering('{name}')")
        self.values[node] = self._as_traced(node, lower(self, node, *args, **kwargs))
        if in_place:
            self._rebind(node)

    def _as_traced(self, node, value):
        """What a node was lowered to, in the real element type that torch gives it."""
        traced = node.meta["val"]
        if not isinstance(value, (Value, Transposed)) or not isinstance(traced, torch.Tensor):
            return value
        inner, wanted = value.value if isinstance(value, Transposed) else value, _DTYPES.get(traced.dtype)
        if wanted not in REAL or not is_real(inner.dtype) or inner.dtype == wanted:
            return value
        return dataclasses.replace(value, value=self.cast(inner, wanted)) if isinstance(value, Transposed) else self.cast(inner, wanted)

    def _argument_value(self, node):
        return self.values.get(node, node)

    def _rebind(self, node) -> None:
        """After `node` wrote into its operand, later readers of the operand mean the new value."""
        target = node.args[0]
        if target in self.captured.placeholders:
            raise self.unsupported(f"it writes into '{self.captured.placeholders[target].name}'",
                                   "a step may change parameters through the optimizer and running statistics through batch_norm only")
        aliases = [user for user in target.users if user is not node and _is_view(user)] + ([target] if _is_view(target) else [])
        if any(user > node for alias in aliases for user in alias.users if user is not node):
            raise self.unsupported("it writes into a tensor that is also seen through a view", "use the form that returns a new tensor")
        self.values[target] = self.values[node]

    def _fold(self, node, args, kwargs) -> bool:
        """Evaluates an operator of constants, e.g. a causal mask or the positions of tokens."""
        operands = torch.utils._pytree.tree_leaves((args, kwargs))
        if any(isinstance(o, torch.fx.Node) or dataclasses.is_dataclass(o) and not isinstance(o, Constant) for o in operands):
            return False
        if self.joint and operator_name(node) in _JOINT_LOWERINGS and not any(isinstance(o, Constant) for o in operands):
            return False  # a tensor of one number, which its lowering keeps without its elements
        if not isinstance(node.target, torch._ops.OpOverload) or not isinstance(node.meta["val"], torch.Tensor):
            return False
        if torch.Tag.nondeterministic_seeded in node.target.tags or node.target is torch.ops.aten.as_strided.default:
            return False
        plain = torch.utils._pytree.tree_map(lambda o: o.tensor if isinstance(o, Constant) else o, (args, kwargs))
        keywords = {key: value for key, value in plain[1].items() if key not in ("pin_memory", "device")}
        self.values[node] = Constant(node.target(*plain[0], **keywords))
        return True


def _is_view(node) -> bool:
    if not isinstance(node.target, torch._ops.OpOverload):
        return node.target is operator.getitem
    schema = node.target._schema
    return any(r.alias_info is not None and not r.alias_info.is_write for r in schema.returns)


def _nested(data, dtype: str) -> str:
    if isinstance(data, list):
        return "[" + ", ".join(_nested(d, dtype) for d in data) + "]"
    return _element(data, dtype)


def _element(number, dtype: str) -> str:
    """An element of a constant: booleans are the bytes 0 and 1, numbers that are not finite their bits."""
    if isinstance(number, float) and not math.isfinite(number):
        bits = struct.pack(">e" if dtype == "f16" else ">f", number)
        return f"0x{bits[:2 if dtype == 'bf16' else None].hex().upper()}"
    return attribute_text(int(number) if isinstance(number, bool) else number)
