#!/usr/bin/env python3
"""Does a plan cost the time that it predicts? Planned steps beside unplanned ones, on this machine.

For each model: measure a profile of the unplanned step (memplan-run --profile), plan at budgets persistent + f * (peak -
persistent) with that profile, then run the unplanned and the planned step in turns and compare the measured slowdown
with the predicted one. Needs a build only, and a quiet machine:

    benchmarks/slowdown/compare.py [--threads 2] [--rounds 3] [--steps 3] [--fractions 0.7 0.5] [MODEL ...]
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = {"resnet50": 4, "vgg16": 2, "mobilenet_v2": 8, "unet": 1, "gpt2": 1}


class Runner:
    def __init__(self, build, threads):
        self.tool, self.threads = build / "bin" / "memplan-run", threads

    def __call__(self, program, *flags):
        done = self.start(program, *flags)
        if done.returncode:
            sys.exit(f"memplan-run {program} {' '.join(flags)}\n{done.stderr}")
        return done.stdout + done.stderr

    def start(self, program, *flags):
        command = [str(self.tool), str(program), f"--threads={self.threads}", *flags]
        return subprocess.run(command, capture_output=True, text=True)

    def plan(self, budget, program, *flags):
        """Plans at the budget, or at the least one that the tool knows to work when this one cannot be met."""
        done = self.start(program, f"--budget={budget}", *flags)
        least = re.search(r"a budget of .*\((\d+) bytes\) works", done.stderr)
        if done.returncode and least:
            return self(program, f"--budget={least.group(1)}", *flags)
        return done.stdout + done.stderr if not done.returncode else self(program, f"--budget={budget}", *flags)


def seconds(output):
    return float(re.search(r"time: ([\d.]+) ms a step", output).group(1)) / 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", choices=[*BATCH, []], metavar="MODEL")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.7, 0.5])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    arguments = parser.parse_args()
    run = Runner(arguments.build, arguments.threads)
    steps = f"--steps={arguments.steps}"
    print(f"{'model':<14}{'batch':>5} {'f':>5} {'device MB':>10} {'unplanned s':>12} {'planned s':>10} {'predicted':>10} "
          f"{'measured':>9} {'planned / predicted time':>25}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in arguments.models or BATCH:
            source = ROOT / "examples" / f"{model}.mlir"
            batch = f"--batch={BATCH[model]}"
            profile, plain = folder / "device.profile.json", folder / "plain.mpp"
            run(source, batch, steps, f"--profile={profile}")
            text = run(source, batch, f"--emit-program={plain}")
            device, arena = map(int, re.search(r"device (\d+) bytes \(arena (\d+)\)", text).groups())
            for fraction in arguments.fractions:
                budget = int(device - arena + fraction * arena)
                planned = folder / "planned.mpp"
                text = run.plan(budget, source, batch, f"--cost-model=profile:{profile}", f"--emit-program={planned}")
                used = int(re.search(r"device (\d+) bytes", text).group(1))
                predicted = float(re.search(r"overhead ([\d.]+) %", text).group(1)) / 100
                times = {plain: [], planned: []}
                for _ in range(arguments.rounds):
                    for program, measured in times.items():
                        measured.append(seconds(run(program, steps)))
                before, after = (statistics.median(t) for t in times.values())
                print(f"{model:<14}{BATCH[model]:>5} {fraction:>5} {used / 1e6:>10.1f} {before:>12.3f} {after:>10.3f} "
                      f"{100 * predicted:>8.1f} % {100 * (after / before - 1):>7.1f} % {after / before / (1 + predicted):>25.3f}",
                      flush=True)


if __name__ == "__main__":
    main()
