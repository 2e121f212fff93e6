#!/usr/bin/env python3
"""How much of a budget is lost to packing, on training steps that recompute?

Plans each graph at shares of its peak without recomputation, and compares the arena of the plan with the bytes that are live
in it: no offsets for the same steps take fewer. Both are computed here from the plan file, which utils/check_plan.py executes. The same
buffers are also packed alone, by memplan-solve arena, whose user seconds are those of the whole process.

    benchmarks/sharing/recomputed_steps.py [GRAPH.graph.json ...] [--shares 70 60 ...] [--json FILE] [--picture FILE]

A share at which there is no plan (parameters alone may take more) is told as such.
"""
import argparse
import json
import pathlib
import re
import statistics
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from shared import built  # noqa: E402
sys.path.insert(0, str(ROOT / "benchmarks" / "remat"))
from common import Step, check, figure, head, stored, timed, write_json  # noqa: E402


def buffers_of(step, plan):
    """The placements of the device arena as rows of a buffers file: id, first step, end, bytes."""
    workspaces = {node["id"]: [v["workspace_bytes"] for v in node.get("variants", [])] or [node.get("workspace_bytes", 0)]
                  for node in step.graph["nodes"]}
    rows = []
    for number, placement in enumerate(plan["arenas"][0]["placements"]):
        begin, end = placement["step_begin"], placement["step_end"]
        if "workspace" in placement:
            size = workspaces[placement["workspace"]][plan["steps"][begin].get("variant", 0)]
        else:
            size = step.own_bytes[placement.get("tensor", placement.get("discard"))]
        if size:
            rows.append((number, begin, end, size))
    return rows


def live_bytes(rows):
    changes = sorted([(begin, size) for _, begin, _, size in rows] + [(end, -size) for _, _, end, size in rows])
    live = most = 0
    for _, change in changes:
        live += change
        most = max(most, live)
    return most


def pack_alone(tools, rows, folder):
    """Height over live bytes by memplan-solve arena, and its user seconds."""
    path = folder / "buffers.csv"
    lines = ["id,lower,upper,size,alignment"] + [f"{i},{begin},{end},{size},256" for i, begin, end, size in rows]
    path.write_text("\n".join(lines) + "\n")
    done, seconds = timed([tools / "memplan-solve", "arena", path, "-o", folder / "offsets.csv"])
    height = int(re.search(r"height (\d+) bytes", done.stderr).group(1))
    return height / live_bytes(rows), seconds


def measure(tools, step, share, flags, folder):
    path = folder / "case.plan.json"
    done, seconds = timed([tools / "memplan-solve", "remat", step.path, f"--budget={share}%", "-o", path, *flags])
    row = {"graph": step.name, "nodes": step.nodes, "share": share, "planning_user_seconds": round(seconds, 3)}
    plan = json.loads(path.read_text())
    if plan["status"] not in ("optimal", "feasible"):
        return row | {"status": plan["status"]}
    check(step.path, path, step.peak * share // 100 + 1)
    rows = buffers_of(step, plan)
    arena, live = plan["arenas"][0]["bytes"], live_bytes(rows)
    alone, packing = pack_alone(tools, rows, folder)
    return row | {"status": plan["status"], "overhead": plan["cost"] / step.cost - 1, "buffers": len(rows), "arena_bytes": arena,
                  "live_bytes": live, "ratio": arena / live, "packed_alone": alone, "packing_user_seconds": round(packing, 4)}


def show(row):
    head = f"| {row['graph']} | {row['share']} % "
    if "ratio" not in row:
        print(head + f"| {row['status']} | | | | | {row['planning_user_seconds']:.1f} |", flush=True)
        return
    print(head + f"| {100 * row['overhead']:.2f} % | {row['buffers']} | {row['ratio']:.5f} | {row['packed_alone']:.5f} "
          f"| {1000 * row['packing_user_seconds']:.0f} | {row['planning_user_seconds']:.1f} |", flush=True)


def summarize(rows):
    for key, name in (("ratio", "in the plan"), ("packed_alone", "packed alone")):
        ratios = [row[key] for row in rows]
        print(f"arena / live bytes {name}: mean {statistics.mean(ratios):.5f}, worst {max(ratios):.5f}, of {len(ratios)} plans")
    print(f"packing alone: worst {1000 * max(row['packing_user_seconds'] for row in rows):.0f} ms of user time")


def draw(rows, path):
    pyplot = figure()
    if pyplot is None:
        return
    picture, axes = pyplot.subplots(figsize=(7, 3.5))
    for name in dict.fromkeys(row["graph"] for row in rows):
        mine = [row for row in rows if row["graph"] == name]
        axes.plot([row["share"] for row in mine], [row["ratio"] for row in mine], marker="o", label=name)
    axes.set_xlabel("budget, % of the peak without recomputation")
    axes.set_ylabel("arena / live bytes")
    axes.invert_xaxis()
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7)
    picture.savefig(path, bbox_inches="tight", dpi=80)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", type=pathlib.Path, default=stored("torch_*.graph.json"))
    parser.add_argument("--shares", nargs="+", type=int, default=[70, 60, 50, 40, 33])
    parser.add_argument("--flags", default="", help="further flags of memplan-solve remat, in one word")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    arguments = parser.parse_args()
    built(arguments.build, "memplan-solve")
    print(head(), flush=True)
    print("| step | budget | overhead | buffers | arena / live | packed alone | its ms | planning s |\n" + "|---" * 8 + "|")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.graphs:
            step = Step(path)
            for share in arguments.shares:
                rows.append(measure(arguments.build / "bin", step, share, arguments.flags.split(), pathlib.Path(folder)))
                show(rows[-1])
    planned = [row for row in rows if "ratio" in row]
    if planned:
        summarize(planned)
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.picture and planned:
        draw(planned, arguments.picture)


if __name__ == "__main__":
    main()
