#!/usr/bin/env python3
"""What recomputation reaches: one row per requirement, measured beside what is asked.

    benchmarks/remat/reach.py [--sections NAME ...] [--quick] [--json FILE] [--markdown FILE]

Sections: first, overhead, bounds, proofs, gap, tight, layered, scale, flops, roofline, chen. Budgets are a fraction f of the way from the bytes
that are always there to the peak without recomputation, kept by the packed arena (alignment 1), or, where a number of MB (10^6 bytes) is given,
bytes of the device (alignment 256). For steps of micro-batches the gradients that they add up count among what is always there. Seconds are user seconds of the whole process, reading and the built-in check included, one thread, one run.
`direct` is the search for one budget (--time-limit, far above what it takes, in source order) with a given number of moves (--effort);
`auto` is what memplan does by default. Every plan passes utils/check_plan.py. --quick runs one small case of each section, for tests.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from common import ROOT, Step, graph_named, graph_path, head, plan, plan_of, stored, write_json
from scale import STEPS, generate

DIRECT = ("--order=source", "--time-limit=3600", "--alignment=1")
SMALL = ("rl25_s1", "chain16", "resnet50_block", "vgg16", "rl50_s1", "gpt2_1l", "fcn8", "chain32", "unet", "rl100_s2")
NETWORKS = ("torch_resnet50_b32", "torch_gpt2_math_b4", "torch_mobilenet_v2_b32")
CHEN = ("chen-sqrt", "chen-greedy", "ap-sqrt", "ap-greedy", "linearized-sqrt", "linearized-greedy")


def percent(value):
    return "no plan" if value is None else f"{100 * (value if abs(value) > 1e-9 else 0):.3g} %"


class Reach:
    def __init__(self, arguments, folder):
        self.bin, self.folder, self.quick, self.json = arguments.build / "bin", folder, arguments.quick, arguments.json
        self.rows, self.log, self.steps = [], [], {}

    def step(self, name):
        """A graph of the data folder, or layeredN_sS, or a transformer step LAYERSxMICRO."""
        if name not in self.steps:
            if graph_path(name).exists():
                self.steps[name] = graph_named(name)
            elif name.startswith("layered"):
                nodes, seed = name[len("layered"):].split("_s")
                path = self.folder / f"{name}.graph.json"
                subprocess.run([sys.executable, ROOT / "benchmarks/generate/layered.py", nodes, "--seed", seed, "-o", path], check=True)
                self.steps[name] = Step(path)
            else:
                self.steps[name] = generate(self.folder, name)
        return self.steps[name]

    def plan(self, name, budget, *flags, solver="search", limit=None):
        step = self.step(name)
        of = step.budget_beside_outputs if name in STEPS else step.budget
        bytes_ = of(budget) if isinstance(budget, float) else budget
        row = plan(self.bin, step, solver, bytes_, *flags, limit=limit) | {"f": budget, "flags": list(flags)}
        self.log.append(row)
        return row

    def direct(self, name, budget, effort=None, **more):
        return self.plan(name, budget, *DIRECT, *([f"--effort={effort}"] if effort else []), **more)

    def report(self, section, what, measured, asked, reached):
        row = {"section": section, "what": what, "measured": measured, "asked": asked, "reached": reached}
        self.rows.append(row)
        word = {True: "reached", False: "missed", None: ""}[reached]
        print(f"{section:<9} {what:<44} {measured:<52} {asked:<24} {word}", flush=True)
        if self.json:
            write_json(self.json, [row | {"kind": "reach"} for row in self.rows] + [row | {"kind": "plan"} for row in self.log])

    # First plans: what reading, checking and writing without a budget take is taken off.
    def first(self):
        cases = ([("torch_mobilenet_v2_b32", .01), ("torch_resnet50_b32", .01), ("24x3", .1), ("48x4", .3), ("80x32", 4.)]
                 if not self.quick else [("chain16", .01)])
        for name, asked in cases:
            step = self.step(name)
            for fraction in (.7, .5):
                rest = min(self.plan(name, step.peak * 2, *DIRECT)["user_seconds"] for _ in range(3 if step.nodes < 10_000 else 1))
                row = min((self.direct(name, fraction, 1) for _ in range(3 if step.nodes < 10_000 else 1)), key=lambda row: row["user_seconds"])
                seconds = max(0., row["user_seconds"] - rest)
                found = row.get("overhead")
                self.report("first", f"{name} ({step.nodes} nodes) {fraction}", f"{percent(found)} in {seconds:.3f} s", f"{asked} s",
                            found is not None and seconds <= asked)

    def overhead(self):
        asked = {"torch_resnet50_b32": (3.34, 7.02, 13.6), "torch_gpt2_math_b4": (2.44, 6.93, 16.8), "torch_mobilenet_v2_b32": (3.56, 8.1, 12.9)}
        for name in NETWORKS if not self.quick else ():
            for fraction, most in zip((.7, .5, .3), asked[name]):
                # In source order, and in the order of `auto`, in which a move takes less.
                rows = [self.direct(name, fraction, 250_000), self.plan(name, fraction, *DIRECT[1:], "--effort=350000")]
                said = ", ".join(f'{percent(row.get("overhead"))} in {row["user_seconds"]:.2f} s' for row in rows)
                self.report("overhead", f"{name} {fraction}", said + " by default order", f"{most} % after 1 s",
                            min(row.get("overhead", 9) for row in rows) <= most / 100 + 5e-5)

    def bounds(self):
        asked = {"torch_resnet50_b32": (.99, .98, .95), "torch_gpt2_math_b4": (.85, .95, .92), "torch_mobilenet_v2_b32": (.98, .90, .92)}
        for name in NETWORKS if not self.quick else ():
            for fraction, least in zip((.7, .5, .3), asked[name]):
                row = self.direct(name, fraction, 1_000_000)
                share = max(0, row.get("bound", 0)) / row["overhead"] if row.get("overhead") else None
                self.report("bounds", f"{name} {fraction}", f'{share or 0:.3f} of {percent(row.get("overhead"))} in {row["user_seconds"]:.2f} s',
                            f"{least} in 5 s", (share or 0) >= least)

    def proofs(self):
        for way, solve in (("direct", self.direct), ("auto", lambda *a: self.plan(*a, "--order=source", "--alignment=1", solver="auto"))):
            seconds, counts, left = [], {}, []
            for name in SMALL if not self.quick else ("chain16",):
                for fraction in (.9, .8, .7, .6, .5, .4, .3) if not self.quick else (.4,):
                    row = solve(name, fraction)
                    closed = row["status"] in ("optimal", "infeasible")
                    counts[row["status"]] = counts.get(row["status"], 0) + 1
                    seconds.append(max(row["user_seconds"], 1e-3))
                    if not closed or seconds[-1] > 10:
                        left.append(f'{name} {fraction} {row["status"]} {seconds[-1]:.1f} s')
            mean = math.exp(sum(map(math.log, seconds)) / len(seconds))
            open_ = sum(n for status, n in counts.items() if status not in ("optimal", "infeasible"))
            self.report("proofs", f"{len(seconds)} pairs, n <= 100, {way}", ", ".join(f"{n} {status}" for status, n in counts.items()), "all closed", open_ == 0)
            self.report("proofs", f"geometric mean and worst, {way}", f"{mean:.2f} s, {max(seconds):.1f} s", "1 s, 10 s", mean <= 1 and max(seconds) <= 10)
            if left:
                print("          left: " + "; ".join(left), flush=True)

    def gap(self):
        cases = [(name, fraction, 4_000_000) for name in ("gpt2_4l", "mobilenet", "torch_vgg16_b32", "torch_unet_b1") for fraction in (.7, .5, .3)]
        cases += [("layered250_s7", .9, 4_000_000), ("layered500_s7", .9, 4_000_000)]
        for name, fraction, effort in cases if not self.quick else ():
            row = self.direct(name, fraction, effort)
            if row["status"] == "infeasible":
                self.report("gap", f"{name} {fraction}", f'infeasible in {row["user_seconds"]:.1f} s', "60 s", row["user_seconds"] <= 60)
                continue
            over, bound = row.get("overhead"), row.get("bound", 0)
            of_cost = (over - bound) / (1 + over) if over is not None else None
            is_network = not name.startswith("layered")
            share = (over - bound) / over if over else 0
            self.report("gap", f"{name} {fraction}", f'{percent(over)}: {percent(of_cost)} of cost, {percent(share)} of overhead, {row["user_seconds"]:.1f} s',
                        "1 % of cost" + (", 5 % of overhead" if is_network else ""), of_cost is not None and of_cost <= .01 and (not is_network or share <= .05))

    def tight(self):
        mb = 1_000_000
        cases = [("torch_vgg16_b32", 1850 * mb, ()), ("torch_unet_b1", "40%", ()), ("torch_lstm_b20", .5, ()), ("torch_lstm_b20", .3, ()),
                 ("rl50_s1", .7, ("--alignment=1",)), ("rl100_s2", .7, ("--alignment=1",)), ("rl100_s2", .8, ("--alignment=1",)), ("unet", .4, ("--alignment=1",))]
        for name, budget, flags in cases if not self.quick else [("rl25_s1", .5, ("--alignment=1",))]:
            step = self.step(name)
            if budget == "40%":
                budget = int(.4 * step.peak)
            row = self.plan(name, budget, *flags, solver="auto", limit=60)
            found = f'+{percent(row["overhead"])}' if "overhead" in row else row["status"]
            self.report("tight", f"{name} {budget}", f'{found} in {row["user_seconds"]:.1f} s', "plan or proof, 10 s",
                        ("overhead" in row or row["status"] == "infeasible") and row["user_seconds"] <= 10)

    def layered(self):
        # Sizes are irregular: the first plan is that of a search long enough to pack one.
        cases = [("rl100_s2", .9), ("rl100_s2", .8)] + [(f"layered{n}_s{seed}", .9) for n in (250, 500, 1000) for seed in (11, 12, 13)]
        for name, fraction in cases if not self.quick else [("layered30_s3", .9)]:
            row = self.direct(name, fraction, 10_000)
            best, free = self.direct(name, fraction, 100_000), self.plan(name, fraction, "--order=search", *DIRECT[1:], "--effort=100000")
            self.report("layered", f"{name} {fraction}", f'{percent(row.get("overhead"))} in {row["user_seconds"]:.2f} s; {percent(best.get("overhead"))} in '
                        f'{best["user_seconds"]:.1f}; free order {percent(free.get("overhead"))}', "first plan 0.5 s",
                        "overhead" in row and row["user_seconds"] <= .5)

    def scale(self):
        # Few moves: a copy of what one micro-batch takes is hard to better.
        cases = [("48x4", .7, 30_000, 3, .97), ("48x4", .6, 30_000, 3, .92), ("48x4", .5, 30_000, 3, .80), ("80x32", .7, 10_000, 6, .95),
                 ("80x32", .6, 10_000, 6, .98), ("80x32", .5, 10_000, 6, .98)]
        for name, fraction, effort, most, share in cases if not self.quick else [("2x1", .7, 1000, 3, 0)]:
            row = self.direct(name, fraction, effort, limit=200)
            over = row.get("overhead")
            proved = max(0, row.get("bound", 0)) / over if over else 0
            self.report("scale", f"{name} {fraction}", f'{percent(over)}, bound {proved:.3f} of it, {row["user_seconds"]:.1f} s', f"{most} s, bound {share}",
                        over is not None and row["user_seconds"] <= most and proved >= share)

    FLOPS = {"torch_resnet50_b32": ((1661, 0), (1328, 3), (1249, 6), (1041, 13), (800, 26)),
             "torch_vgg16_b32": ((2462, .5), (2118, 5), (1950, 12), (1850, 18)),
             "torch_mobilenet_v2_b32": ((754, 3.5), (700, 8)), "torch_gpt2_math_b4": ((5000, 3), (3283, 18))}
    ROOFLINE = {"torch_resnet50_b32": ((1249, 9.5), (800, 17)), "torch_vgg16_b32": ((1950, 5.5),), "torch_mobilenet_v2_b32": ((700, 12),),
                "torch_gpt2_math_b4": ((3283, 11.5),)}

    # By default, and for this budget alone where first runs may move.
    IN_ORDER = {"auto": (), "search": ("--order=search", "--time-limit=3600")}

    def flops(self):
        """Recomputed FLOPs over those of the forward pass. A thousandth of the roofline time breaks ties."""
        for name, cases in self.FLOPS.items() if not self.quick else ():
            step = self.step(name)
            nodes = step.graph["nodes"]
            forward = sum(node["flops"] for node in nodes if not node["backward"] and not node.get("writes"))
            counted = step.graph | {"nodes": [node | {"cost": node["flops"] / 15.7e6 + node["cost"] / 1000} for node in nodes]}
            path = self.folder / f"{name}-flops.graph.json"
            path.write_text(json.dumps(counted))
            for megabytes, most in cases:
                found = []
                for order in ("auto", "search"):
                    row, made = plan_of(self.bin, Step(path), "auto" if order == "auto" else "search", megabytes * 1_000_000, *self.IN_ORDER[order])
                    self.log.append(row | {"order": order})
                    if made is None:
                        continue
                    runs = [action["compute"] for action in made["steps"] if "compute" in action]
                    row["flops"] = (sum(nodes[run]["flops"] for run in runs) - sum(node["flops"] for node in nodes)) / forward
                    row["time"] = sum(nodes[run]["cost"] for run in runs) / step.cost - 1
                    self.log[-1] = row | {"order": order}
                    found.append((row["flops"], order, row))
                if not found:
                    self.report("flops", f"{name} {megabytes} MB", "no plan", f"{most} %", False)
                    continue
                said = ", ".join(f'{percent(flops)} (time +{percent(row["time"])}) in {row["user_seconds"]:.1f} s' + (" any order" if order == "search" else "")
                                 for flops, order, row in found)
                self.report("flops", f"{name} {megabytes} MB", said, f"{most} %", min(found)[0] <= most / 100 + 5e-5)

    def roofline(self):
        for name, cases in self.ROOFLINE.items() if not self.quick else ():
            for megabytes, most in cases:
                rows = [self.plan(name, megabytes * 1_000_000, solver="auto"),
                        self.plan(name, megabytes * 1_000_000, *self.IN_ORDER["search"], solver="search")]
                said = ", ".join(f'{percent(row.get("overhead"))} in {row["user_seconds"]:.1f} s' for row in rows)
                self.report("roofline", f"{name} {megabytes} MB", said + " any order", f"{most} %",
                            min(row.get("overhead", 9) for row in rows) <= most / 100 + 5e-5)

    def chen(self):
        """memplan beside the cheapest plan of the checkpointing family that keeps the same budget; budgets where the family has none are left out."""
        names = [path.name.removesuffix(".graph.json") for path in stored("*.graph.json")]
        for name in names if not self.quick else ["chain16"]:
            for fraction in (.9, .7, .5):
                rows = [self.plan(name, fraction, "--alignment=1", solver=solver) for solver in CHEN]
                best = min((row["overhead"] for row in rows if "overhead" in row), default=None)
                if best is None:
                    continue
                own = self.plan(name, fraction, "--alignment=1", solver="auto").get("overhead")
                is_strict = name.startswith("torch_") and best > .05
                self.report("chen", f"{name} {fraction}", f"{percent(own)} against {percent(best)}", "a quarter" if is_strict else "no worse",
                            own is not None and own <= (best / 4 if is_strict else best + 1e-9))


SECTIONS = ("first", "overhead", "bounds", "proofs", "gap", "tight", "layered", "scale", "flops", "roofline", "chen")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=SECTIONS)
    parser.add_argument("--quick", action="store_true", help="one small case of each section")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path, help="the rows as a table")
    arguments = parser.parse_args()
    print(head(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        reach = Reach(arguments, pathlib.Path(folder))
        for section in arguments.sections:
            getattr(reach, section)()
    said = [row for row in reach.rows if row["reached"] is not None]
    print(f'{sum(row["reached"] for row in said)} of {len(said)} reached')
    if arguments.markdown:
        words = {True: "reached", False: "missed", None: ""}
        lines = [f'| {row["section"]} | {row["what"]} | {row["measured"]} | {row["asked"]} | {words[row["reached"]]} |' for row in reach.rows]
        arguments.markdown.write_text("\n".join(["| section | what | measured | asked | |", "|---|---|---|---|---|", *lines]) + "\n")


if __name__ == "__main__":
    main()
