#!/usr/bin/env python3
"""What the CUDA backend reaches: what can be shown without a GPU, each row with how it was shown, and what only a GPU shows, with the commands.

    benchmarks/cuda/table.py [--device FILE.json] [--build DIR] [--write]

Convolutions are planned for the GPU that FILE describes, by cuDNN itself; with little effort, for a plan's scratch is asked for and not its time. --write puts both tables in docs/Runtime/Cuda.md.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from gpt2_bytes import peaks
from shared import ROOT, built, head, put_table

LINE = re.compile(r"^\d+: (?P<kernel>\S+) node=(?P<node>\d+)(?: run=(?P<run>\d+))?.*", re.MULTILINE)
CONVOLUTION = re.compile(r"memplan\.conv")
# What a GPU is needed for: what, reach, the sections of first_contact.py or the commands that check it.
ON_A_GPU = [
    ("conformance, small steps, planned = unplanned bit for bit; memcheck, racecheck, synccheck", "all; clean", "`conformance`, `equal`, `memcheck`, `racecheck`, `synccheck`"),
    ("free bytes taken after warm-up, less context and libraries / planned", "1.00", "`taken`"),
    ("ten replays against ten eager steps, dropout and Adam", "bit for bit", "`replays`"),
    ("the variants that a recorded description gives = those of the one written by hand", "equal", "`device`, then `--prepare` with `--device=results/device.json`"),
    ("ResNet-50 batch 32, GPT-2 batch 8, f32, no recomputation, graph: time / PyTorch's, eager and compiled", "<= 1.0, <= 1.15", "`speed` against `torch`"),
    ("the same in TF32 and bf16 on tensor cores, NCHW", "<= 1.0, <= 1.15", "`speed` against `torch`"),
    ("ResNet-50 batch 32 in bf16, channels last: time / PyTorch's with `channels_last`, eager and compiled", "<= 1.0, <= 1.15", "`speed` against `torch`"),
    ("the same with `--fuse`: time / without", "< 1.0", "`speed`"),
    ("two ranks with a GPU each: parameters after ten steps / those of one process with both batches", "equal to rounding; equal bits on both ranks", "`ranks`, for equal bits; docs/Ranks.md with `--backend=cuda` for the other"),
    ("updates of a step: launches, time / those of a launch each", "1 or 2 a kind; below 1", "`nsys profile memplan-run STEP.mpp --backend=cuda --steps=20`"),
    ("host time of an operation in a replay", "< 1 us", "`replay`, an upper bound"),
    ("times of variants, page-locked bandwidth each way and both at once", "come out", "`profile`"),
    ("a budget of the device: free bytes after the step / 20 % of those before", ">= 1.0", "`memplan-run STEP.mlir --backend=cuda --budget=device:80% --measure`"),
    ("device bytes at equal time / PyTorch's best", "<= 0.8", "`slowdown`, `savings`, then `--predict`"),
    ("largest batch at 16 GiB, Checkmate's six networks / checkpoint-all", ">= Checkmate's ratios, to 5.1", "`--prepare` for the ratios, `largest` for the steps"),
    ("own kernels above 16 MiB: bytes/s against a device copy", ">= 85 %, batch norm >= 70 %", "`profile`, `copy`, then `--predict`"),
    ("measured slowdown of a plan / predicted, at 70, 50 and 30 % of activations; recomputation, copies, both", "within 5 %", "`profile`, `slowdown`, then `--predict`"),
]


def convolutions(tools, step, device, folder, options):
    """Of a planned step: (planned bytes, asked bytes, convolutions, those without a variant, variants by convolution of the source, nodes in two variants)."""
    env = dict(os.environ, MEMPLAN_CUDA_DEVICE=str(device), MEMPLAN_PLUGIN_PATH=str(tools.parent / "lib"))

    def run(*command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=env)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
        return done.stdout

    unlimited = [option for option in options if not option.startswith(("--budget", "--effort"))]
    graph, plan = folder / "graph.json", folder / "plan.json"
    run(tools / "memplan-opt", step, *unlimited, "--backend=cuda", "--emit=graph", "-o", graph)
    run(tools / "memplan-opt", step, *options, "--backend=cuda", "--emit=plan", "-o", plan)
    text = run(tools / "memplan-run", step, *unlimited, "--backend=cuda", f"--plan={plan}", "--dump")
    variants_of = {}
    nodes = {node["id"]: node for node in json.loads(graph.read_text())["nodes"]}
    chosen, runs = {}, {}
    for action in json.loads(plan.read_text())["steps"]:
        if "compute" in action:
            node = action["compute"]
            chosen[node, runs.setdefault(node, 0)] = action.get("variant", 0)
            runs[node] += 1
    planned = asked = count = unnamed = 0
    for line in LINE.finditer(text):
        if not CONVOLUTION.match(line["kernel"]):
            continue
        node = int(line["node"])
        variants = nodes[node].get("variants", [{"workspace_bytes": nodes[node].get("workspace_bytes", 0)}])
        scratch = re.search(r" workspace\(arena\d+\+\d+:(\d+)xi8\)", line[0])
        planned += int(scratch[1]) if scratch else 0
        asked += variants[chosen[node, int(line["run"] or 0)]]["workspace_bytes"]
        count += 1
        unnamed += " variant=cudnn:" not in line[0]
        variants_of.setdefault(node, set()).add(re.search(r" variant=(\S+)|$", line[0])[1])
    listed = [len(node.get("variants", [0])) for node in nodes.values() if CONVOLUTION.match(node["name"])]
    return planned, asked, count, unnamed, listed, sum(len(names) > 1 for names in variants_of.values())


def sanitized(build):
    """What CudaTsan says."""
    binary = build / "test/Unit/CudaTsan"
    if not binary.exists():
        return "not built"
    done = subprocess.run([str(binary), "safe"], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 and "WARNING" not in done.stderr else "failed"


def tests(build, binary, pattern, **variables):
    """Whether the tests of a binary pass, as a word for the table."""
    folder = build / "test/Unit"
    if not (folder / binary).exists():
        return "not built"
    env = dict(os.environ, MEMPLAN_PLUGIN_PATH=str(build / ("test/cuda-on-host" if binary == "ConformanceTests" else "lib")), **variables)
    done = subprocess.run([str(folder / binary), f"--gtest_filter={pattern}"], capture_output=True, text=True, env=env)
    passed = re.search(r"\[  PASSED  \] (\d+) test", done.stdout)
    if done.returncode or not passed or "[  SKIPPED ]" in done.stdout:
        return "failed" if done.returncode else "skipped"
    return f"{passed[1]} pass"


def first_table(options, folder):
    fused, plain = peaks(8, options.build)
    tools, rows = built(options.build, "memplan-opt", "memplan-run") / "bin", []
    for name, batch, precision, layout in (("resnet50", 32, "f32", "first"), ("resnet50", 32, "tf32", "first"), ("resnet50", 32, "bf16", "first"), ("resnet50", 32, "bf16", "last"),
                                           ("unet", 4, "f32", "first"), ("unet", 4, "bf16", "last")):
        step = ROOT / f"examples/{name}.mlir"
        planned, asked, count, unnamed, listed, mixed = convolutions(tools, step, options.device, folder, [f"--batch={batch}", "--budget=80%", f"--precision={precision}", f"--layout=channels-{layout}", "--effort=2000"])
        letters = "NHWC" if layout == "last" else "NCHW"
        name += ("" if precision == "f32" else f" in {precision}") + (", NHWC" if layout == "last" else "")
        many = sum(n >= 3 for n in listed)
        ratio = f"{planned} / {asked} = {planned / asked:.3f}" if asked else f"{planned} / 0"
        rows += [(f"{name}, batch {batch}: scratch planned / asked from cuDNN, {letters}, {count} launches", "1.000", ratio, "cuDNN without a GPU"),
                 (f"{name}: convolutions that run no variant of cuDNN", "0", str(unnamed), "cuDNN without a GPU"),
                 (f"{name}: convolutions that the plan runs in two variants", "0", str(mixed), "cuDNN without a GPU"),
                 (f"{name}: convolutions of which the planner sees 3 variants or more", ">= 90 %", f"{many} of {len(listed)}, {min(listed)} to {max(listed)} each", "cuDNN without a GPU")]
    rows += [("planted faults (missing wait, late stream, lost device, missing library, failing handle, 2 MiB pages, call not allowed in capture), false alarms", "each found; 0 in 1000",
              tests(options.build, "CudaMockTests", "CudaStreams.*:CudaFailures.*:*CudaBytes.*"), "mock and host"),
             ("conformance cases; blocks in another order", "all", f"{tests(options.build, 'ConformanceTests', '*computes_its_formula/cuda_*')}; {tests(options.build, 'ConformanceTests', '*computes_its_formula/cuda_*', MEMPLAN_TEST_BLOCKS='5')}", "host"),
             ("cases of each kernel on 64 threads of the host, blocks in two random orders, thread sanitizer", "all pass, quiet", sanitized(options.build), "host"),
             ("allocations on the device", "1 + arenas, 0 in a step", tests(options.build, "CudaMockTests", "CudaOnMock.takes_one_allocation*:CudaOnMock.queues_a_step*"), "mock"),
             ("chosen = launched", "100 %", tests(options.build, "CudaMockTests", "CudaVariants.*"), "host, and the name is compared in every launch"),
             ("captured graph: edges against clocks, 100 random orders", "equal", tests(options.build, "CudaMockTests", "CudaGraphs.*"), "host"),
             ("code for sm_90: no stack, no spill, 16-byte accesses of elements", "all", "`test/Tools/test_cuda_code.py`", "compiled only"),
             ("bf16 and f16: cases of every kernel against f32, each type one test", "all", tests(options.build, "ConformanceTests", "Halves.cuda_*"), "host"),
             ("profile: times of the device's clock, no trace of further launches, every variant", "all", tests(options.build, "CudaMockTests", "CudaProfile.*"), "host"),
             ("bytes of GPT-2, batch 8, without a plan: attention as one operation, bf16 / written out, f32", "<= 0.45", f"{fused} / {plain} = {fused / plain:.3f}", "`benchmarks/cuda/gpt2_bytes.py`"),
             ("what products and convolutions multiply: bf16 and f16 as they are, TF32 where it is allowed and nowhere else", "all", tests(options.build, "CudaMockTests", "CudaPrecision.*"), "host, libraries mocked"),
             ("updates that follow each other share a launch, with the bits of one each", "1 launch", tests(options.build, "CudaMockTests", "CudaUpdates.*"), "host"),
             ("two ranks: gradients of both / of one process with both batches", "equal", "`test/Tools/test_ranks.py`", "CPU"),
             ("NCCL: one rank of two", "sums go through it", tests(options.build, "CudaMockTests", "CudaRanks.*"), "compiled, and on a mock"),
             ("products with a bias, a GELU or their gradients: one kernel of cuBLASLt or the operations apart, as planned", "all right", tests(options.build, "CudaMockTests", "CudaVariants.of_products*"), "host, cuBLASLt mocked"),
             ("convolutions with bias and ReLU: engines for the three operations, scratch to the byte", ">= 2 each", tests(options.build, "CudaDescribedTests", "*take_bias_and_relu"), "cuDNN without a GPU"),
             ("ten replays of one graph with a learning rate that changes / ten eager steps", "bit for bit", tests(options.build, "CudaMockTests", "CudaGraphs.a_replay_takes*"), "host"),
             ("batches: page-locked, no wait but that of the step", "all", tests(options.build, "CudaMockTests", "CudaFeeding.*"), "mock"),
             ("cuDNN's attention", "-", "not taken: no plan without a driver, see above", "cuDNN without a GPU")]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", type=pathlib.Path, default=ROOT / "benchmarks/cuda/devices/h200.json")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    options.device, options.build = options.device.resolve(), options.build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        rows = first_table(options, pathlib.Path(folder))
    described = json.loads(options.device.read_text())
    lines = [head(), "", f"Planned for {described['deviceName']}" + (f", a description {described['note']}." if "note" in described else "."), "",
             "| without a GPU | reach | found | shown |", "|---|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows), "",
             "Unverified: no GPU has run any of this. Names are those of sections of `benchmarks/cuda/first_contact.py`.", "", "| on a GPU | reach | checked by |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in ON_A_GPU)]
    text = "\n".join(lines)
    print(text)
    if options.write:
        put_table(ROOT / "docs/Runtime/Cuda.md", "benchmarks/cuda/table.py", text)


if __name__ == "__main__":
    main()
