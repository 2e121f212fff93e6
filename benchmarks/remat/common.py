"""What the benchmarks of rematerialization share: graphs, budgets, plans by memplan-solve, and their independent check."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import DATA, ROOT, Table, built, call, figure, graph_path, head, merge_rows, origin, plain, put_table, stored  # noqa: E402,F401

CHECKER = ROOT / "utils/check_plan.py"


def timed(command, limit=None, **options):
    """The finished process and its user seconds (those of its children too); None where it ran out of `limit` seconds
    of processor time, which hold on a busy machine."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 10))

    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          preexec_fn=bound if limit else None, **options)
    return done, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


class Step:
    """A graph file and what follows from it without planning."""

    def __init__(self, path):
        self.path = plain(path)
        self.graph = json.loads(self.path.read_text())
        self.name = self.graph["name"]
        nodes, tensors = self.graph["nodes"], self.graph["tensors"]
        self.nodes = len(nodes)
        made = {tensor for node in nodes for tensor in node["outputs"]}
        self.own_bytes = {t["id"]: t["bytes"] for t in tensors if t.get("view_of") is None}
        self.resident = self.graph.get("fixed_bytes", 0) + sum(b for t, b in self.own_bytes.items() if t not in made)
        self.cost = sum(node["cost"] for node in nodes)
        self.peak = self.resident + self._peak_of_activations(made)

    def _peak_of_activations(self, made):
        """Live bytes in source order, each value freed after its last reader, nothing in place."""
        view_of = {t["id"]: t.get("view_of") for t in self.graph["tensors"]}

        def base(tensor):
            while view_of[tensor] is not None:
                tensor = view_of[tensor]
            return tensor

        last = {}
        for number, node in enumerate(self.graph["nodes"]):
            for tensor in node["inputs"] + node["outputs"] + node.get("writes", []):
                last[base(tensor)] = number
        for tensor in self.graph["tensors"]:
            if tensor.get("kind") == "output":
                last[base(tensor["id"])] = self.nodes
        live = peak = 0
        ends = {}
        for number, node in enumerate(self.graph["nodes"]):
            live += sum(self.own_bytes.get(tensor, 0) for tensor in node["outputs"])
            for tensor in node["outputs"]:
                if tensor in self.own_bytes:
                    ends.setdefault(last[tensor], []).append(tensor)
            peak = max(peak, live + node.get("workspace_bytes", 0))
            live -= sum(self.own_bytes[tensor] for tensor in ends.pop(number, []))
        return peak

    def budget(self, fraction):
        """Between the bytes that are always there and the peak without recomputation."""
        return int(self.resident + fraction * (self.peak - self.resident))

    def budget_beside_outputs(self, fraction):
        """Likewise, with what the step gives out (accumulated gradients) counted among what is always there."""
        view_of = {t["id"]: t.get("view_of") for t in self.graph["tensors"]}
        out = sum(self.own_bytes[t["id"]] for t in self.graph["tensors"] if t.get("kind") == "output" and view_of[t["id"]] is None)
        return int(self.resident + out + fraction * (self.peak - self.resident - out))

    def is_simple(self):
        """One value a node, nothing in place: what the models of the papers plan."""
        return all(len(node["outputs"]) == 1 and not node.get("writes") and not node.get("in_place")
                   for node in self.graph["nodes"]) and len(self.graph["tensors"]) == self.nodes


def graph_named(name):
    return Step(graph_path(name))


def check(step_path, plan_path, budget=None, *flags):
    """Stops the benchmark where the independent checker refuses a plan: no figure is made of it."""
    command = [sys.executable, CHECKER, step_path, plan_path, *flags] + (["--budget", budget] if budget else [])
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{step_path}: a plan does not pass the check: {done.stdout}{done.stderr}")


def plan(tools, step, solver, budget, *flags, limit=None):
    """One plan by memplan-solve as a row of figures, checked."""
    return plan_of(tools, step, solver, budget, *flags, limit=limit)[0]


def plan_of(tools, step, solver, budget, *flags, limit=None):
    """Likewise, and the plan itself or None."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "case.plan.json"
        command = [tools / "memplan-solve", "remat", step.path, f"--remat={solver}", f"--budget={budget}", "-o", path, *flags]
        done, seconds = timed(command, limit)
        row = {"graph": step.name, "nodes": step.nodes, "solver": solver, "budget": budget, "user_seconds": round(seconds, 3),
               "status": "no_plan"}
        if not path.exists() or not path.stat().st_size:
            row["note"] = "stopped" if done.returncode < 0 else done.stderr.strip().splitlines()[0]
            return row, None
        made = json.loads(path.read_text())
        row["status"] = made["status"]
        if made["status"] not in ("optimal", "feasible"):
            row["note"] = done.stderr.strip().splitlines()[-1]
            return row, None
        check(step.path, path, budget)
        row |= {"by": made["solver"], "overhead": made["cost"] / step.cost - 1, "live_bytes": made["peak_bytes"]}
        if "bound" in made:
            row |= {"bound": made["bound"] / step.cost - 1, "bound_space": made.get("bound_space"), "proof": made.get("proof")}
        return row, made


def percent(value):
    return "-" if value is None else f"{100 * value:.3g} %"


def write_json(path, rows):
    """The raw log: what was run, where, and every row."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f'{json.dumps(origin())[:-1]}, "rows": [\n{lines}\n]}}\n')
