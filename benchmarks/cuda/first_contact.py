#!/usr/bin/env python3
"""One visit to a machine with a GPU, in sections with a time limit each: what docs/Runtime/Cuda.md lists as unverified.

    benchmarks/cuda/first_contact.py --prepare --programs DIR        # where memplan is built with MLIR; needs no GPU
    benchmarks/cuda/first_contact.py --programs DIR --out DIR        # on the machine with the GPU
    benchmarks/cuda/first_contact.py --predict --programs DIR --out DIR  # afterwards, where memplan is built with MLIR

--prepare plans every step for the GPU that --device describes and writes its programs. The visit needs the programs, memplan-run, the plugin, the conformance tests
and, for the section `torch`, PyTorch. It writes what each command printed into OUT/first_contact.json after every command, and OUT/device.json and
OUT/profile.json. A section that is in that file and passed is not run again, so that a visit that was cut off goes on. --predict compares the measured
slowdowns with those that the recorded profile predicts, plans with what PyTorch holds in as much time, and own kernels with a copy. Exit status 1: a section failed; 3: there is no CUDA device.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, head

TIME = re.compile(r"^time: ([\d.]+) ms a step \(median of \d+\), least ([\d.]+) ms", re.MULTILINE)
SUMMARY = re.compile(r"device (\d+) bytes \(arena (\d+)\)")
LIMIT = 890  # seconds: a visit of a quarter of an hour, less what its beginning takes

# Steps without recomputation: name, source, flags of memplan-run, flags of PyTorch's side or None.
PLAIN = [
    *[(f"{model}.{precision}", f"examples/{model}.mlir", [f"--batch={batch}", f"--precision={precision}"], [model, f"--batch={batch}", f"--precision={precision}"])
      for model, batch in (("resnet50", 32), ("gpt2", 8)) for precision in ("f32", "tf32", "bf16")],
    ("resnet50.bf16.last", "examples/resnet50.mlir", ["--batch=32", "--precision=bf16", "--layout=channels-last"], ["resnet50", "--batch=32", "--precision=bf16", "--layout=channels-last"]),
    ("resnet50.bf16.last.fused", "examples/resnet50.mlir", ["--batch=32", "--precision=bf16", "--layout=channels-last", "--fuse"], None),
    ("gpt2.bf16.fused", "examples/gpt2.mlir", ["--batch=8", "--precision=bf16", "--fuse"], None),
    *[(f"attention.{precision}", "benchmarks/cuda/attention.mlir", [f"--precision={precision}"], None) for precision in ("f32", "tf32", "bf16")],
]
SMALL = [(f"small.{path.stem}", f"examples/small/{path.name}", [], None) for path in sorted((ROOT / "examples/small").glob("*.mlir"))]
REPLAYED = [("replayed", "benchmarks/cuda/dropout_adam.mlir", ["--budget=95%"], None)]
# Recomputation, copies, and both; copies at what a page-locked link of this kind moves.
MODES = {"recompute": [], "swap": ["--remat=checkpoint-all", "--swap=search", "--bandwidth=50000,50000,10"], "both": ["--swap=search", "--bandwidth=50000,50000,10"]}
BUDGETED = {"resnet50": ["--batch=32"], "gpt2": ["--batch=4"]}
FRACTIONS = (0.7, 0.5, 0.3)
CHECKMATE = {"unet": "examples", "fcn8": "benchmarks/networks", "segnet": "benchmarks/networks", "vgg19": "benchmarks/networks", "mobilenet_v1": "benchmarks/networks", "resnet50": "examples"}
# What PyTorch trains in less memory with.
SAVINGS = {"eager": [], "checkpointed": ["--checkpointed"], "compiled": ["--compiled"], "budget 0.5": ["--compiled", "--activation-budget=0.5"],
           "budget 0.2": ["--compiled", "--activation-budget=0.2"]}
CONFORMANCE = "*/cuda_*:Kernels.*"
FORMULAS = "*computes_its_formula/cuda_*"


# --- Before: programs, made without a GPU ---


class Preparation:
    """Writes programs into a folder, and what they are into programs.json there. What is in that file is not made again."""

    def __init__(self, options):
        self.tools, self.folder, self.effort = options.build / "bin", options.programs, options.effort
        self.folder.mkdir(parents=True, exist_ok=True)
        self.list = self.folder / "programs.json"
        self.made = json.loads(self.list.read_text()) if self.list.exists() else {}
        self.environment = {"MEMPLAN_PLUGIN_PATH": str(options.build / "lib"), **os.environ}
        if options.device:
            self.environment["MEMPLAN_CUDA_DEVICE"] = str(options.device)

    def start(self, tool, source, *flags):
        return subprocess.run([str(self.tools / tool), str(ROOT / source), "--backend=cuda", f"--effort={self.effort}", *flags], capture_output=True, text=True, env=self.environment)

    def make(self, name, kind, source, flags, tool="memplan-run", **more):
        """What the tool says of the program, or None where there is none, which the list then tells with the reason."""
        if name not in self.made:
            files = {"program": f"{name}.mpp"}
            if tool == "memplan-run":
                files |= {"unplanned": f"{name}.unplanned.mpp", "plan": f"{name}.plan.json"}
                writes = [f"--emit-{what}={self.folder / file}" for what, file in files.items()]
            else:
                writes = ["--emit=program", "-o", str(self.folder / files["program"])]
            done = self.start(tool, source, *flags, *writes)
            # A step that does not fit takes the least budget that its refusal says to work.
            least = re.search(r"a budget of .*\((\d+) bytes\) works", done.stderr)
            if done.returncode and least:
                flags = [f"--budget={least[1]}" if flag.startswith("--budget") else flag for flag in flags]
                done = self.start(tool, source, *flags, *writes)
            row = {"kind": kind, "source": source, "flags": flags, "said": done.stderr[-1500:], **more}
            self.made[name] = row | files if done.returncode == 0 else row | {"refused": done.returncode}
            self.list.write_text(json.dumps(self.made, indent=1) + "\n")
            print(f"{name}: {'made' if done.returncode == 0 else 'refused'}", flush=True)
        return None if "refused" in self.made[name] else self.made[name]["said"]

    def run(self, steps, budgeted, networks):
        for name, source, flags, torch in steps:
            kind = "small" if name.startswith("small.") else "replayed" if name == "replayed" else "plain"
            self.make(name, kind, source, flags, torch=torch)
        for model, (source, flags) in budgeted.items():
            # Without any plan: what fractions of its activations are.
            said = self.make(f"{model}.free", "free", source, flags)
            if not said:
                continue
            device, arena = map(int, SUMMARY.search(said).groups())
            for fraction in FRACTIONS:
                for mode, more in MODES.items():
                    self.make(f"{model}.{mode}.{fraction}", "budgeted", source, [*flags, f"--budget={int(device - arena + fraction * arena)}", *more], free=f"{model}.free")
        for network, place in networks.items():
            source, flags = f"{place}/{network}.mlir", ["--max-batch", "--budget=16G"]
            self.make(f"largest.{network}", "largest", source, flags, tool="memplan-opt")
            self.make(f"largest.{network}.checkpoint-all", "baseline", source, [*flags, "--remat=checkpoint-all"], tool="memplan-opt")
        small = "examples/small/gpt2.mlir"
        self.make("ranks", "ranks", small, ["--ranks=2"])


# --- The visit ---


class OutOfTime(Exception):
    pass


class NotHere(Exception):
    """What a section needs is not on this machine."""


class Visit:
    """Runs sections one after another, each within its seconds and all within the limit."""

    def __init__(self, options):
        self.build, self.folder, self.out, self.limit = options.build, options.programs, options.out, options.limit
        self.begin = time.monotonic()
        self.out.mkdir(parents=True, exist_ok=True)
        self.file = self.out / "first_contact.json"
        self.results = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.programs = json.loads((self.folder / "programs.json").read_text())
        self.environment = {"MEMPLAN_PLUGIN_PATH": str(self.build / "lib"), **os.environ}
        self.tests = self.build / "test/Unit"
        self.row = self.end = None

    def of(self, *kinds):
        return [(name, row) for name, row in self.programs.items() if row["kind"] in kinds and "refused" not in row]

    def command(self, *command, may_fail=False, **variables):
        """What it prints; ends with the section's time."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise OutOfTime
        text = [str(part) for part in command]
        begin = time.monotonic()
        # In a group of its own: what a tool has started would keep its output open after it.
        started = subprocess.Popen(text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=self.environment | variables, start_new_session=True)
        try:
            printed, status = started.communicate(timeout=left)[0], started.returncode
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            printed, status = started.communicate()[0], "out of time"
        self.row["commands"].append({"command": " ".join([f"{key}={value}" for key, value in variables.items()] + text), "status": status,
                                     "seconds": round(time.monotonic() - begin, 2), "printed": printed[-6000:]})
        self.write()
        if status == "out of time":
            raise OutOfTime
        if status != 0 and not may_fail:
            self.row["failures"] += 1
        return printed

    def gtest(self, *command, **variables):
        """Of a GoogleTest program. Cases that were skipped, as without a device, and none at all pass its exit status and are failures here."""
        before = self.row["failures"]
        printed = self.command(*command, "--gtest_brief=1", **variables)
        ran = re.search(r"^\[  PASSED  \] ([1-9]\d*) test", printed, re.MULTILINE) and "[  SKIPPED ]" not in printed
        if not ran and self.row["failures"] == before:
            self.row["failures"] += 1
        return self.row["failures"] == before

    def run(self, program, *flags, **variables):
        return self.command(self.build / "bin/memplan-run", self.folder / program, "--backend=cuda", *flags, **variables)

    def milliseconds(self, program, *flags):
        """Median of a step, kept under the program's name and flags."""
        found = TIME.search(self.run(program, *flags))
        if found:
            self.row["ms"][" ".join([program, *flags])] = float(found[1])
        return float(found[1]) if found else None

    def write(self):
        self.file.write_text(json.dumps(self.results, indent=1) + "\n")

    def section(self, name, seconds, body):
        if self.results.get(name, {}).get("state") == "passed":
            return print(f"{name}: passed before")
        now = time.monotonic()
        left = self.begin + self.limit - now
        self.row = self.results[name] = {"state": "not begun", "failures": 0, "ms": {}, "commands": []}
        if left > 0:
            self.end = now + min(seconds, left)
            try:
                body(self)
                if not self.row["commands"]:
                    raise NotHere("no program was prepared for it")
                self.row["state"] = "failed" if self.row["failures"] else "passed"
            except OutOfTime:
                self.row["state"] = "out of time"
            except NotHere as reason:
                self.row |= {"state": "not here", "reason": str(reason)}
        self.row["seconds"] = round(time.monotonic() - now, 1)
        self.write()
        reason = self.row.get("reason", "")
        print(f"{name}: {self.row['state']}{', ' + reason if reason else ''}, {self.row['seconds']} s", flush=True)


def device(visit):
    """The GPU's description, to plan for it elsewhere."""
    name, row = visit.of("small", "plain")[0]
    visit.run(row["program"], f"--emit-device={visit.out / 'device.json'}")


def conformance(visit):
    """Every kernel against its formula; where one fails, once more with a wait after each launch, which names the guilty one."""
    tests = visit.tests / "ConformanceTests"
    if not tests.exists():
        raise NotHere(f"{tests} is not built")
    if not visit.gtest(tests, f"--gtest_filter={CONFORMANCE}"):
        visit.gtest(tests, f"--gtest_filter={CONFORMANCE}", MEMPLAN_CUDA_WAIT="1")
    visit.gtest(tests, "--gtest_filter=*/cuda_*", MEMPLAN_CUDA_WITHOUT="cudnn,cublas")


def equal(visit):
    """Planned = unplanned, bit for bit, watched once for guards and freed bytes."""
    for name, row in visit.of("small", "plain", "budgeted"):
        visit.run(row["program"], f"--unplanned={visit.folder / row['unplanned']}", "--steps=3", "--check")
    for name, row in visit.of("small"):
        visit.run(row["program"], "--poison")


def replays(visit):
    """Ten replays of the graph against ten eager steps, with dropout and Adam."""
    for name, row in visit.of("replayed"):
        visit.run(row["program"], f"--unplanned={visit.folder / row['unplanned']}", "--steps=10", "--check")


def taken(visit):
    """Bytes taken after warm-up beside the plan."""
    for name, row in visit.of("plain", "free", "budgeted"):
        visit.run(row["program"], "--measure")


def profile(visit):
    """Times of every kernel and variant, and the link each way and both at once."""
    for name, row in visit.of("free", "plain"):
        visit.run(row["unplanned"], f"--profile={visit.out / 'profile.json'}")


def slowdown(visit):
    """Planned steps and those without a budget, in turns."""
    for name, row in visit.of("budgeted"):
        visit.milliseconds(visit.programs[row["free"]]["program"], "--steps=8")
        visit.milliseconds(row["program"], "--steps=8")


def speed(visit):
    """Steps as graphs, each precision and layout, fused and not."""
    for name, row in visit.of("plain"):
        visit.milliseconds(row["program"], "--steps=30")


def by_torch(visit, key, model, *flags):
    """Median of a step of PyTorch, and the most bytes that it held, kept under the key."""
    printed = visit.command(sys.executable, ROOT / "benchmarks/torch_eager/compare.py", f"--torch-worker={model}", *flags, "--torch-device=cuda")
    seconds, held = re.search(r"^(\[.*\])$", printed, re.MULTILINE), re.search(r"^bytes (\d+)$", printed, re.MULTILINE)
    if seconds:
        visit.row["ms"][key] = 1e3 * statistics.median(json.loads(seconds[1])[3:])
    if held:
        visit.row.setdefault("bytes", {})[key] = int(held[1])


def torch_here(visit):
    if "True" not in visit.command(sys.executable, "-c", "import torch, torchvision; print(torch.cuda.is_available())", may_fail=True):
        raise NotHere("there is no PyTorch with torchvision that sees a GPU")


def torch(visit):
    """The same steps by PyTorch, eager and compiled."""
    torch_here(visit)
    for compiled in ([], ["--compiled"]):
        for name, row in visit.of("plain"):
            if row["torch"]:
                by_torch(visit, " ".join([name, *compiled]), *row["torch"], *compiled, "--steps=30")


def savings(visit):
    """What PyTorch holds, and takes, with checkpoints of blocks and with budgets of activations."""
    torch_here(visit)
    for how, flags in SAVINGS.items():
        for model, batch in BUDGETED.items():
            by_torch(visit, f"{model}, {how}", model, *batch, *flags, "--steps=10")


def copy(visit):
    """Bytes a second that a copy within the device moves, read and written."""
    program = ("import torch\na = torch.empty(1 << 30, dtype=torch.uint8, device='cuda'); b = torch.empty_like(a)\n"
               "s, e = (torch.cuda.Event(enable_timing=True) for _ in range(2))\nb.copy_(a); s.record()\nfor _ in range(20): b.copy_(a)\n"
               "e.record(); torch.cuda.synchronize(); print('copy', 20 * 2 * a.numel() / (s.elapsed_time(e) * 1e-3))")
    found = re.search(r"^copy ([\d.e+]+)$", visit.command(sys.executable, "-c", program, may_fail=True), re.MULTILINE)
    if not found:
        raise NotHere("there is no PyTorch that sees a GPU")
    visit.row["bytes_per_second"] = float(found[1])


def replay(visit):
    """Steps of tiny kernels: a step over its operations bounds the host's time of one; eager beside it."""
    for name, row in visit.of("small"):
        operations = len(re.findall(r"^\d+: ", visit.run(row["program"], "--dump"), re.MULTILINE))
        for flags in (["--steps=100"], ["--steps=100", "--eager"]):
            took = visit.milliseconds(row["program"], *flags)
            if took is not None:
                visit.row.setdefault("us_per_operation", {})[" ".join([name, *flags])] = 1e3 * took / operations


def largest(visit):
    """Two steps at the largest batch that was planned for 16 GiB, measured."""
    for name, row in visit.of("largest"):
        visit.run(row["program"], "--steps=2", "--measure")


def ranks(visit):
    """Two processes with a GPU each, by NCCL: equal bits of all parameters on both."""
    ranked = visit.of("ranks")
    if not ranked:
        raise NotHere("no program for two ranks was prepared")
    program = visit.folder / ranked[0][1]["program"]
    second = visit.command(visit.build / "bin/memplan-run", visit.folder / visit.of("small")[0][1]["program"], "--backend=cuda", "--device=1", may_fail=True)
    if "devices; number 1" in second:
        raise NotHere("two ranks need two GPUs")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = []
    for rank in range(2):
        variables = {"MEMPLAN_RANKS": "2", "MEMPLAN_RANK": str(rank), "MEMPLAN_RENDEZVOUS": f"127.0.0.1:{port}", "MEMPLAN_RANKS_TIMEOUT": "30"}
        flags = ["--backend=cuda", f"--device={rank}", "--steps=10", f"--save-params={visit.out / f'rank{rank}.safetensors'}"]
        started.append(subprocess.Popen([str(visit.build / "bin/memplan-run"), str(program), *flags], env=visit.environment | variables,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    try:
        printed = [process.communicate(timeout=max(1, visit.end - time.monotonic()))[0] for process in started]
    except subprocess.TimeoutExpired:
        raise OutOfTime from None
    finally:
        for process in started:
            process.kill()
            process.wait()
    parameters = [visit.out / f"rank{rank}.safetensors" for rank in range(2)]
    good = all(process.returncode == 0 for process in started) and parameters[0].read_bytes() == parameters[1].read_bytes()
    visit.row["commands"].append({"command": f"two ranks of {program.name}", "printed": "\n".join(printed)[-6000:]})
    visit.row["failures"] += not good
    for path in parameters:
        path.unlink(missing_ok=True)


def sanitizer(tool):
    def section(visit):
        if not shutil.which("compute-sanitizer"):
            raise NotHere("compute-sanitizer is not installed")
        tests = visit.tests / "ConformanceTests"
        if not tests.exists():
            raise NotHere(f"{tests} is not built")
        visit.gtest("compute-sanitizer", "--tool", tool, "--error-exitcode=9", tests, f"--gtest_filter={FORMULAS}")
        for name, row in visit.of("small"):
            visit.command("compute-sanitizer", "--tool", tool, "--error-exitcode=9", visit.build / "bin/memplan-run", visit.folder / row["program"], "--backend=cuda", "--steps=3")
    section.__doc__ = f"{tool} of every kernel and of the small steps."
    return section


# What a visit does, most needed first, each with its seconds.
SECTIONS = {"device": (15, device), "conformance": (80, conformance), "equal": (80, equal), "replays": (15, replays), "taken": (45, taken), "speed": (60, speed),
            "torch": (130, torch), "copy": (15, copy), "profile": (65, profile), "slowdown": (60, slowdown), "savings": (110, savings), "replay": (20, replay),
            "largest": (45, largest), "ranks": (30, ranks), **{tool: (40, sanitizer(tool)) for tool in ("memcheck", "racecheck", "synccheck")}}


def has_device(build, folder, environment):
    """A reason why no section could run, or nothing."""
    programs = json.loads((folder / "programs.json").read_text())
    first = next((row["program"] for row in programs.values() if "program" in row), None)
    if not first:
        return "no program was prepared"
    done = subprocess.run([str(build / "bin/memplan-run"), str(folder / first), "--backend=cuda", "--quiet"], capture_output=True, text=True, env=environment)
    return None if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


# --- Afterwards: what the recorded profile says ---

SIZES = {"f32": 4, "bf16": 2, "f16": 2, "i64": 8, "i32": 4, "i8": 1, "i1": 1}
LIBRARIES = re.compile(r"memplan\.(conv|matmul|attention)")


def bytes_of(shape):
    *sizes, kind = shape.split("x")
    return math.prod(map(int, sizes)) * SIZES[kind]


def own_kernels(entries, copied):
    """(bytes/s over a copy's, key) of own kernels that move more than 16 MiB, worst first."""
    rows = []
    for entry in entries:
        moved = sum(map(bytes_of, [*entry["inputs"], *entry["outputs"]]))
        micros = min(variant["micros"] for variant in entry["variants"])
        if moved > 16 << 20 and micros > 0 and not LIBRARIES.match(entry["op"]):
            rows.append((moved / micros * 1e6 / copied, entry["key"]))
    return sorted(rows)


def bytes_at_equal_time(plans, others):
    """[(ms, least bytes of the others within them, least bytes of the plans)] of pairs (ms, bytes), where a plan is as fast."""
    rows = []
    for ms in sorted({ms for ms, _ in others}):
        best, plan = (min((size for took, size in each if took <= ms), default=None) for each in (others, plans))
        if plan and (not rows or best < rows[-1][1]):
            rows.append((ms, best, plan))
    return rows


def largest_batches(programs):
    """{network: (batch, that of checkpoint-all)} of what was planned."""
    def batch(name):
        found = re.search(r"^memplan-opt: +(\d+) .*<- chosen$", programs.get(name, {}).get("said", ""), re.MULTILINE)
        return int(found[1]) if found else None
    rows = {network: (batch(f"largest.{network}"), batch(f"largest.{network}.checkpoint-all")) for network in CHECKMATE}
    return {network: row for network, row in rows.items() if all(row)}


def compare(programs, results):
    """Lines: device bytes beside PyTorch's at equal time, and largest batches beside checkpoint-all's."""
    lines, measured, torch = [], results.get("slowdown", {}).get("ms", {}), results.get("savings", {})
    for model in BUDGETED:
        plans = [(measured[key], int(SUMMARY.search(row["said"])[1])) for row in programs.values()
                 if row["kind"] in ("free", "budgeted") and row["source"] == f"examples/{model}.mlir" and (key := f"{row.get('program')} --steps=8") in measured]
        others = [(ms, torch["bytes"][key]) for key, ms in torch.get("ms", {}).items() if key.startswith(f"{model}, ") and key in torch.get("bytes", {})]
        lines += [f"| {model} | {ms:.2f} | {best} | {plan} | {plan / best:.3f} |" for ms, best, plan in bytes_at_equal_time(plans, others)]
    if lines:
        lines = ["", "| model | ms a step | PyTorch's least bytes | a plan's | ratio |", "|---|---|---|---|---|", *lines]
    if batches := largest_batches(programs):
        lines += ["", "| network | largest batch at 16 GiB | of checkpoint-all | ratio |", "|---|---|---|---|"]
        lines += [f"| {network} | {ours} | {theirs} | {ours / theirs:.2f} |" for network, (ours, theirs) in batches.items()]
    return lines


def predict(options):
    """Prints measured over predicted slowdowns, bytes beside PyTorch's, batches beside checkpoint-all's, and own kernels beside a copy."""
    from slowdown.compare import makespan
    programs, results = (json.loads(path.read_text()) for path in (options.programs / "programs.json", options.out / "first_contact.json"))
    measured = results.get("slowdown", {}).get("ms", {})
    environment = {"MEMPLAN_CUDA_DEVICE": str(options.device), "MEMPLAN_PLUGIN_PATH": str(options.build / "lib"), **os.environ}
    lines = [head(), "", "| plan | predicted | measured | measured / predicted |", "|---|---|---|---|"]

    def micros(row):
        # Of the same step at the recorded costs; copies at the rates that were planned with.
        flags = [flag for flag in row["flags"] if not flag.startswith(("--budget", "--remat", "--swap", "--bandwidth"))]
        done = subprocess.run([str(options.build / "bin/memplan-opt"), str(ROOT / row["source"]), "--backend=cuda", *flags, "--emit=graph", f"--cost-model=profile:{options.out / 'profile.json'}"],
                              capture_output=True, text=True, env=environment)
        if done.returncode:
            sys.exit(done.stderr)
        bandwidth = next((flag.split("=")[1] for flag in row["flags"] if flag.startswith("--bandwidth")), None)
        return makespan(json.loads(done.stdout), json.loads((options.programs / row["plan"]).read_text()), bandwidth)

    for name, row in programs.items():
        if row["kind"] != "budgeted" or "refused" in row:
            continue
        free = programs[row["free"]]
        took = [measured.get(f"{each['program']} --steps=8") for each in (row, free)]
        if None in took:
            continue
        predicted, found = micros(row) / micros(free), took[0] / took[1]
        lines.append(f"| {name} | {100 * (predicted - 1):.1f} % | {100 * (found - 1):.1f} % | {found / predicted:.3f} |")
    lines += compare(programs, results)
    copied = results.get("copy", {}).get("bytes_per_second")
    if copied:
        lines += ["", "| own kernel | bytes/s over a copy's |", "|---|---|"]
        lines += [f"| `{key}` | {share:.2f} |" for share, key in own_kernels(json.loads((options.out / "profile.json").read_text())["entries"], copied)]
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="sections:\n" + "\n".join(f"  {name:12} {seconds:4} s  {body.__doc__.splitlines()[0]}" for name, (seconds, body) in SECTIONS.items()))
    parser.add_argument("sections", nargs="*", choices=[*SECTIONS, []], metavar="SECTION", help="default: all")
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("first-contact"), help="folder of what --prepare writes")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("first-contact-results"), help="folder of results")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--device", type=pathlib.Path, default=ROOT / "benchmarks/cuda/devices/h200.json", help="description to plan for")
    parser.add_argument("--effort", type=int, default=2000, help="of each plan")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of the whole visit")
    parser.add_argument("--small", action="store_true", help="prepare the steps of examples/small alone")
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--predict", action="store_true")
    options = parser.parse_args()
    for name in ("build", "programs", "out", "device"):
        setattr(options, name, getattr(options, name).resolve())
    if options.prepare:
        built(options.build, "memplan-run", "memplan-opt")
        if "cuda-on-host" in os.environ.get("MEMPLAN_PLUGIN_PATH", ""):
            options.device = None  # its mock is a device of its own
        if options.small:
            return Preparation(options).run(SMALL + REPLAYED, {"small": ("examples/small/gpt2.mlir", [])}, {})
        budgeted = {model: (f"examples/{model}.mlir", flags) for model, flags in BUDGETED.items()}
        Preparation(options).run(SMALL + REPLAYED + PLAIN, budgeted, CHECKMATE)
        return print("\n".join(compare(json.loads((options.programs / "programs.json").read_text()), {})))
    built(options.build, *(["memplan-opt"] if options.predict else ["memplan-run"]))
    if not (options.programs / "programs.json").exists():
        sys.exit(f"{options.programs} has no programs: make them with --prepare, where memplan is built with MLIR")
    if options.predict:
        return predict(options)
    visit = Visit(options)
    if reason := has_device(options.build, options.programs, visit.environment):
        print(reason, file=sys.stderr)
        return 3
    for name in options.sections or SECTIONS:
        visit.section(name, *SECTIONS[name])
    return 1 if any(row["state"] in ("failed", "out of time", "not begun") for row in visit.results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
