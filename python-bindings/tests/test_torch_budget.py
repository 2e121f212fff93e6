"""memplan.torch: a budget in bytes that a real step keeps, and what breaks budgets, a rule each (docs/Torch.md)."""

import copy
import functools
import logging
import os
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan  # noqa: E402
import memplan.torch as budgets  # noqa: E402
from memplan.torch import allocator, capture, emit, operators, optimizer, solve, trace, verify  # noqa: E402
from memplan.torch.schedule import Schedule  # noqa: E402
from torch_steps import EFFORT, Convolutions, Words, assert_as_eager, between, compiled, images, needs, scratch, words  # noqa: E402,F401
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy, mse_loss  # noqa: E402

# ---- the whole way


def test_a_real_step_keeps_its_budget_to_the_byte_and_computes_what_eager_does(compiled):
    """A user's step would exceed what was promised, or train another model. Batch norm runs again and its statistics are
    written once; outputs of the backward are views (gradients of linear layers)."""
    model, inputs = Convolutions(), images()
    eager = copy.deepcopy(model)
    step = compiled(model, "1GB", loss=cross_entropy)
    step(*inputs).backward()
    assert step.report.verdict == "kept" and step.report.measured_bytes == step.report.planned_bytes
    model.load_state_dict(eager.state_dict())
    model.zero_grad()
    with pytest.raises(budgets.BudgetError) as error:
        compiled(model, 1000, loss=cross_entropy)(*inputs)
    budget = between(step.report.planned_bytes, error.value.least, 0.2)
    step = compiled(model, budget, loss=cross_entropy)
    assert_as_eager(step, model, eager, inputs)
    assert step.report.measured_bytes == step.report.planned_bytes <= budget < step.report.unplanned_bytes
    assert step.report.verdict == "kept" and step.report.recomputations > 0
    nodes = step.schedule.graph.nodes
    again = [r for r in step.schedule.runs if r.after_boundary and nodes[r.node].fx and operators.recomputation_of(nodes[r.node].fx)]
    assert again, "the budget was meant to make a batch norm run again"


@pytest.fixture(scope="module")
def resnet():
    torchvision = pytest.importorskip("torchvision")
    with torch.device("meta"):
        net, x, y = torchvision.models.resnet18(), torch.empty(8, 3, 224, 224), torch.empty(8, dtype=torch.long)
    joint = trace.trace_joint(net, (x, y), cross_entropy)
    return capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)


def test_resnet18_takes_what_its_plan_says_on_fake_tensors(resnet):
    """The promise would be off by what emission adds or forgets; more budget would cost time."""
    most, costs = solve.unplanned(resnet), []
    assert verify.true_live_bytes(resnet, *emit.emit(most)) == most.live_bytes == 231_765_288
    for budget in (170_000_000, 230_000_000):
        schedule = solve.solve(resnet, budget, effort=EFFORT)
        assert verify.true_live_bytes(resnet, *emit.emit(schedule)) == schedule.live_bytes <= budget
        costs.append(schedule.cost)
    assert costs == sorted(costs, reverse=True) and costs[-1] < 1.02 * most.cost


def test_what_no_plan_keeps_says_what_can_be_kept(compiled):
    """A user could not choose a budget that works."""
    model, inputs = Convolutions(), images()
    with pytest.raises(budgets.BudgetError) as error:
        compiled(model, "100KB", loss=cross_entropy)(*inputs)
    assert error.value.least > 100_000
    step = compiled(model, error.value.least, loss=cross_entropy)
    step(*inputs).backward()
    assert step.report.verdict == "kept"


def test_a_refused_budget_is_planned_for_once(compiled, monkeypatch):
    """The search for a plan that is not there would be followed by one for the least budget, which is known by then."""
    asked, within = [], solve.plan_within
    monkeypatch.setattr(solve, "plan_within", lambda graph, budget, *more: asked.append(budget) or within(graph, budget, *more))
    model, inputs = Convolutions(4), images(size=48)
    with pytest.raises(budgets.BudgetError) as error:
        compiled(model, 100_000, loss=cross_entropy)(*inputs)
    assert asked == [100_000]
    compiled(model, error.value.least, loss=cross_entropy)(*inputs).backward()


def test_what_a_long_search_refuses_a_short_one_may_keep(monkeypatch):
    """A user would be told that no plan is known within a budget for which a tenth of the work finds one."""
    joint = trace.trace_joint(Convolutions(4), images(size=48), cross_entropy)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
    short = memplan.min_budget(solve.as_graph(graph), effort=solve.LITTLE, **solve.OPTIONS).plan
    within, least = solve.plan_within, solve.as_schedule(graph, short).peak_bytes

    def refuses(planned, budget, effort=0, *more, **options):
        if effort != solve.LITTLE:
            raise budgets.BudgetError("not found", 2 * least, None, None)
        return within(planned, budget, effort, *more, **options)

    monkeypatch.setattr(solve, "plan_within", refuses)
    monkeypatch.setattr(solve, "_within_beside", lambda *_: None)
    monkeypatch.setattr(solve, "_least_beside", lambda graph, *_: solve.unplanned(graph))
    schedule = solve.solve(graph, least)
    assert schedule.peak_bytes <= least and any(run.after_boundary for run in schedule.runs)
    with pytest.raises(budgets.BudgetError) as error:
        solve.solve(graph, least - 1)
    assert least <= error.value.least <= solve.ROUGH * least


def test_a_short_search_with_results_beside_their_arguments_is_the_last(monkeypatch):
    """mobilenet_v3_small:64 would be refused the least budget that is known for it, and explain() would name a larger one."""
    joint = trace.trace_joint(Convolutions(4), images(size=48), cross_entropy)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
    beside = solve._least_beside

    def only_short(graph, planned, effort):
        return beside(graph, planned, effort) if effort == solve.LITTLE else solve.unplanned(graph)

    def refuses(*_, **__):
        raise budgets.BudgetError("not found", None, None, None)

    monkeypatch.setattr(solve, "_least_beside", only_short)
    monkeypatch.setattr(solve, "plan_within", refuses)
    least = beside(graph, solve.as_graph(graph), solve.LITTLE).peak_bytes
    assert least < solve.unplanned(graph, overwrites=True).peak_bytes
    assert solve.solve(graph, least).peak_bytes == least and solve.least(graph).peak_bytes <= least
    with pytest.raises(budgets.BudgetError) as error:
        solve.solve(graph, least - 1)
    assert error.value.least == least


def test_modules_that_take_more_than_their_plan_are_refused(resnet):
    """A bug of emission would become a budget that is exceeded in silence."""
    schedule = solve.unplanned(resnet)
    forward, backward = emit.emit(schedule)
    schedule.live_bytes -= 1
    with pytest.raises(budgets.BudgetError, match="live bytes"):
        verify.verify(schedule, forward, backward, 1 << 40)


# ---- what breaks budgets


def test_scratch_of_operators_is_measured_and_counts(compiled):
    """Convolutions copy to another layout: without measuring, the step takes more than its plan."""
    model, inputs = Convolutions(norm=False), images()
    step = compiled(model, "1GB", loss=cross_entropy, measure=False, on_miss="ignore")
    step(*inputs).backward()
    assert step.report.measured_bytes > step.report.planned_bytes
    model.zero_grad()
    step = compiled(model, "1GB", loss=cross_entropy)
    step(*inputs).backward()
    assert step.report.measured_bytes == step.report.planned_bytes and not step.report.unmeasured


def test_measurements_are_kept_in_a_profile(tmp_path):
    """Every start of a program would measure again, and another device's figures would be believed."""
    joint = trace.trace_joint(nn.Linear(4, 4), (torch.randn(2, 4), torch.randn(2, 4)), mse_loss)
    first, again = budgets.Measurements(tmp_path / "p.json"), budgets.Measurements(tmp_path / "p.json")
    assert first.scratch(joint.module) == again.scratch(joint.module) and first.measured > 0 == again.measured
    (tmp_path / "p.json").write_text((tmp_path / "p.json").read_text().replace("torch-", "another-"))
    other = budgets.Measurements(tmp_path / "p.json")
    other.scratch(joint.module)
    assert other.measured == first.measured


@pytest.mark.parametrize("variables", [{"ATEN_CPU_CAPABILITY": "default"}, {"ONEDNN_MAX_CPU_ISA": "SSE41"}], ids=["torch", "onednn"])
def test_profiles_are_named_after_the_instructions_that_kernels_may_use(variables):
    """Other instructions choose other kernels: scratch that was measured with them would be believed, and budgets exceeded."""
    program = "import torch\nfrom memplan.torch import measure\nprint(measure.device_name(torch.device('cpu')))"
    plain = {name: value for name, value in os.environ.items() if name not in ("ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA")}
    plain["PYTHONPATH"] = str(pathlib.Path(memplan.__file__).parents[1])
    names = [subprocess.run([sys.executable, "-c", program], env=plain | more, capture_output=True, text=True, check=True).stdout
             for more in ({}, {}, variables)]
    assert names[0] == names[1] != names[2]


def test_a_refusal_is_raised_without_the_frames_of_the_framework(compiled):
    """A user would scroll through some sixty frames of PyTorch to read one line."""
    with pytest.raises(budgets.BudgetError) as error:
        compiled(Convolutions(), 1000, loss=cross_entropy)(*images())
    assert len(error.traceback) < 5 and error.value.__cause__ is None


def test_mutated_inputs_keep_their_old_value_for_those_who_read_it(compiled):
    """A recomputation after the update would read the new value of a buffer."""

    class Counts(nn.Module):
        """Every other layer reads the buffer. Next to the least budget all that may run again does."""

        def __init__(self):
            super().__init__()
            self.layers, self.head = nn.ModuleList(nn.Conv2d(3 if at == 0 else 8, 8, 3) for at in range(6)), nn.Linear(8, 10)
            self.register_buffer("scale", torch.ones(()))

        def forward(self, x):
            for at, layer in enumerate(self.layers):
                x = (layer(x) + self.scale if at % 2 else layer(x)).tanh()
            self.scale.add_(0.5)
            return self.head(x.mean((2, 3)))

    model, inputs = Counts(), images()
    most, least = needs(model, inputs)
    eager, step = copy.deepcopy(model), compiled(model, between(most, least, 0.02), loss=cross_entropy, measure=False, on_miss="ignore")
    assert_as_eager(step, model, eager, inputs)
    assert step.report.recomputations > 0 and model.scale == 2.5


def test_dropout_runs_again_from_its_saved_state(compiled):
    """A mask drawn anew would give wrong gradients; a mask that must be kept costs bytes."""
    model, inputs = Words(layers=2), words()
    with pytest.raises(budgets.BudgetError) as error:
        compiled(model, 1000, loss=cross_entropy, measure=False)(*inputs)
    budget = int(1.03 * error.value.least)
    eager, step = copy.deepcopy(model), compiled(model, budget, loss=cross_entropy, measure=False, on_miss="ignore")
    assert_as_eager(step, model, eager, inputs)
    assert any(run.replays for run in step.schedule.runs)


def test_tied_weights_count_once(compiled):
    """The tied weight would be counted, or its gradient lost, twice."""
    model, inputs = Words(rate=0.0), words()
    eager, step = copy.deepcopy(model), compiled(model, "1GB", loss=cross_entropy)
    assert_as_eager(step, model, eager, inputs, steps=2)
    parameters = sum(p.numel() * 4 for p in model.parameters())
    assert step.schedule.graph.held_bytes() == parameters + sum(t.nbytes for t in inputs)


def test_parameters_of_one_memory_count_once(compiled):
    """Two parameters that are tied by their memory would count twice, and a budget be refused that works."""
    model, inputs = Words(rate=0.0), words()
    model.out.weight = nn.Parameter(model.embed.weight.detach())
    step = compiled(model, "1GB", loss=cross_entropy)
    step(*inputs).backward()
    memory = {p.untyped_storage().data_ptr(): p.nbytes for p in model.parameters()}
    assert len(memory) == len(list(model.parameters())) - 1
    assert step.schedule.graph.held_bytes() == sum(memory.values()) + sum(t.nbytes for t in inputs)
    assert step.report.verdict == "kept" and step.report.measured_bytes == step.report.planned_bytes


def test_what_the_graph_does_not_read_counts_too(compiled):
    """Parameters of another head are on the device all the same."""
    model, inputs = Convolutions(), images()
    model.other = nn.Linear(1000, 100)
    step = compiled(model, "1GB", loss=cross_entropy)
    step(*inputs).backward()
    assert step.report.fixed_bytes == 4 * (1000 * 100 + 100)


def test_a_loss_outside_is_refused_or_measured(compiled):
    """What the loss takes is not in the graph: the first step would exceed its budget."""

    def costly(outputs, targets):
        return cross_entropy(outputs, targets) + torch.zeros(10**6).sum()

    model, (x, y) = Words(rate=0.0), words(batch=16)
    with pytest.raises(budgets.UnsupportedGraph, match="loss is outside"):
        compiled(model, "1GB")(x)
    step = compiled(model, "1GB", outside="measure")
    costly(step(x), y).backward()
    assert step.report.measured_bytes > step.report.planned_bytes + 2_000_000
    model.zero_grad()
    budget = step.report.measured_bytes - 200_000
    step = compiled(model, budget, outside="measure")
    verdicts = []
    for _ in range(2):
        costly(step(x), y).backward()
        model.zero_grad()
        verdicts.append(step.report.verdict)
    assert verdicts == ["missed", "kept"] and step.report.measured_bytes <= budget and step.report.recomputations > 0


def test_gradients_that_are_there_count(compiled):
    """The second micro-batch of an accumulation holds the gradients of the first."""
    model, inputs = Convolutions(width=32), images(size=8)
    gradients = sum(p.numel() * 4 for p in model.parameters())
    step = compiled(model, "1GB", loss=cross_entropy)
    step(*inputs).backward()
    first = step.report
    step(*inputs).backward()
    assert step.report.fixed_bytes == first.fixed_bytes + gradients
    assert step.report.measured_bytes == step.report.planned_bytes > first.planned_bytes
    model.zero_grad()
    tight = compiled(model, step.report.planned_bytes - 10_000, loss=cross_entropy)
    for recomputations in (False, True):
        tight(*inputs).backward()
        assert tight.report.verdict == "kept" and (tight.report.recomputations > 0) == recomputations


def test_gradients_of_modules_in_containers_count(compiled):
    """A step over a list of modules, with no optimizer that names their parameters, would find no gradients of theirs."""
    towers, inputs = {"both": [Convolutions(), Convolutions()]}, images()

    def step_of_all(x, y):
        return sum(cross_entropy(tower(x), y) for tower in towers["both"])

    step = compiled(step_of_all, "1GB")
    step(*inputs).backward()
    first = step.report
    step(*inputs).backward()
    assert step.report.fixed_bytes == first.fixed_bytes + sum(4 * p.numel() for tower in towers["both"] for p in tower.parameters())


def test_state_and_temporaries_of_the_optimizer_count(compiled):
    """Adam holds two moments during the step, and its update may take more than the step."""
    model, inputs = Convolutions(), images()
    adam = torch.optim.Adam(model.parameters(), foreach=True)
    found = optimizer.needs(adam)
    step = compiled(model, "1GB", loss=cross_entropy, optimizer=adam)
    step(*inputs).backward()
    assert step.report.fixed_bytes == found.state_bytes

    for p in model.parameters():
        p.grad = torch.zeros_like(p)
    assert step.report.verdict == "kept"  # ends the watch
    taken, _ = allocator.peak_of(adam.step)
    held = optimizer.distinct_bytes(t for s in adam.state.values() for t in s.values())
    assert found.state_bytes == held and taken <= found.update_bytes
    wide = nn.Linear(2000, 10)
    step = compiled(wide, 400_000, loss=cross_entropy, optimizer=torch.optim.Adam(wide.parameters()))
    with pytest.raises(budgets.BudgetError, match="update"):
        step(torch.randn(1, 2000), torch.zeros(1, dtype=torch.long))


def test_graph_breaks_are_refused(compiled):
    """Each graph would take the whole budget."""

    class Breaks(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Linear(4, 4), nn.Linear(4, 4)

        def forward(self, x):
            x = self.one(x)
            torch._dynamo.graph_break()
            return self.two(x)

    x, y = torch.randn(2, 4), torch.randn(2, 4)
    with pytest.raises(budgets.UnsupportedGraph, match="more than one graph"):
        compiled(Breaks(), "1GB", loss=mse_loss)(x, y)
    with budgets.budget("1GB", measure=False), pytest.raises(Exception, match="more than one graph"):
        torch.compile(Breaks(), backend="memplan")(x)
    torch._dynamo.reset()


def test_a_step_may_log(compiled, monkeypatch):
    """Models of transformers warn once while they compute their loss: such a step would be refused as two graphs."""
    logger = logging.getLogger("step")
    monkeypatch.setattr(logging.Logger, "warning_once", functools.lru_cache(None)(lambda self, text: self.warning(text)), raising=False)

    class Logging(nn.Sequential):
        def forward(self, x):
            logger.warning_once("once")
            logger.info("step of %d samples", x.shape[0])
            return super().forward(x)

    step = compiled(Logging(nn.Linear(8, 8), nn.ReLU()), "1MiB", loss=nn.functional.mse_loss)
    for _ in range(2):
        step(torch.randn(4, 8), torch.randn(4, 8)).backward()
        assert step.report.verdict == "kept"


def test_each_batch_size_has_a_plan_of_its_own(compiled):
    """A larger batch would run by the plan of a smaller one."""
    model = Convolutions()
    step = compiled(model, needs(model, images(8))[0], loss=cross_entropy, measure=False, on_miss="ignore")
    planned = []
    for batch in (4, 8, 2):
        step(*images(batch)).backward()
        model.zero_grad()
        planned.append(step.report.planned_bytes)
    assert planned[2] < planned[0] < planned[1] <= step.report.budget_bytes
    with pytest.raises(budgets.BudgetError):
        step(*images(64))


def test_autocast_is_in_the_graph(compiled):
    """Casts of weights and activations are values with bytes."""
    model, inputs = Convolutions(norm=False), images()

    def half():
        return torch.autocast("cpu", dtype=torch.bfloat16)

    def build():
        return compiled(model, "1GB", loss=cross_entropy, measure=False, on_miss="ignore")

    eager, step = copy.deepcopy(model), build()
    assert_as_eager(step, model, eager, inputs, context=half, steps=2)
    halved = step.report.live_bytes
    step = build()
    step(*inputs).backward()
    assert halved < step.report.live_bytes


def test_retain_graph_is_refused(compiled):
    """Autograd would keep what the plan releases."""
    model, inputs = Convolutions(), images()
    value = compiled(model, "1GB", loss=cross_entropy)(*inputs)
    with pytest.raises(budgets.UnsupportedGraph, match="retain_graph"):
        value.backward(retain_graph=True)


def test_checkpoints_inside_are_planned_like_the_rest(compiled):
    """A block under torch.utils.checkpoint would be recomputed as a whole beside the plan."""

    class Checkpointed(Words):
        def forward(self, ids):
            x = self.embed(ids)
            for block in self.blocks:
                x = x + torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)
            return self.out(x).flatten(0, -2)

    model, inputs = Checkpointed(), words()
    eager, step = copy.deepcopy(model), compiled(model, "1GB", loss=cross_entropy)
    assert_as_eager(step, model, eager, inputs, steps=2)
    assert step.report.recomputations == 0 and step.report.verdict == "kept"


def test_without_gradients_the_budget_holds_too(compiled):
    """An evaluation under the same step would not be looked at."""
    model, inputs = Convolutions().eval(), images()
    step = compiled(model, "1GB", loss=cross_entropy)
    with torch.no_grad():
        assert torch.equal(step(*inputs), cross_entropy(model(inputs[0]), inputs[1]))
        with pytest.raises(budgets.BudgetError, match="without gradients"):
            compiled(model, 40_000, loss=cross_entropy)(*inputs)


# ---- the other doors


def test_the_backend_by_name_keeps_the_budget_of_its_context():
    """Code that calls torch.compile itself would have no way to a budget."""
    model, inputs = Convolutions(), images()
    most, least = needs(model, inputs)
    net = torch.compile(nn.Sequential(model), backend="memplan", fullgraph=True)
    with budgets.budget(between(most, least, 0.5), outside=0, measure=False) as session:
        cross_entropy(net(inputs[0]), inputs[1]).backward()
    assert session.report.planned_bytes <= session.budget and session.report.recomputations > 0
    torch._dynamo.reset()
    with pytest.raises(Exception, match="has no budget"):
        torch.compile(Convolutions(), backend="memplan")(inputs[0])
    torch._dynamo.reset()


def test_a_step_may_be_a_function(compiled):
    """Steps with a loss of their own are functions over modules."""
    model, inputs = Convolutions(), images()

    def training_step(x, y):
        return cross_entropy(model(x), y, label_smoothing=0.1)

    step = compiled(training_step, "1GB")
    step(*inputs).backward()
    assert step.report.verdict == "kept"
    step(*inputs).backward()  # the gradients of the closure's module are seen
    assert step.report.fixed_bytes == sum(p.numel() * 4 for p in model.parameters())


def test_a_first_run_that_nobody_reads_is_dropped(resnet):
    """Planners may run a node in its place, drop the result and run it again: that run is work for nothing."""
    nodes = resnet.nodes
    last = max(n.id for n in nodes if n.backward and n.fx is not None and "convolution_backward" in str(n.fx.target))
    order = [(n.id, []) for n in nodes]
    position = [n for n, _ in order].index(last)
    doubled = Schedule(resnet, [*order[: position + 1], *order[position:]])
    assert doubled.recomputations == 0 and doubled.cost == solve.unplanned(resnet).cost
