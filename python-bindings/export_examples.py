#!/usr/bin/env python3
"""Writes examples/*.mlir and examples/small/*.mlir from the PyTorch modules.

    python3 python-bindings/export_examples.py [--quiet] [--output DIR] [NAME ...]

Needs PyTorch (utils/install-torch.sh). Without names all examples are written. The text depends on nothing but the
modules, so that a second run gives the same bytes.
"""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
import sys
from typing import Callable

import torch
import torchvision
from torch import nn
from torch.nn import functional as F

# Behind a package that was built or installed, which has its modules beside it.
sys.path.append(str(pathlib.Path(__file__).resolve().parent))

from memplan import models  # noqa: E402
from memplan.export import export_training_step, optimizer, record_initializers  # noqa: E402
from memplan.terminal import ProgressLine, unbroken  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]


@dataclasses.dataclass(frozen=True)
class Example:
    """One file of examples/. build makes the module; image or tokens say what data it takes."""

    path: str
    title: str
    build: Callable[[], nn.Module]
    loss: Callable
    inputs: dict  # name -> (shape without the batch, dtype)
    targets: dict
    batch: int
    optimizer: dict = dataclasses.field(default_factory=optimizer)

    @property
    def name(self) -> str:
        return self.path.removesuffix(".mlir")

    def tensors(self, data: dict, device: str = "meta") -> dict:
        return {name: torch.zeros((self.batch, *shape), dtype=dtype, device=device) for name, (shape, dtype) in data.items()}

    def text(self, progress=None) -> str:
        with record_initializers() as record, torch.device("meta"):
            model = self.build().train()
        count = sum(p.numel() for p in model.parameters())
        header = (f"One training step of {self.title}, batch {self.batch}: forward pass and loss.\n"
                  f"{count} parameters ({4 * count} bytes). Written by python-bindings/export_examples.py {self.name}")
        return export_training_step(model, self.tensors(self.inputs), self.tensors(self.targets), self.loss, record=record,
                                    optimizer_settings=self.optimizer, header=header, progress=progress)


def _small_resnet():
    """ResNet-50's stem, bottlenecks and head with one block per stage and an eighth of the channels."""

    class Narrow(torchvision.models.ResNet):

        def _make_layer(self, block, planes, *args, **kwargs):
            return super()._make_layer(block, planes // 8, *args, **kwargs)

    model = Narrow(torchvision.models.resnet.Bottleneck, [1, 1, 1, 1], num_classes=10)
    model.fc = nn.Linear(512 // 8 * 4, 10)
    return model


def _small_vgg():
    """VGG's blocks with two convolutions at the deepest level and a narrow classifier."""
    features = torchvision.models.vgg.make_layers([8, "M", 16, "M", 32, 32, "M"])
    model = torchvision.models.VGG(features, num_classes=10, init_weights=False)
    model.avgpool = nn.AdaptiveAvgPool2d((2, 2))
    model.classifier = nn.Sequential(nn.Linear(32 * 4, 64), nn.ReLU(True), nn.Dropout(), nn.Linear(64, 64), nn.ReLU(True),
                                     nn.Dropout(), nn.Linear(64, 10))
    return model


def _small_mobilenet():
    settings = [[1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 1, 2]]
    return torchvision.models.MobileNetV2(num_classes=10, width_mult=0.5, inverted_residual_setting=settings)


def _images(size, name="image"):
    return {name: ((3, *size), torch.float32)}


_LABEL = {"label": ((), torch.int64)}
_SGD_SMALL = optimizer("sgd", lr=0.05)


def _tokens(length):
    return {"tokens": ((length,), torch.int64)}, {"next_tokens": ((length,), torch.int64)}


def _example(path, title, build, size, batch, **more):
    return Example(path, title, build, F.cross_entropy, _images(size), _LABEL, batch, **more)


EXAMPLES = [
    _example("resnet50.mlir", "torchvision's ResNet-50", torchvision.models.resnet50, (224, 224), 32),
    _example("vgg16.mlir", "torchvision's VGG-16", torchvision.models.vgg16, (224, 224), 32),
    _example("mobilenet_v2.mlir", "torchvision's MobileNet-v2", torchvision.models.mobilenet_v2, (224, 224), 32),
    Example("unet.mlir", "a U-Net (64 to 1024 channels)", models.UNet, F.binary_cross_entropy_with_logits, _images((416, 608)),
            {"mask": ((1, 416, 608), torch.float32)}, 1),
    Example("gpt2.mlir", "GPT-2 small, attention written out", models.GPT2, models.next_token_loss, *_tokens(1024), 4),
    Example("small/mlp.mlir", "a multilayer perceptron", lambda: models.MLP(32, 64, 64, 10), F.cross_entropy,
            {"features": ((32,), torch.float32)}, _LABEL, 16, _SGD_SMALL),
    _example("small/residual.mlir", "a small residual network", models.SmallResidualNet, (16, 16), 4, optimizer=_SGD_SMALL),
    _example("small/resnet.mlir", "a narrow ResNet of four bottlenecks", _small_resnet, (32, 32), 4, optimizer=_SGD_SMALL),
    _example("small/vgg.mlir", "a small VGG", _small_vgg, (16, 16), 4, optimizer=_SGD_SMALL),
    _example("small/mobilenet.mlir", "a small MobileNet-v2", _small_mobilenet, (32, 32), 4, optimizer=_SGD_SMALL),
    Example("small/unet.mlir", "a U-Net of two levels", lambda: models.UNet(width=8, depth=2), F.binary_cross_entropy_with_logits,
            _images((16, 24)), {"mask": ((1, 16, 24), torch.float32)}, 2, _SGD_SMALL),
    Example("small/gpt2.mlir", "a GPT-2 of two layers", lambda: models.GPT2(vocabulary=61, width=32, layers=2, heads=2, length=16),
            models.next_token_loss, *_tokens(16), 2, _SGD_SMALL),
]


# Written when asked for only: they are large.
ON_DEMAND = [
    _example("densenet121.mlir", "torchvision's DenseNet-121", torchvision.models.densenet121, (224, 224), 1),
]


def main() -> int:
    parser = argparse.ArgumentParser(description="write the example programs")
    parser.add_argument("names", nargs="*", metavar="NAME", help="e.g. resnet50 or small/mlp, or densenet121, which is not among the examples; default: all examples")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "examples", help="folder to write to")
    parser.add_argument("--quiet", action="store_true", help="say neither progress nor what was written")
    arguments = parser.parse_args()
    known = {example.name: example for example in EXAMPLES + ON_DEMAND}
    unknown = sorted(set(arguments.names) - set(known))
    if unknown:
        parser.error(f"no example {', '.join(unknown)}; there are {', '.join(known)}")
    names, written = arguments.names or [example.name for example in EXAMPLES], 0
    try:
        with ProgressLine("export", arguments.quiet) as line:
            for name in names:
                line.count(written, len(names))
                text = known[name].text(lambda what, name=name: line.say(f"{name}: {what}"))
                path = arguments.output / known[name].path
                path.parent.mkdir(parents=True, exist_ok=True)
                with unbroken():  # What is written is counted, and its name is printed.
                    path.write_text(text)
                    written += 1
                    if not arguments.quiet:
                        line.print(path)
    except KeyboardInterrupt:
        print(f"stopped by Ctrl-C; {written} of {len(names)} programs are written", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
