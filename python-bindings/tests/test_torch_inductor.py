"""memplan.torch with backend="inductor": fused kernels, saved values and runs again by the plan, budgets kept by what first steps take."""

import copy
import shutil

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan.torch as budgets  # noqa: E402
from memplan.torch import ranks, session, solve  # noqa: E402
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

    free = gradients(budgets.compile(model, "1GB", loss=cross_entropy, backend="inductor"))
    assert free.verdict == "kept" and free.recomputations == 0
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


def test_wrong_backends_are_named():
    """A typing error would run another program."""
    with pytest.raises(ValueError, match="'cudagraphs'"):
        budgets.compile(Convolutions(), "1GB", backend="cudagraphs")
    with pytest.raises(ValueError, match="offload"):
        budgets.compile(Convolutions(), "1GB", backend="inductor", offload="host")
