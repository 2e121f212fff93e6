"""Random networks of concats and slices: with their pieces written in place they compute what they compute with copies.

A layout that puts a piece elsewhere than its concat looks, or lets another value over it too early, shows as another bit,
as a read of poisoned bytes, or as a plan that the checks refuse. Prints the seed; the program is in the failed test's folder.
"""
import random
import re
import subprocess

import pytest

SEEDS = range(12)


class Network:
    """Text of a training step on tensors of 1 x channels x 4 x 4."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.lines, self.values = [], []
        self.add("relu", ["w"], [8])

    @staticmethod
    def type(channels):
        return f"tensor<1x{channels}x4x4xf32>"

    def channels(self, value):
        return 8 if value == "w" else dict(self.values)[value]

    def add(self, op, inputs, outputs, attributes=""):
        name = f"v{len(self.values)}"
        types = ", ".join(self.type(self.channels(value)) for value in inputs)
        self.lines.append(f"  %{name} = memplan.{op} {', '.join('%' + v for v in inputs)}{attributes} : ({types}) -> {self.type(outputs[0])}")
        self.values.append((name, outputs[0]))
        return name

    def pick(self, recent=4):
        return self.dice.choice(self.values[-recent:])[0]

    def step(self):
        kind = self.dice.choice(["unary", "unary", "concat", "concat", "dense", "add", "slice"])
        if kind == "concat":
            picked = self.dice.sample(self.values[-6:], min(len(self.values), self.dice.randint(2, 3)))
            inputs = [name for name, channels in picked if channels <= 64]
            if len(inputs) > 1:
                self.add("concat", inputs, [sum(map(self.channels, inputs))], " {dim = 1}")
        elif kind == "dense":
            # Each layer reads all before it, as in a DenseNet.
            row = [self.pick()]
            for _ in range(self.dice.randint(2, 3)):
                total = sum(map(self.channels, row))
                if total > 64:
                    break
                joined = self.add("concat", row, [total], " {dim = 1}")
                layer = self.add(self.dice.choice(["gelu", "relu"]), [joined], [total])
                size = min(4, total)
                start = self.dice.randint(0, total - size)
                taken = self.add("slice", [layer], [size], f" {{dim = 1, size = {size}, start = {start}}}")
                row.append(self.add("tanh", [taken], [size]))
        elif kind == "add":
            one = self.pick()
            self.add("add", [one, one], [self.channels(one)])
        elif kind == "slice":
            whole = self.pick()
            size = self.dice.randint(1, self.channels(whole))
            start = self.dice.randint(0, self.channels(whole) - size)
            self.add("slice", [whole], [size], f" {{dim = 1, size = {size}, start = {start}}}")
        else:
            one = self.pick()
            self.add(self.dice.choice(["relu", "gelu", "tanh", "sigmoid"]), [one], [self.channels(one)])

    def text(self):
        for _ in range(14):
            self.step()
        last, channels = self.values[-1]
        kind = "memplan.kind"
        return (f"func.func @step(%w: {self.type(8)} {{{kind} = \"parameter\", memplan.init = \"normal:1.0\"}}, "
                f"%t: {self.type(channels)} {{{kind} = \"input\"}})\n    -> (tensor<f32> {{{kind} = \"loss\"}}) "
                "attributes {memplan.optimizer = {name = \"sgd\", lr = 0.1 : f64}} {\n" + "\n".join(self.lines) +
                f"\n  %l = memplan.mse_loss %{last}, %t : ({self.type(channels)}, {self.type(channels)}) -> tensor<f32>\n"
                "  return %l : tensor<f32>\n}\n")


@pytest.mark.parametrize("seed", SEEDS)
def test_parts_compute_the_same(tool, tmp_path, seed):
    program = tmp_path / "step.mlir"
    program.write_text(Network(seed).text())
    for parts in ("on", "auto"):
        command = [tool("memplan-run"), program, f"--parts={parts}", "--steps=2", "--check", "--poison", "--measure"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, f"seed {seed}: {done.stderr}"
        assert "bit for bit" in done.stdout and "handed out as planned" in done.stdout, f"seed {seed}"


def test_random_networks_have_parts(tool, tmp_path):
    """Without parts in them the tests above would show nothing."""
    program, found = tmp_path / "step.mlir", 0
    for seed in SEEDS:
        program.write_text(Network(seed).text())
        done = subprocess.run([tool("memplan-opt"), program, "--parts=on"], capture_output=True, text=True)
        assert done.returncode == 0, f"seed {seed}: {done.stderr}"
        found += len(re.findall(r"memplan\.concat .*memplan\.cost = 0\.0", done.stdout))
    assert found > len(SEEDS)
