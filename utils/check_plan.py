#!/usr/bin/env python3
"""Checks a plan against its graph by executing it symbolically, without any of memplan's code.

usage: check_plan.py GRAPH.graph.json PLAN.plan.json [--budget BYTES]
       check_plan.py --directory DIR        checks every N.plan.json with its N.graph.json

Every tensor in memory is a value: a base tensor, how often it was written, and the views made of it since. A step that
needs a value that is not there is a violation, and so is every claim of the plan that the execution contradicts.
Exit status: 0 everything holds, 1 a violation (printed), 2 a file cannot be read. Standard library only.
"""
import argparse
import json
import math
import pathlib
import sys
from dataclasses import dataclass, field

OWNED_BY_CALLER = {"parameter", "state", "input"}
KINDS = OWNED_BY_CALLER | {"activation", "gradient", "output"}
ACTIONS = {"compute", "free", "evict", "fetch", "wait", "drop_host"}


class Violation(Exception):
    """The plan or the graph breaks a rule."""


def demand(holds, message):
    if not holds:
        raise Violation(message)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value):
    return (is_integer(value) or isinstance(value, float)) and math.isfinite(value)


def get(record, key, test, where, default=None):
    """record[key], of the right type; the default where the key is absent (None: it must be there)."""
    demand(isinstance(record, dict), f"{where} is no object")
    if key not in record:
        demand(default is not None, f"{where} lacks '{key}'")
        return default
    demand(test(record[key]), f"{where}: '{key}' has the wrong type")
    return record[key]


def integers(record, key, where, default=None):
    values = get(record, key, lambda v: isinstance(v, list), where, default)
    demand(all(map(is_integer, values)), f"{where}: '{key}' must hold integers")
    return values


def pairs(record, key, where):
    values = get(record, key, lambda v: isinstance(v, list), where, [])
    good = all(isinstance(p, list) and len(p) == 2 and all(map(is_integer, p)) for p in values)
    demand(good, f"{where}: '{key}' must hold pairs of integers")
    return [tuple(p) for p in values]


@dataclass
class Tensor:
    id: int
    kind: str
    bytes: int
    parent: int | None
    donated: bool
    base: int = 0
    maker: int | None = None

    def survives(self):
        """Must it be readable after the step?"""
        return self.kind in ("parameter", "state", "output") or (self.kind == "input" and not self.donated)


@dataclass
class Node:
    id: int
    ways: list  # (cost, workspace bytes) by variant
    inputs: list
    outputs: list
    writes: list
    in_place: list
    collective: bool
    once: bool
    wanted: dict = field(default_factory=dict)  # base -> its version in source order


class Graph:
    def __init__(self, text):
        self.fixed = get(text, "fixed_bytes", is_integer, "graph", 0)
        self.host_budget = text.get("host_budget_bytes")
        self.tensors = {}
        for record in get(text, "tensors", lambda v: isinstance(v, list), "graph"):
            self.add_tensor(record)
        for tensor in self.tensors.values():
            tensor.base = self.find_base(tensor)
        self.nodes = {}
        for record in get(text, "nodes", lambda v: isinstance(v, list), "graph"):
            self.add_node(record)
        self.find_versions()

    def add_tensor(self, record):
        i = get(record, "id", is_integer, "tensor")
        demand(i not in self.tensors, f"two tensors {i}")
        parent = record.get("view_of")
        size = 0 if parent is not None else get(record, "bytes", is_integer, f"tensor {i}")
        kind = record.get("kind", "activation")
        demand(kind in KINDS, f"tensor {i}: unknown kind {kind}")
        demand(size >= 0, f"tensor {i}: negative bytes")
        self.tensors[i] = Tensor(i, kind, size, parent, bool(record.get("donated", False)))

    def find_base(self, tensor):
        seen = set()
        while tensor.parent is not None:
            demand(tensor.id not in seen, f"tensor {tensor.id}: views form a cycle")
            demand(tensor.parent in self.tensors, f"tensor {tensor.id}: view of no tensor")
            seen.add(tensor.id)
            tensor = self.tensors[tensor.parent]
        return tensor.id

    def add_node(self, record):
        i = get(record, "id", is_integer, "node")
        where = f"node {i}"
        demand(i not in self.nodes, f"two nodes {i}")
        own = (get(record, "cost", is_number, where), get(record, "workspace_bytes", is_integer, where, 0))
        others = [
            (get(v, "cost", is_number, where), get(v, "workspace_bytes", is_integer, where, 0))
            for v in record.get("variants", [])[1:]
        ]
        writes = integers(record, "writes", where, [])
        # Opaque nodes and collectives keep their place among themselves.
        collective = bool(record.get("collective", False)) or bool(record.get("opaque", False))
        node = Node(
            id=i,
            ways=[own] + others,
            inputs=integers(record, "inputs", where),
            outputs=integers(record, "outputs", where),
            writes=writes,
            in_place=pairs(record, "in_place", where),
            collective=collective,
            once=record.get("recompute", True) is False or collective or bool(writes),
        )
        for t in node.inputs + node.outputs + writes:
            demand(t in self.tensors, f"{where}: no tensor {t}")
        for t in node.outputs:
            demand(self.tensors[t].maker is None, f"tensor {t} has two makers")
            self.tensors[t].maker = i
        self.nodes[i] = node

    def find_versions(self):
        self.last_version = dict.fromkeys(self.tensors, 0)
        for node in self.nodes.values():
            touched = {self.tensors[t].base for t in node.inputs + node.writes}
            node.wanted = {b: self.last_version[b] for b in touched}
            for t in node.writes:
                self.last_version[self.tensors[t].base] += 1
        for tensor in self.tensors.values():
            by_caller = self.tensors[tensor.base].kind in OWNED_BY_CALLER
            demand(tensor.maker is not None or by_caller, f"tensor {tensor.id} comes from nowhere")


@dataclass(eq=False)
class Block:
    """A stretch of memory from the step that takes it to the step that gives it back."""

    taker: int
    begin: int
    bytes: int
    base: int | None = None  # base tensor whose value it holds
    version: int = 0
    views: set = field(default_factory=set)  # readable tensors, the base included
    copy: bool = False  # a copy from or to it is under way


class Execution:
    def __init__(self, graph):
        self.graph = graph
        self.now = 0
        self.blocks = []
        self.finished = []  # (taker, begin, end, bytes)
        self.scratch = []  # (kind, id, step, bytes)
        self.writes = dict.fromkeys(graph.tensors, 0)
        self.host = {}  # base -> version
        self.copies = {}  # event -> (direction, base, block)
        self.events = set()
        self.cost = 0.0
        self.runs = dict.fromkeys(graph.nodes, 0)
        self.collectives = []
        for t in graph.tensors.values():
            if t.maker is None and t.parent is None:
                given = {u.id for u in graph.tensors.values() if u.base == t.id and u.maker is None}
                self.blocks.append(Block(t.id, 0, t.bytes, t.id, 0, given))
        self.peak = self.used()

    def used(self):
        return self.graph.fixed + sum(b.bytes for b in self.blocks)

    def fail(self, message):
        raise Violation(f"step {self.now}: {message}")

    def expect(self, holds, message):
        if not holds:
            self.fail(message)

    def block_of(self, tensor):
        """The block where the tensor can be read, or None."""
        base = self.graph.tensors[tensor].base
        return next((b for b in self.blocks if b.base == base and tensor in b.views), None)

    def home_of(self, base):
        """The block that holds the base or is being filled with it."""
        return next((b for b in self.blocks if b.base == base), None)

    def release(self, block):
        self.blocks.remove(block)
        self.finished.append((block.taker, block.begin, self.now, block.bytes))

    def tensor(self, i):
        self.expect(i in self.graph.tensors, f"no tensor {i}")
        return self.graph.tensors[i]

    # --- Actions ---

    def perform(self, record):
        actions = [key for key in ACTIONS if isinstance(record, dict) and key in record]
        self.expect(len(actions) == 1, f"{len(actions)} actions")
        getattr(self, "do_" + actions[0])(record, f"step {self.now}")
        self.peak = max(self.peak, self.used())
        self.now += 1

    def do_compute(self, record, where):
        i = get(record, "compute", is_integer, where)
        self.expect(i in self.graph.nodes, f"no node {i}")
        node = self.graph.nodes[i]
        self.expect(record.get("stream", 0) == 0, "only one compute stream can be checked")
        self.expect(self.runs[i] == 0 or not node.once, f"node {i} must not run again")
        variant = get(record, "variant", is_integer, where, 0)
        self.expect(0 <= variant < len(node.ways), f"node {i} has no variant {variant}")
        cost, workspace = node.ways[variant]
        self.read_inputs(node)
        discard = integers(record, "discard", where, [])
        self.expect(len(set(discard)) == len(discard), "discards a tensor twice")
        self.expect(set(discard) <= set(node.outputs), f"discards what node {i} does not make")
        over = self.match_in_place(node, pairs(record, "in_place", where), discard)
        self.make_outputs(node, discard, over, workspace)
        self.write(node)
        self.runs[i] += 1
        self.cost += cost
        if node.collective:
            self.collectives.append(i)

    def read_inputs(self, node):
        for t in node.inputs:
            block = self.block_of(t)
            self.expect(block is not None, f"node {node.id} reads tensor {t}, which is not in memory")
            self.check_version(node, block)

    def check_version(self, node, block):
        wanted = node.wanted[block.base]
        self.expect(
            block.version == wanted == self.writes[block.base],
            f"node {node.id} needs version {wanted} of tensor {block.base}",
        )

    def match_in_place(self, node, chosen, discard):
        """Block that each output in place takes over."""
        over = {}
        for output, source in chosen:
            self.expect((output, source) in node.in_place, f"node {node.id} may not put {output} over {source}")
            self.expect(output not in discard and output not in over, f"tensor {output} has two places")
            block = self.block_of(source)
            owner = self.graph.tensors[block.base]
            replaceable = owner.kind in ("activation", "gradient") or (owner.kind == "input" and owner.donated)
            self.expect(replaceable, f"tensor {source} must not be overwritten")
            self.expect(block not in over.values(), f"two outputs over the storage of tensor {source}")
            self.expect(block.bytes >= self.graph.tensors[output].bytes, f"tensor {output} does not fit over {source}")
            aliases = [t for t in node.inputs if t != source and self.block_of(t) is block]
            self.expect(not aliases, f"node {node.id} also reads tensor {aliases[:1]} under {output}")
            over[output] = block
        return over

    def make_outputs(self, node, discard, over, workspace):
        extra = workspace
        if workspace > 0:
            self.scratch.append(("workspace", node.id, self.now, workspace))
        fresh, views = [], []
        for t in (self.graph.tensors[o] for o in node.outputs):
            if t.id in discard:
                if t.parent is None:
                    extra += t.bytes
                    self.scratch.append(("discard", t.id, self.now, t.bytes))
                continue
            self.expect(self.block_of(t.id) is None, f"tensor {t.id} is already in memory")
            if t.parent is not None:
                views.append(t)
            elif t.id in over:
                over[t.id].base, over[t.id].version, over[t.id].views = t.id, 0, {t.id}
            else:
                self.expect(self.home_of(t.id) is None, f"tensor {t.id} is being fetched")
                fresh.append(Block(t.id, self.now, t.bytes, t.id, 0, {t.id}))
        self.blocks += fresh
        self.peak = max(self.peak, self.used() + extra)
        for t in views:
            block = self.block_of(t.parent)
            self.expect(block is not None, f"tensor {t.id} is a view of {t.parent}, which is not in memory")
            block.views.add(t.id)

    def write(self, node):
        for t in node.writes:
            block = self.block_of(t)
            self.expect(block is not None, f"node {node.id} writes tensor {t}, which is not in memory")
            self.check_version(node, block)
            block.version += 1
            self.writes[block.base] += 1

    def do_free(self, record, where):
        for i in integers(record, "free", where):
            tensor = self.tensor(i)
            owner = self.graph.tensors[tensor.base]
            self.expect(owner.kind not in ("parameter", "state"), f"frees tensor {i}, a {owner.kind}")
            self.expect(owner.kind != "input" or owner.donated, f"frees input {i}, which is not donated")
            block = self.block_of(i)
            self.expect(block is not None, f"frees tensor {i}, which is not in memory")
            self.expect(not block.copy, f"frees tensor {i} during a copy")
            self.release(block)

    def begin_copy(self, record, key, where):
        i, event = get(record, key, is_integer, where), get(record, "event", is_integer, where)
        self.expect(event not in self.events, f"event {event} is used twice")
        self.events.add(event)
        self.expect(self.tensor(i).parent is None, f"tensor {i} is a view and cannot be copied")
        return i, event

    def do_evict(self, record, where):
        i, event = self.begin_copy(record, "evict", where)
        block = self.block_of(i)
        self.expect(block is not None, f"evicts tensor {i}, which is not in memory")
        self.host[i] = block.version
        used = sum(self.graph.tensors[t].bytes for t in self.host)
        self.expect(self.graph.host_budget is None or used <= self.graph.host_budget, "the host budget is exceeded")
        block.base, block.views, block.copy = None, set(), True
        self.copies[event] = ("evict", i, block)

    def do_fetch(self, record, where):
        i, event = self.begin_copy(record, "fetch", where)
        leaving = any(c[:2] == ("evict", i) for c in self.copies.values())
        self.expect(i in self.host and not leaving, f"fetches tensor {i}, which is not on the host")
        self.expect(self.home_of(i) is None, f"fetches tensor {i}, which is in memory")
        self.expect(self.host[i] == self.writes[i], f"the host copy of tensor {i} is out of date")
        block = Block(i, self.now, self.graph.tensors[i].bytes, i, self.host[i], set(), True)
        self.blocks.append(block)
        self.copies[event] = ("fetch", i, block)

    def do_wait(self, record, where):
        event = get(record, "wait", is_integer, where)
        self.expect(event in self.copies, f"waits for event {event}, which is not under way")
        direction, i, block = self.copies.pop(event)
        block.copy = False
        if direction == "evict":
            self.release(block)
        else:
            block.views.add(i)

    def do_drop_host(self, record, where):
        i = get(record, "drop_host", is_integer, where)
        self.expect(i in self.host, f"tensor {i} is not on the host")
        self.expect(all(c[1] != i for c in self.copies.values()), f"drops the host copy of tensor {i} during a copy")
        del self.host[i]

    def finish(self):
        demand(not self.copies, f"copies {sorted(self.copies)} are never waited for")
        for i, count in self.runs.items():
            demand(count > 0, f"node {i} never runs")
        in_order = [n.id for n in self.graph.nodes.values() if n.collective]
        demand(self.collectives == in_order, "collectives and opaque nodes run out of order")
        for t in self.graph.tensors.values():
            if not t.survives():
                continue
            block = self.block_of(t.id)
            demand(block is not None, f"tensor {t.id} ({t.kind}) is not in memory at the end")
            demand(block.version == self.graph.last_version[t.base], f"tensor {t.id} ends in an old version")
        for block in list(self.blocks):
            self.release(block)


# --- What the plan claims ---


def check_arena(arena, graph, execution, limit):
    where = "arena"
    size = get(arena, "bytes", is_integer, where)
    alignment = get(arena, "alignment", is_integer, where, 1)
    demand(size >= 0 and alignment >= 1, "arena: bytes or alignment out of range")
    owns = set(integers(arena, "owns", where, []))
    callers = [t for t in graph.tensors.values() if t.kind in OWNED_BY_CALLER and t.parent is None and t.maker is None]
    demand(owns <= {t.id for t in callers}, "arena: owns what is not the caller's")
    outside = graph.fixed + sum(t.bytes for t in callers if t.id not in owns)
    demand(limit is None or outside + size <= limit, f"arena: {outside} + {size} bytes exceed the budget {limit}")

    placed = {}
    for record in get(arena, "placements", lambda v: isinstance(v, list), where):
        kinds = [k for k in ("tensor", "workspace", "discard") if isinstance(record, dict) and k in record]
        demand(len(kinds) == 1, "arena: a placement must name one thing")
        key = (kinds[0], record[kinds[0]], get(record, "step_begin", is_integer, "placement"))
        demand(key not in placed, f"arena: {key} is placed twice")
        placed[key] = (get(record, "step_end", is_integer, "placement"), get(record, "offset", is_integer, "placement"))

    needs = {
        ("tensor", taker, begin): (end, length)
        for taker, begin, end, length in execution.finished
        if graph.tensors[taker].maker is not None or taker in owns
    }
    needs.update({(kind, i, step): (step + 1, length) for kind, i, step, length in execution.scratch})
    for key in placed:
        demand(key in needs, f"arena: {key} is placed, but takes nothing")
    rectangles = []
    for key, (end, length) in needs.items():
        if length == 0:
            continue
        demand(key in placed, f"arena: {key} has no place")
        until, offset = placed[key]
        demand(until >= end, f"arena: {key} lives until step {end}, its place until {until}")
        demand(offset >= 0 and offset % alignment == 0, f"arena: {key} is at offset {offset}")
        demand(offset + length <= size, f"arena: {key} ends at {offset + length} of {size}")
        rectangles.append((key[2], end, offset, offset + length, key))
    check_disjoint(rectangles)


def check_disjoint(rectangles):
    """Sweeps over the steps; pairs that are alive together must not meet in bytes."""
    alive = []
    for begin, end, low, high, key in sorted(rectangles, key=lambda r: r[0]):
        alive = [r for r in alive if r[0] > begin]
        for _, other_low, other_high, other in alive:
            demand(high <= other_low or other_high <= low, f"arena: {key} and {other} share bytes at step {begin}")
        alive.append((end, low, high, key))


def check_claims(plan, execution, limit):
    peak = get(plan, "peak_bytes", is_integer, "plan")
    demand(peak == execution.peak, f"the plan says peak_bytes {peak}, executing it gives {execution.peak}")
    demand(limit is None or peak <= limit, f"peak_bytes {peak} exceed the budget {limit}")
    cost = get(plan, "cost", is_number, "plan")
    close = 1e-6 * max(1.0, execution.cost)
    demand(abs(cost - execution.cost) <= close, f"the plan says cost {cost}, executing it gives {execution.cost}")
    time = get(plan, "time", is_number, "plan", cost)
    copies = any("evict" in s or "fetch" in s for s in plan["steps"])
    on_time = abs(time - execution.cost) <= close or (copies and time >= execution.cost)
    demand(on_time, f"the plan says time {time}, its nodes take {execution.cost}")
    bound = plan.get("bound")
    demand(bound is None or is_number(bound), "plan: 'bound' has the wrong type")
    if bound is not None and plan.get("bound_space") != "staged":
        demand(bound <= execution.cost * (1 + 1e-6) + 1e-9, f"bound {bound} is above the cost {execution.cost}")
    if plan["status"] == "optimal":
        near = bound is not None and bound >= execution.cost * (1 - 1e-4) - 1e-9
        demand(near, "optimal without a bound that shows it")


def check(graph_text, plan, budget=None):
    """Raises Violation, or returns the execution (None for a plan without steps)."""
    graph = Graph(graph_text)
    demand(get(plan, "version", is_integer, "plan") == 1, "plan: unknown version")
    limit = budget if budget is not None else plan.get("budget_bytes")
    demand(limit is None or is_integer(limit), "plan: 'budget_bytes' has the wrong type")
    status = get(plan, "status", lambda v: isinstance(v, str), "plan")
    demand(status in ("optimal", "feasible", "infeasible", "no_plan"), f"plan: unknown status {status}")
    if status in ("infeasible", "no_plan"):
        demand(not plan.get("steps") and not plan.get("arenas"), f"status {status} with steps or arenas")
        least = plan.get("bound_bytes")
        proved = status != "infeasible" or least is None or limit is None or least > limit
        demand(proved, f"infeasible, but bound_bytes {least} is within the budget {limit}")
        return None
    execution = Execution(graph)
    for record in get(plan, "steps", lambda v: isinstance(v, list), "plan"):
        execution.perform(record)
    execution.finish()
    check_claims(plan, execution, limit)
    devices = [a for a in plan.get("arenas", []) if a.get("space", "device") == "device"]
    demand(len(devices) <= 1, "more than one device arena")
    for arena in devices:
        check_arena(arena, graph, execution, limit)
    return execution


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", nargs="?")
    parser.add_argument("plan", nargs="?")
    parser.add_argument("--budget", type=int)
    parser.add_argument("--directory", type=pathlib.Path)
    options = parser.parse_args()
    if options.directory:
        plans = sorted(options.directory.glob("*.plan.json"))
        cases = [(p.with_name(p.name.replace(".plan.json", ".graph.json")), p) for p in plans]
    elif options.graph and options.plan:
        cases = [(options.graph, options.plan)]
    else:
        parser.error("give a graph and a plan, or --directory")
    execution = None
    for graph, plan in cases:
        try:
            execution = check(load(graph), load(plan), options.budget)
        except Violation as violation:
            print(f"{plan}: violation: {violation}")
            return 1
        except (OSError, ValueError) as error:
            print(f"{plan}: {error}", file=sys.stderr)
            return 2
    if options.directory:
        print(f"ok plans={len(cases)}")
    elif execution is None:
        print("ok without steps")
    else:
        runs = sum(execution.runs.values())
        print(f"ok cost={execution.cost:g} peak_bytes={execution.peak} computes={runs}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
