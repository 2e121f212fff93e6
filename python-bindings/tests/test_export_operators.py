"""Every operator that the exporter knows, alone: the text computes what torch computes, with its gradients."""

import contextlib
import copy

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import mlir_interpreter  # noqa: E402
from memplan.export import ExportError, UnsupportedOperatorError, export_training_step, lowering, optimizer, record_initializers  # noqa: E402
from memplan.export.capture import capture_step, operator_name  # noqa: E402
from memplan.export.lower import _LOWERINGS  # noqa: E402

BATCH = 2


class Apply(nn.Module):
    """function(x * weight, other), so that a gradient flows through the operator; layers are kept as submodules."""

    def __init__(self, function, shape, other=None, layer=None):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(shape) + 0.5)
        self.other = nn.Parameter(torch.rand(other) + 0.5) if other else None
        self.layer, self.function = layer, function

    def forward(self, x):
        x = x * self.weight
        return self.function(x, self.layer if self.other is None else self.other)


IMAGE, ROWS = (4, 6, 6), (3, 8)
DIFFERENT_PADS = dict(kernel_size=(3, 2), stride=(2, 1), padding=(1, 0))

# id -> (function of x and a parameter or layer, shape of x without the batch, shape of the parameter, maker of the layer)
CASES = {
    "relu": (lambda x, _: (x - 0.4).relu(), ROWS),
    "relu_": (lambda x, _: (x - 0.4).relu_(), ROWS),
    "sigmoid": (lambda x, _: x.sigmoid(), ROWS),
    "tanh": (lambda x, _: x.tanh(), ROWS),
    "silu": (lambda x, _: F.silu(x), ROWS),
    "gelu": (lambda x, _: F.gelu(x), ROWS),
    "gelu_tanh": (lambda x, _: F.gelu(x, approximate="tanh"), ROWS),
    "hardtanh": (lambda x, _: F.hardtanh(x, 0.2, 0.6), ROWS),
    "clamp": (lambda x, _: x.clamp(0.2, 0.6), ROWS),
    "relu6": (lambda x, _: F.relu6(8 * x - 1), ROWS),
    "relu6_op": (lambda x, _: torch.ops.aten.relu6(8 * x - 1), ROWS),
    "add": (lambda x, w: x + w, ROWS, (8,)),
    "add_alpha": (lambda x, w: torch.add(x, w, alpha=3), ROWS, (8,)),
    "add_scalar": (lambda x, _: torch.ops.aten.add.Scalar(x, 2.5), ROWS),
    "sub": (lambda x, w: x - w, ROWS, (3, 1)),
    "sub_scalar": (lambda x, _: torch.ops.aten.sub.Scalar(x, 2.5), ROWS),
    "rsub": (lambda x, _: 1 - x, ROWS),
    "rsub_tensor": (lambda x, w: torch.rsub(x, w), ROWS, ROWS),
    "mul": (lambda x, w: x * w, ROWS, (3, 1)),
    "mul_scalar": (lambda x, _: torch.ops.aten.mul.Scalar(x, -0.3), ROWS),
    "div": (lambda x, w: x / w, ROWS, (8,)),
    "div_number": (lambda x, _: x / 3, ROWS),
    "div_scalar": (lambda x, _: torch.ops.aten.div.Scalar(x, 3.0), ROWS),
    "neg": (lambda x, _: -x, ROWS),
    "square": (lambda x, _: x.square(), ROWS),
    "pow": (lambda x, _: x**2, ROWS),
    "mean_dim": (lambda x, _: x.mean(dim=-1, keepdim=True), ROWS),
    "sum_dim": (lambda x, _: x.sum(dim=(1, 2)), ROWS),
    "mean": (lambda x, _: x * x.mean(), ROWS),
    "sum": (lambda x, _: x * x.sum(), ROWS),
    "softmax": (lambda x, _: x.softmax(-1), ROWS),
    "softmax_middle": (lambda x, _: x.softmax(1), ROWS),
    "causal_mask": (lambda x, _: (x @ x.mT).masked_fill(~torch.ones(3, 3, dtype=torch.bool).tril(), -9.0), ROWS),
    "causal_mask_tensor": (lambda x, _: (x @ x.mT).masked_fill(torch.ones(3, 3).triu(1).bool(), torch.tensor(-9.0)), ROWS),
    "where": (lambda x, _: torch.where(torch.ones(3, 3).tril() > 0, x @ x.mT, torch.tensor(-9.0)), ROWS),
    "where_scalar_other": (lambda x, _: torch.where(torch.ones(3, 3).tril() > 0, x @ x.mT, -9.0), ROWS),
    "where_scalar_self": (lambda x, _: torch.where(torch.ones(3, 3).triu(1) > 0, -9.0, x @ x.mT), ROWS),
    "view": (lambda x, _: x.view(-1, 24), ROWS),
    "view_as": (lambda x, _: x.view_as(x.reshape(x.shape[0], 4, 6).transpose(1, 2).transpose(1, 2).reshape(x.shape[0], 8, 3)), ROWS),
    "reshape": (lambda x, _: x.transpose(1, 2).reshape(x.shape[0], 6, 4), ROWS),
    "reshape_as": (lambda x, _: x.reshape_as(x.transpose(1, 2)), ROWS),
    "flatten": (lambda x, _: x.flatten(1), ROWS),
    "unflatten": (lambda x, _: x.unflatten(2, (2, 4)), ROWS),
    "unsqueeze": (lambda x, _: x.unsqueeze(1) * 2, ROWS),
    "squeeze": (lambda x, _: x.squeeze(1), (1, 8)),
    "squeeze_dims": (lambda x, _: x.squeeze((1, 2)), (1, 1, 8)),
    "merge_batch": (lambda x, w: (x.reshape(-1, 8) @ w).reshape(x.shape[0], 3, 5), ROWS, (8, 5)),
    "clone": (lambda x, _: x.clone() + x.contiguous(), ROWS),
    "contiguous": (lambda x, _: x.transpose(1, 2).contiguous(), ROWS),
    "to": (lambda x, _: x.to(torch.float32) + x.type_as(x) + x.to("cpu", torch.float32), ROWS),
    "transpose": (lambda x, _: x.transpose(-1, 1), ROWS),
    "permute": (lambda x, _: x.permute(0, 3, 1, 2), IMAGE),
    "t": (lambda x, w: x + w.t(), (8,), (8, 1)),
    "mT": (lambda x, _: x.mT * 2, ROWS),
    "split": (lambda x, _: torch.cat([p * (i + 1) for i, p in enumerate(x.split(3, 2))], 2), ROWS),
    "split_sizes": (lambda x, _: torch.cat([p * (i + 1) for i, p in enumerate(x.split([5, 3], 2))], 2), ROWS),
    "split_with_sizes": (lambda x, _: torch.ops.aten.split_with_sizes(x, [5, 3], 2)[1], ROWS),
    "chunk": (lambda x, _: x.chunk(2, -1)[1], ROWS),
    "split_heads": (lambda x, _: _by_head(x), (3, 24)),
    "slice": (lambda x, _: x[:, 1:, -5:-1], ROWS),
    "roll": (lambda x, _: x.roll((2, -1), (2, 1)) * x, ROWS),
    "repeat": (lambda x, _: x.repeat(1, 2, 3) * 2, ROWS),
    "strided_slice": (lambda x, _: x[:, :, 0::2] * x[:, :, 1::2], ROWS),
    "leaky_relu": (lambda x, _: F.leaky_relu(x - 0.9, 0.1), ROWS),
    "elu": (lambda x, _: F.elu(x - 0.9, 0.5), ROWS),
    "softplus": (lambda x, _: F.softplus(20 * x - 18, 2.0, 3.0), ROWS),
    "mish": (lambda x, _: F.mish(x), ROWS),
    "hardswish": (lambda x, _: F.hardswish(10 * x - 9), ROWS),
    "hardsigmoid": (lambda x, _: F.hardsigmoid(10 * x - 9), ROWS),
    "log_sigmoid": (lambda x, _: F.logsigmoid(10 * x - 9), ROWS),
    "softshrink": (lambda x, _: F.softshrink(x - 0.9, 0.2) + F.hardshrink(x - 0.9, 0.2), ROWS),
    "roots": (lambda x, _: x.exp() + x.log() + x.sqrt() + x.rsqrt() + x.log1p() + x.expm1() + x.reciprocal(), ROWS),
    "waves": (lambda x, _: x.sin() + x.cos() + x.erf() + (x - 0.9).abs() + x**3 + x**-0.5 + x**1.7, ROWS),
    "two": (lambda x, w: torch.minimum(x, w) + torch.maximum(x, 0.8 * w) + x**w + torch.lerp(x, w, 0.3) + torch.addcmul(x, w, w), ROWS, ROWS),
    "masks": (lambda x, _: torch.where((x > 0.7) & ~(x >= 1.2) | (x < 0.6), x, 2 * x).masked_fill(x.le(0.8), 0.5), ROWS),
    "integers": (lambda x, _: x * (torch.arange(3)[:, None] * 2 + torch.arange(8) - 1) * (x > 0.9).sum(1, keepdim=True).float(), ROWS),
    "clamp_min": (lambda x, _: x.clamp(min=0.9) + x.clamp_max(1.1), ROWS),
    "comparisons": (lambda x, w: x * ((x < w) | (x <= w - 0.1) ^ (x == w)) + x * ((x > w) & (x >= w) & (x != 0.5) & x.ne(w)), ROWS, ROWS),
    "comparisons_numbers": (lambda x, _: x * ((x < 1) | (x <= 0.7)) + x * ((x == 1) | x.eq(2.0) | torch.logical_not(x.isnan())), ROWS),
    "bitwise": (lambda x, w: x * (torch.bitwise_and(x > w, x > 0.6) + torch.bitwise_or(x > w, x > 0.6) * 2 + torch.bitwise_xor(x > w, x > 0.6)), ROWS,
                ROWS),
    "where_numbers": (lambda x, w: x * torch.where(x > w, 2.0, 0.5), ROWS, ROWS),
    "logical": (lambda x, w: x * (torch.logical_and(x > w, x > 0.6) + torch.logical_or(x > w, x > 0.6) * 2 + torch.logical_xor(x > w, x > 0.6)), ROWS, ROWS),
    "rounding": (lambda x, w: x * (4 * x).floor() + x * (4 * x).ceil() + x * (4 * x).round() + x * (x - 1).sign() + x * (x - 1).sgn(), ROWS, ROWS),
    "remainders": (lambda x, w: x.remainder(w) + x.remainder(0.3) + torch.floor_divide((x > w).long() * 5, 3) * x + torch.ops.aten.div.Scalar_mode(x, 0.3, rounding_mode="trunc") * x + torch.div(x, w, rounding_mode="floor") * x, ROWS, ROWS),
    "powers": (lambda x, w: torch.pow(2.0, x) + torch.addcdiv(x, w, w + 1, value=0.5) + torch.lerp(x, w, w), ROWS, ROWS),
    "bounds": (lambda x, w: x.clamp(w - 0.1, w + 0.1) + F.threshold(x, 0.9, 0.2) + x.clamp_min(0.8), ROWS, ROWS),
    "infinite": (lambda x, _: x.masked_fill(torch.isinf(x / (x - x)), 1.0) * 2 + x, ROWS),
    "narrow": (lambda x, _: x.narrow(2, 3, 4), ROWS),
    "select": (lambda x, _: x[:, -1], ROWS),
    "cat": (lambda x, _: torch.cat([x, 2 * x], 1), ROWS),
    "cat_empty": (lambda x, _: torch.cat([torch.tensor([]), x], -2) * 2, ROWS),
    "concat": (lambda x, _: torch.ops.aten.concat([x, 2 * x], 1), ROWS),
    "stack": (lambda x, _: torch.stack([x, 2 * x], 2), ROWS),
    "expand": (lambda x, w: x * w.expand(3, 8), ROWS, (3, 1)),
    "expand_as": (lambda x, w: w.expand_as(w.reshape(3, 1).expand(3, 8)) + x, ROWS, (3, 1)),
    "conv2d": (lambda x, f: f(x), IMAGE, None, lambda: nn.Conv2d(4, 6, **DIFFERENT_PADS)),
    "conv2d_groups": (lambda x, f: f(x), IMAGE, None, lambda: nn.Conv2d(4, 8, 3, groups=4, dilation=2, bias=False)),
    "conv2d_same": (lambda x, f: f(x), IMAGE, None, lambda: nn.Conv2d(4, 6, 3, padding="same")),
    "conv_transpose2d": (lambda x, f: f(x), IMAGE, None, lambda: nn.ConvTranspose2d(4, 6, 3, 2, 1, output_padding=1)),
    "linear": (lambda x, f: f(x), ROWS, None, lambda: nn.Linear(8, 5)),
    "matmul": (lambda x, w: x @ w, ROWS, (8, 5)),
    "matmul_lhs_transposed": (lambda x, _: x.mT @ x, ROWS),
    "mm": (lambda x, w: torch.mm(x, w.t()), (8,), (5, 8)),
    "bmm": (lambda x, _: torch.bmm(x, x.transpose(1, 2)), ROWS),
    "addmm": (lambda x, w: torch.addmm(w[0], x, w), (8,), (8, 8)),
    "batch_norm": (lambda x, f: f(x), IMAGE, None, lambda: nn.BatchNorm2d(4)),
    "batch_norm_plain": (lambda x, f: f(x), IMAGE, None, lambda: nn.BatchNorm2d(4, affine=False, track_running_stats=False)),
    "batch_norm_twice": (lambda x, f: f(2 * f(x) + 1), IMAGE, None, lambda: nn.BatchNorm2d(4, momentum=0.3)),
    "layer_norm": (lambda x, f: f(x), ROWS, None, lambda: nn.LayerNorm(8)),
    "layer_norm_plain": (lambda x, _: F.layer_norm(x, (8,)), ROWS),
    "max_pool2d": (lambda x, _: F.max_pool2d(x, 3, 2, 1), IMAGE),
    "avg_pool2d": (lambda x, _: F.avg_pool2d(x, 3, 2, 1) + F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), IMAGE),
    "adaptive_avg_pool2d": (lambda x, _: F.adaptive_avg_pool2d(x, (2, 3)), IMAGE),
    "embedding": (lambda x, f: x + f(torch.arange(3)), ROWS, None, lambda: nn.Embedding(5, 8)),
    "attention": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x, x + 1, is_causal=True), (2, 3, 4)),
    "attention_plain": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x[..., :2, :], x[..., :2, :3] + 1, scale=0.3), (2, 3, 4)),
    "attention_causal_booleans": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x, x + 1, torch.ones(3, 3).tril().bool()), (2, 3, 4)),
    "attention_booleans": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x, x + 1, torch.tensor([[True, False, True]])), (2, 3, 4)),
    "attention_computed_booleans": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x, x + 1, x[:, :1, :1, :3] > 0.1), (2, 3, 4)),
    "attention_bias": (lambda x, _: F.scaled_dot_product_attention(x, 2 * x, x + 1, torch.arange(9.0).reshape(3, 3).sin(), is_causal=False), (2, 3, 4)),
    "attention_learned_bias": (lambda x, w: F.scaled_dot_product_attention(x, 2 * x, x + 1, w), (2, 3, 4), (2, 3, 3)),
    "constant": (lambda x, _: x + torch.tensor([1.0, -2.0, 3.5]).reshape(3, 1), ROWS),
    "in_place_add": (lambda x, w: _add_in_place(x, w), ROWS, ROWS),
}


def _by_head(x):
    query, key, value = (p.view(x.shape[0], 3, 2, 4).transpose(1, 2) for p in x.split(8, 2))
    return (query @ key.transpose(-2, -1)).softmax(-1) @ value


def _add_in_place(x, w):
    y = x * 2
    z = y + 1
    y += w
    return y * z  # y is the new value, z was made of the old one


LOSSES = {
    "mse_loss": (F.mse_loss, lambda: torch.rand(BATCH, 3, 8)),
    "bce": (F.binary_cross_entropy_with_logits, lambda: torch.rand(BATCH, 3, 8)),
    "cross_entropy": (F.cross_entropy, lambda: torch.tensor([[1, 0, 2, -100, 1, 1, 0, 2]] * BATCH)),
    "cross_entropy_sum": (lambda x, y: F.cross_entropy(x, y, reduction="sum"), lambda: torch.tensor([[1, 0, 2, -100, 1, 1, 0, 2]] * BATCH)),
    "nll_loss": (lambda x, y: F.nll_loss(F.log_softmax(x, 1), y), lambda: torch.randint(3, (BATCH, 8))),
    "nll_loss_ignore": (lambda x, y: F.nll_loss(F.log_softmax(x[:, 0], 1), y, ignore_index=1), lambda: torch.tensor([1, 5])),
}


def check(model, loss, x, y):
    text = export_training_step(model, {"x": x}, {"y": y}, loss)
    program = mlir_interpreter.parse(text)
    parameters = {name: p.detach().clone().requires_grad_() for name, p in model.named_parameters()}
    states = {name: b.detach().clone() for name, b in model.named_buffers()}
    results = mlir_interpreter.evaluate(program, {**parameters, **states, "x": x, "y": y})
    expected = loss(model(x), y)
    torch.testing.assert_close(results[0], expected, rtol=1e-5, atol=1e-6)
    expected.backward()
    results[0].backward()
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(parameters[name].grad, parameter.grad, rtol=1e-4, atol=1e-5, msg=lambda m: f"{name}: {m}")
    buffers = dict(model.named_buffers())
    for result, value in zip(program.results[1:], results[1:]):
        torch.testing.assert_close(value, buffers[result.marks["memplan.name"]], rtol=1e-5, atol=1e-6)
    return program


def build_case(name):
    """(model, input, target of the shape of its output)"""
    torch.manual_seed(1)
    function, shape, other, layer = (*CASES[name], None, None)[:4]
    model = Apply(function, shape, other, layer() if layer else None)
    x = torch.rand(BATCH, *shape)
    with torch.no_grad():
        # A copy, since a forward pass already moves running statistics.
        target = torch.rand_like(copy.deepcopy(model)(x))
    return model, x, target


# A lowering that drops an attribute or swaps operands gives another value or gradient.
@pytest.mark.parametrize("name", CASES)
def test_operator(name):
    model, x, target = build_case(name)
    check(model, F.mse_loss, x, target)


@pytest.mark.parametrize("name", LOSSES)
def test_loss(name):
    loss, target = LOSSES[name]
    torch.manual_seed(1)
    check(Apply(lambda x, _: x, ROWS), loss, torch.rand(BATCH, *ROWS), target())


# Without this count a new lowering could come without a test.
def test_every_lowering_has_a_case():
    seen = {"aten.dropout.default", "aten.detach.default"}  # they have tests of their own below
    for name in CASES:
        model, x, target = build_case(name)
        seen |= operators_of(model, F.mse_loss, x, target)
    for loss, target in LOSSES.values():
        seen |= operators_of(Apply(lambda x, _: x, ROWS), loss, torch.rand(BATCH, *ROWS), target())
    assert sorted(set(_LOWERINGS) - seen) == []


def operators_of(model, loss, x, y) -> set:
    return {operator_name(n) for n in capture_step(model, {"x": x}, {"y": y}, loss, None).nodes}


def export_function(function, shape=ROWS, **settings):
    x = torch.rand(BATCH, *shape)
    return export_training_step(Apply(function, shape), {"x": x}, {"y": x}, lambda out, y: out.mean() + y.mean(), **settings)


# Each dropout of a step needs its own salt, else their masks would be equal.
def test_dropout_has_seed_and_salts():
    program = mlir_interpreter.parse(export_function(lambda x, _: F.dropout(F.dropout(x, 0.25), 0.5)))
    dropouts = [(op[2][1], op[3]) for op in program.ops if op[1] == "dropout"]
    assert dropouts == [("%dropout_seed", {"p": 0.25, "salt": 0}), ("%dropout_seed", {"p": 0.5, "salt": 1})]
    assert program.arguments[-1].marks["memplan.kind"] == "input"


def test_dropout_without_effect_vanishes():
    text = export_function(lambda x, _: F.dropout(F.dropout(x, 0.0), 0.5, training=False))
    assert "dropout" not in text


# The batch must not be baked in: the program of batch 7 is the one exported at batch 7.
def test_batch_is_a_number_of_the_program():
    function = lambda x, _: x.reshape(-1, 8).relu().reshape(x.shape[0], 24)  # noqa: E731
    text = export_function(function, batch=7)
    program = mlir_interpreter.parse(text)
    reshapes = [op[3]["shape"] for op in program.ops if op[1] == "reshape"]
    assert reshapes == [[-1, 8], [-1, 24]]
    assert program.arguments[-1].shape == (7, 3, 8)


# The heads come from one transpose and views, not from three copies of pieces and three transposes.
def test_split_heads_is_one_transpose():
    model, x, target = build_case("split_heads")
    ops = [(op[1], op[3]) for op in check(model, F.mse_loss, x, target).ops]
    assert [a for name, a in ops if name == "transpose"] == [{"perm": [2, 0, 3, 1, 4]}]
    assert [a for name, a in ops if name == "split"] == [{"dim": 0, "sizes": [1, 1, 1]}]
    assert ("matmul", {"transpose_rhs": True}) in ops


# The kernel has room for so many columns; wider heads write their scores out.
@pytest.mark.parametrize("columns, operation", [(1024, "attention"), (1025, "softmax")])
def test_wide_heads_write_their_scores_out(columns, operation):
    program = mlir_interpreter.parse(export_function(lambda x, _: F.scaled_dot_product_attention(x, x, x), (2, 3, columns)))
    assert {"attention", "softmax"} & {op[1] for op in program.ops} == {operation}


def test_optimizers():
    assert "memplan.optimizer = {lr = 0.01, name = \"sgd\"}" in export_function(lambda x, _: x)
    text = export_function(lambda x, _: x, optimizer_settings=optimizer("sgd", lr=0.1, momentum=0.9, nesterov=True))
    assert mlir_interpreter.parse(text).attributes["memplan.optimizer"] == {"name": "sgd", "lr": 0.1, "momentum": 0.9, "nesterov": True}
    assert optimizer("adamw", epsilon=1e-6, beta1=0.9) == {"name": "adamw", "lr": 0.001, "epsilon": 1e-6}
    with pytest.raises(ValueError, match="unknown optimizer 'adadelta', known are adafactor, adagrad, adam, adamw, lion, rmsprop, sgd"):
        optimizer("adadelta")
    with pytest.raises(ValueError, match="'adam' has no setting momentum"):
        optimizer("adam", momentum=0.9)
    assert optimizer("lion", max_norm=1) == {"name": "lion", "lr": 0.0001, "max_norm": 1.0}
    assert optimizer("adafactor", epsilon1=1e-6, epsilon2=1e-3) == {"name": "adafactor", "lr": 0.01, "epsilon1": 1e-6}
    with pytest.raises(ValueError, match="epsilon1 is 0.0, but must be above 0"):
        optimizer("adafactor", epsilon1=0.0)
    for limit in (0, -1.0, float("inf"), float("nan")):
        with pytest.raises(ValueError, match=f"max_norm is {limit}, but must be finite and above 0"):
            optimizer("sgd", max_norm=limit)
    with pytest.raises(ValueError, match="nesterov needs a momentum"):
        optimizer("sgd", nesterov=True)


# What cannot be exported is refused with the operator, the module and a remedy, never exported as something else.
@pytest.mark.parametrize("function, operator, reason", [
    (lambda x, _: x.cumsum(1), "aten.cumsum.default", "no counterpart.*lowering"),
    (lambda x, _: x.detach() * x, "aten.detach.default", "stops gradients"),
    (lambda x, _: x[:1].expand(x.shape), "aten.slice.Tensor", "part of the batch"),
    (lambda x, _: F.max_pool2d(x[:, None], 2, ceil_mode=True), "aten.max_pool2d.default", "ceil_mode"),
    (lambda x, _: x.to(torch.float64), "aten.to.dtype", "element type"),
    (lambda x, _: x / x.shape[0], "aten.div.Tensor", "operand"),
])
def test_refusals(function, operator, reason):
    with pytest.raises(UnsupportedOperatorError, match=reason) as error:
        export_function(function)
    assert error.value.operator.startswith(operator)
    assert "test_export_operators.py" in str(error.value)


def test_refusal_names_the_module():
    model = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.LogSoftmax(-1)))
    with pytest.raises(UnsupportedOperatorError, match="operator aten.log_softmax.int in module '1.0"):
        export_training_step(model, {"x": torch.rand(2, 4)}, {"y": torch.rand(2, 4)}, F.mse_loss)


@pytest.mark.parametrize("change, message", [
    (lambda a: a.update(model=nn.Linear(4, 4).eval()), "evaluation mode"),
    (lambda a: a.update(targets={"y": torch.rand(3, 4)}), "disagree on the batch"),
    (lambda a: a.update(targets={"x": torch.rand(2, 4)}), "same name"),
    (lambda a: a.update(loss=lambda out, y: out), "must be a scalar"),
    (lambda a: a.update(model=nn.Linear(4, 4).double()), "torch.export|element type"),
])
def test_bad_arguments(change, message):
    arguments = {"model": nn.Linear(4, 4), "inputs": {"x": torch.rand(2, 4)}, "targets": {"y": torch.rand(2, 4)}, "loss": F.mse_loss}
    change(arguments)
    with pytest.raises(ExportError, match=message):
        export_training_step(**arguments)


class Scaled(nn.Module):
    """Parameters that are computed of fills, or filled by no code that is known."""

    def __init__(self):
        super().__init__()
        self.small = nn.Parameter(1e-3 * torch.ones(8))
        self.cut = nn.Parameter(nn.init.trunc_normal_(torch.empty(64, 64), std=0.1, a=-0.1, b=0.1))
        self.odd = nn.Parameter(torch.linspace(0, 1, 8))
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        return self.linear(x * self.small + self.odd) * self.cut.mean()


# A layer scale that started at 1, or a table that started at random, would train another model.
@pytest.mark.parametrize("device", ["meta", "cpu"])
def test_initialisers_of_computed_values(device):
    with record_initializers() as record, torch.device(device):
        model = Scaled()
    with pytest.warns(UserWarning, match="'odd' among them") if device == "meta" else contextlib.nullcontext():
        text = export_training_step(model, {"x": torch.rand(2, 8)}, {"y": torch.rand(2, 8)}, F.mse_loss, record=record)
    marks = {a.marks["memplan.name"]: a.marks.get("memplan.init") for a in mlir_interpreter.parse(text).arguments}
    assert marks["small"] == "constant:0.001"
    kind, number = marks["cut"].split(":")
    # The deviation of a normal distribution that is cut at one deviation.
    assert kind == "normal" and float(number) == pytest.approx(0.054, rel=0.03)
    assert marks["odd"].startswith("normal:")
    assert marks["linear.weight"].startswith("uniform:")


# Without a record the module's own code is asked, not guessed for.
def test_initialisers_of_reset_parameters():
    text = export_training_step(nn.Linear(4, 4, device="meta"), {"x": torch.rand(2, 4)}, {"y": torch.rand(2, 4)}, F.mse_loss)
    assert 'memplan.init = "uniform:0.5"' in text


# Users can add what is missing.
def test_own_lowering(monkeypatch):
    monkeypatch.setitem(_LOWERINGS, "aten.elu.default", None)

    @lowering("aten.elu.default")
    def _elu(lower, node, value, *_):
        return lower.emit("silu", [value])

    assert "memplan.silu" in export_function(lambda x, _: F.elu(x))
