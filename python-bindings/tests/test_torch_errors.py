"""Wrong uses of memplan.torch: each is an error that says what to do, before anything runs."""

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan  # noqa: E402
import memplan.torch as budgets  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402

X, Y = torch.zeros(2, 8), torch.zeros(2, dtype=torch.long)


def net():
    return nn.Sequential(*(nn.Sequential(nn.Linear(8, 8), nn.Tanh()) for _ in range(2)))


def frozen():
    return net().requires_grad_(False)


class Named(nn.Linear):
    def forward(self, x):
        return {"logits": super().forward(x)}


def each(values, scores):
    return cross_entropy(values, scores, reduction="none")


@pytest.mark.parametrize("size, said", [
    (-1, "budget is negative: -1"), ("-6GB", "budget: .*negative"), (0, "budget is 0 bytes"), ("0", "budget is 0 bytes"), (1.5, "whole number of bytes .*1.5"), (True, "not True"),
    (None, "budget is a whole number of bytes or a text such as '6GiB', not None"), ("6 gibibytes", "budget: .*unknown unit"), ("", "budget: .*empty"),
    ("80%", "write 'device:80%'"), ("device:80", "write 'device:80%'"), ("device:180%", "no share of a device"), (float("inf"), "not inf")])
def test_wrong_budgets_say_how_to_write_one(size, said):
    """A budget with a typing error would be another one, or end in a message about functions of memplan's own."""
    for call in (lambda: budgets.compile(net(), size, loss=cross_entropy), lambda: budgets.wrap(net(), size, (X, Y), loss=cross_entropy)):
        with pytest.raises(memplan.InputError, match=said):
            call()


@pytest.mark.parametrize("size, bytes", [("6 GB", 6 * 10**9), ("6gb", 6 * 10**9), ("6GiB", 6 << 30), (" 6G ", 6 << 30), (6e9, 6 * 10**9), ("1.5G", 3 << 29)])
def test_sizes_are_read_as_people_write_them(size, bytes):
    """A space or a small letter would end in an error."""
    assert budgets.errors.parse_bytes(size) == bytes


WRONG_STEPS = {
    "class": (lambda: budgets.compile(Named, "1GB"), TypeError, "a module that was made"),
    "exchanged": (lambda: budgets.compile("1GB", net()), TypeError, "the budget comes second"),
    "compiled": (lambda: budgets.compile(budgets.compile(net(), "1GB"), "1GB"), TypeError, "compiled already"),
    "loss": (lambda: budgets.compile(net(), "1GB", loss="cross_entropy"), TypeError, "loss is a function"),
    "optimizer": (lambda: budgets.compile(net(), "1GB", loss=cross_entropy, optimizer=torch.optim.SGD), TypeError, "Adam\\(model.parameters\\(\\)\\)"),
    "another's optimizer": (lambda: budgets.compile(net(), "1GB", loss=cross_entropy, optimizer=torch.optim.SGD(net().parameters())), ValueError, "no parameter of the module"),
    "fixed": (lambda: budgets.compile(net(), "1GB", fixed_bytes=-5), memplan.InputError, "fixed_bytes is negative"),
    "no target": (lambda: budgets.compile(net(), "1GB", loss=cross_entropy)(X), TypeError, "then the target"),
    "by name": (lambda: budgets.compile(net(), "1GB", loss=cross_entropy)(X, target=Y), TypeError, "none by name"),
    "inputs on meta": (lambda: budgets.compile(net(), "1GB", loss=cross_entropy)(X.to("meta"), Y.to("meta")), ValueError, "on the device 'meta'"),
    "module on meta": (lambda: budgets.compile(net().to("meta"), "1GB", loss=cross_entropy)(X, Y), ValueError, "on the device 'meta'"),
    "no scalar": (lambda: budgets.compile(net(), "1GB")(X), budgets.UnsupportedGraph, "Give loss="),
    "dictionary": (lambda: budgets.compile(Named(8, 4), "1GB", loss=cross_entropy)(X, Y), budgets.UnsupportedGraph, "the step raises TypeError .*argument 'input'.*without memplan"),
    "raises": (lambda: budgets.compile(lambda x: x.nothing(), "1GB")(X), budgets.UnsupportedGraph, "the step raises AttributeError"),
    "wrap: one tensor": (lambda: budgets.wrap(net(), "1GB", X), TypeError, "inputs are a tuple"),
    "wrap: no target": (lambda: budgets.wrap(net(), "1GB", (X,), loss=cross_entropy), TypeError, "target is the last"),
    "wrap: frozen": (lambda: budgets.wrap(frozen(), "1GB", (X,)), budgets.UnsupportedGraph, "no gradient"),
    "wrap: function": (lambda: budgets.wrap(net().forward, "1GB", (X,)), TypeError, "torch.nn.Module"),
    "wrap: no scalar": (lambda: budgets.wrap(net(), "1GB", (X, Y), loss=each), budgets.UnsupportedGraph, "size \\[2\\]; it must be a scalar"),
    "wrap: no blocks": (lambda: budgets.wrap(nn.Linear(8, 4), "1GB", (X,)), budgets.UnsupportedGraph, "no list or sequence of blocks"),
    "wrap: compiled": (lambda: budgets.wrap(budgets.compile(net(), "1GB"), "1GB", (X,)), TypeError, "torch.nn.Module"),
    "explain: one tensor": (lambda: budgets.explain(net(), X, cross_entropy), TypeError, "inputs are a tuple"),
    "explain: optimizer": (lambda: budgets.explain(net(), (X, Y), cross_entropy, torch.optim.Adam), TypeError, "one that was made"),
}


@pytest.mark.parametrize("use", WRONG_STEPS)
def test_wrong_uses_say_what_to_do(use):
    """The message would be one of PyTorch's tracer, or of a function of memplan's that users never called."""
    call, kind, said = WRONG_STEPS[use]
    torch._dynamo.reset()
    with pytest.raises(kind, match=said):
        call()


def test_a_module_under_ddp_twice_is_refused(monkeypatch):
    """The message would be of a method that PyTorch cannot trace."""
    ddp = nn.parallel.DistributedDataParallel
    monkeypatch.setattr(ddp, "__init__", lambda self, module: (nn.Module.__init__(self), setattr(self, "module", module)) and None)
    with pytest.raises(budgets.UnsupportedGraph, match="twice; wrap it once"):
        budgets.compile(ddp(ddp(net())), "1GB", loss=cross_entropy)
