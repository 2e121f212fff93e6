#!/usr/bin/env python3
"""Does a plan cost the time that it predicts? Planned steps beside unplanned ones, on this machine.

For each model: measure a profile of the unplanned step (memplan-run --profile), plan at budgets persistent + f * (peak -
persistent) with that profile, then run the unplanned and the planned step in turns and compare the measured slowdown
with the predicted one. Needs a build only, and a quiet machine; on a busy one --least, the least step of all rounds
instead of the median, tells more. Copies are planned with --bandwidth, and the run takes as long for them; several
streams with --streams, each with that many threads:

    benchmarks/slowdown/compare.py [--threads 2] [--rounds 3] [--steps 3] [--fractions 0.7 0.5] [MODEL ...]
    benchmarks/slowdown/compare.py --bandwidth 2000,2000,10 --threads 1 [MODEL ...]
    benchmarks/slowdown/compare.py --streams 2 --threads 1 --fractions 1 [MODEL ...]

The last columns hold the measured time against the plan: planned over unplanned against what the plan adds to the
unplanned step, and the planned step against the plan's makespan in microseconds of the profile.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BATCH = {"resnet50": 4, "vgg16": 2, "mobilenet_v2": 8, "unet": 1, "gpt2": 1}
SMALL = ["gpt2", "mlp", "mobilenet", "residual", "resnet", "unet", "vgg"]


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


def seconds(output, least):
    median, fastest = re.search(r"time: ([\d.]+) ms a step .*least ([\d.]+) ms", output).groups()
    return float(fastest if least else median) / 1e3


def source_of(model):
    """The file of a model, and the flags that choose its batch."""
    if model.startswith("small/"):
        return ROOT / "examples" / f"{model}.mlir", []
    return ROOT / "examples" / f"{model}.mlir", [f"--batch={BATCH[model]}"]


def plan_flags(arguments):
    """What planning gets beside budget and profile."""
    flags = []
    if arguments.bandwidth:
        flags += ["--swap=cost", f"--bandwidth={arguments.bandwidth}"]
    if arguments.streams > 1:
        flags.append(f"--streams={arguments.streams}")
    return flags


def measure(run, plain, planned, arguments):
    """Seconds a step of both programs, run in turns."""
    steps = f"--steps={arguments.steps}"
    slow = [f"--bandwidth={arguments.bandwidth}"] if arguments.bandwidth else []
    times = {plain: [], planned: []}
    for _ in range(arguments.rounds):
        for program, measured in times.items():
            measured.append(seconds(run(program, steps, *slow), arguments.least))
    pick = min if arguments.least else statistics.median
    return [pick(measured) for measured in times.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", choices=[*BATCH, *(f"small/{m}" for m in SMALL), []], metavar="MODEL")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.7, 0.5])
    parser.add_argument("--bandwidth", metavar="H2D,D2H[,LATENCY]", help="bytes a microsecond, and microseconds")
    parser.add_argument("--streams", type=int, default=1)
    parser.add_argument("--least", action="store_true", help="the least step of all rounds instead of medians")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="the rows as JSON")
    arguments = parser.parse_args()
    run = Runner(arguments.build, arguments.threads)
    print(f"{'model':<16} {'f':>5} {'device MB':>10} {'copies':>7} {'unplanned s':>12} {'planned s':>10} {'predicted':>10} "
          f"{'measured':>9} {'planned / predicted':>20} {'planned / makespan':>19}")
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in arguments.models or BATCH:
            source, batch = source_of(model)
            profile, plain = folder / "device.profile.json", folder / "plain.mpp"
            run(source, *batch, f"--steps={max(3, arguments.steps)}", f"--profile={profile}")
            text = run(source, *batch, f"--emit-program={plain}")
            device, arena = map(int, re.search(r"device (\d+) bytes \(arena (\d+)\)", text).groups())
            for fraction in arguments.fractions:
                planned, plan = folder / "planned.mpp", folder / "plan.json"
                text = run.plan(int(device - arena + fraction * arena), source, *batch, f"--cost-model=profile:{profile}",
                                f"--emit-program={planned}", f"--emit-plan={plan}", *plan_flags(arguments))
                made = json.loads(plan.read_text())
                predicted = float(re.search(r"overhead (-?[\d.]+) %", text).group(1)) / 100
                before, after = measure(run, plain, planned, arguments)
                row = {"model": model, "fraction": fraction, "device_bytes": int(re.search(r"device (\d+) bytes", text).group(1)),
                       "copies": sum("evict" in step or "fetch" in step for step in made["steps"]), "unplanned": before,
                       "planned": after, "predicted": predicted, "makespan": made.get("time", made["cost"]) / 1e6}
                rows.append(row)
                print(f"{model:<16} {fraction:>5} {row['device_bytes'] / 1e6:>10.1f} {row['copies']:>7} {before:>12.5f} "
                      f"{after:>10.5f} {100 * predicted:>8.1f} % {100 * (after / before - 1):>7.1f} % "
                      f"{after / before / (1 + predicted):>20.3f} {after / row['makespan']:>19.3f}", flush=True)
    if arguments.output:
        arguments.output.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
