#!/usr/bin/env python3
"""One training step of a 3-D U-Net (Cicek et al., 2016): the network on which TFLMS swaps branches.

    benchmarks/generate/unet3d.py EDGE [--batch 1] [--depth 4] [--channels 32] [--flops 9.3] [--bandwidth 720] [-o FILE]

Images of EDGE voxels a side in one channel, 32-bit values. Each level has two convolutions with batch norm and ReLU, the second
of which doubles the channels; the way up concatenates what the way down has left. The last level's channels, and with it the
skips, follow from --channels and --depth. The way back reads what frameworks keep for it. A node costs the microseconds of a device
with --flops TFLOP/s and --bandwidth GB/s, whichever takes longer; the defaults are those of a P100.
"""
import argparse
import sys

from graph_file import write_graph


class Step:
    """Values are (tensor, voxels a side, channels)."""

    def __init__(self, arguments):
        self.batch, self.flops, self.bandwidth = arguments.batch, arguments.flops * 1e6, arguments.bandwidth * 1e3
        self.graph = {"version": 1, "name": f"unet3d_{arguments.edge}_b{arguments.batch}", "fixed_bytes": 0, "tensors": [], "nodes": []}
        self.bytes, self.scope, self.back, self.updates = [], "", [], []
        self.grads = {}

    def tensor(self, size, kind="activation"):
        self.graph["tensors"].append({"id": len(self.bytes), "bytes": size, "kind": kind})
        self.bytes.append(size)
        return len(self.bytes) - 1

    def size(self, edge, channels):
        return 4 * self.batch * edge ** 3 * channels

    def node(self, name, inputs, sizes, flops=0, backward=False, in_place=(), writes=(), kinds=None):
        outputs = [self.tensor(size, kinds or ("gradient" if backward else "activation")) for size in sizes]
        moved = sum(self.bytes[t] for t in list(inputs) + outputs)
        entry = {"id": len(self.graph["nodes"]), "name": name, "cost": round(max(flops / self.flops, moved / self.bandwidth), 3),
                 "inputs": list(inputs), "outputs": outputs, "backward": backward}
        if outputs:
            self.graph["tensors"][outputs[0]]["name"] = f"{self.scope}/{name}"
        if in_place:
            entry["in_place"] = [[outputs[i], inputs[j]] for i, j in in_place]
        if writes:
            entry["writes"], entry["recompute"] = list(writes), False
        self.graph["nodes"].append(entry)
        return outputs

    def gradient(self, value):
        return self.grads.pop(value)

    def give(self, value, gradient):
        """Adds to what other readers of the value gave."""
        if value in self.grads:
            gradient, = self.node("add", [self.grads[value], gradient], [self.bytes[value]], backward=True, in_place=[(0, 0)])
        self.grads[value] = gradient

    def later(self, scope, run):
        self.back.append((scope, run))

    def conv(self, x, channels, window=3, name="conv3d", edge=None):
        tensor, at, before = x
        edge = edge or at
        weight = self.tensor(4 * window ** 3 * before * channels, "parameter")
        work = 2 * self.batch * max(edge, at) ** 3 // (1 if edge <= at else 8) * window ** 3 * before * channels
        y, = self.node(name, [tensor, weight], [self.size(edge, channels)], work)

        def back():
            # The image needs no gradient.
            sizes = ([] if before == 1 else [self.bytes[tensor]]) + [self.bytes[weight]]
            *dx, dw = self.node(f"{name}_grad", [self.gradient(y), tensor, weight], sizes, len(sizes) * work, True)
            if dx:
                self.give(tensor, dx[0])
            self.updates.append((weight, dw))
        self.later(self.scope, back)
        return y, edge, channels

    def norm(self, x):
        tensor, edge, channels = x
        scale = self.tensor(8 * channels, "parameter")
        y, statistics = self.node("batch_norm", [tensor, scale], [self.bytes[tensor], 8 * channels])

        def back():
            dx, ds = self.node("batch_norm_grad", [self.gradient(y), tensor, scale, statistics], [self.bytes[tensor], 8 * channels],
                               backward=True, in_place=[(0, 0)])
            self.give(tensor, dx)
            self.updates.append((scale, ds))
        self.later(self.scope, back)
        return y, edge, channels

    def relu(self, x):
        tensor, edge, channels = x
        y, = self.node("relu", [tensor], [self.bytes[tensor]], in_place=[(0, 0)])

        def back():
            dx, = self.node("relu_grad", [self.gradient(y), y], [self.bytes[tensor]], backward=True, in_place=[(0, 0)])
            self.give(tensor, dx)
        self.later(self.scope, back)
        return y, edge, channels

    def pool(self, x):
        tensor, edge, channels = x
        y, places = self.node("max_pool3d", [tensor], [self.size(edge // 2, channels), self.size(edge // 2, channels) // 4])

        def back():
            dx, = self.node("max_pool3d_grad", [self.gradient(y), places], [self.bytes[tensor]], backward=True)
            self.give(tensor, dx)
        self.later(self.scope, back)
        return y, edge // 2, channels

    def concat(self, a, b):
        y, = self.node("concat", [a[0], b[0]], [self.bytes[a[0]] + self.bytes[b[0]]])

        def back():
            da, db = self.node("split", [self.gradient(y)], [self.bytes[a[0]], self.bytes[b[0]]], backward=True)
            self.give(a[0], da)
            self.give(b[0], db)
        self.later(self.scope, back)
        return y, a[1], a[2] + b[2]

    def block(self, scope, x, channels):
        for number, wide in enumerate(channels):
            self.scope = f"{scope}/{number}"
            x = self.relu(self.norm(self.conv(x, wide)))
        return x

    def loss(self, x):
        self.scope = "loss"
        tensor, edge, channels = x
        labels = self.tensor(self.size(edge, 1), "input")
        probabilities, _ = self.node("softmax_loss", [tensor, labels], [self.bytes[tensor], 4])
        self.graph["tensors"][-1]["kind"] = "output"

        def back():
            dx, = self.node("softmax_loss_grad", [probabilities, labels], [self.bytes[tensor]], backward=True, in_place=[(0, 0)])
            self.give(tensor, dx)
        self.later("loss", back)

    def finish(self):
        for scope, run in reversed(self.back):
            self.scope = f"gradients/{scope}"
            run()
        self.scope = "optimizer"
        for weight, gradient in self.updates:
            self.node("sgd", [weight, gradient], [], backward=True, writes=[weight])


def make(arguments):
    step = Step(arguments)
    step.scope = "input"
    x = step.tensor(step.size(arguments.edge, 1), "input"), arguments.edge, 1
    skips = []
    for level in range(arguments.depth):
        wide = arguments.channels << level
        if level:
            step.scope = f"down{level}/pool"
            x = step.pool(x)
        x = step.block(f"down{level}", x, (wide, 2 * wide))
        skips.append(x)
    for level in reversed(range(arguments.depth - 1)):
        wide = arguments.channels << level
        step.scope = f"up{level}/join"
        x = step.conv(x, x[2], 2, "up_conv3d", 2 * x[1])
        x = step.concat(skips[level], x)
        x = step.block(f"up{level}", x, (2 * wide, 2 * wide))
    step.scope = "head"
    step.loss(step.conv(x, 3, 1))
    step.finish()
    return step.graph


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edge", type=int)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--flops", type=float, default=9.3)
    parser.add_argument("--bandwidth", type=float, default=720)
    parser.add_argument("-o", "--output", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    if arguments.depth < 1 or arguments.edge < 1 or arguments.edge % (1 << (arguments.depth - 1)):
        parser.error(f"{arguments.edge} voxels cannot be halved {arguments.depth - 1} times")
    write_graph(make(arguments), arguments.output)


if __name__ == "__main__":
    main()
