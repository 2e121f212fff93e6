#!/usr/bin/env python3
"""Bytes against makespan on several streams, and against one arena for each stream.

    benchmarks/swap/streams.py [--networks NAME ...] [--streams N ...] [--build FOLDER] [--json FILE] [--pictures FOLDER]

Training steps, without recomputation and within budgets, and forward passes; costs by the roofline of the reference
device. *apart* is the same list with the same waits and an arena for each stream, as in allocators with one pool a stream:
a tensor lies in the arena of the stream that makes it, and takes bytes there that queues and events say are done with.
*ratio* is the one arena in bytes of the least *apart* that is as fast (within 1 %). *least* is what no ratio can be below
where nothing runs twice, whatever the order and the streams: when a node starts, all is there that it follows from and
that it or what follows from it reads, in one arena or in several.
"""
import argparse
import importlib.util
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, call, figure, head  # noqa: E402

spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils" / "check_plan.py")
check_plan = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_plan)

PARALLELISM = ("prefer", "balance", "memory")
SAME = 1.01  # makespans


def graph_of(name, build, folder):
    """A graph file as it stands, or that of a program of benchmarks/networks or examples."""
    if name.endswith(".json"):
        return pathlib.Path(name)
    programs = [ROOT / place / f"{name}.mlir" for place in ("benchmarks/networks", "examples")]
    program = next((path for path in programs if path.exists()), None)
    if program is None:
        sys.exit(f"there is no program {name}.mlir in benchmarks/networks or examples")
    path = folder / f"{name}.graph.json"
    call(build / "bin" / "memplan-opt", program, "--emit=graph", "-o", path)
    return path


def forward_of(graph, path):
    """The forward pass alone: nothing is kept for a backward pass. What nothing reads any more is the result."""
    nodes = [node for node in graph["nodes"] if not node.get("backward") and not node.get("writes")]
    made = {t for node in nodes for t in node["outputs"]}
    known = {t["id"] for t in graph["tensors"] if t.get("kind") in ("parameter", "state", "input")} | made
    tensors = [dict(t) for t in graph["tensors"] if t["id"] in known]
    last = nodes[-1]["outputs"][0]
    for tensor in tensors:
        if tensor["id"] in made:
            tensor["kind"] = "output" if tensor["id"] == last else "activation"
    path.write_text(json.dumps({**graph, "name": f"{graph['name']}_forward", "tensors": tensors, "nodes": nodes}))
    return path


def plan_on(solve, graph, streams, parallelism, budget, folder):
    path = folder / f"{streams}.{parallelism}.plan.json"
    ways = [f"--budget={budget}", "--effort=100000"] if budget else ["--remat=checkpoint-all"]
    call(solve, "remat", graph, *ways, f"--streams={streams}", f"--parallelism={parallelism}", "-o", path)
    return json.loads(path.read_text())


def device(plan):
    return next(arena for arena in plan["arenas"] if arena["space"] == "device")


def blocks_of(execution, plan):
    """What lies in the device arena, with the stream that makes it."""
    inside = {(kind, p[kind], p["step_begin"]) for p in device(plan)["placements"] for kind in ("tensor", "workspace", "discard")
               if kind in p}
    return [block for block in execution.blocks if block.bytes and (block.what, block.allocated_by, block.begin) in inside]


def write_arena_per_stream(path, execution, plan):
    blocks = blocks_of(execution, plan)
    rows = ["id,lower,upper,size,space,conflicts"]
    for number, block in enumerate(blocks):
        stream = block.taken.queue or 0
        conflicts = [other for other in range(number)
                     if (blocks[other].taken.queue or 0) == stream and max(blocks[other].end, blocks[other].begin + 1) <= block.begin
                     and not all(block.taken.follows(queue, last) for queue, last in blocks[other].users.items())]
        rows.append(f"b{number},{block.begin},{max(block.end, block.begin + 1)},{block.bytes},stream{stream},"
                    + ";".join(f"b{other}" for other in conflicts))
    path.write_text("\n".join(rows) + "\n")


def bytes_apart(solve, graph_text, plan, folder):
    """The bytes of an arena for each stream, all together."""
    table, stats = folder / "apart.csv", folder / "apart.stats.json"
    execution = check_plan.check(graph_text, plan)
    write_arena_per_stream(table, execution, plan)
    call(solve, "arena", table, f"--alignment={device(plan)['alignment']}", "--effort=2000", "-o", folder / "apart.out.csv",
         f"--stats={stats}")
    return json.loads(stats.read_text())["height_bytes"]


def held_bytes(graph, plan):
    """The most that has to be there when some node starts, in any order; 0 where a node runs twice."""
    runs = [step["compute"] for step in plan["steps"] if "compute" in step]
    if len(set(runs)) < len(runs):
        return 0
    base = {tensor["id"]: tensor.get("view_of", tensor["id"]) for tensor in graph["tensors"]}
    while any(base[of] != of for of in base.values()):
        base = {tensor: base[of] for tensor, of in base.items()}
    inside = {placement["tensor"] for placement in device(plan)["placements"] if "tensor" in placement}
    for step in plan["steps"]:
        inside |= {output for output, over in step.get("in_place", []) if base[over] in inside}
    maker = {tensor: number for number, node in enumerate(graph["nodes"]) for tensor in node["outputs"]}
    before, after = [], [0] * len(graph["nodes"])  # Sets of nodes as bits, each with itself.
    for number, node in enumerate(graph["nodes"]):
        before.append(1 << number)
        for tensor in node["inputs"]:
            before[-1] |= before[maker[tensor]] if tensor in maker else 0
    for number in reversed(range(len(before))):
        after[number] |= 1 << number
        for tensor in graph["nodes"][number]["inputs"]:
            if tensor in maker:
                after[maker[tensor]] |= after[number]
    size = {tensor["id"]: tensor.get("bytes", 0) for tensor in graph["tensors"]}
    readers = {}
    for number, node in enumerate(graph["nodes"]):
        for tensor in node["inputs"]:
            readers[tensor] = readers.get(tensor, 0) | 1 << number
    most = 0
    for number in range(len(before)):
        held = {base[tensor] for tensor, made in maker.items()
                if made != number and before[number] >> made & 1 and readers.get(tensor, 0) & after[number] and base[tensor] in inside}
        most = max(most, sum(size[tensor] for tensor in held))
    return most


def row_of(name, streams, parallelism, plan):
    return {"network": name, "streams": streams, "parallelism": parallelism, "arena_bytes": device(plan)["bytes"],
            "live_bytes": device(plan)["live_bytes"], "makespan": plan["time"], "cost": plan["cost"],
            "waits": sum("wait" in step for step in plan["steps"])}


def rows_of(name, graph, streams, budget, build, folder):
    solve, text, rows = build / "bin" / "memplan-solve", json.loads(graph.read_text()), []
    for count in streams:
        of = []
        for parallelism in PARALLELISM if count > 1 else ("memory",):
            plan = plan_on(solve, graph, count, parallelism, budget, folder)
            of.append(row_of(name, count, parallelism, plan))
            of[-1]["unplanned"] = sum(node["cost"] for node in text["nodes"])
            of[-1]["apart_bytes"] = bytes_apart(solve, text, plan, folder)
            of[-1]["held_bytes"] = held_bytes(text, plan)
        for row in of:
            same = [other["apart_bytes"] for other in of if other["makespan"] <= row["makespan"] * SAME]
            row["ratio"] = row["arena_bytes"] / min(same)
            row["least_ratio"] = row["held_bytes"] / min(same)
        rows += of
    return rows


def print_table(rows):
    print("| network | streams | parallelism | arena MB | apart MB | ratio | least | makespan | of the step | waits |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['network']} | {row['streams']} | {row['parallelism']} | {row['arena_bytes'] / 1e6:.1f} "
              f"| {row['apart_bytes'] / 1e6:.1f} | {row['ratio']:.3f} | {row['least_ratio']:.3f} | {row['makespan']:.0f} "
              f"| {row['makespan'] / row['unplanned']:.3f} | {row['waits']} |")


def draw(rows, folder):
    pyplot = figure()
    if pyplot is None:
        return
    networks = list(dict.fromkeys(row["network"] for row in rows))
    lines = -(-len(networks) // 3)
    picture, axes = pyplot.subplots(lines, min(len(networks), 3), figsize=(13, 3.6 * lines), squeeze=False)
    for axis, network in zip(axes.flat, networks):
        for count in sorted({row["streams"] for row in rows}):
            of = [row for row in rows if row["network"] == network and row["streams"] == count]
            axis.plot([row["arena_bytes"] / 1e6 for row in of], [row["makespan"] / row["unplanned"] for row in of], "o-",
                      label=f"{count} stream{'s' * (count > 1)}")
            axis.plot([row["apart_bytes"] / 1e6 for row in of], [row["makespan"] / row["unplanned"] for row in of], "x", color="black",
                      label="an arena for each" if count == 2 else None)
        axis.set(title=network, xlabel="arena, MB", ylabel="makespan / the step on one stream")
        axis.legend(fontsize="small")
    picture.tight_layout()
    picture.savefig(folder / "streams.png", dpi=80)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=["inception_v3", "two_branch"], help="programs, or graph files")
    parser.add_argument("--budgets", nargs="*", default=["60%"], help="of the unplanned peak, with recomputation")
    parser.add_argument("--streams", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt", "memplan-solve")
    print(head(), flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in arguments.networks:
            graph = graph_of(name, arguments.build, folder)
            label = graph.name.removesuffix(".graph.json")
            forward = forward_of(json.loads(graph.read_text()), folder / "forward.graph.json")
            steps = [(label, graph, None)] + [(f"{label}, {budget}", graph, budget) for budget in arguments.budgets]
            for step in steps + [(f"{label}, forward", forward, None)]:
                rows += rows_of(*step[:2], arguments.streams, step[2], arguments.build, folder)
    print_table(rows)
    if arguments.json:
        arguments.json.write_text(json.dumps({"version": 1, "rows": rows}, indent=1) + "\n")
    if arguments.pictures:
        draw(rows, arguments.pictures)


if __name__ == "__main__":
    main()
