#!/usr/bin/env python3
"""What planning reaches where it was asked to reach something: one row per requirement, each figure beside what is asked.

    benchmarks/house/table.py [--groups joint streams ...] [--steps PATTERN] [--build build] [--json FILE] [--quick] [--write]

Groups: joint, both, alone, never, bounds, batches, streams, curve, gate, reach. Each takes minutes. What a group measures goes into the log as it comes; the
table is made of all that the log holds, so that groups may be run one by one, and --groups without names runs nothing. Budgets are a share
of the way from what the step holds at its end to the peak without recomputation, kept by the packed arena (--alignment=1).
Plans have no effort and no limit of time where nothing is said; those of `joint` are one budget by itself in source order, with 100,000 moves. Every
plan passes utils/check_plan.py. --steps takes some steps of a group only, --quick one small case of each group, for tests.
--write puts the rows into docs/Benchmarks/Planner.md, where those of other groups stay, and the cells of `joint` into docs/Benchmarks/Copies.md.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks/remat"))
from common import Step, built, call, check, graph_path, head, origin, merge_rows, put_table  # noqa: E402
from scale import STEPS, generate  # noqa: E402

NETWORKS = ("torch_vgg16_b32", "torch_unet_b1", "torch_mobilenet_v2_b32", "torch_resnet50_b32", "torch_gpt2_math_b4", "48x4")
SHARES, LINKS = (.7, .5, .3), (8, 16, 64)  # GB/s each way.
NEVER = ("densenet121", "torch_vgg16_b32", "torch_unet_b1", "torch_mobilenet_v2_b32", "torch_resnet50_b32", "torch_gpt2_math_b4", "shufflenet_v2_b32",
         "dtr_transformer", "dtr_unet", "inception_v3", "layered600")
LIMITS = ("--time-limit=5", "--effort=2000")
BATCHES = (1243, 1244, 1245, 1246)
# One budget by itself, in source order: what docs/Benchmarks/Copies.md had before, and what every cell can be given in an hour.
DIRECT = ("--alignment=1", "--order=source", "--time-limit=3600")
BOTH = (("torch_unet_b1", 64, .3, .55), ("torch_resnet50_b32", 16, .7, 1.45), ("torch_resnet50_b32", 16, .5, 4.5), ("torch_resnet50_b32", 16, .3, 9.8),
        ("48x4", 16, .5, None))
SLACK = 1e-9  # Of sums of costs in another order.


class Bench:
    """The tools, the steps, and the log."""

    def __init__(self, arguments, folder):
        self.bin, self.folder, self.quick, self.wanted = arguments.build / "bin", folder, arguments.quick, arguments.steps
        self.steps, self.path, self.origin = {}, arguments.json, origin()
        self.log = json.loads(self.path.read_text()) if self.path and self.path.exists() else {}

    def step(self, name):
        """A graph of the data folder, a program, layeredN, or a transformer step of STEPS."""
        if name not in self.steps:
            self.steps[name] = generate(self.folder, name) if name in STEPS else Step(self.graph_of(name))
        return self.steps[name]

    def graph_of(self, name):
        if graph_path(name).exists():
            return graph_path(name)
        path = self.folder / f"{name}.graph.json"
        if name.startswith("layered"):
            call(sys.executable, ROOT / "benchmarks/generate/layered.py", name.removeprefix("layered"), "--seed", 7, "-o", path)
            return path
        program = next((p for p in (ROOT / "benchmarks/networks" / f"{name}.mlir", ROOT / "examples" / f"{name}.mlir") if p.exists()), None)
        if program is None:  # Needs PyTorch.
            call(sys.executable, ROOT / "python-bindings/export_examples.py", name, "--output", self.folder)
            program = self.folder / f"{name}.mlir"
        call(self.bin / "memplan-opt", program, *["--batch=32"] * (name == "densenet121"), "--emit=graph", "-o", path)
        return path

    def plan(self, name, *flags, share=None, tool="memplan-solve"):
        """A plan as a row of figures; without a time where there is none."""
        step = self.step(name)
        out = self.folder / "one.plan.json"
        out.unlink(missing_ok=True)
        budget = None if share is None else step.budget_beside_outputs(share)
        command = [self.bin / tool, "remat", step.path, *flags, *([f"--budget={budget}"] if budget else []), "--quiet", "-o", out]
        seconds, message = timed(command)
        row = {"step": name, "nodes": step.nodes, "share": share, "flags": list(flags), "cpu_seconds": round(seconds, 2), "status": "no_plan"}
        if not out.exists() or not out.stat().st_size:
            return row | {"note": message.strip()[-200:]}
        made = json.loads(out.read_text())
        row["status"] = made["status"]
        if made["status"] not in ("optimal", "feasible"):
            return row
        check(step.path, out, budget, *(flag for flag in flags if flag.startswith("--bandwidth=")))
        row |= {"overhead": made.get("time", made["cost"]) / step.cost - 1}
        for key in ("bound", "time_bound"):
            if key in made:
                row[key] = made[key] / step.cost - 1
        return row

    def keep(self, group, rows):
        """Runs a group, whose rows go into the log one by one."""
        # Rows of steps that were not asked for now stay.
        kept = [row for row in self.log.get(group, {"rows": []})["rows"] if not re.search(self.wanted, row.get("step", ""))]
        self.log[group] = self.origin | {"rows": kept}
        for row in rows:
            self.log[group]["rows"].append(row)
            print(group, json.dumps(row), flush=True)
            if self.path:
                self.path.write_text(json.dumps(self.log, indent=1) + "\n")

    def names(self, names, small="chain16"):
        return [name for name in names if re.search(self.wanted, name)] if not self.quick else [small]


def timed(command):
    """CPU seconds, and what was said."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, said


def link(gigabytes):
    return f"--bandwidth={gigabytes * 1000},{gigabytes * 1000}"


# --- What is measured ---

def joint(bench):
    """Recomputation alone, copies alone, and both, 100,000 moves each."""
    direct = (*DIRECT, "--effort=100000")
    for name in bench.names(NETWORKS):
        for share in SHARES if not bench.quick else SHARES[:1]:
            yield bench.plan(name, *direct, "--remat=search", share=share) | {"kind": "remat"}
            for rate in LINKS if not bench.quick else LINKS[:1]:
                yield bench.plan(name, *direct, "--remat=checkpoint-all", "--swap=search", link(rate), share=share) | {"kind": "swap", "link": rate}
                yield bench.plan(name, *direct, "--remat=search", "--swap=search", link(rate), share=share) | {"kind": "both", "link": rate}


def both(bench):
    """Both by default, at the cells of which something was asked; without a figure, beside recomputation alone."""
    for name, rate, share, asked in BOTH if not bench.quick else (("chain16", 8, .5, None),):
        if bench.quick or re.search(bench.wanted, name):
            if asked is None:
                yield bench.plan(name, "--alignment=1", share=share) | {"kind": "remat"}
            yield bench.plan(name, "--alignment=1", "--swap=search", link(rate), share=share) | {"link": rate}


def alone(bench):
    """Recomputation alone, by default and in source order with a million moves."""
    for name in bench.names(("torch_resnet50_b32", "torch_gpt2_math_b4")):
        for flags in (["--alignment=1"], [*DIRECT, "--remat=search", "--effort=1000000"]):
            yield bench.plan(name, *flags, share=.3)


def never(bench):
    """With copies against without, by effort and by time."""
    for name in bench.names(NEVER):
        for limit in LIMITS if not bench.quick else LIMITS[1:2]:
            yield bench.plan(name, limit, share=.6) | {"limit": limit}
            for rate in (8, 32):
                yield bench.plan(name, limit, "--swap=search", link(rate), share=.6) | {"limit": limit, "link": rate}


def bounds(bench):
    """Bounds on the time in source order, bounds of single budgets, and those of the gate's cases without copies and streams."""
    for name in bench.names(("torch_resnet50_b32",)):
        for rate in (8, 16) if not bench.quick else (8,):
            for share in SHARES if not bench.quick else SHARES[:1]:
                yield bench.plan(name, "--alignment=1", "--order=source", "--swap=search", link(rate), share=share) | {"link": rate}
    for name, share, effort in (("torch_gpt2_math_b4", .7, 1_000_000), ("48x4", .5, 300_000)):
        if bench.names((name,)) == [name]:
            yield bench.plan(name, *DIRECT, "--remat=search", f"--effort={effort}", share=share)
    for case in json.loads((ROOT / "benchmarks/gate/cases.json").read_text())["cases"] if not bench.quick else ():
        if case["goal"] == "time" and re.search(bench.wanted, case["graph"]) and not re.search("--(swap|streams)", case["options"]):
            yield bench.plan(case["graph"], *case["options"].split(), share=case["share"]) | {"case": case["name"]}


def batches(bench):
    """ResNet-50 within 16 GB at neighbouring batches."""
    for batch in BATCHES if not bench.quick else ():
        out = bench.folder / "batch.plan.json"
        seconds, said = timed([bench.bin / "memplan-opt", ROOT / "examples/resnet50.mlir", f"--batch={batch}", "--budget=16G", "--emit=plan", "-o", out])
        found = re.search(r"overhead (?:[-\d.]+ % of work and )?([-\d.]+) %", said)
        yield {"batch": batch, "overhead": float(found[1]) / 100 if found else None, "cpu_seconds": round(seconds, 2), "note": "" if found else said.strip()[-200:]}


def streams(bench):
    """Several streams within 60 %, by default and as fast as can be."""
    for name in bench.names(("inception_v3",)):
        for count in (2, 4):
            for flags in ([], ["--parallelism=prefer", "--effort=100000"]):
                yield bench.plan(name, f"--streams={count}", "--budget=60%", *flags) | {"streams": count}


def curve(bench):
    """A curve on two streams beside its budgets one by one."""
    for name in bench.names(("inception_v3",)):
        path = bench.folder / "curve.json"
        seconds, said = timed([bench.bin / "memplan-solve", "remat", bench.step(name).path, "--streams=2", "--pareto=6", "--quiet", "-o", path])
        if not path.exists() or not path.stat().st_size:
            sys.exit(said)
        for point in json.loads(path.read_text())["points"]:
            one = bench.plan(name, "--streams=2", f"--budget={point['budget_bytes']}")
            yield one | {"streams": 2, "point": point.get("time", point["cost"]) / bench.step(name).cost - 1, "curve_seconds": round(seconds, 2)}


def gate(bench):
    """The gate, as it is."""
    done = subprocess.run([sys.executable, ROOT / "benchmarks/gate/gate.py", "--check", "--jobs=1", "--build", bench.bin.parent] + ["--rows=7-8"] * bench.quick,
                          capture_output=True, text=True)
    rows = re.findall(r"^\| (\S.*?) +\| (?:time|bytes) .*\| (worse|better|) \|$", done.stdout, re.MULTILINE)
    sums = re.search(r"(\d+) cases that ask for time: ([\d.-]+) points now, ([\d.-]+) recorded", done.stdout)
    if not rows or not sums:
        sys.exit(done.stdout + done.stderr)
    yield {"cases": len(rows), "better": sum(mark == "better" for _, mark in rows), "worse": [name for name, mark in rows if mark == "worse"],
           "summed": int(sums[1]), "now": float(sums[2]), "recorded": float(sums[3])}


def reach(bench):
    """First plans and proofs of small steps, as benchmarks/remat/reach.py says it."""
    log = bench.folder / "reach.json"
    call(sys.executable, ROOT / "benchmarks/remat/reach.py", "--sections", "first", "proofs", "--build", bench.bin.parent, "--json", log,
         *["--quick"] * bench.quick)
    yield from (row for row in json.loads(log.read_text())["rows"] if row["kind"] == "reach")


# --- What is said of it ---

def percent(value):
    return "no plan" if value is None else f"{100 * (value if abs(value) > 1e-9 else 0):.3g} %"


def of(rows, **wanted):
    return [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]


def overhead(rows, **wanted):
    found = of(rows, **wanted)
    return found[0].get("overhead") if found else None


def ratios(rows, key="overhead"):
    """(step, share, link, both to the better of either alone) where either alone costs time; by its bound on the time, what no plan is below."""
    for both in of(rows, kind="both"):
        cell = {"step": both["step"], "share": both["share"]}
        single = [value for value in (overhead(rows, kind="remat", **cell), overhead(rows, kind="swap", link=both["link"], **cell)) if value is not None]
        if single and min(single) > 1e-5:
            yield both["step"], both["share"], both["link"], max(0, both.get(key, 0)) / min(single) if "overhead" in both else float("inf")


def say_joint(rows):
    found, bounds = list(ratios(rows)), list(ratios(rows, "time_bound"))
    for title, place, asked in (("at GB/s", 2, {8: .66, 16: .54, 64: .44}),):
        means = {key: [ratio for *cell, ratio in found if cell[place] == key] for key in asked}
        for key, values in means.items():
            if values:
                below = statistics.mean(ratio for *cell, ratio in bounds if cell[place] == key)
                yield (f"both / better of either, {title} {key:g}", f"{len(values)} cells: mean {statistics.mean(values):.3f} (proved: not below {below:.3f}), most {max(values):.3f}",
                       f"{asked[key]:g}, never above 1", statistics.mean(values) <= asked[key] and max(values) <= 1 + SLACK)
    for share in (.5, .3):
        worst = [ratio for name, at, _, ratio in found if name == "48x4" and at == share]
        if worst:
            yield f"both / better of either, transformer 48x4 {share:g}, 100,000 moves", ", ".join(f"{ratio:.3f}" for ratio in worst), "below 1", max(worst) < 1


def say_both(rows):
    for name, rate, share, asked in BOTH:
        row, now = of(rows, step=name, link=rate, share=share), overhead(rows, step=name, link=rate, share=share)
        if not row:
            continue
        if asked is not None:
            yield f"both, {name} {share:g}, {rate} GB/s, by default", percent(now), f"{asked} %", now is not None and now <= asked / 100 + 5e-5
            continue
        alone_ = overhead(rows, step=name, kind="remat", share=share)
        yield (f"both and recomputation alone, {name} {share:g}, {rate} GB/s, by default", f"{percent(now)}, {percent(alone_)}", "below",
               now is not None and alone_ is not None and now < alone_)


def say_alone(rows):
    for name, asked in (("torch_resnet50_b32", 13.4), ("torch_gpt2_math_b4", 16.9)):
        found = [row.get("overhead") for row in of(rows, step=name)]
        if found:
            yield (f"recomputation alone, {name} .3: by default, in source order", ", ".join(map(percent, found)), f"{asked} %",
                   any(value is not None and value <= asked / 100 + 5e-5 for value in found))


def say_never(rows):
    worse, cells = [], 0
    for row in rows:
        if "link" not in row:
            continue
        without = overhead(rows, step=row["step"], limit=row["limit"], link=None)
        cells += 1
        if without is not None and row.get("overhead", float("inf")) > without + SLACK:
            worse.append(f"{row['step']} {row['limit']} {row['link']} GB/s: {percent(row.get('overhead'))} against {percent(without)}")
    yield "with copies above without", f"{len(worse)} of {cells} cells{': ' * bool(worse)}{'; '.join(worse)}", "never", not worse


def share_of(row, key="bound"):
    return None if not row.get("overhead") or row["overhead"] < 1e-6 else max(0, row.get(key, 0)) / row["overhead"]


def say_bounds(rows):
    for rate in (8, 16):
        found = [share_of(row, "time_bound") for row in of(rows, link=rate)]
        if found:
            shares = " ".join(f"{row['share']:g}" for row in of(rows, link=rate))
            yield f"bound on the time / plan, {of(rows, link=rate)[0]['step']} {shares}, {rate} GB/s", ", ".join(f"{100 * (v or 0):.0f} %" for v in found), "75 % each", min(v or 0 for v in found) >= .75
    for name, asked in (("torch_gpt2_math_b4", .9), ("48x4", .95)):
        row = [row for row in rows if row["step"] == name and "link" not in row and "case" not in row]
        if row:
            yield f"bound / overhead, {name} {row[0]['share']:g}, one budget in source order", f"{share_of(row[0]) or 0:.3f}", f"{asked:g}", (share_of(row[0]) or 0) >= asked
    cases = sorted((share, row["case"]) for row in rows if "case" in row and (share := share_of(row)) is not None)
    if cases:
        yield ("smallest bounds of the gate's cases, by the effort of each", f"{len(cases)} cases: " + "; ".join(f"{share:.3f} {name}" for share, name in cases[:3]), "0.95",
               cases[0][0] >= .95)


def say_batches(rows):
    found = [row["overhead"] for row in rows]
    if len(found) > 1 and None not in found:
        jump = 100 * max(abs(b - a) for a, b in zip(found, found[1:]))
        yield f"ResNet-50 at 16 GB, batch {rows[0]['batch']} to {rows[-1]['batch']}", f"{', '.join(map(percent, found))}: jumps of {jump:.2f} points", "1 point", jump <= 1


def say_streams(rows):
    for count, asked in ((2, .56), (4, .5)):
        found = [1 + row.get("overhead", float("inf")) for row in of(rows, streams=count)]
        if found:
            yield (f"{rows[0]['step']} within 60 %, {count} streams: by default, `prefer`", f"{', '.join(f'{share:.3f}' for share in found)} of the step", f"{asked:g}",
                   min(found) <= asked + 5e-4)


def say_curve(rows):
    found = [(1 + row["point"]) / (1 + row["overhead"]) for row in rows if "overhead" in row]
    if found:
        yield f"--pareto / single budgets, {rows[0]['step']}, 2 streams", f"{len(found)} budgets: least {min(found):.4f}, most {max(found):.4f}", "1", max(found) <= 1 + SLACK


def say_gate(rows):
    row = rows[0]
    yield ("gate", f"{row['cases'] - len(row['worse'])} of {row['cases']} no worse, {row['better']} better{'; worse: ' * bool(row['worse'])}{', '.join(row['worse'])}",
           "all no worse", not row["worse"])
    yield "sum of overheads of the gate's cases", f"{row['summed']} cases: {row['now']:.2f} points", f"below {row['recorded']:.2f}", row["now"] < row["recorded"]


def say_reach(rows):
    for row in rows:
        title = {"first": "first plan", "proofs": "proofs"}[row["section"]]
        yield f"{title}, {row['what']}", row["measured"], row["asked"], row["reached"]


GROUPS = {"joint": (joint, say_joint), "both": (both, say_both), "alone": (alone, say_alone), "never": (never, say_never), "bounds": (bounds, say_bounds), "batches": (batches, say_batches),
          "streams": (streams, say_streams), "curve": (curve, say_curve), "gate": (gate, say_gate), "reach": (reach, say_reach)}


COLUMNS = "| what | now | reach | | commit |\n|---|---|---|---|---|"


def rows_of(log):
    """Rows of the table: what, now, reach, whether it is met, and the commit that it was measured at."""
    for name, (_, say) in GROUPS.items():
        for what, now, asked, is_met in say(log[name]["rows"]) if name in log and log[name]["rows"] else ():
            yield f"| {what} | {now} | {asked} | {'met' if is_met else 'missed'} | {log[name]['commit']} |"


def cells_of(group):
    """The cells of `joint`: time above the unplanned step, each way, and both to the better of either."""
    rows, speeds = group["rows"], sorted({row["link"] for row in group["rows"] if "link" in row})
    links = ", ".join(f"{speed:g}" for speed in speeds)
    yield from (head(group), "", f"| step | share | recomputation alone | copies alone at {links} GB/s | both at {links} GB/s |", "|---" * 5 + "|")
    for name, share in dict.fromkeys((row["step"], row["share"]) for row in rows):
        cell = {"step": name, "share": share}
        swap, both = (", ".join(plain(overhead(rows, kind=kind, link=speed, **cell)) for speed in speeds) for kind in ("swap", "both"))
        yield f"| {name} | {share:g} | {plain(overhead(rows, kind='remat', **cell))} | {swap} | {both} |"
    yield from ("", f"| GB/s | mean of both / better of either | least | quartiles | most | cells |", "|---|---|---|---|---|---|")
    for speed in speeds:
        found = sorted(ratio for *_, link_, ratio in ratios(rows) if link_ == speed)
        if len(found) > 1:
            quartiles = ", ".join(f"{value:.3f}" for value in statistics.quantiles(found, n=4, method="inclusive"))
            yield f"| {speed:g} | {statistics.mean(found):.3f} | {found[0]:.3f} | {quartiles} | {found[-1]:.3f} | {len(found)} |"


def plain(value):
    return "-" if value is None else f"{100 * (value if abs(value) > 1e-9 else 0):.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", nargs="*", choices=GROUPS, default=list(GROUPS))
    parser.add_argument("--steps", default=".")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.groups:
        built(arguments.build, "memplan-opt", "memplan-solve")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        for name in arguments.groups:
            bench.keep(name, GROUPS[name][0](bench))
    if not any(group["rows"] for group in bench.log.values()):
        sys.exit("nothing was measured, and the log holds nothing")
    heads, rows = list(dict.fromkeys(map(head, bench.log.values()))), list(rows_of(bench.log))
    print("\n".join([*heads, "", COLUMNS, *rows]))
    if arguments.write:
        if bench.log.get("joint", {"rows": []})["rows"]:
            put_table(ROOT / "docs/Benchmarks/Copies.md", "benchmarks/house/table.py --groups joint", "\n".join(cells_of(bench.log["joint"])))
        merge_rows(ROOT / "docs/Benchmarks/Planner.md", "benchmarks/house/table.py", heads, COLUMNS, rows)


if __name__ == "__main__":
    main()
