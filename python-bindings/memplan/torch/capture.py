"""Capture: the joint forward and backward graph of AOTAutograd as a memplan graph.

Tensors with one fake storage are views of one another. What lies between forward and backward (the loss where it is outside,
the copies into mutated inputs, the birth of the tangents) is one pseudo node, the *boundary*; the *end* reads what the caller
gets. A random operator is two nodes: the *seed* saves the generator's state once, the draw may run again from that state.
"""

from __future__ import annotations

import dataclasses
import enum
import operator
import types

import torch
from torch import fx
from torch._functorch._aot_autograd.descriptors import InputMutationAOTOutput, TangentAOTInput
from torch._guards import detect_fake_mode
from torch.utils._pytree import tree_leaves

from . import in_place, operators, simplify, sizes
from .errors import UnsupportedGraph


class Role(enum.Enum):
    """What a node of the memplan graph stands for."""

    OPERATOR = "operator"
    SEED = "seed"
    BOUNDARY = "boundary"
    END = "end"
    OFFLOAD = "offload"  # a copy to the host begins
    LEFT = "left"  # it is done: the device's bytes may go
    RELOAD = "reload"  # a copy from the host begins
    ARRIVED = "arrived"


COPIES = {Role.OFFLOAD, Role.LEFT, Role.RELOAD, Role.ARRIVED}


@dataclasses.dataclass
class Tensor:
    """One tensor. `bytes` are those of its storage, 0 for a view; `base` is the tensor that owns the storage."""

    id: int
    bytes: int
    kind: str
    name: str
    base: int
    source: fx.Node | None
    index: int | None = None


@dataclasses.dataclass
class Node:
    """One operation. `draws` is the tensor with the generator's state, for random operators; its first output may lie `over` any of these inputs,
    and `hands_over` is the input whose storage it is: of a wait for a collective."""

    id: int
    role: Role
    fx: fx.Node | None
    inputs: list[int]
    outputs: list[int]
    cost: float = 0.0
    workspace_bytes: int = 0
    writes: list[int] = dataclasses.field(default_factory=list)
    recompute: bool = True
    collective: bool = False
    backward: bool = False
    draws: int | None = None
    over: list[int] = dataclasses.field(default_factory=list)
    hands_over: int | None = None

    @property
    def communicates(self) -> bool:
        """Whether it issues a collective, which runs beside what computes until something waits for it."""
        return self.role is Role.OPERATOR and operators.is_collective(self.fx) and not operators.is_wait(self.fx)

    @property
    def compares(self) -> bool:
        """Whether it compares a size with what was planned for."""
        return self.role is Role.OPERATOR and self.fx.target is sizes.at_most

    @property
    def waits(self) -> bool:
        """Whether it waits for a collective."""
        return self.role is Role.OPERATOR and operators.is_wait(self.fx)

    def json(self) -> dict:
        target = f"memplan.{self.role.value}" if self.fx is None else self.fx.target
        # The text of a function has its address, which other processes have elsewhere.
        name = target.__qualname__ if isinstance(target, (types.FunctionType, types.BuiltinFunctionType)) else str(target)
        entry = {"id": self.id, "name": name, "cost": self.cost}
        entry |= {"inputs": self.inputs, "outputs": self.outputs, "workspace_bytes": self.workspace_bytes}
        entry |= {"backward": self.backward} if self.backward else {}
        entry |= {"writes": self.writes} if self.writes else {}
        pairs = [[self.outputs[0], t] for t in (*self.over, self.hands_over) if t is not None]
        entry |= {"in_place": pairs} if pairs else {}
        entry |= {} if self.recompute else {"recompute": False}
        entry |= {"stream": "comm"} if self.communicates else {}
        return entry | ({"collective": True} if self.collective else {})


def is_scalar(node) -> bool:
    """Whether `node` is a size or computed from sizes: no tensor, and the same at any time of a step."""
    return isinstance(node, fx.Node) and isinstance(node.meta.get("val"), (bool, int, float))


def generator_bytes(device: torch.device) -> int:
    """Bytes on `device` of the state of its random generator. A CUDA generator's state lies on the host."""
    return torch.get_rng_state().numel() if device.type == "cpu" else 0


class StepGraph:
    """A training step as planners see it, with the way back from tensor and node ids to the joint graph.

    `joint` is changed: its dead code goes, and so does what its results do not need. `scratch` says of what is left {name of a node: bytes}. A graph without tangents is a whole step, with
    `forward_outputs` all of its outputs. `gathers_again`: all-gathers may run again; `replays`: random operators may; `overwrites`: results may lie over arguments; `fuses`: inductor compiles it.
    `copies`: values may go to the host, so a wait hands the storage of its collective over. As a view of it, what was waited for would hold the storage to its last reader. Raises UnsupportedGraph."""

    def __init__(self, joint: fx.GraphModule, forward_outputs: int, *, static=(), micros=None, scratch=None,
                 fixed_bytes: int = 0, outside_bytes: int = 0, gathers_again: bool = False, replays: bool = True, overwrites: bool = True, fuses: bool = False,
                 copies: bool = False, name: str = "step"):
        operators.drop_unread_statistics(joint)
        joint.graph.eliminate_dead_code()
        self.joint, self.name, self.fixed_bytes, self.outside_bytes = joint, name, fixed_bytes, outside_bytes
        self.fuses = fuses
        self._gathers_again, self._replays, self._overwrites, self._copies = gathers_again, replays, overwrites, copies
        self._micros = micros or operators.Roofline().micros
        self.tensors: list[Tensor] = []
        self.nodes: list[Node] = []
        self._ids: dict[tuple[fx.Node, int | None], int] = {}
        self._of_node: dict[fx.Node, list[int]] = {}
        self._owners: dict[int, int] = {}
        self._token: int | None = None
        self.sizes: list[fx.Node] = []  # scalars that others are computed from: arguments, and sizes of arguments
        self._states: dict[int, torch.Tensor] = {}
        self._hosts: dict[int, int] = {}

        output = joint.graph.output_node()
        outputs = tree_leaves(output.args[0])
        descriptors = output.meta.get("desc") or [None] * len(outputs)
        self.forward_outputs, self.backward_outputs = outputs[:forward_outputs], outputs[forward_outputs:]
        self.descriptors = descriptors[:forward_outputs], descriptors[forward_outputs:]
        places = joint.graph.find_nodes(op="placeholder")
        self.tangents = [p for p in places if isinstance(p.meta.get("desc"), TangentAOTInput) or p.name.startswith("tangents")]
        self.primals = [p for p in places if p not in self.tangents]
        self.new_values = {o: p for o, d in zip(self.forward_outputs, self.descriptors[0]) if isinstance(d, InputMutationAOTOutput)
                           for p in self.primals if p.meta.get("desc") == d.mutated_input}
        self._backward = self._backward_nodes()
        simplify.simplify(joint, self._backward)
        self._scratch = scratch(joint) if scratch else {}
        self._add_primals(static)
        self._add_nodes()
        self._mark_outputs()

    # ---- what the other rooms ask

    def ids(self, argument) -> list[int]:
        """Tensor ids that an argument of a node stands for; empty for what is no tensor."""
        if not isinstance(argument, fx.Node):
            return []
        if argument.target is operator.getitem and (argument.args[0], argument.args[1]) in self._ids:
            return [self._ids[argument.args[0], argument.args[1]]]
        return self._of_node.get(argument, [])

    def runs_for(self, scalar: fx.Node) -> bool:
        """Whether a scalar is read from what the step computes, or compared with what was planned for: then it is a node, of a result without bytes."""
        return scalar.target is sizes.at_most or not self.tangents and any(not is_scalar(a) and a not in self.primals for a in scalar.all_input_nodes)

    def id(self, argument: fx.Node) -> int:
        found = self.ids(argument)
        if len(found) != 1:
            raise UnsupportedGraph(f"'{argument}' is {len(found)} tensors where one is read")
        return found[0]

    def value(self, tensor: int, key: str = "val"):
        """Fake value of a tensor; None for a token."""
        source, index = self.tensors[tensor].source, self.tensors[tensor].index
        if source is None:
            return self._states.get(tensor)
        return source.meta[key] if index is None else source.meta[key][index]

    def held_bytes(self) -> int:
        """Bytes that are live during the whole step: fixed bytes, parameters, state and inputs."""
        return self.fixed_bytes + sum(t.bytes for t in self.tensors if t.kind in ("parameter", "state", "input"))

    def static_bytes(self, static) -> int:
        """Bytes of the placeholders at the positions `static`: parameters and buffers that the graph reads."""
        return sum(self.tensors[t].bytes for i in static if i < len(self.primals) for t in self.ids(self.primals[i]))

    def add_copy(self, role: Role, tensor: int) -> Node:
        """A node that copies a tensor to the host or back, or waits for that. Plans have such nodes, graphs for planners do not."""
        value = self.value(tensor)
        if tensor not in self._hosts:
            self._hosts[tensor] = self._add_tensor(None, None, None, kind="host", name=f"{self.tensors[tensor].name}.host")
            with detect_fake_mode(value):
                self._states[self._hosts[tensor]] = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device="cpu")
        host = self._hosts[tensor]
        inputs, outputs = {Role.OFFLOAD: ([tensor], [host]), Role.RELOAD: ([host], [tensor])}.get(role, ([tensor, host], []))
        return self._add_node(role, None, inputs, outputs, recompute=False)

    def json(self) -> dict:
        """The graph in the format that `memplan-solve` reads (docs/Formats.md)."""
        tensors = []
        for t in (t for t in self.tensors if t.kind != "host"):
            entry = {"id": t.id, "bytes": t.bytes, "kind": t.kind, "name": t.name}
            tensors.append(entry | ({"view_of": t.base} if t.base != t.id else {}))
        return {"version": 1, "name": self.name, "fixed_bytes": self.fixed_bytes, "tensors": tensors, "nodes": [n.json() for n in self.nodes if n.role not in COPIES]}

    # ---- building

    def _add_primals(self, static) -> None:
        resident = {self.primals[i] for i in static if i < len(self.primals)}
        written = set(self.new_values.values())
        written |= {a for n in self.joint.graph.nodes for a in operators.written_arguments(n) if isinstance(a, fx.Node)}
        for place in self.primals:
            if is_scalar(place):
                self.sizes.append(place)
                continue
            kind = "state" if place in written else "parameter" if place in resident else "input"
            self._add_tensor(place, None, place.meta["val"], kind)

    def _add_tensor(self, source, index, value, kind="activation", bytes=0, name="") -> int:
        id = base = len(self.tensors)
        if isinstance(value, (torch.SymInt, torch.SymFloat)) or isinstance(value, torch.Tensor) and any(not isinstance(s, int) for s in value.size()):
            raise UnsupportedGraph(f"'{source}' has a dynamic shape; give memplan.torch.compile dynamic_batch=True, or leave shapes static")
        if isinstance(value, torch.Tensor) and value.layout == torch.strided:
            storage = value.untyped_storage()
            base = self._owners.setdefault(storage._cdata, id)
            bytes, kind = (max(storage.nbytes(), self._most_bytes(source, index)), kind) if base == id else (0, "activation")
        self.tensors.append(Tensor(id, bytes, kind, name or (source.name if index is None else f"{source.name}#{index}"), base, source, index))
        if source is not None:
            self._ids[source, index] = id
            self._of_node.setdefault(source, []).append(id)
        return id

    @staticmethod
    def _most_bytes(source: fx.Node | None, index: int | None) -> int:
        """Bytes of a result where sizes that depend on values are the largest that they may be; 0 of others."""
        most = source.meta.get("most_bytes", 0) if source is not None else 0
        return most if index is None else most[index] if most else 0

    def _add_node(self, role, node, inputs, outputs, **more) -> Node:
        self.nodes.append(Node(len(self.nodes), role, node, list(dict.fromkeys(inputs)), outputs, **more))
        return self.nodes[-1]

    def _backward_nodes(self) -> set[fx.Node]:
        """Nodes of the backward: what the tangents reach, or in a whole step what follows the first operator that is named a backward."""
        found, named = set(self.tangents), False
        for node in self.joint.graph.nodes:
            named = named or not self.tangents and "_backward" in getattr(node.target, "_opname", "")
            if named or any(a in found for a in node.all_input_nodes):
                found.add(node)
        return found

    def _add_nodes(self) -> None:
        passed = not self.tangents
        for node in self.joint.graph.nodes:
            if node.op == "get_attr" and isinstance(node.meta.get("val"), torch.Tensor):
                self._add_tensor(node, None, node.meta["val"], "parameter")
            if node.op != "call_function":
                continue
            if is_scalar(node) and operators.is_pure(node):
                (self._add_read if self.runs_for(node) else self._add_scalar)(node)
                continue
            if node.target is operator.getitem and (node.args[0], node.args[1]) in self._ids:
                continue
            if node in self._backward and not passed:
                self._add_boundary()
                passed = True
            self._add_operator(node, bool(self.tangents) and passed)
        if not passed:
            self._add_boundary()
        ends = [t for o in (*self.forward_outputs, *self.backward_outputs) if o not in self.new_values for t in self.ids(o)]
        self._add_node(Role.END, None, ends, [], recompute=False)

    def _add_scalar(self, node: fx.Node) -> None:
        read = [a for a in node.all_input_nodes if not is_scalar(a)]
        if any(a not in self.primals for a in read):
            raise UnsupportedGraph(f"'{node}' is a size of '{read[0]}', which is no input; compile with dynamic_batch=False (each shape is planned by itself)")
        self.sizes += [node] if read else []
        self._of_node[node] = list(dict.fromkeys(t for a in node.all_input_nodes if is_scalar(a) for t in self.ids(a)))

    def _add_read(self, node: fx.Node) -> None:
        inputs = [t for a in node.all_input_nodes for t in self.ids(a)]
        self._add_node(Role.OPERATOR, node, inputs, [self._add_tensor(node, None, node.meta["val"])], recompute=False)

    def _add_boundary(self) -> None:
        returned = [t for o in self.forward_outputs for t in self.ids(o)]
        missing = [o for o in self.forward_outputs if isinstance(o, fx.Node) and not self.ids(o) and not is_scalar(o)]
        if missing:
            raise UnsupportedGraph(f"forward output '{missing[0]}' is computed after the backward begins")
        if self._token is not None:
            returned.append(self._token)
        # The argument tuple of autograd keeps every tangent until the backward ends.
        born = [self._add_tensor(t, None, t.meta["val"], "output") for t in self.tangents]
        writes = [self.id(p) for p in self.new_values.values()]
        self._add_node(Role.BOUNDARY, None, returned, born, writes=writes, recompute=False, workspace_bytes=self.outside_bytes)

    def _add_operator(self, node: fx.Node, backward: bool) -> None:
        value, recomputation = node.meta.get("val"), operators.recomputation_of(node)
        reads = recomputation.arguments(node.args) if recomputation else (node.args, node.kwargs)
        inputs = [t for a in tree_leaves(reads) for t in self.ids(a)]
        writes = [self.tensors[t].base for a in operators.written_arguments(node) for t in self.ids(a)]
        draws = operators.is_random(node) and not writes
        seed = self._add_seed(node) if draws and self._replays else None
        given = self._handed_over(node)
        if given is not None:
            del self._owners[value.untyped_storage()._cdata]  # what looks into the storage from here on looks into the result
        values = enumerate(value) if isinstance(value, (tuple, list)) else [(None, value)]
        outputs = [self._add_tensor(node, i, v) for i, v in values if isinstance(v, (torch.Tensor, torch.SymInt, torch.SymFloat))]
        if seed is not None:
            inputs.append(seed)
            self._token = self._add_tensor(None, None, None, name=f"{node.name}.drawn")
        scratch = self._scratch.get(node.name, 0) + (self.tensors[seed].bytes if seed is not None else 0)  # a draw again puts the state back
        views_only = outputs and all(self.tensors[t].base != t for t in outputs)
        collective = operators.is_collective(node) and not (self._gathers_again and operators.is_gather(node))
        if operators.is_wait(node) and isinstance(node.args[0], fx.Node) and operators.reads_until_done(node.args[0]):
            held = [t for a in node.args[0].all_input_nodes for t in self.ids(a)]
            inputs += [t for t in held if self.tensors[self.tensors[t].base].kind == "activation"]  # the caller's stay anyway
        own = self._overwrites and given is None and outputs and self.tensors[outputs[0]].base == outputs[0] and not writes
        over = [t for a in in_place.candidates(node) for t in self.ids(a)] if own else []
        again = not writes and operators.may_repeat(node) and not collective and (seed is not None or not draws)
        self._add_node(Role.OPERATOR, node, inputs, outputs + ([self._token] if seed is not None else []),
                       cost=0.0 if views_only else round(self._micros(node), 4), workspace_bytes=scratch,
                       writes=list(dict.fromkeys(writes)), recompute=again, collective=collective, backward=backward, draws=seed, over=over, hands_over=given)

    def _handed_over(self, node: fx.Node) -> int | None:
        """The result of a collective that `node` waits for and alone reads, where it hands the storage over; None for all others."""
        if not (self._copies and operators.is_wait(node)) or len(node.args[0].users) > 1:
            return None
        given = self.id(node.args[0])
        return given if self.tensors[given].kind == "activation" and self.tensors[given].base == given else None

    def _add_seed(self, node: fx.Node) -> int:
        """State of the generator before `node` draws. Draws keep their order by a token of 0 bytes from each to the next seed."""
        device = next((v.device for v in tree_leaves(node.meta["val"]) if isinstance(v, torch.Tensor)), torch.device("cpu"))
        state = self._add_tensor(None, None, None, bytes=generator_bytes(device), name=f"{node.name}.state")
        form = torch.get_rng_state() if device.type == "cpu" else torch.cuda.get_rng_state(device)
        with detect_fake_mode(node.meta["val"]):
            self._states[state] = torch.empty(form.numel(), dtype=torch.uint8)
        self._add_node(Role.SEED, None, [self._token] if self._token is not None else [], [state], recompute=False)
        return state

    def _mark_outputs(self) -> None:
        for out in (*self.forward_outputs, *self.backward_outputs):
            for t in self.ids(out) if out not in self.new_values else []:
                base = self.tensors[self.tensors[t].base]
                base.kind = "output" if base.kind == "activation" else base.kind
