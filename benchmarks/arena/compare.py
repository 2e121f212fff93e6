#!/usr/bin/env python3
"""How high do packings get above the bound, and in how many user seconds? Solvers of memplan side by side, and any peer.

    benchmarks/arena/compare.py [--suites minimalloc copies real steps training recomputed cuts pinwheel] [--sizes 1000 10000]
        [--seeds 3] [--first-seed 1] [--enough 2] [--solvers auto search best-fit greedy-by-size greedy-by-breadth xla hill-climb] [--rounds 1]
        [--peer 'minimalloc=PATH/minimalloc --capacity={capacity} --input={input} --output={output}']
        [--alignment 1] [--options=--effort=1000] [--json FILE] [--picture FILE]

Suites: the eleven of MiniMalloc, each with a capacity of 1048576; copies of these, perturbed by fresh seeds so that they still fit
(perturb_buffers.py), with a count of those that were packed within --enough user seconds; five real sets; steps of training graphs, planned by memplan-solve remat at 70, 50
and 33 % of the peak and packed anew; generated ones (generate_buffers.py) of each size and seed. A run is a whole process, from reading
the table to writing the offsets; its seconds are user seconds, the median of the rounds. Every result is checked by memplan-solve
check-offsets and by utils/check_offsets.py. Where a solver ends without offsets the height is missing.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "utils"), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "arena")]
import check_offsets  # noqa: E402
import generate_buffers  # noqa: E402
import perturb_buffers  # noqa: E402
from shared import built, head, stored  # noqa: E402

DATA = ROOT / "benchmarks" / "data"
SOLVERS = ["auto", "search", "best-fit", "greedy-by-size", "greedy-by-breadth", "xla", "hill-climb"]
GENERATED = list(generate_buffers.KINDS)
SUITES = ["minimalloc", "copies", "real", "steps", *GENERATED]
CAPACITY = 1048576

Instance = collections.namedtuple("Instance", "suite name path capacity alignment")


def read_table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def bound_of(rows):
    """The most bytes that are live at one step."""
    changes = sorted(change for row in rows for size in [int(row["size"])]
                     for change in ((int(row["lower"]), size), (int(row["upper"]), -size)))
    live = most = 0
    for _, change in changes:
        live += change
        most = max(most, live)
    return most


def height_of(rows):
    return max((int(row["offset"]) + int(row["size"]) for row in rows), default=0)


def run(command):
    """User seconds, exit status and the most memory in KiB of a whole process."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime, process.returncode, usage.ru_maxrss


class Comparison:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.tool = arguments.build / "bin" / "memplan-solve"
        self.peers = dict(peer.split("=", 1) for peer in arguments.peer)
        self.records = []

    # --- Instances ---

    def instances(self):
        for suite in self.arguments.suites:
            if suite == "minimalloc":
                for path in sorted((DATA / "buffers" / "minimalloc").glob("*.csv")):
                    yield Instance(suite, path.name.split(".")[0], path, CAPACITY, self.arguments.alignment)
            elif suite == "copies":
                yield from self.copies()
            elif suite == "real":
                for path in stored("*.csv", "buffers/other"):
                    yield Instance(suite, path.stem, path, None, self.arguments.alignment)
            elif suite == "steps":
                yield from self.steps()
            else:
                for size in self.arguments.sizes:
                    for seed in range(self.arguments.first_seed, self.arguments.first_seed + self.arguments.seeds):
                        path = self.folder / f"{suite}.{size}.{seed}.csv"
                        generate_buffers.generate(suite, size, seed, path)
                        yield Instance(suite, f"{size}/{seed}", path, None, self.arguments.alignment)
                        path.unlink()

    def copies(self):
        for kind, options in perturb_buffers.KINDS.items():
            for seed in range(self.arguments.first_seed, self.arguments.first_seed + self.arguments.seeds):
                for packed in sorted((DATA / "buffers" / "packed").glob("*.csv")):
                    path = self.folder / "copy.csv"
                    with open(path, "w") as file:
                        perturb_buffers.write(perturb_buffers.perturb(packed, seed, **options), file)
                    yield Instance("copies", f"{kind}/{packed.stem}/{seed}", path, CAPACITY, self.arguments.alignment)

    def steps(self):
        for graph in self.arguments.graphs:
            for percent in self.arguments.percents:
                plan = self.folder / "step.plan.json"
                done = subprocess.run([self.tool, "remat", graph, f"--budget={percent}%", "--effort=20000", "-o", plan],
                                      capture_output=True, text=True)
                if done.returncode:
                    print(f"{graph.name} at {percent} %: no plan", file=sys.stderr)
                    continue
                path = self.folder / "step.csv"
                alignment = write_buffers(json.loads(graph.read_text()), json.loads(plan.read_text()), path)
                yield Instance("steps", f"{graph.name.split('.')[0]}/{percent}", path, None, alignment)

    # --- Runs ---

    def command(self, solver, instance, output):
        if solver in self.peers:
            words = {"capacity": instance.capacity or bound_of(read_table(instance.path)), "input": instance.path, "output": output}
            return [word.format(**words) for word in shlex.split(self.peers[solver])]
        return [self.tool, "arena", instance.path, f"--solver={solver}", "-o", output, f"--alignment={instance.alignment}",
                *([f"--capacity={instance.capacity}"] if instance.capacity else []), *self.arguments.options]

    def check(self, instance, output):
        done = subprocess.run([self.tool, "check-offsets", output, f"--input={instance.path}", f"--alignment={instance.alignment}"],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{instance.path}: {done.stdout}{done.stderr}")
        check_offsets.check(output, instance.path, instance.alignment)
        if self.arguments.checker:
            words = {"input": instance.path, "output": output, "alignment": instance.alignment}
            subprocess.run([word.format(**words) for word in shlex.split(self.arguments.checker)], check=True, stdout=subprocess.DEVNULL)

    def measure(self, instance):
        rows = read_table(instance.path)
        record = {"suite": instance.suite, "instance": instance.name, "buffers": len(rows), "bound": bound_of(rows), "solvers": {}}
        for solver in [*self.arguments.solvers, *self.peers]:
            if solver not in self.peers and len(rows) > self.arguments.most.get(solver, 1 << 60):
                continue
            output = self.folder / "out.csv"
            seconds, memory, height = [], 0, None
            for _ in range(self.arguments.rounds):
                output.unlink(missing_ok=True)
                user, status, kib = run(self.command(solver, instance, output))
                seconds.append(user)
                memory = max(memory, kib)
            if status == 0 and output.exists():
                self.check(instance, output)
                height = height_of(read_table(output))
            record["solvers"][solver] = {"height": height, "seconds": statistics.median(seconds), "mebibytes": memory / 1024}
        self.records.append(record)
        return record


def write_buffers(graph, plan, path):
    """The device arena of a plan as a table of buffers; returns its alignment."""
    sizes = {tensor["id"]: tensor["bytes"] for tensor in graph["tensors"]}
    nodes = {node["id"]: node for node in graph["nodes"]}
    arena = next(arena for arena in plan["arenas"] if arena["space"] == "device")
    with open(path, "w") as file:
        file.write("id,lower,upper,size\n")
        for i, place in enumerate(arena["placements"]):
            if "workspace" in place:
                step = plan["steps"][place["step_begin"]]
                node = nodes[place["workspace"]]
                chosen = node["variants"][step["variant"]] if "variant" in step else node
                size = chosen.get("workspace_bytes", 0)
            else:
                size = sizes[place["tensor"]]
            file.write(f"{i},{place['step_begin']},{place['step_end']},{size}\n")
    return arena["alignment"]


def show(record, solvers):
    cells = []
    for solver in solvers:
        result = record["solvers"].get(solver)
        if not result:
            cells.append(f"{'-':>18}")
            continue
        ratio = f"{result['height'] / max(record['bound'], 1):.6f}" if result["height"] is not None else "none"
        cells.append(f"{ratio:>9} {result['seconds']:8.3f}")
    print(f"{record['suite']:<11}{record['instance']:<26}{record['buffers']:>8} " + " ".join(cells), flush=True)


def count_copies(records, solvers, enough):
    """How many copies of each kind were packed in time, and in how many seconds together."""
    kinds = collections.defaultdict(list)
    for record in records:
        if record["suite"] == "copies":
            kinds[record["instance"].split("/")[0]].append(record["solvers"])
    for kind, results in kinds.items():
        cells = []
        for solver in solvers:
            seconds = [r[solver]["seconds"] for r in results if r[solver]["height"] is not None and r[solver]["seconds"] <= enough]
            cells.append(f"{solver} {len(seconds)} of {len(results)} in {sum(seconds):.2f} s, most {max(seconds, default=0):.2f} s")
        print(f"copies, {kind}: " + "; ".join(cells))


def draw(records, solvers, path):
    try:
        import matplotlib
    except ImportError:
        print("no PNG: matplotlib is not installed", file=sys.stderr)
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    figure, axes = plot.subplots(1, 2, figsize=(12, 5))
    for solver in solvers:
        points = [(r["buffers"], r["solvers"][solver], r["bound"]) for r in records if solver in r["solvers"]]
        packed = [(n, 100 * (s["height"] / max(bound, 1) - 1)) for n, s, bound in points if s["height"] is not None]
        axes[0].plot(*zip(*packed) if packed else ([], []), ".", label=solver, alpha=0.7)
        axes[1].plot([n for n, _, _ in points], [max(s["seconds"], 1e-3) for _, s, _ in points], ".", label=solver, alpha=0.7)
    axes[0].set(xscale="log", yscale="symlog", xlabel="buffers", ylabel="above the bound, %", title="Height")
    axes[0].set_yscale("symlog", linthresh=0.01)
    axes[1].set(xscale="log", yscale="log", xlabel="buffers", ylabel="user seconds of the process", title="Time")
    axes[1].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", nargs="+", choices=SUITES, default=SUITES)
    parser.add_argument("--solvers", nargs="*", default=SOLVERS)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 10000])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--enough", type=float, default=2, help="user seconds in which a copy counts as packed")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--alignment", type=int, default=1)
    parser.add_argument("--options", nargs="*", default=[], help="further options of memplan-solve arena")
    parser.add_argument("--graphs", nargs="+", type=pathlib.Path,
                        default=[path for path in stored("torch_*.graph.json") if "lstm" not in path.name],
                        help="of the suite steps; the LSTM, which takes minutes to plan, is not among the default")
    parser.add_argument("--percents", nargs="+", type=int, default=[70, 50, 33])
    parser.add_argument("--checker", help="a command with {output}, {input} and {alignment} that fails where offsets are wrong")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    arguments = parser.parse_args()
    built(arguments.build, "memplan-solve")
    print(head(), flush=True)
    # What takes minutes beyond is left out.
    arguments.most = {"hill-climb": 20_000, "best-fit": 200_000, "greedy-by-size": 200_000, "greedy-by-breadth": 200_000, "xla": 200_000}
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(arguments, pathlib.Path(folder))
        solvers = [*arguments.solvers, *comparison.peers]
        print(f"{'':<45} " + " ".join(f"{name:>18}" for name in solvers))
        for instance in comparison.instances():
            show(comparison.measure(instance), solvers)
        count_copies(comparison.records, solvers, arguments.enough)
        if arguments.json:
            arguments.json.write_text(json.dumps({"version": 1, "records": comparison.records}, indent=1) + "\n")
        if arguments.picture:
            draw(comparison.records, solvers, arguments.picture)


if __name__ == "__main__":
    main()
