#!/usr/bin/env python3
"""The solver race: memplan beside open solvers on the published models, same graph, same budget in bytes.

    benchmarks/remat/race.py [--graphs NAME ...] [--fractions F ...] [--solvers NAME ...] [--limit SECONDS] [--json FILE] [--picture FILE]

memplan's solvers are named as in --remat, peers highs, cbc (both: Checkmate's integer program) and cp-sat (Moccasin).
Objective and bound are given as overhead above the cost without recomputation; seconds are user seconds of the whole
process, reading included; one run each, one thread. The budget is a fraction f of the way from what is always there to
the peak without recomputation, in live bytes for peers and in bytes of the packed arena (alignment 1) for memplan. Every
plan passes utils/check_plan.py. A bound is proved where it says exact or rounded-dual; that of a peer is its own claim.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from common import ROOT, check, figure, graph_named, head, percent, plan, timed, write_json

PEERS = ("highs", "cbc", "cp-sat")
GRAPHS = ("rl25_s1", "chain16", "resnet50_block", "vgg16", "rl50_s1", "gpt2_1l", "fcn8", "chain32", "unet", "rl100_s2")


def race_peer(python, step, solver, budget, limit, cbc):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "peer.plan.json"
        command = [python, ROOT / "benchmarks/remat/peers.py", solver, step.path, budget, "--limit", limit, "--cbc", cbc,
                   "-o", path]
        done, seconds = timed(command, limit + 20)
        row = {"graph": step.name, "nodes": step.nodes, "solver": solver, "budget": budget, "status": "no_plan",
               "user_seconds": round(seconds, 3)}
        if done.returncode or not done.stdout.strip():
            said = done.stderr.strip().splitlines()
            return row | {"note": said[-1] if said else "stopped at its limit", "absent": "install" in done.stderr}
        row |= json.loads(done.stdout)
        if path.exists():
            check(step.path, path, budget)
        return row | {"proof": "solver"}


def line_of(row):
    found = percent(row.get("overhead")) if row["status"] in ("optimal", "feasible") else row["status"]
    return (f'{row["graph"]:<16}{row["nodes"]:>5} {row["fraction"]:>4} {row["solver"]:<14}{found:>11} {percent(row.get("bound")):>9} '
            f'{row.get("bound_space") or "":<12}{row.get("proof") or "":<13}{row["user_seconds"]:>8.2f} {row.get("state") or row["status"]}')


def draw(rows, path):
    pyplot = figure()
    if pyplot is None:
        return
    picture, axes = pyplot.subplots(figsize=(8, 4.5))
    cases = sorted({(row["nodes"], row["graph"], row["fraction"]) for row in rows})
    for solver in dict.fromkeys(row["solver"] for row in rows):
        for filled, marker in ((True, "o"), (False, "x")):
            points = [(cases.index((r["nodes"], r["graph"], r["fraction"])), max(r["user_seconds"], 1e-3)) for r in rows
                      if r["solver"] == solver and (r["status"] in ("optimal", "infeasible") or "INFEASIBLE" in r.get("state", "")) == filled]
            color = f"C{list(dict.fromkeys(row['solver'] for row in rows)).index(solver)}"
            axes.scatter([x for x, _ in points], [y for _, y in points], marker=marker, color=color, s=24,
                         label=solver if filled else None)
    axes.set_yscale("log")
    axes.set_ylabel("user seconds")
    axes.set_title("o: proved, x: stopped with a gap or without a plan", fontsize=9)
    axes.set_xticks(range(len(cases)), [f"{graph} {fraction}" for _, graph, fraction in cases], rotation=90, fontsize=7)
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    picture.tight_layout()
    picture.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    parser.add_argument("--fractions", nargs="+", type=float, default=[0.9, 0.7, 0.5])
    parser.add_argument("--solvers", nargs="+", default=["auto", *PEERS])
    parser.add_argument("--limit", type=float, default=60, help="seconds for each peer")
    parser.add_argument("--python", default=sys.executable, help="a Python that has highspy and ortools")
    parser.add_argument("--cbc", default="cbc")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--add", nargs="*", type=pathlib.Path, default=[], help="logs whose rows stand in the log and picture too")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    arguments = parser.parse_args()
    print(head(), flush=True)
    rows, absent = [], {}
    for log in arguments.add:
        rows += json.loads(log.read_text())["rows"]
    print(f'{"graph":<16}{"n":>5} {"f":>4} {"solver":<14}{"overhead":>11} {"bound":>9} {"space":<12}{"proof":<13}{"user s":>8}')
    for name in arguments.graphs:
        step = graph_named(name)
        for fraction in arguments.fractions:
            budget = step.budget(fraction)
            for solver in arguments.solvers:
                if solver in absent:
                    continue
                if solver in PEERS:
                    row = race_peer(arguments.python, step, solver, budget, arguments.limit, arguments.cbc)
                    if row.pop("absent", False):
                        absent[solver] = row["note"]
                        continue
                else:
                    row = plan(arguments.build / "bin", step, solver, budget, "--alignment=1", "--order=source")
                rows.append(row | {"fraction": fraction})
                print(line_of(rows[-1]), flush=True)
                if arguments.json:
                    write_json(arguments.json, rows)
    for solver, why in absent.items():
        print(f"{solver} left out: {why}")
    for solver in dict.fromkeys(row["solver"] for row in rows):
        proved = [max(r["user_seconds"], 1e-3) for r in rows if r["solver"] == solver and r["status"] == "optimal"]
        if proved:
            mean = math.exp(sum(map(math.log, proved)) / len(proved))
            print(f"{solver}: {len(proved)} of {sum(r['solver'] == solver for r in rows)} closed, {mean:.2f} user s in the geometric mean of these")
    if arguments.json:
        write_json(arguments.json, rows)
    if arguments.picture:
        draw(rows, arguments.picture)


if __name__ == "__main__":
    main()
