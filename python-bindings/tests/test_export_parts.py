"""Operators without counterpart are taken apart: the parts compute what torch computes, or the whole is carried."""

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from memplan.export import ExportError, coverage, export_joint_step  # noqa: E402
from test_export_joint import VOLUME, check, evaluate  # noqa: E402
from test_export_operators import BATCH, IMAGE, ROWS, Apply  # noqa: E402

MASK = torch.ones(3, 3, dtype=torch.bool).tril()
OPERATORS = {
    "celu": lambda x: F.celu(x - 0.5, 0.7),
    "glu": lambda x: F.glu(x, 1) if x.dim() == 4 else F.glu(x),
    "prelu": lambda x: F.prelu(x - 0.5, x.detach()[0, :, 0].flatten()[:x.shape[1]] - 1),
    "logsumexp": lambda x: x.logsumexp((1, 2)),
    "var": lambda x: x.var(1) + x.var((1, 2), keepdim=True, correction=0),
    "std": lambda x: x.std(-1),
    "tril": lambda x: x.tril(1) * x.triu(-1),
    "diagonal": lambda x: x.diagonal(1, 1, 2) * 2 + x.diagonal(-2, 2, 1),
    "cosine": lambda x: F.cosine_similarity(x[:, :1], x[:, 1:], dim=-1),
    "cdist": lambda x: torch.cdist(x, x.flip(1) + 0.1),
    "tan": lambda x: x.tan(),
    "mv": lambda x: x @ x[0, 0],
    "unfold": lambda x: x.unfold(-1, 3, 2) * 2,
    "unfold_middle": lambda x: x.unfold(1, 2, 1) * x.unfold(-2, 2, 1),
    "median": lambda x: x.median(1).values * x.median(-1, keepdim=True).values.mean(),
    "constant_of_the_code": lambda x: torch.where(MASK, x[..., :3], 0.25),
}
IMAGES = {
    "pixel_shuffle": lambda x: F.pixel_shuffle(x, 2) * 2,
    "pixel_unshuffle": lambda x: F.pixel_unshuffle(x, 3) * 2,
    "channel_shuffle": lambda x: F.channel_shuffle(x, 2) * x,
    "adaptive_max_pool": lambda x: F.adaptive_max_pool2d(x, (3, 2)),
    "adaptive_max_pool_of_uneven_windows": lambda x: F.adaptive_max_pool2d(x, (4, 5)),
    "glu": OPERATORS["glu"],
}
VOLUMES = {
    "adaptive_max_pool": lambda x: F.adaptive_max_pool3d(x - 0.9, (5, 2, 3)),
    "adaptive_max_pool_of_uneven_windows": lambda x: F.adaptive_max_pool3d(x - 0.9, (2, 3, 4)),
}
MODULES = {
    "weight_norm": (lambda: torch.nn.utils.parametrizations.weight_norm(nn.Linear(8, 5)), ROWS),
    "lstm": (lambda: Whole(nn.LSTM(8, 5, batch_first=True)), ROWS),
    "lstm_both_ways": (lambda: Whole(nn.LSTM(8, 5, num_layers=2, bidirectional=True, batch_first=True)), ROWS),
}
LOSSES = {
    "smooth_l1": F.smooth_l1_loss,
    "smooth_l1_beta": lambda a, b: F.smooth_l1_loss(a, b, beta=0.1, reduction="sum"),
    "huber": lambda a, b: F.huber_loss(a, b, delta=0.1),
    "bce": lambda a, b: F.binary_cross_entropy(a.sigmoid(), b),
    "bce_weights": lambda a, b: F.binary_cross_entropy_with_logits(a, b, weight=b + 1, pos_weight=torch.full((8,), 3.0)),
    "soft_margin": lambda a, b: F.soft_margin_loss(a, b - 0.5),
    "triplet": lambda a, b: F.triplet_margin_loss(a, b, b.flip(0)),
    "gumbel": lambda a, b: F.mse_loss(F.softmin(a, -1), b),
}
INDICES = torch.tensor([[1, 0, 4], [4, 4, 2], [3, 0, 4]])


class Whole(nn.Module):
    """The output of a recurrent network."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        return self.network(x)[0]


class Bags(nn.Module):
    def __init__(self, **settings):
        super().__init__()
        self.weight, self.bag = nn.Parameter(torch.rand(ROWS)), nn.EmbeddingBag(6, 8, **settings)

    def forward(self, x):
        return x * self.weight + self.bag(INDICES[:x.shape[0]])[:, None]


def exported(model, x, y, loss):
    return export_joint_step(model, {"x": x}, {"y": y}, loss, opaque=False)


# A part with its operands in another order, or a constant that is left out, gives another value or gradient.
@pytest.mark.parametrize("name, function, shape", [(name, function, shape) for shape, functions in ((ROWS, OPERATORS), (IMAGE, IMAGES), (VOLUME, VOLUMES))
                                                   for name, function in functions.items()])
def test_operator(name, function, shape):
    torch.manual_seed(1)
    model, x = Apply(lambda x, _: function(x), shape), torch.rand(BATCH, *shape)
    y = torch.rand_like(model(x))
    check(exported(model, x, y, F.mse_loss), model, F.mse_loss, x, y)


@pytest.mark.parametrize("name", MODULES)
def test_module(name):
    torch.manual_seed(2)
    build, shape = MODULES[name]
    model, x = build(), torch.rand(BATCH, *shape)
    y = torch.rand_like(model(x))
    check(exported(model, x, y, F.mse_loss), model, F.mse_loss, x, y)


@pytest.mark.parametrize("name", LOSSES)
def test_loss(name):
    torch.manual_seed(3)
    model, x, y = Apply(lambda x, _: x, ROWS), torch.rand(BATCH, *ROWS), torch.rand(BATCH, *ROWS)
    check(exported(model, x, y, LOSSES[name]), model, LOSSES[name], x, y)


@pytest.mark.parametrize("settings", [{"mode": mode, **more} for mode in ("sum", "mean", "max") for more in ({}, {"padding_idx": 4})], ids=str)
def test_bags(settings):
    torch.manual_seed(4)
    model, x = Bags(**settings), torch.rand(BATCH, *ROWS)
    y = torch.rand(BATCH, *ROWS)
    check(exported(model, x, y, F.mse_loss), model, F.mse_loss, x, y)


# A bag without rows is zeros and has no gradient; of equal rows the first one has it.
@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_of_any_length(mode):
    torch.manual_seed(5)
    model = nn.EmbeddingBag(6, 8, mode=mode)
    with torch.no_grad():
        model.weight[3] = model.weight[2]
    inputs, y = {"i": torch.tensor([2, 3, 1, 1, 5]), "offsets": torch.tensor([0, 0, 3])}, torch.rand(3, 8)
    results = evaluate(export_joint_step(model, inputs, {"y": y}, F.mse_loss, opaque=False), model, {**inputs, "y": y})
    loss = F.mse_loss(model(*inputs.values()), y)
    loss.backward()
    torch.testing.assert_close(results["loss"], loss.detach())
    torch.testing.assert_close(results["weight.grad"], model.weight.grad)


# Where one part has no counterpart, the operator is carried as one, not as some of its parts.
def test_what_cannot_be_taken_apart_is_carried():
    grid = torch.rand(BATCH, 4, 4, 2) * 2 - 1
    model, x = Apply(lambda x, _: F.grid_sample(x, grid, align_corners=False), IMAGE), torch.rand(BATCH, *IMAGE)
    found = coverage(export_joint_step(model, {"x": x}, {"y": torch.rand(BATCH, 4, 4, 4)}, F.mse_loss))
    assert found["kernels"] == {"aten.grid_sampler_2d.default": 1, "aten.grid_sampler_2d_backward.default": 1}


# The name of the parameter and of the operator that writes it, not a KeyError.
def test_writing_into_a_parameter_is_refused():
    model = nn.Embedding(9, 4, max_norm=1.0)
    with pytest.raises(ExportError, match="writes into parameter 'weight' by aten.embedding_renorm.default; only the optimizer may change parameters"):
        export_joint_step(model, {"i": INDICES}, {"y": torch.rand(3, 3, 4)}, F.mse_loss)
