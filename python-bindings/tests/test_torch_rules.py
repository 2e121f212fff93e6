"""memplan.torch: further things that break budgets, a rule each, and the backend's entry point (docs/Torch.md)."""

import copy
import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan  # noqa: E402
import memplan.torch as budgets  # noqa: E402
from memplan.torch import capture, ranks, trace  # noqa: E402
from memplan.torch.schedule import Schedule  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy, dropout  # noqa: E402
from torch_steps import Convolutions, Words, assert_as_eager, between, compiled, images, needs, scratch, words  # noqa: E402,F401

ROOT = pathlib.Path(__file__).parents[2]


def test_the_backward_of_batch_norm_reads_no_statistics():
    """It is given the new running statistics, which no run after the first makes: the plan would run batch norm again for them."""
    joint = trace.trace_joint(Convolutions(), images(), cross_entropy)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
    backwards = [n for n in graph.nodes if n.fx is not None and n.fx.target is torch.ops.aten.native_batch_norm_backward.default]
    assert backwards
    for node in backwards:
        read = [graph.tensors[t] for t in node.inputs]
        assert not [t for t in read if t.source.target is torch.ops.aten._native_batch_norm_legit_functional.default and t.index >= 3]
        assert not [t for t in read if "running" in t.name]


def test_outputs_that_are_views_keep_their_base(compiled):
    """The caller holds a row of a large activation: all of it is there until the step ends."""
    model, (x, y) = Convolutions(layers=5), images()

    def step_with_view(x, y):
        maps = model.body[:2](x)
        return cross_entropy(model.head(model.body[2:](maps)), y), maps.detach()[:, :1]

    with pytest.raises(budgets.BudgetError) as error:
        compiled(step_with_view, 1000)(x, y)
    step = compiled(step_with_view, "1GB")
    value, row = step(x, y)
    value.backward()
    assert step.report.verdict == "kept" and step.report.measured_bytes == step.report.planned_bytes
    held = row.untyped_storage().nbytes()
    assert held == 8 * row.numel() * row.element_size()
    model.zero_grad()
    step = compiled(step_with_view, between(step.report.planned_bytes, error.value.least, 0.5))
    value, row = step(x, y)
    assert torch.equal(row, model.body[:2](x)[:, :1])
    value.backward()
    assert step.report.verdict == "kept" and step.report.recomputations > 0
    graph = step.schedule.graph
    assert step.schedule.profile[-1][0] >= graph.held_bytes() + held
    # PyTorch returns what the row is a view of. The gradient of the head's weight is a view within the graph.
    views = [graph.tensors[t] for o in (*graph.forward_outputs, *graph.backward_outputs) for t in graph.ids(o) if graph.tensors[t].base != t]
    assert views and all(view.bytes == 0 and graph.tensors[view.base].kind == "output" for view in views)


def test_a_draw_may_run_again_several_times(compiled, monkeypatch):
    """The second run again would draw from where the first left the generator: another mask, and wrong gradients."""

    class Squared(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Linear(16, 64), nn.Linear(64, 10)

        def forward(self, x):
            wide = torch.tanh(dropout(torch.tanh(self.one(x)), 0.3, self.training)) ** 2
            return self.two(dropout(wide, 0.2, self.training))  # draws after the first did: a run again of that must not set it back

    def replayed(graph, budget, **_):
        """Every reader of what a draw makes reads a run of its own."""
        steps, draws = [], {t: n.id for n in graph.nodes if n.draws is not None for t in n.outputs}
        for node in graph.nodes:
            steps += [(d, []) for d in sorted({draws[t] for t in node.inputs if t in draws and not graph.tensors[t].name.endswith(".drawn")})]
            steps.append((node.id, []))
        return Schedule(graph, steps)

    monkeypatch.setattr(ranks, "solve", replayed)
    model, inputs = Squared(), (torch.randn(8, 16), torch.randint(0, 10, (8,)))
    eager, step = copy.deepcopy(model), compiled(model, "1GB", loss=cross_entropy, measure=False, on_miss="ignore")
    assert_as_eager(step, model, eager, inputs)
    assert sum(run.replays for run in step.schedule.runs) >= 3


def test_saved_tensor_hooks_are_refused(compiled):
    """They keep, copy or move what the plan counts on."""
    model, inputs = Convolutions(norm=False), images()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t), pytest.raises(budgets.UnsupportedGraph, match="hooks"):
        compiled(model, "1GB", loss=cross_entropy)(*inputs)

    class Hooked(Convolutions):
        def forward(self, x):
            with torch.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
                return super().forward(x)

    with pytest.raises(budgets.UnsupportedGraph, match="hooks"):
        compiled(Hooked(norm=False), "1GB", loss=cross_entropy)(*inputs)


def test_compile_caches_do_not_mix_budgets(compiled):
    """A plan of another budget would come from a cache whose key knows the graph alone."""
    model, inputs = Convolutions(norm=False), images()
    most, least = needs(model, inputs)
    planned = []
    with torch._functorch.config.patch(enable_autograd_cache=True):
        for share in (1.0, 0.3, 1.0):
            torch._dynamo.reset()
            step = compiled(model, between(most, least, share), loss=cross_entropy, measure=False, on_miss="ignore")
            step(*inputs).backward()
            model.zero_grad()
            planned.append(step.report.planned_bytes)
    assert planned[0] == planned[2] == most > between(most, least, 0.3) >= planned[1]


def test_micro_batches_add_up_to_eagers_gradients(compiled):
    """The plan of the second micro-batch would lose the first's gradients, or exceed the budget by them."""
    model, inputs = Convolutions(width=32, norm=False), images(size=8)
    eager, step = copy.deepcopy(model), compiled(model, "1GB", loss=cross_entropy)
    for _ in range(3):
        (step(*inputs) / 3).backward()
        (cross_entropy(eager(inputs[0]), inputs[1]) / 3).backward()
        assert step.report.verdict == "kept"
    assert all(torch.equal(a.grad, b.grad) for a, b in zip(model.parameters(), eager.parameters(), strict=True))


def test_every_rule_can_be_taken_away_and_names_a_test():
    """benchmarks/torch/rules.py would stop at a function that has another name now."""
    spec = importlib.util.spec_from_file_location("rules", ROOT / "benchmarks/torch/rules.py")
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    page = (ROOT / "docs/Benchmarks/Torch.md").read_text()
    for rule, (take_away, file, test) in rules.RULES.items():
        with take_away():
            pass
        assert re.search(rf"^def test_{test}", (ROOT / "python-bindings/tests" / file).read_text(), re.MULTILINE), rule
        assert f"| {rule} | `{file}`, `test_{test}...` |" in page, rule


# ---- torch.compile(backend="memplan") of the installed package

SCRIPT = """
import sys, torch
assert "memplan" not in sys.modules and "memplan" in torch._dynamo.list_backends()
step = torch.compile(torch.nn.Linear(8, 8), backend="memplan", fullgraph=True, options={"budget": "1MiB", "outside": 0})
step(torch.randn(4, 8)).sum().backward()
import memplan.torch
assert torch._dynamo.lookup_backend("memplan") is memplan.torch.memplan_backend
with memplan.torch.budget("1KB", outside=0, measure=False):
    try:
        torch.compile(torch.nn.Linear(8, 16), backend="memplan")(torch.randn(4, 8)).sum().backward()
    except Exception as error:
        print(type(error.inner_exception).__name__)
"""


def test_the_entry_point_names_the_backend(tmp_path):
    """torch.compile(backend="memplan") would need an import that nothing asks for; or find the name twice and stop."""
    tomllib = pytest.importorskip("tomllib")
    declared = tomllib.loads((ROOT / "python-bindings/pyproject.toml").read_text())["project"]["entry-points"]
    info = tmp_path / "memplan-0.1.0.dist-info"  # what an installer writes of it
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: memplan\nVersion: 0.1.0\n")
    lines = [line for group, points in declared.items() for line in (f"[{group}]", *(f"{name} = {target}" for name, target in points.items()))]
    (info / "entry_points.txt").write_text("\n".join(lines))
    environment = {"PYTHONPATH": f"{tmp_path}:{pathlib.Path(memplan.__file__).parents[1]}", "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == "BudgetError\n", done.stderr


def test_a_plan_for_the_largest_batch_serves_smaller_ones(compiled):
    """Each batch of a data set would be traced and planned anew; or a plan made for a small batch would run a larger one beyond the budget."""
    model = Convolutions()
    with pytest.raises(budgets.BudgetError) as error:
        compiled(model, 1000, loss=cross_entropy)(*images(8))
    budget = between(needs(model, images(8))[0], error.value.least, 0.5)
    eager, step = copy.deepcopy(model), compiled(model, budget, loss=cross_entropy, dynamic_batch=True)
    sessions = []
    for batch in (6, 4, 8, 5, 8, 3):
        assert_as_eager(step, model, eager, images(batch), steps=1)
        sessions.append(step._session)
        assert step.report.largest_batch == (6 if batch in (6, 4) and len(sessions) < 3 else 8)
    assert len(set(map(id, sessions))) == 2, "planned once for 6 and once for 8"
    assert step.report.verdict == "kept" and step.report.recomputations > 0
    assert step.report.measured_bytes <= step.report.planned_bytes <= step.report.budget_bytes < step.report.unplanned_bytes
    with pytest.raises(budgets.BudgetError):
        step(*images(64))


def test_the_first_plan_may_be_for_a_larger_batch(compiled):
    """A budget would be missed at the first large batch of an epoch. Sizes that are multiples of the batch go with it; dropout draws as in eager."""
    model = Words()
    eager, step = copy.deepcopy(model), compiled(model, "1GB", loss=cross_entropy, dynamic_batch=8)
    for batch in (3, 8):
        assert_as_eager(step, model, eager, words(batch), steps=1)
        assert step.report.verdict == ("kept" if batch == 8 else "planned") and step.report.largest_batch == 8
    assert step.report.measured_bytes == step.report.planned_bytes
    with pytest.raises(budgets.BudgetError):
        compiled(model, step.report.planned_bytes // 2, loss=cross_entropy, dynamic_batch=8)(*words(2))
