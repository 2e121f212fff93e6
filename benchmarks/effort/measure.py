#!/usr/bin/env python3
"""What --effort in seconds takes and brings: CPU seconds of the whole tool and the overhead of the plan, by the seconds asked for.

    benchmarks/effort/measure.py [--steps PATTERN] [--seconds 1 5 20] [--budgets 60%] [--build DIR] [--graph FILE ...] [--write]

Steps are those graphs of benchmarks/data/graphs that the table in include/memplan/Planner/Search/Tuning.h was not measured on, and
three made here by benchmarks/generate. Each is planned with recomputation alone and with copies beside it, at a link that moves a
quarter of all tensors in the time of a step. --graph takes further steps. Every plan is passed through utils/check_plan.py.
--write puts the table into docs/Benchmarks/Effort.md.
"""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, call, head, put_table, stored

# Tuning.h's numbers come of these.
CALIBRATION = {"rl25_s1", "chain32", "unet", "rl100_s2", "vgg16", "torch_mobilenet_v2_b32", "gpt2_4l", "torch_resnet50_b32", "torch_gpt2_math_b4"}
GENERATED = {"layered600": ("layered.py", "600", "--seed=7"), "transformer": ("transformer.py", "12", "1"), "unet3d": ("unet3d.py", "64")}


def run(solve, path, flags, plan):
    """(CPU seconds, the plan or None)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([solve, "remat", path, *flags, "--quiet", "-o", plan], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode not in (0, 1, 3):  # A plan, proved infeasible, no plan.
        sys.exit(f"{path}: {' '.join(flags)}: {done.stderr}")
    return seconds, json.loads(plan.read_text()) if done.returncode == 0 else None


def rows(solve, name, path, options, folder):
    graph = json.loads(pathlib.Path(path).read_text())
    cost = sum(node.get("cost", 0) for node in graph["nodes"])
    size = sum(tensor.get("bytes", 0) for tensor in graph["tensors"])
    link = f"{size / cost / 4:.6g}"
    for kind, copies in (("recompute", []), ("with copies", ["--swap=search", f"--bandwidth={link},{link}"])):
        for budget in options.budgets:
            cells = []
            for seconds in options.seconds:
                plan = folder / "effort.plan.json"
                took, made = run(solve, path, [f"--budget={budget}", f"--effort={seconds:g}s", *copies], plan)
                if made is None:
                    cells.append((took, None))
                    continue
                call(sys.executable, ROOT / "utils/check_plan.py", path, plan, *([f"--bandwidth={link},{link}"] if copies else []))
                cells.append((took, 100 * (made.get("time", made["cost"]) / cost - 1)))
            yield (name, len(graph["nodes"]), kind, budget, cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", default=".")
    parser.add_argument("--seconds", nargs="+", type=float, default=[1, 5, 20])
    parser.add_argument("--budgets", nargs="+", default=["60%"])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--graph", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    solve = built(options.build, "memplan-solve") / "bin/memplan-solve"
    lines = [head(), "", "| step | nodes | plan | budget | " + " | ".join(f"{s:g} s: CPU s | overhead" for s in options.seconds) + " |",
             "|---" * (4 + 2 * len(options.seconds)) + "|"]
    shares = {seconds: [] for seconds in options.seconds}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        steps = {path.name.split(".")[0]: path for path in stored("*.graph.json")}
        for made, (script, *arguments) in GENERATED.items():
            steps[made] = folder / f"{made}.graph.json"
            steps[made].write_text(call(sys.executable, ROOT / "benchmarks/generate" / script, *arguments))
        steps = {name: path for name, path in steps.items() if name not in CALIBRATION and re.search(options.steps, name)}
        steps |= {path.name.split(".")[0]: path for path in options.graph}
        for step, path in steps.items():
            for row in rows(solve, step, path, options, folder):
                cells = " | ".join(f"{took:.2f} | " + ("none" if over is None else f"{over:.2f} %") for took, over in row[4])
                lines.append(f"| {' | '.join(map(str, row[:4]))} | {cells} |")
                print(lines[-1], flush=True)
                for seconds, (took, _) in zip(options.seconds, row[4]):
                    shares[seconds].append(took / seconds)
    for label, pick in (("median", lambda s: sorted(s)[len(s) // 2]), ("largest", max)):
        lines.append(f"| CPU seconds / asked, {label} | | | | " + " | ".join(f"{pick(shares[s]):.2f} |" for s in options.seconds) + " |")
    print("\n".join(lines))
    if options.write:
        put_table(ROOT / "docs/Benchmarks/Effort.md", "benchmarks/effort/measure.py", "\n".join(lines))


if __name__ == "__main__":
    main()
