#!/usr/bin/env python3
"""Checks a plan against its graph by executing it symbolically, without any of memplan's code.

usage: check_plan.py GRAPH.graph.json PLAN.plan.json [--budget BYTES] [--bandwidth H2D,D2H[,LATENCY]] [--order=source] [--useful]
       check_plan.py --directory DIR        checks every N.plan.json with its N.graph.json

Every tensor in memory is a value: a base tensor, how often it was written, and the views made of it since. A step that
needs a value that is not there is a violation, and so are a value that another queue may still be making, bytes that
another queue may still be using, and every claim of the plan that the execution contradicts.
Under --order=source nodes that only make views, write nothing and may run again stand outside the order. Under --useful
no run may be in vain; with --order=source, a first run may be there for the order alone: without it, its node would come
behind others.
Exit status: 0 everything holds, 1 a violation (printed), 2 a file cannot be read. Standard library only.
"""
import argparse
import json
import lzma
import math
import pathlib
import sys
from dataclasses import dataclass, field

OWNED_BY_CALLER = {"parameter", "state", "input"}
KINDS = OWNED_BY_CALLER | {"activation", "gradient", "output"}
ACTIONS = ("compute", "free", "evict", "fetch", "wait", "drop_host")
SPACES = ("staged", "fixed-order", "free-order")
TIME_SPACES = ("run-once", "fixed-order", "free-order")
PROOFS = ("exact", "rounded-dual", "solver")
MOST_STREAMS = 256


class Violation(Exception):
    """The plan or the graph breaks a rule."""


def demand(holds, message):
    if not holds:
        raise Violation(message)


# --- Typed access to JSON ---


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63


def is_number(value):
    return is_integer(value) or (isinstance(value, float) and math.isfinite(value))


def is_text(value):
    return isinstance(value, str)


def is_list(value):
    return isinstance(value, list)


def is_truth(value):
    return isinstance(value, bool)


def get(record, key, test, where, *default):
    """record[key], of the right type; the default where the key is absent (none: it must be there)."""
    demand(isinstance(record, dict), f"{where} is not an object")
    if record.get(key) is None:
        demand(default, f"{where} lacks '{key}'")
        return default[0]
    demand(test(record[key]), f"{where}: '{key}' has the wrong type")
    return record[key]


def integers(record, key, where, *default):
    values = get(record, key, is_list, where, *default)
    demand(all(map(is_integer, values)), f"{where}: '{key}' must hold integers")
    return values


def pairs(record, key, where):
    values = get(record, key, is_list, where, [])
    good = all(is_list(p) and len(p) == 2 and all(map(is_integer, p)) for p in values)
    demand(good, f"{where}: '{key}' must hold pairs of integers")
    return [tuple(p) for p in values]


def check_texts(record, keys, where):
    """What has no meaning here must be text all the same."""
    for key in keys:
        get(record, key, is_text, where, "")


def only_key(record, keys, where, what):
    """The one of the keys that the record has."""
    demand(isinstance(record, dict), f"{where} is not an object")
    found = [key for key in keys if key in record]
    demand(len(found) == 1, f"{where}: {len(found)} {what}")
    return found[0]


# --- The graph ---


@dataclass
class Tensor:
    id: int
    kind: str
    bytes: int
    parent: int | None
    donated: bool
    part: tuple | None = None  # (offset, bytes, rows, stride, written by its producer) in the base
    base: int = 0
    producer: int | None = None

    def stays(self):
        """Is it the caller's, and must outlive the step?"""
        return self.kind in ("parameter", "state") or (self.kind == "input" and not self.donated)

    def survives(self):
        """Must it be readable after the step?"""
        return self.kind == "output" or self.stays()


@dataclass
class Node:
    id: int
    ways: list  # (cost, workspace bytes) by variant
    inputs: list
    outputs: list
    writes: list
    in_place: list
    collective: bool
    communicates: bool
    once: bool
    wanted: dict = field(default_factory=dict)  # base -> its version in source order


class Graph:
    def __init__(self, text):
        demand(get(text, "version", is_integer, "graph") == 1, "graph: unknown version")
        check_texts(text, ("name",), "graph")
        self.fixed = get(text, "fixed_bytes", is_integer, "graph", 0)
        self.host_budget = get(text, "host_budget_bytes", is_integer, "graph", None)
        demand(self.fixed >= 0 and (self.host_budget or 0) >= 0, "graph: negative bytes")
        self.rates = self.read_rates(get(text, "bandwidth", lambda v: isinstance(v, dict), "graph", {}))
        self.tensors = {}
        for record in get(text, "tensors", is_list, "graph"):
            self.add_tensor(record)
        for tensor in self.tensors.values():
            tensor.base = self.find_base(tensor)
        self.nodes = {}
        for record in get(text, "nodes", is_list, "graph"):
            self.add_node(record)
        self.find_versions()
        self.check_parts()

    def check_parts(self):
        """Parts lie in their wholes; what nodes write there is written once and apart from the rest."""
        written = {}  # base -> [(first byte, last byte + 1, tensor)]
        for tensor in self.tensors.values():
            if tensor.part is None:
                continue
            offset, size, rows, stride, is_written = tensor.part
            whole = self.tensors[tensor.base].bytes
            demand(offset + (rows - 1) * stride + size <= whole, f"tensor {tensor.id}: part_of ends beyond its whole of {whole} bytes")
            if not is_written:
                continue
            producer = self.nodes.get(tensor.producer)
            demand(producer is not None, f"tensor {tensor.id}: nothing writes this part")
            demand(producer.once, f"node {producer.id} writes tensor {tensor.id}, a part, but may run again")
            for row in range(rows):
                begin = offset + row * stride
                written.setdefault(tensor.base, []).append((begin, begin + size, tensor.id))
        for rows in written.values():
            rows.sort()
            for one, other in zip(rows, rows[1:]):
                demand(one[1] <= other[0], f"tensors {one[2]} and {other[2]} are written over each other")

    @staticmethod
    def read_rates(text):
        """What a copy takes: (latency, bytes per cost unit or None) by direction."""
        latency = get(text, "latency", is_number, "bandwidth", 0)
        rates = {engine: get(text, engine, is_number, "bandwidth", None) for engine in ("h2d", "d2h")}
        demand(latency >= 0, f"bandwidth: the latency {latency} is negative")
        demand(all(r is None or r > 0 for r in rates.values()), "bandwidth: a rate must be positive")
        return {engine: (latency, rate) for engine, rate in rates.items()}

    def add_tensor(self, record):
        i = get(record, "id", is_integer, "tensor")
        where = f"tensor {i}"
        demand(i not in self.tensors, f"two tensors {i}")
        parent = get(record, "view_of", is_integer, where, None)
        size = 0 if parent is not None else get(record, "bytes", is_integer, where)
        kind = get(record, "kind", is_text, where, "activation")
        demand(kind in KINDS, f"{where}: unknown kind {kind!a}")
        check_texts(record, ("name",), where)
        demand(size >= 0, f"{where}: negative bytes")
        part = self.read_part(get(record, "part_of", lambda v: isinstance(v, dict), where, None), where)
        demand(part is None or parent is not None, f"{where}: a part_of without a view_of")
        self.tensors[i] = Tensor(i, kind, size, parent, get(record, "donated", is_truth, where, False), part)

    @staticmethod
    def read_part(text, where):
        if text is None:
            return None
        offset, size = (get(text, key, is_integer, f"{where}, part_of") for key in ("offset", "bytes"))
        rows, stride = get(text, "rows", is_integer, where, 1), get(text, "stride", is_integer, where, 0)
        demand(offset >= 0 and size > 0 and rows > 0, f"{where}: a part without bytes, or before its whole")
        demand(stride == 0 if rows == 1 else stride >= size, f"{where}: rows of {size} bytes with stride {stride}")
        return offset, size, rows, stride, get(text, "written", is_truth, where, False)

    def find_base(self, tensor):
        seen = set()
        while tensor.parent is not None:
            demand(tensor.id not in seen, f"tensor {tensor.id}: views form a cycle")
            demand(tensor.parent in self.tensors, f"tensor {tensor.id}: view of no tensor")
            seen.add(tensor.id)
            tensor = self.tensors[tensor.parent]
        return tensor.id

    @staticmethod
    def read_way(record, where):
        cost = get(record, "cost", is_number, where)
        workspace = get(record, "workspace_bytes", is_integer, where, 0)
        demand(cost >= 0 and workspace >= 0, f"{where}: negative cost or workspace")
        return cost, workspace

    def add_node(self, record):
        i = get(record, "id", is_integer, "node")
        where = f"node {i}"
        demand(i not in self.nodes, f"two nodes {i}")
        ways = [self.read_way(record, where)]
        ways += [self.read_way(v, f"{where}, variant") for v in get(record, "variants", is_list, where, [])[1:]]
        check_texts(record, ("name",), where)
        for key in ("flops", "bytes_moved"):
            demand(get(record, key, is_integer, where, 0) >= 0, f"{where}: negative {key}")
        get(record, "backward", is_truth, where, False)
        stream = get(record, "stream", is_text, where, "")
        demand(stream in ("", "comm"), f"{where}: no stream {stream!r}")
        writes = integers(record, "writes", where, [])
        # Both kinds keep their places among themselves.
        placed = [get(record, key, is_truth, where, False) for key in ("collective", "opaque")]
        collective = any(placed)
        node = Node(
            id=i,
            ways=ways,
            inputs=integers(record, "inputs", where),
            outputs=integers(record, "outputs", where),
            writes=writes,
            in_place=pairs(record, "in_place", where),
            collective=collective,
            communicates=stream == "comm",
            once=not get(record, "recompute", is_truth, where, True) or collective or bool(writes),
        )
        for t in node.inputs + node.outputs + writes:
            demand(t in self.tensors, f"{where}: no tensor {t}")
        for t in node.outputs:
            demand(self.tensors[t].producer is None, f"tensor {t} has two producers")
            caller = self.tensors[t].parent is None and self.tensors[t].kind in OWNED_BY_CALLER
            demand(not caller, f"{where} makes tensor {t}, which is the caller's")
            self.tensors[t].producer = i
        for output, source in node.in_place:
            known = output in node.outputs and source in node.inputs and self.tensors[output].parent is None
            demand(known, f"{where}: in_place names {output} over {source}")
        self.nodes[i] = node

    def find_versions(self):
        self.last_version = dict.fromkeys(self.tensors, 0)
        for tensor in self.tensors.values():
            by_caller = self.tensors[tensor.base].kind in OWNED_BY_CALLER
            demand(tensor.producer is not None or by_caller, f"tensor {tensor.id} comes from nowhere")
        made = {t.id for t in self.tensors.values() if t.producer is None}
        for node in self.nodes.values():
            later = [t for t in node.inputs if t not in made]
            demand(not later, f"node {node.id} reads tensor {later[:1]}, which is made later")
            made.update(node.outputs)
            touched = {self.tensors[t].base for t in node.inputs + node.writes}
            node.wanted = {b: self.last_version[b] for b in touched}
            for t in node.writes:
                self.last_version[self.tensors[t].base] += 1


# --- Queues: what happens before what, and when ---


class Point:
    """A place in a queue, counted from 1: what has happened by then elsewhere, and when it is reached."""

    __slots__ = ("queue", "place", "elsewhere", "time")

    def __init__(self, queue, place=0, elsewhere=None, time=0.0):
        self.queue, self.place, self.elsewhere, self.time = queue, place, elsewhere or {}, time

    def follows(self, queue, place):
        return place <= (self.place if queue == self.queue else self.elsewhere.get(queue, 0))


class Queues:
    """The streams 0, 1, ... and the engines "d2h" and "h2d"."""

    def __init__(self, rates):
        self.rates = rates
        self.last = {}  # queue -> Point
        self.end = 0.0

    def now(self, queue):
        return self.last.setdefault(queue, Point(queue))

    def put(self, queue, duration):
        before = self.now(queue)
        point = Point(queue, before.place + 1, before.elsewhere, before.time + duration)
        self.last[queue] = point
        self.end = max(self.end, point.time)
        return point

    def copy(self, engine, stream, size):
        self.follow(engine, self.now(stream))
        latency, rate = self.rates[engine]
        return self.put(engine, latency + (size / rate if rate else 0))

    def follow(self, queue, point):
        """What comes next in the queue happens after the point."""
        mine = self.now(queue)
        news = {q: n for q, n in [(point.queue, point.place), *point.elsewhere.items()] if not mine.follows(q, n)}
        elsewhere = {**mine.elsewhere, **news} if news else mine.elsewhere
        self.last[queue] = Point(queue, mine.place, elsewhere, max(mine.time, point.time))

    def streams(self):
        return sum(1 for queue in self.last if is_integer(queue))


@dataclass(eq=False)
class Block:
    """A stretch of memory from the step that takes it to the step that gives it back."""

    what: str  # "tensor", "workspace" or "discard"
    allocated_by: int  # tensor or node
    begin: int
    bytes: int
    taken: Point
    end: int = -1
    version: int = 0
    made: tuple = (None, 0)  # queue and place of the run that made what it holds
    users: dict = field(default_factory=dict)  # queue -> place of its last user there
    readable: dict = field(default_factory=dict)  # tensor -> queue and place of the run that made it (views)
    copies: int = 0  # under way
    leaving: bool = False  # one of them is an evict

    def use(self, point):
        self.users[point.queue] = point.place

    def fill(self, point, version):
        self.made, self.version = (point.queue, point.place), version
        self.use(point)

    def __str__(self):
        return f"{self.what} {self.allocated_by}"


# --- Executing the steps ---

BEGINNING = Point(None)


class Execution:
    def __init__(self, graph, hosted=()):
        self.graph = graph
        self.hosted = set(hosted)  # caller's tensors that live on the host between steps
        self.now = 0
        self.queues = Queues(graph.rates)
        self.home = {}  # readable tensor -> block
        self.blocks = []  # in the order taken, scratch included
        self.stays = []  # copies on the host, in the order taken
        self.host = {}  # base -> its copy there
        self.host_used = 0
        self.copies = {}  # event of a copy not waited for yet -> (direction, block)
        self.events = {}  # event -> point
        self.writes = dict.fromkeys(graph.tensors, 0)
        self.cost = 0.0
        self.runs = dict.fromkeys(graph.nodes, 0)
        self.firsts = []  # nodes in the order of their first runs
        self.collectives = []
        self.sorts = {}  # stream -> do its runs communicate, do they compute
        self.live = graph.fixed
        given = {}
        for t in graph.tensors.values():
            if t.producer is None:
                given.setdefault(t.base, []).append(t.id)
        for base, members in given.items():
            if base in self.hosted:
                stay = Block("tensor", base, 0, graph.tensors[base].bytes, BEGINNING)
                self.host[base] = stay
                self.stays.append(stay)
                self.host_used += stay.bytes
            elif graph.tensors[base].producer is None:
                block = self.take(base, BEGINNING)
                for t in members:
                    self.reveal(t, block, (None, 0))
        self.peak = self.live

    def fail(self, message):
        raise Violation(f"step {self.now}: {message}")

    def expect(self, holds, message):
        if not holds:
            self.fail(message)

    def expect_after(self, point, mark, message):
        """The run of the mark happens before the point."""
        queue, place = mark
        self.expect(point.follows(queue, place), f"{message} is not waited for on queue {queue}")

    def expect_unused(self, block, point, message):
        for mark in block.users.items():
            self.expect_after(point, mark, message)

    def take(self, base, point):
        block = Block("tensor", base, self.now, self.graph.tensors[base].bytes, point)
        if point is not BEGINNING:
            block.fill(point, 0)
        self.reveal(base, block, (None, 0))
        self.blocks.append(block)
        self.live += block.bytes
        return block

    def reveal(self, tensor, block, mark):
        self.home[tensor] = block
        block.readable[tensor] = mark

    def hide(self, block):
        """Nothing can be read there any more."""
        for t in block.readable:
            del self.home[t]
        block.readable = {}

    def release(self, block):
        self.hide(block)
        block.end = self.now
        self.live -= block.bytes

    def tensor(self, i):
        self.expect(i in self.graph.tensors, f"no tensor {i}")
        return self.graph.tensors[i]

    def read(self, tensor, point, message):
        block = self.home[tensor]
        self.expect_after(point, block.made, f"{message}, but what makes it")
        self.expect_after(point, block.readable[tensor], f"{message}, but what makes the view")
        block.use(point)

    def overwrite(self, block, point, version, message):
        self.expect(not block.leaving, f"{message} while it is copied out")
        self.expect_unused(block, point, f"{message}, but what uses it")
        block.fill(point, version)

    def perform(self, record):
        where = f"step {self.now}"
        action = only_key(record, ACTIONS, where, "actions")
        stream = get(record, "stream", is_integer, where, 0)
        self.expect(0 <= stream < 1 << 31, f"stream {stream} is out of range")
        if action != "free":
            self.queues.now(stream)
            self.expect(self.queues.streams() <= MOST_STREAMS, f"more than {MOST_STREAMS} streams")
        getattr(self, "do_" + action)(record, stream, where)
        self.peak = max(self.peak, self.live)
        self.now += 1

    def signal(self, record, point, where):
        event = get(record, "event", is_integer, where, None)
        if event is not None:
            self.expect(event not in self.events, f"event {event} is used twice")
            self.events[event] = point
        return event

    # --- A run ---

    def do_compute(self, record, stream, where):
        i = get(record, "compute", is_integer, where)
        self.expect(i in self.graph.nodes, f"no node {i}")
        node = self.graph.nodes[i]
        self.expect(self.runs[i] == 0 or not node.once, f"node {i} must not run again")
        variant = get(record, "variant", is_integer, where, 0)
        self.expect(0 <= variant < len(node.ways), f"node {i} has no variant {variant}")
        cost, workspace = node.ways[variant]
        point = self.queues.put(stream, cost)
        self.signal(record, point, where)
        for t in node.inputs:
            self.expect(t in self.home, f"node {i} reads tensor {t}, which is not in memory")
            self.check_version(node, t)
            self.read(t, point, f"node {i} reads tensor {t}")
        discard = integers(record, "discard", where, [])
        self.expect(len(set(discard)) == len(discard), "discards a tensor twice")
        self.expect(set(discard) <= set(node.outputs), f"discards what node {i} does not make")
        over = self.match_in_place(node, pairs(record, "in_place", where), discard)
        self.make_outputs(node, discard, over, workspace, point)
        self.write(node, point)
        if self.runs[i] == 0:
            self.firsts.append(i)
        self.runs[i] += 1
        self.cost += cost
        self.sorts.setdefault(stream, set()).add(node.communicates)
        if node.collective:
            self.collectives.append(i)

    def check_version(self, node, tensor):
        base, found = self.graph.tensors[tensor].base, self.home[tensor].version
        wanted = node.wanted[base]
        self.expect(found == wanted == self.writes[base], f"node {node.id} needs version {wanted} of tensor {base}")

    def match_in_place(self, node, chosen, discard):
        """Input that each output in place overwrites."""
        over = {}
        for output, source in chosen:
            self.expect((output, source) in node.in_place, f"node {node.id} may not put {output} over {source}")
            self.expect(output not in discard and output not in over, f"tensor {output} has two places")
            block, owner = self.home[source], self.graph.tensors[self.graph.tensors[source].base]
            self.expect(not owner.survives(), f"tensor {source} must not be overwritten")
            taken = any(self.home[other] is block for other in over.values())
            self.expect(not taken, f"two outputs over the storage of tensor {source}")
            self.expect(block.bytes >= self.graph.tensors[output].bytes, f"tensor {output} does not fit over {source}")
            aliases = [t for t in node.inputs if t != source and self.home[t] is block]
            self.expect(not aliases, f"node {node.id} also reads tensor {aliases[:1]} under {output}")
            over[output] = source
        return over

    def add_scratch(self, what, name, size, point):
        block = Block(what, name, self.now, size, point, end=self.now + 1)
        block.use(point)
        self.blocks.append(block)
        return size

    def make_outputs(self, node, discard, over, workspace, point):
        extra = self.add_scratch("workspace", node.id, workspace, point)
        views = []
        for t in (self.graph.tensors[o] for o in node.outputs):
            if t.id in discard:
                extra += self.add_scratch("discard", t.id, t.bytes, point) if t.parent is None else 0
                continue
            self.expect(t.id not in self.home, f"tensor {t.id} is already in memory")
            if t.parent is not None:
                views.append(t)
            elif t.id in over:
                block = self.home[over[t.id]]
                self.overwrite(block, point, 0, f"node {node.id} puts tensor {t.id} over {over[t.id]}")
                self.hide(block)
                self.reveal(t.id, block, (None, 0))
            else:
                self.take(t.id, point)
        self.peak = max(self.peak, self.live + extra)
        for t in views:
            self.expect(t.parent in self.home, f"tensor {t.id} is a view of {t.parent}, which is not in memory")
            self.read(t.parent, point, f"node {node.id} views tensor {t.parent}")
            self.reveal(t.id, self.home[t.parent], (point.queue, point.place))

    def write(self, node, point):
        for t in node.writes:
            self.expect(t in self.home, f"node {node.id} writes tensor {t}, which is not in memory")
            self.check_version(node, t)
            base = self.graph.tensors[t].base
            self.writes[base] += 1
            self.overwrite(self.home[t], point, self.writes[base], f"node {node.id} writes tensor {t}")

    # --- Frees and copies ---

    def do_free(self, record, stream, where):
        for i in integers(record, "free", where):
            owner = self.graph.tensors[self.tensor(i).base]
            is_kept = owner.kind in ("parameter", "state") and owner.id not in self.hosted
            self.expect(not is_kept, f"frees tensor {i}, a {owner.kind}")
            self.expect(owner.kind != "input" or owner.donated, f"frees input {i}, which is not donated")
            self.expect(i in self.home, f"frees tensor {i}, which is not in memory")
            self.expect(self.home[i].copies == 0, f"frees tensor {i} during a copy")
            self.release(self.home[i])

    def begin_copy(self, record, key, engine, stream, where):
        i = get(record, key, is_integer, where)
        self.expect(self.tensor(i).parent is None, f"tensor {i} is a view and cannot be copied")
        point = self.queues.copy(engine, stream, self.graph.tensors[i].bytes)
        get(record, "event", is_integer, where)
        return i, point, self.signal(record, point, where)

    def do_evict(self, record, stream, where):
        i, point, event = self.begin_copy(record, "evict", "d2h", stream, where)
        self.expect(i in self.home, f"evicts tensor {i}, which is not in memory")
        block = self.home[i]
        self.expect(not block.leaving, f"evicts tensor {i} twice at once")
        self.expect_after(point, block.made, f"evicts tensor {i}, but what makes it")
        block.use(point)
        block.leaving = True
        block.copies += 1
        self.copies[event] = ("evict", block)
        if i in self.host:
            self.overwrite(self.host[i], point, block.version, f"evicts tensor {i} over its copy on the host")
            return
        stay = Block("tensor", i, self.now, self.graph.tensors[i].bytes, point)
        stay.fill(point, block.version)
        self.host[i] = stay
        self.stays.append(stay)
        self.host_used += stay.bytes
        fits = self.graph.host_budget is None or self.host_used <= self.graph.host_budget
        self.expect(fits, f"{self.host_used} bytes on the host exceed the host budget {self.graph.host_budget}")

    def do_fetch(self, record, stream, where):
        i, point, event = self.begin_copy(record, "fetch", "h2d", stream, where)
        self.expect(i in self.host, f"fetches tensor {i}, which is not on the host")
        self.expect(i not in self.home, f"fetches tensor {i}, which is in memory")
        stay = self.host[i]
        self.expect(stay.version == self.writes[i], f"the host copy of tensor {i} is out of date")
        self.expect_after(point, stay.made, f"fetches tensor {i}, but what makes its copy on the host")
        stay.use(point)
        block = self.take(i, point)
        block.version = stay.version
        block.copies = 1
        self.copies[event] = ("fetch", block)

    def do_wait(self, record, stream, where):
        event = get(record, "wait", is_integer, where)
        self.expect(event in self.events, f"waits for event {event}, which no earlier step signals")
        self.queues.follow(stream, self.events[event])
        direction, block = self.copies.pop(event, (None, None))
        if block is not None:
            block.copies -= 1
        if direction == "evict":
            self.release(block)

    def do_drop_host(self, record, stream, where):
        i = get(record, "drop_host", is_integer, where)
        self.expect(i in self.host, f"tensor {i} is not on the host")
        self.expect(i not in self.hosted, f"tensor {i} lives on the host and is dropped there")
        stay = self.host.pop(i)
        self.expect_unused(stay, self.queues.now(stream), f"drops tensor {i} from the host, but what copies it")
        stay.end = self.now
        self.host_used -= stay.bytes

    def finish(self):
        demand(not self.copies, f"copies {sorted(self.copies)} are never waited for")
        for i, count in self.runs.items():
            demand(count > 0, f"node {i} never runs")
        in_order = [n.id for n in self.graph.nodes.values() if n.collective]
        demand(self.collectives == in_order, "collectives and opaque nodes run out of order")
        mixed = [stream for stream, sorts in self.sorts.items() if len(sorts) > 1]
        demand(not mixed or len(self.sorts) == 1, f"stream {mixed[:1]} computes and communicates")
        for t in self.graph.tensors.values():
            if not t.survives():
                continue
            if t.id in self.hosted:
                version = self.graph.last_version[t.base]
                demand(self.host[t.id].version == version, f"the host copy of tensor {t.id} ends in an old version")
                continue
            demand(t.id in self.home, f"tensor {t.id} ({t.kind}) is not in memory at the end")
            demand(self.home[t.id].version == self.graph.last_version[t.base], f"tensor {t.id} ends in an old version")
        for block in self.blocks + self.stays:
            if block.end < 0:
                block.end = self.now


# --- Arenas ---


def read_placements(arena, where):
    placed = {}
    for record in get(arena, "placements", is_list, where):
        kind = only_key(record, ("tensor", "workspace", "discard"), "placement", "things placed")
        begin, end = (get(record, key, is_integer, "placement") for key in ("step_begin", "step_end"))
        key = (kind, get(record, kind, is_integer, "placement"), begin)
        demand(key not in placed, f"{where}: {key} is placed twice")
        placed[key] = (end, get(record, "offset", is_integer, "placement"))
    return placed


def place(arena, blocks, where):
    """(first byte, block) of all that take bytes, checked one by one."""
    size, alignment = get(arena, "bytes", is_integer, where), get(arena, "alignment", is_integer, where, 1)
    demand(size >= 0 and alignment >= 1, f"{where}: bytes or alignment out of range")
    placed, boxes = read_placements(arena, where), []
    for block in blocks:
        key = (block.what, block.allocated_by, block.begin)
        if block.bytes == 0:
            placed.pop(key, None)
            continue
        demand(key in placed, f"{where}: {key} has no place")
        until, offset = placed.pop(key)
        demand(until >= block.end, f"{where}: {key} lives until step {block.end}, its place until {until}")
        demand(offset >= 0 and offset % alignment == 0, f"{where}: {key} is at offset {offset}")
        demand(offset + block.bytes <= size, f"{where}: {key} ends at {offset + block.bytes} of {size}")
        boxes.append((offset, block))
    demand(not placed, f"{where}: {next(iter(placed), None)} is placed, but takes nothing")
    check_live(arena, boxes, where)
    return boxes


def check_live(arena, boxes, where):
    """What the arena says of the most bytes that are live at one step; what comes and goes before step 0 counts at it."""
    said = get(arena, "live_bytes", is_integer, where, None)
    if said is None:
        return
    changes = {}
    for _, block in boxes:
        for step, change in ((block.begin, block.bytes), (max(block.end, block.begin + 1), -block.bytes)):
            changes[step] = changes.get(step, 0) + change
    live = most = 0
    for step in sorted(changes):
        live += changes[step]
        most = max(most, live)
    demand(said == most, f"{where}: says that {said} bytes are live, but {most} are")


def check_pair(first, second, where):
    """Both have a byte in common, and the first was taken earlier in the list."""
    pair = f"{where}: {second} and {first} share bytes at step {second.begin}"
    # What the caller brings is there before step 0.
    demand(max(first.end, first.begin + 1) <= second.begin, pair)
    for queue, last in first.users.items():
        demand(second.taken.follows(queue, last), f"{pair}; queue {queue} may still use them")


def check_sharing(boxes, where):
    """Walks over the addresses and looks at every pair that meets there."""
    open_boxes = []
    numbered = [(offset, number, block) for number, (offset, block) in enumerate(boxes)]
    for offset, number, block in sorted(numbered, key=lambda b: b[:2]):
        open_boxes = [b for b in open_boxes if b[0] + b[2].bytes > offset]
        for _, other_number, other in open_boxes:
            check_pair(*((other, block) if other_number < number else (block, other)), where)
        open_boxes.append((offset, number, block))


def check_device(arena, graph, execution, limit):
    owns = set(integers(arena, "owns", "arena", []))
    callers = {t.id: t for t in graph.tensors.values() if t.kind in OWNED_BY_CALLER and t.parent is None}
    demand(owns <= set(callers), "arena: owns what is not the caller's")
    demand(not owns & execution.hosted, "arena: owns what lives on the host")
    owns |= execution.hosted
    outside = graph.fixed + sum(t.bytes for t in callers.values() if t.id not in owns)
    size = get(arena, "bytes", is_integer, "arena")
    demand(limit is None or outside + size <= limit, f"arena: {outside} + {size} bytes exceed the budget {limit}")
    inside, kept = [], {}
    for block in execution.blocks:
        if block.what == "tensor" and block.allocated_by in callers and block.allocated_by not in owns:
            kept.setdefault(block.allocated_by, []).append((0, block))
        else:
            inside.append(block)
    check_sharing(place(arena, inside, "arena"), "arena")
    for stays in kept.values():
        check_sharing(stays, "caller's bytes")


def check_arenas(plan, graph, execution, limit):
    seen = set()
    for arena in get(plan, "arenas", is_list, "plan", []):
        space = get(arena, "space", is_text, "arena", "device")
        demand(space in ("device", "host"), f"arena: unknown space {space!a}")
        demand(space not in seen, f"more than one {space} arena")
        seen.add(space)
        if space == "device":
            check_device(arena, graph, execution, limit)
            continue
        size, most = get(arena, "bytes", is_integer, "host arena"), graph.host_budget
        demand(most is None or size <= most, f"host arena: {size} bytes exceed the host budget {most}")
        check_sharing(place(arena, execution.stays, "host arena"), "host arena")


# --- What the plan claims ---


def agree(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def check_figures(plan, execution, limit):
    peak = get(plan, "peak_bytes", is_integer, "plan")
    demand(peak == execution.peak, f"the plan says peak_bytes {peak}, executing it gives {execution.peak}")
    demand(limit is None or peak <= limit, f"peak_bytes {peak} exceed the budget {limit}")
    cost = get(plan, "cost", is_number, "plan")
    demand(agree(cost, execution.cost), f"the plan says cost {cost}, executing it gives {execution.cost}")
    time, end = get(plan, "time", is_number, "plan", None), execution.queues.end
    demand(time is None or agree(time, end), f"the plan says time {time}, executing it gives {end}")


def is_staged(graph, plan):
    """Checkmate's stages: each ends with one first run and recomputes earlier nodes in source order before it."""
    number = {i: n for n, i in enumerate(graph.nodes)}
    done, stage = 0, []
    for record in plan["steps"]:
        if "free" in record:
            continue
        if "compute" not in record or record.get("stream"):
            return False
        stage.append(number[record["compute"]])
        if stage[-1] >= done:
            if stage[-1] > done or stage != sorted(set(stage)):
                return False
            done, stage = done + 1, []
    return not stage


def most_staged_cost(graph):
    return sum(max(cost for cost, _ in n.ways) * (len(graph.nodes) - k) for k, n in enumerate(graph.nodes.values()))


def check_names(plan, status):
    """What is claimed is of a known sort and sign."""
    space, proof = get(plan, "bound_space", is_text, "plan", ""), get(plan, "proof", is_text, "plan", "")
    bound = get(plan, "bound", is_number, "plan", None)
    demand(not space or space in SPACES, f"unknown bound_space {space!a}")
    demand(not proof or proof in PROOFS, f"unknown proof {proof!a}")
    demand(bound is None or bound >= 0, f"bound {bound} is negative")
    claims = bound is not None or status == "infeasible"
    demand(not claims or (space and proof), "a bound without bound_space and proof")
    least = get(plan, "bound_bytes", is_integer, "plan", None)
    works = get(plan, "minimum_budget_bytes", is_integer, "plan", None)
    demand((get(plan, "budget_bytes", is_integer, "plan", None) or 0) >= 0, "budget_bytes is negative")
    demand(least is None or least > 0, f"bound_bytes {least} is not positive")
    demand(works is None or works > 0, f"minimum_budget_bytes {works} is not positive")
    demand(least is None or works is None or least <= works, f"bound_bytes {least} is above minimum_budget_bytes {works}")
    return space, proof, bound, least


def check_time_bound(plan, end):
    space, bound = get(plan, "time_bound_space", is_text, "plan", ""), get(plan, "time_bound", is_number, "plan", None)
    demand(not space or space in TIME_SPACES, f"unknown time_bound_space {space!a}")
    demand(bound is None or space, "a time_bound without time_bound_space")
    demand(bound is None or bound >= 0, f"time_bound {bound} is negative")
    demand(bound is None or bound <= end * (1 + 1e-6) + 1e-9, f"time_bound {bound} is above the time {end}")


def check_bound(plan, graph, execution, status):
    space, _, bound, _ = check_names(plan, status)
    cost = execution.cost
    demand(status != "optimal" or bound is not None, "optimal without a bound")
    if bound is None:
        return
    demand(status != "optimal" or bound >= cost * (1 - 1e-4) - 1e-9, f"optimal, but bound {bound} is below cost {cost}")
    if space == "staged" and status != "optimal" and not is_staged(graph, plan):
        # Plans that are not staged may be cheaper; no staged plan is more expensive than this.
        cost = max(cost, most_staged_cost(graph))
    demand(bound <= cost * (1 + 1e-6) + 1e-9, f"bound {bound} is above the cost {cost}")


def largest_block(graph, base):
    """Bytes of the largest storage in which the base can lie: what it goes over, and what that goes over, and so on."""
    todo, seen = [base], {base}
    for t in todo:
        producer = graph.tensors[t].producer
        for output, source in graph.nodes[producer].in_place if producer is not None else []:
            source = graph.tensors[source].base
            if output == t and source not in seen:
                seen.add(source)
                todo.append(source)
    return max(graph.tensors[t].bytes for t in seen)


def overwritable(graph, node):
    """(output, base, bytes saved) of the pairs that some plan could choose."""
    found = []
    for output, source in node.in_place:
        base = graph.tensors[graph.tensors[source].base]
        alone = all(t == source or graph.tensors[t].base != base.id for t in node.inputs)
        size = graph.tensors[output].bytes
        if alone and not base.survives() and largest_block(graph, base.id) >= size:
            found.append((output, base.id, min(size, base.bytes)))
    return found


def most_saved(options):
    """No output twice, no base twice; where there are too many to try, more than can be."""
    if len(options) > 12:
        best = {}
        for output, _, saved in options:
            best[output] = max(best.get(output, 0), saved)
        return sum(best.values())
    if not options:
        return 0
    (output, base, saved), rest = options[0], options[1:]
    return max(most_saved(rest), saved + most_saved([o for o in rest if o[0] != output and o[1] != base]))


def working_set(graph, i):
    """(bytes, bases) that every plan needs while node i runs, or (None) at one of the ends of the step."""
    bases = [t for t in graph.tensors.values() if t.parent is None]
    always = graph.fixed + sum(t.bytes for t in bases if t.stays())
    if i is None:
        kept = {t.base for t in graph.tensors.values() if t.survives()}
        given = {t.id for t in bases if t.kind in OWNED_BY_CALLER}
        sums = [sum(graph.tensors[t].bytes for t in s if not graph.tensors[t].stays()) for s in (kept, given)]
        return always + max(sums), kept | given
    node = graph.nodes[i]
    used = {graph.tensors[t].base for t in node.inputs + node.writes}
    used |= {t for t in node.outputs if graph.tensors[t].parent is None}
    size = sum(graph.tensors[t].bytes for t in used if not graph.tensors[t].stays())
    return always + size + min(w for _, w in node.ways) - most_saved(overwritable(graph, node)), used


def check_without_steps(plan, graph, status, limit):
    demand(not plan.get("steps") and not plan.get("arenas"), f"status {status} with steps or arenas")
    space, proof, _, least = check_names(plan, status)
    witness = get(plan, "witness", lambda v: isinstance(v, dict), "plan", {})
    node = get(witness, "node", is_integer, "witness", None)
    tensors = integers(witness, "tensors", "witness", [])
    demand(node is None or node in graph.nodes, f"witness: no node {node}")
    demand(all(t in graph.tensors for t in tensors), "witness: no such tensor")
    if status == "no_plan":
        return
    demand(limit is not None, "infeasible without a budget")
    demand(least is not None, "infeasible without bound_bytes")
    demand(least > limit, f"infeasible, but bound_bytes {least} is within the budget {limit}")
    if proof == "exact" and space == "free-order":  # What one order cannot do has no witness that could be counted.
        size, needed = working_set(graph, node)
        # The caller's bytes alone may be too many, whatever the step makes.
        demand(node is not None or tensors or least <= size, "infeasible without a witness")
        demand(set(tensors) <= needed, "witness: names tensors that are not needed there")
        demand(least <= size, f"bound_bytes {least}, but the witness needs only {size}")


def hosted_tensors(plan, graph):
    """What the host arena owns: parameters and states that live there between steps."""
    hosted = []
    for arena in get(plan, "arenas", is_list, "plan", []):
        if get(arena, "space", is_text, "arena", "device") == "host":
            hosted += integers(arena, "owns", "host arena", [])
    demand(len(set(hosted)) == len(hosted), "host arena: owns a tensor twice")
    for i in hosted:
        t = graph.tensors.get(i)
        is_state = t is not None and t.kind in ("parameter", "state") and t.parent is None and t.producer is None
        demand(is_state, f"host arena: owns tensor {i}, which is no parameter or state")
        views = [v.id for v in graph.tensors.values() if v.base == i and v.id != i and v.producer is None]
        demand(not views, f"host arena: owns tensor {i}, of which {views} are views that no node makes")
    used = sum(graph.tensors[i].bytes for i in hosted)
    demand(graph.host_budget is None or used <= graph.host_budget, f"{used} bytes live on the host, above its budget")
    return hosted


def only_views(graph, node):
    return node.outputs and not node.once and all(graph.tensors[t].parent is not None for t in node.outputs)


def in_source_order(graph, firsts):
    """(wanted, found) of the first node out of place; None where all stand in source order, views aside."""
    placed = [i for i, node in graph.nodes.items() if not only_views(graph, node)]
    found = [i for i in firsts if not only_views(graph, graph.nodes[i])]
    return next(((w, f) for w, f in zip(placed, found) if w != f), None)


def check_useful(graph, plan, order=None):
    """What a run makes is read, copied out, or there at the end, before its node runs again. In source order a first run may
    be there so that its node does not come behind others."""
    made = {i: [t for t in node.outputs if graph.tensors[t].parent is None] for i, node in graph.nodes.items()}
    kept = {graph.tensors[t.id].base for t in graph.tensors.values() if t.survives()}
    runs, used = {}, {}  # node -> how many; whether what the latest made is read
    ordered, ran = 0, {}  # nodes that keep an order and have run; node -> how many of them after its latest run

    def use(tensor):
        for each in (tensor, graph.tensors[tensor].base):
            used[graph.tensors[each].producer] = True

    def refuse(i, until):
        demand(False, f"node {i} runs in vain: nothing that it makes is read or copied out before {until}")

    for record in plan["steps"]:
        if "evict" in record:
            use(record["evict"])
        if "compute" not in record:
            continue
        i = record["compute"]
        node = graph.nodes[i]
        for t in node.inputs + node.writes:
            use(t)
        count = runs.get(i, 0)
        for_order = order == "source" and count == 1 and ordered > ran[i]
        if count and made[i] and not node.writes and not used.get(i) and not for_order:
            refuse(i, "it runs again")
        ordered += not count and not only_views(graph, node)
        runs[i], used[i], ran[i] = count + 1, False, ordered
    for i, count in runs.items():
        if count > 1 and made[i] and not graph.nodes[i].writes and not used[i] and not kept & {graph.tensors[t].base for t in graph.nodes[i].outputs}:
            refuse(i, "the end")


def check(graph_text, plan, budget=None, bandwidth=None, order=None, useful=False):
    """Raises Violation, or returns the execution (None for a plan without steps)."""
    demand(isinstance(graph_text, dict), "graph is not an object")
    graph = Graph({**graph_text, "bandwidth": bandwidth} if bandwidth else graph_text)
    demand(get(plan, "version", is_integer, "plan") == 1, "plan: unknown version")
    check_texts(plan, ("graph", "graph_hash", "solver"), "plan")
    own = get(plan, "budget_bytes", is_integer, "plan", None)
    limit = budget if budget is not None else own
    status = get(plan, "status", is_text, "plan")
    demand(status in ("optimal", "feasible", "infeasible", "no_plan"), f"plan: unknown status {status!a}")
    if status in ("infeasible", "no_plan"):
        return check_without_steps(plan, graph, status, limit)
    execution = Execution(graph, hosted_tensors(plan, graph))
    for record in get(plan, "steps", is_list, "plan"):
        execution.perform(record)
    execution.finish()
    if order == "source":
        wrong = in_source_order(graph, execution.firsts)
        demand(wrong is None, f"node {wrong and wrong[1]} runs first where the source has node {wrong and wrong[0]}")
    check_figures(plan, execution, limit)
    check_bound(plan, graph, execution, status)
    check_time_bound(plan, execution.queues.end)
    check_arenas(plan, graph, execution, limit)
    if useful:
        check_useful(graph, plan, order)
    return execution


# --- The command line ---


def refuse_duplicates(members):
    record = dict(members)
    demand(len(record) == len(members), "duplicate key in one object")
    return record


def refuse_constant(name):
    raise Violation(f"{name} is not a number")


def load(path):
    with (lzma.open(path, "rt", encoding="utf-8") if str(path).endswith(".xz") else open(path, encoding="utf-8")) as file:
        return json.load(file, object_pairs_hook=refuse_duplicates, parse_constant=refuse_constant)


def parse_bandwidth(text):
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    good = 2 <= len(numbers) <= 3 and all(map(math.isfinite, numbers)) and min(numbers[:2]) > 0 and min(numbers) >= 0
    if not good:
        raise argparse.ArgumentTypeError(f"'{text}' is not H2D,D2H[,LATENCY]")
    return dict(zip(("h2d", "d2h", "latency"), numbers))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph", nargs="?")
    parser.add_argument("plan", nargs="?")
    parser.add_argument("--budget", type=int)
    parser.add_argument("--bandwidth", type=parse_bandwidth, metavar="H2D,D2H[,LATENCY]")
    parser.add_argument("--order", choices=["source"])
    parser.add_argument("--useful", action="store_true")
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
            execution = check(load(graph), load(plan), options.budget, options.bandwidth, options.order, options.useful)
        except Violation as violation:
            print(f"{plan}: violation: {violation}")
            return 1
        except (OSError, ValueError, RecursionError) as error:
            print(f"{plan}: {error}", file=sys.stderr)
            return 2
    if options.directory:
        print(f"ok plans={len(cases)}")
    elif execution is None:
        print("ok without steps")
    else:
        runs, end = sum(execution.runs.values()), execution.queues.end
        print(f"ok cost={execution.cost:g} peak_bytes={execution.peak} computes={runs} time={end:g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
