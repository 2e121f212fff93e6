#!/usr/bin/env python3
"""One training step of He et al.'s residual network for CIFAR (CVPR 2016, 4.2): forward pass and loss, for memplan-opt and memplan-run.

    benchmarks/generate/resnet_cifar.py LAYERS [--batch 128] [-o FILE.mlir]

LAYERS is 6 n + 2: a convolution, three stages of n blocks with two convolutions each and 16, 32 and 64 channels at 32, 16 and 8
pixels a side, and a classifier. 1202 is the network on which MegEngine shows dynamic rematerialization. Blocks that halve the image begin with a
convolution of stride 2 on the shortcut. Running statistics of batch norm, which no gradient reads, are left out.
"""
import argparse
import sys


class Step:
    def __init__(self, batch):
        self.batch, self.arguments, self.body = batch, [], []

    def argument(self, name, shape, element="f32", **marks):
        text = "x".join([*map(str, shape), element])
        marks = {"name": f'"{name}"', **marks}
        kept = ", ".join(f"memplan.{key} = {value}" for key, value in sorted(marks.items()))
        self.arguments.append(f"%{name}: tensor<{text}> {{{kept}}}")
        return f"%{name}", f"tensor<{text}>"

    def parameter(self, name, shape, init):
        return self.argument(name, shape, init=f'"{init}"', kind='"parameter"')

    def image(self, channels, edge):
        return f"tensor<{self.batch}x{channels}x{edge}x{edge}xf32>"

    def conv(self, name, x, channels, edge, window=3, stride=1):
        value, kind, before = x
        weight, weight_type = self.parameter(f"{name}.weight", (channels, before, window, window), f"normal:{(2 / (before * window ** 2)) ** 0.5:.7g}")
        marks = [f"padding = [{window // 2}, {window // 2}]"] * (window > 1) + [f"strides = [{stride}, {stride}]"] * (stride > 1)
        made = self.image(channels, edge)
        self.body.append(f"%{name} = memplan.conv2d {value}, {weight} {'{' + ', '.join(marks) + '} ' if marks else ''}"
                         f": ({kind}, {weight_type}) -> {made}")
        return f"%{name}", made, channels

    def norm(self, name, x):
        value, kind, channels = x
        scale, each = self.parameter(f"{name}.weight", (channels,), "ones")
        shift, _ = self.parameter(f"{name}.bias", (channels,), "zeros")
        self.body.append(f"%{name}, %{name}.mean, %{name}.invstd, %{name}.variance = memplan.batch_norm {value}, {scale}, {shift} "
                         f"{{epsilon = 1.0e-05}} : ({kind}, {each}, {each}) -> ({kind}, {each}, {each}, {each})")
        return f"%{name}", kind, channels

    def relu(self, name, x):
        value, kind, channels = x
        self.body.append(f"%{name} = memplan.relu {value} : ({kind}) -> {kind}")
        return f"%{name}", kind, channels

    def add(self, name, x, y):
        self.body.append(f"%{name} = memplan.add {x[0]}, {y[0]} : ({x[1]}, {y[1]}) -> {x[1]}")
        return f"%{name}", x[1], x[2]

    def block(self, name, x, channels, edge, stride):
        y = self.relu(f"{name}.relu1", self.norm(f"{name}.bn1", self.conv(f"{name}.conv1", x, channels, edge, stride=stride)))
        y = self.norm(f"{name}.bn2", self.conv(f"{name}.conv2", y, channels, edge))
        if stride > 1:
            x = self.norm(f"{name}.bn3", self.conv(f"{name}.shortcut", x, channels, edge, 1, stride))
        return self.relu(f"{name}.relu2", self.add(f"{name}.add", y, x))


def resnet(layers, batch):
    step = Step(batch)
    image, kind = step.argument("image", (batch, 3, 32, 32), batch=0, kind='"input"')
    x = step.relu("relu", step.norm("bn", step.conv("conv", (image, kind, 3), 16, 32)))
    for stage, (channels, edge) in enumerate(((16, 32), (32, 16), (64, 8))):
        for number in range((layers - 2) // 6):
            x = step.block(f"stage{stage}.{number}", x, channels, edge, 2 if stage and not number else 1)
    pooled = step.image(64, 1)
    step.body.append(f"%pool = memplan.adaptive_avg_pool2d {x[0]} {{output_size = [1, 1]}} : ({x[1]}) -> {pooled}")
    rows = f"tensor<{batch}x64xf32>"
    step.body.append(f"%rows = memplan.reshape %pool {{shape = [-1, 64]}} : ({pooled}) -> {rows}")
    weight, weight_type = step.parameter("fc.weight", (10, 64), "uniform:0.125")
    bias, bias_type = step.parameter("fc.bias", (10,), "zeros")
    label, label_type = step.argument("label", (batch,), "i64", batch=0, high=10, kind='"input"')
    scores = f"tensor<{batch}x10xf32>"
    step.body.append(f"%fc = memplan.matmul %rows, {weight}, {bias} {{transpose_rhs}} : ({rows}, {weight_type}, {bias_type}) -> {scores}")
    step.body.append(f"%loss, %logsumexp = memplan.cross_entropy %fc, {label} : ({scores}, {label_type}) -> (tensor<f32>, tensor<{batch}xf32>)")
    return step


def write(step, layers, stream):
    arguments = ",\n      ".join(step.arguments)
    body = "\n    ".join(step.body)
    stream.write(f"// One training step of a residual network of {layers} layers for CIFAR, batch {step.batch}: forward pass and loss.\n"
                 f"// Written by benchmarks/generate/resnet_cifar.py {layers}\n"
                 f'module {{\n  func.func @train_step(\n      {arguments})\n    -> (tensor<f32> {{memplan.kind = "loss", memplan.name = "loss"}})\n'
                 f'    attributes {{memplan.optimizer = {{lr = 0.1, name = "sgd"}}}} {{\n    {body}\n    return %loss : tensor<f32>\n  }}\n}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layers", type=int)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("-o", "--output", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    if arguments.layers < 8 or arguments.layers % 6 != 2 or arguments.batch < 1:
        parser.error(f"such a network has 8, 14, 20 ... layers, not {arguments.layers}, and a batch of at least one image, not {arguments.batch}")
    write(resnet(arguments.layers, arguments.batch), arguments.layers, arguments.output)


if __name__ == "__main__":
    main()
