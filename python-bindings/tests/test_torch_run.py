"""memplan.torch.run: PyTorch's modules on memplan's runtime."""

import copy

import numpy
import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import memplan.torch  # noqa: E402

pytest.importorskip("memplan._compiler", reason="the compiler is not in this build")

BATCH = 8


class Attention(nn.Module):
    """A small transformer, whose output is tied to its embedding."""

    def __init__(self, words=23, width=16, heads=2):
        super().__init__()
        self.heads, self.words, self.norm = heads, nn.Embedding(words, width), nn.LayerNorm(width)
        self.attend, self.project = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width)
        self.out = nn.Linear(width, words, bias=False)
        self.out.weight = self.words.weight

    def forward(self, ids):
        x = self.words(ids)
        q, k, v = (p.unflatten(-1, (self.heads, -1)).transpose(1, 2) for p in self.attend(self.norm(x)).chunk(3, dim=-1))
        x = x + self.project(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        return self.out(x).flatten(0, 1)


def vision():
    # No bias has a gradient of zero: rounding would decide where Adam takes it.
    torch.manual_seed(3)
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8),
                        nn.ReLU(), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))
    return net, [(torch.randn(BATCH, 3, 16, 16), torch.randint(10, (BATCH,))) for _ in range(3)]


def language():
    torch.manual_seed(4)
    return Attention(), [(torch.randint(23, (BATCH, 12)), torch.randint(23, (BATCH * 12,))) for _ in range(3)]


OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.01, nesterov=True),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.01),
    "decoupled": lambda p: torch.optim.Adam(p, lr=0.01, weight_decay=0.3, decoupled_weight_decay=True),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.003, alpha=0.9, eps=1e-4, weight_decay=0.02),
    "rmsprop_momentum": lambda p: torch.optim.RMSprop(p, lr=0.003, momentum=0.9, eps=1e-4),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.01, initial_accumulator_value=0.1, weight_decay=0.02),
    "adafactor": lambda p: torch.optim.Adafactor(p, lr=0.05, d=1.5, weight_decay=0.02),
}


def trained_by_torch(model, data, optimizer):
    losses = []
    for *inputs, target in data:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(*inputs), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


# A wrong argument order, update or statistic would part from PyTorch after a step or two.
@pytest.mark.parametrize("build, optimizer", [(vision, "momentum"), (vision, "adamw"), (vision, "decoupled"), (language, "adamw"), (language, "sgd"),
                                              (vision, "rmsprop"), (vision, "rmsprop_momentum"), (language, "adagrad"), (vision, "adafactor"),
                                              (language, "adafactor")])
def test_three_steps_are_those_of_torch(build, optimizer):
    model, data = build()
    ours, theirs = copy.deepcopy(model), model
    optimizers = [OPTIMIZERS[optimizer](m.parameters()) for m in (ours, theirs)]
    if build is language:  # the program takes targets by rows of the batch
        data = [(x, y.view(BATCH, -1)) for x, y in data]
        loss = lambda x, y: F.cross_entropy(x, y.flatten())  # noqa: E731
        losses = trained_by_torch(theirs, [(x, y.flatten()) for x, y in data], optimizers[1])
    else:
        loss, losses = F.cross_entropy, trained_by_torch(theirs, data, optimizers[1])
    runner = memplan.torch.run(ours, None, data, loss=loss, optimizer=optimizers[0])
    assert runner.losses == pytest.approx(losses, rel=1e-5)
    state, expected = ours.state_dict(), theirs.state_dict()
    assert state.keys() == expected.keys()
    for name in expected:
        torch.testing.assert_close(state[name], expected[name], rtol=1e-3, atol=2e-5, msg=lambda m: f"{name}: {m}")
    for mine, other in zip(optimizers[0].state.values(), optimizers[1].state.values()):
        for key in other:
            if isinstance(other[key], torch.Tensor):
                torch.testing.assert_close(mine[key], other[key], rtol=1e-3, atol=2e-5)


# The norm is that of all gradients together: one parameter's would part from PyTorch in the first step.
@pytest.mark.parametrize("build, optimizer", [(vision, "momentum"), (vision, "adamw")])
def test_clipping_is_that_of_torch(build, optimizer):
    model, data = build()
    ours, theirs = copy.deepcopy(model), model
    optimizers, norms = [OPTIMIZERS[optimizer](m.parameters()) for m in (ours, theirs)], []
    for x, target in data:
        optimizers[1].zero_grad()
        F.cross_entropy(theirs(x), target).backward()
        norms.append(torch.nn.utils.clip_grad_norm_(theirs.parameters(), 0.5).item())
        optimizers[1].step()
    assert min(norms) > 0.5, "nothing was clipped, so this test says nothing"
    memplan.torch.run(ours, "90%", data, loss=F.cross_entropy, optimizer=optimizers[0], max_norm=0.5)
    for name, expected in theirs.state_dict().items():
        torch.testing.assert_close(ours.state_dict()[name], expected, rtol=1e-3, atol=2e-5, msg=lambda m: f"{name}: {m}")


def test_clipping_without_an_update_is_refused():
    model, data = vision()
    with pytest.raises(ValueError, match="max_norm clips the gradients of an update, and there is no optimizer"):
        memplan.torch.run(model, None, data, loss=F.cross_entropy, max_norm=1.0)


def bits(model, runner):
    return [t.numpy().tobytes() for t in model.state_dict().values()] + [numpy.float32(runner.losses).tobytes()]


# What a budget is worth: the step with recomputation is the step without, bit for bit, dropout included.
def test_a_budget_changes_no_bit():
    torch.manual_seed(5)
    blocks = [layer for _ in range(6) for layer in (nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())]
    model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), *blocks, nn.Dropout(0.3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))
    data, made = vision()[1], []
    for budget in (None, "70%"):
        own = copy.deepcopy(model)
        torch.manual_seed(9)
        runner = memplan.torch.run(own, budget, data, loss=F.cross_entropy, optimizer=OPTIMIZERS["momentum"](own.parameters()), effort=2000)
        made.append((bits(own, runner), runner.compiled.plan))
    assert made[0][0] == made[1][0]
    (_, free), (_, planned) = made
    assert planned.device_bytes < free.device_bytes
    runs = [a.node for a in planned.actions if a.kind == memplan.ActionKind.COMPUTE]
    assert len(runs) > len(set(runs)), "nothing ran again, so this test says nothing"


# NumPy arrays and tensors of any layout mean the same; what comes in is never written.
def test_arrays_and_layouts():
    model, data = vision()
    forms = {"tensors": data, "arrays": [(x.numpy(), y.numpy()) for x, y in data],
             "strided": [(x.to(memory_format=torch.channels_last), y) for x, y in data],
             "unaligned": [(torch.cat([torch.zeros(1), x.flatten()])[1:].view_as(x), y) for x, y in data],
             "loader": torch.utils.data.DataLoader([(x, y) for xs, ys in data for x, y in zip(xs, ys)], batch_size=BATCH)}
    found = {}
    for name, given in forms.items():
        own, before = copy.deepcopy(model), copy.deepcopy(given) if isinstance(given, list) else None
        runner = memplan.torch.run(own, None, given, loss=F.cross_entropy, optimizer=OPTIMIZERS["sgd"](own.parameters()))
        found[name] = bits(own, runner)
        for now, then in zip(given if before else (), before or ()):
            assert all(torch.equal(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(now, then)), name
    assert len(found["tensors"]) > 3 and all(made == found["tensors"] for made in found.values()), [n for n in found if found[n] != found["tensors"]]


# Parameters would be held twice.
def test_parameters_stay_where_they_are():
    model, data = vision()
    places = {name: t.data_ptr() for name, t in model.state_dict().items()}
    before = {name: t.clone() for name, t in model.state_dict().items()}
    runner = memplan.torch.run(model, None, data[:1], loss=F.cross_entropy, optimizer=OPTIMIZERS["sgd"](model.parameters()))
    assert not runner._copied
    assert places == {name: t.data_ptr() for name, t in model.state_dict().items()}
    assert all(not torch.equal(t, before[name]) for name, t in model.state_dict().items())


# A checkpoint that is loaded between steps is what the next step starts from, optimizer and all.
@pytest.mark.parametrize("optimizer", ["momentum", "adamw", "rmsprop_momentum", "adagrad", "adafactor"])
def test_a_checkpoint_resumes(optimizer):
    model, data = vision()
    through, resumed = copy.deepcopy(model), copy.deepcopy(model)
    whole = memplan.torch.run(through, None, data, loss=F.cross_entropy, optimizer=OPTIMIZERS[optimizer](through.parameters()))
    first, later = OPTIMIZERS[optimizer](model.parameters()), OPTIMIZERS[optimizer](resumed.parameters())
    memplan.torch.run(model, None, data[:1], loss=F.cross_entropy, optimizer=first)
    runner = memplan.torch.run(resumed, None, data, loss=F.cross_entropy, optimizer=later, steps=2)
    resumed.load_state_dict(model.state_dict())
    later.load_state_dict(first.state_dict())
    assert runner.train(data[1:]) == whole.losses[1:]
    assert [t.numpy().tobytes() for t in resumed.state_dict().values()] == [t.numpy().tobytes() for t in through.state_dict().values()]


# A scheduler that nobody heard would train at the first rate for ever.
def test_another_learning_rate_is_taken():
    model, data = vision()
    ours = copy.deepcopy(model)
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (ours, model)]
    schedules = [torch.optim.lr_scheduler.StepLR(o, 2, 0.1) for o in optimizers]
    runner = memplan.torch.run(ours, None, data[:1], loss=F.cross_entropy, optimizer=optimizers[0])
    trained_by_torch(model, data[:1], optimizers[1])
    for batch in data[1:]:
        for schedule in schedules:
            schedule.step()
        runner(*batch)
        trained_by_torch(model, [batch], optimizers[1])
    for mine, other in zip(ours.state_dict().values(), model.state_dict().values()):
        torch.testing.assert_close(mine, other, rtol=1e-3, atol=2e-5)


# An update by a rate of zero would still write: parameters become NaN where a gradient is infinite, and nobody else can update.
def test_without_an_optimizer_gradients_are_those_of_torch():
    model, data = vision()
    eager, before = copy.deepcopy(model), {name: p.detach().clone() for name, p in model.named_parameters()}
    runner = memplan.torch.run(model, None, data, loss=F.cross_entropy)
    for x, y in data:
        F.cross_entropy(eager(x), y).backward()
    for (name, mine), other in zip(model.named_parameters(), eager.parameters()):
        assert torch.equal(mine, before[name]), name
        torch.testing.assert_close(mine.grad, other.grad, rtol=1e-4, atol=1e-5, msg=lambda m: f"{name}: {m}")
    runner(data[0][0] * float("inf"), data[0][1])
    assert all(torch.equal(p, before[name]) for name, p in model.named_parameters())


# Counters of a state that came in whole would stay where they were, and an optimizer would update what nobody reads.
def test_state_that_is_assigned():
    model, data = vision()
    runner = memplan.torch.run(model, None, data[:1], loss=F.cross_entropy)
    model.load_state_dict({name: t.clone() for name, t in model.state_dict().items()}, assign=True)
    runner(*data[1])
    assert [int(t) for name, t in model.state_dict().items() if name.endswith("num_batches_tracked")] == [2, 2]
    runner = memplan.torch.run(model, None, data[:1], loss=F.cross_entropy, optimizer=OPTIMIZERS["sgd"](model.parameters()))
    model.load_state_dict({name: t.clone() for name, t in model.state_dict().items()}, assign=True)
    with pytest.raises(memplan.torch.UnsupportedGraph, match="other parameters"):
        runner(*data[1])


# A refusal that plans the step a second time takes twice as long to be heard.
def test_a_refusal_is_that_of_the_step_itself(monkeypatch):
    model, data = vision()

    def second(*_):
        raise AssertionError("the step was planned again")

    monkeypatch.setattr(memplan.planning, "_plan", second)
    with pytest.raises(memplan.BudgetError, match="are known to work") as error:
        memplan.torch.run(model, "20K", data, loss=F.cross_entropy, optimizer=OPTIMIZERS["sgd"](model.parameters()), effort=500)
    monkeypatch.undo()
    memplan.torch.run(model, error.value.least, data[:1], loss=F.cross_entropy, optimizer=OPTIMIZERS["sgd"](model.parameters()), effort=500)


# What the runtime cannot do is said before anything runs.
def test_refusals():
    model, data = vision()
    sgd = OPTIMIZERS["sgd"](model.parameters())
    with pytest.raises(memplan.BudgetError) as error:
        memplan.torch.run(model, "20K", data, loss=F.cross_entropy, optimizer=sgd, effort=500)
    assert error.value.least > 20 * 1024
    with pytest.raises(memplan.torch.UnsupportedGraph, match="Adamax"):
        memplan.torch.run(model, None, data, loss=F.cross_entropy, optimizer=torch.optim.Adamax(model.parameters()))
    with pytest.raises(memplan.torch.UnsupportedGraph, match="RMSprop with centered=True"):
        memplan.torch.run(model, None, data, loss=F.cross_entropy, optimizer=torch.optim.RMSprop(model.parameters(), centered=True))
    with pytest.raises(memplan.torch.UnsupportedGraph, match="other parameters"):
        memplan.torch.run(model, None, data, loss=F.cross_entropy, optimizer=torch.optim.SGD([model[0].weight], lr=0.1))
    runner = memplan.torch.run(model, None, data[:1], loss=F.cross_entropy, optimizer=sgd)
    with pytest.raises(ValueError, match="drop_last"):
        runner(data[0][0][:5], data[0][1][:5])
    with pytest.raises(ValueError, match="2 tensors, and 1 were given"):
        runner(data[0][0])
    model[0].weight.requires_grad_(False)
    with pytest.raises(memplan.torch.UnsupportedGraph, match="'0.weight' requires no gradient"):
        memplan.torch.run(model, None, data, loss=F.cross_entropy)
