"""The joint-graph road: programs with torch's own backward compute what torch computes, and what has no counterpart is carried."""

import importlib.util
import inspect
import re
import subprocess

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import export_examples  # noqa: E402
import mlir_backward  # noqa: E402
import philox  # noqa: E402
from memplan.export import ExportError, UnsupportedOperatorError, coverage, export_joint_step, export_training_step  # noqa: E402
from test_export_models import SMALL, make_data, masked_dropouts  # noqa: E402
from test_export_operators import BATCH, CASES, IMAGE, LOSSES, ROWS, Apply, build_case  # noqa: E402

SEQUENCE, VOLUME = (4, 10), (2, 5, 4, 6)

# As CASES: what the road of modules has no lowering for.
MORE = {
    "conv1d": (lambda x, f: f(x), SEQUENCE, None, lambda: nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2)),
    "conv_transpose1d": (lambda x, f: f(x), SEQUENCE, None, lambda: nn.ConvTranspose1d(4, 6, 3, stride=2, padding=1, output_padding=1)),
    "group_norm": (lambda x, f: f(x), IMAGE, None, lambda: nn.GroupNorm(2, 4)),
    "group_norm_plain": (lambda x, f: f(x), IMAGE, None, lambda: nn.GroupNorm(4, 4, affine=False)),
    "instance_norm": (lambda x, f: f(x), IMAGE, None, lambda: nn.InstanceNorm2d(4, affine=True)),
    "layer_norm_image": (lambda x, f: f(x), IMAGE, None, lambda: nn.LayerNorm([4, 6, 6])),
    "max_pool2d_ceil": (lambda x, _: F.max_pool2d(x - 0.9, 3, 2, ceil_mode=True), (4, 6, 7)),
    "max_pool2d_ceil_padding": (lambda x, _: F.max_pool2d(x - 0.9, 3, 2, padding=1, ceil_mode=True), (4, 6, 7)),
    "pad": (lambda x, _: F.pad(x, (1, 2, 0, 1)) + F.pad(x, (1, 2, 0, 1), value=0.5), IMAGE),
    "crop": (lambda x, _: F.pad(x, (-1, 2)), ROWS),
    "index": (lambda x, w: x + w[torch.tensor([[0, 2, 1], [1, 1, 0]])].sum((0, 1)), ROWS, (3, 8)),
    "index_middle": (lambda x, _: x[:, torch.tensor([2, 0, 2, -1])] * 3, ROWS),
    "index_select": (lambda x, _: x.index_select(2, torch.tensor([7, 0, 0])) * 3, ROWS),
    "embedding_padding": (lambda x, f: x + f(torch.tensor([1, 0, 4])), ROWS, None, lambda: nn.Embedding(5, 8, padding_idx=4)),
    "unbind": (lambda x, _: sum(p * i for i, p in enumerate(x.unbind(1))), ROWS),
    "attention_mask": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x, x + 1, attn_mask=torch.ones(3, 3).tril().log()), (2, 3, 4)),
    "attention_mask_repeated": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x, x + 1, attn_mask=_repeated_mask(x)), (2, 3, 4)),
    "attention_shared_heads": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x[:, :1], x[:, :1] + 1), (2, 3, 4)),
    "baddbmm": (lambda x, w: torch.baddbmm(w.expand(x.shape[0], 3, 3), x, x.mT, beta=0.5, alpha=2), ROWS, (3, 3)),
    "transposes": (lambda x, w: (x @ x.mT) @ x.mT.mT + x.mT.mT.mT.cumsum(1).mT * w.mT.mT, ROWS, (3, 8)),
    "lstm": (lambda x, f: f(x)[0], ROWS, None, lambda: nn.LSTM(8, 5, num_layers=2, batch_first=True)),
    "multi_head_attention": (lambda x, f: f(x, x, x, need_weights=False)[0], ROWS, None, lambda: nn.MultiheadAttention(8, 2, batch_first=True)),
    "gather": (lambda x, _: x.gather(2, torch.tensor([[[0, 7], [3, 3], [2, 1]]] * BATCH)) * 2, ROWS),
    "gather_middle": (lambda x, _: x.gather(1, torch.tensor([[[0] * 8, [2] * 8]] * BATCH)) * 2, ROWS),
    "gather_smaller": (lambda x, _: x.gather(2, torch.tensor([[[0, 7], [3, 3]]] * BATCH)) * 2, ROWS),
    "cumsum": (lambda x, _: x.cumsum(1) * x, ROWS),
    "topk": (lambda x, _: _weighed(*x.topk(3)), ROWS),
    "topk_smallest": (lambda x, _: _weighed(*x.topk(2, dim=1, largest=False)), ROWS),
    "sort": (lambda x, _: _weighed(*x.sort(1, descending=True)), ROWS),
    "argsort": (lambda x, _: x * x.argsort(-1), ROWS),
    "max_dim": (lambda x, _: _weighed(*x.max(1)), ROWS),
    "min_dim": (lambda x, _: _weighed(*x.min(-1, keepdim=True)), ROWS),
    "amax": (lambda x, _: x * x.amax((1, 2), keepdim=True) + x.amin(1, keepdim=True), ROWS),
    "argmax": (lambda x, _: x * x.argmax(1, keepdim=True) + x.argmin(), ROWS),
    "max": (lambda x, _: x * x.max() - x.min(), ROWS),
    "any_all": (lambda x, _: x * (x > 0.9).any(-1, keepdim=True) + (x > 0.1).all(), ROWS),
    "routing": (lambda x, w: _routed(x, w), ROWS, (3, 8)),
    "scatter_value": (lambda x, _: x.scatter(2, x.argmax(-1, keepdim=True), 0.5) * x, ROWS),
    "scatter_src": (lambda x, _: (2 * x).scatter(2, torch.tensor([[[0, 7], [3, 2], [2, 1]]] * BATCH), x[..., :2]) * x, ROWS),
    "scatter_add": (lambda x, _: (2 * x).scatter_add(1, torch.tensor([[[0] * 8, [2] * 8]] * BATCH), x[:, :2]), ROWS),
    "scatter_smaller": (lambda x, _: (2 * x).scatter(2, torch.tensor([[[0, 7], [3, 2]]]), x[:1, :2, :2]) * x, ROWS),
    "slice_step": (lambda x, _: x[:, :, 1::3] * x[:, :, :6:2], ROWS),
    "slice_step_write": (lambda x, _: _every_third(x), ROWS),
    "pad_integers": (lambda x, _: F.pad(x.argmax(-1), (1, 2), value=3)[..., None] * F.pad(x, (0, 0, 1, 2), value=1.0), ROWS),
    "experts": (lambda x, w: _experts(x, w), ROWS, (3, 8, 5)),
    "histc": (lambda x, _: x * torch.histc(x.argmax(-1).float(), bins=3, min=0, max=2)[:, None], ROWS),
    "histc_edges": (lambda x, _: x * torch.histc((8 * x).round() / 8, bins=4, min=0.25, max=0.75).sum(), ROWS),
    "index_pairs": (lambda x, _: x[torch.arange(BATCH)[:, None], x.argmax(1)[:, :2], torch.tensor([[1, 5]])] * 2, ROWS),
    "index_apart": (lambda x, _: x[:, x[0, ..., 0].argmax(0)[:3], :, torch.tensor([1, 0, 1])].transpose(0, 1) * 2, (3, 4, 2)),
    "index_of_integers": (lambda x, _: x * x.argmax(1)[:, torch.tensor([3, 0, 1, 1, 2, 7, 6, 5])][:, None], ROWS),
    "index_write": (lambda x, w: _written_at(x, w), ROWS, (2, 8)),
    "index_add": (lambda x, _: (2 * x).index_add(1, torch.tensor([0, 0]), x[:, 1:]), ROWS),
    "mask_write": (lambda x, _: _masked(x), ROWS),
    "flip": (lambda x, _: x.flip(1, 2) * x, ROWS),
    "norm": (lambda x, _: F.normalize(x, dim=-1) + x.norm(dim=1, keepdim=True), ROWS),
    "slice_write": (lambda x, _: _written(x), ROWS),
    "upsample_nearest": (lambda x, _: F.interpolate(x, scale_factor=(2, 3)), IMAGE),
    "upsample_nearest_odd": (lambda x, _: F.interpolate(x, size=(7, 9)), IMAGE),
    "upsample_bilinear": (lambda x, _: F.interpolate(x, size=(9, 11), mode="bilinear"), IMAGE),
    "avg_pool2d_ceil": (lambda x, _: F.avg_pool2d(x, 3, 2, ceil_mode=True), (4, 6, 7)),
    "avg_pool2d_ceil_padding": (lambda x, _: F.avg_pool2d(x, (3, 2), 2, (1, 0), ceil_mode=True), (4, 6, 7)),
    "avg_pool2d_ceil_inside": (lambda x, _: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False), (4, 6, 7)),
    "avg_pool2d_divisor": (lambda x, _: F.avg_pool2d(x, 3, 2, 1, divisor_override=5), (4, 6, 7)),
    "avg_pool3d": (lambda x, _: F.avg_pool3d(x, (2, 3, 3), (1, 2, 1), (1, 1, 0)), VOLUME),
    "avg_pool3d_inside": (lambda x, _: F.avg_pool3d(x, 3, 2, 1, count_include_pad=False, ceil_mode=True), VOLUME),
    "avg_pool3d_divisor": (lambda x, _: F.avg_pool3d(x, 2, divisor_override=3), VOLUME),
    "adaptive_avg_pool3d": (lambda x, _: F.adaptive_avg_pool3d(x, (2, 3, 4)), VOLUME),
    "unfold": (lambda x, _: F.unfold(x, (3, 2), dilation=(1, 2), padding=(1, 0), stride=2) * 2, IMAGE),
    "fold": (lambda x, _: F.fold(F.unfold(x, 3, padding=1), 6, 3, padding=1), IMAGE),
    "reflection_pad": (lambda x, _: F.pad(x, (2, 1, 0, 3), mode="reflect") * 2, IMAGE),
    "replication_pad": (lambda x, _: F.pad(x, (1, 2, 3, 0), mode="replicate") * 2, IMAGE),
    "circular_pad": (lambda x, _: F.pad(x, (1, 2, 3, 0), mode="circular") * 2, IMAGE),
    "conv3d": (lambda x, f: f(x), VOLUME, None, lambda: nn.Conv3d(2, 4, (3, 2, 3), stride=(2, 1, 2), padding=(1, 0, 1))),
    "conv3d_groups": (lambda x, f: f(x), VOLUME, None, lambda: nn.Conv3d(2, 4, 3, groups=2, dilation=(2, 1, 1), padding=2, bias=False)),
    "conv_transpose3d": (lambda x, f: f(x), VOLUME, None, lambda: nn.ConvTranspose3d(2, 4, (2, 3, 2), stride=2, padding=(0, 1, 0))),
    "max_pool3d": (lambda x, _: F.max_pool3d(x - 0.9, 3, 2, 1), VOLUME),
    "log_softmax": (lambda x, _: x.log_softmax(1) * 2, ROWS),
    "rms_norm": (lambda x, f: f(x) + F.rms_norm(x, (3, 8), eps=0.1), ROWS, None, lambda: nn.RMSNorm(8)),
    "instance_norm1d": (lambda x, f: f(x), SEQUENCE, None, lambda: nn.InstanceNorm1d(4, affine=True)),
    "instance_norm3d": (lambda x, f: f(x), VOLUME, None, lambda: nn.InstanceNorm3d(2)),
    "batch_norm1d": (lambda x, f: f(x), SEQUENCE, None, lambda: nn.BatchNorm1d(4)),
    "batch_norm3d": (lambda x, f: f(x), VOLUME, None, lambda: nn.BatchNorm3d(2)),
    "avg_pool1d": (lambda x, _: F.avg_pool1d(x, 3, 2, 1) + F.avg_pool1d(x, 3, 2, 1, count_include_pad=False), SEQUENCE),
    "avg_pool1d_ceil": (lambda x, _: F.avg_pool1d(x, 4, 3, ceil_mode=True), SEQUENCE),
    "max_pool1d": (lambda x, _: F.max_pool1d(x - 0.9, 3, 2, 1), SEQUENCE),
    "max_pool1d_ceil": (lambda x, _: F.max_pool1d(x - 0.9, 2, 3, dilation=2, ceil_mode=True), SEQUENCE),
    "max_pool2d_dilation": (lambda x, _: F.max_pool2d(x - 0.9, 2, 1, dilation=2), IMAGE),
    "max_pool3d_ceil": (lambda x, _: F.max_pool3d(x - 0.9, 3, 2, ceil_mode=True), VOLUME),
    "max_pool3d_ceil_padding": (lambda x, _: F.max_pool3d(x - 0.9, (2, 3, 2), (2, 2, 3), (1, 1, 0), ceil_mode=True), VOLUME),
    "adaptive_avg_pool1d": (lambda x, _: F.adaptive_avg_pool1d(x, 3), SEQUENCE),
    "adaptive_max_pool1d": (lambda x, _: F.adaptive_max_pool1d(x, 5) * F.adaptive_max_pool1d(x, 3).sum(), SEQUENCE),
    "upsample_rows": (lambda x, _: F.interpolate(x, scale_factor=2) * F.interpolate(x, scale_factor=2, mode="linear"), SEQUENCE),
    "upsample_volume": (lambda x, _: F.interpolate(x, scale_factor=2) * F.interpolate(x, scale_factor=2, mode="trilinear"), VOLUME),
    "upsample_corners": (lambda x, _: F.interpolate(x, size=(9, 11), mode="bilinear", align_corners=True), IMAGE),
    "einsum": (lambda x, w: torch.einsum("bij,bik,jkl->bl", x, x, w), ROWS, (8, 8, 2)),
    "einsum_diagonal": (lambda x, _: torch.einsum("bii->bi", x) * torch.einsum("bii->b", x)[:, None], (4, 4)),
    "gru": (lambda x, f: f(x)[0], ROWS, None, lambda: nn.GRU(8, 5, num_layers=2, batch_first=True)),
    "gru_both_ways": (lambda x, f: f(x)[0], ROWS, None, lambda: nn.GRU(8, 5, bidirectional=True, bias=False, batch_first=True)),
    "rnn": (lambda x, f: f(x)[0], ROWS, None, lambda: nn.RNN(8, 5, nonlinearity="relu", batch_first=True)),
    "lstm_cell": (lambda x, f: f(x[:, 0])[0], ROWS, None, lambda: nn.LSTMCell(8, 5)),
    "rotary": (lambda x, _: _rotated(x, 4) * _rotated(x, 8), ROWS),
    "one_hot": (lambda x, w: F.one_hot(x.argmax(-1), 8).float() @ w * x.sum(), ROWS, (8, 4)),
    "in_place_activations": (lambda x, _: _activated_in_place(x), ROWS),
    "in_place_numbers": (lambda x, _: (10 * x - 9).mul_(2).add_(1).div_(3).sub_(0.1).clamp_(0, 3).masked_fill_(x > 1.2, 0.5), ROWS),
}


def _written(x):
    y = 2 * x
    y[:, 1] = x[:, 0] * 3
    y[..., 2:5] = 1.0
    return y


def _rotated(x, width):
    """The first `width` elements of each row turned by the angles of their position, the rest as it is."""
    angles = torch.arange(x.shape[1]).float()[:, None] * 10.0 ** -torch.arange(width // 2).float()
    cos, sin = (torch.cat([part, part], -1) for part in (angles.cos(), angles.sin()))
    turned, rest = x[..., :width], x[..., width:]
    halves = torch.cat([-turned[..., width // 2:], turned[..., :width // 2]], -1)
    return torch.cat([turned * cos + halves * sin, rest], -1)


def _activated_in_place(x):
    functions = (F.hardswish, F.hardsigmoid, F.silu, F.mish, F.leaky_relu, F.elu, F.relu6, F.hardtanh)
    return sum(function(10 * x - 9 + i, inplace=True) for i, function in enumerate(functions))


def _repeated_mask(x):
    return torch.arange(9.0).reshape(3, 3).expand(x.shape[0], 2, 3, 3)


def _weighed(values, indices):
    return values * (1 + indices)


def _routed(x, w):
    """The weights of the two best experts of each token."""
    scores = (x @ w.T).softmax(-1)
    best, chosen = scores.topk(2)
    chosen_mask = F.one_hot(chosen, 3).sum(-2)
    return torch.zeros_like(scores).scatter(-1, chosen, best / best.sum(-1, keepdim=True)) + chosen_mask


def _written_at(x, w):
    y = 2 * x
    y[:, torch.tensor([2, 0])] = w
    return y * x


def _every_third(x):
    y = 2 * x
    y[..., 1::3] = x[..., :3]
    return y


def _masked(x):
    y = 2 * x
    y[x > 0.7] = 0.25
    return y * x


@torch.library.custom_op("transformers::grouped_mm_fallback", mutates_args=())
def grouped_product(rows: torch.Tensor, weights: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
    """As `transformers` defines it: rows in groups that end at `ends`, each with a matrix of its own."""
    begins = [0, *ends.tolist()]
    return torch.cat([rows[a:b] @ w for a, b, w in zip(begins, begins[1:], weights)])


@torch.library.custom_op("transformers::grouped_mm_fallback_backward", mutates_args=())
def grouped_product_backward(rows: torch.Tensor, weights: torch.Tensor, ends: torch.Tensor, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    begins = [0, *ends.tolist()]
    pairs = list(zip(begins, begins[1:], weights))
    return torch.cat([grad[a:b] @ w.T for a, b, w in pairs]), torch.stack([rows[a:b].T @ grad[a:b] for a, b, _ in pairs])


grouped_product.register_fake(lambda rows, weights, ends: rows.new_empty(rows.shape[0], weights.shape[2]))
grouped_product_backward.register_fake(lambda rows, weights, ends, grad: (torch.empty_like(rows), torch.empty_like(weights)))
grouped_product.register_autograd(lambda ctx, grad: (*torch.ops.transformers.grouped_mm_fallback_backward(*ctx.operands, grad), None),
                                  setup_context=lambda ctx, inputs, output: setattr(ctx, "operands", inputs))


def _experts(x, w):
    """Rows in the order of their experts, of which one has none; a product of each; back in their order."""
    rows = x.reshape(-1, 8)
    expert = rows[:, 0].gt(0.7).long() * 2
    order = expert.argsort()
    ends = torch.histc(expert.float(), bins=3, min=0, max=2).cumsum(0).long()
    products = torch.ops.transformers.grouped_mm_fallback(rows[order], w, ends)
    return products[order.argsort()].reshape(x.shape[0], 3, -1)


LOSSES_MORE = {
    "smooth": (lambda x, y: F.cross_entropy(x.transpose(1, 2), y, label_smoothing=0.1), lambda: torch.randint(8, (BATCH, 3))),
    "weighted": (lambda x, y: F.cross_entropy(x, y, weight=torch.tensor([0.5, 2.0, 1.0]), ignore_index=1), lambda: torch.randint(3, (BATCH, 8))),
    "sum": (lambda x, y: F.cross_entropy(x, y, reduction="sum"), lambda: torch.randint(3, (BATCH, 8))),
    "none": (lambda x, y: (F.cross_entropy(x, y, reduction="none") ** 2).sum(), lambda: torch.randint(3, (BATCH, 8))),
    "l1": (F.l1_loss, lambda: torch.rand(BATCH, 3, 8)),
    "focal": (lambda x, y: _focal(x, (y > 0.5).float()), lambda: torch.rand(BATCH, 3, 8)),
    "kl": (lambda x, y: F.kl_div(x.log_softmax(-1), y.softmax(-1), reduction="batchmean"), lambda: torch.rand(BATCH, 3, 8)),
}


def _focal(x, y):
    right = x.sigmoid() * y + (1 - x.sigmoid()) * (1 - y)
    return ((0.25 * y + 0.75 * (1 - y)) * (1 - right) ** 2 * F.binary_cross_entropy_with_logits(x, y, reduction="none")).mean()


def case_of(name):
    if name in CASES:
        return build_case(name)
    CASES[name] = MORE[name]
    try:
        return build_case(name)
    finally:
        del CASES[name]


def evaluate(text, model, data, dropout=None):
    """Results of the program by name."""
    program = mlir_backward.parse(text)
    values = {name: v.detach().clone() for name, v in [*model.named_parameters(), *model.named_buffers()]} | data
    values.setdefault("dropout_seed", torch.zeros(1, dtype=torch.int64))
    results = mlir_backward.evaluate(program, values, dropout)
    return {r.marks["memplan.name"]: v for r, v in zip(program.results, results)}


def check(text, model, loss, x, y):
    results = evaluate(text, model, {"x": x, "y": y})
    expected = loss(model(x), y)
    expected.backward()
    torch.testing.assert_close(results.pop("loss"), expected.detach(), rtol=1e-5, atol=1e-6)
    buffers = dict(model.named_buffers())
    for name, parameter in model.named_parameters():
        if parameter.grad is not None:
            torch.testing.assert_close(results.pop(f"{name}.grad"), parameter.grad, rtol=1e-4, atol=1e-5, msg=lambda m: f"{name}: {m}")
    for name, value in results.items():
        torch.testing.assert_close(value, buffers[name], rtol=1e-5, atol=1e-6)


ATTENTIONS = {
    "plain": {},
    "causal": {"is_causal": True},
    "mask": {"attn_mask": torch.arange(9.0).reshape(3, 3).sin(), "scale": 0.3},
    "booleans": {"attn_mask": torch.tensor([[True, False, True]])},
}


# What one road takes and another refuses, a user would have to write in two ways.
@pytest.mark.parametrize("as_products", [False, True])
@pytest.mark.parametrize("function", [lambda x: F.dropout(x, 1.0), lambda x: F.scaled_dot_product_attention(x, x, x, dropout_p=1.0)], ids=["dropout", "attention"])
@pytest.mark.parametrize("road", [export_training_step, export_joint_step])
def test_a_dropout_of_everything_leaves_zeros(road, function, as_products):
    model = Apply(lambda x, w: function(x * w) + w, (2, 3, 4), (2, 3, 4))
    x, y = torch.rand(2, 2, 3, 4), torch.rand(2, 2, 3, 4)
    text = road(model, {"x": x}, {"y": y}, F.mse_loss, attention_as_products=as_products)
    assert "dropout" not in text
    if road is export_joint_step:
        check(text, model, F.mse_loss, x, y)
    else:  # memplan derives the gradients later
        torch.testing.assert_close(evaluate(text, model, {"x": x, "y": y})["loss"], F.mse_loss(model(x), y).detach())


# A softmax that is dropped in other places than its gradient, or than the dropout of written-out scores, would train another step.
@pytest.mark.parametrize("form", ATTENTIONS)
@pytest.mark.parametrize("as_products", [False, True])
@pytest.mark.parametrize("road", [export_training_step, export_joint_step])
def test_attention_with_dropout(road, as_products, form):
    torch.manual_seed(3)
    model = Apply(lambda x, w: F.scaled_dot_product_attention(x, w * x, x + w, dropout_p=0.4, **ATTENTIONS[form]), (2, 3, 4), (2, 3, 4)).double()
    x, y = torch.rand(2, 2, 3, 4), torch.rand(2, 2, 3, 4)
    text = road(model.float(), {"x": x}, {"y": y}, F.mse_loss, attention_as_products=as_products)
    names = re.findall(r"memplan\.(\w*attention\w*|softmax\w*) ", text)
    if as_products:
        assert not any("attention" in name for name in names)
    else:
        assert names == ["attention_dropout", "attention_dropout_grad"][:1 if road is export_training_step else 2]
    mask = torch.from_numpy(philox.dropout_mask((2, 2, 3, 3), 0.4, 0, 0))

    def written(x, w):
        settings = {"scale": 0.5, **ATTENTIONS[form]}
        scores = settings["scale"] * x @ (w * x).mT
        if settings.get("is_causal"):
            scores = scores.masked_fill(torch.ones(3, 3, dtype=torch.bool).triu(1), -torch.inf)
        if "attn_mask" in settings:
            added = settings["attn_mask"]
            scores = scores + (added if added.dtype != torch.bool else torch.zeros(added.shape).masked_fill(~added, -torch.inf))
        return (scores.softmax(-1) * mask) @ (x + w)

    model = model.double()
    program = mlir_backward.parse(text)
    parameters = {name: p.detach().clone().requires_grad_() for name, p in model.named_parameters()}
    values = {**parameters, "x": x.double(), "y": y.double(), "dropout_seed": torch.zeros(1, dtype=torch.int64)}
    results = mlir_backward.evaluate(program, values, lambda value, p, salt: value * torch.from_numpy(philox.dropout_mask(tuple(value.shape), p, 0, salt)))
    results = {r.marks["memplan.name"]: v for r, v in zip(program.results, results)}
    model.function = written
    expected = F.mse_loss(model(x.double()), y.double())
    expected.backward()
    torch.testing.assert_close(results["loss"], expected)
    if road is export_training_step:
        results["loss"].backward()
        results |= {f"{name}.grad": p.grad for name, p in parameters.items()}
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(results[f"{name}.grad"], parameter.grad)


# A causal mask that is read as any other takes the bytes of a mask and computes what nothing sees.
@pytest.mark.parametrize("road", [export_training_step, export_joint_step])
@pytest.mark.parametrize("least", [-torch.inf, torch.finfo(torch.float32).min])
def test_a_causal_mask_of_least_numbers_is_causal(road, least):
    def attend(x, rows):
        return F.scaled_dot_product_attention(x, x, x, attn_mask=torch.zeros(3, 3).masked_fill(torch.ones(3, 3).triu(1).bool() & (torch.arange(3) < rows)[:, None], least))

    def text(rows):
        return road(Apply(lambda x, _: attend(x, rows), (2, 3, 4)), {"x": torch.rand(2, 2, 3, 4)}, {"y": torch.rand(2, 2, 3, 4)}, F.mse_loss)

    assert "causal" in text(3) and "causal" not in text(1)


# A mask of the size of all scores, where batch and heads only repeat it, would be most of a program's text.
@pytest.mark.parametrize("as_products", [False, True])
def test_a_repeated_mask_is_held_once(as_products):
    model = Apply(lambda x, _: F.scaled_dot_product_attention(x, x, x, attn_mask=_repeated_mask(x)), (2, 3, 4))
    text = export_joint_step(model, {"x": torch.rand(2, 2, 3, 4)}, {"y": torch.rand(2, 2, 3, 4)}, F.mse_loss, opaque=False, attention_as_products=as_products)
    constants = re.findall(r"memplan.constant .*dense<.*-> tensor<(\S+)xf32>", text)
    assert constants.count("1x1x3x3") == (1 if as_products else 2) and "2x2x3x3" not in constants


# PyTorch's graph transposes the weight of a linear layer, and its gradient twice: copies of all weights would live through the step.
def test_linear_layers_copy_no_weight():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.middle = nn.Embedding(5, 8), nn.Linear(8, 8)

        def forward(self, x):
            return self.middle(self.words(x)) @ self.words.weight.T

    text = export_joint_step(Tied(), {"x": torch.arange(4)}, {"y": torch.rand(4, 5)}, F.mse_loss)
    assert "memplan.transpose" not in text and text.count("transpose_rhs") == 2


# A model that makes its mask of others stores equal ones for all samples; one that differs in a sample must stay whole.
@pytest.mark.parametrize("equal, expected", [(True, "causal"), (False, "tensor<2x1x3x3xf32>")])
def test_equal_masks_of_all_samples_are_one(equal, expected):
    mask = torch.zeros(2, 2, 3, 3).masked_fill(torch.ones(3, 3).triu(1).bool(), -torch.inf)
    if not equal:
        mask[1, :, 2, 1:] = -torch.inf
    model = Apply(lambda x, _: F.scaled_dot_product_attention(x, x, x, attn_mask=mask), (2, 3, 4))
    text = export_joint_step(model, {"x": torch.rand(2, 2, 3, 4)}, {"y": torch.rand(2, 2, 3, 4)}, F.mse_loss)
    assert expected in text and "tensor<2x2x3x3xf32>" not in text


# A backward operator whose operands are swapped, or whose attributes are those of another form, gives another gradient.
@pytest.mark.parametrize("name", [*CASES, *MORE])
def test_operator(name):
    model, x, target = case_of(name)
    check(export_joint_step(model, {"x": x}, {"y": target}, F.mse_loss, opaque=False), model, F.mse_loss, x, target)


@pytest.mark.parametrize("name", [*LOSSES, *LOSSES_MORE])
def test_loss(name):
    loss, target = {**LOSSES, **LOSSES_MORE}[name]
    torch.manual_seed(1)
    model, x, y = Apply(lambda x, _: x, ROWS), torch.rand(BATCH, *ROWS), target()
    check(export_joint_step(model, {"x": x}, {"y": y}, loss, opaque=False), model, loss, x, y)


# A sum that is written out would keep a probability of each class for the backward pass.
def test_a_sum_is_one_operation():
    model, x, y = Apply(lambda x, _: x, ROWS), torch.rand(BATCH, *ROWS), torch.tensor([[1, 0, -100]] * BATCH)
    loss = lambda x, y: F.cross_entropy(x.flatten(0, 1), y.flatten(), reduction="sum") / 7  # noqa: E731
    text = export_joint_step(model, {"x": x}, {"y": y}, loss, opaque=False)
    check(text, model, loss, x, y)
    assert len(re.findall(r"memplan\.cross_entropy(_grad)? .*sum", text)) == 2 and "memplan.map" not in text


# PyTorch puts a dimension of 1 before the last of a sequence. A loss that is written out keeps a probability of each class for the backward pass.
@pytest.mark.parametrize("shape", [(5, 4), (5, 2, 3), (5, 2, 3, 2)], ids=str)
@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_a_loss_of_classes_in_dimension_1_is_one_operation(shape, reduction):
    torch.manual_seed(3)
    model, x, y = Apply(lambda x, _: x, shape), torch.rand(BATCH, *shape), torch.randint(5, (BATCH, *shape[1:]))
    y.view(-1)[3] = -100
    loss = lambda x, y: F.cross_entropy(x, y, reduction=reduction)  # noqa: E731
    text = export_joint_step(model, {"x": x}, {"y": y}, loss, opaque=False)
    check(text, model, loss, x, y)
    assert len(re.findall(r"memplan\.cross_entropy(_grad)? ", text)) == 2 and "memplan.map" not in text and 'memplan.high = 5' in text


class OwnLoss(nn.Module):
    """Predicts each next token and has the loss inside, as models of `transformers` do."""

    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(7, 8), nn.Linear(8, 7)

    def forward(self, tokens, labels):
        known = tokens.masked_fill(tokens == 0, 1)
        logits = self.head(self.table(torch.cat([known[:, :1], known[:, :-1]], 1)))
        return F.cross_entropy(logits.flatten(0, 1), F.pad(labels, (0, 1), value=-100)[:, 1:].flatten())


# Data that memplan-run makes up must be labels, though the model shifts, joins and masks them before it reads them.
def test_integers_that_are_moved_keep_their_bound(tool, tmp_path):
    tokens = torch.randint(1, 7, (2, 5))
    text = export_joint_step(OwnLoss(), {"tokens": tokens, "labels": tokens}, {}, None, opaque=False)
    assert re.findall(r"%(tokens|labels): .*memplan.high = (\d+)", text) == [("tokens", "7"), ("labels", "7")]
    (tmp_path / "step.mlir").write_text(text)
    done = subprocess.run([tool("memplan-run"), str(tmp_path / "step.mlir"), "--steps=2", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _stochastic_depth(x):
    """As torchvision has it, by whole samples."""
    return x * x.new_empty(x.shape[0], 1, 1).bernoulli_(0.75).div_(0.75)


class Rounded(torch.autograd.Function):
    """Rounds, with a gradient that rounding does not have."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad * (ctx.saved_tensors[0] < 1)


# The gradient of such a function is the one that it defines, which its forward pass does not tell.
def test_a_function_with_its_own_backward():
    model, x = Apply(lambda x, _: Rounded.apply(3 * x), ROWS), torch.rand(BATCH, *ROWS)
    check(export_joint_step(model, {"x": x}, {"y": x}, F.mse_loss, opaque=False), model, F.mse_loss, x, x)
    assert model.weight.grad.any()


def test_the_module_road_refuses_a_function_with_its_own_backward():
    model, x = Apply(lambda x, _: Rounded.apply(3 * x), ROWS), torch.rand(BATCH, *ROWS)
    with pytest.raises(ExportError, match=r"Rounded is a torch.autograd.Function, whose backward pass is its own; export_joint_step\(\) takes it"):
        export_training_step(model, {"x": x}, {"y": x}, F.mse_loss)
    assert Rounded.apply(x).equal(x.round())  # It is as before.


class RunningMean(nn.Module):
    """Keeps a mean of its outputs in a buffer."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("mean", torch.zeros(4))

    def forward(self, x):
        y = self.linear(x)
        self.mean.mul_(0.9).add_(y.detach().mean(0), alpha=0.1)
        return y - self.mean


# A buffer of the user's own has a new value after each step. A plan must keep it; that no kernel writes it must be said, not found by the compiler.
def test_buffers_that_the_module_writes(tool, tmp_path):
    data = {"x": torch.rand(2, 4)}, {"y": torch.rand(2, 4)}
    text = export_joint_step(RunningMean(), *data, F.mse_loss)
    assert coverage(text)["kernels"] == {"aten.copy_.default": 1} and "writes = [0, 0]" in text
    (tmp_path / "step.mlir").write_text(text)
    planned = subprocess.run([tool("memplan-opt"), str(tmp_path / "step.mlir"), "--budget=1K", "-o", str(tmp_path / "planned.mlir")], capture_output=True, text=True)
    assert planned.returncode == 0, planned.stderr
    with pytest.raises(UnsupportedOperatorError, match="a new value of buffer 'mean', and only batch norm has an operation"):
        export_joint_step(RunningMean(), *data, F.mse_loss, opaque=False)


# A sample that is dropped has no gradient either.
def test_stochastic_depth():
    model, x = Apply(lambda x, _: _stochastic_depth(x), ROWS), torch.rand(4, *ROWS)
    text = export_joint_step(model, {"x": x}, {"y": x}, lambda out, y: (out * y).sum(), opaque=False)
    factor = torch.tensor([0.0, 4 / 3, 4 / 3, 0.0]).reshape(4, 1, 1)
    results = evaluate(text, model, {"x": x, "y": x}, lambda value, p, salt: value * factor if p == 0.25 else None)
    torch.testing.assert_close(results["loss"], (x * x * model.weight * factor).sum().detach(), rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(results["weight.grad"], (x * x * factor).sum(0), rtol=1e-5, atol=1e-6)


# Both roads must mean one step: the loss, each gradient and each running statistic, in double precision.
@pytest.mark.parametrize("example", SMALL, ids=lambda e: e.name)
def test_both_roads_agree(example, tool, tmp_path, monkeypatch):
    import test_autodiff_text
    torch.manual_seed(7)
    model = example.build().train()
    data = make_data(example, torch.Generator().manual_seed(11))
    single = {n: d.float() if d.is_floating_point() else d for n, d in data.items()}
    text = export_joint_step(model, {n: single[n] for n in example.inputs}, {n: single[n] for n in example.targets}, example.loss)
    assert coverage(text)["opaque"] == 0
    (tmp_path / "joint.mlir").write_text(text.replace("memplan.optimizer = {lr = 0.01", "memplan.optimizer = {lr = 0.5"))
    stored = (export_examples.ROOT / "examples" / example.path).read_text()
    stored = re.sub(r"memplan.optimizer = {[^}]*}", 'memplan.optimizer = {lr = 0.5, name = "sgd"}', stored)
    (tmp_path / "module.mlir").write_text(stored)
    model, dropout = model.double(), masked_dropouts(monkeypatch, 5)
    after = []
    for road in ("joint", "module"):
        program = test_autodiff_text.differentiate(tool, tmp_path / f"{road}.mlir")
        values = test_autodiff_text.first_values(program, model, data)
        losses = [test_autodiff_text.advance(program, values, dropout) for _ in range(2)]
        after.append({**values, "losses": torch.tensor(losses, dtype=torch.float64)})
    assert after[0].keys() == after[1].keys()
    for name, value in after[0].items():
        torch.testing.assert_close(value, after[1][name], rtol=1e-7, atol=1e-9, msg=lambda m: f"{name}: {m}")


class Unknown(nn.Module):
    """A model with operators that the dialect does not have, one of them random."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        x = self.first(x)
        x = x.cummax(dim=-1)[0] + torch.fft.rfft(x, dim=-1).abs().sum(-1, keepdim=True)
        return self.last(x + torch.poisson(x.detach().abs()))


def unknown(**settings):
    return export_joint_step(Unknown(), {"x": torch.rand(2, 8)}, {"y": torch.rand(2, 8)}, F.mse_loss, **settings)


# Numbers that are drawn inside of a step have the distribution that PyTorch gives them, other ones for each draw.
def test_random_numbers():
    shape = (40, 60)
    model = Apply(lambda x, _: torch.stack([torch.rand_like(x), torch.rand(x.shape), torch.randn_like(x), torch.bernoulli(x.detach() * 0 + 0.3)], 1) * x[:, None], shape)
    x, y = torch.ones(BATCH, *shape), torch.zeros(BATCH, 4, *shape)
    text = export_joint_step(model, {"x": x}, {"y": y}, lambda output, y: (output + y).square().sum(), opaque=False)
    program = mlir_backward.parse(text)
    drawn = {}
    values = {"weight": torch.ones(shape), "x": x, "y": y, "dropout_seed": torch.zeros(1, dtype=torch.int64)}

    def dropout(ones, p, salt):
        return drawn.setdefault(salt, F.dropout(ones, p))

    torch.manual_seed(3)
    results = dict(zip((r.marks["memplan.name"] for r in program.results), mlir_backward.evaluate(program, values, dropout)))
    # The gradient by the weight is 2 sum of squares: each draw adds its own second moment.
    moments = results["weight.grad"].sum() / (2 * BATCH * 40 * 60)
    assert abs(moments - (1 / 3 + 1 / 3 + 1 + 0.3)) < 0.06
    assert len(drawn) == 5 and all(abs(bits.mean() - 1) < 0.02 for bits in drawn.values())


# Noise of the size of a whole batch of images belongs among the inputs.
def test_many_random_numbers_are_refused():
    model = Apply(lambda x, _: x * torch.rand(2, 400, 400), (400, 400))
    with pytest.raises(UnsupportedOperatorError, match="draws 320000 numbers.*give noise as an input"):
        export_joint_step(model, {"x": torch.rand(2, 400, 400)}, {"y": torch.rand(2, 400, 400)}, F.mse_loss, opaque=False)


# What planners must know of an operator that they do not know: its bytes, its cost, whether it may run again.
def test_opaque_operators_are_carried():
    text = unknown()
    kernels = coverage(text)["kernels"]
    assert {"aten.cummax.default", "aten.poisson.default", "aten._fft_r2c.default"} <= set(kernels)
    assert any("memplan.backward" in line for line in text.splitlines() if "memplan.opaque" in line)
    line = next(line for line in text.splitlines() if '"aten.poisson.default"' in line)
    assert "recompute = false" in line and "random" in line
    running = next(line for line in text.splitlines() if '"aten.cummax.default"' in line)
    assert re.search(r"cost = \d", running) and "-> (tensor<2x8xf32>, tensor<2x8xi64>)" in running


# All operators of a step are named at once, so that one export says what stands in the way.
def test_refusal_names_all_operators():
    with pytest.raises(UnsupportedOperatorError, match="operators have no counterpart") as error:
        unknown(opaque=False)
    text = str(error.value)
    assert "aten.cummax.default" in text and "aten._fft_r2c.default" in text
    assert len(error.value.errors) >= 2
    lines = inspect.getsource(Unknown.forward).splitlines()
    number = Unknown.forward.__code__.co_firstlineno + next(i for i, line in enumerate(lines) if "cummax" in line)
    assert f'(File "{__file__}", line {number}, in forward)' in text
    assert "it computes in complex64, which has no kernels; use real numbers" in text
    assert "opaque=True carries each of them as `memplan.opaque`, with its bytes and its cost: the step is planned and checked, but does not run here" in text
    # On the road of modules too, those that read what another one made.
    with pytest.raises(UnsupportedOperatorError, match="export_joint_step.. has counterparts for more operators") as error:
        export_training_step(Unknown(), {"x": torch.rand(2, 8)}, {"y": torch.rand(2, 8)}, F.mse_loss)
    assert "aten.cummax.default" in str(error.value) and "aten.fft_rfft.default" in str(error.value)


class Answer(dict):
    """What models of `transformers` return: by name and by attribute."""

    __getattr__ = dict.get


class Labelled(nn.Module):
    """A model that computes its own loss where it is given labels, by names in an order of its own."""

    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(9, 8), nn.Linear(8, 9)

    def forward(self, input_ids=None, cache=None, attention_mask=None, labels=None):
        assert cache is None
        logits = self.head(self.embedding(input_ids) * attention_mask[..., None])
        return Answer(logits=logits) if labels is None else Answer(loss=F.cross_entropy(logits.flatten(0, 1), labels.flatten()), logits=logits)


# One call takes a model as `transformers` has them: inputs by the names of forward(), and the loss that the model computes of its labels.
@pytest.mark.parametrize("export", [export_joint_step, export_training_step])
def test_inputs_by_name_and_the_loss_of_the_model(export):
    torch.manual_seed(2)
    model, ids, mask = Labelled(), torch.randint(9, (2, 5)), torch.tensor([[1.0] * 5, [1.0] * 3 + [0.0] * 2])
    inputs = {"labels": ids.flip(1), "input_ids": ids, "attention_mask": mask}
    program = mlir_backward.parse(export(model, inputs, {}, None))
    values = {**dict(model.named_parameters()), **inputs}
    results = dict(zip((r.marks["memplan.name"] for r in program.results), mlir_backward.evaluate(program, values)))
    torch.testing.assert_close(results["loss"], model(**inputs).loss)
    with pytest.raises(ExportError, match="no loss is given, and the Answer that the module returns has none of its own"):
        export(model, {"input_ids": ids, "attention_mask": mask}, {}, None)


# A plan needs shapes: a step whose shapes depend on values is refused with the line that makes them.
def test_shapes_of_values_are_refused():
    with pytest.raises(ExportError, match="must not depend on the values of tensors"):
        model = Apply(lambda x, _: x[x > 0.5].sum() * x, ROWS)
        export_joint_step(model, {"x": torch.rand(2, *ROWS)}, {"y": torch.rand(2, *ROWS)}, F.mse_loss)


# Where no value decides, the remedy is another one: what PyTorch itself refuses, a mask that does not fit.
def test_steps_that_torch_refuses_are_refused():
    model = Apply(lambda x, _: F.scaled_dot_product_attention(x, x, x, attn_mask=torch.zeros(3, 5)), (2, 3, 4))
    with pytest.raises(ExportError, match=r"broadcast a dimension of length 5.*\[3, 5\].*the step must run in PyTorch as it stands, with these examples"):
        export_joint_step(model, {"x": torch.rand(2, 2, 3, 4)}, {"y": torch.rand(2, 2, 3, 4)}, F.mse_loss)


def _attend(x, **settings):
    return F.scaled_dot_product_attention(x, x, x, **settings)


# What it computes of x, the element type that x has, what the error says, and the roads that refuse it.
REFUSED = {
    "shape of values": (lambda x: x[x > 0.5].sum() * x, torch.float32, r"shapes and control flow must not depend on the values of tensors", "joint"),
    "branch on values": (lambda x: x if x.sum() > 0 else -x, torch.float32, r"shapes and control flow must not depend on the values of tensors", "both"),
    "mask of another shape": (lambda x: _attend(x, attn_mask=torch.zeros(3, 5)), torch.float32, r"\b5\b.*the step must run in PyTorch as it stands", "both"),
    "mask beside dropout": (lambda x: _attend(x, attn_mask=torch.zeros(3, 5), dropout_p=0.1), torch.float32, r"\b5\b.*the step must run in PyTorch as it stands",
                            "both"),
    "mask of integers": (lambda x: _attend(x, attn_mask=torch.zeros(3, 3).long(), dropout_p=0.1), torch.float32, r"attn_mask dtype|element type torch.int64, it must be bool",
                         "both"),
    "unknown type": (lambda x: x, torch.float8_e4m3fn, r"'x' has element type torch.float8_e4m3fn; the dialect has float32.*convert it before the export", "both"),
    "complex": (lambda x: x, torch.complex64, r"'x' has element type torch.complex64; the dialect has float32.*convert it before the export", "both"),
}


# An export that goes wrong later, or that does not say which line is meant, would leave its user with a program that nothing takes.
@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("road", ["module", "joint"])
def test_refused_steps_say_why_and_where(name, road):
    function, dtype, message, roads = REFUSED[name]
    if roads not in (road, "both"):
        pytest.skip("this road refuses it as an operator without counterpart")
    model = Apply(lambda x, w: function(x * w), ROWS, ROWS)
    model.forward = lambda x: model.function((x.real if x.is_complex() else x.float()) * model.weight, model.other)
    export = export_joint_step if road == "joint" else export_training_step
    with pytest.raises(ExportError, match=message) as error:
        export(model, {"x": torch.rand(2, *ROWS).to(dtype)}, {"y": torch.rand(2, *ROWS)}, F.mse_loss)
    if dtype == torch.float32:
        assert re.search(rf"at {re.escape(__file__)}:\d+ \(", str(error.value))


# A type that arises inside of the step is one of an operator, which has a line too.
@pytest.mark.parametrize("road", [export_training_step, export_joint_step])
def test_an_unknown_type_inside_is_refused_with_its_line(road):
    model = Apply(lambda x, w: (x * w).to(torch.float8_e4m3fn).float(), ROWS, ROWS)
    with pytest.raises(ExportError, match=r"File \"[^\"]*test_export_\w+.py\", line \d+.*element type torch.float8_e4m3fn.*bfloat16"):
        road(model, {"x": torch.rand(2, *ROWS)}, {"y": torch.rand(2, *ROWS)}, F.mse_loss)


# Code below folders that are called torch or memplan is the user's all the same.
def test_the_line_is_named_in_any_folder(tmp_path):
    file = tmp_path / "torch" / "memplan" / "mine.py"
    file.parent.mkdir(parents=True)
    file.write_text("def double(x, _):\n    return 2 * x if x.sum() > 0 else -x\n")
    spec = importlib.util.spec_from_file_location("mine", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(ExportError, match=rf"at {re.escape(str(file))}:2 \(return 2"):
        export_joint_step(Apply(module.double, ROWS), {"x": torch.rand(2, *ROWS)}, {"y": torch.rand(2, *ROWS)}, F.mse_loss)


# Positions and tables have no batch: where the examples fix all sizes, an input may have any first dimension, or none.
def test_inputs_without_a_batch():
    torch.manual_seed(4)
    model, y = Labelled(), torch.rand(2, 5, 9)
    model.forward = lambda x, places, factor: model.head(x * factor + model.embedding(places))
    inputs = {"x": torch.rand(2, 5, 8), "places": torch.arange(5), "factor": torch.tensor(0.7)}
    results = evaluate(export_joint_step(model, inputs, {"y": y}, F.mse_loss), model, {**inputs, "y": y})
    expected = F.mse_loss(model(**inputs), y)
    expected.backward()
    torch.testing.assert_close(results["loss"], expected.detach())
    torch.testing.assert_close(results["embedding.weight.grad"], model.embedding.weight.grad)


class Rotary(nn.Module):
    """Angles in f64, of constants that f32 cannot hold, as diffusion transformers compute them."""

    def __init__(self, finish=lambda waves: waves):
        super().__init__()
        self.head, self.finish = nn.Linear(8, 4), finish

    def forward(self, x, places):
        angles = torch.outer(places.to(torch.float64), torch.tensor([1.0, 0.01, 1 / 3, 1e-300], dtype=torch.float64))
        return self.head(x) * self.finish(angles.cos()).float()


# Computed in f32, the angles of far places would be wrong in the second digit; carried as opaque operations they would not run.
@pytest.mark.parametrize("finish", [lambda waves: waves, lambda waves: 1.5 - waves.repeat_interleave(2, 1)[:, 1:5] * 2], ids=["plain", "moved"])
@pytest.mark.parametrize("constants", [True, False])
def test_functions_in_f64_that_are_rounded_at_the_end_run(finish, constants):
    import memplan
    model = Rotary(finish)
    if not constants:
        model.forward = lambda x, places: model.head(x) * model.finish((places.double()[:, None] / 3).sin().expand(5, 4)).float()
    inputs, target = {"x": torch.rand(5, 8), "places": torch.arange(5.0) * 3e6 + 7}, torch.rand(5, 4)
    text = export_joint_step(model, inputs, {"y": target}, F.mse_loss, opaque=False)
    assert "f64>" not in text and coverage(text)["opaque"] == 0
    executable = memplan.Executable(memplan.compile_step(text, backend="cpu").program, backend="cpu")
    for name, value in {**dict(model.named_parameters()), **inputs, "y": target}.items():
        executable.write(name, value.detach().numpy())
    executable.run()
    assert float(executable.read_output("loss")) == pytest.approx(F.mse_loss(model(**inputs), target).item(), rel=1e-6)


# A function of itself, again and again, is an expression that doubles with each of them.
def test_long_expressions_in_f64_are_carried():
    def folded(waves):
        for _ in range(12):
            waves = waves * waves
        return waves

    text = export_joint_step(Rotary(folded), {"x": torch.rand(5, 8), "places": torch.arange(5.0)}, {"y": torch.rand(5, 4)}, F.mse_loss)
    assert coverage(text)["kernels"]["aten.mul.Tensor"] >= 12


# No kernel sums in f64, and the dialect has no constants of it: their bits are carried.
def test_constants_in_f64_are_carried_bit_for_bit(tool, tmp_path):
    import struct
    inputs = {"x": torch.rand(5, 8), "places": torch.arange(5.0)}

    def exported(**settings):
        return export_joint_step(Rotary(lambda waves: waves + waves.sum(0)), inputs, {"y": torch.rand(5, 4)}, F.mse_loss, **settings)

    text = exported()
    lines = text.splitlines()
    line = next(line for line in lines if 'kernel = "aten.view.dtype"' in line)
    assert re.search(r"tensor<(1x)?4xi64>\) -> tensor<(1x)?4xf64>", line) and "$0, torch.float64" in line
    written = next(other for other in lines if re.search(rf"{re.findall(r'%[^ ,)]+', line)[1]} = ", other))
    numbers = re.findall(r"-?\d+", written.partition("dense<")[2].partition(">")[0])
    assert [struct.unpack("<d", struct.pack("<q", int(n)))[0] for n in numbers] == [1.0, 0.01, 1 / 3, 1e-300]
    path = tmp_path / "rotary.mlir"
    path.write_text(text)
    planned = subprocess.run([tool("memplan-opt"), str(path), "--budget=4K", "-o", str(tmp_path / "planned.mlir")], capture_output=True, text=True)
    assert planned.returncode == 0, planned.stderr
    with pytest.raises(UnsupportedOperatorError, match="float64"):
        exported(opaque=False)


# Planned and checked like any other program; asked to run, it fails before it takes memory.
def test_opaque_step_is_planned_and_not_run(tool, tmp_path):
    path = tmp_path / "unknown.mlir"
    path.write_text(unknown())
    planned = subprocess.run([tool("memplan-opt"), str(path), "--budget=4K", "-o", str(tmp_path / "planned.mlir")],
                             capture_output=True, text=True)
    assert planned.returncode == 0, planned.stderr
    run = subprocess.run([tool("memplan-run"), str(path)], capture_output=True, text=True)
    assert run.returncode != 0 and "aten." in run.stderr, run.stderr
