#!/usr/bin/env python3
"""Whether a time limit loses plans: every solver within a few seconds, against no limit.

    benchmarks/limits/compare.py [--build build] [--only PATTERN] [--solvers NAME ...] [--seconds 1 5 20] [--share 60]
                                 [--swap none search tflms] [--bandwidth H2D,D2H] [--jobs 2] [--json FILE]
                                 [--merge LOG.json ...] [--write]

Twelve graphs: those of examples/*.mlir and examples/small/*.mlir, by memplan-opt --emit=graph. A solver that ends before the
first limit is not asked with longer ones: it would do the same. Only where a limit leaves no plan, the same is planned without
a limit: a plan that is found then is lost, and the script exits with 1. With copies, `auto` and `search` recompute too, and
checkpoint-all copies alone. --merge prints the table of several logs instead of running anything. --write puts the table in
docs/Benchmarks/Limits.md.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from shared import ROOT, built, call, head, origin, put_table  # noqa: E402

PAGE = ROOT / "docs/Benchmarks/Limits.md"
CHECKER = ROOT / "utils/check_plan.py"
REFUSAL = "is for a linear forward pass"
WITH_COPIES = ("auto", "search", "checkpoint-all")


def emit_graphs(tools, only, folder):
    graphs = {}
    for path in sorted([*(ROOT / "examples").glob("*.mlir"), *(ROOT / "examples/small").glob("*.mlir")]):
        name = str(path.relative_to(ROOT / "examples").with_suffix(""))
        if only.search(name):
            graphs[name] = folder / f"{len(graphs)}.graph.json"
            call(tools / "memplan-opt", path, "--emit=graph", "-o", graphs[name])
    return graphs


def solvers(tools):
    listed = call(tools / "memplan-solve", "--list-solvers").split("remat:\n", 1)[1]
    return re.findall(r"^  (\S+)", re.split(r"^\S", listed, maxsplit=1, flags=re.MULTILINE)[0], re.MULTILINE)


def plan(tools, graph, flags, output):
    """Status, seconds, and what it costs above one run of each node; refused: by the checker."""
    output.unlink(missing_ok=True)
    began = time.monotonic()
    done = subprocess.run([str(part) for part in (tools / "memplan-solve", "remat", graph, *flags, "-o", output)],
                          capture_output=True, text=True)
    row = {"seconds": round(time.monotonic() - began, 2)}
    if done.returncode not in (0, 1, 3):
        return row | ({"status": "refused"} if REFUSAL in done.stderr else {"status": "error", "note": done.stderr.strip()})
    made = json.loads(output.read_text())
    row["status"] = made["status"]
    if not made.get("steps"):
        return row
    least = sum(min(way["cost"] for way in [node, *node.get("variants", [])]) for node in json.loads(graph.read_text())["nodes"])
    row["overhead"] = made.get("time", made["cost"]) / least - 1
    bandwidth = [flag for flag in flags if flag.startswith("--bandwidth")]
    checked = subprocess.run([sys.executable, CHECKER, graph, output, "--useful", *bandwidth], capture_output=True, text=True)
    if checked.returncode:
        row |= {"status": "error", "note": (checked.stdout + checked.stderr).strip()}
    return row


def run_case(tools, name, graph, solver, swap, arguments, folder):
    flags = [f"--budget={arguments.share}%", f"--remat={solver}"]
    if swap != "none":
        flags += [f"--swap={swap}", f"--bandwidth={arguments.bandwidth}"]
    output = folder / f"{graph.name}.{solver}.{swap}.plan.json"
    case = {"graph": name, "solver": solver, "swap": swap, "limits": {}}
    for seconds in arguments.seconds:
        row = plan(tools, graph, [*flags, f"--time-limit={seconds}"], output)
        case["limits"][str(seconds)] = row
        if row["status"] in ("refused", "infeasible") or row["seconds"] < 0.8 * seconds:
            break
    if any(row["status"] == "no_plan" for row in case["limits"].values()):
        case["unlimited"] = plan(tools, graph, flags, output)
    return case


def is_lost(case):
    return case.get("unlimited", {}).get("status") in ("optimal", "feasible")


def table(log):
    counts = collections.defaultdict(collections.Counter)
    for case in log["cases"]:
        row = counts[case["solver"], case["swap"]]
        rows = list(case["limits"].values())
        row["graphs"] += 1
        row["planned"] += any("overhead" in each for each in rows)
        row["lost"] += is_lost(case)
        row["none"] += rows[-1]["status"] in ("infeasible", "refused", "no_plan") and not is_lost(case)
        row["late"] = max([row["late"], *(each["seconds"] - float(limit) for limit, each in case["limits"].items())])
    lines = [head(log["origin"]), "", "| solver | copies | graphs | planned | no plan without a limit either | lost | most seconds above a limit |",
             "|---|---|---|---|---|---|---|"]
    for (solver, swap), row in counts.items():
        lines.append(f"| `{solver}` | {swap} | {row['graphs']} | {row['planned']} | {row['none']} | {row['lost']} | {row['late']:.1f} |")
    sums = [sum(row[key] for row in counts.values()) for key in ("graphs", "planned", "none", "lost")]
    lines.append(f"| all | | {' | '.join(map(str, sums))} | {max(row['late'] for row in counts.values()):.1f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    parser.add_argument("--solvers", nargs="+")
    parser.add_argument("--seconds", type=float, nargs="+", default=[1, 5, 20])
    parser.add_argument("--share", type=int, default=60)
    parser.add_argument("--swap", nargs="+", default=["none", "search", "tflms"])
    parser.add_argument("--bandwidth", default="12000,12000")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--merge", type=pathlib.Path, nargs="+")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.merge:
        logs = [json.loads(path.read_text()) for path in arguments.merge]
        log = {"origin": logs[-1]["origin"], "cases": [case for each in logs for case in each["cases"]]}
    else:
        tools = built(arguments.build, "memplan-opt", "memplan-solve") / "bin"
        with tempfile.TemporaryDirectory() as text, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            folder = pathlib.Path(text)
            graphs = emit_graphs(tools, arguments.only, folder)
            futures = [pool.submit(run_case, tools, name, graph, solver, swap, arguments, folder)
                       for swap in arguments.swap for solver in arguments.solvers or solvers(tools)
                       if swap == "none" or solver in WITH_COPIES for name, graph in graphs.items()]
            log = {"origin": origin(), "cases": []}
            for future in futures:
                log["cases"].append(future.result())
                if arguments.json:
                    arguments.json.write_text(json.dumps(log, indent=1) + "\n")
    print(table(log))
    if arguments.write:
        put_table(PAGE, "benchmarks/limits/compare.py", table(log))
    faults = [f"{case['graph']}, {case['solver']}, copies {case['swap']}: {what}" for case in log["cases"]
              for what in (["lost"] if is_lost(case) else []) + [row["note"] for row in case["limits"].values() if row["status"] == "error"]]
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
