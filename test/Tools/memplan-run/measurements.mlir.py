"""Every run of a plan was measured once, and none that it does not have; the arena is handed out as planned.

usage: measurements.mlir.py PLAN.report.json RUN.measured.json
"""
import collections
import json
import sys

report, measured = (json.load(open(path)) for path in sys.argv[1:])
planned = collections.Counter(step["node"] for step in report["steps"] if step["action"] == "compute")
runs = [(row["node"], row["run"]) for row in measured["runs"]]
assert len(set(runs)) == len(runs), "a run is measured twice"
assert all(run < planned[node] for node, run in runs), "a run is measured that the plan does not have"
assert len(runs) > len(planned) / 2 and all(row["micros"] >= 0 for row in measured["runs"])
[arena] = measured["arenas"]
assert arena["planned_bytes"] == arena["handed_out_bytes"] == report["summary"]["arena_bytes"], arena
assert 0 < arena["touched_bytes"] <= arena["planned_bytes"]
