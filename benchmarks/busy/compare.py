#!/usr/bin/env python3
"""How much does a step slow down beside other busy processes, by how many threads it has and by how they wait?

Runs the unplanned step alone, beside one and beside two processes that only count, with each number of threads and each way to wait: memplan's own
(nothing set: 1000 turns before it sleeps), that of GNU's OpenMP library (GOMP_SPINCOUNT=300000, what it takes by itself) and 5000 turns before it sleeps. All take turns, in each round with each number of busy processes, so that a machine that changes speed changes all of
them. Needs a build with oneDNN and, for the row "0", a quiet machine: where others compute, the ratios are too small.

    benchmarks/busy/compare.py [--model resnet50] [--batch 4] [--threads 2 ...] [--busy 0 1 2] [--rounds 3] [--steps 3]

Prints milliseconds a step (the median over the rounds of the median of a run) and their ratio to the first row.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from shared import built, head  # noqa: E402
POLICIES = {
    "memplan": {},
    "library": {"GOMP_SPINCOUNT": "300000"},
    "5000": {"GOMP_SPINCOUNT": "5000"},
}
COUNT = "while True: pass"


def environment(policy):
    plain = {k: v for k, v in os.environ.items() if k not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    return {**plain, **policy}


def run(tool, program, *flags, policy=None):
    command = [str(tool), str(program), *flags]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(policy or {}))
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout + done.stderr


def milliseconds(output):
    return float(re.search(r"time: ([\d.]+) ms a step", output).group(1))


class BusyProcesses:
    """Processes that compute nothing without end, while the block runs."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.running = [subprocess.Popen([sys.executable, "-c", COUNT]) for _ in range(self.count)]

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="resnet50")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--threads", nargs="+", type=int, default=[2])
    parser.add_argument("--busy", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=list(POLICIES))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-run")
    tool = arguments.build / "bin" / "memplan-run"
    steps = f"--steps={arguments.steps}"
    ways = [(threads, name) for threads in arguments.threads for name in arguments.policies]
    with tempfile.TemporaryDirectory() as folder:
        programs = {threads: pathlib.Path(folder) / f"step{threads}.mpp" for threads in arguments.threads}
        source = ROOT / "examples" / f"{arguments.model}.mlir"
        for threads, program in programs.items():
            run(tool, source, f"--threads={threads}", f"--batch={arguments.batch}", f"--emit-unplanned={program}")
        print(f"{head()} {arguments.model}, batch {arguments.batch}, load before: {os.getloadavg()[0]:.1f}")
        times = {(busy, way): [] for busy in arguments.busy for way in ways}
        for _ in range(arguments.rounds):
            for busy in arguments.busy:
                for threads, name in ways:
                    with BusyProcesses(busy):
                        output = run(tool, programs[threads], f"--threads={threads}", steps, policy=POLICIES[name])
                    times[busy, (threads, name)].append(milliseconds(output))
        print("| busy | " + " | ".join(f"{threads} threads, {name}: ms | ratio" for threads, name in ways) + " |\n" + "|---" * (1 + 2 * len(ways)) + "|")
        idle = {way: statistics.median(times[arguments.busy[0], way]) for way in ways}
        for busy in arguments.busy:
            medians = {way: statistics.median(times[busy, way]) for way in ways}
            print(f"| {busy} | " + " | ".join(f"{ms:.2f} | {ms / idle[way]:.2f}" for way, ms in medians.items()) + " |")


if __name__ == "__main__":
    main()
