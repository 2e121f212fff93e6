#!/usr/bin/env python3
"""How many bytes does a step take with one storage for each value, and what do sharing, in-place outputs and offsets save?

The question of MXNet's text, for whole training steps and for forward passes alone, without recomputation and in source
order. Only bytes that the step owns count: parameters, inputs and labels are the caller's.

    each      one storage for each value: their sum
    in place  outputs lie in inputs that nothing reads any more
    counter   a value takes a free storage of like size (MXNet's counters of pending readers)
    both      the two together
    offsets   values lie at offsets in one arena, nothing in place
    arena     offsets and in-place outputs, those that lower it
    live      the most bytes live at one node, all in-place pairs taken: no offsets can take less in this order

A training step is examples/MODEL.mlir after --memplan-autodiff, a forward pass the same file without it: the examples
hold the forward pass and the loss. Every column is a plan of its own, which utils/check_plan.py executes. The first four are
made here of the storages that the pass --memplan-share gives to values, one after the other in the arena; the offsets are those of
memplan-solve. Needs a build only:

    benchmarks/sharing/compare.py [--json FILE] [--picture FILE] [--write] [MODEL | FILE.mlir ...]
"""
import argparse
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, Table, built, call, figure, put_table  # noqa: E402

MODELS = {"resnet50": 32, "vgg16": 32, "mobilenet_v2": 32, "unet": 1, "gpt2": 4}
PASSES = ("training", "forward")
STORAGES = {"each": ("none", False), "in place": ("none", True), "counter": ("counter", False), "both": ("counter", True)}
OFFSETS = {"offsets": False, "arena": True}
COLUMNS = (*STORAGES, *OFFSETS, "live")


class Step:
    """A program, its graph file, and the bytes of the values that it owns."""

    def __init__(self, tools, folder, source, batch, kind):
        self.tools, self.folder = tools, folder
        self.name, self.kind, self.batch = source.stem, kind, batch
        self.program, self.path = folder / "step.mlir", folder / "step.graph.json"
        passes = [f"--memplan-set-batch=batch={batch}"] if batch else []
        passes += ["--memplan-autodiff=updates=eager"] if kind == "training" else []
        call(tools / "memplan-opt", source, *passes, "-o", self.program)
        call(tools / "memplan-opt", self.program, f"--memplan-emit-graph=output={self.path}", "-o", folder / "unused.mlir")
        self.graph = json.loads(self.path.read_text())
        self.nodes, tensors = self.graph["nodes"], self.graph["tensors"]
        view_of = {tensor["id"]: tensor.get("view_of") for tensor in tensors}
        self.base = {tensor: base_of(tensor, view_of) for tensor in view_of}
        made = {tensor for node in self.nodes for tensor in node["outputs"]}
        self.bytes = {tensor["id"]: tensor["bytes"] for tensor in tensors if view_of[tensor["id"]] is None}
        self.own = {tensor for tensor in self.bytes if tensor in made}
        self.callers = self.graph["fixed_bytes"] + sum(self.bytes[tensor] for tensor in self.bytes if tensor not in made)
        self.kept = {self.base[tensor["id"]] for tensor in tensors if tensor.get("kind") == "output"}
        if any(tensor.get("donated") for tensor in tensors) or any(node.get("workspace_bytes") for node in self.nodes):
            sys.exit(f"{self.name}: donated inputs and workspaces are not compared here")

    def storages(self, sharing, in_place):
        """The storage of each value by the pass --memplan-share, and the bytes that the pass says all take together."""
        passes = ["--memplan-in-place"] if in_place else []
        text = call(self.tools / "memplan-opt", self.program, *passes, f"--memplan-share=solver={sharing}")
        outputs = {node["id"]: node["outputs"] for node in self.nodes}
        storage_of = {}
        for line in text.splitlines():
            shared = re.search(r"memplan\.storage = array<i64: ([-\d, ]+)>", line)
            if shared:
                node = int(re.search(r"memplan\.node = (\d+)", line).group(1))
                storages = map(int, shared.group(1).split(","))
                storage_of.update({tensor: storage for tensor, storage in zip(outputs[node], storages) if storage >= 0})
        return storage_of, int(re.search(r"memplan\.storage_bytes = (\d+)", text).group(1))

    def pack(self, in_place):
        """memplan-solve's plan: no recomputation, source order, sizes not rounded up to an alignment."""
        path = self.folder / "step.plan.json"
        call(self.tools / "memplan-solve", "remat", self.path, "--solver=checkpoint-all", "--order=source", "--alignment=1",
             "--sharing=none", f"--in-place={str(in_place).lower()}", "-o", path)
        return json.loads(path.read_text())

    def check(self, plan):
        path = self.folder / "checked.plan.json"
        path.write_text(json.dumps(plan))
        call(sys.executable, ROOT / "utils" / "check_plan.py", self.path, path)


def base_of(tensor, view_of):
    while view_of[tensor] is not None:
        tensor = view_of[tensor]
    return tensor


def lay_storages(step, storage_of):
    """The storages one after the other: the offset of each, and their end."""
    sizes = {}
    for tensor, storage in storage_of.items():
        sizes[storage] = max(sizes.get(storage, 0), step.bytes[tensor])
    offsets, end = {}, 0
    for storage in sorted(sizes):
        offsets[storage] = end
        end += sizes[storage]
    return offsets, end


def plan_storages(step, storage_of):
    """The plan file of these storages: every node once, in source order, each value freed after its last reader. An output
    is in place where it has the storage of an input that its node could overwrite: sharing leaves inputs of a node alone."""
    last = {}
    for node in step.nodes:
        for tensor in node["inputs"] + node["outputs"] + node.get("writes", []):
            last[step.base[tensor]] = node["id"]
    offsets, end = lay_storages(step, storage_of)
    steps, placements, placed = [], [], {}
    live = peak = step.callers
    for node in step.nodes:
        pairs = [pair for pair in node.get("in_place", []) if pair[0] in storage_of
                 and storage_of[pair[0]] == storage_of.get(step.base[pair[1]])]
        over = {out: step.base[read] for out, read in pairs}
        for tensor in (tensor for tensor in node["outputs"] if tensor in step.own):
            if tensor in over:
                placed[tensor] = placed.pop(over[tensor])
                continue
            placed[tensor] = {"tensor": tensor, "step_begin": len(steps), "offset": offsets.get(storage_of.get(tensor), 0)}
            placements.append(placed[tensor])
            live += step.bytes[tensor]
        peak = max(peak, live)
        steps.append({"compute": node["id"], "in_place": pairs})
        dead = [tensor for tensor in placed if last[tensor] == node["id"] and tensor not in step.kept]
        for tensor in dead:
            placed.pop(tensor)["step_end"] = len(steps)
            live -= step.bytes[tensor]
        steps += [{"free": dead}] if dead else []
    for placement in placed.values():
        placement["step_end"] = len(steps)
    cost = sum(node["cost"] for node in step.nodes)
    return {"version": 1, "graph": step.graph["name"], "status": "feasible", "cost": cost, "time": cost, "peak_bytes": peak,
            "solver": "storages", "steps": steps,
            "arenas": [{"space": "device", "bytes": end, "alignment": 1, "placements": placements}]}


def measure(step):
    row = {"step": step.name, "pass": step.kind, "batch": step.batch, "nodes": len(step.nodes), "values": len(step.own)}
    for column, (sharing, in_place) in STORAGES.items():
        storage_of, claimed = step.storages(sharing, in_place)
        plan = plan_storages(step, storage_of)
        step.check(plan)
        row[column] = plan["arenas"][0]["bytes"]
        if row[column] != claimed:
            sys.exit(f"{step.name}, {column}: the storages take {row[column]} bytes, and the pass says {claimed}")
        row["live"] = plan["peak_bytes"] - step.callers
    for column, in_place in OFFSETS.items():
        plan = step.pack(in_place)
        step.check(plan)
        row[column] = plan["arenas"][0]["bytes"]
    return row


def text_of(row):
    batch = f", batch {row['batch']}" if row["batch"] else ""
    parts = [f"{row[column] / 1e6:.1f}" for column in COLUMNS]
    parts += [f"{row['each'] / row[column]:.2f}" for column in ("both", "arena")]
    return f"| {row['step']}{batch} | {row['pass']} | {' | '.join(parts)} |"


def summary_of(rows):
    """The table of docs/Benchmarks.md: training steps, three columns."""
    lines = ["| example | each | in place and shared | arena | each / arena |", "|---" * 5 + "|"]
    for row in (row for row in rows if row["pass"] == "training"):
        sizes = " | ".join(f"{row[column] / 1e6:.1f}" for column in ("each", "both", "arena"))
        lines.append(f"| {row['step']}, batch {row['batch']} | {sizes} | {row['each'] / row['arena']:.2f} |")
    return lines


def draw(rows, path):
    pyplot = figure()
    if pyplot is None:
        return
    picture, panels = pyplot.subplots(1, len(PASSES), figsize=(10, 3.4), sharey=True)
    for panel, kind in zip(panels, PASSES):
        shown = [row for row in rows if row["pass"] == kind]
        for shift, column in enumerate((*STORAGES, *OFFSETS)):
            panel.bar([i + 0.14 * shift for i in range(len(shown))], [row[column] / row["each"] for row in shown], 0.13, label=column)
        panel.set_xticks([i + 0.35 for i in range(len(shown))], [row["step"] for row in shown], fontsize=7)
        panel.set_title(f"{kind}: bytes / sum of all values", fontsize=9)
    panels[-1].legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    picture.savefig(path, bbox_inches="tight", dpi=80)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("steps", nargs="*", default=list(MODELS), metavar="MODEL | FILE.mlir")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt", "memplan-solve")
    table, rows = Table(), []
    table.add(f"| step | pass | {' | '.join(COLUMNS)} | each / both | each / arena |", "|---" * (len(COLUMNS) + 4) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for given in arguments.steps:
            source = ROOT / "examples" / f"{given}.mlir" if given in MODELS else pathlib.Path(given)
            for kind in PASSES:
                rows.append(measure(Step(arguments.build / "bin", pathlib.Path(folder), source, MODELS.get(given), kind)))
                table.add(text_of(rows[-1]))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
    if arguments.picture:
        draw(rows, arguments.picture)
    if arguments.write:
        script = "benchmarks/sharing/compare.py"
        table.write([ROOT / "docs/Benchmarks/Sharing.md"], script)
        put_table(ROOT / "docs/Benchmarks.md", script, "\n".join([*table.lines[:2], *summary_of(rows)]))


if __name__ == "__main__":
    main()
