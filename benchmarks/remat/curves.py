#!/usr/bin/env python3
"""Overhead against budget, a curve for each strategy (figure 4 of Checkmate).

    benchmarks/remat/curves.py                      figure 4: a table and a picture of each of its three networks
    benchmarks/remat/curves.py [--graphs NAME ...] [--fractions F ...] [--solvers NAME ...] [--json FILE] [--pictures FOLDER] [--write]
    benchmarks/remat/curves.py --graphs --examples resnet50 vgg16 mobilenet_v2 unet --fractions 0.7 0.5 \
        --solvers linearized-greedy dtr auto --alignment 256 [--write]

Graphs are those of benchmarks/data/graphs; examples are those of examples/, which need memplan-opt. A budget is a fraction of the
way from what is always there to the peak of live bytes without recomputation; plans keep it as bytes on the device. The
time is the sum of costs, as overhead above the step without recomputation. Every plan passes utils/check_plan.py. --write puts the
tables into docs/Benchmarks/Curves.md, those of the examples into docs/Benchmarks.md too.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from common import ROOT, Step, Table, figure, graph_named, plan, write_json
from svg import chart

STRATEGIES = ("auto", "checkpoint-all", "chen-sqrt", "chen-greedy", "ap-sqrt", "ap-greedy", "linearized-sqrt",
              "linearized-greedy", "revolve", "rotor", "lp-rounding", "lp-random", "dtr")
BATCHES = {"resnet50": 32, "vgg16": 32, "mobilenet_v2": 32, "unet": 1, "gpt2": 4}


def example(tools, folder, name):
    """The graph of an example at its batch size, gradients and updates included."""
    path = folder / f"{name}.graph.json"
    source = folder / f"{name}.mlir"
    for command in ([tools / "memplan-opt", ROOT / "examples" / f"{name}.mlir", f"--memplan-set-batch=batch={BATCHES[name]}",
                     "--memplan-autodiff", "-o", source], [tools / "memplan-opt", source, "--emit=graph", "-o", path]):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{name}: {done.stderr.strip() or 'memplan-opt failed'}")
    step = Step(path)
    step.name = name
    return step


def curve(tools, step, solver, fractions, flags, limit):
    rows = []
    for fraction in fractions:
        row = plan(tools, step, solver, step.budget(fraction), *flags, limit=limit) | {"fraction": fraction}
        rows.append(row)
        # A solver for chains says so once; one that ran out of time would do so again.
        if "linear forward pass" in row.get("note", "") or row.get("note") == "stopped":
            break
    return rows


def cells(rows, fractions):
    """Overheads in %; a dash: no plan. Why a solver was not asked again stands in the first cell that it left empty."""
    made = [f"{100 * row['overhead']:.3g}" if "overhead" in row else "-" for row in rows]
    if rows and "linear forward pass" in rows[-1].get("note", ""):
        made[-1] = "not linear"
    elif rows and rows[-1].get("note") == "stopped":
        made[-1] = "stopped"
    return made + [""] * (len(fractions) - len(made))


def table_of(step, rows, solvers, fractions):
    """A line for each strategy. Strategies with the same overheads as one before share its line."""
    lines = {}
    for solver in solvers:
        here = [row for row in rows if row["solver"] == solver]
        text, seconds = " | ".join(cells(here, fractions)), sum(row["user_seconds"] for row in here)
        lines.setdefault(text, ([], []))
        lines[text][0].append(f"`{solver}`")
        lines[text][1].append(f"{seconds:.2g}" if seconds < 10 else f"{seconds:.0f}")
    return [f"`{step.name}`: {step.nodes} nodes, always there {step.resident / 1e6:.1f} MB, peak {step.peak / 1e6:.1f} MB.", "",
            f"| | {' | '.join(map(str, fractions))} | user s |", "|" + "---|" * (len(fractions) + 2),
            *(f"| {', '.join(names)} | {text} | {', '.join(seconds)} |" for text, (names, seconds) in lines.items()), ""]


def table_of_examples(steps, rows, solvers, fractions):
    """A line for each example, the overheads at all fractions in one cell."""
    lines = [f"| example | nodes | {' | '.join(f'`{solver}`' for solver in solvers)} | user s of `{solvers[-1]}` |", "|" + "---|" * (len(solvers) + 3)]
    for step in steps:
        here = {solver: [row for row in rows if (row["graph"], row["solver"]) == (step.name, solver)] for solver in solvers}
        shown = [" / ".join(cell for cell in cells(here[solver], fractions) if cell) for solver in solvers]
        lines.append(f"| {step.name}, batch {BATCHES[step.name]} | {step.nodes} | {' | '.join(shown)} | {sum(row['user_seconds'] for row in here[solvers[-1]]):.1f} |")
    return lines


def draw(rows, name, folder):
    """As PNG by matplotlib, else as SVG."""
    pyplot = figure()
    if pyplot is None:
        lines = {}
        for row in rows:
            if "overhead" in row:
                lines.setdefault(row["solver"], []).append((row["fraction"], 100 * row["overhead"]))
        path = folder / f"curve-{name}.svg"
        path.write_text(chart(lines, name, "budget, as a fraction of the peak of what the step makes", "overhead, % of the step"))
        print(f"wrote {path}")
        return
    picture, axes = pyplot.subplots(figsize=(6.5, 4))
    for number, solver in enumerate(dict.fromkeys(row["solver"] for row in rows)):
        points = [(row["fraction"], 100 * row["overhead"]) for row in rows
                  if row["solver"] == solver and "overhead" in row]
        if points:
            axes.plot(*zip(*sorted(points)), marker=".", label=solver, linewidth=2.5 if solver == "auto" else 1,
                      linestyle=("-", "--", ":")[number // 6], color=f"C{number % 10}")
    bounds = sorted((row["fraction"], 100 * row["bound"]) for row in rows if row["solver"] == "auto" and "bound" in row)
    if bounds:
        axes.fill_between(*zip(*[(x, max(y, 0)) for x, y in bounds]), color="0.9", label="below auto's bound")
    axes.set_xlabel("budget, as a fraction of the peak of what the step makes")
    axes.set_ylabel("overhead, % of the step")
    axes.set_title(name)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, ncols=2)
    picture.tight_layout()
    path = folder / f"curve-{name}.png"
    picture.savefig(path, dpi=110)
    pyplot.close(picture)
    print(f"wrote {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", nargs="*", default=["vgg16", "mobilenet", "unet"])
    parser.add_argument("--examples", nargs="*", default=[], choices=[*BATCHES, []], metavar="EXAMPLE")
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3])
    parser.add_argument("--solvers", nargs="+", default=STRATEGIES)
    parser.add_argument("--alignment", default="1")
    parser.add_argument("--limit", type=float, default=60, help="user seconds for each plan; 0: none")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--add", nargs="*", type=pathlib.Path, default=[], help="logs whose curves stand in the log and pictures too")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path, default=pathlib.Path("figure4"), help="folder of the pictures")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/")
    arguments = parser.parse_args()
    table, tools, rows = Table(), arguments.build / "bin", []
    needed = ["memplan-solve"] + ["memplan-opt"] * bool(arguments.examples)
    missing = [name for name in needed if not (tools / name).is_file()]
    if missing:
        sys.exit(f"{' and '.join(missing)} not found in {tools}: build them (utils/quickstart.sh) or say where the build is with --build=FOLDER")
    flags = [f"--alignment={arguments.alignment}"]
    added = [row for log in arguments.add for row in json.loads(log.read_text())["rows"]]
    with tempfile.TemporaryDirectory() as name:
        steps = [graph_named(graph) for graph in arguments.graphs]
        steps += [example(tools, pathlib.Path(name), one) for one in arguments.examples]
        for step in steps:
            here = []
            for solver in arguments.solvers:
                here += [row | {"graph": step.name} for row in curve(tools, step, solver, arguments.fractions, flags, arguments.limit)]
                print(f"{step.name}, {solver}: {', '.join(cells([row for row in here if row['solver'] == solver], arguments.fractions))}",
                      file=sys.stderr, flush=True)
            if step.name in arguments.graphs:
                table.add(*table_of(step, here, arguments.solvers, arguments.fractions))
            here += [row for row in added if row["graph"] == step.name]
            rows += here
            if arguments.json:
                write_json(arguments.json, rows)
            if arguments.pictures:
                arguments.pictures.mkdir(parents=True, exist_ok=True)
                draw(here, step.name, arguments.pictures)
    if arguments.examples:
        table.add(*table_of_examples([step for step in steps if step.name in arguments.examples], rows, arguments.solvers, arguments.fractions))
    if arguments.write:
        pages = (ROOT / "docs/Benchmarks/Curves.md", *[ROOT / "docs/Benchmarks.md"] * bool(arguments.examples))
        table.write(pages, "benchmarks/remat/curves.py" + " --examples" * bool(arguments.examples))


if __name__ == "__main__":
    main()
