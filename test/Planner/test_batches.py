"""Plans for ranges of batches: the checker that shares no code with memplan accepts them and the steps of every batch, and what is
broken is refused by it and by memplan's own verifier."""
import copy
import importlib.util
import json
import random
import subprocess
import sys

import pytest

from fixtures import ROOT

sys.path.insert(0, str(ROOT / "utils"))
spec = importlib.util.spec_from_file_location("check_batches", ROOT / "utils" / "check_batches.py")
check_batches = importlib.util.module_from_spec(spec)
spec.loader.exec_module(check_batches)

STEPS = {"gpt2": (1, 9), "mlp": (1, 12), "resnet": (2, 7), "unet": (2, 6)}


@pytest.fixture(scope="module", params=STEPS)
def case(request, tool, tmp_path_factory):
    """Graphs by batch, the plan, and where it is."""
    least, most = STEPS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    step, plan = ROOT / "examples" / "small" / f"{request.param}.mlir", folder / "range.plan.json"
    subprocess.run([tool("memplan-opt"), step, f"--batch={least}:{most}", "--emit=plan", "-o", plan, "--quiet"], check=True)
    graphs = {}
    for batch in range(least, most + 1):
        path = folder / f"{batch}.graph.json"
        subprocess.run([tool("memplan-opt"), step, f"--batch={batch}", "--emit=graph", "-o", path, "--quiet"], check=True)
        graphs[batch] = json.loads(path.read_text())
    return graphs, json.loads(plan.read_text()), folder


def test_every_batch_is_checked(case):
    graphs, plan, _ = case
    points = check_batches.check(graphs[max(graphs)], plan, copy.deepcopy(list(graphs.items())))
    assert points[0] == min(graphs) and points[-1] == max(graphs)


def swap(dice, plan, arena):
    """Two placements change places at the least batch."""
    a, b = dice.sample(arena["placements"], 2)
    a["offsets_at"][0], b["offsets_at"][0] = b["offsets_at"][0], a["offsets_at"][0]


def lower(dice, plan, arena):
    placement = dice.choice([p for p in arena["placements"] if p["offsets_at"][0] > 0])
    placement["offsets_at"][0] -= arena["alignment"]


def misalign(dice, plan, arena):
    dice.choice(arena["placements"])["offsets_at"][0] += 1


def shrink_arena(dice, plan, arena):
    arena["bytes_at"][dice.randrange(len(arena["bytes_at"]))] -= 4


def slope(dice, plan, arena):
    entry = dice.choice(plan["batches"]["tensors"])
    entry["bytes_per_sample"] += dice.choice([-4, 4])


def forget(dice, plan, arena):
    plan["batches"]["tensors"].pop(dice.randrange(len(plan["batches"]["tensors"])))


def disorder(dice, plan, arena):
    plan["batches"]["breakpoints"].reverse()


@pytest.mark.parametrize("change", [swap, lower, misalign, shrink_arena, slope, forget, disorder])
def test_what_is_broken_is_refused_by_both(case, tool, change):
    graphs, plan, folder = case
    most, refused = max(graphs), 0
    for seed in range(12):
        dice = random.Random(seed)
        broken = copy.deepcopy(plan)
        change(dice, broken, broken["arenas"][0])
        if broken == plan:
            continue
        path, graph = folder / "broken.plan.json", folder / f"{most}.graph.json"
        path.write_text(json.dumps(broken))
        own = subprocess.run([tool("memplan-solve"), "check", graph, path], capture_output=True, text=True)
        try:
            check_batches.check(graphs[most], broken)
            reason = None
        except check_batches.Violation as violation:
            reason = str(violation)
        assert (own.returncode == 0) == (reason is None), f"seed {seed}: {own.stdout}{own.stderr} but {reason}"
        refused += reason is not None
        # Bytes that the plan invents are no violation of its own: the step of a batch tells.
        if reason is None:
            assert change in (swap, lower, slope, forget), f"seed {seed}"
            if change in (slope, forget):
                with pytest.raises(check_batches.Violation):
                    check_batches.check(graphs[most], broken, copy.deepcopy([(min(graphs), graphs[min(graphs)])]))
    if change not in (swap, lower, slope, forget):
        assert refused > 0
