#!/usr/bin/env python3
"""Time of a training step in memplan and by `torch.compile`, side by side. Prints a table for docs/.

    benchmarks/models/step_time.py [--names A,B] [--rounds 3] [--steps 3] [--threads 2] [--clock wall|cpu] [--budget 80%] [--json FILE] [--from FILE...]

Both run the same step in f32, forward, backward and SGD, at the same batch, on data that they make up. PyTorch's forward and backward are compiled by inductor
and its SGD is the fused one; its steps run in one process, which waits while the other side runs. memplan's run by `memplan-run`, without a budget and within
--budget of the peak of the step without a plan. The sides take turns, so that a slow minute of the machine meets all. Of a turn the median step counts, without the
first two of PyTorch and the first of memplan. Of the turns their median counts, and of the ratios of single turns the median too.

--clock=cpu counts processor seconds, which other work beside changes less. It wants --threads=1, since threads that wait for each other count too. There a step of
memplan is the difference between a run of many steps and one of one step. --from puts rows of former runs beside the new ones. Needs torchvision and `transformers`,
and for the wall clock an otherwise idle machine; takes 2 to 4 minutes a network.
"""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(__file__).resolve().parents[2] / "python-bindings")]
from shared import ROOT, Table, built, origin  # noqa: E402

# What two processors do in a second or so, and the share of PyTorch's step that was asked for.
BATCHES = {"resnet50": 4, "mobilenet_v2": 8, "gpt2": 1, "vit_b_16": 4, "bert": 4, "unet": 1}
ASKED = {"resnet50": .7, "mobilenet_v2": .65, "gpt2": .65, "vit_b_16": .75, "bert": .75, "unet": .75}
RATE = 0.01


def network(name: str):
    """Module, inputs, targets, loss of a network, and the exporter of its road."""
    import torch
    from memplan.export import export_joint_step, export_training_step
    from torch.nn import functional

    batch = BATCHES[name]
    torch.manual_seed(0)
    if name == "vit_b_16":
        import torchvision
        inputs, targets = {"image": torch.rand(batch, 3, 224, 224)}, {"label": torch.arange(batch)}
        return torchvision.models.vit_b_16, inputs, targets, functional.cross_entropy, export_joint_step
    if name == "bert":
        import transformers
        tokens = torch.randint(1000, (batch, 128))

        def build():
            # Both sides would draw other numbers for dropout, at other costs.
            settings = transformers.BertConfig(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
            return transformers.BertForMaskedLM(settings)

        def loss(output, label):
            return functional.cross_entropy(output.logits.flatten(0, 1), label.flatten())
        return build, {"input_ids": tokens}, {"label": tokens.clone()}, loss, export_joint_step
    import export_examples
    example = next(e for e in export_examples.EXAMPLES if e.name == name)

    def data(shapes):
        return {n: torch.randint(2, (batch, *s)) if t == torch.int64 else torch.rand(batch, *s) for n, (s, t) in shapes.items()}
    return example.build, data(example.inputs), data(example.targets), example.loss, export_training_step


def write_program(name: str, path: pathlib.Path) -> None:
    from memplan.export import optimizer, record_initializers
    build, inputs, targets, loss, export = network(name)
    with record_initializers() as record:
        model = build().train()
    path.write_text(export(model, inputs, targets, loss, record=record, optimizer_settings=optimizer("sgd", lr=RATE)))


def answer(name: str, threads: int, clock) -> None:
    """For each number that is read, the seconds of as many steps of PyTorch."""
    import torch
    torch.set_num_threads(threads)
    build, inputs, targets, loss, _ = network(name)
    model = build().train()
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE, fused=True)

    @torch.compile
    def forward(*tensors):
        return loss(model(*tensors[:len(inputs)]), *tensors[len(inputs):])

    for line in sys.stdin:
        seconds = []
        for _ in range(int(line)):
            begin = clock()
            optimizer.zero_grad(set_to_none=True)
            value = forward(*inputs.values(), *targets.values())
            value.backward()
            optimizer.step()
            value.item()
            seconds.append(clock() - begin)
        print(json.dumps(seconds), flush=True)


def run_memplan(tool: pathlib.Path, program: pathlib.Path, arguments, flags: list[str]) -> float:
    """Seconds of a step by the clock that was asked for."""
    def run(steps: int) -> tuple[float, str]:
        command = [str(tool), str(program), f"--steps={steps}", f"--threads={arguments.threads}", "--quiet", *flags]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": str(arguments.threads)})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout

    many, printed = run(arguments.steps + 1)
    if arguments.clock == "cpu":
        return (many - run(1)[0]) / arguments.steps
    return float(re.search(r"^time: ([\d.]+) ms a step", printed, re.MULTILINE)[1]) * 1e-3


def measure(name: str, arguments, tool: pathlib.Path, folder: pathlib.Path) -> dict:
    program = folder / f"{name}.mlir"
    write = subprocess.run([sys.executable, __file__, "--program", name, str(program)], capture_output=True, text=True)
    if write.returncode:
        sys.exit(write.stderr[-2000:])
    environment = {**os.environ, "OMP_NUM_THREADS": str(arguments.threads)}
    turns = {"torch": [], "free": [], "budget": []}
    answers = [sys.executable, __file__, "--answer", name, "--threads", str(arguments.threads), "--clock", arguments.clock]
    with subprocess.Popen(answers, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as worker:
        def ask(steps: int) -> list[float]:
            print(steps, file=worker.stdin, flush=True)
            return json.loads(worker.stdout.readline())
        ask(2)  # compiles
        for _ in range(arguments.rounds):
            turns["torch"].append(statistics.median(ask(arguments.steps)))
            turns["free"].append(run_memplan(tool, program, arguments, []))
            turns["budget"].append(run_memplan(tool, program, arguments, [f"--budget={arguments.budget}"]))
        worker.stdin.close()
    settings = {key: getattr(arguments, key) for key in ("threads", "clock", "budget")}
    return {"name": name, "batch": BATCHES[name], **settings, "turns": turns, "origin": origin()}


def row(found: dict) -> str:
    turns = found["turns"]
    middle = {side: statistics.median(seconds) for side, seconds in turns.items()}
    ratio = {side: statistics.median(own / torchs for own, torchs in zip(turns[side], turns["torch"])) for side in ("free", "budget")}
    asked = ASKED[found["name"]]
    return (f"| {found['name']} | {found['batch']} | {middle['torch']:.3f} | {middle['free']:.3f} | {ratio['free']:.2f} | {middle['budget']:.3f} | "
            f"{ratio['budget']:.2f} | {asked:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--budget", default="80%")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", dest="former", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--program", nargs=2, help="used for the process of an export")
    parser.add_argument("--answer", help="used for the process of PyTorch's steps")
    arguments = parser.parse_args()
    if arguments.program:
        return write_program(arguments.program[0], pathlib.Path(arguments.program[1]))
    if arguments.answer:
        return answer(arguments.answer, arguments.threads, time.process_time if arguments.clock == "cpu" else time.perf_counter)
    tool = built(arguments.build.resolve(), "memplan-run") / "bin/memplan-run"
    results = {r["name"]: r for path in arguments.former for r in json.loads(path.read_text())}
    wanted = arguments.names.split(",") if arguments.names else [n for n in BATCHES if n not in results]
    if unknown := sorted(set(wanted) - set(BATCHES)):
        sys.exit(f"no network {', '.join(unknown)}; there are {', '.join(BATCHES)}")
    with tempfile.TemporaryDirectory() as folder:
        for name in wanted:
            results[name] = measure(name, arguments, tool, pathlib.Path(folder))
            print(row(results[name]), flush=True)
            if arguments.json:
                arguments.json.write_text(json.dumps(list(results.values()), indent=1) + "\n")
    ordered = [results[name] for name in BATCHES if name in results]
    lines = Table(ordered[0]["origin"])
    budget = ordered[0]["budget"]
    seconds = "processor seconds" if ordered[0]["clock"] == "cpu" else "seconds"
    lines.add(f"A step in {seconds}, threads: {ordered[0]['threads']}; the last column was asked for the seconds of two threads.", "")
    lines.add(f"| network | batch | torch.compile | memplan | ratio | within {budget} | ratio | asked |", "|---|---|---|---|---|---|---|---|")
    lines.add(*map(row, ordered))


if __name__ == "__main__":
    main()
