"""memplan.torch.plan_graph: whole steps as one graph, on one process and on two."""

import copy
import json
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
from memplan.torch import allocator, operators, verify  # noqa: E402
from memplan.torch.capture import Role  # noqa: E402
from torch import nn  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402
from torch.utils._pytree import tree_leaves  # noqa: E402
from torch_steps import EFFORT, images, scratch  # noqa: E402,F401

HERE = pathlib.Path(__file__).parent


def step_of(net):
    """(a step of SGD with momentum that updates in place, its arguments) of a module, without autograd around it."""

    def step(parameters, buffers, moments, x, y):
        loss = cross_entropy(torch.func.functional_call(net, (parameters, buffers), (x,)), y)
        gradients = torch.autograd.grad(loss, list(parameters.values()))
        with torch.no_grad():
            for (name, p), g in zip(parameters.items(), gradients):
                p.sub_(moments[name].mul_(0.9).add_(g), alpha=0.1)
        return {"loss": loss, "norm": sum(g.norm() for g in gradients)}

    parameters = {name: p.detach().clone().requires_grad_() for name, p in net.named_parameters()}
    buffers = {name: b.clone() for name, b in net.named_buffers()}
    return step, (parameters, buffers, {name: torch.zeros_like(p) for name, p in parameters.items()}, *images(size=32))


def build_net():
    torch.manual_seed(3)
    body = [nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.ReLU(), nn.Dropout(0.2), nn.Conv2d(8, 8, 3), nn.GELU()]
    return nn.Sequential(*body, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))


def results_after(function, arguments, steps=2):
    """All tensors after some steps that write their arguments."""
    given, made = copy.deepcopy(arguments), []
    for number in range(steps):
        torch.manual_seed(number)
        with torch.no_grad():
            made += tree_leaves(function(*given))
    return made + tree_leaves(given)


def test_a_whole_step_with_its_update_keeps_budgets_to_the_byte(scratch):
    """The update would be made from other gradients, or the statistics of batch norm be updated twice; or bytes would be missed."""
    step, arguments = step_of(build_net())
    gm = make_fx(step, tracing_mode="fake")(*arguments)
    code, expected = gm.code, results_after(gm, arguments)
    free = budgets.plan_graph(gm, "1GB", measure=scratch)
    with pytest.raises(budgets.BudgetError) as error:
        budgets.plan_graph(gm, free.report.planned_bytes // 10, measure=scratch, effort=EFFORT)
    held = sum(t.nbytes for t in tree_leaves(arguments))
    costs = []
    for budget in (error.value.least, (error.value.least + free.report.planned_bytes) // 2, free.report.planned_bytes):
        planned = budgets.plan_graph(gm, budget, measure=scratch, effort=EFFORT)
        made = results_after(planned, arguments)
        assert all(torch.equal(a, b) for a, b in zip(made, expected, strict=True))
        taken, _ = allocator.peak_of(lambda: planned(*given)) if (given := copy.deepcopy(arguments)) else None
        assert held + taken == planned.report.planned_bytes <= budget
        costs.append(planned.report.overhead)
    assert costs == sorted(costs, reverse=True) and costs[0] > 0 == costs[-1] and gm.code == code


def test_results_keep_their_structure_and_hashes_tell_plans_apart(scratch):
    """A caller would get a flat list; ranks with different plans would wait for one another for ever."""
    step, arguments = step_of(build_net())
    gm = make_fx(step, tracing_mode="fake")(*arguments)
    one, two = (budgets.plan_graph(gm, "1GB", measure=scratch) for _ in range(2))
    assert set(one(*arguments)) == {"loss", "norm"} and one.hash == two.hash
    tight = budgets.plan_graph(gm, one.report.planned_bytes - 1, measure=scratch, effort=EFFORT)
    assert tight.hash != one.hash and tight.report.recomputations > 0


def test_inputs_may_be_given_and_their_number_is_checked():
    """A graph of torch.fx.symbolic_trace or of torch.export knows no forms; what nobody knows cannot be planned."""
    gm = torch.fx.Graph()
    gm.output(gm.call_function(torch.ops.aten.relu.default, (gm.placeholder("x"),)))
    gm = torch.fx.GraphModule({}, gm)
    with pytest.raises(budgets.UnsupportedGraph, match="'x'"):
        budgets.plan_graph(gm, "1MB", measure=False)
    with pytest.raises(budgets.UnsupportedGraph, match="1 inputs and 2"):
        budgets.plan_graph(gm, "1MB", measure=False, inputs=[torch.ones(2), torch.ones(2)])
    planned = budgets.plan_graph(gm, "1MB", measure=False, inputs=[torch.ones(100)])
    assert planned.report.planned_bytes == 800 and torch.equal(planned(-torch.ones(100)), torch.zeros(100))


# What fills memory that was made before it.
FILLS = {
    "list": lambda parts, flat: torch.split_with_sizes_copy(flat, [p.numel() for p in parts], out=parts),
    "each": lambda parts, flat: [p.copy_(piece) for p, piece in zip(parts, flat.split([p.numel() for p in parts]))],
}


@pytest.mark.parametrize("fill", FILLS)
def test_memory_that_is_filled_later_is_not_made_again(fill):
    """Made again, it would be empty: `empty` costs nothing, so a tight plan would do just that, and numbers would be wrong."""

    def step(flat, x):
        parts = [torch.empty(flat.numel() // 2) for _ in range(2)]
        FILLS[fill](parts, flat)
        first = x * parts[0].sum()
        wide = first.repeat(64)
        return [(wide.sin() * wide).view(64, -1).sum(0).sum() * parts[0] + parts[1], first]

    arguments = (torch.randn(8192), torch.randn(512))
    gm = make_fx(step, tracing_mode="fake")(*arguments)
    expected, free = gm(*arguments), budgets.plan_graph(gm, "1GB", measure=False)
    with pytest.raises(budgets.BudgetError) as error:
        budgets.plan_graph(gm, 1000, measure=False, effort=EFFORT)
    for budget in range(error.value.least, free.report.planned_bytes + 1, max((free.report.planned_bytes - error.value.least) // 4, 1)):
        planned = budgets.plan_graph(gm, budget, measure=False, effort=EFFORT)
        made, order = planned(*arguments), planned.schedule
        assert all(torch.equal(a, b) for a, b in zip(made, expected, strict=True)), budget
        runs = [order.graph.nodes[run.node].fx.name for run in order.runs if order.graph.nodes[run.node].fx]
        assert all(runs.count(name) == 1 for name in runs if name.startswith("empty"))


@pytest.mark.parametrize("inside, again", [(torch.ops.aten.tanh.default, True), (torch.ops.aten.rand_like.default, False), (torch.ops.aten.tanh_.default, False)])
def test_attention_over_functions_runs_again_where_these_draw_and_write_nothing(inside, again):
    """What attention made would be held from forward to backward; or scores would be drawn anew, or written twice."""
    score, graph = torch.fx.Graph(), torch.fx.Graph()
    score.output(score.call_function(inside, (score.placeholder("x"),)))
    root = torch.fx.GraphModule({}, graph)
    root.add_submodule("score", torch.fx.GraphModule({}, score))
    node = root.graph.call_function(torch.ops.higher_order.flex_attention, (*map(root.graph.placeholder, "qkv"), root.graph.get_attr("score")))
    assert operators.may_repeat(node) == again


# ---- two processes


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    """What two processes say that run torch_ranks.py."""
    folder = tmp_path_factory.mktemp("ranks")
    environment = {**os.environ, "PYTHONPATH": f"{pathlib.Path(memplan.__file__).parents[1]}:{HERE}", "OMP_NUM_THREADS": "1",
                   "XDG_CACHE_HOME": str(folder), "GLOO_SOCKET_IFNAME": "lo"}
    command = [sys.executable, HERE / "torch_ranks.py", str(folder)]
    started = [subprocess.Popen([*command, str(rank)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment) for rank in range(2)]
    said = [rank.communicate(timeout=500)[0] for rank in started]
    assert [rank.returncode for rank in started] == [0, 0], "\n".join(said)
    return said


def test_two_ranks_make_one_plan_and_the_gradients_of_the_global_batch(ranks):
    """Ranks would wait for one another for ever, exceed the budget of a rank, or train on a part of the batch; with different plans
    they would run their collectives in different orders."""
    for text in ranks:
        assert {"whole step: gradients ok", "whole step: runs again", "whole step: refused 2 different plans", "whole step: refused no plan keeps"} <= set(text.splitlines())


def test_collectives_beside_what_computes_make_the_same_bits(ranks):
    """Results would be read before they are there, or bytes be freed that a collective still reads."""
    for text in ranks:
        assert "gathered: runs beside, goes to the host" in text.splitlines()


def test_one_plan_serves_experts_however_many_rows_they_are_given(ranks):
    """A plan for the rows of the traced step would be cut or exceeded by others, and ranks with other rows would have other plans."""
    for text in ranks:
        assert "experts: rows go where they are sent" in text.splitlines()


def test_a_module_under_ddp_keeps_a_budget_per_rank(ranks):
    """DDP would cut the graph by its buckets, each of them with the whole budget, and the buckets would not be counted."""
    for text in ranks:
        assert text.splitlines().count("ddp: gradients ok") == 4 and "ddp: refused" in text.splitlines()


def test_a_module_under_fully_shard_keeps_a_budget_per_rank(ranks):
    """FSDP's hooks would break the graph, what is gathered would not be counted, or each rank would train on its own part."""
    for text in ranks:
        lines = text.splitlines()
        assert lines.count("fsdp: gradients ok") == 2 and {"fsdp: updates ok", "fsdp: refused"} <= set(lines), text


def test_a_step_that_missed_on_one_rank_is_planned_again_on_all(ranks):
    """The rank that plans again would wait for the others, which run their step: the program would hang."""
    for text in ranks:
        assert "fsdp: all plan again" in text.splitlines(), text


@pytest.fixture
def fake_ranks():
    """A process group of four that moves no data."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    torch.distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=4)
    yield
    torch.distributed.destroy_process_group()


@pytest.mark.filterwarnings("ignore:.*deprecated:FutureWarning")
def test_gathers_run_again_where_that_is_allowed(fake_ranks):
    """Gathered parameters of FSDP would be held from the forward to the backward."""
    gm, least = make_fx(gathered_step, tracing_mode="fake")([torch.zeros(64, 256) for _ in range(6)], torch.zeros(32, 256)), []
    for again in (False, True):
        with pytest.raises(budgets.BudgetError) as error:
            budgets.plan_graph(gm, 1000, measure=False, effort=EFFORT, gathers_again=again)
        least.append(error.value.least)
    assert least[1] < least[0] - 3 * 64 * 256 * 16
    planned = budgets.plan_graph(gm, least[1], measure=False, effort=EFFORT, gathers_again=True)
    nodes = planned.schedule.graph.nodes
    runs = [nodes[run.node].fx.name for run in planned.schedule.runs if nodes[run.node].fx]
    gathers, scatters = ([name for name in runs if kind in name] for kind in ("all_gather", "reduce_scatter"))
    assert len(gathers) > len(set(gathers)) == 6 and scatters == sorted(scatters, key=lambda name: int(name.split("_")[-1]) if name[-1].isdigit() else -1)


@pytest.mark.filterwarnings("ignore:.*deprecated:FutureWarning")
def test_what_was_waited_for_can_go_to_the_host(fake_ranks):
    """As views of what collectives made, reduced gradients would stay on the device to the end of the step."""
    arguments = [torch.zeros(64, 256) for _ in range(12)], torch.zeros(32, 256)
    gm = make_fx(gathered_step, tracing_mode="fake")(*arguments)
    options = dict(measure=False, effort=EFFORT, gathers_again=True, bandwidth="100000,100000,1", cost=operators.Roofline(flops_per_micro=1e6, bytes_per_micro=1e5))
    least = []
    for offload in (None, "host"):
        with pytest.raises(budgets.BudgetError) as error:
            budgets.plan_graph(gm, 1000, offload=offload, **options)
        least.append(error.value.least)
    returned = sum(t.nbytes for t in tree_leaves(arguments)) + 12 * 64 * 256 * 4  # what the caller gave and gets
    assert least[1] == returned < least[0]
    planned = budgets.plan_graph(gm, least[1], offload="host", **options)
    order, nodes = planned.schedule, planned.schedule.graph.nodes
    copied = {order.graph.tensors[t].source for run in order.runs if nodes[run.node].role is Role.OFFLOAD for t in run.reads}
    assert any(operators.is_wait(source) for source in copied) and planned.report.planned_bytes <= least[1]
    assert verify.true_live_bytes(order.graph, planned.module, None) == order.live_bytes


@pytest.mark.filterwarnings("ignore:.*deprecated:FutureWarning")
def test_collectives_run_beside_what_computes(fake_ranks):
    """Each gather would be waited for where it is issued, as a trace has it, with room for earlier ones; or the budget would be exceeded."""
    gm = make_fx(gathered_step, tracing_mode="fake")([torch.zeros(64, 256) for _ in range(6)], torch.zeros(512, 256))
    cost = operators.Roofline(flops_per_micro=1e6, bytes_per_micro=1e5, link_bytes_per_micro=1e4)  # a layer takes twice as long as its gather
    times = []
    for budget in (3_500_000, 4_500_000, 6_000_000, 7_000_000):
        planned = budgets.plan_graph(gm, budget, measure=False, effort=EFFORT, gathers_again=True, cost=cost)
        order, nodes = planned.schedule, planned.schedule.graph.nodes
        assert order.peak_bytes == planned.report.planned_bytes <= planned.report.budget_bytes
        issued = [nodes[run.node].fx.name for run in order.runs if nodes[run.node].communicates]
        assert [name for name in issued if "scatter" in name] == ["reduce_scatter_tensor", *(f"reduce_scatter_tensor_{i}" for i in range(1, 6))]
        assert order.exposed < sum(nodes[run.node].cost for run in order.runs if nodes[run.node].communicates)
        times.append(order.time)
    assert times == sorted(times, reverse=True) and planned.report.overhead < 0
    # The first gather and the last reduction have nothing beside them.
    assert order.exposed == pytest.approx(2 * next(node.cost for node in nodes if node.communicates), rel=0.01)
    assert '"stream": "comm"' in json.dumps(order.graph.json())


@pytest.mark.filterwarnings("ignore:.*deprecated:FutureWarning")
def test_what_a_sum_over_ranks_is_given_may_go_at_once(fake_ranks):
    """It works on a copy: the plan would count what is summed until the wait, and be above what the step takes."""

    def step(x):
        summed = torch.ops._c10d_functional.all_reduce(x * 2, "sum", torch.distributed.group.WORLD.group_name)
        return torch.ops._c10d_functional.wait_tensor(summed) + (x * 3).sum()

    x = torch.ones(4096)
    planned = budgets.plan_graph(make_fx(step, tracing_mode="fake")(x), "1MB", measure=False)
    taken, _ = allocator.peak_of(lambda: planned(x))
    assert planned.report.planned_bytes == 3 * x.nbytes + 4 == pytest.approx(x.nbytes + taken, abs=64)  # scratch of the sum


@pytest.mark.filterwarnings("ignore:.*deprecated:FutureWarning")
def test_what_a_collective_writes_into_counts_once(fake_ranks):
    """Buckets of torchtitan gather into memory that is there: a fake gather makes memory of its own, and the bucket would count twice."""

    def step(shard):
        bucket = shard.new_empty(4 * shard.numel())
        gathered = torch.ops._c10d_functional.all_gather_into_tensor_out(shard, 4, torch.distributed.group.WORLD.group_name, out=bucket)
        return torch.ops._c10d_functional.wait_tensor(gathered).sum()

    gm = make_fx(step, tracing_mode="fake")(torch.zeros(1024))
    planned = budgets.plan_graph(gm, "1MB", measure=False)
    assert planned.report.planned_bytes == (1 + 4) * 1024 * 4 + 4


def gathered_step(shards, x):
    """Layers whose weights are gathered before each use, as FSDP does; the gradients of what was gathered."""
    from torch.distributed import _functional_collectives as collectives

    weights, values = [], [x]
    for shard in shards:
        weights.append(collectives.all_gather_tensor(shard, 0, torch.distributed.group.WORLD))
        values.append(torch.tanh(values[-1] @ weights[-1]))
    gradient, made = torch.ones_like(values[-1]), []
    for weight, before, after in reversed(list(zip(weights, values, values[1:]))):
        gradient = torch.ops.aten.tanh_backward.default(gradient, after)
        made.append(collectives.reduce_scatter_tensor(before.t() @ gradient, "sum", 0, torch.distributed.group.WORLD))
        gradient = gradient @ weight.t()
    return made
