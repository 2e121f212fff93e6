"""What trainers do with the memory of a whole step, as lists of actions that utils/check_plan.py executes.

A policy says which values of the forward pass are kept for the backward pass, and which of these go to the host. All else is recomputed
once, right before the backward pass first needs it, and stays to its last user. Copies go out as soon as they are made, and their bytes
are given back one layer later. They come back one layer ahead.
"""
import math
import pathlib
import re
import sys
from collections import defaultdict

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "utils"))
from check_plan import Execution, Graph  # noqa: E402

EXPENSIVE = re.compile(r"(mm|bmm|addmm|convolution|flex_attention|_scaled_dot_product\w*|reduce_scatter\w*)(_\d+)?$")
FEWEST_BYTES = 1 << 20  # Of a copy.


def kind_of(node):
    return re.sub(r"_\d+$", "", node["name"])


def find_layers(kinds):
    """(first, period, count) of equal layers: the period at which kinds of ops agree for longest."""
    best = (0, 0, 0)
    for period in range(8, len(kinds) // 3):
        run = 0
        for at in range(len(kinds) - period):
            run = run + 1 if kinds[at] == kinds[at + period] else 0
            if run > 2 * period and run + period > best[0] + best[0] // 50:
                best = (run + period, at - run + 1, period)
    covered, first, period = best
    return (first, period, covered // period) if period else (0, 0, 0)


class Step:
    """A graph with its forward pass, its layers, and what the backward pass reads of them."""

    def __init__(self, graph):
        self.graph, self.nodes, self.tensors = graph, graph["nodes"], graph["tensors"]
        self.base = [tensor.get("view_of", tensor["id"]) for tensor in self.tensors]
        for t in range(len(self.base)):
            while self.base[t] != self.base[self.base[t]]:
                self.base[t] = self.base[self.base[t]]
        self.producer = {}
        for node in self.nodes:
            for t in node["outputs"]:
                self.producer.setdefault(t, node["id"])
        self.is_forward = [not node.get("backward") for node in self.nodes]
        self.last_forward = {}
        self.read_backward = set()
        for node in self.nodes:
            for t in node["inputs"] + node["outputs"]:
                if self.is_forward[node["id"]]:
                    self.last_forward[self.base[t]] = node["id"]
                elif self.base[t] in self.producer and self.is_forward[self.producer[self.base[t]]]:
                    self.read_backward.add(self.base[t])
        self.cuts = self.find_cuts()

    def find_cuts(self):
        """First node of every layer, and the end of the last one: where layers hand least to one another."""
        forward = [node for node in self.nodes if self.is_forward[node["id"]]]
        first, period, count = find_layers([kind_of(node) for node in forward])
        if not count:
            return []
        first = forward[first]["id"]

        def across(cut):
            return sum(self.tensors[b]["bytes"] for b, last in self.last_forward.items() if first <= self.producer.get(b, -1) < cut <= last)
        best = min(range(first + period, first + 2 * period), key=across)
        while best > period:
            best -= period
        return [cut for cut in range(best, first + period * (count + 1) + 1, period) if self.is_forward[min(cut, len(self.nodes) - 1)]]

    def layer_of(self, node):
        """-1: outside all layers."""
        at = sum(cut <= node for cut in self.cuts) - 1
        return at if at < len(self.cuts) - 1 else -1

    def boundaries(self, layers):
        """Values kept where only what a layer hands on is, in these layers; elsewhere everything."""
        kept = set()
        for b in self.last_forward:
            if b not in self.producer:
                continue
            layer = self.layer_of(self.producer[b])
            if layer not in layers or self.cuts[layer + 1] <= self.last_forward[b] or self.nodes[self.producer[b]].get("recompute") is False:
                kept.add(b)
        return kept

    def expensive(self, every=1):
        """Results of expensive ops; of products, every second one where `every` is 2."""
        kept, products = set(), 0
        for node in self.nodes:
            if not self.is_forward[node["id"]] or not EXPENSIVE.match(node["name"]):
                continue
            if node["name"].startswith("mm"):
                products += 1
                if products % every:
                    continue
            kept.update(self.base[t] for t in node["outputs"])
        return kept

    def hosted(self, kept, layers, rate=None):
        """Of what is kept in these layers and read by the backward pass, what is worth a copy; at a rate, in bytes for a unit of cost, only as much
        of each layer as is copied while it computes."""
        chosen, room = set(), defaultdict(float)
        for node in self.nodes[:self.cuts[-1]] if self.cuts else []:
            room[self.layer_of(node["id"])] += node.get("cost", 0) * rate if rate else math.inf
        for b in sorted(kept & self.read_backward, key=lambda b: (self.producer[b], b)):
            layer, size = self.layer_of(self.producer[b]), self.tensors[b]["bytes"]
            if size >= FEWEST_BYTES and layer in layers and size <= room[layer]:
                room[layer] -= size
                chosen.add(b)
        return chosen


class Emitter:
    """The runs of a policy in order, then frees and copies between them."""

    def __init__(self, step, kept, copied):
        self.step, self.kept, self.copied = step, kept, copied
        self.home = {t["id"] for t in step.tensors if t["id"] not in step.producer}
        self.views = defaultdict(set)
        for t, b in enumerate(step.base):
            self.views[b].add(t)
        self.items = []  # ("compute", node, discarded) or ("fetch", base)

    def run(self, node):
        discard = [t for t in node["outputs"] if t in self.home]
        self.items.append(("compute", node["id"], discard))
        self.home.update(node["outputs"])

    def need(self, tensor):
        stack = [tensor]
        while stack:
            t = stack[-1]
            if t in self.home:
                stack.pop()
            elif t in self.copied:
                self.items.append(("fetch", t))
                self.home.add(t)
            else:
                node = self.step.nodes[self.step.producer[t]]
                missing = [i for i in node["inputs"] if i not in self.home]
                if missing:
                    stack += missing
                else:
                    self.run(node)

    def order(self):
        step = self.step
        leaving = defaultdict(list)
        for b, last in step.last_forward.items():
            if b in step.producer and (b not in self.kept or b in self.copied):
                leaving[last].append(b)
        for node in step.nodes:
            for t in node["inputs"]:
                self.need(t)
            self.run(node)
            for b in leaving[node["id"]]:
                self.home -= self.views[b]
        return self.items

    def actions(self):
        """With frees after last users; copies where the module says."""
        step, items = self.step, self.order()
        uses = [[] for _ in items]  # Bases whose instance ends here.
        last, begin = {}, {}
        for at, item in enumerate(items):
            if item[0] == "fetch":
                last[item[1]] = at
                continue
            node = step.nodes[item[1]]
            made = {step.base[t] for t in node["outputs"] if t == step.base[t] and t not in item[2]}
            for b in made & last.keys():
                uses[last[b]].append(b)
            for t in node["inputs"] + node["outputs"]:
                if step.base[t] in step.producer and t not in item[2]:
                    last[step.base[t]] = at
        for b, at in last.items():
            if step.tensors[b]["kind"] in ("activation", "gradient"):
                uses[at].append(b)
        return self.with_copies(items, uses)

    def with_copies(self, items, uses):
        step = self.step
        first_forward, fetched = {}, {}
        for at, item in enumerate(items):
            if item[0] == "fetch":
                fetched[item[1]] = at
            else:
                first_forward.setdefault(item[1], at)
        layer = {b: step.layer_of(step.producer[b]) for b in fetched}
        begins = {}  # Where the backward pass of a layer begins.
        for b, at in fetched.items():
            begins[layer[b]] = min(begins.get(layer[b], at), at)
        before, after = defaultdict(list), defaultdict(list)
        for event, (b, at) in enumerate(sorted(fetched.items())):
            gone = first_forward[step.last_forward[b]]
            end = step.cuts[layer[b] + 2] if layer[b] + 2 < len(step.cuts) else step.cuts[-1]
            gone = max(gone, first_forward[min(end, len(step.nodes) - 1)])
            start = min(begins.get(layer[b] + 1, at), at)
            after[first_forward[step.producer[b]]].append({"evict": b, "event": 2 * event})
            after[min(gone, start - 1)].append({"wait": 2 * event})
            before[start].append({"fetch": b, "event": 2 * event + 1})
            before[at].append({"wait": 2 * event + 1})
        steps = []
        for at, item in enumerate(items):
            steps += before[at]
            if item[0] == "compute":
                steps.append({"compute": item[1], **({"discard": item[2]} if item[2] else {})})
            ending = [b for b in uses[at] if b not in fetched or at >= fetched[b]]
            if ending:
                steps.append({"free": ending})
            steps += after[at]
        return steps


def execute(graph, steps, bandwidth):
    """(peak bytes, time) by the simulator of utils/check_plan.py, which raises where an action is not possible."""
    link = dict(zip(("h2d", "d2h", "latency"), bandwidth))
    execution = Execution(Graph({**graph, "bandwidth": link}))
    for record in steps:
        execution.perform(record)
    execution.finish()
    return execution.peak, execution.queues.end


def policies(step, rate):
    """Name -> (kept, copied). What the last layer makes stays on the device."""
    count = len(step.cuts) - 1
    every, early = set(range(count)), set(range(count // 2))
    ends = step.boundaries(every)
    selective, second = ends | step.expensive(), ends | step.expensive(2)
    mixed = ends | step.boundaries(early) & selective
    but_last = every - {count - 1}
    return {
        "checkpoint all": (step.boundaries(set()), set()),
        "full": (ends, set()),
        "selective": (selective, set()),
        "every second product": (second, set()),
        "full early, selective late": (mixed, set()),
        "full, offloaded": (ends, step.hosted(ends, but_last)),
        "selective, offloaded": (selective, step.hosted(selective, but_last)),
        "selective, early half offloaded": (selective, step.hosted(selective, early)),
        "selective, offloaded as far as layers hide it": (selective, step.hosted(selective, but_last, rate)),
        "every second product, offloaded": (second, step.hosted(second, but_last)),
        "every second product, offloaded as far as layers hide it": (second, step.hosted(second, but_last, rate)),
    }
