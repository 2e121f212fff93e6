#!/usr/bin/env python3
"""How much does a step slow down beside other busy processes, by how the threads wait?

Runs the unplanned step alone, beside one and beside two processes that only count, for each way to wait: memplan's own
(nothing set), that of GNU's OpenMP library (GOMP_SPINCOUNT=300000, what it takes by itself) and none at all
(OMP_WAIT_POLICY=passive). The ways take turns, so that a machine that changes speed changes all of them. Needs a build
with oneDNN and, for the row "0", a quiet machine:

    benchmarks/busy/compare.py [--model resnet50] [--batch 4] [--threads 2] [--busy 0 1 2] [--rounds 3] [--steps 3]

Prints milliseconds a step (the median over the rounds of the median of a run) and their ratio to the library's own
waiting in the same row.
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
from shared import built  # noqa: E402
POLICIES = {
    "memplan": {},
    "library": {"GOMP_SPINCOUNT": "300000"},
    "passive": {"OMP_WAIT_POLICY": "passive"},
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
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--busy", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=list(POLICIES))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-run")
    tool = arguments.build / "bin" / "memplan-run"
    threads, steps = f"--threads={arguments.threads}", f"--steps={arguments.steps}"
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "step.mpp"
        source = ROOT / "examples" / f"{arguments.model}.mlir"
        run(tool, source, threads, f"--batch={arguments.batch}", f"--emit-unplanned={program}")
        print(f"{arguments.model}, batch {arguments.batch}, {threads[2:]}, load before: {os.getloadavg()[0]:.1f}")
        print(f"{'busy':>4}" + "".join(f"{name + ' ms':>12} {'ratio':>6}" for name in arguments.policies))
        for busy in arguments.busy:
            times = {name: [] for name in arguments.policies}
            for _ in range(arguments.rounds):
                for name in arguments.policies:
                    with BusyProcesses(busy):
                        output = run(tool, program, threads, steps, policy=POLICIES[name])
                    times[name].append(milliseconds(output))
            medians = {name: statistics.median(list) for name, list in times.items()}
            base = medians.get("library", medians[arguments.policies[0]])
            print(f"{busy:>4}" + "".join(f"{ms:>12.1f} {ms / base:>6.2f}" for ms in medians.values()), flush=True)


if __name__ == "__main__":
    main()
