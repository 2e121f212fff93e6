"""What each of two gloo processes runs: torch_ranks.py FOLDER RANK."""

import copy
import pathlib
import sys

import memplan
import memplan.torch as budgets
import torch
from memplan.torch import allocator
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.functional import cross_entropy

WORLD = 2


def build_net():
    torch.manual_seed(5)
    return nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.GELU(), nn.Conv2d(8, 8, 3), nn.GELU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(8, 10)).double()


def global_batch():
    torch.manual_seed(6)
    return torch.randn(2 * WORLD, 3, 24, 24).double(), torch.randint(0, 10, (2 * WORLD,))


def local(tensor, rank):
    return tensor.chunk(WORLD)[rank].clone()


def reference():
    """Gradients of one process with the global batch."""
    net, (x, y) = build_net(), global_batch()
    cross_entropy(net(x), y).backward()
    return [p.grad for p in net.parameters()]


def assert_gradients(found, what):
    for ours, theirs in zip(found, reference(), strict=True):
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
    assert planned.report.reruns > 0 and held + taken <= budget, (held + taken, budget)
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
            budgets.compile(wrapped, 400_000, loss=cross_entropy, measure=measured)(x, y)
        except budgets.BudgetError as error:
            budget = (step.report.planned_bytes + error.least) // 2
        tight = budgets.compile(wrapped, budget, loss=cross_entropy, measure=measured, effort=1000)
        for _ in range(2):
            wrapped.zero_grad()
            tight(x, y).backward()
            assert_gradients([p.grad for p in wrapped.parameters()], "ddp")
            assert tight.report.reruns > 0 and tight.report.verdict == "kept"
    try:
        with budgets.budget("1GB", outside=0, measure=False):
            nn.parallel.DistributedDataParallel(torch.compile(net, backend="memplan"))(x)
    except Exception as refused:
        assert "cuts the step by its buckets" in str(refused)
        print("ddp: refused")


def main():
    folder, rank = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder / 'meet'}", rank=rank, world_size=WORLD)
    try:
        whole_step(rank, folder)
        ddp(rank, folder)
    finally:
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
