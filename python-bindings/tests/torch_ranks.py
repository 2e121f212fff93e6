"""What each of two gloo processes runs: torch_ranks.py FOLDER RANK."""

import copy
import os
import pathlib
import sys
import time

import memplan
import memplan.torch as budgets
import torch
from memplan.torch import allocator
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.functional import cross_entropy
from torch.utils._python_dispatch import TorchDispatchMode

WORLD = 2
MORE = 5  # layers of the net under fully_shard


def build_net(more=0):
    torch.manual_seed(5)
    layers = [layer for _ in range(more) for layer in (nn.Conv2d(8, 8, 3, padding=1), nn.GELU())]
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.GELU(), nn.Conv2d(8, 8, 3), nn.GELU(), *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(8, 10)).double()


def global_batch():
    torch.manual_seed(6)
    return torch.randn(2 * WORLD, 3, 24, 24).double(), torch.randint(0, 10, (2 * WORLD,))


def local(tensor, rank):
    return tensor.chunk(WORLD)[rank].clone()


def reference(more=0):
    """Gradients of one process with the global batch."""
    net, (x, y) = build_net(more), global_batch()
    cross_entropy(net(x), y).backward()
    return [p.grad for p in net.parameters()]


def assert_gradients(found, what, more=0):
    for ours, theirs in zip(found, reference(more), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-12)
    print(f"{what}: gradients ok")


def traced_step(net):
    from torch.distributed import _functional_collectives as collectives

    def step(parameters, x, y):
        loss = cross_entropy(torch.func.functional_call(net, parameters, (x,)), y)
        gradients = torch.autograd.grad(loss, list(parameters.values()))
        return loss, [collectives.all_reduce(g / WORLD, "sum", torch.distributed.group.WORLD) for g in gradients]

    return step


def whole_step(rank, folder):
    net, (x, y) = build_net(), (local(t, rank) for t in global_batch())
    parameters = {n: p.detach().requires_grad_() for n, p in net.named_parameters()}
    gm = make_fx(traced_step(net), tracing_mode="fake")(parameters, x, y)
    measured = budgets.Measurements(folder / f"{rank}.json")
    free = budgets.plan_graph(gm, "1GB", measure=measured)
    try:
        budgets.plan_graph(gm, 1000, measure=measured, effort=1000)
    except budgets.BudgetError as error:
        least = error.least
    budget = (free.report.planned_bytes + least) // 2
    planned = budgets.plan_graph(gm, budget, measure=measured, effort=1000)
    loss, gradients = planned(parameters, x, y)
    assert_gradients(gradients, "whole step")
    unplanned = free(parameters, x, y)
    assert torch.equal(loss, unplanned[0]) and all(torch.equal(a, b) for a, b in zip(gradients, unplanned[1]))
    del loss, gradients, unplanned
    held = sum(t.nbytes for t in (*parameters.values(), x, y))
    taken, _ = allocator.peak_of(lambda: planned(parameters, x, y))
    assert planned.report.recomputations > 0 and held + taken <= budget, (held + taken, budget)
    order = [str(planned.schedule.graph.nodes[r.node].fx) for r in planned.schedule.runs if planned.schedule.graph.nodes[r.node].collective]
    everyone = [None] * WORLD
    torch.distributed.all_gather_object(everyone, (planned.hash, order))
    assert everyone[0] == everyone[1] and len(order) == 2 * len(parameters)
    print("whole step: runs again")
    for budget, error in ((free.report.planned_bytes - rank, "2 different plans"), (1000 if rank == 1 else "1GB", "no plan keeps")):
        try:
            budgets.plan_graph(gm, budget, measure=measured, effort=1000)
        except memplan.Error as refused:
            assert error in str(refused)
            print(f"whole step: refused {error}")


class PauseAfterWaits(TorchDispatchMode):
    """Sleeps after each wait for a collective, so that the thread of gloo, which the wait does not await, lets go of its tensors."""

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if function is torch.ops._c10d_functional.wait_tensor.default:
            time.sleep(self.seconds)
        return result


def peak_with_pauses(function, seconds):
    with PauseAfterWaits(seconds):
        return allocator.peak_of(function)[0]


def gathered(rank, folder):
    """Layers whose weights are gathered where they are used: collectives that are issued early and waited for late make the same bits."""
    from memplan.torch import operators
    from memplan.torch.capture import Role
    from torch.distributed import _functional_collectives as collectives
    from test_torch_whole import gathered_step

    torch.manual_seed(rank)
    arguments = [torch.randn(256 // WORLD, 256) for _ in range(6)], torch.randn(512, 256)
    gm = make_fx(gathered_step, tracing_mode="fake")(*arguments)
    cost = operators.Roofline(flops_per_micro=1e6, bytes_per_micro=1e5, link_bytes_per_micro=1e4)
    full = torch.zeros(256, 256)
    alone, _ = allocator.peak_of(lambda: collectives.wait_tensor(collectives.reduce_scatter_tensor(full, "sum", 0, torch.distributed.group.WORLD)))
    buffers = alone - full.nbytes // WORLD  # which gloo takes for a reduction, and its thread may let go of after the wait
    expected, held = gm(*arguments), sum(t.nbytes for t in (*arguments[0], arguments[1]))
    for budget in (4_500_000, 6_000_000, 8_000_000):
        planned = budgets.plan_graph(gm, budget, measure=budgets.Measurements(folder / f"{rank}.json"), effort=1000, gathers_again=True, cost=cost)
        order, nodes = planned.schedule, planned.schedule.graph.nodes
        assert "collectives" in planned.report.unmeasured  # buffers of gloo, which no plan knows
        assert order.exposed < sum(nodes[run.node].cost for run in order.runs if nodes[run.node].communicates)
        assert all(torch.equal(a, b) for a, b in zip(planned(*arguments), expected, strict=True))
        taken = min(peak_with_pauses(lambda: planned(*arguments), pause) for pause in (0, 0.02, 0.2))
        assert held + taken - 2 * buffers <= planned.report.planned_bytes <= budget, (held + taken, buffers, planned.report)
    returned = held + sum(t.nbytes for t in expected)
    planned = budgets.plan_graph(gm, returned + (1 << 20), measure=False, effort=1000, gathers_again=True, cost=cost, offload="host", bandwidth="100000,100000,1")
    copied = {planned.schedule.graph.tensors[t].source for run in planned.schedule.runs if planned.schedule.graph.nodes[run.node].role is Role.OFFLOAD for t in run.reads}
    assert any(operators.is_wait(source) for source in copied)
    assert all(torch.equal(a, b) for a, b in zip(planned(*arguments), expected, strict=True))
    print("gathered: runs beside, goes to the host")


def experts(rank, folder):
    """Rows go to the rank of their expert and back: how many each rank gets depends on values, and one plan serves all of them."""
    from torch.distributed import _functional_collectives as collectives

    rows, width, group = 128, 16, torch.distributed.group.WORLD

    def step(weights, x):
        router, first, second = weights
        gate, expert = (x @ router).softmax(-1).max(-1)
        order = expert.argsort(stable=True)
        sent = (expert[:, None] == torch.arange(WORLD)).sum(0)
        given = collectives.wait_tensor(collectives.all_to_all_single(sent, [1] * WORLD, [1] * WORLD, group)).tolist()
        sent = sent.tolist()
        made = torch.tanh(collectives.all_to_all_single_autograd(x[order], given, sent, group) @ first) @ second
        back = collectives.all_to_all_single_autograd(made, sent, given, group)
        loss = (torch.zeros_like(x).index_copy(0, order, back) * gate[:, None]).pow(2).mean()
        return loss, *torch.autograd.grad(loss, weights)

    def arguments(seed):
        made = torch.Generator().manual_seed(seed)
        weights = [torch.randn(shape, generator=made).requires_grad_() for shape in ((width, WORLD), (width, 4 * width), (4 * width, width))]
        return weights, torch.randn(rows, width, generator=torch.Generator().manual_seed(seed + rank))

    gm = make_fx(step, tracing_mode="fake")(*arguments(0))
    options = dict(largest=WORLD * rows, measure=budgets.Measurements(folder / f"{rank}.json"), effort=1000)
    free = budgets.plan_graph(gm, "1GB", **options)
    try:
        budgets.plan_graph(gm, 1000, **options)
    except budgets.BudgetError as error:
        least = error.least
    planned, given = budgets.plan_graph(gm, (free.report.planned_bytes + least) // 2, **options), set()
    for seed in range(3):
        expected = step(*arguments(seed))
        assert all(torch.equal(a, b) for a, b in zip(planned(*arguments(seed)), expected, strict=True))
        given.add(((arguments(seed)[1] @ arguments(seed)[0][0]).argmax(-1) == rank).sum().item())
    assert planned.report.recomputations > 0 and len(given) == 3 and WORLD * rows in planned.report.largest_sizes.values()
    everyone = [None] * WORLD
    torch.distributed.all_gather_object(everyone, planned.hash)
    assert everyone[0] == everyone[1]
    print("experts: rows go where they are sent")


def ddp(rank, folder):
    net, (x, y) = build_net(), (local(t, rank) for t in global_batch())
    for as_view in (False, True):
        wrapped = nn.parallel.DistributedDataParallel(copy.deepcopy(net), gradient_as_bucket_view=as_view, bucket_cap_mb=1)
        measured = budgets.Measurements(folder / f"{rank}.json")
        step = budgets.compile(wrapped, "1GB", loss=cross_entropy, measure=measured)
        step(x, y).backward()
        parameters = sum(p.nbytes for p in net.parameters())
        assert step.report.fixed_bytes == parameters, (step.report.fixed_bytes, parameters)  # the buckets
        assert step.report.verdict == "kept"
        wrapped.zero_grad()
        try:
            budgets.compile(wrapped, 400_000, loss=cross_entropy, measure=measured, effort=1000)(x, y)
        except budgets.BudgetError as error:
            budget = (step.report.planned_bytes + error.least) // 2
        tight = budgets.compile(wrapped, budget, loss=cross_entropy, measure=measured, effort=1000)
        for _ in range(2):
            wrapped.zero_grad()
            tight(x, y).backward()
            assert_gradients([p.grad for p in wrapped.parameters()], "ddp")
            assert tight.report.recomputations > 0 and tight.report.verdict == "kept"
    try:
        with budgets.budget("1GB", outside=0, measure=False):
            nn.parallel.DistributedDataParallel(torch.compile(net, backend="memplan"))(x)
    except Exception as refused:
        assert "cuts the step by its buckets" in str(refused)
        print("ddp: refused")


def build_sharded():
    """A deeper net under fully_shard: a group of its own for each convolution, and one for the rest."""
    from torch.distributed.fsdp import fully_shard

    net = build_net(MORE)
    for layer in net:
        if isinstance(layer, nn.Conv2d):
            fully_shard(layer)
    return fully_shard(net)


def fsdp(rank, folder):
    net, (x, y) = build_sharded(), (local(t, rank) for t in global_batch())
    measured = budgets.Measurements(folder / f"{rank}.json")
    optimizer = torch.optim.Adam(net.parameters())
    step = budgets.compile(net, "1GB", loss=cross_entropy, optimizer=optimizer, measure=measured)
    step(x, y).backward()
    shards = sum(p.to_local().nbytes for p in net.parameters())
    assert shards == sum(p.nbytes for p in build_net(MORE).parameters()) // WORLD
    assert 2 * shards <= step.report.fixed_bytes < 2.2 * shards, step.report  # the moments of Adam
    assert step.report.verdict == "kept", step.report
    net.zero_grad()
    free = step.report.planned_bytes - step.report.fixed_bytes
    try:
        budgets.compile(net, 100_000, loss=cross_entropy, measure=measured, effort=1000)(x, y)
    except budgets.BudgetError as error:
        budget = (error.least + free) // 2
    tight = budgets.compile(net, budget, loss=cross_entropy, measure=measured, effort=1000)
    for _ in range(2):
        net.zero_grad()
        tight(x, y).backward()
        assert_gradients([p.grad.full_tensor() for p in net.parameters()], "fsdp", MORE)
        assert tight.report.recomputations > 0 and tight.report.verdict == "kept", tight.report
    missing = budgets.compile(net, "1GB", loss=cross_entropy, measure=measured)
    net.zero_grad()
    missing(x, y).backward()
    held = missing.report.fixed_bytes
    if rank == 1:  # as if gloo had held a buffer on this rank alone
        missing.report.verdict, missing._session._watch.missed = "missed", (4096, 0, 0)
    for _ in range(2):
        net.zero_grad()
        missing(x, y).backward()
        assert missing.report.fixed_bytes == held + 4096, (missing.report.fixed_bytes, held)
    print("fsdp: all plan again")
    net.zero_grad()
    tight(x, y).backward()
    tight(x, y).backward()  # adds to the gradients that are there
    for ours, theirs in zip(net.parameters(), reference(MORE), strict=True):
        torch.testing.assert_close(ours.grad.full_tensor(), 2 * theirs, rtol=1e-10, atol=1e-12)
    net.zero_grad()
    step(x, y).backward()
    before = [p.full_tensor().clone() for p in net.parameters()]
    optimizer.step()
    value, after = step(x, y), [p.full_tensor() for p in net.parameters()]
    plain = build_net(MORE)
    for p, new in zip(plain.parameters(), after):
        p.data.copy_(new)
    assert not any(torch.equal(a, b) for a, b in zip(before, after))
    torch.testing.assert_close(value, cross_entropy(plain(x), y), rtol=1e-10, atol=0)  # reads the new parameters
    print("fsdp: updates ok")
    hashes = [None] * WORLD
    torch.distributed.all_gather_object(hashes, tight.report.planned_bytes)
    assert len(set(hashes)) == 1
    from torch.distributed.fsdp import fully_shard

    odd = fully_shard(nn.Linear(4, 3))
    try:
        budgets.compile(odd, "1GB", loss=cross_entropy)
    except budgets.UnsupportedGraph as refused:
        assert "'weight' has 3 rows" in str(refused)
        print("fsdp: refused")


def main():
    folder, rank = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder / 'meet'}", rank=rank, world_size=WORLD)
    try:
        whole_step(rank, folder)
        gathered(rank, folder)
        experts(rank, folder)
        ddp(rank, folder)
        fsdp(rank, folder)
    finally:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    exec(os.environ.get("MEMPLAN_TAKE_AWAY", ""))  # benchmarks/torch/rules.py takes a rule away here too
    main()
