#!/usr/bin/env python3
"""One plan for all batches up to the largest, beside a plan made for each batch: bytes at the largest, at half of it and at 1.

    benchmarks/batches/compare.py [--networks NAME ...] [--build DIR] [--write]

memplan-opt --batch=1:N makes the plan and says what it takes at three batches beside plans for these alone, by the same options.
utils/check_batches.py proves every plan right at all batches, without memplan's code, and compares it with the steps of a few
batches between the breakpoints. --write puts the table in docs/Benchmarks/Batches.md.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, call, head, put_table

# Largest batches of the size that one device trains with.
NETWORKS = {"resnet50": ("examples", 32), "mobilenet_v2": ("examples", 32), "vgg16": ("examples", 32), "unet": ("examples", 8),
            "gpt2": ("examples", 8), "inception_v3": ("benchmarks/networks", 32), "shufflenet_v2": ("benchmarks/networks", 32),
            "segnet": ("benchmarks/networks", 16), "fcn8": ("benchmarks/networks", 32), "vgg19": ("benchmarks/networks", 32)}
ROW = re.compile(r"^memplan-opt: batch (\d+): device (\d+) bytes \(arena (\d+)\), (?:(\d+) \([^)]*\) (more|fewer) than|as many as) a plan for it alone", re.MULTILINE)


def measure(tools, name, folder):
    """(share of device bytes, share of arena bytes) by batch, and the seconds that planning took."""
    place, most = NETWORKS[name]
    step, plan = ROOT / place / f"{name}.mlir", folder / f"{name}.plan.json"
    begin = time.perf_counter()
    done = subprocess.run([tools / "memplan-opt", step, f"--batch=1:{most}", "--emit=plan", "-o", plan], capture_output=True, text=True)
    seconds = time.perf_counter() - begin
    if done.returncode:
        sys.exit(done.stderr)
    shares = {}
    for batch, device, arena, bytes_apart, side in ROW.findall(done.stderr):
        apart = int(bytes_apart or 0) * (-1 if side == "fewer" else 1)
        # All but the arena is the same in both plans.
        shares[int(batch)] = int(device) / (int(device) - apart), int(arena) / (int(arena) - apart)
    if sorted(shares) != sorted({1, most // 2, most}):
        sys.exit(f"{name}: no figures in\n{done.stderr}")
    graphs = {}
    for batch in {most, most - 1, most // 2 + 1, 3, 2}:
        graphs[batch] = folder / f"{name}.{batch}.graph.json"
        call(tools / "memplan-opt", step, f"--batch={batch}", "--emit=graph", "-o", graphs[batch], "--quiet")
    call(sys.executable, ROOT / "utils/check_batches.py", graphs[most], plan, *(f"--step={b}:{path}" for b, path in graphs.items()))
    return shares, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", choices=NETWORKS, default=list(NETWORKS))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    tools = built(options.build, "memplan-opt") / "bin"
    lines = [head(), "", "| network | batches | device bytes at the largest | at half | at 1 | arena at the largest | at half | at 1 | planning, s |",
             "|---|---|---|---|---|---|---|---|---|"]
    worst = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in options.networks:
            most = NETWORKS[name][1]
            shares, seconds = measure(tools, name, pathlib.Path(folder))
            row = [shares[batch] for batch in (most, most // 2, 1)]
            for column, share in enumerate([r[0] for r in row] + [r[1] for r in row]):
                worst[column] = max(worst.get(column, 0), share)
            cells = [f"{r[0]:.4f}" for r in row] + [f"{r[1]:.4f}" for r in row]
            lines.append(f"| {name} | 1 to {most} | {' | '.join(cells)} | {seconds:.1f} |")
            print(lines[-1], flush=True)
    lines.append("| largest | | " + " | ".join(f"{worst[column]:.4f}" for column in range(6)) + " | |")
    table = "\n".join(lines)
    print(table)
    if options.write:
        put_table(ROOT / "docs/Benchmarks/Batches.md", "benchmarks/batches/compare.py", table)


if __name__ == "__main__":
    main()
