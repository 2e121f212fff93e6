"""Runs a small plan on single bytes, in every order that its queues allow.

Each compute or copy starts when what directly precedes it has ended: the one before it in its queue, what its stream
waited for, and, for a copy, what its stream had issued. While it runs, all that it makes is spoiled; what it reads must
be right when it starts and when it ends. No happens-before, no version clocks: only bytes and what they should be.
"""
from dataclasses import dataclass, field

KEPT = ("parameter", "state", "input")


class Undecided(Exception):
    """The list itself makes no sense (something is not there), or there are too many orders."""


class Wrong(Exception):
    """Some order goes wrong."""


@dataclass(eq=False)
class Operation:
    step: int
    queue: object
    duration: float = 0.0
    after: set = field(default_factory=set)  # numbers of the operations that end first
    reads: dict = field(default_factory=dict)  # address -> what its bytes must be
    makes: dict = field(default_factory=dict)  # address -> what it leaves there; None: scratch
    drops: list = field(default_factory=list)  # instead: copies that must have ended


@dataclass(eq=False)
class Storage:
    what: str
    name: int
    begin: int
    addresses: list
    end: int | None = None
    tensor: int = -1  # whose bytes it holds, in which version
    version: int = 0
    views: dict = field(default_factory=dict)  # view made by a node -> its address
    users: list = field(default_factory=list)  # copies of a stay on the host

    def content(self):
        return {address: (self.tensor, self.version, k) for k, address in enumerate(self.addresses)}


class Machine:
    def __init__(self, graph, plan, hosted=()):
        """`hosted`: what is on the host between steps, of a plan that has no arenas yet to own it."""
        self.tensors = {t["id"]: t for t in graph["tensors"]}
        self.nodes = {n["id"]: n for n in graph["nodes"]}
        self.rates = graph.get("bandwidth", {})
        self.arenas = {arena["space"]: arena for arena in plan.get("arenas", [])}
        self.operations, self.storages, self.stays = [], [], []
        self.home, self.host, self.events, self.leaving = {}, {}, {}, {}
        self.last, self.waits = {}, {}  # queue -> its last operation; stream -> what it waited for
        self.step, self.live = 0, graph.get("fixed_bytes", 0)
        self.memory = {}
        self.find_versions(graph)
        made = {o for n in graph["nodes"] for o in n["outputs"]}
        self.hosted = {*hosted, *self.arenas.get("host", {}).get("owns", [])}
        for t in self.tensors:
            if t in self.hosted:
                self.begin_stay(t)
                self.memory.update(self.host[t].content())
            elif t not in made:
                self.home[t] = self.take("tensor", t, self.size(t))
                self.memory.update(self.home[t].content())
        self.peak = self.live
        for self.step, record in enumerate(plan["steps"]):
            self.issue(record)
            self.peak = max(self.peak, self.live)
        self.step = len(plan["steps"])

    def find_versions(self, graph):
        """What each node should find, by source order alone."""
        count = dict.fromkeys(self.tensors, 0)
        self.wanted = {}
        for node in graph["nodes"]:
            self.wanted[node["id"]] = dict(count)
            for t in node.get("writes", []):
                count[self.base(t)] += 1
        self.final = count

    def base(self, t):
        while "view_of" in self.tensors[t]:
            t = self.tensors[t]["view_of"]
        return t

    def size(self, t):
        return self.tensors[t].get("bytes", 0)

    def place(self, space, what, name, size):
        """The addresses of what is taken now: where the arena says, else nobody else's."""
        arena = self.arenas.get(space)
        if arena is None:  # A plan without an arena says nothing of places.
            return [(space, what, name, self.step, k) for k in range(size)]
        callers = what == "tensor" and self.tensors[name].get("kind") in KEPT
        if space == "device" and callers and name not in self.hosted and name not in arena.get("owns", []):
            return [("caller", name, k) for k in range(size)]
        found = [p for p in arena["placements"] if p.get(what) == name and p["step_begin"] == self.step]
        if len(found) != 1:
            raise Undecided(f"no single place for {what} {name}")
        return [(space, found[0]["offset"] + k) for k in range(size)]

    def take(self, what, name, size):
        storage = Storage(what, name, self.step, self.place("device", what, name, size), tensor=name)
        self.storages.append(storage)
        self.live += size
        return storage

    def give_back(self, storage):
        storage.end = self.step
        self.live -= len(storage.addresses)
        self.home = {t: s for t, s in self.home.items() if s is not storage}

    def look_up(self, table, key):
        if key not in table:
            raise Undecided(f"step {self.step}: {key} is not there")
        return table[key]

    # --- Issuing ---

    def issue(self, record):
        stream = record.get("stream", 0)
        if "compute" in record:
            self.compute(record, self.put(record, stream, stream))
        elif "free" in record:
            for t in record["free"]:
                self.give_back(self.look_up(self.home, t))
        elif "evict" in record:
            self.evict(record, self.put(record, "d2h", stream))
        elif "fetch" in record:
            self.fetch(record, self.put(record, "h2d", stream))
        elif "wait" in record:
            self.waits.setdefault(stream, set()).add(self.look_up(self.events, record["wait"]))
            if record["wait"] in self.leaving:
                self.give_back(self.leaving.pop(record["wait"]))
        else:
            stay = self.look_up(self.host, record["drop_host"])
            drop = self.put({}, ("drop", self.step), stream)
            drop.drops = list(stay.users)
            stay.end = self.step
            del self.host[record["drop_host"]]

    def put(self, record, queue, stream):
        operation = Operation(self.step, queue)
        before = [self.last.get(queue), self.last.get(stream)]
        operation.after = {n for n in before if n is not None} | self.waits.get(stream, set())
        number = len(self.operations)
        self.operations.append(operation)
        self.last[queue] = number
        if "event" in record:
            self.events[record["event"]] = number
        return operation

    def read(self, tensor, version, operation):
        storage = self.look_up(self.home, tensor)
        for k, address in enumerate(storage.addresses):
            operation.reads[address] = (storage.tensor, version, k)
        if tensor in storage.views:
            operation.reads[storage.views[tensor]] = tensor
        return storage

    def compute(self, record, operation):
        node = self.look_up(self.nodes, record["compute"])
        way = node.get("variants", [node])[record["variant"]] if record.get("variant") else node
        operation.duration = way["cost"]
        discard, over = record.get("discard", []), dict(record.get("in_place", []))
        wanted = self.wanted[node["id"]]
        for t in node["inputs"]:
            self.read(t, wanted[self.base(t)], operation)
        scratch = [("workspace", node["id"], way.get("workspace_bytes", 0))]
        scratch += [("discard", o, self.size(o)) for o in discard if "view_of" not in self.tensors[o]]
        taken = [self.take(*one) for one in scratch if one[2]]
        for storage in taken:
            operation.makes.update(dict.fromkeys(storage.addresses))
        for o in node["outputs"]:
            if o not in discard:
                self.make(o, over, operation)
        self.peak = max(self.peak, self.live)
        for storage in taken:
            self.give_back(storage)
            storage.end = self.step + 1
        for t in node.get("writes", []):
            storage = self.read(t, wanted[self.base(t)], operation)
            storage.version = wanted[self.base(t)] + 1
            operation.makes.update(storage.content())

    def make(self, output, over, operation):
        parent = self.tensors[output].get("view_of")
        if parent is not None:
            # A parent made by the same run is not read.
            storage = self.look_up(self.home, parent)
            if any(address not in operation.makes for address in storage.addresses):
                self.read(parent, storage.version, operation)
            storage.views[output] = ("view", self.step, output)
            operation.makes[storage.views[output]] = output
        elif output in over:
            storage = self.look_up(self.home, over[output])
            self.home = {t: s for t, s in self.home.items() if s is not storage}
            storage.tensor, storage.version, storage.views = output, 0, {}
        else:
            storage = self.take("tensor", output, self.size(output))
        self.home[output] = storage
        if parent is None:
            operation.makes.update(storage.content())

    def time_of(self, t, engine):
        return self.rates.get("latency", 0) + (self.size(t) / self.rates[engine] if engine in self.rates else 0)

    def evict(self, record, operation):
        t = record["evict"]
        storage = self.look_up(self.home, t)
        self.read(t, storage.version, operation)
        operation.duration = self.time_of(t, "d2h")
        if t not in self.host:
            self.begin_stay(t)
        self.host[t].version = storage.version
        self.host[t].users.append(len(self.operations) - 1)
        operation.makes.update(self.host[t].content())
        self.leaving[record["event"]] = storage

    def begin_stay(self, t):
        self.host[t] = Storage("tensor", t, self.step, self.place("host", "tensor", t, self.size(t)), tensor=t)
        self.stays.append(self.host[t])

    def fetch(self, record, operation):
        t = record["fetch"]
        stay = self.look_up(self.host, t)
        operation.duration = self.time_of(t, "h2d")
        operation.reads.update(stay.content())
        stay.users.append(len(self.operations) - 1)
        self.home[t] = self.take("tensor", t, self.size(t))
        self.home[t].version = stay.version
        operation.makes.update(self.home[t].content())

    def time(self):
        ends = []
        for operation in self.operations:
            ends.append(operation.duration + max((ends[n] for n in operation.after), default=0.0))
        return max(ends, default=0.0)

    # --- Every order ---

    def run_all_orders(self, most_states):
        """The number of states seen. Raises Wrong where an order goes wrong, Undecided where there are too many."""
        addresses = list({a: 0 for o in self.operations for a in (*o.reads, *o.makes)} | dict.fromkeys(self.memory, 0))
        self.cell = {address: k for k, address in enumerate(addresses)}
        before = [sum(1 << n for n in o.after) for o in self.operations]
        everything = (1 << len(self.operations)) - 1
        todo = [(0, 0, tuple(self.memory.get(a) for a in addresses))]
        seen = set(todo)
        while todo:
            started, ended, memory = todo.pop()
            if ended == everything:
                self.check_end(memory)
            for number, operation in enumerate(self.operations):
                bit = 1 << number
                if not started & bit and before[number] & ended == before[number]:
                    state = self.start(number, operation, started | bit, ended, memory)
                elif started & bit and not ended & bit:
                    state = (started, ended | bit, self.finish(number, operation, memory))
                else:
                    continue
                if state not in seen:
                    seen.add(state)
                    todo.append(state)
            if len(seen) > most_states:
                raise Undecided("too many orders")
        return len(seen)

    def expect(self, operation, memory, wanted, skipped=()):
        for address, value in wanted.items():
            found = memory[self.cell[address]]
            if address not in skipped and found != value:
                raise Wrong(f"step {operation.step} finds {found} at {address} instead of {value}")

    def start(self, number, operation, started, ended, memory):
        if any(not ended >> n & 1 for n in operation.drops):
            raise Wrong(f"step {operation.step} drops what is still copied")
        if operation.queue == ("drop", operation.step):
            return started, ended | 1 << number, memory
        self.expect(operation, memory, operation.reads)
        return started, ended, self.store(memory, dict.fromkeys(operation.makes, ("spoiled by", number)))

    def finish(self, number, operation, memory):
        self.expect(operation, memory, operation.reads, operation.makes)
        self.expect(operation, memory, dict.fromkeys(operation.makes, ("spoiled by", number)))
        return self.store(memory, operation.makes)

    def store(self, memory, values):
        cells = list(memory)
        for address, value in values.items():
            cells[self.cell[address]] = value
        return tuple(cells)

    def check_end(self, memory):
        end = Operation(self.step, None)
        for t, record in self.tensors.items():
            kind = record.get("kind")
            if kind == "output" or kind in KEPT and not record.get("donated"):
                if t in self.hosted:
                    end.reads.update({address: (t, self.final[t], k) for k, address in enumerate(self.host[t].addresses)})
                    continue
                if t not in self.home:
                    raise Wrong(f"tensor {t} is not there at the end")
                self.read(t, self.final[self.base(t)], end)
        self.expect(end, memory, end.reads)
