"""memplan.torch: results that are written over arguments."""

import copy

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan.torch as budgets  # noqa: E402
from memplan.torch import capture, emit, in_place, solve, trace, verify  # noqa: E402
from memplan.torch.schedule import Schedule  # noqa: E402
from torch_steps import EFFORT, Convolutions, Words, assert_as_eager, between, compiled, images, needs, scratch, words  # noqa: E402,F401
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy, mse_loss  # noqa: E402

aten = torch.ops.aten
ON_ELEMENTS = {
    "relu": lambda a, b: aten.relu(a), "add": lambda a, b: aten.add(a, b, alpha=2), "mul": lambda a, b: aten.mul(a, b), "sub": lambda a, b: aten.sub(a, b), "div": lambda a, b: aten.div(a, b),
    "gelu": lambda a, b: aten.gelu(a), "gelu_tanh": lambda a, b: aten.gelu(a, approximate="tanh"), "silu": lambda a, b: aten.silu(a), "tanh": lambda a, b: aten.tanh(a),
    "sigmoid": lambda a, b: aten.sigmoid(a), "hardtanh": lambda a, b: aten.hardtanh(a, 0, 6), "hardswish": lambda a, b: aten.hardswish(a), "exp": lambda a, b: aten.exp(a),
    "elu": lambda a, b: aten.elu(a), "leaky_relu": lambda a, b: aten.leaky_relu(a, 0.1), "pow": lambda a, b: aten.pow(a, 2.0), "masked": lambda a, b: aten.masked_fill(a, b > 0, 3.0),
    "threshold_backward": lambda a, b: aten.threshold_backward(a, b, 0), "gelu_backward": lambda a, b: aten.gelu_backward(a, b, approximate="tanh"),
    "silu_backward": lambda a, b: aten.silu_backward(a, b), "tanh_backward": lambda a, b: aten.tanh_backward(a, b), "sigmoid_backward": lambda a, b: aten.sigmoid_backward(a, b),
    "hardtanh_backward": lambda a, b: aten.hardtanh_backward(a, b, 0, 6), "addcmul": lambda a, b: aten.addcmul(a, b, b), "broadcast": lambda a, b: aten.add(a, b[:1]),
    "log_softmax": lambda a, b: aten._log_softmax(a, 1, False), "softmax_rows": lambda a, b: aten._softmax(a, -1, False),
    "log_softmax_backward": lambda a, b: aten._log_softmax_backward_data(a, b, 1, a.dtype), "softmax_backward": lambda a, b: aten._softmax_backward_data(a, b, -1, a.dtype),
}  # fmt: skip

CONTIGUOUS = ("masked", "log_softmax", "softmax_rows", "log_softmax_backward", "softmax_backward")  # the only results that lie over an argument


def nodes_of(function, *values):
    """The graph of `function` with fake values, as joint graphs have it."""
    return torch.fx.experimental.proxy_tensor.make_fx(function, tracing_mode="fake")(*values)


@pytest.mark.parametrize("last", [False, True], ids=["contiguous", "channels last"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("name", ON_ELEMENTS)
def test_a_result_over_an_argument_has_the_bits_of_one_beside_it(name, dtype, last):
    """A step that fits its budget would train another model."""
    made = torch.Generator().manual_seed(3)
    values = [torch.randn(3, 17, 5, 40, generator=made).to(dtype) for _ in range(2)]
    values = [v.to(memory_format=torch.channels_last) if last else v for v in values]
    gm = nodes_of(ON_ELEMENTS[name], *values)
    node = [n for n in gm.graph.nodes if n.op == "call_function"][-1]
    over = in_place.candidates(node)
    assert bool(over) != (last and name in CONTIGUOUS), "the wrong arguments can be overwritten"
    beside = gm(*values)
    for argument in over:
        graph, form = copy.deepcopy(gm), in_place.form_of(node.target)
        there = next(n for n in graph.graph.nodes if n.name == node.name)
        at = next(n for n in graph.graph.nodes if n.name == argument.name)
        there.args, there.kwargs = form.call(at, there.args, there.kwargs)
        there.target = form.target
        graph.recompile()
        given = [v.clone() for v in values]
        result = graph(*given)
        assert torch.equal(result, beside)
        assert result.data_ptr() in [v.data_ptr() for v in given], "it has bytes of its own"


def test_what_has_another_form_is_not_overwritten():
    """A result would lie in bytes that are too few, that others look into, or that are read twice."""
    cases = [
        (lambda a, b: aten.add(a[:1], b), ["b_1"]),  # too few
        (lambda a, b: aten.relu(a[:2]), []),  # a part of more
        (lambda a, b: aten.add(a.double(), b), ["_to_copy"]),  # other bytes an element
        (lambda a, b: aten.add(a, aten.t(aten.reshape(b, (6, 4)))), ["a_1"]),  # other strides
        (lambda a, b: aten.mul(a, a), []),  # read twice
        (lambda a, b: aten.clone(a), []),  # whose form over an argument copies
        (lambda a, b: aten.mm(a, aten.t(b)), []),  # reads whole rows for each element
        (lambda a, b: aten.neg(a.long()), []),  # whole numbers are few
        (lambda a, b: aten.where(a > 0, a, b), ["a_1", "b_1"]),
    ]
    for function, names in cases:
        gm = nodes_of(function, torch.randn(4, 6), torch.randn(4, 6))
        node = [n for n in gm.graph.nodes if n.op == "call_function"][-1]
        assert [a.name for a in in_place.candidates(node)] == names, node.format_node()


def joint_of(module, inputs, loss=cross_entropy, **options):
    joint = trace.trace_joint(module, inputs, loss)
    return capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static, **options)


def vocabulary():
    """A model whose loss takes most of the bytes: three tensors of logits where no result lies over another."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Embedding(40, 16), nn.Linear(16, 3000), nn.Flatten(0, 1)), (torch.randint(0, 40, (8, 32)), torch.randint(0, 3000, (256,)))


def test_the_least_of_a_large_vocabulary_is_two_tensors_of_logits_not_three():
    """The loss of a language model would decide its budget: gradients of logits lie over gradients."""
    model, inputs = vocabulary()
    logits = 256 * 3000 * 4
    least = {over: solve.least(joint_of(model, inputs, overwrites=over), EFFORT).peak_bytes for over in (False, True)}
    assert least[False] > 3 * logits > least[True] > 2 * logits


@pytest.mark.parametrize("build, inputs, share", [(Convolutions, images(), 0.1), (Words, words(), 0.05), (lambda: vocabulary()[0], vocabulary()[1], 0.0)], ids=["convolutions", "words", "vocabulary"])
def test_a_real_step_that_overwrites_keeps_its_budget_with_the_bits_of_eager(compiled, build, inputs, share):
    """The bytes that a result saves would be taken after all, or a value be read after another was written over it."""
    model = build()
    eager = copy.deepcopy(model)
    most, least = needs(model, inputs)
    with pytest.raises(budgets.BudgetError) as error:
        compiled(model, 1000, loss=cross_entropy)(*inputs)
    step = compiled(model, between(most, error.value.least, share), loss=cross_entropy)
    assert_as_eager(step, model, eager, inputs)
    assert step.report.verdict == "kept" and step.report.measured_bytes == step.report.planned_bytes
    assert any(run.over is not None for run in step.schedule.runs)


def test_nothing_is_read_after_something_was_written_over_it():
    """Results would depend on the plan. Each emitted graph is run with every storage that is overwritten marked, reader by reader."""
    for module, inputs in ((Convolutions(4), images()), (Words(), words()), vocabulary()):
        graph = joint_of(module, inputs)
        most, least = solve.unplanned(graph).peak_bytes, solve.least(graph, EFFORT).peak_bytes
        for share in (0.0, 0.2, 0.5, 0.8):
            schedule = solve.solve(graph, between(most, least, share), effort=EFFORT)
            assert verify.true_live_bytes(graph, *emit.emit(schedule)) == schedule.live_bytes
            stale, current, over = set(), {}, 0
            for at, run in enumerate(schedule.runs):
                for t in run.reads:
                    assert current.get(t) not in stale, f"run {at} reads '{graph.tensors[t].name}', which was overwritten"
                old = current.get(run.over) if run.over is not None else None
                for t in run.makes:
                    base = graph.tensors[t].base
                    current[t] = (at, base) if base == t else current.get(base, ("caller", base))
                if run.over is not None:
                    assert old is not None and old[0] != "caller", "what the caller holds is overwritten"
                    stale.add(old)
                    over += 1
            assert over > 0


def test_what_the_caller_gets_or_gave_is_not_overwritten():
    """Inputs, parameters and outputs would change behind the caller's back."""

    class Both(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(64, 64)

        def forward(self, x):
            made = torch.tanh(self.layer(torch.relu(x)))
            return made, torch.exp(torch.exp(torch.neg(made)).mul(2)).mul(3)

    module, x = Both(), torch.randn(512, 64)
    eager, before = copy.deepcopy(module), x.clone()
    options = {"outside": 0, "measure": False, "on_miss": "ignore", "effort": EFFORT}
    with pytest.raises(budgets.BudgetError) as error:
        budgets.compile(module, 1000, **options)(x)
    step = budgets.compile(module, error.value.least, **options)
    for call in (step, eager):
        made, more = call(x)
        kept = made.clone()
        (made.sum() + more.sum()).backward()
        assert torch.equal(made, kept) and torch.equal(x, before)
    assert torch.equal(module.layer.weight.grad, eager.layer.weight.grad) and any(run.over is not None for run in step.schedule.runs)


def test_without_it_nothing_is_overwritten():
    """Graphs for inductor, and with collectives, stay functional."""
    model, inputs = vocabulary()
    graph = joint_of(model, inputs, overwrites=False)
    assert all(run.over is None for run in solve.least(graph, EFFORT).runs)
    assert all(run.over is None for run in solve.unplanned(joint_of(model, inputs)).runs)


def test_a_row_operator_that_reads_what_it_wrote_is_left_beside_its_argument(monkeypatch):
    """Another version of PyTorch may compute rows in another way: no signature says that they may lie in place."""
    wrong = in_place.Form(lambda a, dim, half, out: out.copy_(aten._log_softmax(a.zero_(), dim, half)), "out")
    monkeypatch.setattr(in_place, "form_of", lambda target: wrong)
    in_place._agrees.cache_clear()
    try:
        assert not in_place._agrees(aten._log_softmax.default, torch.device("cpu"), torch.float32)
    finally:
        in_place._agrees.cache_clear()


def norms(width=64, layers=3):
    """Convolutions of 1 x 1 with a batch norm each: what a recomputation takes is decided by the norms."""
    torch.manual_seed(0)
    parts = [part for _ in range(layers) for part in (nn.Conv2d(width, width, 1), nn.BatchNorm2d(width), nn.ReLU())]
    return nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten()), (torch.randn(8, width, 32, 32), torch.randint(0, width, (8,)))


def test_a_batch_norm_lies_over_its_input_with_the_bits_of_eager(compiled):
    """Convolutional networks would need a tensor more where a block is recomputed, or a norm would read statistics or elements it has written."""
    model, inputs = norms()
    eager, norm = copy.deepcopy(model), aten._native_batch_norm_legit_functional.default
    with pytest.raises(budgets.BudgetError) as error:
        compiled(model, 1000, loss=cross_entropy)(*inputs)
    step = compiled(model, error.value.least, loss=cross_entropy)
    assert_as_eager(step, model, eager, inputs)
    assert step.report.verdict == "kept" and step.report.measured_bytes == step.report.planned_bytes
    over = [run.after_boundary for run in step.schedule.runs if run.over is not None and getattr(step.schedule.graph.nodes[run.node].fx, "target", None) is norm]
    assert set(over) == {False, True}, "no norm lies over its input when it runs first, or again"


def test_batch_norms_over_their_inputs_save_bytes_where_blocks_add_up():
    """The least budget of a ResNet would be decided by norms that are recomputed beside their inputs."""
    block = pytest.importorskip("torchvision").models.resnet.Bottleneck
    with torch.device("meta"):
        down = nn.Sequential(nn.Conv2d(16, 64, 1, bias=False), nn.BatchNorm2d(64))
        model = nn.Sequential(block(16, 16, downsample=down), block(64, 16), block(64, 16), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        inputs = torch.empty(8, 16, 32, 32), torch.empty(8, dtype=torch.long)
    wide, graphs = 8 * 64 * 32 * 32 * 4, [joint_of(model, inputs) for _ in range(2)]
    for node in graphs[1].nodes:
        node.over = [] if getattr(node.fx, "target", None) is aten._native_batch_norm_legit_functional.default else node.over
    over, beside = (solve.least(graph, 1000).peak_bytes for graph in graphs)
    assert over <= beside - 0.4 * wide, (over, beside, wide)


def test_which_batch_norms_may_lie_over_their_inputs():
    """One in evaluation, of mixed types, or of other strides than the trial's would be written as if it were like the others."""

    def norm(x, *more, training=True):
        return aten._native_batch_norm_legit_functional(x, *more, training, 0.1, 1e-5)

    x, parts = torch.randn(2, 3, 4, 4), [torch.rand(3) for _ in range(4)]
    cases = [((x, *parts), True, 1), ((x, None, None, *parts[2:]), True, 1), ((x.double(), *(p.double() for p in parts)), True, 1),
             ((x, *parts), False, 0), ((x.bfloat16(), *parts), True, 0), ((x.to(memory_format=torch.channels_last), *parts), True, 0), ((x[:, :, :2], *parts), True, 0)]
    for values, training, count in cases:
        gm = nodes_of(lambda *v: norm(*v, training=training), *values)  # noqa: B023
        node = next(n for n in gm.graph.nodes if n.op == "call_function")
        assert len(in_place.candidates(node)) == count, (values[0].dtype, training)


def test_a_batch_norm_that_reads_what_it_wrote_is_left_beside_its_input(monkeypatch):
    """Another version of PyTorch may compute norms in another way."""
    in_place._norm_agrees.cache_clear()
    try:
        assert in_place._norm_agrees(torch.device("cpu"), torch.float32)
        in_place._norm_agrees.cache_clear()
        right = in_place._norm_again_over
        monkeypatch.setattr(in_place, "_norm_again_over", lambda a, *more: right(a.mul_(2), *more))
        assert not in_place._norm_agrees(torch.device("cpu"), torch.float32)
    finally:
        in_place._norm_agrees.cache_clear()


def test_a_whole_step_overwrites_too():
    """plan_graph would take more bytes than compile."""
    model, inputs = nn.Sequential(nn.Linear(32, 256), nn.GELU(), nn.Linear(256, 32)), (torch.randn(64, 32), torch.randn(64, 32))

    def step(parameters, x, y):
        value = mse_loss(torch.func.functional_call(model, parameters, (x,)), y)
        return value, torch.autograd.grad(value, list(parameters.values()))

    arguments = dict(model.named_parameters()), *inputs
    gm = nodes_of(step, *arguments)
    free = budgets.plan_graph(gm, "1GB", measure=False)
    planned = budgets.plan_graph(gm, free.report.planned_bytes - 1, measure=False, effort=EFFORT)
    assert any(run.over is not None for run in planned.schedule.runs)
    (value, gradients), (value_e, gradients_e) = planned(*arguments), step(*arguments)
    assert torch.equal(value, value_e) and all(map(torch.equal, gradients, gradients_e))
    assert isinstance(planned.schedule, Schedule)
