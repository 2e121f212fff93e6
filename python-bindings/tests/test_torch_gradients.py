"""One training step on memplan's CPU backend against the same step in PyTorch: the loss and the gradient of every parameter."""

import dataclasses
import re
import subprocess

import numpy as np
import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from safetensors.torch import load_file, save_file  # noqa: E402

import export_examples  # noqa: E402
import mlir_interpreter  # noqa: E402
import philox  # noqa: E402
from memplan.export import optimizer  # noqa: E402

SMALL = {e.name.removeprefix("small/"): e for e in export_examples.EXAMPLES if e.path.startswith("small/")}
# Single precision, summed in another order: relative to the largest element of a gradient.
TOLERANCE = 5e-4
SEED = 20240229


@dataclasses.dataclass
class Step:
    """What one step starts from, and PyTorch's answer to it in double precision."""

    parameters: dict
    states: dict
    data: dict
    loss: float
    gradients: dict
    new_parameters: dict
    new_states: dict


def torch_step(example, monkeypatch, make_optimizer) -> Step:
    torch.manual_seed(7)
    model = example.build().train()
    program = mlir_interpreter.parse((export_examples.ROOT / "examples" / example.path).read_text())
    high = {a.marks["memplan.name"]: a.marks.get("memplan.high") for a in program.arguments}
    generator = torch.Generator().manual_seed(11)
    data = {}
    for name, (shape, dtype) in {**example.inputs, **example.targets}.items():
        shape = (example.batch, *shape)
        data[name] = torch.randint(high[name], shape, generator=generator) if dtype == torch.int64 else torch.rand(shape, generator=generator)
    parameters = {name: p.detach().clone() for name, p in model.named_parameters()}
    states = {name: b.detach().clone() for name, b in model.named_buffers() if b.is_floating_point()}

    model.double()
    salts = iter(range(100))

    def dropout(value, p=0.5, training=True, inplace=False):
        return value * torch.from_numpy(philox.dropout_mask(tuple(value.shape), p, SEED, next(salts)))

    monkeypatch.setattr(torch.nn.functional, "dropout", dropout)
    exact = {name: t.double() if t.is_floating_point() else t for name, t in data.items()}
    update = make_optimizer(model.parameters())
    loss = example.loss(model(*[exact[n] for n in example.inputs]), *[exact[n] for n in example.targets])
    loss.backward()
    update.step()
    if any(a.marks["memplan.name"] == "dropout_seed" for a in program.arguments):
        data["dropout_seed"] = torch.tensor([SEED])
    return Step(parameters, states, data, loss.item(), {n: p.grad for n, p in model.named_parameters()},
                {n: p.detach() for n, p in model.named_parameters()},
                {n: b for n, b in model.named_buffers() if b.is_floating_point()})


def memplan_step(memplan_run, program, step: Step, folder, *flags):
    """(loss, parameters and states after one step)"""
    params, saved = folder / "params.safetensors", folder / "saved.safetensors"
    save_file({n: t.contiguous() for n, t in {**step.parameters, **step.states}.items()}, params)
    data = []
    for name, tensor in step.data.items():
        np.save(folder / f"{name}.npy", tensor.numpy())
        data.append(f"--data={name}={folder / name}.npy")
    done = subprocess.run([memplan_run, str(program), "--steps=1", f"--params={params}", *data, f"--save-params={saved}", *flags],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    losses = re.findall(r"^step \d+: loss = (\S+)", done.stdout, re.MULTILINE)
    assert len(losses) == 1, done.stdout
    return float(losses[0]), load_file(saved)


def compare(step: Step, loss: float, saved: dict, rate: float):
    assert loss == pytest.approx(step.loss, rel=1e-5)
    largest = max(g.abs().max().item() for g in step.gradients.values())
    for name, gradient in step.gradients.items():
        before = step.parameters[name].double()
        measured = (before - saved[name].double()) / rate
        # The stored parameter is rounded to single precision, which the division by the rate magnifies.
        rounding = 2**-23 * before.abs().max().item() / rate
        # A bias in front of a batch norm has the gradient zero; what is computed for it is rounding of larger terms.
        allowed = TOLERANCE * gradient.abs().max().item() + 1e-6 * largest + rounding
        error = (measured - gradient).abs().max().item()
        assert error <= allowed, f"gradient of {name}: off by {error:.3e}, largest element {gradient.abs().max().item():.3e}"
    for name, value in step.new_states.items():
        np.testing.assert_allclose(saved[name].numpy(), value.numpy(), rtol=1e-4, atol=1e-5, err_msg=name)


# A wrong gradient rule, kernel or accumulation of several uses moves some parameter to another place.
@pytest.mark.parametrize("backend", ["cpu", "reference"])
@pytest.mark.parametrize("name", SMALL)
def test_sgd_step(name, backend, tool, tmp_path, monkeypatch):
    example = SMALL[name]
    rate = example.optimizer["lr"]
    step = torch_step(example, monkeypatch, lambda parameters: torch.optim.SGD(parameters, lr=rate))
    loss, saved = memplan_step(tool("memplan-run"), export_examples.ROOT / "examples" / example.path, step, tmp_path,
                               f"--backend={backend}")
    compare(step, loss, saved, rate)


OPTIMIZERS = {
    "momentum": (optimizer("sgd", lr=0.05, momentum=0.9, weight_decay=0.01), torch.optim.SGD,
                 dict(lr=0.05, momentum=0.9, weight_decay=0.01)),
    "nesterov": (optimizer("sgd", lr=0.05, momentum=0.9, nesterov=True), torch.optim.SGD, dict(lr=0.05, momentum=0.9, nesterov=True)),
    "adam": (optimizer("adam", lr=0.01), torch.optim.Adam, dict(lr=0.01)),
    "adamw": (optimizer("adamw", lr=0.01, weight_decay=0.1), torch.optim.AdamW, dict(lr=0.01, weight_decay=0.1)),
}


# Three steps, each resumed from what the last one saved, so that optimizer state travels through the file.
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_other_optimizers(name, tool, tmp_path, monkeypatch):
    settings, make, arguments = OPTIMIZERS[name]
    example = dataclasses.replace(SMALL["mlp"], optimizer=settings)
    program = tmp_path / "mlp.mlir"
    program.write_text(example.text())
    step = torch_step(example, monkeypatch, lambda parameters: torch.optim.SGD(parameters, lr=0))
    torch.manual_seed(7)
    model = example.build().train().double()
    update = make(model.parameters(), **arguments)
    inputs = [step.data[n].double() for n in example.inputs]
    for _ in range(3):
        update.zero_grad()
        expected = example.loss(model(*inputs), *[step.data[n] for n in example.targets])
        expected.backward()
        update.step()
        loss, saved = memplan_step(tool("memplan-run"), program, step, tmp_path)
        step.parameters, step.states = saved, {}
        assert loss == pytest.approx(expected.item(), rel=1e-5)
    for parameter, value in model.named_parameters():
        np.testing.assert_allclose(saved[parameter].numpy(), value.detach().numpy(), rtol=1e-4, atol=1e-5, err_msg=parameter)
