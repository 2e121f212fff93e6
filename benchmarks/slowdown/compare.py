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
unplanned step; the planned step against the plan's makespan in microseconds of the profile; and against the makespan
of the same plan where nodes cost what they take in its own program and memory, profiled right before and after each
measurement: the median over the rounds. The last one says how well queues and copies do what the plan says of them,
whatever else runs on the machine. --cpus keeps all runs on the same cores.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import built, head  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils" / "check_plan.py")
check_plan = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_plan)
BATCH = {"resnet50": 4, "vgg16": 2, "mobilenet_v2": 8, "unet": 1, "gpt2": 1}
SMALL = ["gpt2", "mlp", "mobilenet", "residual", "resnet", "unet", "vgg"]


class Runner:
    def __init__(self, build, threads, cpus):
        self.tool, self.opt, self.threads, self.cpus = build / "bin" / "memplan-run", build / "bin" / "memplan-opt", threads, cpus

    def __call__(self, program, *flags):
        done = self.start(program, *flags)
        if done.returncode:
            sys.exit(f"memplan-run {program} {' '.join(flags)}\n{done.stderr}")
        return done.stdout + done.stderr

    def start(self, program, *flags):
        command = [str(self.tool), str(program), f"--threads={self.threads}", *flags]
        pin = (lambda: os.sched_setaffinity(0, self.cpus)) if self.cpus else None
        return subprocess.run(command, capture_output=True, text=True, preexec_fn=pin)

    def graph(self, source, *flags):
        done = subprocess.run([str(self.opt), str(source), *flags, "--emit=graph"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

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
        flags += ["--swap=search", f"--bandwidth={arguments.bandwidth}"]
    if arguments.streams > 1:
        flags.append(f"--streams={arguments.streams}")
    return flags


def makespan(graph, plan, bandwidth):
    """Of the actions of a plan, where nodes cost what the graph says."""
    rates = {"bandwidth": check_plan.parse_bandwidth(bandwidth)} if bandwidth else {}
    execution = check_plan.Execution(check_plan.Graph({**graph, **rates}))
    for step in plan["steps"]:
        execution.perform(step)
    return execution.queues.end


class Rounds:
    """Both programs run in turns, and the planned one profiled in between."""

    def __init__(self, run, source, batch, programs, plan, arguments):
        self.run, self.source, self.batch, self.arguments = run, source, batch, arguments
        self.programs, self.made = programs, json.loads(plan.read_text())
        self.slow = [f"--bandwidth={arguments.bandwidth}"] if arguments.bandwidth else []
        self.times, self.ratios = ([], []), []

    def retimed(self):
        """Seconds that the plan takes by what its program costs now."""
        profile = self.programs[1].with_suffix(".profile.json")
        self.run(self.programs[1], f"--steps={max(4, self.arguments.steps)}", f"--profile={profile}", *self.slow)
        graph = self.run.graph(self.source, *self.batch, f"--cost-model=profile:{profile}")
        return makespan(graph, self.made, self.arguments.bandwidth) / 1e6

    def measure(self):
        before = self.retimed()
        for program, times in zip(self.programs, self.times):
            text = self.run(program, f"--steps={self.arguments.steps}", *self.slow)
            times.append(seconds(text, self.arguments.least))
        self.ratios.append(self.times[1][-1] / ((before + self.retimed()) / 2))

    def result(self):
        """Seconds of a step, unplanned and planned, and the planned one against its makespan."""
        pick = min if self.arguments.least else statistics.median
        return *map(pick, self.times), statistics.median(self.ratios)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", choices=[*BATCH, *(f"small/{m}" for m in SMALL), []], metavar="MODEL")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.7, 0.5])
    parser.add_argument("--bandwidth", metavar="H2D,D2H[,LATENCY]", help="bytes a microsecond, and microseconds")
    parser.add_argument("--streams", type=int, default=1)
    parser.add_argument("--cpus", type=lambda text: {int(cpu) for cpu in text.split(",")}, help="cores to run on: 0,1")
    parser.add_argument("--least", action="store_true", help="the least step of all rounds instead of medians")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="the rows as JSON")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt", "memplan-run")
    print(head(), flush=True)
    run = Runner(arguments.build, arguments.threads, arguments.cpus)
    print(f"{'model':<16} {'f':>5} {'device MB':>10} {'copies':>7} {'unplanned s':>12} {'planned s':>10} {'predicted':>10} "
          f"{'measured':>9} {'planned / predicted':>20} {'planned / makespan':>19} {'/ its own costs':>16}")
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
                rounds = Rounds(run, source, batch, (plain, planned), plan, arguments)
                for _ in range(arguments.rounds):
                    rounds.measure()
                before, after, ratio = rounds.result()
                row = {"model": model, "fraction": fraction, "device_bytes": int(re.search(r"device (\d+) bytes", text).group(1)),
                       "copies": sum("evict" in step or "fetch" in step for step in made["steps"]), "unplanned": before,
                       "planned": after, "predicted": predicted, "makespan": made.get("time", made["cost"]) / 1e6, "against_own_costs": ratio}
                rows.append(row)
                print(f"{model:<16} {fraction:>5} {row['device_bytes'] / 1e6:>10.1f} {row['copies']:>7} {before:>12.5f} "
                      f"{after:>10.5f} {100 * predicted:>8.1f} % {100 * (after / before - 1):>7.1f} % "
                      f"{after / before / (1 + predicted):>20.3f} {after / row['makespan']:>19.3f} {ratio:>16.3f}", flush=True)
    if arguments.output:
        arguments.output.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
