#!/usr/bin/env python3
"""Time of one training step in memplan and in PyTorch eager, side by side.

    utils/install-torch.sh && ninja -C build memplan-run
    ~/.cache/memplan/torch/bin/python benchmarks/torch_eager/compare.py [--threads 2] [--rounds 3] [--steps 3] [MODEL ...]

Both run the same module: forward, backward, SGD; same batch, same number of threads, float32. The two take turns, each in a process
of its own, so that a slow minute of the machine meets both. Of a turn the median step counts, its first step left out; the table shows
the smallest and the median turn. A ratio above 1 means that memplan is slower.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from shared import built  # noqa: E402
sys.path.append(str(ROOT / "python-bindings"))

# What two cores and 16 GB of memory bear.
BATCHES = {"resnet50": 4, "vgg16": 2, "mobilenet_v2": 8, "unet": 1, "gpt2": 1}


def example_at_batch(model: str, batch: int | None = None):
    import export_examples
    example = next(e for e in export_examples.EXAMPLES if e.name == model)
    return dataclasses.replace(example, batch=batch or BATCHES[model])


def checkpoint_blocks(module):
    """Has every block of a row of blocks of one kind computed again in the backward pass."""
    import torch
    from torch.utils.checkpoint import checkpoint
    for row in module.modules():
        kinds = {type(child) for child in row.children()}
        if isinstance(row, (torch.nn.ModuleList, torch.nn.Sequential)) and len(row) > 1 and len(kinds) == 1:
            for block in row:
                block.forward = functools.partial(checkpoint, block.forward, use_reentrant=False)


def torch_steps(model: str, arguments) -> list[float]:
    """Seconds of each step, run in this process, on the device, in the precision and the layout that the flags say. On a GPU it says before what the device held at most."""
    import torch
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    # cuDNN times its algorithms, as a profile has memplan's variants timed.
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = arguments.precision == "tf32"
    device = torch.device(arguments.torch_device)
    lowered = {"bf16": torch.bfloat16, "f16": torch.float16}.get(arguments.precision)
    layout = torch.channels_last if arguments.layout == "channels-last" else torch.contiguous_format
    example = example_at_batch(model, arguments.batch)
    module = example.build().train().to(device, memory_format=layout)
    if arguments.checkpointed:
        checkpoint_blocks(module)
    if arguments.activation_budget is not None:
        import torch._functorch.config
        torch._functorch.config.activation_memory_budget = arguments.activation_budget
    forward = torch.compile(module) if arguments.compiled else module

    def random(shape, dtype):
        # Labels and tokens below 2 are valid for every model.
        made = torch.randint(2, shape) if dtype == torch.int64 else torch.rand(shape)
        return made.to(device, memory_format=layout) if made.dim() == 4 else made.to(device)

    inputs, targets = ([random((example.batch, *shape), dtype) for shape, dtype in data.values()]
                       for data in (example.inputs, example.targets))
    optimizer = torch.optim.SGD(module.parameters(), lr=example.optimizer["lr"])
    seconds = []
    for _ in range(arguments.steps):
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device.type, lowered, enabled=lowered is not None):
            loss = example.loss(forward(*inputs), *targets)
        loss.backward()
        optimizer.step()
        loss.item()
        seconds.append(time.perf_counter() - start)
    if device.type == "cuda":
        print("bytes", torch.cuda.max_memory_allocated())
    return seconds


def run(command: list[str], threads: int) -> subprocess.CompletedProcess:
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with status {done.returncode}:\n{done.stderr[-2000:]}")
    return done


def run_torch(model: str, steps: int, threads: int) -> float:
    """Median seconds of a step; the first one is left out."""
    done = run([sys.executable, __file__, "--torch-worker", model, "--steps", str(steps), "--threads", str(threads)], threads)
    return statistics.median(json.loads(done.stdout.splitlines()[-1])[1:])


def run_memplan(tool: pathlib.Path, program: pathlib.Path, steps: int, threads: int, flags: list[str]) -> float:
    """Median seconds of a step; memplan-run leaves the first one out."""
    done = run([str(tool), str(program), "--backend=cpu", f"--steps={steps}", f"--threads={threads}", "--init-seed=1", *flags], threads)
    time_line = re.search(rf"^time: ([\d.]+) ms a step \(median of {steps - 1}\), least", done.stdout, re.MULTILINE)
    if not time_line:
        sys.exit(f"{tool.name} reported no time of {steps - 1} steps:\n{done.stdout[-2000:]}")
    return float(time_line[1]) * 1e-3


def measure(model: str, arguments, folder: pathlib.Path) -> dict:
    program = folder / f"{model}.mlir"
    run([sys.executable, __file__, "--write-program", model, "--output", str(program)], arguments.threads)
    times = {"torch": [], "memplan": []}
    for number in range(arguments.rounds):
        # The one that starts changes, so that neither always runs on the warmer machine.
        for engine in (["torch", "memplan"] if number % 2 == 0 else ["memplan", "torch"]):
            steps = arguments.steps + 1
            times[engine].append(run_torch(model, steps, arguments.threads) if engine == "torch" else
                                 run_memplan(arguments.build / "bin" / "memplan-run", program, steps, arguments.threads, arguments.flag))
    row = {"model": model, "batch": BATCHES[model], "threads": arguments.threads, "turns": arguments.rounds, "steps": arguments.steps}
    for engine, seconds in times.items():
        row[f"{engine}_min_s"], row[f"{engine}_median_s"] = min(seconds), statistics.median(seconds)
    row["ratio_min"] = row["memplan_min_s"] / row["torch_min_s"]
    row["ratio_median"] = row["memplan_median_s"] / row["torch_median_s"]
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(BATCHES)}; default: all")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="turns of each side")
    parser.add_argument("--steps", type=int, default=3, help="timed steps per turn")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder with bin/memplan-run")
    parser.add_argument("--flag", action="append", default=[], help="passed on to memplan-run, e.g. --flag=--budget=4G")
    parser.add_argument("--json", type=pathlib.Path, help="also write the rows to this file")
    parser.add_argument("--torch-worker", metavar="MODEL", help=argparse.SUPPRESS)
    parser.add_argument("--write-program", metavar="MODEL", help=argparse.SUPPRESS)
    parser.add_argument("--output", type=pathlib.Path, help=argparse.SUPPRESS)
    for flag, more in (("device", {"default": "cpu"}), ("batch", {"type": int}), ("precision", {"default": "f32"}), ("layout", {"default": "channels-first"})):
        parser.add_argument("--torch-device" if flag == "device" else f"--{flag}", help=argparse.SUPPRESS, **more)
    for flag in ("compiled", "checkpointed"):
        parser.add_argument(f"--{flag}", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--activation-budget", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.torch_worker:
        print(json.dumps(torch_steps(arguments.torch_worker, arguments)))
        return 0
    built(arguments.build, "memplan-run")
    if arguments.write_program:
        arguments.output.write_text(example_at_batch(arguments.write_program).text())
        return 0
    unknown = sorted(set(arguments.models) - set(BATCHES))
    if unknown:
        parser.error(f"no model {', '.join(unknown)}; there are {', '.join(BATCHES)}")
    if not (arguments.build / "bin" / "memplan-run").exists():
        parser.error(f"{arguments.build / 'bin' / 'memplan-run'} is not built")

    rows = []
    print(f"seconds per step, {arguments.threads} threads\n{'model':14}{'batch':>6}{'torch min':>11}{'median':>9}{'memplan min':>13}"
          f"{'median':>9}{'ratio min':>11}{'median':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models or BATCHES:
            row = measure(model, arguments, pathlib.Path(folder))
            rows.append(row)
            print(f"{model:14}{row['batch']:6}{row['torch_min_s']:11.3f}{row['torch_median_s']:9.3f}{row['memplan_min_s']:13.3f}"
                  f"{row['memplan_median_s']:9.3f}{row['ratio_min']:11.2f}{row['ratio_median']:9.2f}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
