"""Activations that modules write out become the operation that computes the same, and no others do."""

import math

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from memplan.export import export_joint_step, export_training_step  # noqa: E402

ROOT_OF_TWO_OVER_PI = math.sqrt(2.0 / math.pi)


class NewGELU(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(ROOT_OF_TWO_OVER_PI * (x + 0.044715 * x * x * x)))


class FastGELU(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(x * 0.7978845608 * (1.0 + 0.044715 * x * x)))


class ScaledGELU(nn.Module):
    """One class, of which an instance may compute another function."""

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        return self.factor * x * (1.0 + torch.tanh(ROOT_OF_TWO_OVER_PI * (x + 0.044715 * x * x * x)))


class ClippedGELU(nn.Module):
    def forward(self, x):
        return torch.clamp(0.5 * x * (1.0 + torch.tanh(ROOT_OF_TWO_OVER_PI * (x + 0.044715 * x * x * x))), -10.0, 10.0)


class GatedGELU(nn.Module):
    def forward(self, x):
        half = x.shape[-1] // 2
        return F.gelu(x[..., :half], approximate="tanh") * x[..., half:]


@pytest.fixture(params=[export_training_step, export_joint_step], ids=["module", "joint"])
def export(request):
    def text(*activations):
        model = nn.Sequential(nn.Linear(8, 8), *activations, nn.Linear(8 if not isinstance(activations[0], GatedGELU) else 4, 8)).train()
        kept = [dict(vars(a)) for a in activations]
        try:
            return request.param(model, {"x": torch.rand(4, 8)}, {"y": torch.rand(4, 8)}, F.mse_loss)
        finally:
            assert [dict(vars(a)) for a in activations] == kept  # the model is as it was
    return text


@pytest.mark.parametrize("activation", [NewGELU, FastGELU, lambda: ScaledGELU(0.5)], ids=["new", "fast", "scaled"])
def test_gelu_written_out_is_one_operation(export, activation):
    text = export(activation())
    assert text.count("memplan.gelu ") == 1 and "memplan.tanh" not in text
    assert 'approximate = "tanh"' in text


@pytest.mark.parametrize("activation", [lambda: ScaledGELU(0.6), ClippedGELU], ids=["scaled", "clipped"])
def test_what_computes_something_else_stays(export, activation):
    text = export(activation())
    assert "memplan.gelu " not in text and "memplan.tanh" in text


def test_each_instance_is_tried_by_itself(export):
    text = export(ScaledGELU(0.6), ScaledGELU(0.5))
    assert text.count("memplan.gelu ") == 1 and text.count("memplan.tanh ") == 1


def test_a_form_of_another_shape_stays(export):
    assert export(GatedGELU()).count("memplan.gelu ") == 1
