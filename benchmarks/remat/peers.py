#!/usr/bin/env python3
"""Open solvers on the published models of rematerialization, for the race.

    benchmarks/remat/peers.py highs|cbc|cp-sat GRAPH BUDGET [--limit SECONDS] [--cbc PROGRAM] -o PLAN

highs, cbc: the integer program of Checkmate (Jain et al., MLSys 2020, equations 1 to 6) as it is in the paper, lower
triangular, through HiGHS (package highspy) or the program cbc. cp-sat: Moccasin's formulation (Bartan et al., ICML 2023),
at most two retention intervals a value in the source's order, through OR-Tools (package ortools). Graphs with one value a
node. One thread; stops within 1e-4 of the optimum. Prints one line of JSON, and writes the plan that follows from the
answer: what is retained, and the least runs for it.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from common import Step

GAP = 1e-4
SCALE = 1000.0  # of the objective: the cost without recomputation


def reads(step):
    producer = {node["outputs"][0]: node["id"] for node in step.graph["nodes"]}
    return [sorted({producer[tensor] for tensor in node["inputs"]}) for node in step.graph["nodes"]]


def need(package, what):
    if importlib.util.find_spec(package) is None:
        sys.exit(f"{what} needs the Python package '{package}', which is not installed: pip install {package}")


class Rows:
    """A linear model, one column and one row at a time."""

    def __init__(self):
        self.lower, self.upper, self.cost, self.integer = [], [], [], []
        self.starts, self.columns, self.values, self.least, self.most = [0], [], [], [], []

    def column(self, lower=0.0, upper=1.0, cost=0.0, integer=True):
        for values, value in ((self.lower, lower), (self.upper, upper), (self.cost, cost), (self.integer, integer)):
            values.append(value)
        return len(self.lower) - 1

    def row(self, terms, least=float("-inf"), most=float("inf")):
        self.columns += [column for column, _ in terms]
        self.values += [value for _, value in terms]
        self.starts.append(len(self.columns))
        self.least.append(least)
        self.most.append(most)


def checkmate(step, budget):
    """R and S by stage, U and FREE with them."""
    before = reads(step)
    count = step.nodes
    after = [[k for k in range(count) if i in before[k]] for i in range(count)]
    room = budget - step.resident
    size = [step.own_bytes[node["outputs"][0]] * 100.0 / room for node in step.graph["nodes"]]
    cost = [node["cost"] * SCALE / step.cost for node in step.graph["nodes"]]
    model = Rows()
    run = [[model.column(1.0 if i == t else 0.0, 1.0, cost[i]) for i in range(t + 1)] for t in range(count)]
    keep = [[model.column() for _ in range(t)] for t in range(count)]
    for t in range(count):
        for k in range(t + 1):
            for i in before[k]:  # (1b): an input is run in the stage or kept into it
                model.row([(run[t][k], 1), (run[t][i], -1), (keep[t][i], -1)], most=0)
        for i in range(t):  # (1c): kept only if it was there
            terms = [(keep[t][i], 1), (run[t - 1][i], -1)]
            model.row(terms + ([(keep[t - 1][i], -1)] if i < t - 1 else []), most=0)
        free = {(i, k): model.column() for k in range(t + 1) for i in before[k]}
        live = [model.column(0, 100.0, integer=False) for _ in range(t + 1)]
        model.row([(live[0], 1), (run[t][0], -size[0])] + [(keep[t][i], -size[i]) for i in range(t)], 0, 0)
        for k in range(t):  # (3)
            model.row([(live[k + 1], 1), (live[k], -1), (run[t][k + 1], -size[k + 1])] +
                      [(free[i, k], size[i]) for i in before[k]], 0, 0)
        for (i, k), freed in free.items():  # (6b), (6c): freed if and only if run, not kept on, and not read later
            hazards = [(run[t][k], -1)] + ([(keep[t + 1][i], 1)] if t + 1 < count else [])
            hazards += [(run[t][j], 1) for j in after[i] if k < j <= t]
            model.row([(freed, 1)] + hazards, least=0)
            model.row([(freed, len(hazards))] + hazards, most=len(hazards) - 1)
    return model, keep


def to_highs(model):
    import highspy
    import numpy
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(model.lower), len(model.least)
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = (numpy.array(x, float) for x in (model.cost, model.lower, model.upper))
    lp.row_lower_, lp.row_upper_ = numpy.array(model.least, float), numpy.array(model.most, float)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = numpy.array(model.starts, numpy.int32)
    lp.a_matrix_.index_ = numpy.array(model.columns, numpy.int32)
    lp.a_matrix_.value_ = numpy.array(model.values, float)
    kinds = highspy.HighsVarType
    lp.integrality_ = [kinds.kInteger if integer else kinds.kContinuous for integer in model.integer]
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", GAP)
    solver.passModel(lp)
    return solver


def kept_of(keep, value):
    return {(t, i) for t, row in enumerate(keep) for i, column in enumerate(row) if value(column) > 0.5}


def solve_highs(step, budget, limit, _):
    need("highspy", "highs")
    model, keep = checkmate(step, budget)
    solver = to_highs(model)
    solver.setOptionValue("time_limit", float(limit))
    solver.run()
    info = solver.getInfo()
    row = {"state": solver.modelStatusToString(solver.getModelStatus())}
    if abs(info.mip_dual_bound) < 1e20:
        row["bound"] = info.mip_dual_bound / SCALE - 1
    if info.primal_solution_status != 2:
        return row, None
    values = list(solver.getSolution().col_value)
    return row, kept_of(keep, values.__getitem__)


def solve_cbc(step, budget, limit, program):
    need("highspy", "cbc (highspy writes its model)")
    model, keep = checkmate(step, budget)
    with tempfile.TemporaryDirectory() as folder:
        mps, answer = pathlib.Path(folder) / "model.mps", pathlib.Path(folder) / "answer.txt"
        to_highs(model).writeModel(str(mps))
        command = [program, mps, "-ratioGap", GAP, "-sec", limit, "-timeMode", "cpu", "-threads", 1, "-solve",
                   "-solution", answer]
        try:
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        except FileNotFoundError:
            sys.exit(f"there is no program '{program}': install cbc (coinor-cbc) or name it with --cbc")
        said = re.search(r"Result - (.*)", done.stdout)
        row = {"state": said.group(1).strip() if said else "no result"}
        bound = re.search(r"Lower bound:\s+([-\d.e+]+)", done.stdout)
        best = re.search(r"Objective value:\s+([-\d.e+]+)", done.stdout)
        if bound or (best and row["state"].startswith("Optimal")):
            row["bound"] = float((bound or best).group(1)) / SCALE - 1
        if not best or "infeasible" in row["state"].lower() or not answer.exists():
            return row, None
        values = {}
        for line in answer.read_text().splitlines()[1:]:
            fields = line.replace("**", " ").split()
            values[int(re.sub(r"\D", "", fields[1]))] = float(fields[2])
        return row, kept_of(keep, lambda column: values.get(column, 0.0))


def solve_cp_sat(step, budget, limit, _):
    need("ortools", "cp-sat")
    from ortools.sat.python import cp_model
    count, before = step.nodes, reads(step)
    event = lambda stage, node: stage * (stage + 1) // 2 + node
    horizon = event(count, 0)
    room = budget - step.resident
    unit = max(1.0, room / 1e6)
    demand = [int(-(-step.own_bytes[node["outputs"][0]] // unit)) for node in step.graph["nodes"]]
    cost = [round(node["cost"] * 1e6 / step.cost) for node in step.graph["nodes"]]
    model = cp_model.CpModel()
    first, second, intervals, demands = [], [], [], []
    for node in range(count):
        begin = event(node, node)
        end = model.new_int_var(begin, horizon, "")
        intervals.append(model.new_interval_var(begin, model.new_int_var(1, horizon, ""), end + 1, ""))
        demands.append(demand[node])
        first.append((begin, end))
        starts = [event(stage, node) for stage in range(node + 1, count)]
        if not starts:
            second.append(None)
            continue
        active = model.new_bool_var("")
        again = model.new_int_var_from_domain(cp_model.Domain.from_values(starts), "")
        until = model.new_int_var(starts[0], horizon, "")
        intervals.append(model.new_optional_interval_var(again, model.new_int_var(1, horizon, ""), until + 1, active, ""))
        demands.append(demand[node])
        model.add(again > end).only_enforce_if(active)
        second.append((again, until, active))
    for node in range(count):
        for value in before[node]:
            for start, only_if in [(first[node][0], None)] + ([second[node][::2]] if second[node] else []):
                covers = model.new_bool_var("")
                model.add(first[value][1] >= start).only_enforce_if(covers)
                ways = [covers]
                if second[value]:
                    again, until, active = second[value]
                    late = model.new_bool_var("")
                    model.add(until >= start).only_enforce_if(late)
                    model.add(again + 1 <= start).only_enforce_if(late)
                    model.add_implication(late, active)
                    ways.append(late)
                clause = model.add_bool_or(ways)
                if only_if is not None:
                    clause.only_enforce_if(only_if)
    model.add_cumulative(intervals, demands, int(room // unit))
    model.minimize(sum(cost[node] * entry[2] for node, entry in enumerate(second) if entry))
    solver = cp_model.CpSolver()
    solver.parameters.max_deterministic_time = 1e9
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = 1
    solver.parameters.relative_gap_limit = GAP
    solver.parameters.absolute_gap_limit = GAP * 1e6
    status = solver.solve(model)
    row = {"state": solver.status_name(status)}
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.UNKNOWN):
        row["bound"] = max(0.0, solver.best_objective_bound / 1e6)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return row, None
    kept = set()
    for node in range(count):
        spans = [(node, solver.value(first[node][1]))]
        if second[node] and solver.value(second[node][2]):
            at = solver.value(second[node][0])
            spans.append((next(t for t in range(count) if event(t, node) == at), solver.value(second[node][1])))
        for begun, end in spans:
            kept |= {(t, node) for t in range(begun + 1, count) if end >= event(t, 0)}
    return row, kept


def rows_for(step, kept):
    """Checkmate, 5.1: the least runs that make every node in its stage and what is kept in time."""
    before, rows = reads(step), []
    for t in range(step.nodes):
        needed = {t} | {i for i in range(t) if (t + 1, i) in kept and (t, i) not in kept}
        for node in range(t, -1, -1):
            if node in needed:
                needed |= {i for i in before[node] if (t, i) not in kept}
        rows.append(sorted(needed))
    return rows


def plan_of(step, kept, budget):
    """Runs with each value freed after its last reader before it is made again."""
    before = reads(step)
    runs = [node for row in rows_for(step, kept) for node in row]
    last, current = {}, {}
    for place, node in enumerate(runs):
        for value in before[node]:
            last[current[value]] = place
        current[node] = last[place] = place
    freed = {}
    for run, place in last.items():
        freed.setdefault(place, []).append(runs[run])
    output = [node["outputs"][0] for node in step.graph["nodes"]]
    steps, live, peak = [], step.resident, 0
    for place, node in enumerate(runs):
        live += step.own_bytes[output[node]]
        peak = max(peak, live)
        steps.append({"compute": node})
        if place in freed:
            steps.append({"free": sorted(output[value] for value in freed[place])})
            live -= sum(step.own_bytes[output[value]] for value in freed[place])
    cost = sum(step.graph["nodes"][node]["cost"] for node in runs)
    return {"version": 1, "graph": step.name, "status": "feasible", "cost": cost, "time": cost, "peak_bytes": peak,
            "budget_bytes": budget, "solver": "peer", "steps": steps}


SOLVERS = {"highs": solve_highs, "cbc": solve_cbc, "cp-sat": solve_cp_sat}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("solver", choices=SOLVERS)
    parser.add_argument("graph", type=pathlib.Path)
    parser.add_argument("budget", type=int)
    parser.add_argument("--limit", type=float, default=60, help="seconds")
    parser.add_argument("--cbc", default="cbc")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    step = Step(arguments.graph)
    if not step.is_simple():
        sys.exit(f"{step.name}: the models of the papers plan graphs with one value a node; this one has views, writes or more")
    row, kept = SOLVERS[arguments.solver](step, arguments.budget, arguments.limit, arguments.cbc)
    row |= {"graph": step.name, "nodes": step.nodes, "solver": arguments.solver, "budget": arguments.budget, "status": "no_plan"}
    if kept is not None:
        made = plan_of(step, kept, arguments.budget)
        row |= {"overhead": made["cost"] / step.cost - 1, "live_bytes": made["peak_bytes"],
                "status": "feasible" if made["peak_bytes"] <= arguments.budget else "over_budget"}
        if row["status"] == "feasible":
            arguments.output.write_text(json.dumps(made))
            if row.get("bound", -1) >= row["overhead"] - 2 * GAP:
                row["status"] = "optimal"
    used = [resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    row["user_seconds"] = round(sum(used), 3)
    print(json.dumps(row))


if __name__ == "__main__":
    os.environ["OMP_NUM_THREADS"] = "1"
    main()
