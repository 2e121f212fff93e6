"""Recomputation and copies in one plan: on the small graphs in the tree, at two bandwidths, it is never
slower than either alone, and the checker that shares no code with memplan finds the bytes and the time that it claims.

Else --swap=search could make a step slower than --swap=none does, or a plan could overwrite what is still being copied.
"""
import json
import lzma
import subprocess
import sys

import pytest

from fixtures import ROOT

GRAPHS = ROOT / "benchmarks" / "data" / "graphs"
NAMES = ("chain16", "fcn8", "gpt2_1l", "resnet50_block", "rl50_s1", "unet", "vgg16")
COPIED = ("chain16", "unet")
EFFORT = 2000


def plan(solve, graph, folder, budget, bandwidth, remat, swap, *options, effort=EFFORT):
    path = folder / f"{remat}.{swap}.plan.json"
    command = [solve, "remat", graph, f"--budget={budget}", f"--bandwidth={bandwidth}", f"--remat={remat}",
               f"--swap={swap}", f"--effort={effort}", "--order=source", *options, "-o", path]
    subprocess.run(command, capture_output=True, text=True)
    made = json.loads(path.read_text())
    if made["status"] in ("infeasible", "no_plan"):
        return None
    checked = subprocess.run([sys.executable, ROOT / "utils" / "check_plan.py", graph, path, "--budget", str(made["budget_bytes"]),
                              "--bandwidth", bandwidth], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    return made


def time_of(made):
    return float("inf") if made is None else made.get("time", made["cost"])


@pytest.mark.parametrize("name", NAMES)
def test_never_slower_than_either_alone(name, tool, tmp_path):
    solve = tool("memplan-solve")
    graph = GRAPHS / f"{name}.graph.json"
    text = json.loads(graph.read_text())
    cost = sum(node["cost"] for node in text["nodes"])
    size = sum(tensor["bytes"] for tensor in text["tensors"] if "view_of" not in tensor)
    copied = 0
    for share in (65,):
        # Engines that move all values once in a fifth of the step, and in two steps.
        for factor in (5, 0.5):
            rate = f"{size / cost * factor:.15f}"
            bandwidth = f"{rate},{rate},{cost / 1000:.6f}"
            alone = plan(solve, graph, tmp_path, f"{share}%", bandwidth, "search", "none")
            copies = plan(solve, graph, tmp_path, f"{share}%", bandwidth, "checkpoint-all", "search")
            both = plan(solve, graph, tmp_path, f"{share}%", bandwidth, "search", "search")
            assert time_of(both) <= min(time_of(alone), time_of(copies)) * (1 + 1e-9), (share, factor)
            assert both is None or cost * (1 - 1e-9) <= both["time_bound"] <= time_of(both) * (1 + 1e-9), (share, factor)
            copied += both is not None and any("evict" in step for step in both["steps"])
    # Recomputing the others is nearly free, or their parameters alone exceed these budgets.
    assert copied > 0 or name not in COPIED


@pytest.mark.parametrize("swap", ["cost", "tflms"])
def test_more_bytes_never_take_more_time_on_a_curve(swap, tool, tmp_path):
    graph = GRAPHS / "unet.graph.json"
    done = subprocess.run([tool("memplan-solve"), "remat", graph, f"--swap={swap}", "--pareto=4", "--bandwidth=2000,2000", f"--effort={EFFORT}",
                           f"--pareto-plans={tmp_path}", "-o", tmp_path / "curve.json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    points = json.loads((tmp_path / "curve.json").read_text())["points"]
    assert len(points) == 4 and points[0]["budget_bytes"] < points[-1]["budget_bytes"]
    for point, larger in zip(points, points[1:]):
        assert point["budget_bytes"] < larger["budget_bytes"] and point["time"] >= larger["time"] >= larger["bound"]
    copied = 0
    for point in points:
        made = json.loads(open(point["plan"]).read())
        assert made.get("time", made["cost"]) == point["time"] and made["budget_bytes"] == point["budget_bytes"]
        checked = subprocess.run([sys.executable, ROOT / "utils" / "check_plan.py", graph, point["plan"], "--budget",
                                  str(point["budget_bytes"]), "--bandwidth", "2000,2000"], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        copied += any("evict" in step for step in made["steps"])
    assert copied


def test_a_time_limit_leaves_time_for_copies(tool, tmp_path):
    """Recomputations alone would take all of it; with copies there is a plan that is proved, and the search ends early."""
    graph, path = tmp_path / "step.graph.json", tmp_path / "one.plan.json"
    graph.write_bytes(lzma.decompress((GRAPHS / "torch_resnet50_b32.graph.json.xz").read_bytes()))
    subprocess.run([tool("memplan-solve"), "remat", graph, "--remat=search", "--swap=search", "--budget=60%", "--bandwidth=64000,64000",
                    "--time-limit=10", "-o", path], check=True, capture_output=True)
    assert any("evict" in step for step in json.loads(path.read_text())["steps"])


@pytest.fixture(scope="module")
def large_step(tmp_path_factory):
    """2,521 nodes: 70 layers."""
    path = tmp_path_factory.mktemp("large") / "step.graph.json"
    subprocess.run([sys.executable, ROOT / "benchmarks/generate/transformer.py", "70", "1", "--hidden", "2048", "--batch", "4", "-o", path], check=True)
    return path


@pytest.mark.parametrize("budget, effort, share", (("70%", 1, .9), ("70%", 20000, .8), ("50%", 60000, .8)))
def test_a_large_step_has_copies_with_any_effort(budget, effort, share, large_step, tool, tmp_path):
    """Starts by least cuts would be given up with the moves; or recomputation alone, which is looked at last, would be lost."""
    both, alone = (plan(tool("memplan-solve"), large_step, tmp_path, budget, "20000,20000,10", "auto", swap, "--alignment=1", effort=effort)
                   for swap in ("search", "none"))
    assert time_of(both) - both["time_bound"] < share * (time_of(alone) - both["time_bound"])
    assert any("evict" in step for step in both["steps"])


def test_a_large_step_with_a_slow_link_is_recomputed(large_step, tool, tmp_path):
    """What is looked at last would not be looked at."""
    both, alone = (plan(tool("memplan-solve"), large_step, tmp_path, "70%", "10,10,10", "auto", swap, "--alignment=1") for swap in ("search", "none"))
    assert time_of(both) <= time_of(alone) * (1 + 1e-9)


def adam_step(layers=6, size=1000):
    """A chain whose weights have two moments each, which only the update at the end of the backward pass reads and writes."""
    tensors, nodes = [], []

    def tensor(kind="activation"):
        tensors.append({"id": len(tensors), "bytes": size, "kind": kind})
        return len(tensors) - 1

    def node(name, cost, inputs, outputs, writes=()):
        entry = {"id": len(nodes), "name": name, "cost": cost, "inputs": list(inputs), "outputs": list(outputs)}
        nodes.append({**entry, "writes": list(writes), "recompute": False} if writes else entry)

    weights = [(tensor("parameter"), tensor("state"), tensor("state")) for _ in range(layers)]
    values = [tensor("input")]
    for weight, _, _ in weights:
        values.append(tensor())
        node("layer", 1000, [values[-2], weight], [values[-1]])
    gradient = tensor()
    node("loss", 1000, [values[-1]], [gradient])
    for i, (weight, first, second) in reversed(list(enumerate(weights))):
        of_weight, before = tensor(), tensor()
        node("back", 2000, [gradient, values[i], values[i + 1], weight], [of_weight, before])
        node("adam", 500, [of_weight, weight, first, second], [], [weight, first, second])
        gradient = before
    return {"version": 1, "name": "adam", "fixed_bytes": 0, "tensors": tensors, "nodes": nodes}


def hosted_in(made):
    return [tensor for arena in made["arenas"] if arena["space"] == "host" for tensor in arena.get("owns", [])]


def test_state_lives_on_the_host_where_it_does_not_fit(tool, tmp_path):
    """Weights and moments take 18,000 bytes. Where those alone do not fit, the moments live on the host, and at last the weights too;
    allowing that never makes a step slower, and the least budget falls."""
    solve, graph = tool("memplan-solve"), tmp_path / "adam.graph.json"
    text = adam_step()
    graph.write_text(json.dumps(text))
    cost = sum(node["cost"] for node in text["nodes"])
    kinds = {tensor["id"]: tensor["kind"] for tensor in text["tensors"]}
    for budget in (27000, 24000, 20000, 16000, 12000, 10000):
        none, states, all_ = (plan(solve, graph, tmp_path, budget, "2,2", "search", "search", "--alignment=1", f"--host-state={which}", effort=20000)
                              for which in ("none", "states", "all"))
        assert time_of(all_) <= time_of(states) * (1 + 1e-9) and time_of(states) <= time_of(none) * (1 + 1e-9), budget
        assert (none is None, states is None, all_ is None) == (budget < 24000, budget < 12000, False)
        assert none is None or not hosted_in(none)
        assert states is None or all(kinds[tensor] == "state" for tensor in hosted_in(states))
        if budget in (20000, 16000):
            # Two moments leave after the last update: no plan is faster.
            assert len(hosted_in(states)) == 12 and time_of(states) == cost + 1000
    assert any(kinds[tensor] == "parameter" for tensor in hosted_in(all_))


def test_state_on_the_host_fits_the_host_and_needs_a_search_for_copies(tool, tmp_path):
    solve, graph = tool("memplan-solve"), tmp_path / "adam.graph.json"
    graph.write_text(json.dumps(adam_step()))
    made = plan(solve, graph, tmp_path, 23000, "2,2", "search", "search", "--alignment=1", "--host-state=states", "--host-budget=5500", effort=20000)
    assert len(hosted_in(made)) == 5
    done = subprocess.run([solve, "remat", graph, "--budget=20000", "--swap=tflms", "--host-state=all"], capture_output=True, text=True)
    assert done.returncode != 0 and "host-state=all needs swap=search" in done.stderr


def test_state_on_the_host_with_streams(tool, tmp_path):
    solve, graph = tool("memplan-solve"), tmp_path / "adam.graph.json"
    graph.write_text(json.dumps(adam_step()))
    one, two = (plan(solve, graph, tmp_path, 16000, "2,2", "search", "search", "--alignment=1", "--host-state=states", f"--streams={streams}",
                     effort=20000) for streams in (1, 2))
    assert time_of(two) <= time_of(one) * (1 + 1e-9) and len(hosted_in(two)) == 12


def test_curves_at_several_bandwidths_and_on_streams(tool, tmp_path):
    graph = GRAPHS / "unet.graph.json"
    done = subprocess.run([tool("memplan-solve"), "remat", graph, "--swap=search", "--streams=2", "--pareto=3", "--pareto-bandwidths=300/2000,1000,5",
                           f"--effort={EFFORT}", f"--pareto-plans={tmp_path}", "-o", tmp_path / "curve.json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("of unplanned") == 2 and "at 2000 to the device, 1000 to the host, latency 5" in done.stderr
    curves = json.loads((tmp_path / "curve.json").read_text())["curves"]
    assert [curve["bandwidth"] for curve in curves] == [{"latency": 0, "h2d": 300, "d2h": 300}, {"latency": 5, "h2d": 2000, "d2h": 1000}]
    for curve, bandwidth in zip(curves, ("300,300", "2000,1000,5")):
        assert [point["budget_bytes"] for point in curve["points"]] == sorted(point["budget_bytes"] for point in curve["points"])
        assert [point["time"] for point in curve["points"]] == sorted((point["time"] for point in curve["points"]), reverse=True)
        for point in curve["points"]:
            checked = subprocess.run([sys.executable, ROOT / "utils" / "check_plan.py", graph, point["plan"], "--budget",
                                      str(point["budget_bytes"]), "--bandwidth", bandwidth], capture_output=True, text=True)
            assert checked.returncode == 0, checked.stdout + checked.stderr
            assert point["bound"] <= point["time"] * (1 + 1e-9)


@pytest.mark.parametrize("streams", [1, 2])
def test_curves_with_state_on_the_host(tool, tmp_path, streams):
    """A point of the curve takes what its plan says, with the state away that it fetches, and no point is slower than without."""
    solve, graph = tool("memplan-solve"), tmp_path / "adam.graph.json"
    graph.write_text(json.dumps(adam_step()))
    points = {}
    for which in ("none", "states"):
        done = subprocess.run([solve, "remat", graph, "--swap=search", "--bandwidth=2,2", "--alignment=1", "--order=source", f"--host-state={which}",
                               "--pareto=4", f"--streams={streams}", "--effort=5000", f"--pareto-plans={tmp_path}", "-o", tmp_path / "curve.json"],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        points[which] = json.loads((tmp_path / "curve.json").read_text())["points"]
        for point, larger in zip(points[which], points[which][1:]):
            assert point["time"] >= larger["time"] >= larger["bound"] * (1 - 1e-9)
        for point in points[which]:
            made = json.loads(open(point["plan"]).read())
            assert which == "states" or not hosted_in(made)
            checked = subprocess.run([sys.executable, ROOT / "utils" / "check_plan.py", graph, point["plan"], "--budget",
                                      str(point["budget_bytes"]), "--bandwidth", "2,2"], capture_output=True, text=True)
            assert checked.returncode == 0, checked.stdout + checked.stderr
    # The moments alone make the least budget larger where they have to stay.
    assert points["states"][0]["budget_bytes"] < points["none"][0]["budget_bytes"] - 5000


@pytest.mark.parametrize("which, bound", [("none", 24000), ("states", 12000), ("all", 7000)])
def test_bounds_know_what_may_be_on_the_host(tool, tmp_path, which, bound):
    """A layer's backward pass needs five tensors, its weight among them; the others' weights and moments may be away."""
    graph, path = tmp_path / "adam.graph.json", tmp_path / "none.plan.json"
    graph.write_text(json.dumps(adam_step()))
    subprocess.run([tool("memplan-solve"), "remat", graph, "--budget=6000", "--bandwidth=2,2", "--swap=search", "--alignment=1",
                    "--effort=2000", f"--host-state={which}", "-o", path], capture_output=True)
    said = json.loads(path.read_text())
    assert (said["status"], said["bound_bytes"], said["proof"]) == ("infeasible", bound, "exact")
    checked = subprocess.run([sys.executable, ROOT / "utils" / "check_plan.py", graph, path], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
