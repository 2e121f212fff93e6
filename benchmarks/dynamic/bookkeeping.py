#!/usr/bin/env python3
"""What an op and an eviction cost a dynamic run beside the kernel itself.

usage: bookkeeping.py [--build build] [--json FILE]

Runs the two measurements of DynamicTests (CostOfChoosing.cpp): a step of 1000 ops forth and back with nothing evicted, and ops in a full
pool of 10,000 tensors that need one eviction each, by heuristic, looking at all candidates or at about 2 sqrt(n) of them. Kernels do
nothing. Times are of the processor.
"""
import argparse
import json
import pathlib
import subprocess
import sys


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=root / "build")
    parser.add_argument("--json", help="write the figures there")
    options = parser.parse_args()
    tests = options.build / "test/Unit/DynamicTests"
    if not tests.exists():
        sys.exit(f"{tests} is not there: build with ninja -C build DynamicTests, or name the folder of another build by --build")
    text = subprocess.run([str(tests), "--gtest_also_run_disabled_tests", "--gtest_filter=DynamicCost*"],
                          check=True, capture_output=True, text=True).stdout
    figures = {"micros_per_op": None, "micros_per_eviction": {}}
    for words in map(str.split, text.splitlines()):
        if words[:1] == ["bookkeeping:"]:
            figures["micros_per_op"] = float(words[1])
        elif words[:1] == ["eviction:"]:
            figures["micros_per_eviction"].setdefault(words[1], {})[words[2]] = float(words[3])
    print(f"op, nothing evicted: {figures['micros_per_op']:.3f} us")
    print(f"{'eviction of 10,000':20} {'all':>10} {'sqrt':>10}  us")
    for heuristic, by_candidates in figures["micros_per_eviction"].items():
        print(f"{heuristic:20} {by_candidates['all']:10.1f} {by_candidates['sqrt']:10.1f}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
