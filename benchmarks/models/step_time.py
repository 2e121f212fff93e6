#!/usr/bin/env python3
"""Time of a training step in memplan and by `torch.compile`, side by side. Writes two tables of docs/Export.md.

    benchmarks/models/step_time.py [--names A,B] [--rounds 3] [--steps 3] [--threads 2] [--clock wall|cpu] [--budget 80%] [--precision bf16]
                                   [--layout channels-last] [--json FILE] [--from FILE...] [--write]

Both run the same step in f32, forward, backward and SGD, at the same batch, on data that they make up. PyTorch's forward and backward are compiled by inductor
and its SGD is the fused one; its steps run in one process, which waits while the other side runs. memplan's run by `memplan-run`, without a budget, within
--budget of the peak of the step without a plan, and for images without a budget with channels last too. The sides take turns, so that a slow minute of the machine meets all. Of a turn the median step counts, without the
first two of PyTorch and the first of memplan. Of the turns their median counts, and of the ratios of single turns the median too.

"Products alone" is what no step of these products can be below: the operations of the program's products and convolutions at the peak rate of the threads in f32,
measured by peak.c with all of them at work, over PyTorch's step.

With --precision both sides run the step in f32 and in that precision, PyTorch by autocast, memplan without a budget. That is the second table. --layout is
that of memplan's images.

--clock=cpu counts processor seconds, which other work beside changes less. It wants --threads=1, since threads that wait for each other count too. There a step of
memplan is the difference between a run of many steps and one of one step. --from puts rows of former runs beside the new ones. Needs torchvision and `transformers`,
and for the wall clock an otherwise idle machine; takes 2 to 4 minutes a network.
"""
from __future__ import annotations

import argparse
import contextlib
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

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / part) for part in ("build/python", "benchmarks")]
from shared import ROOT, Table, built, call, origin  # noqa: E402

# What two processors do in a second or so, and the share of PyTorch's step that was asked for.
BATCHES = {"resnet50": 4, "mobilenet_v2": 8, "gpt2": 1, "vit_b_16": 4, "bert": 4, "unet": 1}
ASKED = {"resnet50": .7, "mobilenet_v2": .65, "gpt2": .65, "vit_b_16": .75, "bert": .75, "unet": .75}
JOINT = ("vit_b_16", "bert")  # on the joint road
IMAGES = ("resnet50", "mobilenet_v2", "unet")  # whose layout is a choice
RATE = 0.01
SETTINGS = ("threads", "clock", "budget", "precision", "layout")  # of all rows of a table


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
    sys.path.append(str(ROOT / "python-bindings"))  # Behind the package that was built.
    import export_examples
    example = next(e for e in export_examples.EXAMPLES if e.name == name)

    def data(shapes):
        return {n: torch.randint(2, (batch, *s)) if t == torch.int64 else torch.rand(batch, *s) for n, (s, t) in shapes.items()}
    return example.build, data(example.inputs), data(example.targets), example.loss, export_training_step


def autocast(precision: str):
    import torch
    types = {"bf16": torch.bfloat16, "f16": torch.float16}
    return torch.autocast("cpu", types[precision]) if precision in types else contextlib.nullcontext()


def write_program(name: str, precision: str, path: pathlib.Path) -> None:
    from memplan.export import optimizer, record_initializers
    build, inputs, targets, loss, export = network(name)
    with record_initializers() as record:
        model = build().train()
    with autocast(precision):
        path.write_text(export(model, inputs, targets, loss, record=record, optimizer_settings=optimizer("sgd", lr=RATE)))


def write_program_apart(name: str, folder: pathlib.Path, precision: str = "f32") -> pathlib.Path:
    """In a process of its own, whose PyTorch takes no memory from what is measured."""
    path = folder / f"{name}.{precision}.mlir"
    if not path.exists():
        call(sys.executable, __file__, "--program", name, precision, path)
    return path


def answer(name: str, precision: str, threads: int, clock) -> None:
    """For each number that is read, the seconds of as many steps of PyTorch."""
    import torch
    torch.set_num_threads(threads)
    build, inputs, targets, loss, _ = network(name)
    model = build().train()
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE, fused=True)
    cast = autocast(precision)

    @torch.compile
    def forward(*tensors):
        with cast:
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


@contextlib.contextmanager
def torch_steps(name: str, precision: str, arguments):
    """A function that gives the median seconds of a step of PyTorch, which is compiled."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(arguments.threads)}
    command = [sys.executable, __file__, "--answer", name, "--answer-precision", precision, "--threads", str(arguments.threads), "--clock", arguments.clock]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as worker:
        def ask(steps: int) -> float:
            print(steps, file=worker.stdin, flush=True)
            return statistics.median(json.loads(worker.stdout.readline()))
        ask(2)  # compiles
        yield lambda: ask(arguments.steps)
        worker.stdin.close()


def measure(name: str, arguments, tool: pathlib.Path, folder: pathlib.Path) -> dict:
    programs = dict.fromkeys(("free", "budget", "last", "free_short"), write_program_apart(name, folder))
    layout = [f"--layout={arguments.layout}"]
    flags = {"free": layout, "budget": [*layout, f"--budget={arguments.budget}"]}
    if name in IMAGES:
        flags["last"] = ["--layout=channels-last"]
    precisions = {"torch": "f32"}
    if arguments.precision:
        flags = {"free": layout, "free_short": [*layout, f"--precision={arguments.precision}"]}
        if name in JOINT:  # casts of a joint graph are PyTorch's own
            programs["free_short"], flags["free_short"] = write_program_apart(name, folder, arguments.precision), layout
        precisions["torch_short"] = arguments.precision
    turns = {side: [] for side in (*precisions, *flags)}
    with contextlib.ExitStack() as workers:
        torchs = {side: workers.enter_context(torch_steps(name, precision, arguments)) for side, precision in precisions.items()}
        for _ in range(arguments.rounds):
            for side, step in torchs.items():
                turns[side].append(step())
            for side, each in flags.items():
                turns[side].append(run_memplan(tool, programs[side], arguments, each))
    return {"name": name, "batch": BATCHES[name], **{key: getattr(arguments, key) for key in SETTINGS}, "turns": turns, "origin": origin()}


PRODUCTS = re.compile(r"memplan\.(matmul|conv|attention)")


def operations_of_products(opt: pathlib.Path, program: pathlib.Path) -> float:
    graph = json.loads(call(opt, program, "--emit=graph"))
    return sum(node.get("flops", 0) for node in graph["nodes"] if PRODUCTS.match(node["name"]))


def peak_rate(threads: int, folder: pathlib.Path) -> float:
    """Operations a second of all threads together."""
    program = folder / "peak"
    call(os.environ.get("CC", "cc"), "-O3", "-march=native", "-ffp-contract=fast", pathlib.Path(__file__).with_name("peak.c"), "-o", program)
    workers = [subprocess.Popen([program], stdout=subprocess.PIPE, text=True) for _ in range(threads)]
    return sum(float(worker.communicate()[0].split()[0]) for worker in workers)


def ratio(turns: dict, side: str, base: str) -> float:
    """The median of the ratios of single turns."""
    return statistics.median(own / other for own, other in zip(turns[side], turns[base]))


def row(found: dict) -> str:
    turns = found["turns"]
    middle = {side: f"{statistics.median(seconds):.3f}" for side, seconds in turns.items()}
    cells = [found["name"], str(found["batch"])]
    if found["precision"]:
        for long, short in (("torch", "torch_short"), ("free", "free_short")):
            cells += [middle[long], middle[short], f"{ratio(turns, short, long):.2f}"]
    else:
        for side in ("free", "budget", "last"):
            cells += [middle[side], f"{ratio(turns, side, 'torch'):.2f}"] if side in turns else ["", ""]
        cells[2:2] = [middle["torch"]]
        least = found["products"] / found["peak"]
        cells += [f"{least / statistics.median(turns['torch']):.2f}", f"{ASKED[found['name']]:.2f}"]
    return f"| {' | '.join(cells)} |"


def table(results: dict) -> Table:
    """The rows in the order of BATCHES, below what they are of."""
    ordered = [results[name] for name in BATCHES if name in results]
    first = ordered[0]
    others = [f"{r['name']}: {r['origin']['commit']}" for r in ordered if r["origin"]["commit"] != first["origin"]["commit"]]
    lines = Table({**first["origin"], "commit": "; ".join([first["origin"]["commit"], *others])})
    seconds = "processor seconds" if first["clock"] == "cpu" else "seconds"
    asked = "" if first["precision"] or (first["clock"], first["threads"]) == ("wall", 2) else " What is asked is of seconds of two threads."
    lines.add(f"A step in {seconds}, threads: {first['threads']}, {first['layout']}.{asked}", "")
    if short := first["precision"]:
        titles = ["network", "batch", "torch.compile, f32", short, "ratio", "memplan, f32", short, "ratio"]
    else:
        titles = ["network", "batch", "torch.compile", "memplan", "ratio", f"within {first['budget']}", "ratio", "channels last", "ratio",
                  "products alone", "asked"]
    lines.add(f"| {' | '.join(titles)} |", "|---" * len(titles) + "|", *map(row, ordered))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--budget", default="80%")
    parser.add_argument("--precision", choices=("bf16", "f16"))
    parser.add_argument("--layout", choices=("channels-first", "channels-last"), default="channels-first")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", dest="former", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--program", nargs=3, help="used for the process of an export")
    parser.add_argument("--answer", help="used for the process of PyTorch's steps")
    parser.add_argument("--answer-precision", default="f32", help="likewise")
    arguments = parser.parse_args()
    if arguments.program:
        return write_program(*arguments.program[:2], pathlib.Path(arguments.program[2]))
    if arguments.answer:
        return answer(arguments.answer, arguments.answer_precision, arguments.threads, time.process_time if arguments.clock == "cpu" else time.perf_counter)
    tool = built(arguments.build.resolve(), "memplan-run") / "bin/memplan-run"
    results = {r["name"]: r for path in arguments.former for r in json.loads(path.read_text())}
    wanted = arguments.names.split(",") if arguments.names else [n for n in BATCHES if n not in results]
    if unknown := sorted(set(wanted) - set(BATCHES)):
        sys.exit(f"no network {', '.join(unknown)}; there are {', '.join(BATCHES)}")
    settings = {key: getattr(arguments, key) for key in SETTINGS}
    if others := [name for name, found in results.items() if any(found[key] != value for key, value in settings.items())]:
        sys.exit(f"the rows of --from have other settings than the new ones: {', '.join(others)}")
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = pathlib.Path(name_of_folder)
        for name in wanted:
            results[name] = measure(name, arguments, tool, folder)
            if arguments.json:
                arguments.json.write_text(json.dumps(list(results.values()), indent=1) + "\n")
        # Takes no idle machine, so that rows of former runs get it here too.
        if lacking := [] if arguments.precision else [name for name in results if "products" not in results[name]]:
            peak = peak_rate(arguments.threads, folder)
            for name in lacking:
                results[name] |= {"products": operations_of_products(tool.with_name("memplan-opt"), write_program_apart(name, folder)), "peak": peak}
            if arguments.json:
                arguments.json.write_text(json.dumps(list(results.values()), indent=1) + "\n")
    lines = table(results)
    if arguments.write:
        lines.write([ROOT / "docs/Export.md"], "benchmarks/models/step_time.py" + " --precision" * bool(arguments.precision))


if __name__ == "__main__":
    main()
