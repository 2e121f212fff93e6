"""Profiles each example of a folder and plans it with that profile: no operation may be missing."""
import json
import pathlib
import subprocess
import sys

folder, work = pathlib.Path(sys.argv[1]), sys.argv[2]
constants = 0
for example in sorted(folder.glob("*.mlir")):
    profile = f"{work}.{example.stem}.json"
    subprocess.run(["memplan-run", example, "--steps=1", f"--profile={profile}"], check=True, capture_output=True)
    passes = ["--memplan-autodiff", f"--memplan-emit-graph=cost-model=profile:{profile}"]
    found = subprocess.run(["memplan-opt", example, *passes, "-o", "/dev/null"], check=True, capture_output=True, text=True)
    assert "the profile lacks" not in found.stderr, f"{example}: {found.stderr}"
    # The costs in the graph are those of the profile: nothing was taken from the roofline.
    graph, _ = json.JSONDecoder().raw_decode(found.stdout)
    measured = {v["micros"] for entry in json.load(open(profile))["entries"] for v in entry["variants"]}
    costs = {node["cost"] for node in graph["nodes"]} - {0}
    assert costs <= measured | {0}, f"{example}: {costs - measured}"
    constants += sum(node["name"] == "memplan.constant" for node in graph["nodes"])
assert constants > 0, "no example has a constant"
