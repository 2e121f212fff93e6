#!/usr/bin/env python3
"""Random steps, planned by every solver with copies, streams and limits of all sorts.

    test/Planner/random_runs.py [--build build] [--runs 20000] [--seed 1] [--jobs 2] [--keep FOLDER]

Each run is one memplan-solve on a random graph with random options. What may not happen:
- an error: no combination of options made here is a wrong one, so any is a bug that the tool names itself or hides (but solvers
  for chains refuse other steps);
- a plan that utils/check_plan.py refuses, runs in vain included;
- a plan of the default order that takes longer than that of --order=search, without copies;
- a lost plan: none is found, and none is proved to be impossible, though one is found with options that are a subset (without
  copies, without recomputation, with copies by the rules of TFLMS, on one stream, by one solver where the best of several is asked for).
Prints each fault with its seed and command, and a table of what was run; exits with 1 where there is a fault. --keep writes the
graphs of faults there. `--seed` is that of the first run; run k has seed + k, so that one run is repeated by --seed S --runs 1.
"""
import argparse
import collections
import concurrent.futures
import importlib.util
import json
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("check_plan", ROOT / "utils/check_plan.py")
check_plan = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_plan)

SOLVERS = ["auto", "checkpoint-all", "revolve", "rotor", "chen-sqrt", "chen-greedy", "ap-sqrt", "ap-greedy", "linearized-sqrt",
           "linearized-greedy", "lp-rounding", "lp-random", "dtr", "greedy", "search", "milp"]
SEARCHES = ("auto", "search", "milp")
PARTS_OF_AUTO = ("checkpoint-all", "greedy", "search", "linearized-greedy", "ap-greedy")
NEED_A_CHAIN = ("revolve", "chen-sqrt", "chen-greedy")
REFUSAL = "is for a linear forward pass"
SECONDS = 120  # A run that takes longer is a fault.


# --- Steps ---


class StepBuilder:
    """A training step in small: a forward pass, a backward pass that reads it, updates; with everything the format offers."""

    def __init__(self, r):
        self.r, self.tensors, self.nodes, self.is_chain = r, [], [], r.random() < 0.25
        self.unit = r.choice([1, 16, 256, 1000])
        self.communicates = r.random() < 0.15

    def tensor(self, **more):
        record = {"id": len(self.tensors), **more}
        if "view_of" not in record:
            record["bytes"] = more.get("bytes", self.unit * self.r.choice([0, 1, 1, 2, 3, 4, 8]))
        self.tensors.append(record)
        return record["id"]

    def node(self, inputs, outputs, **more):
        r = self.r
        record = {"id": len(self.nodes), "cost": r.choice([0, 1, 1, 2, 3, 5, 8]), "inputs": inputs, "outputs": outputs, **more}
        if r.random() < 0.15:
            record["workspace_bytes"] = self.unit * r.randint(1, 4)
        if r.random() < 0.1:
            record["variants"] = [{"cost": record["cost"], "workspace_bytes": record.get("workspace_bytes", 0)},
                                  {"cost": record["cost"] + r.randint(0, 3), "workspace_bytes": 0}]
        if r.random() < 0.04:
            record["recompute"] = False
        if outputs and not record.get("writes") and r.random() < 0.03:
            record["collective"] = True
        if self.communicates and r.random() < 0.3:
            record["stream"] = "comm"
        if r.random() < 0.4:
            over = [[o, i] for o in outputs for i in inputs if "view_of" not in self.tensors[o] and r.random() < 0.5]
            if over:
                record["in_place"] = over
        self.nodes.append(record)

    def make(self):
        r = self.r
        given = [self.tensor(kind="input", donated=r.random() < 0.3) for _ in range(r.randint(1, 2))]
        weights = [self.tensor(kind=r.choice(["parameter", "state"])) for _ in range(r.randint(0, 3))]
        forward = list(given)
        for _ in range(r.randint(2, 14)):
            reads = {forward[-1]} if self.is_chain else {r.choice(forward[-3:]), *([r.choice(forward)] if r.random() < 0.3 else [])}
            reads = sorted(reads | ({r.choice(weights)} if weights and r.random() < 0.6 else set()))
            if r.random() < 0.12:
                made = [self.tensor(view_of=r.choice(reads))]
            else:
                made = [self.tensor() for _ in range(1 if self.is_chain or r.random() < 0.85 else 2)]
            self.node(reads, made)
            forward += made
        gradient = self.tensor()
        self.node([forward[-1]], [gradient])
        for value in reversed(forward[len(given):]):
            if r.random() < 0.2:
                continue
            made = [self.tensor(kind="gradient")]
            extra = {r.choice(forward)} if r.random() < 0.5 else set()
            self.node(sorted({gradient, value} | extra), made)
            gradient = made[0]
            if weights and r.random() < 0.3:
                weight = r.choice(weights)
                self.node(sorted({gradient, weight}), [], writes=[weight])
        produced = {t for node in self.nodes for t in node["outputs"]}
        read = {t for node in self.nodes for t in node["inputs"]}
        for t in self.tensors:
            if t["id"] in produced and (t["id"] not in read or r.random() < 0.03):
                t["kind"] = "output"
        self.put_writes_last()
        return {"version": 1, "name": "random", "fixed_bytes": self.unit * r.choice([0, 0, 3]), "tensors": self.tensors, "nodes": self.nodes}

    def put_writes_last(self):
        """A forward value may only be computed again from what is not overwritten: as in a program, updates stand at the end."""
        last = [node for node in self.nodes if node.get("writes")]
        self.nodes = [node for node in self.nodes if not node.get("writes")] + last
        for number, node in enumerate(self.nodes):
            node["id"] = number


# --- Runs ---


def random_case(seed):
    """(graph, flags as a dictionary)"""
    r = random.Random(seed)
    graph = StepBuilder(r).make()
    size = sum(t.get("bytes", 0) for t in graph["tensors"])
    flags = {"budget": f"{r.choice([100, 97, 94, 91, 88, 85, 80, 75, 70, 60, 50, 30])}%", "remat": r.choice(SOLVERS + ["auto"] * 8 + ["search"] * 3),
             "effort": r.choice([50, 300, 300, 2000]), "alignment": r.choice([1, 1, 64, 256])}
    if r.random() < 0.5:
        flags["swap"] = r.choice(["cost", "cost", "tflms"])
        rate = size / (1 + sum(node["cost"] for node in graph["nodes"])) * r.choice([0.02, 0.2, 1, 1, 5, 1000])
        flags["bandwidth"] = f"{max(rate, 1e-3):.4f},{max(rate * r.choice([0.5, 1, 2]), 1e-3):.4f},{r.choice([0, 0, 1, 5])}"
        if r.random() < 0.2:
            flags["host-budget"] = r.choice([0, size // 8 + 1, size])
        if flags["swap"] == "cost" and flags["remat"] in (*SEARCHES, "checkpoint-all") and r.random() < 0.25:
            flags["host-state"] = r.choice(["states", "all"])
    if r.random() < 0.4:
        flags |= {"streams": r.randint(2, 4), "parallelism": r.choice(["prefer", "balance", "memory"])}
    for name, chance, values in (("order", 0.5, ["source", "search", "early-updates", "late"]), ("sharing", 0.15, ["none", "counter", "color"]),
                                 ("in-place", 0.15, ["false"]), ("arena", 0.2, ["best-fit", "greedy-by-size", "exact", "xla", "hill-climb"]),
                                 ("time-limit", 0.1, ["0.02", "0.3", "2"])):
        if r.random() < chance:
            flags[name] = r.choice(values)
    if flags.get("swap", "none") != "none" or flags.get("streams", 1) > 1:
        flags.pop("sharing", None)
    return graph, flags


def subsets(flags):
    """Flags that ask for less of the same: what they find, `flags` may not lose."""
    copies = {"swap", "bandwidth", "host-budget", "host-state", "tflms"}
    alone = {name: value for name, value in flags.items() if name not in copies}
    one = {name: value for name, value in flags.items() if name not in ("streams", "parallelism")}
    if flags.get("swap") == "cost" and flags["remat"] in SEARCHES:
        # Time costs of copies are in the graph for both.
        yield alone
        yield flags | {"remat": "checkpoint-all"}
    if flags.get("swap") == "cost" and flags["remat"] in (*SEARCHES, "checkpoint-all"):
        # Rules that know no bytes.
        yield {name: value for name, value in flags.items() if name != "host-state"} | {"swap": "tflms"}
    if "streams" in flags:
        yield one
    if "host-state" in flags:
        yield {name: value for name, value in flags.items() if name != "host-state"}
    if flags["remat"] == "auto" and "swap" not in flags:
        for part in PARTS_OF_AUTO:
            yield flags | {"remat": part}


class Runner:
    def __init__(self, solve, folder):
        self.solve, self.folder = solve, folder

    def command(self, graph_path, flags, plan="-"):
        return [str(self.solve), "remat", str(graph_path), *(f"--{name}={value}" for name, value in flags.items()), "-o", str(plan)]

    def plan(self, graph_path, flags):
        """(exit status, plan or None, what was said)"""
        try:
            done = subprocess.run(self.command(graph_path, flags), capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None, None, f"takes more than {SECONDS} seconds"
        plan = json.loads(done.stdout) if done.stdout.strip() and done.returncode in (0, 1, 3) else None
        return done.returncode, plan, done.stderr.strip()

    def run(self, seed):
        """(flags, status, fault or None)"""
        graph, flags = random_case(seed)
        path = self.folder / f"{seed}.graph.json"
        path.write_text(json.dumps(graph))
        status, plan, said = self.plan(path, flags)
        fault = None
        if plan is None and flags["remat"] in NEED_A_CHAIN and REFUSAL in said:
            path.unlink()
            return flags, "refused", None
        if plan is None:
            fault = f"status {status}: {said}"
        else:
            compare = self.find_lost if plan["status"] == "no_plan" else self.find_faster
            fault = self.judge(graph, flags, plan) or compare(path, flags, plan)
        if not fault:
            path.unlink()
        return flags, plan and plan["status"], fault and f"{shlex.join(self.command(path, flags))}\n  {fault}"

    def judge(self, graph, flags, plan):
        bandwidth = flags.get("bandwidth") and check_plan.parse_bandwidth(flags["bandwidth"])
        if "host-budget" in flags:
            graph = {**graph, "host_budget_bytes": flags["host-budget"]}
        order = "source" if flags.get("order") == "source" else None
        try:
            check_plan.check(graph, plan, None, bandwidth, order, useful=True)
        except check_plan.Violation as violation:
            return f"invalid plan: {violation}"

    def find_faster(self, path, flags, plan):
        others = flags.keys() & {"order", "swap", "time-limit"} or flags.get("parallelism") == "memory"
        if flags["remat"] not in ("auto", "search") or others or "time" not in plan:
            return None
        searched = flags | {"order": "search"}
        _, other, _ = self.plan(path, searched)
        if other and "time" in other and plan["time"] > other["time"] * (1 + 1e-9):
            return f"slower: {plan['time']}, but {other['time']} by {shlex.join(self.command(path, searched))}"

    def find_lost(self, path, flags, plan):
        if "time-limit" in flags:
            return None  # Which is a matter of seconds.
        for fewer in subsets(flags):
            status, plan, _ = self.plan(path, fewer)
            if plan and plan["status"] in ("optimal", "feasible"):
                return f"lost plan: {shlex.join(self.command(path, fewer))} has one"


def sweep(solve, first, runs, folder, jobs=2, tell=lambda text: None):
    """Counts of outcomes by (solver, swap), and faults."""
    runner, counts, faults = Runner(solve, folder), collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, (flags, status, fault) in enumerate(pool.map(runner.run, range(first, first + runs))):
            counts[flags["remat"], flags.get("swap", "none"), status or "fault"] += 1
            if fault:
                faults.append(f"seed {first + number}: {fault}")
                tell(faults[-1])
    return counts, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--runs", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as text:
        folder = arguments.keep or pathlib.Path(text)
        folder.mkdir(parents=True, exist_ok=True)
        counts, faults = sweep(arguments.build / "bin/memplan-solve", arguments.seed, arguments.runs, folder, arguments.jobs,
                               lambda fault: print(fault, flush=True))
    statuses = ["optimal", "feasible", "infeasible", "no_plan", "refused", "fault"]
    print("\n| remat | swap | " + " | ".join(statuses) + " |\n|" + "---|" * (2 + len(statuses)))
    for remat, swap in sorted({key[:2] for key in counts}):
        print(f"| {remat} | {swap} | " + " | ".join(str(counts[remat, swap, status]) for status in statuses) + " |")
    known = ("lost plan", "invalid plan", "slower")
    kinds = collections.Counter(next((kind for kind in known if f"\n  {kind}: " in fault), "error") for fault in faults)
    print(f"\n{arguments.runs} runs from seed {arguments.seed}: {dict(kinds) or 'no fault'}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
