#!/usr/bin/env python3
"""One training step of a transformer, over several micro-batches whose weight gradients add up.

    benchmarks/generate/transformer.py LAYERS MICRO_BATCHES [--hidden 4096] [--sequence 2048] [--batch 1] [--fsdp 1] [--regather] [--adam 0]
        [-o FILE]

16-bit values; attention keeps its output and a statistic per row, not the scores; the first micro-batch makes the
gradients, later ones add to them in place. With --fsdp above 1, weights lie in shards: every layer gathers its own
before its forward and before its backward pass, and scatters its gradients, by collectives, which run once. With --regather
the gathers may run again, since all ranks have the same plan. With --adam
N, every weight has two moments of N bytes a number, and is updated as soon as the last micro-batch has made its gradient, which nobody
needs afterwards; without it, the gradients are what the step gives. A node
costs the microseconds of a device with 312 TFLOP/s and 1.5 TB/s, whichever takes longer; a collective those of
100 GB/s.
"""
import argparse
import sys

from graph_file import write_graph

FLOPS, BANDWIDTH, LINK = 312e6, 1.5e6, 1e5  # A microsecond.


class Step:
    def __init__(self, name):
        self.graph = {"version": 1, "name": name, "fixed_bytes": 0, "tensors": [], "nodes": []}
        self.bytes = []

    def tensor(self, size, kind="activation"):
        self.graph["tensors"].append({"id": len(self.bytes), "bytes": size, "kind": kind})
        self.bytes.append(size)
        return len(self.bytes) - 1

    def node(self, name, inputs, sizes, flops=0, backward=False, in_place=(), collective=False, kind="activation"):
        outputs = [self.tensor(size, kind) for size in sizes]
        moved = sum(self.bytes[t] for t in list(inputs) + outputs)
        cost = moved / LINK if collective else max(flops / FLOPS, moved / BANDWIDTH)
        entry = {"id": len(self.graph["nodes"]), "name": name, "cost": round(cost, 3), "inputs": list(inputs), "outputs": outputs,
                 "backward": backward}
        if in_place:
            entry["in_place"] = [[outputs[i], inputs[j]] for i, j in in_place]
        if collective:
            entry["collective"] = True
        self.graph["nodes"].append(entry)
        return outputs[0] if len(outputs) == 1 else outputs


class Transformer(Step):
    def __init__(self, arguments):
        a = arguments
        super().__init__(f"transformer_{a.layers}x{a.micro_batches}_{a.hidden}_{a.sequence}_{a.batch}_{a.fsdp}")
        self.hidden, self.tokens, self.fsdp, self.regather = a.hidden, a.sequence * a.batch, a.fsdp, a.regather
        self.value = 2 * self.tokens * a.hidden
        self.row = 4 * self.tokens
        self.square = 2 * a.hidden * a.hidden
        self.matmul = 2 * self.tokens * a.hidden * a.hidden
        self.scores = 4 * a.sequence * self.tokens * a.hidden
        self.shapes = {"q": 1, "k": 1, "v": 1, "o": 1, "up": 4, "down": 4}
        self.sharded = [{w: self.tensor(self.square * n // a.fsdp, "parameter") for w, n in self.shapes.items()} for _ in range(a.layers)]
        self.gradients = [{} for _ in range(a.layers)]
        self.moments = [{w: [self.tensor(self.bytes[t] // 2 * a.adam, "state") for _ in range(2)] for w, t in shards.items()}
                        for shards in self.sharded] if a.adam else []
        self.is_last = False  # micro-batch

    def weights(self, layer, when, after):
        """The layer's weights; gathered right where they are needed, which `after`, a value made just before, tells."""
        if self.fsdp == 1:
            return self.sharded[layer]
        gathered = self.node(f"gather{layer}.{when}", list(self.sharded[layer].values()) + ([] if self.regather else [after]),
                             [self.square * n for n in self.shapes.values()], collective=True, backward=when == "backward")
        if self.regather:
            del self.graph["nodes"][-1]["collective"]
        return dict(zip(self.shapes, gathered))

    def forward(self, layer, x):
        v, m = self.value, self.matmul
        w = self.weights(layer, "forward", x)
        saved = {"x": x}
        saved["n1"], saved["s1"] = self.node("norm1", [x], [v, 2 * self.row])
        for p in "qkv":
            saved[p] = self.node(p, [saved["n1"], w[p]], [v], m)
        saved["a"], saved["lse"] = self.node("attention", [saved[p] for p in "qkv"], [v, self.row], self.scores)
        o = self.node("o", [saved["a"], w["o"]], [v], m)
        o, saved["drop1"] = self.node("drop1", [o], [v, v // 2], in_place=[(0, 0)])
        saved["y"] = self.node("add1", [x, o], [v], in_place=[(0, 1)])
        saved["n2"], saved["s2"] = self.node("norm2", [saved["y"]], [v, 2 * self.row])
        saved["up"] = self.node("up", [saved["n2"], w["up"]], [4 * v], 4 * m)
        saved["act"] = self.node("gelu", [saved["up"]], [4 * v], in_place=[(0, 0)])
        down = self.node("down", [saved["act"], w["down"]], [v], 4 * m)
        down, saved["drop2"] = self.node("drop2", [down], [v, v // 2], in_place=[(0, 0)])
        return self.node("add2", [saved["y"], down], [v], in_place=[(0, 1)]), saved

    def gradient(self, layer, weight, inputs, flops):
        new = self.node(f"{weight}.grad", inputs, [self.square * self.shapes[weight]], flops, True)
        if self.fsdp > 1:
            new = self.node(f"{weight}.scatter", [new], [self.square * self.shapes[weight] // self.fsdp], backward=True, collective=True)
        self.add_gradient(layer, weight, new)
        if self.is_last and self.moments:
            self.update(layer, weight)

    def update(self, layer, weight):
        """Adam's, which moves all that it reads once and writes all but the gradient."""
        gradient, state = self.gradients[layer][weight], [self.sharded[layer][weight], *self.moments[layer][weight]]
        self.node(f"{weight}.adam", [gradient, *state], [], backward=True)
        moved = self.bytes[gradient] + 2 * sum(self.bytes[t] for t in state)
        self.graph["nodes"][-1].update(writes=state, recompute=False, cost=round(moved / BANDWIDTH, 3))

    def add_gradient(self, layer, weight, new):
        known = self.gradients[layer].get(weight)
        self.gradients[layer][weight] = new if known is None else self.node(
            f"{weight}.add", [known, new], [self.bytes[new]], backward=True, in_place=[(0, 0)])

    def backward(self, layer, g, s):
        v, m = self.value, self.matmul
        w = self.weights(layer, "backward", g)
        d = self.node("drop2.back", [g, s["drop2"]], [v], backward=True)
        act = self.node("down.back", [d, w["down"]], [4 * v], 4 * m, True)
        self.gradient(layer, "down", [d, s["act"]], 4 * m)
        up = self.node("gelu.back", [act, s["up"]], [4 * v], backward=True, in_place=[(0, 0)])
        n2 = self.node("up.back", [up, w["up"]], [v], 4 * m, True)
        self.gradient(layer, "up", [up, s["n2"]], 4 * m)
        y, norm = self.node("norm2.back", [n2, s["y"], s["s2"]], [v, 2 * self.hidden * 2], backward=True, in_place=[(0, 0)])
        self.add_gradient(layer, "norm2", norm)
        g = self.node("add2.back", [g, y], [v], backward=True, in_place=[(0, 0)])
        d = self.node("drop1.back", [g, s["drop1"]], [v], backward=True)
        a = self.node("o.back", [d, w["o"]], [v], m, True)
        self.gradient(layer, "o", [d, s["a"]], m)
        parts = self.node("attention.back", [a, s["a"], s["lse"], s["q"], s["k"], s["v"]], [v, v, v], 5 * self.scores // 2, True)
        n1 = None
        for p, part in zip("qkv", parts):
            back = self.node(f"{p}.back", [part, w[p]], [v], m, True)
            self.gradient(layer, p, [part, s["n1"]], m)
            n1 = back if n1 is None else self.node(f"{p}.sum", [n1, back], [v], backward=True, in_place=[(0, 0)])
        x, norm = self.node("norm1.back", [n1, s["x"], s["s1"]], [v, 2 * self.hidden * 2], backward=True, in_place=[(0, 0)])
        self.add_gradient(layer, "norm1", norm)
        return self.node("add1.back", [g, x], [v], backward=True, in_place=[(0, 0)])

    def build(self, layers, micro_batches):
        for micro_batch in range(micro_batches):
            self.is_last = micro_batch + 1 == micro_batches
            x, saved = self.tensor(self.value, "input"), []
            for layer in range(layers):
                x, kept = self.forward(layer, x)
                saved.append(kept)
            g = self.node("loss", [x], [self.value], backward=True, in_place=[(0, 0)])
            for layer in reversed(range(layers)):
                g = self.backward(layer, g, saved[layer])
        for gradients in self.gradients:
            for weight, tensor in gradients.items():
                if not self.moments or weight not in self.shapes:
                    self.graph["tensors"][tensor]["kind"] = "output"
        return self.graph


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("layers", type=int)
    parser.add_argument("micro_batches", type=int)
    parser.add_argument("--hidden", type=int, default=4096)
    parser.add_argument("--sequence", type=int, default=2048)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--fsdp", type=int, default=1)
    parser.add_argument("--regather", action="store_true")
    parser.add_argument("--adam", type=int, default=0, metavar="BYTES")
    parser.add_argument("-o", "--output", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    if min(arguments.layers, arguments.micro_batches, arguments.hidden, arguments.sequence, arguments.batch, arguments.fsdp) < 1:
        parser.error("all sizes are at least 1")
    if arguments.adam < 0:
        parser.error("--adam is a number of bytes, or 0")
    write_graph(Transformer(arguments).build(arguments.layers, arguments.micro_batches), arguments.output)


if __name__ == "__main__":
    main()
