"""memplan.torch before anything runs: explain, doctor, and wrap, which chooses blocks to checkpoint."""

import contextlib
import copy
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan  # noqa: E402
import memplan.torch as budgets  # noqa: E402
from memplan.torch import allocator, blocks, choice, doctor, trace  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = """
import sys, torch
from torch import nn
net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))
batch = int(sys.argv[1])
optimizer = torch.optim.Adam(net.parameters())
while True:
    loss = nn.functional.cross_entropy(net(torch.randn(batch, 3, 32, 32)), torch.randint(0, 10, (batch,)))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""


class Residual(nn.Module):
    """Blocks with batch norm and dropout, whose inner values are larger than what goes from block to block."""

    class Block(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(width, 4 * width, 1), nn.BatchNorm2d(4 * width), nn.ReLU(inplace=True), nn.Dropout(0.1),
                                      nn.Conv2d(4 * width, width, 1))

        def forward(self, x):
            return x + self.body(x)

    def __init__(self, count=4, width=4):
        super().__init__()
        self.stem, self.blocks, self.head = nn.Conv2d(3, width, 3), nn.Sequential(*(self.Block(width) for _ in range(count))), nn.Linear(width, 10)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


def images(batch=4):
    torch.manual_seed(1)
    return torch.randn(batch, 3, 18, 18), torch.randint(0, 10, (batch,))


def test_explain_tells_needs_that_plans_keep():
    """A budget chosen by what explain() says would not work."""
    with torch.device("meta"):
        model, inputs = Residual(count=2), (torch.empty(4, 3, 18, 18), torch.empty(4, dtype=torch.long))
    optimizer = torch.optim.Adam(model.parameters())
    found = budgets.explain(model, inputs, cross_entropy, optimizer, points=3, effort=500)
    sizes = [p.bytes for p in found.curve]
    assert found.optimizer_bytes >= 2 * found.gradient_bytes and found.held_bytes > found.optimizer_bytes
    assert found.least_bytes == sizes[0] < sizes[-1] == found.unplanned_bytes
    assert [p.overhead for p in found.curve] == sorted((p.overhead for p in found.curve), reverse=True) and found.curve[-1].overhead == 0
    assert "least with a plan" in str(found) and all(f"({size} bytes)" in str(found) for size in sizes)


def heavy_scratch(path, model, inputs, size):
    """Measurements in which each backward of a convolution takes `size` bytes of scratch."""
    budgets.explain(model, inputs, cross_entropy, points=2, effort=500, measure=budgets.Measurements(path))
    known = json.loads(path.read_text())
    changed = {s: size for s in known["scratch"] if "convolution_backward" in s}
    assert len(changed) > 1
    path.write_text(json.dumps(known | {"scratch": known["scratch"] | changed}))
    return budgets.Measurements(path)


def test_budgets_that_explain_names_leave_room_for_scratch(tmp_path):
    """compile() counts scratch inside operators, and would refuse the least budget that explain() names, and its line to add."""
    model, inputs = Residual(count=2), images()
    measured = heavy_scratch(tmp_path / "scratch.json", model, inputs, 3_000_000)
    bare = budgets.explain(model, inputs, cross_entropy, points=2, effort=500, measure=budgets.Measurements(tmp_path / "other.json"))
    found = budgets.explain(model, inputs, cross_entropy, points=3, measure=measured)
    assert not found.unmeasured and "not counted" not in str(found) and found.least_bytes > bare.least_bytes + 1_000_000
    for point in found.curve:
        step = budgets.compile(model, point.bytes, loss=cross_entropy, measure=measured)
        step(*inputs)
        assert step.report.planned_bytes <= point.bytes
    with pytest.raises(budgets.BudgetError):
        budgets.compile(model, bare.least_bytes, loss=cross_entropy, measure=measured)(*inputs)


def test_explain_measures_what_is_there_and_names_what_it_leaves_out(tmp_path, monkeypatch):
    """Scratch would be left out in silence, or operators would run for a model that was made not to be there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with torch.device("meta"):
        away, shapes = Residual(count=1), (torch.empty(4, 3, 18, 18), torch.empty(4, dtype=torch.long))
    model, inputs = Residual(count=1), images()
    for given in ((away, shapes, None), (model, shapes, None), (model, inputs, False)):
        found = budgets.explain(*given[:2], cross_entropy, points=2, effort=500, measure=given[2])
        assert "aten.convolution.default" in found.unmeasured and "not counted: scratch inside " in str(found)
        assert not (tmp_path / "memplan").exists(), "an operator ran"
    assert not budgets.explain(model, inputs, cross_entropy, points=2, effort=500).unmeasured
    assert not budgets.explain(away, shapes, cross_entropy, points=2, effort=500).unmeasured, "what the device told earlier is not used"


def test_the_largest_batch_leaves_room_for_scratch(tmp_path):
    """The largest batch would be refused by compile()."""
    model, inputs = Residual(count=1), images()
    budget = 4 * budgets.explain(model, inputs, cross_entropy, points=2, effort=500, measure=False).unplanned_bytes

    class Grows(budgets.Measurements):
        """Scratch of a megabyte for each sample."""

        def scratch(self, joint, measure=True):
            rows = next(v.shape[0] for n in joint.graph.nodes if isinstance(v := n.meta.get("val"), torch.Tensor) and v.shape[1:] == (3, 18, 18))
            return {n.name: rows << 20 for n in joint.graph.nodes if "convolution_backward" in str(n.target)} if measure else {}

    found = budgets.explain(model, inputs, cross_entropy, points=2, effort=500, budget=budget, measure=Grows(""))
    free = budgets.explain(model, inputs, cross_entropy, points=2, effort=500, budget=budget, measure=budgets.Measurements(""))
    assert 0 < found.largest_batch < free.largest_batch and found.largest_batch << 20 < budget


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_the_line_to_add_has_a_budget_that_a_plan_keeps(shift):
    """The line would end in an error: a budget below the least, or one rounded to 0 MiB."""
    with torch.device("meta"):
        model, inputs = Residual(count=2), (torch.empty(4, 3, 18, 18), torch.empty(4, dtype=torch.long))
    least = budgets.explain(model, inputs, cross_entropy, points=2, effort=500).least_bytes
    found = budgets.explain(model, inputs, cross_entropy, points=2, effort=500, budget=least + shift)
    named = int(re.search(r"memplan.torch.compile\(model, (\d+),", found.suggestion)[1])
    assert named == least + shift if shift >= 0 else named >= least


def test_the_line_to_add_has_room_for_the_update():
    """compile() would refuse the budget that is named: the update of a model with few samples takes more than its step."""
    model, given = nn.Sequential(nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 10)), (torch.randn(4, 256), torch.randint(0, 10, (4,)))
    optimizer = torch.optim.AdamW(model.parameters())
    found = budgets.explain(model, given, cross_entropy, optimizer, measure=False, effort=500)
    assert found.update_bytes > found.unplanned_bytes and found.least_bytes == found.update_bytes and [p.overhead for p in found.curve] == [0.0]
    step = eval(found.suggestion.partition(" = ")[2], {"memplan": memplan, "model": model, "loss": cross_entropy, "optimizer": optimizer})
    step(*given).backward()
    assert step.report.verdict == "kept"
    with pytest.raises(budgets.BudgetError, match="the update alone"):
        budgets.compile(model, found.least_bytes - 1, loss=cross_entropy, optimizer=optimizer)(*given)


def test_the_largest_batch_fits_and_a_larger_one_does_not():
    """A user would get an error, or leave room unused."""
    with torch.device("meta"):
        model, inputs = Residual(count=1), (torch.empty(2, 3, 18, 18), torch.empty(2, dtype=torch.long))
    one = budgets.explain(model, inputs, cross_entropy, points=2, effort=500)
    budget = 3 * one.unplanned_bytes
    found = budgets.explain(model, inputs, cross_entropy, points=2, effort=500, budget=budget)
    assert found.largest_batch >= 6

    def least(batch):
        given = (torch.empty(batch, 3, 18, 18, device="meta"), torch.empty(batch, dtype=torch.long, device="meta"))
        return budgets.explain(model, given, cross_entropy, points=2, effort=500).least_bytes

    assert least(found.largest_batch) <= budget < least(found.largest_batch + found.largest_batch // 16 + 1)


def test_the_doctor_reads_a_script(tmp_path):
    """A script that does not fit would have to be changed before anybody knows whether it can."""
    (tmp_path / "train.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "memplan.torch", "doctor", "--effort=500"]
    environment = {"PYTHONPATH": str(pathlib.Path(memplan.__file__).parents[1]), "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([*command, tmp_path / "train.py", "8"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert re.search(r"eager, as it stands +[\d.]+ [KM]iB", done.stdout) and "least with a plan" in done.stdout
    assert "step = memplan.torch.compile(model, " in done.stdout and "not counted: scratch" in done.stdout and not list(tmp_path.glob("memplan/*"))
    done = subprocess.run([*command, "--measure", tmp_path / "train.py", "8"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and "not counted" not in done.stdout and list(tmp_path.glob("memplan/*")), done.stdout + done.stderr
    (tmp_path / "train.py").write_text(SCRIPT.replace("    loss.backward()", "    print(loss.item())\n    loss.backward()"))
    done = subprocess.run([*command, tmp_path / "train.py", "8"], capture_output=True, text=True, env=environment)
    assert done.returncode == 2 and re.search(r"looks at data before its first update \(line \d+: print\(loss.item\(\)\)\)", done.stderr), done.stderr


LOADERS = {
    "tensors": """
data = TensorDataset(torch.randn(64, 3, 16, 16), torch.randint(0, 10, (64,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
batches = ((x, y) for x, y in loader)
""",
    "samples": """
class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, at):
        return {"x": torch.rand(3, 16, 16) * torch.rand(1).item(), "y": at % 10}

part, rest = torch.utils.data.random_split(Samples(), [48, 16])
loader = DataLoader(part, batch_size=8, shuffle=True, num_workers=2, persistent_workers=True)
batches = ((batch["x"], batch["y"]) for batch in loader)
""",
}


@pytest.mark.parametrize("kind", LOADERS)
def test_the_doctor_reads_a_script_with_a_loader(kind, tmp_path):
    """Most scripts draw batches from a DataLoader, which looks at a random number before the first one."""
    (tmp_path / "train.py").write_text("import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\n" + LOADERS[kind] + """
model = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(3136, 10))
optimizer = torch.optim.Adam(model.parameters())
for x, y in batches:
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    print("not reached", loss.item())
""")
    seen, found = doctor.examine(str(tmp_path / "train.py"), [], effort=500)
    assert seen.args[0].shape == (8, 3, 16, 16) and isinstance(seen.optimizer, torch.optim.Adam)
    assert found.least_bytes > 0 and seen.peak_bytes > 8 * 16 * 14 * 14 * 4


TRAINING = """
import torch
from shapes import Net, Flip
from torch import nn
flip, model, loss = Flip(), Net(), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
MODEL
x, y = flip(torch.randn(64, 3, 16, 16)), torch.randint(0, 10, (64,))
CALL
UPDATE
"""
UPDATES = {
    "plain": ("", "value = loss(model(x), y)", "value.backward(); optimizer.step()"),
    "moved": ("model = model.to(torch.device('cpu')).float(); loss.to('cpu')", "value = loss(model(x), y)", "value.backward(); optimizer.step()"),
    "channels last": ("model.to(memory_format=torch.channels_last); optimizer = torch.optim.SGD(model.parameters(), lr=0.1)", "value = loss(model(x), y)", "value.backward(); optimizer.step()"),
    "halves": ("model.bfloat16(); assert model.tied is model[2].weight; optimizer = torch.optim.SGD(model.parameters(), lr=0.1)", "value = loss(model(x.bfloat16()), y)", "value.backward(); optimizer.step()"),
    "compiled": ("model = torch.compile(model, mode='max-autotune')", "value = loss(model(x), y)", "value.backward(); optimizer.step()"),
    "compiled in place": ("model.compile()", "value = loss(model(x), y)", "value.backward(); optimizer.step()"),
    "scaled": ("scaler = torch.amp.GradScaler('cpu')", "value = loss(model(x), y)",
               "scaler.scale(value).backward(); scaler.unscale_(optimizer); nn.utils.clip_grad_norm_(model.parameters(), 1.0); scaler.step(optimizer); scaler.update()"),
    "accumulating": ("", "for _ in range(2):\n    value = loss(model(x), y) / 2\n    value.backward()\n    print(value.item())", "optimizer.step()"),
    "logged": ("total = 0", "value = loss(model(x), y)", "value.backward(); total += float(value) + int(value) + value.tolist() + float(value.detach().cpu().numpy()); "
               "print(f'{value:.3f}', value > 0 and total); optimizer.step()"),
    "autocast": ("", "with torch.autocast('cpu', dtype=torch.bfloat16):\n    value = loss(model(x), y)", "value.backward(); optimizer.step()"),
}


@pytest.fixture(scope="module")
def visited(tmp_path_factory):
    """What the doctor says of the script with each kind of update, with its modules in a file beside it."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "shapes.py").write_text("""
import torch
from torch import nn

class Flip(nn.Module):
    def forward(self, x):
        return x.flip(-1)

class Net(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
        self.tied = self[2].weight
""")
    found = {}
    for kind, (prepare, call, update) in UPDATES.items():
        (folder / "train.py").write_text(TRAINING.replace("MODEL", prepare).replace("CALL", call).replace("UPDATE", update))
        found[kind] = doctor.examine(str(folder / "train.py"), [], effort=500)
    sys.modules.pop("shapes", None)
    return found


@pytest.mark.parametrize("kind", UPDATES)
def test_the_doctor_finds_the_step_of_a_script(kind, visited):
    """A transform would be taken for the model, a file beside the script not found, or a conversion, a scaler or torch.compile would end the visit."""
    (seen, found), (_, plain) = visited[kind], visited["plain"]
    assert type(seen.module).__name__ == "Net" and isinstance(seen.optimizer, torch.optim.SGD) and seen.outside_bytes > 0
    assert seen.autocast == (("cpu", torch.bfloat16) if kind == "autocast" else None)
    if kind in ("autocast", "halves"):
        assert found.unplanned_bytes < plain.unplanned_bytes
    elif kind == "accumulating":
        assert seen.accumulates and (found.held_bytes, found.unplanned_bytes) == (plain.held_bytes + plain.gradient_bytes, plain.unplanned_bytes + plain.gradient_bytes)
        assert found.update_bytes == plain.update_bytes
    else:
        assert not seen.accumulates and found.unplanned_bytes == plain.unplanned_bytes and found.least_bytes == pytest.approx(plain.least_bytes, rel=1e-3)


def test_the_doctor_reads_a_script_of_a_model_that_returns_its_loss(tmp_path):
    """Language models of transformers return their loss, logits and a cache: the visit would end, and the line to add would not be for them."""
    transformers = pytest.importorskip("transformers")
    config = "transformers.GPT2Config(vocab_size=500, n_positions=64, n_embd=64, n_layer=3, n_head=4, bos_token_id=1, eos_token_id=1)"
    (tmp_path / "train.py").write_text(f"""
import torch, transformers
model = transformers.GPT2LMHeadModel({config})
optimizer = torch.optim.AdamW(model.parameters())
for step in range(8):
    words = torch.randint(0, 500, (16, 64))
    loss = model(input_ids=words, labels=words).loss / 4
    loss.backward()
    print(loss.item())
    if step % 4 == 3:
        optimizer.step()
""")
    seen, found = doctor.examine(str(tmp_path / "train.py"), [], effort=500, measure=True)
    assert type(seen.module).__name__ == "GPT2LMHeadModel" and seen.accumulates and isinstance(seen.optimizer, torch.optim.AdamW)
    model = transformers.GPT2LMHeadModel(eval(config))
    optimizer, words = torch.optim.AdamW(model.parameters()), torch.randint(0, 500, (16, 64))
    step = eval(found.suggestion.partition(" = ")[2], {"memplan": memplan, "model": model, "optimizer": optimizer})
    for _ in range(2):
        step(input_ids=words, labels=words).backward()
        assert step.report.verdict == "kept"


def test_the_doctor_says_what_is_no_training_script(tmp_path, capsys):
    """Somebody who mistypes a name would read a traceback of the doctor itself."""
    (tmp_path / "none.py").write_text("import torch\ntorch.nn.Flatten()(torch.randn(2, 3))\n")
    assert doctor.main(["doctor", str(tmp_path / "none.py")]) == 2
    assert "called no module that has parameters to train" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        doctor.main(["doctor", str(tmp_path / "nowhere.py")])
    assert "no script " in capsys.readouterr().err


def test_the_doctor_shows_progress_on_a_terminal_only(tmp_path):
    """A pipe would be filled with lines that erase each other, or somebody who waits would see nothing."""
    (tmp_path / "train.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "memplan.torch", "doctor", "--budget=1GiB", tmp_path / "train.py", "8"]
    environment = {"PYTHONPATH": str(pathlib.Path(memplan.__file__).parents[1]), "PATH": "/usr/bin:/bin"}
    ours, theirs = pty.openpty()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
    os.close(theirs)
    said, again = b"", 0.0
    with contextlib.suppress(OSError):  # The terminal is gone once the process is.
        while part := os.read(ours, 4096):
            said += part
            # One that arrives in a callback of the interpreter is ignored; one while it exits ends it at once.
            if b"doctor: " in part and time.monotonic() > again:
                running.send_signal(signal.SIGINT)
                again = time.monotonic() + 10
    os.close(ours)
    assert running.wait() == 130 and b"stopped by Ctrl-C" in said, said


def test_wrap_takes_the_fewest_blocks_and_changes_no_bit():
    """Block checkpointing by hand updates running statistics twice, and is more than the budget asks for."""
    model, inputs = Residual(), images()
    eager, counts = copy.deepcopy(model), []
    free = blocks.step_bytes(model, inputs, cross_entropy)
    for budget in (free, free - 1, int(0.75 * free), int(0.6 * free)):
        counts.append(budgets.wrap(copy.deepcopy(model), budget, inputs, loss=cross_entropy))
        assert counts[-1].estimated_bytes <= budget
    assert [w.checkpointed for w in counts] == sorted(w.checkpointed for w in counts) and counts[0].checkpointed == 0 < counts[1].checkpointed
    chosen = budgets.wrap(model, int(0.75 * free), inputs, loss=cross_entropy)
    for number in range(2):
        results = []
        for net in (model, eager):
            torch.manual_seed(number)
            value = cross_entropy(net(inputs[0]), inputs[1])
            value.backward()
            results.append([value, *(p.grad for p in net.parameters()), *net.buffers()])
            net.zero_grad()
        assert all(torch.equal(a, b) for a, b in zip(*results, strict=True))
    with pytest.raises(budgets.UnsupportedGraph, match="already"):
        budgets.wrap(model, free, inputs, loss=cross_entropy)
    with pytest.raises(budgets.BudgetError) as error:
        budgets.wrap(eager, free // 20, inputs, loss=cross_entropy)
    assert free // 20 < error.value.least < chosen.estimated_bytes


def test_wrap_copies_inputs_of_blocks_to_the_host_where_checkpoints_do_not_suffice():
    """A budget below that of all checkpoints would be refused, or what the step takes would not be what was said, or a bit would change."""
    def build():
        torch.manual_seed(0)
        return nn.Sequential(*(nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64), nn.Tanh(), nn.Dropout(0.1), nn.Linear(64, 64)) for _ in range(6)))

    x = torch.randn(2048, 64)
    with pytest.raises(budgets.BudgetError) as error:
        budgets.wrap(build(), 1, (x,))
    least, eager, taken, peaks = error.value.least, build(), [], []
    with pytest.raises(budgets.BudgetError) as error:
        budgets.wrap(build(), 1, (x,), offload="host")
    # Five inputs are made in the step and one at a time comes back; the peak is then where more gradients are there.
    assert error.value.least <= least - 2 * x.nbytes
    for budget in (least, least - 1, error.value.least):
        model = build()
        chosen = budgets.wrap(model, budget, (x,), offload="host")
        assert (chosen.offloaded > 0) == (budget < least) and chosen.estimated_bytes <= budget
        taken.append(chosen.offloaded)
        torch.manual_seed(1)
        peaks.append(allocator.peak_of(lambda: model(x).sum().backward())[0])
        for p in eager.parameters():
            p.grad = None
        eager.load_state_dict(build().state_dict())
        torch.manual_seed(1)
        eager(x).sum().backward()
        pairs = [(p.grad, q.grad) for p, q in zip(model.parameters(), eager.parameters())] + list(zip(model.buffers(), eager.buffers()))
        assert all(torch.equal(a, b) for a, b in pairs)
    assert taken == sorted(taken) and taken[0] == 0 < taken[1] and peaks[2] <= peaks[0] - 2 * x.nbytes
    with pytest.raises(ValueError, match="offload"):
        budgets.wrap(build(), least, (x,), offload="disk")


class Uneven(nn.Module):
    """Blocks that keep little or much for the time of their forward."""

    def __init__(self):
        super().__init__()
        kinds = [(512, 32), (512, 2048), (512, 64), (512, 1024), (512, 4096), (512, 128)]
        self.blocks = nn.Sequential(*(nn.Sequential(nn.Linear(width, inner), nn.Tanh(), nn.Sigmoid(), nn.Linear(inner, width)) for width, inner in kinds))

    def forward(self, x):
        return self.blocks(x)


@pytest.mark.parametrize("bandwidth", [None, "16000,16000,10", "400000,400000,1"])
def test_wrap_is_never_slower_than_blocks_by_number_and_more_budget_is_never_slower(bandwidth):
    """First blocks would run again though others are cheaper, what a copy brings back would run again, or more budget would take more time."""
    with torch.device("meta"):
        model, inputs = Uneven(), (torch.empty(1024, 512),)
    link, parts = bandwidth and choice.Link.parse(bandwidth), list(model.blocks)
    by_number = [blocks.trace_step(model, parts, ways, inputs, link=link) for ways in blocks._by_number(len(parts), link is not None)]
    free, least = by_number[0].highest, min(trace.highest for trace in by_number)
    before, gains, ways = None, 0, set()
    for step in range(13):
        budget = least + (free - least) * step // 12
        copied = copy.deepcopy(model)
        chosen = budgets.wrap(copied, budget, inputs, offload=link and "host", bandwidth=bandwidth or "1,1")
        trace = blocks.trace_step(model, parts, [choice.Way(way) for way in chosen.ways], inputs, link=link)
        assert chosen.estimated_bytes == trace.highest <= budget
        assert chosen.overhead == pytest.approx(trace.micros / by_number[0].micros - 1)
        old = min(t.micros for t in by_number if t.highest <= budget)
        assert trace.micros <= old * (1 + 1e-9) and (before is None or trace.micros <= before * (1 + 1e-9))
        gains, before = gains + (trace.micros < 0.999 * old), trace.micros
        ways |= set(chosen.ways)
    assert gains >= 4 and ("offload" in ways) == (bandwidth == "400000,400000,1")


def test_wrap_brings_saved_tensors_back_unchanged():
    """Gradients would be wrong where what autograd saves is the same tensor twice, a view, or at an address that another had."""

    class Block(nn.Sequential):
        def forward(self, x):
            a, b = super().forward(x).chunk(2, -1)
            return x + torch.sigmoid(a) * torch.tanh(a) * b.relu()

    torch.manual_seed(0)
    model = nn.Sequential(*(Block(nn.Linear(16, 64), nn.Dropout(0.2), nn.Linear(64, 32)) for _ in range(4)))
    eager, x = copy.deepcopy(model), torch.randn(64, 16)
    for block in model:
        block.forward = blocks._going(block, choice.Way.OFFLOAD)
    for net in (model, eager):
        torch.manual_seed(1)
        (net(x) ** 2).sum().backward()
    assert all(torch.equal(p.grad, q.grad) for p, q in zip(model.parameters(), eager.parameters(), strict=True))
    with torch.no_grad():
        assert torch.equal(model.eval()(x), eager.eval()(x))


def test_wrap_leaves_out_blocks_that_do_not_run():
    """A block that only another mode uses would end in an error of memplan itself, or be counted as saving bytes."""
    model, inputs = Residual(count=2), images()
    model.spare = nn.ModuleList([nn.Sequential(nn.Linear(4, 4), nn.Tanh())])
    chosen = budgets.wrap(model, blocks.step_bytes(model, inputs, cross_entropy) - 1, inputs, loss=cross_entropy)
    assert 0 < chosen.checkpointed <= len(chosen.ways) == 2 and "forward" not in vars(model.spare[0])
    with pytest.raises(ValueError, match="bandwidth"):
        budgets.wrap(Residual(), "1GB", inputs, loss=cross_entropy, offload="host", bandwidth="fast")


def test_a_step_on_fake_tensors_takes_what_the_real_one_takes():
    """wrap() would choose by figures of another program."""
    model = nn.Sequential(*(nn.Sequential(nn.Linear(64, 64), nn.Tanh()) for _ in range(4)))
    x = torch.randn(256, 64)
    held = sum(t.nbytes for t in (*model.parameters(), x))
    taken, _ = allocator.peak_of(lambda: model(x).sum().backward())
    assert blocks.step_bytes(model, (x,)) == held + taken


def test_a_step_without_gradients_is_named():
    """An empty graph would be planned."""
    with pytest.raises(ValueError, match="no gradient"):
        trace.trace_joint(nn.ReLU(), (torch.randn(2),))


def test_code_that_asks_whether_it_is_compiled_leaves_out_what_depends_on_values():
    """Language models of transformers look at values of their position ids where nothing compiles them: explain() would end in an error of fake tensors."""

    class Looking(nn.Linear):
        def forward(self, x):
            if not torch.compiler.is_compiling() and bool((x > 0).all()):
                return x
            return super().forward(x)

    assert budgets.explain(Looking(8, 4), (torch.randn(2, 8), torch.randint(0, 4, (2,))), cross_entropy).unplanned_bytes > 0
    assert not torch.compiler.is_compiling()
