#!/usr/bin/env python3
"""Forty planning cases whose plans may get better and not worse.

    benchmarks/gate/gate.py [--only PATTERN] [--rows 1-10] [--build build] [--table cases.json] [--check] [--record]

Each case of the table is a graph of benchmarks/data/graphs, options of memplan-solve, and what was reached when the table was
recorded. Prints now, recorded and their ratio, the overheads and their sum; exits with 1 where a case is worse. --only takes
cases whose name, graph or options match a regular expression, --rows those from one row to another. --check passes each plan through utils/check_plan.py as well.
--record writes what is reached now into the table, for the cases asked for.

Fields of a case:
- `share`: the budget. 0 is what the step holds at its end (fixed bytes, the caller's tensors, outputs), 1 the unplanned peak.
  Absent: none.
- `goal`: what may not grow. `time`: the makespan, which is the cost without copies and streams. `bytes`: the device bytes, for
  cases that ask for the least.
- `recorded`: status, time, cost, device bytes, and the user seconds then, which are only told.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "remat"))
from common import ROOT, check, graph_named  # noqa: E402

SLACK = 1e-9  # Of sums of costs in another order.


def run_case(case, solve, with_check):
    """The figures of one case now."""
    step = graph_named(case["graph"])
    budget = step.budget_beside_outputs(case["share"]) if "share" in case else None
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder) / "case.plan.json"
        command = [solve, "remat", step.path, "-o", plan, *case["options"].split()]
        command += [f"--budget={budget}"] if budget is not None else []
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        message = process.stderr.read()
        _, code, usage = os.wait4(process.pid, 0)
        seconds = round(usage.ru_utime, 2)
        if not plan.exists() or not plan.stat().st_size:
            sys.exit(f"{case['name']}: {' '.join(map(str, command))}: status {code}\n{message}")
        made = json.loads(plan.read_text())
        if made["status"] not in ("optimal", "feasible"):
            return {"status": made["status"], "seconds": seconds}
        if with_check:
            check(step.path, plan, budget, *(option for option in case["options"].split() if option.startswith("--bandwidth=")))
    device = step.graph.get("fixed_bytes", 0) + sum(arena["bytes"] for arena in made["arenas"] if arena["space"] != "host")
    time = made.get("time", made["cost"])
    return {"status": made["status"], "time": time, "cost": made["cost"], "device_bytes": device,
            "overhead": round(100 * (time / step.cost - 1), 4), "seconds": seconds}


def value_of(case, figures):
    """What the case minimizes; None without a plan."""
    if figures is None or "time" not in figures:
        return None
    return {"time": figures["time"], "bytes": figures["device_bytes"]}[case["goal"]]


def compare(case, now):
    """The ratio of now to the record, or None, and whether the case got worse."""
    before, after = value_of(case, case.get("recorded")), value_of(case, now)
    if before is None:
        return None, False
    if after is None:
        return None, True
    return after / before, after > before * (1 + SLACK)


def row_of(case, now, ratio, is_worse):
    def cell(figures):
        if value_of(case, figures) is None:
            return "-" if figures is None else figures["status"]
        return f"{figures['device_bytes']}" if case["goal"] == "bytes" else f"{figures['overhead']:.2f} %"
    ratio_text = "-" if ratio is None else f"{ratio:.5f}"
    mark = "worse" if is_worse else "better" if ratio is not None and ratio < 1 - SLACK else ""
    return (f"| {case['name']:34} | {case['goal']:7} | {cell(now):>12} | {cell(case.get('recorded')):>12} | {ratio_text:>8} "
            f"| {now['seconds']:6.1f} | {mark} |")


def print_sums(cases, results):
    """Sums of overheads over the cases that ask for time and have a plan in both."""
    pairs = [(now["overhead"], case["recorded"]["overhead"]) for case, now in zip(cases, results)
             if case["goal"] == "time" and value_of(case, now) is not None and value_of(case, case.get("recorded")) is not None]
    now, before = (sum(column) for column in zip(*pairs)) if pairs else (0, 0)
    print(f"\nsum of overheads of {len(pairs)} cases that ask for time: {now:.2f} points now, {before:.2f} recorded; "
          f"{sum(result['seconds'] for result in results):.0f} user seconds")


def rows_named(text):
    """Rows such as 1-10, counted from 1."""
    rows = re.fullmatch(r"(\d+)-(\d+)", text)
    if not rows or not 1 <= int(rows[1]) <= int(rows[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is no range of rows such as 1-10")
    return slice(int(rows[1]) - 1, int(rows[2]))


def write_table(path, table, commit):
    table["recorded_at"] = commit
    head = json.dumps({key: value for key, value in table.items() if key != "cases"})[:-1]
    path.write_text(f'{head}, "cases": [\n' + ",\n".join(json.dumps(case) for case in table["cases"]) + "\n]}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    parser.add_argument("--rows", type=rows_named, default=slice(None))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--table", type=pathlib.Path, default=HERE / "cases.json")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    table = json.loads(arguments.table.read_text())
    cases = [case for case in table["cases"][arguments.rows] if arguments.only.search(f"{case['name']} {case['graph']} {case['options']}")]
    if not cases:
        sys.exit(f"no case matches {arguments.only.pattern}")
    print(f"| case | goal | now | recorded at {table.get('recorded_at', '-')} | ratio | user s | |\n|---|---|---|---|---|---|---|")
    worse, results = [], []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        futures = [pool.submit(run_case, case, arguments.build / "bin/memplan-solve", arguments.check) for case in cases]
        for case, future in zip(cases, futures):
            now = future.result()
            ratio, is_worse = compare(case, now)
            print(row_of(case, now, ratio, is_worse), flush=True)
            results.append(now)
            worse += [case["name"]] if is_worse else []
    print_sums(cases, results)
    if arguments.record:
        for case, now in zip(cases, results):
            case["recorded"] = now
        commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True).stdout.strip()
        write_table(arguments.table, table, commit)
        return
    if worse:
        sys.exit(f"worse than recorded: {', '.join(worse)}")


if __name__ == "__main__":
    main()
