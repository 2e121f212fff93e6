#!/usr/bin/env python3
"""Whole training steps of transformers: what plans take within a budget, beside what trainers do.

    benchmarks/large/table.py [FILE ...] [--steps PATTERN] [--groups budgets alone least policies random generated]
                              [--bandwidth H2D,D2H,LATENCY] [--effort N] [--build DIR] [--json LOG] [--write]

Groups: `budgets` with copies, `alone` without, `least` the least budget at a limit of time, `policies` every policy at its own peak, `random`
random layered steps within some seconds and without a limit, `generated` generated transformers by recomputation. What a group measures goes into the log as it comes, and the tables are made of
all that the log holds. Steps are those of benchmarks/data/steps. FILEs are further graphs, at 80, 60 and 40 % of their peak. Every plan passes utils/check_plan.py, which executes policies too.
--write puts the tables into docs/Benchmarks/Large.md.
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
from shared import ROOT, Table, built, call, origin, plain, stored

import policies

sys.path.insert(0, str(ROOT / "benchmarks/remat"))
from common import Step  # noqa: E402

GIB = 2**30
GROUPS = ("budgets", "alone", "least", "policies", "random", "generated")
# GiB, and the overhead in % that was asked for.
BUDGETS = {"llama3_8b": ((37.6, 1.5), (30, 3), (23.5, 6), (22.3, 7.5), (18.02, 13)), "qwen3_14b": ((93, 1), (70, 2.5), (47.5, 4.5), (34, 17))}
ALONE = {"llama3_8b": ((30, 4), (22.3, 9), (18.03, 14))}
# The first budget to try in GiB, what was asked for, and the overhead in % that such a plan may have.
IN_PLACE = "waits in place"
LEAST = {"llama3_8b": (17.8, 16.4, 30), f"llama3_8b, {IN_PLACE}": (16.4, 16.4, 30)}
SHARES = (80, 60, 40)
PAGE = ROOT / "docs/Benchmarks/Large.md"
# Arguments of the generator; shares of what lies between the bytes at the step's end and its peak, and what was asked for: the overhead in % and
# the part of it that is proved, None where nothing was; limits of time in seconds, beside none.
GENERATED = {"transformer48x4": (("48", "4", "--hidden", "4096", "--sequence", "2048"), ((.7, 3, .97), (.5, 13, .85), (.3, 23, .75)), ()),
             "transformer80x2": (("80", "2", "--hidden", "8192", "--sequence", "4096", "--fsdp", "8", "--regather"), ((.5, None, None), (.3, None, None)), ()),
             # Nothing was tuned on these.
             "transformer32x24": (("32", "24", "--hidden", "6144", "--sequence", "2048", "--fsdp", "8", "--regather"), ((.5, None, None), (.3, None, None)), ()),
             "transformer56x12": (("56", "12", "--hidden", "5120", "--sequence", "4096", "--fsdp", "16", "--regather"), ((.5, None, None), (.3, None, None)), ()),
             "transformer36x10": (("36", "10", "--hidden", "3072", "--sequence", "1024"), ((.5, None, None), (.3, None, None)), ()),
             # The last one: the graph in this process counts in the peak of processes that it starts.
             "transformer80x32": (("80", "32", "--hidden", "8192", "--sequence", "4096", "--fsdp", "8", "--regather"), ((.7, 2, .95), (.5, 3.4, .95)), (10,))}
# Nodes and seed of random layered steps, shares of their peak, and the seconds within which a plan was asked for.
RANDOM, RANDOM_SHARES, RANDOM_SECONDS = [(250 + 83 * i, 101 + i) for i in range(10)], (80, 90), 3


class Bench:
    """The tools, the steps, and the log."""

    def __init__(self, options, folder):
        self.solve, self.folder, self.flags, self.path = options.build / "bin/memplan-solve", folder, [], options.json
        self.link, self.origin = [float(x) for x in options.bandwidth.split(",")], origin()
        self.copies = ["--swap=search", f"--bandwidth={options.bandwidth}"]
        if options.effort:
            self.flags.append(f"--effort={options.effort}")
        self.log = json.loads(self.path.read_text()) if self.path and self.path.exists() else {}
        given = {path.name.split(".")[0]: plain(path) for path in options.files}
        own = {path.name.split(".")[0]: path for path in stored("*.graph.json", "steps")}
        self.steps = {name: path for name, path in (given or own).items() if re.search(options.steps, name)}
        self.graphs = {}
        self.made = {}

    def path_of(self, name):
        return self.steps.get(name) or self.made[name]

    def make_layered(self, nodes, seed):
        """The name of a random step, which is in no file of the repository."""
        name = f"layered{nodes}_s{seed}"
        self.made[name] = self.folder / f"{name}.graph.json"
        call(sys.executable, ROOT / "benchmarks/generate/layered.py", nodes, "--seed", seed, "-o", self.made[name])
        return name

    def make_in_place(self, name):
        """The same step, in which a wait hands over the bytes of its collective and is no view of them, so that they can go to the host."""
        graph, heirs = json.loads(pathlib.Path(self.path_of(name)).read_text()), {}
        tensors = {tensor["id"]: tensor for tensor in graph["tensors"]}
        for node in graph["nodes"]:
            for view in (tensors[output] for output in node["outputs"] if "view_of" in tensors[output]):
                base = tensors[heirs.get(view["view_of"], view["view_of"])]
                if not node["name"].startswith("wait_tensor"):
                    view["view_of"] = base["id"]
                    continue
                heirs[view.pop("view_of")] = view["id"]
                view |= {"bytes": base["bytes"], "kind": base.get("kind", "activation")}
                base["kind"] = "activation"
                node["in_place"] = [[view["id"], node["inputs"][0]]]
        made = f"{name}, {IN_PLACE}"
        self.made[made] = self.folder / f"{name}.in_place.graph.json"
        self.made[made].write_text(json.dumps(graph))
        return made

    def make_transformer(self, name, arguments):
        self.made[name] = self.folder / f"{name}.graph.json"
        call(sys.executable, ROOT / "benchmarks/generate/transformer.py", *arguments, "-o", self.made[name])
        return Step(self.made[name])

    def graph(self, name):
        if name not in self.graphs:
            self.graphs[name] = json.loads(pathlib.Path(self.path_of(name)).read_text())
        return self.graphs[name]

    def cost(self, name):
        return sum(node.get("cost", 0) for node in self.graph(name)["nodes"])

    def plan(self, name, budget, copies, *more):
        """A row of figures; without an overhead where there is no plan. `budget`: bytes, or a share as the tool reads it."""
        out = self.folder / "one.plan.json"
        out.unlink(missing_ok=True)
        flags = [f"--budget={budget}", *(self.copies if copies else []), *self.flags, *more]
        process = subprocess.Popen([str(self.solve), "remat", str(self.path_of(name)), *flags, "--quiet", "-o", str(out)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        said = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        row = {"step": name, "budget": budget, "cpu_seconds": round(usage.ru_utime, 2), "rss_mib": usage.ru_maxrss >> 10}
        if status >> 8 in (1, 3):
            return row
        if status:
            sys.exit(f"{name}: {' '.join(flags)}: {said}")
        made = json.loads(out.read_text())
        link = [f"--bandwidth={','.join(map(str, self.link))}"] if copies else []
        call(sys.executable, ROOT / "utils/check_plan.py", self.path_of(name), out, "--budget", made["budget_bytes"], *link)
        graph = self.graph(name)
        callers = graph.get("fixed_bytes", 0) + sum(t["bytes"] for t in graph["tensors"] if t.get("kind") in ("parameter", "state", "input"))
        arena = next(arena for arena in made["arenas"] if arena["space"] == "device")
        time, cost = made.get("time", made["cost"]), self.cost(name)
        bound = max(cost, made.get("time_bound", 0), made.get("bound", 0) if not copies else 0)
        return row | {"over": 100 * (time / cost - 1), "above_any": 100 * (time / bound - 1), "arena": (callers + arena["bytes"]) / made["peak_bytes"],
                      "peak": made["peak_bytes"]}

    def keep(self, group, rows):
        before, fresh = self.log.get(group, {"rows": []})["rows"], []
        for row in rows:
            fresh.append(row)
            # Rows of steps that were not run now stay.
            now = {row["step"] for row in fresh}
            self.log[group] = self.origin | {"rows": [row for row in before if row["step"] not in now] + fresh}
            print(group, json.dumps(row), flush=True)
            if self.path:
                self.path.write_text(json.dumps(self.log, indent=1) + "\n")


# --- What is measured ---

def asked_budgets(bench, table):
    for name in bench.steps:
        graph = bench.graph(name)
        if name in table:
            yield from ((name, int(size * GIB), asked) for size, asked in table[name])
        elif name not in BUDGETS:
            everything = policies.policies(policies.Step(graph), bench.link[1])["checkpoint all"]
            peak, _ = policies.execute(graph, policies.Emitter(policies.Step(graph), *everything).actions(), bench.link)
            yield from ((name, peak * share // 100, None) for share in SHARES)


def budgets(bench):
    for name, budget, asked in asked_budgets(bench, BUDGETS):
        yield bench.plan(name, budget, copies=True) | {"asked": asked}


def alone(bench):
    for name, budget, asked in asked_budgets(bench, ALONE):
        yield bench.plan(name, budget, copies=False) | {"asked": asked}


def least(bench):
    """The least budget of a plan within the limit of time, to .1 GiB: upwards from the first one to try."""
    for name, (size, asked, most) in LEAST.items():
        own = name.split(",")[0]
        if own not in bench.steps:
            continue
        step = name if name == own else bench.make_in_place(own)
        for tenths in range(20):
            row = bench.plan(step, int((size + tenths / 10) * GIB), copies=True)
            if row.get("over", most + 1) <= most:
                break
        yield row | {"most": most, "asked": asked}


def against_policies(bench):
    for name in bench.steps:
        step = policies.Step(bench.graph(name))
        for policy, (kept, copied) in policies.policies(step, bench.link[1]).items():
            peak, time = policies.execute(step.graph, policies.Emitter(step, kept, copied).actions(), bench.link)
            if policy == "checkpoint all":
                continue
            yield bench.plan(name, peak, copies=True) | {"policy": policy, "policy_over": 100 * (time / bench.cost(name) - 1)}


def random_steps(bench):
    for nodes, seed in RANDOM:
        name = bench.make_layered(nodes, seed)
        for share in RANDOM_SHARES:
            yield bench.plan(name, f"{share}%", False, f"--time-limit={RANDOM_SECONDS}") | {"unlimited": bench.plan(name, f"{share}%", False)}


def generated_steps(bench):
    for name, (arguments, asked, limits) in GENERATED.items():
        step = bench.make_transformer(name, arguments)
        for share, over, bound in asked:
            for limit in (None, *limits):
                flags = [] if limit is None else [f"--time-limit={limit}"]
                yield bench.plan(name, step.budget_beside_outputs(share), False, "--alignment=1", *flags) | {
                    "nodes": step.nodes, "share": share, "asked": over, "asked_bound": bound, "limit": limit}


# --- Tables ---

def percent(row, key):
    return "none" if row.get(key) is None else f"{row[key]:.2f} %"


def arena_and_work(row):
    arena = f"{row['arena']:.4f}" if "arena" in row else "-"
    return f"{arena} | {row['cpu_seconds']:.1f} | {row['rss_mib']} |"


def figures(row):
    return f"{percent(row, 'over')} | {percent(row, 'above_any')} | {arena_and_work(row)}"


COLUMNS = "over the unplanned step | above any plan, at most | arena / live bytes | CPU s | MiB |"


def write_budgets(log, table, title):
    table.add(f"**{title}**", "", f"| step | GiB | asked | {COLUMNS}", "|---|---|---|---|---|---|---|---|")
    for row in log["rows"]:
        asked = "-" if row["asked"] is None else f"{row['asked']:g} %"
        table.add(f"| {row['step']} | {row['budget'] / GIB:.2f} | {asked} | {figures(row)}")
    table.add("")


def write_least(log, table):
    table.add("**Least budget of a plan within a limit of time**", "", f"| step | asked GiB, at most | GiB | {COLUMNS}", "|---|---|---|---|---|---|---|---|")
    for row in log["rows"]:
        table.add(f"| {row['step']} | {row['asked']:g}, {row['most']} % | {row['budget'] / GIB:.2f} | {figures(row)}")
    table.add("")


def write_policies(log, table):
    worse = [row for row in log["rows"] if row.get("over", 1e9) > row["policy_over"]]
    table.add("**Every policy at its own peak**", "", "| step | policy | GiB | policy | plan | CPU s |", "|---|---|---|---|---|---|")
    for row in log["rows"]:
        table.add(f"| {row['step']} | {row['policy']} | {row['budget'] / GIB:.2f} | {row['policy_over']:.2f} % | {percent(row, 'over')} | {row['cpu_seconds']:.1f} |")
    table.add("", f"Plans that lose to a policy at that policy's own peak: {len(worse)} of {len(log['rows'])}.", "")


def write_random(log, table):
    found = [row for row in log["rows"] if "over" in row]
    table.add(f"| step | budget | within {RANDOM_SECONDS} s | CPU s | without a limit | CPU s | above any plan, at most |",
              "|---|---|---|---|---|---|---|")
    for row in log["rows"]:
        free = row["unlimited"]
        table.add(f"| {row['step']} | {row['budget']} | {percent(row, 'over')} | {row['cpu_seconds']:.1f} | {percent(free, 'over')} | {free['cpu_seconds']:.1f} | "
                  f"{percent(free, 'above_any')} |")
    table.add("", f"Plans found within {RANDOM_SECONDS} seconds: {len(found)} of {len(log['rows'])}.", "")


def write_generated(log, table):
    table.add("| step | nodes | *f* | limit | over the unplanned step | asked | proved part of it | asked | arena / live bytes | CPU s | MiB |",
              "|---|---|---|---|---|---|---|---|---|---|---|")
    for row in log["rows"]:
        limit = "-" if row["limit"] is None else f"{row['limit']} s"
        proved = "-"
        if row.get("over"):
            # Of 1 + over, 1 + proved is the bound.
            proved = f"{((100 + row['over']) / (100 + row['above_any']) - 1) * 100 / row['over'] * 100:.0f} %"
        asked = "-" if row["asked"] is None else f"{row['asked']:g} %"
        asked_bound = "-" if row["asked_bound"] is None else f"{100 * row['asked_bound']:.0f} %"
        table.add(f"| {row['step']} | {row['nodes']} | {row['share']} | {limit} | {percent(row, 'over')} | {asked} | {proved} | {asked_bound} | {arena_and_work(row)}")
    table.add("")


def write_whole(log, table):
    for group, title in (("budgets", "Recomputation and copies"), ("alone", "Recomputation alone")):
        if group in log:
            write_budgets(log[group], table, title)
    if "least" in log:
        write_least(log["least"], table)
    if "policies" in log:
        write_policies(log["policies"], table)
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--steps", default=".")
    parser.add_argument("--groups", nargs="*", choices=GROUPS, default=GROUPS)
    parser.add_argument("--bandwidth", default="55000,55000,10")
    parser.add_argument("--effort")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    options.build = built(options.build, "memplan-solve")
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(options, pathlib.Path(name))
        measured = {"budgets": budgets, "alone": alone, "least": least, "policies": against_policies, "random": random_steps,
                    "generated": generated_steps}
        for group in options.groups:
            bench.keep(group, measured[group](bench))
    whole = next((bench.log[group] for group in GROUPS[:-2] if group in bench.log), None)
    if whole:
        table = write_whole(bench.log, Table(whole))
        if options.write:
            table.write([PAGE], "benchmarks/large/table.py")
    if "random" in bench.log:
        table = Table(bench.log["random"])
        write_random(bench.log["random"], table)
        if options.write:
            table.write([PAGE], "benchmarks/large/table.py --groups random")
    if "generated" in bench.log:
        table = Table(bench.log["generated"])
        write_generated(bench.log["generated"], table)
        if options.write:
            table.write([PAGE], "benchmarks/large/table.py --groups generated")


if __name__ == "__main__":
    main()
