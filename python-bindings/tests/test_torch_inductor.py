"""memplan.torch with backend="inductor": fused kernels, saved values and runs again by the plan, budgets kept by what first steps take."""

import copy
import re
import shutil

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan.torch as budgets  # noqa: E402
from memplan.torch import capture, fusion, ranks, session, solve  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402
from torch_steps import EFFORT, Convolutions  # noqa: E402


class Gated(nn.Module):
    """Layers whose inner values are cheap to run again, with dropout at the end."""

    def __init__(self):
        super().__init__()
        self.layers, self.drop, self.out = nn.ModuleList(nn.Linear(32, 32) for _ in range(4)), nn.Dropout(0.1), nn.Linear(32, 10)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x)) * torch.sigmoid(x)
        return self.out(self.drop(x))


@pytest.mark.skipif(shutil.which("g++") is None, reason="inductor compiles for the CPU with g++")
def test_fused_steps_keep_budgets(monkeypatch, tmp_path):
    """A plan that inductor's order and fusion break would be called kept; gradients would be those of another step."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    torch.manual_seed(1)
    model, inputs = Gated().eval(), (torch.randn(256, 32), torch.randint(0, 10, (256,)))
    expected = copy.deepcopy(model)
    cross_entropy(expected(inputs[0]), inputs[1]).backward()

    def gradients(step):
        value = step(*inputs)
        value.backward()
        for p, e in zip(model.parameters(), expected.parameters(), strict=True):
            torch.testing.assert_close(p.grad, e.grad)
        model.zero_grad()
        return step.report

    step = budgets.compile(model, "1GB", loss=cross_entropy, backend="inductor")
    free = gradients(step)
    assert free.verdict == "kept" and free.recomputations == 0
    assert free.planned_bytes == pytest.approx(free.measured_bytes, rel=0.01) and step.schedule.live_bytes > 1.04 * free.measured_bytes, "what fusion removes counts"
    planned = []

    def estimate(graph, budget, **options):
        """At first too low, as where kernels take scratch that no graph shows."""
        planned.append(budget)
        if len(planned) > 1:
            return solve.solve(graph, budget, **options)
        schedule = solve.unplanned(graph)
        schedule.profile = [(min(live, budget), min(total, budget)) for live, total in schedule.profile]
        return schedule

    monkeypatch.setattr(ranks, "solve", estimate)
    monkeypatch.setattr(session, "verify", lambda *_: None)
    step = budgets.compile(model, int(0.85 * free.measured_bytes), loss=cross_entropy, backend="inductor", effort=EFFORT)
    reports = [gradients(step)]
    while reports[-1].verdict == "missed":
        reports.append(gradients(step))
    assert len(reports) > 1 and reports[-1].verdict == "kept" and reports[-1].recomputations > 0
    assert reports[-1].measured_bytes <= 0.85 * free.measured_bytes and reports[-1].fixed_bytes > reports[0].fixed_bytes


def product_of_chain(x, w):
    return ((x @ w) * 2 + 1).relu() @ w


def expensive_for_two(x, w):
    return x.exp() @ w, (x.exp() * 3).sum()


def expensive_read_twice(x, w):
    made = x.tanh()
    return (made * 2) @ w, (made + 1) @ w


def cheap_read_twice(x, w):
    made = x * 2
    return (made + 1) @ w, (made + 2) @ w


def reduced(x, w):
    return ((x - x.amax(1, keepdim=True)) * 3).sum(1)


def seen_another_way(x, w):
    return (x * 2).t().reshape(-1).view(64, 64) + w


@pytest.mark.skipif(shutil.which("g++") is None, reason="inductor compiles for the CPU with g++")
@pytest.mark.parametrize("function, more", [(product_of_chain, 0), (expensive_for_two, 0), (expensive_read_twice, 1), (cheap_read_twice, 0), (reduced, 0), (seen_another_way, 0)])
def test_values_that_inductor_stores_are_those_that_count(function, more, monkeypatch, tmp_path):
    """A plan would count bytes that no kernel takes, or leave out some that one takes: inductor's own code says which. A value that is
    expensive and read twice counts, though both readers may be in its kernel."""
    from torch._inductor.decomposition import select_decomp_table
    from torch._inductor.utils import run_and_get_code
    from torch.fx.experimental.proxy_tensor import make_fx

    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    torch._dynamo.reset()
    inputs = torch.randn(64, 64), torch.randn(64, 64)
    with torch.no_grad():
        _, (code,) = run_and_get_code(torch.compile(function), *inputs)
        graph = make_fx(function, decomposition_table=select_decomp_table(), tracing_mode="fake")(*inputs)
    found = []
    monkeypatch.setattr(fusion, "Fused", lambda *given, made=fusion.Fused: found.append(made(*given)) or found[-1])
    solve.unplanned(capture.StepGraph(graph, len(list(graph.graph.output_node().all_input_nodes)), overwrites=False, fuses=True))
    stored = re.findall(r"^ *buf\d+ = (?:empty_strided_cpu|.*# reuse)", code, re.MULTILINE)
    assert sum(found[0].stored.values()) == len(stored) + more, code


def test_wrong_backends_are_named():
    """A typing error would run another program."""
    with pytest.raises(ValueError, match="'cudagraphs'"):
        budgets.compile(Convolutions(), "1GB", backend="cudagraphs")
    with pytest.raises(ValueError, match="offload"):
        budgets.compile(Convolutions(), "1GB", backend="inductor", offload="host")
