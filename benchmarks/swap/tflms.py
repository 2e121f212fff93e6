#!/usr/bin/env python3
"""What the parameters of TFLMS do (figures 6 to 9 of its paper), by simulation: throughput and the largest batch.

    benchmarks/swap/tflms.py [--networks resnet50 unet3d] [--budget 16G] [--bandwidth 40] [--edge 96] [--settings NAME ...] [--build FOLDER] [--json FILE] [--picture FILE]

ResNet-50 is inferred anew for every batch by memplan-opt, the 3-D U-Net written by benchmarks/generate/unet3d.py. Kernels cost the roofline
of a P100, copies the bandwidth in GB/s each way (half of the paper's 80 GB/s duplex link). A setting keeps every node once and its threshold
at 1, so that the budget decides which batch fits, as in the paper, and not what is swapped. *tuned* is threshold=auto and lb=auto, which swap as much as the budget asks for;
n_tensors=auto beside them takes the fewest tensors that do.
Every largest plan is replayed by utils/check_plan.py.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, call, figure, head  # noqa: E402

sys.path.insert(0, str(ROOT / "benchmarks" / "generate"))
import unet3d  # noqa: E402
from graph_file import write_graph  # noqa: E402

P100 = {"version": 1, "device": "P100", "flops_per_second": 9.3e12, "bytes_per_second": 7.2e11, "launch_micros": 0}
# All tensors unless a share is given.
SETTINGS = [("no swapping", None, 1), ("lb=1", "threshold=1,lb=1", 1), ("lb=5", "threshold=1,lb=5", 1), ("lb=10", "threshold=1,lb=10", 1),
            ("lb=20", "threshold=1,lb=20", 1), ("lb=1, 3/4 of the tensors", "threshold=1,lb=1", .75),
            ("lb=1, half", "threshold=1,lb=1", .5), ("lb=5, half", "threshold=1,lb=5", .5),
            ("lb=5, fused", "threshold=1,lb=5,fuse_swapins=true,closeness=10", 1),
            ("lb=5, direct_order", "threshold=1,lb=5,ctrld_strategy=direct_order", 1),
            ("lb=1, branches", "threshold=1,lb=1,swap_branches=true,branch_threshold=10", 1),
            ("lb=5, branches", "threshold=1,lb=5,swap_branches=true,branch_threshold=10", 1),
            ("tuned", "lb=auto", 1), ("tuned, n_tensors too", "lb=auto,n_tensors=auto", 1)]


class Network:
    """Graph files by batch."""

    def __init__(self, name, arguments, folder):
        self.name, self.arguments, self.folder = name, arguments, folder
        self.graphs = {}

    def graph(self, batch):
        if batch not in self.graphs:
            path = self.folder / f"{self.name}_{batch}.graph.json"
            if self.name == "unet3d":
                with open(path, "w") as stream:
                    write_graph(unet3d.make(types.SimpleNamespace(edge=self.arguments.edge, batch=batch, depth=4, channels=32, flops=9.3,
                                                                  bandwidth=720)), stream)
            else:
                device = self.folder / "p100.json"
                device.write_text(json.dumps(P100))
                call(self.arguments.build / "bin/memplan-opt", ROOT / f"examples/{self.name}.mlir", f"--batch={batch}", "--emit=graph",
                     f"--cost-model=roofline:{device}", "-o", path)
            self.graphs[batch] = path
        return self.graphs[batch]

    def plan(self, batch, parameters, tensors=None):
        """What the plan takes, or None where nothing fits."""
        path = self.folder / "plan.json"
        rate = self.arguments.bandwidth * 1000
        command = [self.arguments.build / "bin/memplan-solve", "remat", self.graph(batch), "--remat=checkpoint-all", f"--bandwidth={rate},{rate}",
                   f"--budget={self.arguments.budget}", "-o", path]
        if parameters is not None:
            command += ["--swap=tflms", "--tflms=" + parameters + (f",n_tensors={tensors}" if tensors is not None else "")]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        plan = json.loads(path.read_text()) if path.exists() else {}
        path.unlink(missing_ok=True)
        if not plan.get("steps"):
            if plan.get("status") not in ("infeasible", "no_plan"):
                sys.exit(done.stderr)
            return None
        said = re.search(r"(\d+) tensors, (\d+) swap-ins", done.stderr)
        sizes = {tensor["id"]: tensor.get("bytes", 0) for tensor in json.loads(self.graph(batch).read_text())["tensors"]}
        fetched = sum(sizes[step["fetch"]] for step in plan["steps"] if "fetch" in step)
        return {"batch": batch, "samples_per_second": round(1e6 * batch / plan["time"], 3), "overhead": round(plan["time"] / plan["cost"] - 1, 4),
                "tensors": int(said[1]) if said else 0, "swap_ins": int(said[2]) if said else 0, "fetched_bytes": fetched, "plan": plan}

    def check(self, point):
        plan = self.folder / "checked.json"
        plan.write_text(json.dumps(point["plan"]))
        rate = self.arguments.bandwidth * 1000
        call(sys.executable, ROOT / "utils/check_plan.py", self.graph(point["batch"]), plan, "--bandwidth", f"{rate},{rate}")


def largest(network, parameters, tensors):
    """All batches that were tried and fit, ascending."""
    points, fits, fails, batch = {}, 0, None, 1
    while fails is None or fails - fits > max(1, fits // 16):
        point = network.plan(batch, parameters, tensors)
        if point:
            points[batch], fits = point, batch
        else:
            fails = batch
        batch = 2 * batch if fails is None else (fits + fails) // 2
        if batch in points or batch == 0 or batch > 1 << 20:
            break
    if points:
        network.check(points[max(points)])
    return [points[batch] for batch in sorted(points)]


def measure(network, settings):
    rows, base = [], None
    print(f"{network.name:<10}{'setting':<26}{'tensors':>8}{'swap-ins':>9}{'largest':>8}{'samples/s':>11}{'overhead':>9}{'at common':>11}")
    for label, parameters, share in SETTINGS:
        if label not in settings or "branches" in label and network.name != "unet3d":
            continue
        tensors = None
        if share < 1:
            every = max(point["tensors"] for row in rows for point in row["points"])
            tensors = int(share * every)
        row = {"network": network.name, "setting": label, "parameters": parameters, "n_tensors": tensors,
               "points": largest(network, parameters, tensors)}
        if not row["points"]:
            print(f"{network.name:<10}{label:<26} does not fit one sample")
            continue
        # The throughput where nothing needs to swap says what a setting costs by itself.
        if base is None:
            base = row["points"][-1]["batch"]
        common = network.plan(base, parameters, tensors)
        row["at_common_batch"] = {key: value for key, value in common.items() if key != "plan"} if common else None
        for point in row["points"]:
            del point["plan"]
        last = row["points"][-1]
        at = f"{row['at_common_batch']['samples_per_second']:>11.2f}" if common else f"{'-':>11}"
        print(f"{network.name:<10}{label:<26}{last['tensors']:>8}{last['swap_ins']:>9}{last['batch']:>8}{last['samples_per_second']:>11.2f}"
              f"{100 * last['overhead']:>8.1f}%{at}", flush=True)
        rows.append(row)
    return rows


def draw(rows, path):
    pyplot = figure()
    if pyplot is None:
        return
    names = list(dict.fromkeys(row["network"] for row in rows))
    labels = [label for label, _, _ in SETTINGS]
    picture, panels = pyplot.subplots(1, len(names), figsize=(6.5 * len(names), 4), squeeze=False)
    for axes, name in zip(panels[0], names):
        for row in rows:
            if row["network"] == name:
                axes.plot([p["batch"] for p in row["points"]], [p["samples_per_second"] for p in row["points"]], marker=".", label=row["setting"],
                          color=pyplot.cm.tab20(labels.index(row["setting"])))
        axes.set_title(name)
        axes.set_xscale("log", base=2)
        axes.set_xlabel("batch")
        axes.set_ylabel("samples a second")
        axes.set_ylim(bottom=0)
    panels[0][-1].legend(fontsize=6)
    picture.tight_layout()
    picture.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=["resnet50", "unet3d"], choices=["resnet50", "unet3d"])
    parser.add_argument("--budget", default="16G")
    parser.add_argument("--bandwidth", type=float, default=40)
    parser.add_argument("--edge", type=int, default=96, help="voxels a side of the 3-D U-Net")
    parser.add_argument("--settings", nargs="+", default=[label for label, _, _ in SETTINGS], help="rows of the table")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt", "memplan-solve")
    print(head(), flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.networks:
            rows += measure(Network(name, arguments, pathlib.Path(folder)), arguments.settings)
            if arguments.json:
                arguments.json.write_text(json.dumps({"budget": arguments.budget, "bandwidth_gb_s": arguments.bandwidth, "edge": arguments.edge,
                                                      "rows": rows}, indent=1) + "\n")
    if arguments.picture:
        draw(rows, arguments.picture)


if __name__ == "__main__":
    main()
