#!/usr/bin/env python3
"""The heuristics of Checkmate's Table 1 on its networks, beside the same heuristics written down once more by the paper.

    benchmarks/remat/baselines.py [--networks NAME ...] [--fractions F ...] [--build build] [--json FILE] [--write]

A comparison with a heuristic says nothing if the heuristic is weaker here than in its paper. So section 5.1 stands below a second time, apart from
memplan: checkpoints, what each stage keeps, the least runs for that, and the live bytes of these runs. Steps are whole: batch norms, what they write
beside the forward pass, backward pass and updates. Both count live bytes, in source order, nothing in place. Exits with 1 where a heuristic of memplan's
costs more than the paper's or has no plan where that has one, and where a relation of the paper does not hold: `-greedy` costs no more within more
bytes, `-sqrt` costs the same within any, Chen's are for linear forward passes alone, and the optimal plan costs no more than any of them.
"""
import argparse
import bisect
import heapq
import math
import pathlib
import sys
import tempfile

from common import ROOT, Step, Table, built, call, plan, write_json

NETWORKS = {"unet": ("examples/unet.mlir", 1), "fcn8": ("benchmarks/networks/fcn8.mlir", 4), "segnet": ("benchmarks/networks/segnet.mlir", 4),
            "vgg16": ("examples/vgg16.mlir", 32), "vgg19": ("benchmarks/networks/vgg19.mlir", 32),
            "mobilenet_v1": ("benchmarks/networks/mobilenet_v1.mlir", 32), "resnet50": ("examples/resnet50.mlir", 32)}
HEURISTICS = ("chen-sqrt", "chen-greedy", "ap-sqrt", "ap-greedy", "linearized-sqrt", "linearized-greedy")
FLAGS = ("--order=source", "--in-place=false", "--arena=none")
KNOBS = 60


# --- The paper ---


class Paper:
    """A step as the paper sees it: nodes 0 to n - 1 in source order, each with the nodes that it reads; views are what they show."""

    def __init__(self, step):
        view_of = {tensor["id"]: tensor.get("view_of") for tensor in step.graph["tensors"]}
        self.bytes = {tensor: size for tensor, size in step.own_bytes.items()}
        self.kept = {tensor["id"] for tensor in step.graph["tensors"] if tensor.get("kind") == "output"}

        def base(tensor):
            while view_of[tensor] is not None:
                tensor = view_of[tensor]
            return tensor

        self.kept = {base(tensor) for tensor in self.kept}
        every = step.graph["nodes"]
        is_view = [bool(node["outputs"]) and all(view_of[tensor] is not None for tensor in node["outputs"]) for node in every]
        self.views_cost = sum(node["cost"] for node, view in zip(every, is_view) if view)
        self.nodes = [node for node, view in zip(every, is_view) if not view]
        self.outputs = [[tensor for tensor in node["outputs"] if view_of[tensor] is None] for node in self.nodes]
        self.producer = {tensor: i for i, outputs in enumerate(self.outputs) for tensor in outputs}
        self.reads = [{base(tensor) for tensor in node["inputs"]} & self.producer.keys() for node in self.nodes]
        self.inputs = [sorted({self.producer[tensor] for tensor in reads}) for reads in self.reads]
        self.users = [[] for _ in self.nodes]
        for i, inputs in enumerate(self.inputs):
            for read in inputs:
                self.users[read].append(i)
        self.backward = []
        for node, inputs in zip(self.nodes, self.inputs):
            self.backward.append(node.get("backward", False) or any(self.backward[read] for read in inputs))
        self.resident, self.cost = step.resident, [node["cost"] for node in self.nodes]
        # What only writes beside the forward pass is no layer of it.
        self.layers = [i for i, outputs in enumerate(self.outputs) if outputs and not self.backward[i] and self.reaches_backward(i)]
        self.loss = self.layers[-1]

    def reaches_backward(self, node):
        return any(self.backward[user] or self.reaches_backward(user) for user in self.users[node])

    def is_linear(self):
        return all(len([read for read in self.inputs[i]]) <= 1 for i in self.layers) and \
            all(len([user for user in self.users[i] if user in set(self.layers)]) <= 1 for i in self.layers)

    def articulation_points(self):
        """Layers whose removal parts the undirected forward graph, the data before the first layers included: by trying each."""
        near = {i: set() for i in (*self.layers, "data")}
        for i in self.layers:
            for other in self.inputs[i] or ["data"]:
                near[i].add(other)
                near[other].add(i)
        points = []
        for removed in self.layers[:-1]:
            seen, left = {removed, "data"}, ["data"]
            while left:
                for other in near[left.pop()] - seen:
                    seen.add(other)
                    left.append(other)
            if len(seen) < len(near):
                points.append(removed)
        return points

    def size(self, node):
        return sum(self.bytes[tensor] for tensor in self.outputs[node])

    def every_root(self, candidates):
        k = math.isqrt(len(candidates))
        return candidates[k - 1::k] if k else []

    def by_size(self, candidates, limit):
        """Chen's Algorithm 3: a checkpoint where more than so many bytes came together."""
        chosen, since = [], 0
        for i in self.layers[:-1]:
            since += self.size(i)
            if since > limit and i in candidates:
                chosen.append(i)
                since = 0
        return chosen

    def keep_only(self, checkpoints):
        """Segments [from, to] of stages at whose begin each node's values are kept. Checkpoints stay; what lies between two of them
        goes after its last forward user, and is kept again from the first backward stage on that reads any of it."""
        kept, segments = {}, {}
        last = [max(users, default=i) for i, users in enumerate(self.users)]
        for i, users in enumerate(self.users):
            kept[i] = [(i + 1, last[i])]
        for i in self.layers:
            number = bisect.bisect_left(checkpoints, i)
            if number < len(checkpoints) and checkpoints[number] != i:
                segments.setdefault(number, []).append(i)
        for members in segments.values():
            back = min((user for i in members for user in self.users[i] if self.backward[user]), default=len(self.nodes))
            for i in members:
                forward = max((user for user in self.users[i] if not self.backward[user]), default=i)
                kept[i] = [(i + 1, min(forward, last[i])), (back + 1, last[i])]
        return kept

    def least_runs(self, kept):
        """Section 5.1.1: in each stage what the next one keeps and this one lacks, and what these runs read and lack."""
        begins = {}
        for i, segments in kept.items():
            for first, last in segments[1:]:
                if first <= last:
                    begins.setdefault(first - 1, []).append(i)
        runs = []
        for stage in range(len(self.nodes)):
            def lacks(i):
                return not any(first <= stage <= last for first, last in kept[i])  # noqa: B023
            here = {stage, *(i for i in begins.get(stage, []) if lacks(i))}
            left = [-i for i in here]
            heapq.heapify(left)
            while left:
                for read in self.inputs[-heapq.heappop(left)]:
                    if lacks(read) and read not in here:
                        here.add(read)
                        heapq.heappush(left, -read)
            runs += sorted(here)
        return runs

    def execute(self, runs):
        """Algorithm 1 with frees as early as possible: (cost, live bytes)"""
        made, until = {}, {}
        for place, node in enumerate(runs):
            for tensor in self.reads[node]:
                until[made[tensor], tensor] = place
            for tensor in self.outputs[node]:
                made[tensor] = place
                until[place, tensor] = place
        change = [0] * (len(runs) + 1)
        for (place, tensor), end in until.items():
            change[place] += self.bytes[tensor]
            if tensor not in self.kept or made[tensor] != place:
                change[end + 1] -= self.bytes[tensor]
        live = most = 0
        for step in change[:-1]:
            live += step
            most = max(most, live)
        return self.views_cost + sum(self.cost[node] for node in runs), self.resident + most

    def plans(self, heuristic):
        """(cost, live bytes) for every value of the heuristic's knob."""
        candidates = self.articulation_points() if heuristic.startswith("ap") else self.layers[:-1]
        if heuristic.endswith("sqrt"):
            choices = [self.every_root(candidates)]
        else:
            total = sum(self.size(i) for i in self.layers)
            least = min(self.size(i) for i in self.layers) + 1
            limits = [0, *(int(least * (total / least) ** (k / KNOBS)) for k in range(KNOBS + 1))]
            choices = sorted({tuple(self.by_size(set(candidates), limit)) for limit in limits})
        return [self.execute(self.least_runs(self.keep_only(list(chosen)))) for chosen in choices]


# --- Beside memplan ---


def graph_of(tools, name, folder):
    source, batch = NETWORKS[name]
    path = pathlib.Path(folder) / f"{name}.graph.json"
    call(tools / "memplan-opt", ROOT / source, f"--batch={batch}", "--emit=graph", "-o", path)
    step = Step(path)
    step.name = name
    return step


def rows_of(tools, step, fractions):
    paper, rows = Paper(step), []
    for heuristic in HEURISTICS:
        is_for_it = not heuristic.startswith("chen") or paper.is_linear()
        published = paper.plans(heuristic) if is_for_it else []
        for fraction in fractions:
            budget = step.budget(fraction)
            least = min((cost for cost, live in published if live <= budget), default=None)
            row = plan(tools, step, heuristic, budget, *FLAGS) | {"fraction": fraction}
            row["refused"] = "is for a linear forward pass" in row.get("note", "")
            row["published"] = None if least is None else least / step.cost - 1
            rows.append(row)
            if row["refused"] == is_for_it:
                sys.exit(f"{step.name}: {heuristic} is {'refused' if row['refused'] else 'not refused'}, and the forward pass is {'' if is_for_it else 'not '}linear")
    for fraction in fractions:
        rows.append(plan(tools, step, "auto", step.budget(fraction), *FLAGS) | {"fraction": fraction})
    return rows


def broken(rows):
    """The relations that do not hold."""
    found, slack = [], 1e-9
    of = {(row["solver"], row["fraction"]): row for row in rows}
    fractions = sorted({row["fraction"] for row in rows})
    for (solver, fraction), row in of.items():
        name, ours = f"{row['graph']}, {solver} at {fraction}", row.get("overhead")
        published = row.get("published")
        if published is not None and (ours is None or ours > published + slack):
            found.append(f"{name}: {ours}, by the paper {published}")
        best = of["auto", fraction].get("overhead")
        if ours is not None and (best is None or best > ours + slack):
            found.append(f"{name}: {ours}, and auto has {best}")
    for solver in HEURISTICS:
        costs = [cost for fraction in fractions if (cost := of[solver, fraction].get("overhead")) is not None]
        if any(more > less + slack for less, more in zip(costs, costs[1:])):
            found.append(f"{rows[0]['graph']}, {solver}: costs more within more bytes: {costs}")
        if solver.endswith("sqrt") and costs and max(costs) > min(costs) + slack:
            # Without any recomputation where that fits.
            if any(cost > slack and abs(cost - max(costs)) > slack for cost in costs):
                found.append(f"{rows[0]['graph']}, {solver}: looks at the budget: {costs}")
    return found


def text_of(rows, fraction):
    def number(value):
        return "-" if value is None else f"{100 * value:.3g}"

    cells = []
    for solver in HEURISTICS:
        row = next(row for row in rows if (row["solver"], row["fraction"]) == (solver, fraction))
        cells.append("" if row["refused"] else f"{number(row.get('overhead'))} ({number(row['published'])})")
    best = next(row for row in rows if (row["solver"], row["fraction"]) == ("auto", fraction))
    name = rows[0]["graph"]
    return f"| {name}, batch {NETWORKS[name][1]} | {fraction:g} | {' | '.join(cells)} | {number(best.get('overhead'))} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.8, 0.6, 0.4])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="put the table into docs/Benchmarks/Baselines.md")
    arguments = parser.parse_args()
    tools, table, rows, wrong = built(arguments.build, "memplan-opt", "memplan-solve") / "bin", Table(), [], []
    table.add(f"| network | fraction | {' | '.join(f'`{name}`' for name in HEURISTICS)} | `auto` |", "|---" * (len(HEURISTICS) + 3) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.networks:
            here = rows_of(tools, graph_of(tools, name, folder), arguments.fractions)
            rows += here
            wrong += broken(here)
            table.add(*(text_of(here, fraction) for fraction in arguments.fractions))
            if arguments.json:
                write_json(arguments.json, rows)
    if wrong:
        sys.exit("\n".join(wrong))
    if arguments.write:
        table.write([ROOT / "docs/Benchmarks/Baselines.md"], "benchmarks/remat/baselines.py")


if __name__ == "__main__":
    main()
