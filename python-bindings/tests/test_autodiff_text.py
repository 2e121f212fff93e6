"""What memplan-autodiff writes means the gradients that PyTorch computes, in double precision and without any kernel of memplan."""

import dataclasses
import subprocess

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

import export_examples  # noqa: E402
import mlir_backward  # noqa: E402
from memplan.export import optimizer  # noqa: E402
from test_export_models import SMALL, make_data, masked_dropouts  # noqa: E402

class Lion(torch.optim.Optimizer):
    """Algorithm 2 of Chen et al., "Symbolic Discovery of Optimization Algorithms", 2023, which PyTorch lacks."""

    def __init__(self, parameters, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(parameters, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            (beta1, beta2), rate, decay = group["betas"], group["lr"], group["weight_decay"]
            for parameter in group["params"]:
                mean = self.state[parameter].setdefault("exp_avg", torch.zeros_like(parameter))
                update = (beta1 * mean + (1 - beta1) * parameter.grad).sign()
                parameter -= rate * (update + decay * parameter)
                mean.copy_(beta2 * mean + (1 - beta2) * parameter.grad)


OPTIMIZERS = {
    "sgd": (optimizer("sgd", lr=0.05, weight_decay=0.02), lambda p: torch.optim.SGD(p, lr=0.05, weight_decay=0.02)),
    "momentum": (optimizer("sgd", lr=0.05, momentum=0.9), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
    "nesterov": (optimizer("sgd", lr=0.05, momentum=0.9, nesterov=True),
                 lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, nesterov=True)),
    "adam": (optimizer("adam", weight_decay=0.01), lambda p: torch.optim.Adam(p, weight_decay=0.01)),
    "adamw": (optimizer("adamw", weight_decay=0.1), lambda p: torch.optim.AdamW(p, weight_decay=0.1)),
    "rmsprop": (optimizer("rmsprop", alpha=0.9, weight_decay=0.02), lambda p: torch.optim.RMSprop(p, alpha=0.9, weight_decay=0.02)),
    "rmsprop_momentum": (optimizer("rmsprop", lr=0.02, momentum=0.9, epsilon=1e-3), lambda p: torch.optim.RMSprop(p, lr=0.02, momentum=0.9, eps=1e-3)),
    "adagrad": (optimizer("adagrad", weight_decay=0.02), lambda p: torch.optim.Adagrad(p, weight_decay=0.02)),
    "adafactor": (optimizer("adafactor", lr=0.05, weight_decay=0.1), lambda p: torch.optim.Adafactor(p, lr=0.05, eps=(2.0**-23, 1e-3), weight_decay=0.1)),
    "adafactor_settings": (optimizer("adafactor", lr=0.5, beta2_decay=-0.5, epsilon1=0.01, epsilon2=0.3, clip_threshold=1.5),
                           lambda p: torch.optim.Adafactor(p, lr=0.5, beta2_decay=-0.5, eps=(0.01, 0.3), d=1.5)),
    "lion": (optimizer("lion", lr=0.01, weight_decay=0.1), lambda p: Lion(p, lr=0.01, weight_decay=0.1)),
}


def differentiate(tool, path) -> mlir_backward.mlir_interpreter.Program:
    done = subprocess.run([tool("memplan-opt"), str(path), "--memplan-autodiff"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return mlir_backward.parse(done.stdout)


def advance(program, values: dict, dropout=None) -> float:
    """Evaluates one step, puts the new versions into `values` and returns the loss."""
    results = mlir_backward.evaluate(program, values, dropout)
    for result, value in zip(program.results, results):
        if "memplan.updates" in result.marks:
            values[program.arguments[result.marks["memplan.updates"]].marks["memplan.name"]] = value
    return next(v.item() for r, v in zip(program.results, results) if r.marks.get("memplan.kind") == "loss")


def first_values(program, model, data) -> dict:
    """What the arguments hold before the first step; state of the optimizer is zero."""
    values = {name: p.detach().clone() for name, p in model.named_parameters()}
    values |= {name: b.detach().clone() for name, b in model.named_buffers()} | data
    values["dropout_seed"] = torch.zeros(1, dtype=torch.int64)
    for argument in program.arguments:
        dtype = torch.float64 if argument.dtype == torch.float32 else argument.dtype
        values.setdefault(argument.marks["memplan.name"], torch.zeros(argument.shape, dtype=dtype))
    return values


# A wrong rule, a forgotten use of a value or a wrong order of updates moves some parameter to another place.
@pytest.mark.parametrize("example", SMALL, ids=lambda e: e.name)
def test_gradients_of_the_models(example, tool, monkeypatch):
    torch.manual_seed(7)
    model = example.build().train().double()
    data = make_data(example, torch.Generator().manual_seed(11))
    program = differentiate(tool, export_examples.ROOT / "examples" / example.path)
    values = first_values(program, model, data)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    rate = example.optimizer["lr"]
    loss = advance(program, values, masked_dropouts(monkeypatch, 5))

    expected = example.loss(model(*[data[n] for n in example.inputs]), *[data[n] for n in example.targets])
    expected.backward()
    assert loss == pytest.approx(expected.item(), rel=1e-12)
    for name, parameter in model.named_parameters():
        gradient = (before[name] - values[name]) / rate
        scale = max(parameter.grad.abs().max().item(), 1e-6)
        torch.testing.assert_close(gradient, parameter.grad, rtol=0, atol=1e-8 * scale, msg=lambda m: f"{name}: {m}")
    for name, buffer in model.named_buffers():
        if buffer.is_floating_point():
            torch.testing.assert_close(values[name], buffer, rtol=1e-12, atol=1e-12, msg=lambda m: f"{name}: {m}")


# Gradients of a norm below the limit stay as they are, and larger ones are scaled.
@pytest.mark.parametrize("factor", [0.4, 2.5])
@pytest.mark.parametrize("name", ["sgd", "adamw"])
def test_clipping_by_norm(name, factor, tool, tmp_path):
    rate = {"sgd": 0.05, "adamw": 0.01}[name]
    example = next(e for e in SMALL if e.name == "small/mlp")
    torch.manual_seed(7)
    model = example.build().train().double()
    data = make_data(example, torch.Generator().manual_seed(11))
    example.loss(model(*[data[n] for n in example.inputs]), *[data[n] for n in example.targets]).backward()
    limit = factor * torch.nn.utils.get_total_norm([p.grad for p in model.parameters()]).item()
    path = tmp_path / "mlp.mlir"
    path.write_text(dataclasses.replace(example, optimizer=optimizer(name, lr=rate, max_norm=limit)).text())
    program = differentiate(tool, path)
    values, clipped = first_values(program, model, data), 0
    update = {"sgd": torch.optim.SGD, "adamw": torch.optim.AdamW}[name](model.parameters(), lr=rate)
    for _ in range(3):
        update.zero_grad()
        advance(program, values)
        example.loss(model(*[data[n] for n in example.inputs]), *[data[n] for n in example.targets]).backward()
        clipped += torch.nn.utils.clip_grad_norm_(model.parameters(), limit) > limit
        update.step()
    assert clipped == (3 if factor < 1 else 0)
    for key, parameter in model.named_parameters():
        torch.testing.assert_close(values[key], parameter, rtol=1e-10, atol=1e-12, msg=lambda m: f"{key}: {m}")


# Three steps, since the first one does not show what momentum and the moments of Adam remember.
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name, tool, tmp_path):
    settings, make = OPTIMIZERS[name]
    example = dataclasses.replace(next(e for e in SMALL if e.name == "small/mlp"), optimizer=settings)
    path = tmp_path / "mlp.mlir"
    path.write_text(example.text())
    torch.manual_seed(7)
    model = example.build().train().double()
    data = make_data(example, torch.Generator().manual_seed(11))
    program = differentiate(tool, path)
    values = first_values(program, model, data)
    update = make(model.parameters())
    for _ in range(3):
        loss = advance(program, values)
        update.zero_grad()
        expected = example.loss(model(data["features"]), data["label"])
        expected.backward()
        update.step()
        assert loss == pytest.approx(expected.item(), rel=1e-12)
    for parameter, value in model.named_parameters():
        torch.testing.assert_close(values[parameter], value.detach(), rtol=1e-10, atol=1e-10, msg=lambda m: f"{parameter}: {m}")
