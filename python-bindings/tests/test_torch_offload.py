"""memplan.torch with offload="host": values are copied to the host and back where that takes less time than running them again.

On the CPU the host's copies lie in memory that PyTorch's allocator does not know, so that its bytes stand for a device's."""

import copy

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan.torch as budgets  # noqa: E402
from memplan.torch import allocator, capture, solve, trace  # noqa: E402
from memplan.torch.capture import Role  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402
from torch_steps import EFFORT, Convolutions, assert_as_eager, between, compiled, images, needs, scratch  # noqa: E402,F401

FAST = "1e9,1e9"  # copies that cost next to nothing


def test_a_step_with_copies_keeps_its_budget_to_the_byte_and_computes_what_eager_does(compiled):
    """Bytes of a value that left would be held, or what comes back would be another value."""
    model, inputs = Convolutions(layers=4), images()
    free = compiled(model, "1GB", loss=cross_entropy)
    free(*inputs).backward()
    model.zero_grad()
    with pytest.raises(budgets.BudgetError) as error:
        compiled(model, 1000, loss=cross_entropy)(*inputs)
    budget = between(free.report.planned_bytes, error.value.least, 0.2)
    eager, step = copy.deepcopy(model), compiled(model, budget, loss=cross_entropy, offload="host", bandwidth=FAST)
    assert_as_eager(step, model, eager, inputs)
    assert step.report.verdict == "kept" and step.report.measured_bytes == step.report.planned_bytes <= budget
    assert step.report.offloads > 0 and step.report.overhead < 0.01 and "copies to the host" in str(step.report)
    nodes, passed = step.schedule.graph.nodes, step.schedule.cut
    out, back = ([at for at, run in enumerate(step.schedule.runs) if nodes[run.node].role is role] for role in (Role.OFFLOAD, Role.RELOAD))
    assert out[0] < passed < back[-1], "some value was meant to be on the host between forward and backward"


def test_no_value_is_copied_over_a_slow_link(compiled):
    """A step would wait for copies where running again takes no time."""
    model, inputs = Convolutions(layers=4, norm=False), images()
    most, least = needs(model, inputs)
    plans = [compiled(model, between(most, least, 0.5), loss=cross_entropy, measure=False, on_miss="ignore", **options)
             for options in ({}, {"offload": "host", "bandwidth": "1,1,1000"})]
    for step in plans:
        step(*inputs).backward()
        model.zero_grad()
    assert plans[1].report.offloads == 0 and plans[0].report.overhead == plans[1].report.overhead
    with pytest.raises(ValueError, match="'disk'"):
        compiled(model, "1GB", offload="disk")


def test_whole_steps_copy_too(scratch):
    """The one graph has no boundary between the copy out and the copy back."""
    model, (x, y) = Convolutions(layers=4, norm=False), images()

    def step(parameters, x, y):
        loss = cross_entropy(torch.func.functional_call(model, parameters, (x,)), y)
        return loss, torch.autograd.grad(loss, list(parameters.values()))

    arguments = dict(model.named_parameters()), x, y
    gm = make_fx(step, tracing_mode="fake")(*arguments)
    free = budgets.plan_graph(gm, "1GB", measure=scratch)
    with pytest.raises(budgets.BudgetError) as error:
        budgets.plan_graph(gm, 1000, measure=scratch, effort=EFFORT)
    planned = budgets.plan_graph(gm, between(free.report.planned_bytes, error.value.least, 0.3), measure=scratch, effort=EFFORT, offload="host", bandwidth=FAST)
    assert planned.report.offloads > 0 and planned.hash != free.hash
    expected, held = free(*arguments), sum(t.nbytes for t in (*arguments[0].values(), x, y))
    taken, made = allocator.peak_of(lambda: planned(*arguments))
    assert torch.equal(made[0], expected[0]) and all(torch.equal(a, b) for a, b in zip(made[1], expected[1], strict=True))
    assert held + taken == planned.report.planned_bytes


def test_a_copy_that_nobody_fetches_is_dropped():
    """Bytes would be written to the host for nothing; a planner may say so all the same."""
    joint = trace.trace_joint(Convolutions(norm=False), images(), cross_entropy)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
    free = solve.unplanned(graph)
    made = next(n for n in graph.nodes if n.fx is not None and "relu" in str(n.fx.target))
    out, left = graph.add_copy(Role.OFFLOAD, made.outputs[0]), graph.add_copy(Role.LEFT, made.outputs[0])
    order = [(run.node, []) for run in free.runs]
    at = [node for node, _ in order].index(made.id) + 1
    schedule = solve.Schedule(graph, [*order[:at], (out.id, []), (left.id, []), *order[at:]], overwrites=False)
    assert schedule.offloads == 0 and schedule.live_bytes == free.live_bytes
    assert len(graph.json()["nodes"]) == len(graph.nodes) - 2
