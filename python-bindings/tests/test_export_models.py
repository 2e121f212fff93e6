"""The stored examples say what the modules compute."""

import math

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

import export_examples  # noqa: E402
import mlir_interpreter  # noqa: E402

SMALL = [e for e in export_examples.EXAMPLES if e.path.startswith("small/")]


def make_data(example, generator) -> dict:
    """Random inputs and targets of an example."""
    program = mlir_interpreter.parse((export_examples.ROOT / "examples" / example.path).read_text())
    high = {a.marks["memplan.name"]: a.marks.get("memplan.high") for a in program.arguments}
    data = {}
    for name, (shape, dtype) in {**example.inputs, **example.targets}.items():
        shape = (example.batch, *shape)
        if dtype == torch.int64:
            data[name] = torch.randint(high[name], shape, generator=generator)
        else:
            data[name] = torch.rand(shape, generator=generator, dtype=torch.float64)
    return data


def masked_dropouts(monkeypatch, seed):
    """Makes torch's dropout and the interpreter's compute the same; both meet the dropouts in one order."""
    masks = {}

    def dropout(value, p, salt):
        if salt not in masks:
            generator = torch.Generator().manual_seed(seed + salt)
            masks[salt] = (torch.rand(value.shape, generator=generator) >= p) / (1 - p)
        return value * masks[salt]

    calls = iter(range(1000))
    monkeypatch.setattr(torch.nn.functional, "dropout", lambda x, p=0.5, training=True, inplace=False: dropout(x, p, next(calls)))
    return dropout


# A wrong attribute, operand order or update in the text would show as another loss, gradient or running statistic.
@pytest.mark.parametrize("example", SMALL, ids=lambda e: e.name)
def test_text_computes_what_the_module_computes(example, monkeypatch):
    torch.manual_seed(7)
    model = example.build().train().double()
    data = make_data(example, torch.Generator().manual_seed(11))
    program = mlir_interpreter.parse((export_examples.ROOT / "examples" / example.path).read_text())
    parameters = {name: p.detach().clone().requires_grad_() for name, p in model.named_parameters()}
    states = {name: b.detach().clone() for name, b in model.named_buffers()}
    dropout = masked_dropouts(monkeypatch, 5)

    results = mlir_interpreter.evaluate(program, {**parameters, **states, **data, "dropout_seed": torch.zeros(1, dtype=torch.int64)}, dropout)
    results[0].backward()
    loss = example.loss(model(*[data[n] for n in example.inputs]), *[data[n] for n in example.targets])
    loss.backward()

    torch.testing.assert_close(results[0], loss, rtol=1e-12, atol=0)
    for name, parameter in model.named_parameters():
        scale = parameter.grad.abs().max().item()
        assert scale > 0, f"{name} takes no part in the loss, so this test would say nothing of it"
        torch.testing.assert_close(parameters[name].grad, parameter.grad, rtol=0, atol=1e-9 * max(scale, 1e-6), msg=lambda m: f"{name}: {m}")
    buffers = dict(model.named_buffers())
    updated = {r.marks["memplan.name"]: value for r, value in zip(program.results, results) if "memplan.updates" in r.marks}
    assert set(updated) == {name for name in buffers if "running" in name}
    for name, value in updated.items():
        torch.testing.assert_close(value, buffers[name], rtol=1e-12, atol=1e-12, msg=lambda m: f"{name}: {m}")


# A stored file that the script no longer writes would be a claim that nobody can check.
@pytest.mark.parametrize("example", export_examples.EXAMPLES, ids=lambda e: e.name)
def test_export_gives_the_stored_bytes(example):
    assert example.text() == (export_examples.ROOT / "examples" / example.path).read_text()


# Everything below reads markers: a missing one would leave the runtime without data or without an initial value.
@pytest.mark.parametrize("example", export_examples.EXAMPLES, ids=lambda e: e.name)
def test_markers(example):
    program = mlir_interpreter.parse((export_examples.ROOT / "examples" / example.path).read_text())
    with torch.device("meta"):
        model = example.build()
    names = [a.marks["memplan.name"] for a in program.arguments if a.marks["memplan.kind"] == "parameter"]
    assert names == [name for name, _ in model.named_parameters()]
    for argument in program.arguments:
        marks = argument.marks
        if marks["memplan.kind"] == "input":
            assert marks["memplan.name"] == "dropout_seed" or argument.shape[marks["memplan.batch"]] == example.batch
            assert ("memplan.high" in marks) == (argument.dtype == torch.int64)
        else:
            assert marks["memplan.init"]
    for position, result in enumerate(program.results):
        if position == 0:
            assert result.marks["memplan.kind"] == "loss" and result.shape == ()
        else:
            assert program.arguments[result.marks["memplan.updates"]].marks["memplan.name"] == result.marks["memplan.name"]
    assert program.attributes["memplan.optimizer"]["name"] == "sgd"


# The initialisers stand for torch's own schemes: the same spread, parameter by parameter.
@pytest.mark.parametrize("example", [e for e in SMALL if e.name != "small/mlp"], ids=lambda e: e.name)
def test_initialisers_have_the_deviation_of_the_module(example):
    torch.manual_seed(3)
    model = example.build()
    program = mlir_interpreter.parse((export_examples.ROOT / "examples" / example.path).read_text())
    values = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    checked = 0
    for argument in program.arguments:
        kind, _, number = argument.marks.get("memplan.init", "").partition(":")
        value = values.get(argument.marks["memplan.name"])
        if kind in ("zeros", "ones"):
            assert (value == float(kind == "ones")).all(), argument
        elif kind and value.numel() >= 512:
            expected = float(number) if kind == "normal" else float(number) / math.sqrt(3)
            assert value.std().item() == pytest.approx(expected, rel=0.15), argument
            checked += 1
    assert checked
