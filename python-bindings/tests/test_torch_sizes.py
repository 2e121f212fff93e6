"""Whole steps with sizes that depend on values: experts are given as many rows as the router says."""

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan.torch as budgets  # noqa: E402
from memplan.torch import allocator, emit, verify  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from torch_steps import EFFORT, scratch  # noqa: E402,F401

EXPERTS, ROWS, WIDTH = 4, 512, 32


def experts_step(weights, x):
    """Each row goes through one expert of two layers; the loss and the gradients of all weights."""
    router, *layers = weights
    gate, expert = (x @ router).softmax(-1).max(-1)
    order = expert.argsort(stable=True)
    rows = x[order].split((expert[:, None] == torch.arange(EXPERTS)).sum(0).tolist())
    made = [torch.tanh(part @ first) @ second for part, first, second in zip(rows, layers[::2], layers[1::2])]
    out = torch.zeros_like(x).index_copy(0, order, torch.cat(made)) * gate[:, None]
    loss = out.pow(2).mean()
    return loss, *torch.autograd.grad(loss, weights)


def build_arguments(favour=0.0):
    """Weights and rows; `favour` is what the router adds for the first expert."""
    made = torch.Generator().manual_seed(5)
    shapes = [(WIDTH, EXPERTS), *[(WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)] * EXPERTS]
    weights = [torch.randn(shape, generator=made) / WIDTH**0.5 for shape in shapes]
    x = torch.randn(ROWS, WIDTH, generator=made)
    x[:, 0] = 1
    weights[0][0, 0] += favour
    return [w.requires_grad_() for w in weights], x


def rows_of_experts(weights, x):
    return torch.bincount((x @ weights[0]).argmax(-1), minlength=EXPERTS).tolist()


@pytest.fixture(scope="module")
def traced():
    return make_fx(experts_step, tracing_mode="fake")(*build_arguments())


def test_sizes_up_to_the_largest_keep_the_budget_and_the_bits(traced, scratch):
    """Planned for what the router said of one batch, another batch would exceed the budget, or be cut."""
    options = dict(largest=ROWS, measure=scratch, effort=EFFORT)
    free = budgets.plan_graph(traced, "1GB", **options)
    assert free.report.recomputations == 0 and set(free.report.largest_sizes.values()) >= {ROWS}
    with pytest.raises(budgets.BudgetError) as error:
        budgets.plan_graph(traced, 1000, **options)
    planned = budgets.plan_graph(traced, (error.value.least + free.report.planned_bytes) // 2, **options)
    assert planned.report.recomputations > 0
    assert verify.true_live_bytes(planned.schedule.graph, emit.emit_whole(planned.schedule), None) <= planned.report.live_bytes
    seen, taken = set(), []
    for favour in (0.0, 1.0, 8.0, -8.0):
        arguments = build_arguments(favour)
        seen.add(tuple(rows_of_experts(*arguments)))
        expected = traced(*arguments)
        assert all(torch.equal(a, b) for a, b in zip(planned(*arguments), expected, strict=True))
        held = sum(t.nbytes for t in (*arguments[0], arguments[1]))
        taken.append(held + allocator.peak_of(lambda: planned(*arguments))[0])
    assert len(seen) == 4 and any(ROWS in rows for rows in seen) and max(taken) <= planned.report.planned_bytes


def test_a_size_above_the_largest_is_an_error_before_it_is_computed_with(traced):
    """The step would go on, and take more than its budget."""
    planned = budgets.plan_graph(traced, "1GB", largest={"u0": 300, "u1": ROWS, "u2": ROWS, "u3": ROWS}, measure=False)
    assert planned.report.largest_sizes == {"u0": 300, "u1": ROWS, "u2": ROWS, "u3": ROWS, "u0 + u1 + u2 + u3": ROWS}
    planned(*build_arguments())
    nodes = planned.schedule.graph.nodes
    order = [nodes[run.node].fx for run in planned.schedule.runs]
    compares = next(place for place, run in enumerate(planned.schedule.runs) if nodes[run.node].compares)
    assert all(compares < order.index(user) for user in order[compares].users if user in order)
    with pytest.raises(budgets.BudgetError, match="'u0' is 512 in this step, and its plan is for at most 300"):
        planned(*build_arguments(favour=8.0))


def test_what_is_not_said_or_not_there_is_named(traced):
    """A plan would be for sizes that nobody gave, or a typing error would go unseen. What PyTorch knows of sizes needs not be said."""
    assert budgets.plan_graph(traced, "1GB", measure=False).report.largest_sizes["u3"] == ROWS
    unbounded = make_fx(lambda x: x.new_zeros(x.sum().long().item()).sin(), tracing_mode="fake")(torch.zeros(4))
    with pytest.raises(budgets.UnsupportedGraph, match="'u0' of 'new_zeros'; say .*largest={'u0': 1024}"):
        budgets.plan_graph(unbounded, "1GB", measure=False)
    with pytest.raises(budgets.UnsupportedGraph, match="largest names 'u7'; sizes that depend on values are 'u0', 'u1'"):
        budgets.plan_graph(traced, "1GB", measure=False, largest={"u7": 3})
    with pytest.raises(budgets.UnsupportedGraph, match=r"'Eq\(u0 \+ u1 \+ u2 \+ u3, 512\)' holds"):
        budgets.plan_graph(traced, "1GB", measure=False, largest=100)


def test_the_report_says_what_the_largest_costs(traced):
    """A user would not know that a bound is dear, or how far the bytes of usual steps are below it."""
    options = dict(measure=False, effort=EFFORT)
    planned = budgets.plan_graph(traced, "1250KiB", largest=ROWS, likely=ROWS // EXPERTS, **options)
    usual = budgets.plan_graph(traced, "1250KiB", largest=ROWS // EXPERTS, **options)
    assert planned.report.overhead > planned.report.likely_overhead == usual.report.overhead
    assert planned.report.likely_bytes < usual.report.planned_bytes < planned.report.planned_bytes
    assert "for sizes up to u0 = 512, u1 = 512, u2 = 512, u3 = 512, u0 + u1 + u2 + u3 = 512; with the likely ones" in str(planned.report) and "if planned for them" in str(planned.report)


def test_a_batch_that_is_a_symbol_is_planned_for_the_largest():
    """Its graph would be refused, or planned for the batch that it was traced with."""

    def step(weight, x):
        made = torch.tanh(x @ weight)
        return made.sum(), torch.ops.aten.tanh_backward.default(torch.ones_like(made), made).t() @ x

    gm = make_fx(step, tracing_mode="symbolic")(torch.randn(16, 64), torch.randn(24, 16))
    fixed = make_fx(step, tracing_mode="fake")(torch.randn(16, 64), torch.randn(100, 16))
    names = {str(s) for n in gm.graph.find_nodes(op="placeholder") for s in n.meta["val"].size()}
    with pytest.raises(budgets.UnsupportedGraph, match="say how large they may be"):
        budgets.plan_graph(gm, "1GB", measure=False)
    given = {name: 100 for name in names} | {str(s): n for s, n in zip(gm.graph.find_nodes(op="placeholder")[0].meta["val"].size(), (16, 64))}
    planned = budgets.plan_graph(gm, "1GB", measure=False, largest=given)
    assert planned.report.planned_bytes == budgets.plan_graph(fixed, "1GB", measure=False).report.planned_bytes
    for rows in (100, 24, 1):
        arguments = torch.randn(16, 64), torch.randn(rows, 16)
        assert all(torch.equal(a, b) for a, b in zip(planned(*arguments), step(*arguments)))
    with pytest.raises(budgets.BudgetError, match="is 101 in this step"):
        planned(torch.randn(16, 64), torch.randn(101, 16))


def test_a_size_that_falls_where_another_rises_is_planned_at_its_largest():
    """Its limit would be what is left where the other is at its largest, and a step within all limits would be refused."""

    def step(x):
        count = (x > 0).sum().item()
        torch._check(0 <= count)
        torch._check(count <= 64)
        return x.new_ones(64 - count).sin().sum() + x.new_ones(count).cos().sum()

    planned = budgets.plan_graph(make_fx(step, tracing_mode="fake")(torch.zeros(64)), "1MB", measure=False)
    assert planned.report.largest_sizes == {"u0": 64, "64 - u0": 64}
    for x in (torch.ones(64), torch.zeros(64), torch.arange(64.0) - 20):
        assert torch.equal(planned(x), step(x))


def test_numbers_that_are_read_are_no_sizes():
    """A step that scales by a number which it reads would be refused."""

    def step(x):
        return x * x.sum().item(), x.abs().max()

    x = torch.randn(64)
    planned = budgets.plan_graph(make_fx(step, tracing_mode="fake")(x), "1MB", measure=False)
    assert all(torch.equal(a, b) for a, b in zip(planned(x), step(x)))
