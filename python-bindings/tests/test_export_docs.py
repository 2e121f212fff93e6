"""The code in docs/Export.md does what the page says."""

import pathlib
import re
import sys
import types

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

import mlir_interpreter  # noqa: E402
from memplan.export import export_training_step  # noqa: E402
from memplan.export.lower import _LOWERINGS  # noqa: E402

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "Export.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_example_of_the_page():
    names = {}
    exec(BLOCKS[0], names)
    program = mlir_interpreter.parse(names["text"])
    assert program.arguments[0].marks["memplan.name"] == "conv1.weight"
    assert program.arguments[-1].shape == (32,)
    assert program.attributes["memplan.optimizer"] == {"name": "sgd", "lr": 0.1, "momentum": 0.9}


class LanguageModel(torch.nn.Module):
    """What a model of transformers looks like from outside; the library itself is not needed."""

    def __init__(self, config):
        super().__init__()
        self.embedding = torch.nn.Embedding(8, config.n_layer)
        self.head = torch.nn.Linear(config.n_layer, 8)

    def forward(self, input_ids=None, attention_mask=None, labels=None):
        logits = self.head(self.embedding(input_ids))
        return types.SimpleNamespace(loss=torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten()), logits=logits)


def test_model_with_its_own_loss_of_the_page(monkeypatch):
    library = types.SimpleNamespace(GPT2Config=types.SimpleNamespace, GPT2LMHeadModel=LanguageModel)
    monkeypatch.setitem(sys.modules, "transformers", library)
    names = {"ids": torch.randint(8, (2, 5))}
    exec(BLOCKS[1], names)
    assert "memplan.opaque" not in names["text"]
    assert {"input_ids", "labels", "head.weight"} <= {argument.marks.get("memplan.name") for argument in mlir_interpreter.parse(names["text"]).arguments}


def test_joint_road_of_the_page(capsys):
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(12, 4))
    exec(BLOCKS[2], {"torch": torch, "model": model, "images": torch.rand(2, 3, 2, 2), "labels": torch.tensor([1, 3]), "record": None})
    assert "'opaque': 0" in capsys.readouterr().out


def test_own_lowering_of_the_page(monkeypatch):
    # The page's decorator enters the table; what was there before comes back after the test.
    monkeypatch.setitem(_LOWERINGS, "aten.hardswish.default", None)
    exec(BLOCKS[3], {})
    model, x, y = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Hardswish()), 6 * torch.randn(8, 4), torch.randn(8, 4)
    text = export_training_step(model, {"x": x}, {"y": y}, torch.nn.functional.mse_loss)
    loss, = mlir_interpreter.evaluate(mlir_interpreter.parse(text), {**dict(model.named_parameters()), "x": x, "y": y})
    torch.testing.assert_close(loss, torch.nn.functional.mse_loss(model(x), y))
    assert len(BLOCKS) == 4
