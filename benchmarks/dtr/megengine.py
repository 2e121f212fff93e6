#!/usr/bin/env python3
"""MegEngine's experiment on the runtime's own pool: the same sequence in the pool, and with static offsets; and what can be planned for those bytes.

Their step always runs the same ops: ResNet-50, batch 400, took 9595 MB of the pool and 8549 MB (0.891) once it was planned statically. Here
memplan-run runs each step at such a batch on a device without kernels or memory (dry_backend.c), so that evictions, addresses and bytes are those
of a real dynamic run, and only the values are not there. One row says
- evict above: bytes in use from which on tensors are evicted, a share of the unplanned peak; the pool has room for more, as on a large device;
- pool: the high-water mark of that pool (best fit, 512 bytes, holes joined);
- arena: static offsets for the same sequence, and live bytes, below which no offsets go, as shares of it;
- then recomputation, in % of the step's roofline cost: of the run, of the improved run and of the plan within the bytes of that arena;
- by the clock of the runtime: the run, and the same policy in a pool of exactly as many bytes as the threshold, without and with moving tensors together.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from simulation import PAGE, ROOT, Table, built, check, draw_arenas, percent, timed, write_json

# Program and batch: ResNet-50 as theirs, the others of about as many bytes.
NETWORKS = {"resnet50": ("examples/resnet50.mlir", 400), "shufflenet_v2": ("benchmarks/networks/shufflenet_v2.mlir", 1024),
            "unet": ("examples/unet.mlir", 16), "gpt2": ("examples/gpt2.mlir", 12)}
HUGE = 1 << 42


def built_backend(folder):
    library = pathlib.Path(folder) / "dry.so"
    subprocess.run(["cc", "-shared", "-fPIC", f"-I{ROOT / 'include'}", pathlib.Path(__file__).with_name("dry_backend.c"), "-o", library], check=True)
    return library


class Network:
    """A program at a batch, on the dry device, with its graph."""

    def __init__(self, tools, name, backend, folder):
        source, self.batch = NETWORKS.get(name, (name, None))
        self.name, self.tools, self.folder = pathlib.Path(name).stem, tools, pathlib.Path(folder)
        self.program = [ROOT / source, f"--backend={backend}"] + ([f"--batch={self.batch}"] if self.batch else [])
        self.graph, self.trace = self.folder / f"{self.name}.graph.json", self.folder / f"{self.name}.trace.json"
        step = self.folder / f"{self.name}.step.mlir"
        self.call("memplan-run", *self.program, f"--emit-ir={step}")
        self.call("memplan-opt", step, "--emit=graph", "-o", self.graph)
        graph = json.loads(self.graph.read_text())
        self.cost, self.nodes = sum(node["cost"] for node in graph["nodes"]), len(graph["nodes"])

    def call(self, tool, *arguments):
        done, seconds = timed([self.tools / tool, *arguments])
        if done.returncode:
            sys.exit(f"{self.name}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr, seconds

    def run(self, *flags):
        """The figures of a dynamic run; None where it ran out of memory."""
        done, _ = timed([self.tools / "memplan-run", *self.program, "--dynamic=dtr", "--steps=1", *flags])
        if done.returncode:
            if "no room for" not in done.stderr:
                sys.exit(f"{self.name}: {done.stdout}{done.stderr}")
            return None
        found = re.search(r"at most (\d+) in use, high-water mark (\d+), fragmentation ([\d.]+)%\ndynamic: .*\(([\d.e+]+)% more time .* (\d+) evictions"
                          r".* (\d+) compactions", done.stdout)
        live, pool, fragmentation, again, evictions, compactions = found.groups()
        return {"live": int(live), "pool": int(pool), "run": float(again) / 100, "evictions": int(evictions), "compactions": int(compactions)}

    def replay(self, *flags, graph=False):
        stats, plan = self.folder / "stats.json", self.folder / "made.plan.json"
        more = [f"--graph={self.graph}", "-o", plan] if graph else []
        _, seconds = self.call("memplan-solve", "replay", self.trace, f"--stats={stats}", *more, *flags)
        if graph:
            check(self.graph, plan)
        return json.loads(stats.read_text()) | {"user_seconds": round(seconds, 2)}


def row_of(network, share, arguments):
    policy = [f"--heuristic={arguments.heuristic}"]
    limit = [f"--evict-above={100 * share:g}%"] if share < 1 else []
    ran = network.run(*policy, f"--budget={HUGE}", f"--trace={network.trace}", *limit)
    row = {"network": network.name, "batch": network.batch, "nodes": network.nodes, "share": share, "heuristic": arguments.heuristic, **ran}
    figures = network.replay("--arena=search", f"--effort={arguments.effort}")
    row |= {name: figures[name] for name in ("arena_bytes", "live_bytes", "user_seconds")}
    if figures["traced_pool_bytes"] != figures["pool_bytes"]:
        sys.exit(f"{network.name}: the pool of the run and that of the replay are not the same")
    planned = network.replay(f"--remat={arguments.remat}", graph=True)
    row |= {name: planned[name]["cost"] / network.cost - 1 for name in ("packed", "improved", "planned")}
    row |= {f"{name}_bytes": planned[name]["device_bytes"] for name in ("packed", "improved", "planned")}
    for way in ("last", "cheaper"):
        exact = network.run(*policy, f"--budget={100 * share:g}%", f"--defragment={way}")
        row[f"exact_{way}"] = exact and exact["run"]
    return row


def add_rows(table, rows):
    table.add("| network, batch | evict above | pool MB | arena MB | arena / pool | live / pool | run % | improved % | planned % | "
              "run by the clock % | in a pool of so many bytes % | with compaction % |", "|---" * 12 + "|")
    for row in rows:
        pool = row["pool"]
        table.add(f"| {row['network']}{', ' + str(row['batch']) if row['batch'] else ''} | {100 * row['share']:g} % | {pool / 1e6:.0f} | {row['arena_bytes'] / 1e6:.0f} | "
                  f"{row['arena_bytes'] / pool:.3f} | {row['live_bytes'] / pool:.3f} | {percent(row['packed'])} | {percent(row['improved'])} | "
                  f"{percent(row['planned'])} | {percent(row['run'])} | {percent(row['exact_last'])} | {percent(row['exact_cheaper'])} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="folder of a build with memplan-run, memplan-opt and memplan-solve")
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), help=f"{', '.join(NETWORKS)}, or a program at its own batch")
    parser.add_argument("--shares", nargs="+", type=float, default=(1, 0.7, 0.5, 0.3))
    parser.add_argument("--heuristic", default="h_dtr")
    parser.add_argument("--remat", default="auto", help="of the plan")
    parser.add_argument("--effort", type=int, default=20000, help="of the static offsets")
    parser.add_argument("--json", type=pathlib.Path, help="write every row as JSON")
    parser.add_argument("--rows", type=pathlib.Path, help="print and draw the rows of such a log instead of running")
    parser.add_argument("--picture", type=pathlib.Path, help="write bars, as .png or .svg")
    parser.add_argument("--write", action="store_true", help="put the table into docs/Benchmarks/Dtr.md")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt", "memplan-run", "memplan-solve")
    table = Table()
    rows = json.loads(arguments.rows.read_text())["rows"] if arguments.rows else []
    with tempfile.TemporaryDirectory() as folder:
        backend = None if rows else built_backend(folder)
        for name in arguments.networks if backend else ():
            network = Network(arguments.build / "bin", name, backend, folder)
            for share in arguments.shares:
                rows.append(row_of(network, share, arguments))
                print(f"{name} {share}: arena / pool {rows[-1]['arena_bytes'] / rows[-1]['pool']:.3f}", file=sys.stderr)
                if rows[-1]["arena_bytes"] > rows[-1]["pool"]:
                    sys.exit("static offsets took more than the pool")
                if arguments.json:
                    write_json(arguments.json, rows)
    add_rows(table, rows)
    if arguments.write:
        table.write(PAGE, "benchmarks/dtr/megengine.py")
    if arguments.picture:
        draw_arenas(rows, "network", "pool", arguments.picture, with_live=True)


if __name__ == "__main__":
    main()
