"""Small models, steps and fixtures that tests of memplan.torch share."""

import contextlib

import memplan.torch as budgets
import pytest
import torch
from memplan.torch import capture, solve, trace
from torch import nn
from torch.nn.functional import cross_entropy

EFFORT = 1000


class Convolutions(nn.Module):
    """Convolution, batch norm and relu, some times; the early maps are large."""

    def __init__(self, layers=3, width=8, norm=True):
        super().__init__()
        parts, channels = [], 3
        for _ in range(layers):
            parts += [nn.Conv2d(channels, width, 3, padding=1), *([nn.BatchNorm2d(width)] if norm else []), nn.ReLU()]
            channels = width
        self.body, self.head = nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten()), nn.Linear(width, 10)

    def forward(self, x):
        return self.head(self.body(x))


class Words(nn.Module):
    """Embedding, blocks with dropout, and an output tied to the embedding."""

    def __init__(self, layers=3, width=32, rate=0.1):
        super().__init__()
        self.embed, self.out = nn.Embedding(50, width), nn.Linear(width, 50, bias=False)
        self.out.weight = self.embed.weight
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(rate), nn.Linear(4 * width, width))
            for _ in range(layers)
        )

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = x + block(x)
        return self.out(x).flatten(0, -2)


def images(batch=4, size=24):
    torch.manual_seed(1)
    return torch.randn(batch, 3, size, size), torch.randint(0, 10, (batch,))


def words(batch=4, length=16):
    torch.manual_seed(1)
    return torch.randint(0, 50, (batch, length)), torch.randint(0, 50, (batch * length,))


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    """Scratch measured once for all tests of this file."""
    return budgets.Measurements(tmp_path_factory.mktemp("profile") / "device.json")


@pytest.fixture
def compiled(scratch):
    """compiled(module, budget, ...): memplan.torch.compile at a low effort, with the scratch measured here."""

    def build(module, budget, **options):
        return budgets.compile(module, budget, **{"effort": EFFORT, "measure": scratch, **options})

    return build


def needs(module, inputs, loss=cross_entropy):
    """(bytes without a plan, least bytes planned) of a step, without scratch."""
    joint = trace.trace_joint(module, inputs, loss)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
    return solve.unplanned(graph).peak_bytes, solve.least(graph, EFFORT).peak_bytes


def between(most, least, share):
    return int(least + share * (most - least))


def assert_as_eager(step, module, eager, inputs, loss=cross_entropy, steps=3, context=contextlib.nullcontext):
    """Loss, gradients and buffers are eager's, bit for bit, over some steps of SGD."""
    for number in range(steps):
        results = []
        for call, net in ((step, module), (lambda *xs: loss(eager(*xs[:-1]), xs[-1]), eager)):
            torch.manual_seed(number)
            with context():
                value = call(*inputs)
            value.backward()
            results.append((value, [p.grad for p in net.parameters()], list(net.buffers()), torch.get_rng_state()))
        (value, grads, buffers, state), (value_e, grads_e, buffers_e, state_e) = results
        assert torch.equal(value, value_e)
        assert all(torch.equal(a, b) for a, b in zip(grads, grads_e, strict=True))
        assert all(torch.equal(a, b) for a, b in zip(buffers, buffers_e, strict=True))
        assert torch.equal(state, state_e)
        for net in (module, eager):
            with torch.no_grad():
                for p in net.parameters():
                    p -= 0.01 * p.grad
                    p.grad = None
