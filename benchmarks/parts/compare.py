#!/usr/bin/env python3
"""What do concats cost that are put together in place, against concats that copy?

Plans each network without a budget, with --parts=off and with --parts=on, and compares arena and modelled cost; with --run
also executes both, taking turns, checks each against the unplanned step bit for bit and compares the medians of the times.
The U-Net is examples/unet.mlir; DenseNet-121 is exported on the spot (python-bindings/export_examples.py knows it, and needs
PyTorch), unless the file is given:

    benchmarks/parts/compare.py [NAME[@BATCH][=FILE.mlir] ...] [--run] [--steps 3] [--rounds 3] [--threads 2] [--json FILE] [--picture FILE]

Where the batch is more than 1, the pieces of a concat of channels lie in rows, one for each sample. "slices" counts the splits and
slices of which nothing is left: they are read where they are.
"""
import argparse
import json
import pathlib
import re
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, call, figure, head  # noqa: E402

CHOICES = ("off", "on")


def find(given, folder):
    """The title, the program (FILE, examples/NAME.mlir, or one that the exporter writes) and the flag for its batch."""
    title, _, path = given.partition("=")
    name, _, batch = title.partition("@")
    flags = [f"--batch={batch}"] if batch else []
    if path:
        return title, pathlib.Path(path), flags
    example = ROOT / "examples" / f"{name}.mlir"
    if not example.exists():
        example = folder / f"{name}.mlir"
    if not example.exists():
        call(sys.executable, ROOT / "python-bindings" / "export_examples.py", name, "--output", folder)
    return title, example, flags


def plan(tools, program, flags, parts):
    text = call(tools / "memplan-opt", program, f"--parts={parts}", *flags)

    def fact(key):
        return float(re.search(rf"memplan\.{key} = ([-+0-9.eE]+) ", text).group(1))

    return {"arena_bytes": int(fact("arena_bytes")), "peak_bytes": int(fact("peak_bytes")), "cost": fact("cost"),
            "concats": text.count("memplan.concat "), "in_place": len(re.findall(r"memplan\.concat .*memplan\.cost = 0\.0", text)),
            "slices": len(re.findall(r"memplan\.(?:split|slice) ", text))}


def run(tools, program, flags, parts, arguments):
    text = call(tools / "memplan-run", program, f"--parts={parts}", *flags, f"--steps={arguments.steps}",
                f"--threads={arguments.threads}", "--check", "--measure")
    if "bit for bit" not in text or "handed out as planned" not in text:
        sys.exit(f"{program}, --parts={parts}: the run is not what was planned\n{text}")
    return {"milliseconds": float(re.search(r"time: ([\d.]+) ms a step", text).group(1)),
            "measured_bytes": int(re.search(r"handed out (\d+)", text).group(1))}


def compare(tools, name, program, flags, arguments):
    rows = {parts: plan(tools, program, flags, parts) for parts in CHOICES}
    if arguments.run:
        runs = {parts: [] for parts in CHOICES}
        for _ in range(arguments.rounds):
            for parts in CHOICES:
                runs[parts].append(run(tools, program, flags, parts, arguments))
        for parts in CHOICES:
            rows[parts]["measured_bytes"] = runs[parts][0]["measured_bytes"]
            rows[parts]["milliseconds"] = statistics.median(r["milliseconds"] for r in runs[parts])
    return {"name": name, **rows}


def show(result, arguments):
    off, on = (result[parts] for parts in CHOICES)
    text = f"| {result['name']} | {on['in_place']} of {on['concats']} | {off['slices'] - on['slices']} of {off['slices']} "
    text += f"| {off['arena_bytes']} | {on['arena_bytes']} "
    text += f"| {on['arena_bytes'] / off['arena_bytes']:.3f} | {on['cost'] / off['cost']:.3f} |"
    if arguments.run:
        text += f" {off['milliseconds']:.1f} | {on['milliseconds']:.1f} |"
    print(text, flush=True)


def draw(results, path):
    pyplot = figure()
    if pyplot is None:
        return
    picture, axes = pyplot.subplots(figsize=(2 + 2 * len(results), 4))
    for shift, parts in enumerate(CHOICES):
        axes.bar([i + 0.4 * shift for i in range(len(results))], [r[parts]["arena_bytes"] / 1e6 for r in results], 0.38, label=f"parts={parts}")
    axes.set_xticks([i + 0.2 for i in range(len(results))], [r["name"] for r in results])
    axes.set_ylabel("arena, MB")
    axes.legend()
    picture.savefig(path, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["unet", "unet@2", "unet@4", "densenet121", "densenet121@8"])
    parser.add_argument("--run", action="store_true", help="execute both plans, too")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    arguments = parser.parse_args()
    built(arguments.build, "memplan-opt", "memplan-run")
    print(head(), flush=True)
    head = ["step", "in place", "slices", "arena, copies", "arena, parts", "ratio", "cost ratio"]
    head += ["ms, copies", "ms, parts"] if arguments.run else []
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for given in arguments.names:
            name, program, flags = find(given, pathlib.Path(folder))
            results.append(compare(arguments.build / "bin", name, program, flags, arguments))
            show(results[-1], arguments)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    if arguments.picture:
        draw(results, arguments.picture)


if __name__ == "__main__":
    main()
