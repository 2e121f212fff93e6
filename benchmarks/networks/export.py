#!/usr/bin/env python3
"""Writes the networks of Checkmate's second experiment that examples/ lacks, as programs for memplan-opt.

    benchmarks/networks/export.py [--output FOLDER] [NAME ...]

Needs PyTorch and torchvision (utils/install-torch.sh); the programs are stored, so that benchmarks do without. Networks
for pictures of 416 x 608 end in one channel with a binary loss; upsampling is by transposed convolutions.
"""
import argparse
import pathlib
import sys

import torch
import torchvision
from torch import nn
from torch.nn import functional as F

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "python-bindings"))
from memplan.export import export_training_step, optimizer, record_initializers  # noqa: E402

TRUNK = [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)]  # of VGG-16: channels and convolutions a level
SMALL, LARGE = (224, 224), (416, 608)


def convolutions(inputs, outputs, count, norm):
    layers = []
    for _ in range(count):
        layers.append(nn.Conv2d(inputs, outputs, 3, padding=1, bias=not norm))
        layers += [nn.BatchNorm2d(outputs)] if norm else []
        layers.append(nn.ReLU())
        inputs = outputs
    return nn.Sequential(*layers)


class FCN8(nn.Module):
    """Long et al., CVPR 2015: VGG-16's trunk, a classifier of convolutions, and two skips into the upsampling."""

    def __init__(self, width=4096):
        super().__init__()
        inputs = [3] + [channels for channels, _ in TRUNK]
        self.levels = nn.ModuleList(convolutions(i, c, n, False) for i, (c, n) in zip(inputs, TRUNK))
        self.head = nn.Sequential(nn.Conv2d(512, width, 7, padding=3), nn.ReLU(), nn.Dropout(), nn.Conv2d(width, width, 1),
                                  nn.ReLU(), nn.Dropout(), nn.Conv2d(width, 1, 1))
        self.score4, self.score3 = nn.Conv2d(512, 1, 1), nn.Conv2d(256, 1, 1)
        self.up2, self.up4 = (nn.ConvTranspose2d(1, 1, 4, stride=2, padding=1) for _ in range(2))
        self.up8 = nn.ConvTranspose2d(1, 1, 16, stride=8, padding=4)

    def forward(self, x):
        pooled = []
        for level in self.levels:
            x = F.max_pool2d(level(x), 2)
            pooled.append(x)
        x = self.up2(self.head(x)) + self.score4(pooled[3])
        return self.up8(self.up4(x) + self.score3(pooled[2]))


class SegNet(nn.Module):
    """Badrinarayanan et al., 2017: VGG-16's trunk with normalization, and its mirror image."""

    def __init__(self):
        super().__init__()
        inputs = [3] + [channels for channels, _ in TRUNK]
        self.down = nn.ModuleList(convolutions(i, c, n, True) for i, (c, n) in zip(inputs, TRUNK))
        self.up = nn.ModuleList(nn.ConvTranspose2d(c, c, 2, stride=2) for c, _ in reversed(TRUNK))
        self.dec = nn.ModuleList(convolutions(c, max(i, 64), n, True) for i, (c, n) in reversed(list(zip(inputs, TRUNK))))
        self.out = nn.Conv2d(64, 1, 1)

    def forward(self, x):
        for level in self.down:
            x = F.max_pool2d(level(x), 2)
        for up, level in zip(self.up, self.dec):
            x = level(up(x))
        return self.out(x)


class MobileNet(nn.Sequential):
    """Howard et al., 2017: MobileNet v1."""

    def __init__(self):
        def block(inputs, outputs, kernel, stride, groups):
            return [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False), nn.BatchNorm2d(outputs),
                    nn.ReLU6()]

        layers, inputs = block(3, 32, 3, 2, 1), 32
        for outputs, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)]:
            layers += block(inputs, inputs, 3, stride, inputs) + block(inputs, outputs, 1, 1, 1)
            inputs = outputs
        super().__init__(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(1024, 1000))


def inception_v3():
    return torchvision.models.inception_v3(aux_logits=False, init_weights=False)


class TwoBranch(nn.Module):
    """Two stacks of convolutions side by side, of different width, concatenated in front of the classifier."""

    def __init__(self, levels=6):
        super().__init__()
        stem = [nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU()]
        self.stem = nn.Sequential(*stem)

        def branch(width):
            layers, inputs = [], 32
            for level in range(levels):
                stride = 2 if level % 2 == 1 else 1
                layers += [nn.Conv2d(inputs, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
                inputs = width
                width *= stride
            return nn.Sequential(*layers)

        self.left, self.right = branch(64), branch(32)
        self.head = nn.Linear(256 + 128, 1000)

    def forward(self, x):
        x = self.stem(x)
        x = torch.cat([self.left(x), self.right(x)], 1)
        return self.head(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


# Name: title, module, height and width, batch of the program.
NETWORKS = {
    "fcn8": ("FCN8 on VGG-16", FCN8, LARGE, 1),
    "segnet": ("SegNet", SegNet, LARGE, 1),
    "vgg19": ("torchvision's VGG-19", torchvision.models.vgg19, SMALL, 32),
    "mobilenet_v1": ("MobileNet v1", MobileNet, SMALL, 32),
    "shufflenet_v2": ("torchvision's ShuffleNet v2", torchvision.models.shufflenet_v2_x1_0, SMALL, 32),
    "inception_v3": ("torchvision's Inception-v3 without its auxiliary classifier", inception_v3, (299, 299), 32),
    "two_branch": ("a network of two branches", TwoBranch, SMALL, 32),
}


def text_of(name):
    title, build, size, batch = NETWORKS[name]
    with record_initializers() as record, torch.device("meta"):
        model = build().train()
    count = sum(parameter.numel() for parameter in model.parameters())
    header = (f"One training step of {title}, batch {batch}: forward pass and loss.\n"
              f"{count} parameters ({4 * count} bytes). Written by benchmarks/networks/export.py {name}")
    image = {"image": torch.zeros((batch, 3, *size), device="meta")}
    if size == LARGE:
        target, loss = {"mask": torch.zeros((batch, 1, *size), device="meta")}, F.binary_cross_entropy_with_logits
    else:
        target, loss = {"label": torch.zeros((batch,), dtype=torch.int64, device="meta")}, F.cross_entropy
    return export_training_step(model, image, target, loss, record=record, optimizer_settings=optimizer(), header=header)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(NETWORKS)):
        parser.error(f"no network {', '.join(unknown)}; there are {', '.join(NETWORKS)}")
    for name in arguments.names or NETWORKS:
        path = arguments.output / f"{name}.mlir"
        path.write_text(text_of(name))
        print(path)


if __name__ == "__main__":
    main()
