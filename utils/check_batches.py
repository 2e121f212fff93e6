#!/usr/bin/env python3
"""Proves a plan for a range of batches right at every batch, without any of memplan's code.

usage: check_batches.py GRAPH.graph.json PLAN.plan.json [--step=BATCH:GRAPH.graph.json]...

GRAPH is the step at the largest batch. Bytes of tensors are affine in the batch; offsets and arenas are given at breakpoints
and affine between them. Checked: the plan executes at every breakpoint, by check_plan.py; offsets move by multiples of the
alignment; of two blocks that are live at once, the same one lies below the other at all breakpoints. Each of these is an
inequality of affine functions, or does not depend on the batch, so that it holds between the breakpoints too.
With --step the bytes of the step at that batch are compared with what the plan says of them, and the plan is executed on it.
Exit status: 0 everything holds, 1 a violation (printed), 2 a file cannot be read. Standard library only.
"""
import argparse
import copy
import sys

from check_plan import OWNED_BY_CALLER, Execution, Graph, Violation, check_arenas, check_pair, demand, get, hosted_tensors
from check_plan import integers, is_integer, is_list, is_text, load, only_key


class Range:
    """What the plan says of its batches."""

    def __init__(self, plan, graph):
        text = get(plan, "batches", lambda v: isinstance(v, dict), "plan")
        self.breakpoints = integers(text, "breakpoints", "batches")
        get(text, "step_hash", is_text, "batches")
        ascending = all(a < b for a, b in zip(self.breakpoints, self.breakpoints[1:]))
        demand(self.breakpoints and self.breakpoints[0] >= 1 and ascending, "batches: breakpoints must ascend from 1 or more")
        self.most = self.breakpoints[-1]
        self.tensors, self.scratch = {}, {}
        known = {t["id"]: t for t in graph["tensors"]}
        nodes = {n["id"] for n in graph["nodes"]}
        for record in get(text, "tensors", is_list, "batches"):
            i = get(record, "tensor", is_integer, "batches")
            demand(i in known and "view_of" not in known[i], f"batches: tensor {i} has no bytes")
            self.tensors[i] = get(record, "bytes_per_sample", is_integer, f"tensor {i}")
            self.check(known[i]["bytes"], self.tensors[i], f"tensor {i}")
        for record in get(text, "scratch", is_list, "batches"):
            i = get(record, "workspace", is_integer, "batches")
            demand(i in nodes, f"batches: there is no node {i}")
            self.scratch[i] = tuple(get(record, key, is_integer, f"node {i}") for key in ("bytes", "bytes_per_sample"))
            self.check(*self.scratch[i], f"node {i}")

    def check(self, most, slope, what):
        least = most - slope * (self.most - self.breakpoints[0])
        demand(slope >= 0 and least >= 0, f"{what}: {most} bytes and {slope} for each sample leave {least}")

    def step(self, graph, batch):
        """The graph with the bytes of that batch."""
        graph = copy.deepcopy(graph)
        for tensor in graph["tensors"]:
            if "view_of" not in tensor:
                tensor["bytes"] -= self.tensors.get(tensor["id"], 0) * (self.most - batch)
        for node in graph["nodes"]:
            most, slope = self.scratch.get(node["id"], (0, 0))
            node["workspace_bytes"] = most - slope * (self.most - batch)
            for variant in node.get("variants", []):
                variant["workspace_bytes"] = node["workspace_bytes"]
        return graph

    def between(self, batch, values, rounded):
        """On the line between the breakpoints; arenas are rounded up, offsets are whole numbers."""
        above = next(k for k, point in enumerate(self.breakpoints) if point >= batch)
        if self.breakpoints[above] == batch:
            return values[above]
        samples = self.breakpoints[above] - self.breakpoints[above - 1]
        risen = (values[above] - values[above - 1]) * (self.breakpoints[above] - batch)
        demand(rounded or risen % samples == 0, f"an offset moves by {risen} over {samples} samples")
        return values[above] - risen // samples

    def plan(self, plan, batch):
        """The plan of one batch: no figures, which are those of the largest."""
        plan = copy.deepcopy(plan)
        for arena in plan["arenas"]:
            arena["bytes"] = self.between(batch, arena["bytes_at"], True)
            arena.pop("live_bytes", None)
            for placement in arena["placements"]:
                placement["offset"] = self.between(batch, placement["offsets_at"], False)
        return plan


def check_values(values, last, count, what):
    demand(len(values) == count and values[-1] == last, f"{what}: not one value for each breakpoint, the last one {last}")
    rises = all(a <= b for a, b in zip(values, values[1:]))
    demand(rises and values[0] >= 0, f"{what}: {values} falls, or is negative")


def check_offsets(batches, arena):
    space, count = arena.get("space", "device"), len(batches.breakpoints)
    alignment = get(arena, "alignment", is_integer, space, 1)
    check_values(integers(arena, "bytes_at", space), get(arena, "bytes", is_integer, space), count, f"{space} arena")
    for placement in get(arena, "placements", is_list, space):
        what = f"{space}, placement at step {placement.get('step_begin')}"
        offsets = integers(placement, "offsets_at", what)
        check_values(offsets, get(placement, "offset", is_integer, what), count, what)
        for a, b, low, high in zip(offsets, offsets[1:], batches.breakpoints, batches.breakpoints[1:]):
            demand((b - a) % (alignment * (high - low)) == 0, f"{what}: moves from {a} to {b} between batches {low} and {high}")


def execute(graph_text, plan):
    graph = Graph(graph_text)
    execution = Execution(graph, hosted_tensors(plan, graph))
    for record in get(plan, "steps", is_list, "plan"):
        execution.perform(record)
    execution.finish()
    return graph, execution


def blocks_of(graph, execution, arena):
    """What lies in the arena, in the order taken."""
    if arena.get("space", "device") == "host":
        return execution.stays
    owns = set(arena.get("owns", [])) | execution.hosted
    callers = {t.id for t in graph.tensors.values() if t.kind in OWNED_BY_CALLER and t.parent is None}
    return [b for b in execution.blocks if b.what != "tensor" or b.allocated_by not in callers or b.allocated_by in owns]


def meet(first, second):
    """Are both there at once, or may a queue still use the first?"""
    try:
        check_pair(first, second, "")
    except Violation:
        return True
    return False


def check_order(batches, arena, executions):
    """The same one of two blocks that meet lies below at all breakpoints."""
    lists = [blocks_of(graph, execution, arena) for graph, execution in executions]
    places = {}
    for placement in arena["placements"]:
        kind = only_key(placement, ("tensor", "workspace", "discard"), "placement", "things placed")
        places[kind, placement[kind], placement["step_begin"]] = placement["offsets_at"]
    placed = []
    for same in zip(*lists):
        last = same[-1]
        if last.bytes > 0:
            offsets = places[last.what, last.allocated_by, last.begin]
            placed.append((last, [(offset, offset + block.bytes) for offset, block in zip(offsets, same)]))
    for k, (first, ranges) in enumerate(placed):
        for second, others in placed[k + 1 :]:
            below = all(a[1] <= b[0] for a, b in zip(ranges, others))
            above = all(b[1] <= a[0] for a, b in zip(ranges, others))
            demand(below or above or not meet(first, second), f"{first} and {second} are live at once and change places between breakpoints")


def check_step(batches, plan, graph, batch, step):
    demand(batches.breakpoints[0] <= batch <= batches.most, f"batch {batch} is not in the plan's range")
    own, wanted = ({t["id"]: t for t in g["tensors"]} for g in (step, batches.step(graph, batch)))
    demand(own.keys() == wanted.keys(), f"the step at batch {batch} has other tensors")
    for i, tensor in own.items():
        demand(tensor.get("view_of") == wanted[i].get("view_of"), f"batch {batch}: tensor {i} is another view")
        same = "view_of" in tensor or tensor["bytes"] == wanted[i]["bytes"]
        demand(same, f"batch {batch}: tensor {i} takes {tensor.get('bytes')} bytes, the plan has {wanted[i].get('bytes')}")
    scratch = {n["id"]: n["workspace_bytes"] for n in batches.step(graph, batch)["nodes"]}
    for node in step["nodes"]:
        fits = node.get("workspace_bytes", 0) <= scratch[node["id"]]
        demand(fits, f"batch {batch}: node {node['id']} takes more scratch than the plan has")
        node["workspace_bytes"] = scratch[node["id"]]
    at = batches.plan(plan, batch)
    checked, execution = execute(step, at)
    check_arenas(at, checked, execution, None)


def check(graph, plan, steps=()):
    """Raises a Violation, or returns the breakpoints."""
    demand(isinstance(plan, dict) and isinstance(graph, dict), "the graph or the plan is not an object")
    Graph(graph)
    batches = Range(plan, graph)
    arenas = get(plan, "arenas", is_list, "plan")
    for arena in arenas:
        check_offsets(batches, arena)
    executions = []
    for batch in batches.breakpoints:
        at = batches.plan(plan, batch)
        checked, execution = execute(batches.step(graph, batch), at)
        check_arenas(at, checked, execution, get(plan, "budget_bytes", is_integer, "plan", None))
        executions.append((checked, execution))
    for arena in arenas:
        check_order(batches, arena, executions)
    for batch, step in steps:
        check_step(batches, plan, graph, batch, step)
    return batches.breakpoints


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph")
    parser.add_argument("plan")
    parser.add_argument("--step", action="append", default=[], metavar="BATCH:GRAPH")
    options = parser.parse_args()
    try:
        steps = []
        for text in options.step:
            batch, _, path = text.partition(":")
            steps.append((int(batch), load(path)))
        points = check(load(options.graph), load(options.plan), steps)
    except Violation as violation:
        print(f"{options.plan}: violation: {violation}")
        return 1
    except (OSError, ValueError, RecursionError) as error:
        print(f"{options.plan}: {error}", file=sys.stderr)
        return 2
    print(f"ok batches={points[0]}..{points[-1]} breakpoints={len(points)} steps={len(steps)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
