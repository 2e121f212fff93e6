#!/usr/bin/env python3
"""Plans the five training steps at budgets and prints memplan beside the checkpointing family.

For each model: the sum of all values, the peak of live bytes, the arena with and without in-place and sharing, and then
for each fraction f the budget persistent + f * (peak - persistent): the device bytes of memplan's plan, its overhead, its
bound, and the overhead of the best heuristic of Checkmate's Table 1 at the same budget. Every plan is checked again by
utils/check_plan.py. Needs a build only:

    benchmarks/budgets/compare.py [--solver greedy] [--fractions 0.7 0.5] [--json FILE] [MODEL ...]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import built, head  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = {"resnet50": 32, "vgg16": 32, "mobilenet_v2": 32, "unet": 1, "gpt2": 4}
CALLERS = ("parameter", "state", "input")
FAMILY = ("ap-greedy", "linearized-greedy", "ap-sqrt", "linearized-sqrt")


def run(command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


class Step:
    """A model's graph file and what follows from it without planning."""

    def __init__(self, tools, folder, model, batch, updates):
        source = folder / f"{model}.mlir"
        passes = [f"--memplan-set-batch=batch={batch}", f"--memplan-autodiff=updates={updates}"]
        done = run([tools / "memplan-opt", ROOT / "examples" / f"{model}.mlir", *passes, "-o", source])
        if done.returncode:
            sys.exit(done.stderr)
        self.path = folder / f"{model}.graph.json"
        done = run([tools / "memplan-opt", source, "--emit=graph", "-o", self.path])
        if done.returncode:
            sys.exit(done.stderr)
        graph = json.loads(self.path.read_text())
        made = {t for n in graph["nodes"] for t in n["outputs"]}
        own = [t for t in graph["tensors"] if t.get("view_of") is None]
        self.persistent = graph["fixed_bytes"] + sum(t["bytes"] for t in own if t["id"] not in made)
        self.total = self.persistent + sum(t["bytes"] for t in own if t["id"] in made)
        self.cost = sum(n["cost"] for n in graph["nodes"])
        self.nodes = len(graph["nodes"])
        self.bytes = {t["id"]: t["bytes"] for t in own}


class Planned:
    """One plan by memplan-solve, checked by the independent checker."""

    def __init__(self, tools, step, folder, *flags):
        path = folder / "case.plan.json"
        path.unlink(missing_ok=True)
        begin = time.perf_counter()
        done = run([tools / "memplan-solve", "remat", step.path, "-o", path, *flags])
        self.seconds = time.perf_counter() - begin
        self.note = done.stderr.strip()
        plan = json.loads(path.read_text()) if path.exists() else {"status": "no_plan"}
        self.status = plan["status"]
        self.least = plan.get("minimum_budget_bytes")
        self.fits = self.status in ("optimal", "feasible")
        if not self.fits:
            return
        checked = run([sys.executable, ROOT / "utils" / "check_plan.py", step.path, path])
        if checked.returncode:
            sys.exit(f"{step.path.name} {flags}: {checked.stdout}{checked.stderr}")
        self.live = plan["peak_bytes"]
        inside = [t for a in plan["arenas"] for t in a.get("owns", [])]
        self.device = step.persistent + sum(a["bytes"] for a in plan["arenas"]) - sum(step.bytes[t] for t in inside)
        self.overhead = plan["cost"] / step.cost - 1
        self.bound = plan["bound"] / step.cost - 1 if "bound" in plan else None
        self.space = f'{plan.get("bound_space", "")}, {plan.get("proof", "")}'
        self.solver = plan["solver"]


def mb(value):
    return f"{value / 1e6:.1f}"


def percent(value):
    return "-" if value is None else f"{100 * value:.2f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", choices=[*MODELS, []], metavar="MODEL")
    parser.add_argument("--solver", default="greedy")
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.7, 0.5])
    parser.add_argument("--updates", choices=["eager", "end"], default="eager")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt", "memplan-solve")
    print(head(), flush=True)
    tools = arguments.build / "bin"
    rows = []
    print("MB = 1e6 bytes; overhead and bound are relative to the cost without recomputation")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in arguments.models or MODELS:
            step = Step(tools, folder, model, MODELS[model], arguments.updates)
            plain = Planned(tools, step, folder, "--solver=checkpoint-all", "--in-place=false")
            inplace = Planned(tools, step, folder, "--solver=checkpoint-all")
            shared = Planned(tools, step, folder, "--solver=checkpoint-all", "--sharing=counter")
            print(f"\n{model} {MODELS[model]}: {step.nodes} nodes, sum {mb(step.total)}, persistent {mb(step.persistent)}, "
                  f"peak live {mb(plain.live)} ({mb(inplace.live)} in place), device bytes with the arena "
                  f"{mb(inplace.device)} ({mb(shared.device)} with whole-storage sharing)")
            row = {"model": model, "batch": MODELS[model], "sum": step.total, "persistent": step.persistent, "peak": plain.live,
                   "peak_in_place": inplace.live, "device": inplace.device, "device_counter": shared.device, "budgets": []}
            print(f"  {'f':>4} {'budget':>8} {'device':>8} {'solver':>10} {'overhead':>9} {'bound':>8} {'(space, proof)':<24}"
                  f"{'s':>6}   best of Table 1")
            for fraction in arguments.fractions:
                budget = int(step.persistent + fraction * (plain.live - step.persistent))
                ours = Planned(tools, step, folder, f"--budget={budget}", f"--solver={arguments.solver}")
                if not ours.fits and ours.least:
                    budget = ours.least
                    ours = Planned(tools, step, folder, f"--budget={budget}", f"--solver={arguments.solver}")
                if not ours.fits:
                    print(f"  {fraction:4} {mb(budget):>8} {ours.status}: {ours.note[:120]}")
                    continue
                peers = {s: Planned(tools, step, folder, f"--budget={budget}", f"--solver={s}") for s in FAMILY}
                fitting = sorted((p.overhead, s) for s, p in peers.items() if p.fits)
                peer = f"{percent(fitting[0][0])} {fitting[0][1]}" if fitting else "none fits"
                print(f"  {fraction:4} {mb(budget):>8} {mb(ours.device):>8} {ours.solver:>10} {percent(ours.overhead):>9} "
                      f"{percent(ours.bound):>8} {'(' + ours.space + ')':<24}{ours.seconds:6.1f}   {peer}", flush=True)
                row["budgets"].append({"fraction": fraction, "budget": budget, "device": ours.device, "overhead": ours.overhead,
                                       "bound": ours.bound, "seconds": ours.seconds, "peer": fitting[:1]})
            rows.append(row)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
