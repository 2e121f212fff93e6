"""Random small graphs, and random plans for them, mostly right ones.

A plan is first written for one queue, then spread over streams with the waits that its data needs, with all waits that
make it serial again, or with some missing; then it gets arenas, packed or with every storage apart.
"""
from dataclasses import dataclass, field

import byte_machine


class GaveUp(Exception):
    """This graph and these choices lead to no plan; try others."""


def random_graph(r):
    """3 to 5 nodes on tensors of 1 to 3 bytes: views, writes, in place, several outputs, workspaces, variants."""
    tensors = [{"id": 0, "bytes": r.randint(1, 3), "kind": "input", "donated": r.random() < 0.5}]
    tensors.append({"id": 1, "bytes": r.randint(1, 2), "kind": r.choice(["parameter", "state"])})
    nodes = []
    for i in range(r.randint(3, 5)):
        recent = [t["id"] for t in tensors[-3:]]
        inputs = sorted({r.choice(recent), r.randrange(len(tensors))} if r.random() < 0.6 else {r.choice(recent)})
        node = {"id": i, "cost": r.randint(1, 4), "inputs": inputs, "outputs": []}
        nodes.append(node)
        sort = r.choices(["compute", "view", "update"], [7, 2, 2])[0]
        if sort == "update":
            node["writes"] = [1]
        elif sort == "view":
            node["outputs"] = [len(tensors)]
            tensors.append({"id": len(tensors), "view_of": r.choice(inputs)})
        else:
            add_outputs(r, node, tensors)
    made = [t for t in tensors[2:] if "view_of" not in t]
    if not made:
        return random_graph(r)
    for t in made:
        if t is made[-1] or r.random() < 0.15:
            t["kind"] = "output"
    graph = {"version": 1, "name": "random", "fixed_bytes": r.choice([0, 2]), "tensors": tensors, "nodes": nodes}
    if r.random() < 0.7:
        graph["bandwidth"] = {"h2d": r.choice([0.5, 1, 2]), "d2h": r.choice([0.5, 1, 4]), "latency": r.choice([0, 1])}
    if r.random() < 0.2:
        graph["host_budget_bytes"] = r.randint(2, 6)
    if r.random() < 0.25:
        for node in r.sample(nodes, r.randint(1, 2)):
            node["stream"] = "comm"
    return graph


def add_outputs(r, node, tensors):
    for source in r.sample([*node["inputs"], None, None], r.choice([1, 1, 2])):
        new = {"id": len(tensors), "bytes": r.randint(1, 3)}
        node["outputs"].append(new["id"])
        if source is not None:
            node.setdefault("in_place", []).append([new["id"], source])
        tensors.append(new)
    if r.random() < 0.3:
        node["workspace_bytes"] = r.randint(1, 2)
    if r.random() < 0.2:
        node["variants"] = [{"cost": node["cost"], "workspace_bytes": node.get("workspace_bytes", 0)}, {"cost": 6, "workspace_bytes": 1}]


@dataclass
class Action:
    """A step, and what it touches: the keys of storages on the device, of stays on the host and of views."""

    step: dict
    reads: set = field(default_factory=set)
    makes: set = field(default_factory=set)
    copied: "Action | None" = None  # what a wait waits for


class Author:
    """Writes a plan for one queue."""

    def __init__(self, r, graph):
        self.r, self.graph = r, graph
        self.tensors = {t["id"]: t for t in graph["tensors"]}
        self.producer = {o: n for n in graph["nodes"] for o in n["outputs"]}
        self.actions, self.home, self.host = [], {}, {}  # readable tensor -> key of its storage; base -> key of its stay
        self.leaving, self.arriving = {}, {}  # base -> its copy, while nothing has waited for it
        self.written, self.count = 0, 0
        self.copies = r.choice([0, 0.2, 0.4])
        for t in self.tensors:
            if t not in self.producer:
                self.home[t] = ("caller", t)

    def base(self, t):
        while "view_of" in self.tensors[t]:
            t = self.tensors[t]["view_of"]
        return t

    def kept(self, t):
        kind = self.tensors[t].get("kind")
        return kind in ("parameter", "state") or kind == "input" and not self.tensors[t]["donated"]

    def later(self, index):
        return {self.base(t) for n in self.graph["nodes"][index:] for t in n["inputs"] + n.get("writes", [])}

    def write(self):
        for index, node in enumerate(self.graph["nodes"]):
            for base in set(node.get("writes", [])) & set(self.leaving):
                self.wait(base)
            for t in node["inputs"] + node.get("writes", []):
                self.need(t, 0)
            self.run(node, self.later(index + 1))
            self.tidy(self.later(index + 1))
        for t in self.tensors:
            if self.kept(t) or self.tensors[t].get("kind") == "output":
                self.need(t, 0)
        for base in list(self.leaving):
            self.wait(base)
        for t in self.tensors:
            if self.kept(t) or self.tensors[t].get("kind") == "output":
                self.need(t, 0)
        for base in list(self.arriving):
            self.wait(base)
        return self.actions

    def need(self, t, depth):
        """Brings a tensor back that is not there: fetches it or runs its producer again."""
        base = self.base(t)
        if depth > 4:
            raise GaveUp
        if base in self.host and base not in self.home:
            self.fetch(base)
        if t in self.home:
            return
        node = self.producer.get(t)
        if node is None or self.written and 1 in map(self.base, node["inputs"]):
            raise GaveUp
        for i in node["inputs"] + [self.tensors[t].get("view_of", node["inputs"][0])]:
            if i not in node["outputs"]:
                self.need(i, depth + 1)
        self.run(node, None)

    def run(self, node, later):
        """A first run, or (no `later`) a recomputation, which overwrites nothing."""
        action = Action({"compute": node["id"]})
        if "variants" in node:
            action.step["variant"] = self.r.randrange(2)
        for t in node["inputs"]:
            action.reads |= {self.home[t], ("view", t, self.home[t])}
        discard = [o for o in node["outputs"] if o in self.home]
        if discard:
            action.step["discard"] = discard
        over = self.choose_in_place(node, later) if later is not None else {}
        if over:
            action.step["in_place"] = [[o, t] for o, t in over.items()]
        for o in node["outputs"]:
            if o not in discard:
                self.make(o, over, action)
        for t in node.get("writes", []):
            action.makes.add(self.home[t])
            self.written += 1
        self.actions.append(action)

    def choose_in_place(self, node, later):
        over = {}
        for o, t in node.get("in_place", []):
            base = self.base(t)
            alone = sum(self.base(i) == base for i in node["inputs"]) == 1
            fits = self.tensors[base]["bytes"] >= self.tensors[o]["bytes"]
            spare = not self.kept(base) and self.tensors[base].get("kind") != "output"
            idle = base not in self.leaving and base not in self.arriving
            if alone and fits and spare and idle and base not in later and self.r.random() < 0.7:
                over[o] = t
        return over

    def make(self, o, over, action):
        parent = self.tensors[o].get("view_of")
        if parent is not None:
            self.home[o] = self.home[parent]
            action.reads |= {self.home[parent], ("view", parent, self.home[parent])}
            action.makes.add(("view", o, self.home[o]))
            return
        if o in over:
            key = self.home[over[o]]
            self.lose(self.base(over[o]))
        else:
            self.count += 1
            key = ("storage", self.count)
        self.home[o] = key
        action.makes.add(key)

    def lose(self, base):
        self.home = {t: key for t, key in self.home.items() if self.base(t) != base}

    def tidy(self, later):
        """Frees, evicts and waits, after a node has run."""
        r = self.r
        for base in [t for t in self.home if "view_of" not in self.tensors[t]]:
            needed = base in later or self.kept(base) or self.tensors[base].get("kind") == "output"
            if base in self.leaving:
                if r.random() < 0.5:
                    self.wait(base)
            elif base in self.arriving:
                if r.random() < 0.5:
                    self.wait(base)
            elif r.random() < (0.15 if needed else 0.6) and not self.kept(base):
                if not needed or base in self.producer:
                    self.actions.append(Action({"free": [base]}))
                    self.lose(base)
            elif needed and r.random() < self.copies:
                self.evict(base)
        for base in list(self.host):
            if base in self.home and base not in self.leaving and r.random() < 0.3:
                self.actions.append(Action({"drop_host": base}, reads={self.host.pop(base)}))

    def wait(self, base):
        table = self.leaving if base in self.leaving else self.arriving
        self.actions.append(Action({"wait": None}, copied=table[base]))
        if table is self.leaving:
            self.lose(base)
        del table[base]

    def evict(self, base):
        self.count += 1
        key = self.host.setdefault(base, ("host", self.count))
        self.leaving[base] = Action({"evict": base}, reads={self.home[base]}, makes={key})
        self.actions.append(self.leaving[base])

    def fetch(self, base):
        self.count += 1
        caller = self.tensors[base].get("kind") in byte_machine.KEPT
        self.home[base] = ("caller", base) if caller else ("storage", self.count)
        self.arriving[base] = Action({"fetch": base}, reads={self.host[base]}, makes={self.home[base]})
        self.actions.append(self.arriving[base])


def spread(r, actions, communicate=frozenset()):
    """Steps on 1 to 3 streams, and mostly one for nodes that communicate, and which of them are waits that only order."""
    streams, manner = r.choice([1, 2, 2, 3]), r.choice(["data", "data", "serial", "sloppy", "sloppy"])
    steps, numbers, made, touched = [], {}, {}, {}
    before, copied_out = [], set()  # the first wait on an evict takes its storage away: none is added before the author's
    for number, action in enumerate(actions):
        step = dict(action.step)
        if "free" in step:
            steps.append(step)
            continue
        apart = step.get("compute") in communicate and r.random() < 0.9
        stream = step["stream"] = streams if apart else r.randrange(streams)
        if action.copied:
            step["wait"] = numbers[id(action.copied)]
            if step["wait"] in copied_out:
                copied_out.remove(step["wait"])
                before.append(step["wait"])
            steps.append(step)
            continue
        keys = action.reads | action.makes
        needs = {made[k] for k in action.reads if k in made}.union(*(touched.get(k, ()) for k in action.makes))
        if "drop_host" in step:
            needs = set().union(*(touched[k] for k in action.reads))
        if manner == "serial":
            needs = set(before[-2:])
        for event in sorted(needs - copied_out):
            if manner != "sloppy" or r.random() < 0.75:
                steps.append({"wait": event, "stream": stream})
        steps.append(step)
        if "drop_host" in step:
            continue
        numbers[id(action)] = step["event"] = number
        if "evict" in step:
            copied_out.add(number)
        else:
            before.append(number)
        for key in keys:
            touched.setdefault(key, set()).add(number)
        made.update(dict.fromkeys(action.makes, number))
    return steps


@dataclass
class Draft:
    """A plan whose placements follow their steps when steps come and go."""

    graph: dict
    steps: list
    arenas: list = field(default_factory=list)
    claims: dict = field(default_factory=dict)

    def plan(self):
        at = {id(step): k for k, step in enumerate(self.steps)}
        steps = [{k: v for k, v in step.items() if v is not None} for step in self.steps]
        arenas = []
        for arena in self.arenas:
            rows = []
            for row in arena["placements"]:
                begin = 0 if row["begin"] is None else at.get(id(row["begin"]), len(steps))
                end = len(steps) if row["end"] is None else at.get(id(row["end"]), len(steps)) + row["more"]
                rows.append({row["what"]: row["name"], "step_begin": begin, "step_end": end, "offset": row["offset"]})
            arenas.append({**arena, "placements": rows})
        plan = {"version": 1, "graph": "random", "status": "feasible", "solver": "random", "steps": steps, **self.claims}
        return {**plan, "arenas": arenas} if arenas else plan


def pack(r, steps, storages, apart):
    rows, boxes = [], []
    for s in storages:
        size, end = len(s.addresses), len(steps) if s.end is None else s.end
        if size == 0:
            continue
        meets = [(o, o + n) for b, e, o, n in boxes if apart or b < max(end, s.begin + 1) and s.begin < max(e, b + 1)]
        offset = next(o for o in range(99) if all(o + size <= low or high <= o for low, high in meets))
        boxes.append((s.begin, end, offset, size))
        scratch = s.what != "tensor"
        last = None if s.end is None else steps[s.begin if scratch else s.end]
        rows.append({"what": s.what, "name": s.name, "begin": steps[s.begin], "end": last, "more": int(scratch), "offset": offset})
    return {"bytes": max((o + n for _, _, o, n in boxes), default=0), "alignment": 1, "placements": rows}


def random_draft(r):
    while True:
        graph = random_graph(r)
        try:
            communicate = {n["id"] for n in graph["nodes"] if "stream" in n}
            draft = Draft(graph, spread(r, Author(r, graph).write(), communicate))
            if len(draft.steps) <= 28:
                break
        except GaveUp:
            continue
    machine = byte_machine.Machine(graph, draft.plan())
    if r.random() < 0.9:
        owned = [t["id"] for t in graph["tensors"][:2] if r.random() < 0.4]
        inside = [s for s in machine.storages if s.what != "tensor" or s.name > 1 or s.name in owned]
        apart = r.random() < 0.4
        draft.arenas.append({"space": "device", "owns": owned, **pack(r, draft.steps, inside, apart)})
        for row, storage in zip(draft.arenas[0]["placements"], [s for s in inside if s.addresses]):
            if storage.begin == 0 and storage.what == "tensor" and storage.name in owned:
                row["begin"] = None
        if machine.stays:
            draft.arenas.append({"space": "host", **pack(r, draft.steps, machine.stays, apart)})
    return draft
