"""What a collective gives can wait on the host where its wait hands the bytes over, and cannot where the wait is a view of them.

Else the last gradients of a sharded step keep the device full to its end (docs/Formats.md).
"""
import json
import subprocess

MIB = 1 << 20


def graph(in_place):
    """A reduction, its wait, and a large operation before the end of the step, which has the result of both."""
    waited = {"bytes": 8 * MIB, "kind": "output"} if in_place else {"bytes": 0, "view_of": 1}
    tensors = [{"id": 0, "bytes": 4 * MIB, "kind": "input"}, {"id": 1, "bytes": 8 * MIB, "kind": "activation" if in_place else "output"}, {"id": 2, **waited},
               {"id": 3, "bytes": 12 * MIB}, {"id": 4, "bytes": MIB, "kind": "output"}]
    nodes = [{"name": "reduce", "inputs": [0], "outputs": [1], "collective": True},
             {"name": "wait", "inputs": [1], "outputs": [2], "recompute": False, **({"in_place": [[2, 1]]} if in_place else {})},
             {"name": "large", "inputs": [0], "outputs": [3]}, {"name": "small", "inputs": [3], "outputs": [4]},
             {"name": "end", "inputs": [2, 4], "outputs": [], "recompute": False}]
    return {"version": 1, "name": "waits", "fixed_bytes": 0, "tensors": tensors, "nodes": [{"id": i, "cost": 10.0, **node} for i, node in enumerate(nodes)]}


def planned(solve, folder, in_place):
    path, plan = folder / f"{in_place}.graph.json", folder / f"{in_place}.plan.json"
    path.write_text(json.dumps(graph(in_place)))
    link = f"--bandwidth={MIB},{MIB},0"
    done = subprocess.run([solve, "remat", path, "--budget=20M", "--order=source", "--swap=search", link, "--quiet", "-o", plan], capture_output=True, text=True)
    if done.returncode == 0:
        subprocess.run([solve, "check", path, plan, "--budget=20M", link], check=True, stdout=subprocess.DEVNULL)
        return [action for action in json.loads(plan.read_text())["steps"] if "evict" in action]
    return None


def test_what_a_wait_hands_over_can_go_to_the_host(tool, tmp_path):
    solve = tool("memplan-solve")
    assert planned(solve, tmp_path, in_place=False) is None
    assert [action["evict"] for action in planned(solve, tmp_path, in_place=True)] == [2]
