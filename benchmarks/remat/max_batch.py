#!/usr/bin/env python3
"""The largest batch within a budget (figure 6 of Checkmate): its six networks, a bar for each strategy.

    benchmarks/remat/max_batch.py [--networks NAME ...] [--budget 16G] [--slowdown forward] [--solvers NAME ...] [--json FILE] [--picture FILE]
                                 [--merge LOG.json ...] [--write]
    benchmarks/remat/max_batch.py --copies [--networks unet vgg19] [--flags effort=2000] [--json FILE] [--write]

memplan-opt --max-batch infers the step anew for every batch it tries, backward pass and updates included, and plans it: sizes,
costs (roofline) and arenas are those of that batch. By default recomputation may cost one more forward pass. --planner TOOL has
memplan-opt infer the graphs only, and plans each of them with that memplan-solve. --merge makes the table of several logs
instead of running anything; --write puts it in docs/Benchmarks/Batch.md and docs/Benchmarks.md. --copies: with copies to the host at
16 GB/s each way; the batch that is printed is planned once more, and its plan has to take the time that was printed to within 1 %.
"""
import argparse
import json
import pathlib
import re
import sys
import tempfile

from common import ROOT, Table, built, figure, head, put_table, timed, write_json

NETWORKS = {"unet": "examples/unet.mlir", "fcn8": "benchmarks/networks/fcn8.mlir", "segnet": "benchmarks/networks/segnet.mlir",
            "vgg19": "benchmarks/networks/vgg19.mlir", "mobilenet_v1": "benchmarks/networks/mobilenet_v1.mlir",
            "resnet50": "examples/resnet50.mlir"}
TITLES = {"unet": "U-Net", "fcn8": "FCN8", "segnet": "SegNet", "vgg19": "VGG19", "mobilenet_v1": "MobileNet v1", "resnet50": "ResNet-50"}
PAGES = (ROOT / "docs/Benchmarks/Batch.md", ROOT / "docs/Benchmarks.md")
COPIES = {"tflms": ("checkpoint-all", "tflms"), "copies alone": ("checkpoint-all", "search"), "both": ("auto", "search")}
STRATEGIES = ("checkpoint-all", "ap-sqrt", "ap-greedy", "linearized-sqrt", "linearized-greedy", "auto")


def largest(tools, network, solver, budget, slowdown, flags):
    command = [tools / "memplan-opt", "--max-batch", f"--budget={budget}", f"--slowdown={slowdown}", f"--remat={solver}",
               "--emit=plan", *flags, ROOT / NETWORKS[network], "-o", "/dev/null"]
    done, seconds = timed(command)
    row = {"network": network, "solver": solver, "budget": budget, "slowdown": slowdown, "user_seconds": round(seconds, 2)}
    row["tried"] = [{"batch": int(found[1]), "plan": found[2].strip()}
                    for found in re.finditer(r"^memplan-opt: +(\d+) (.*)$", done.stderr, re.MULTILINE)]
    chosen = re.search(r"^memplan-opt: +(\d+) +(\d+) +([-\d.]+) %.*<- chosen$", done.stderr, re.MULTILINE)
    if not chosen:
        return row | {"batch": 0, "note": done.stderr.strip().splitlines()[-1]}
    return row | {"batch": int(chosen[1]), "peak_bytes": int(chosen[2]), "overhead": float(chosen[3]) / 100}


def with_copies(tools, arguments):
    """The table of --copies: the largest batch and what its plan costs, once the same batch planned again costs the same."""
    table, rows = Table(), []
    table.add(f"| network | {' | '.join(f'`--remat={solver} --swap={swap}`' for solver, swap in COPIES.values())} |", "|---" * (1 + len(COPIES)) + "|")
    for network in arguments.networks:
        here = []
        for solver, swap in COPIES.values():
            flags = [f"--swap={swap}", "--bandwidth=16000,16000", *(f"--{flag}" for flag in arguments.flags)]
            row = largest(tools, network, solver, arguments.budget, arguments.slowdown, flags) | {"swap": swap}
            if row["batch"]:
                done, _ = timed([tools / "memplan-opt", f"--batch={row['batch']}", f"--budget={arguments.budget}", f"--remat={solver}",
                                 "--emit=plan", *flags, ROOT / NETWORKS[network], "-o", "/dev/null"])
                time = re.search(r"device (\d+) bytes.*overhead (?:[-\d.]+ % of work and )?([-\d.]+) %", done.stderr)
                row |= {"device_bytes": int(time[1]), "again": float(time[2]) / 100} if time else {"again": None}
                if row["again"] is None or abs((1 + row["again"]) / (1 + row["overhead"]) - 1) > 0.01:
                    sys.exit(f"{network}, {solver}, {swap}: batch {row['batch']} is said to cost {row['overhead']}, and planned again {row['again']}: {done.stderr}")
            here.append(row)
            rows.append(row)
            if arguments.json:
                write_json(arguments.json, rows)
        table.add(f"| {TITLES[network]} | {' | '.join('%d, %.1f %%' % (row['batch'], 100 * row['overhead']) if row['batch'] else '-' for row in here)} |")
    if arguments.write:
        table.write(PAGES[:1], "benchmarks/remat/max_batch.py --copies")


class Graphs:
    """The largest batch by doubling and bisection over graphs, each planned by itself."""

    def __init__(self, tools, solve, network, solver, budget, folder):
        self.opt, self.solve, self.network, self.solver, self.budget = tools / "memplan-opt", solve, network, solver, budget
        self.graph, self.plan = folder / f"{network}.graph.json", folder / "plan.json"
        self.seconds, self.tried = 0, []

    def allowed(self):
        """The cost of the step and of one more forward pass without the loss."""
        graph = json.loads(self.graph.read_text())
        maker = {tensor: i for i, node in enumerate(graph["nodes"]) for tensor in node["outputs"]}
        backward, forward = [], []
        for node in graph["nodes"]:
            backward.append(node.get("backward", False) or any(backward[maker[t]] for t in node["inputs"] if t in maker))
            if not backward[-1] and node["outputs"] and not node.get("writes"):
                forward.append(node["cost"])
        step = sum(node["cost"] for node in graph["nodes"])
        return step, step + sum(forward[:-1])

    def fits(self, batch):
        infer, _ = timed([self.opt, ROOT / NETWORKS[self.network], f"--batch={batch}", "--emit=graph", "-o", self.graph])
        if infer.returncode:
            sys.exit(infer.stderr)
        step, allowed = self.allowed()
        done, seconds = timed([self.solve, "remat", self.graph, f"--budget={self.budget}", f"--remat={self.solver}", "-o", self.plan])
        self.seconds += seconds
        if done.returncode:
            self.note = done.stderr.strip().splitlines()[-1]
            return None
        plan = json.loads(self.plan.read_text())
        row = {"batch": batch, "peak_bytes": plan["peak_bytes"], "overhead": plan["cost"] / step - 1}
        self.tried.append(row)
        return row if plan["cost"] <= allowed * (1 + 1e-9) else None

    def largest(self):
        best, batch = {"batch": 0, "note": ""}, 1
        while found := self.fits(batch):
            best, batch = found, 2 * batch
        low, high = best["batch"], batch
        while high - low > 1:
            middle = (low + high) // 2
            if found := self.fits(middle):
                best, low = found, middle
            else:
                high = middle
        if not best["batch"]:
            best["note"] = getattr(self, "note", "costs more than one more forward pass")
        return best | {"network": self.network, "solver": self.solver, "budget": self.budget, "tried": self.tried,
                       "user_seconds": round(self.seconds, 2)}


def draw(rows, path):
    pyplot = figure()
    if pyplot is None:
        return
    networks = list(dict.fromkeys(row["network"] for row in rows))
    solvers = list(dict.fromkeys(row["solver"] for row in rows))
    picture, axes = pyplot.subplots(figsize=(8, 3.5))
    for number, solver in enumerate(solvers):
        batches = [next(r["batch"] for r in rows if r["network"] == n and r["solver"] == solver) for n in networks]
        base = [next(r["batch"] for r in rows if r["network"] == n and r["solver"] == solvers[0]) for n in networks]
        places = [i + number * 0.8 / len(solvers) for i in range(len(networks))]
        bars = axes.bar(places, [b / max(a, 1) for a, b in zip(base, batches)], 0.8 / len(solvers), label=solver)
        axes.bar_label(bars, batches, fontsize=7)
    axes.set_xticks([i + 0.3 for i in range(len(networks))], networks)
    axes.set_ylabel(f"largest batch, {solvers[0]} = 1")
    axes.legend(fontsize=8)
    picture.tight_layout()
    picture.savefig(path, dpi=110)


def table(rows, log):
    """A line for each network: batches, and that of auto beside the best other."""
    others = [solver for solver in STRATEGIES if solver != "auto"]
    lines = [head(log), "", f"| network | {' | '.join(f'`{solver}`' for solver in STRATEGIES)} | overhead of `auto` | against the best baseline |",
             "|" + "---|" * (len(STRATEGIES) + 3)]
    found = {(row["network"], row["solver"]): row for row in rows}
    for network in NETWORKS:
        if not all((network, solver) in found for solver in STRATEGIES):
            continue
        batches = [str(found[network, solver]["batch"] or "-") for solver in STRATEGIES]
        auto, best = found[network, "auto"], max(found[network, solver]["batch"] for solver in others)
        lines.append(f"| {TITLES[network]} | {' | '.join(batches)} | {100 * auto['overhead']:.1f} % | {auto['batch'] / best:.2f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=NETWORKS)
    parser.add_argument("--solvers", nargs="+", default=STRATEGIES)
    parser.add_argument("--budget", default="16G")
    parser.add_argument("--slowdown", default="forward")
    parser.add_argument("--flags", nargs="*", default=[], help="more flags for memplan-opt, without their dashes")
    parser.add_argument("--planner", type=pathlib.Path, help="plan graphs with this memplan-solve (--slowdown=forward only)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    parser.add_argument("--copies", action="store_true", help="largest batches with copies to the host")
    parser.add_argument("--merge", type=pathlib.Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.merge:
        logs = [json.loads(path.read_text()) for path in arguments.merge]
        return put(table([row for log in logs for row in log["rows"]], logs[-1]), arguments.write)
    built(arguments.build, "memplan-opt")
    if arguments.copies:
        return with_copies(arguments.build / "bin", arguments)
    print(head(), flush=True)
    rows = []
    print(f"budget {arguments.budget}, limit {arguments.slowdown}")
    for network in arguments.networks:
        for solver in arguments.solvers:
            if arguments.planner:
                with tempfile.TemporaryDirectory() as folder:
                    rows.append(Graphs(arguments.build / "bin", arguments.planner, network, solver, arguments.budget,
                                       pathlib.Path(folder)).largest())
            else:
                rows.append(largest(arguments.build / "bin", network, solver, arguments.budget, arguments.slowdown,
                                    [f"--{flag}" for flag in arguments.flags]))
            row = rows[-1]
            said = f'{row["peak_bytes"] / 1e9:8.3f} GB, overhead {100 * row["overhead"]:.2f} %' if row["batch"] else row["note"]
            print(f'{network:<14}{solver:<20}{row["batch"]:>6}  {said}, {row["user_seconds"]:.1f} user s', flush=True)
            if arguments.json:
                write_json(arguments.json, rows)
    if arguments.picture:
        draw(rows, arguments.picture)
    if arguments.write:
        put(table(rows, None), True)


def put(text, writes):
    print(text)
    for page in PAGES if writes else ():
        put_table(page, "benchmarks/remat/max_batch.py", text)


if __name__ == "__main__":
    sys.exit(main())
