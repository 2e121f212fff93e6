"""memplan.torch: joint graphs without copies, bytes and work that results do not need."""

import copy
import random

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

from memplan.torch import capture, simplify, solve, trace  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402
from torch_steps import assert_as_eager, between, compiled, images, needs, scratch  # noqa: E402,F401

aten = torch.ops.aten


def traced(function, *values, mode="fake"):
    return torch.fx.experimental.proxy_tensor.make_fx(function, tracing_mode=mode)(*values)


def bits(value):
    """A tensor as whole numbers: zeros of both signs differ, and so do numbers without a value."""
    return value.contiguous().view({2: torch.int16, 4: torch.int32, 8: torch.int64}[value.element_size()])


def assert_same_bits(gm, simplified, values):
    for a, b in zip(gm(*values), simplified(*values), strict=True):
        assert torch.equal(bits(a), bits(b)) and (a.size(), a.stride()) == (b.size(), b.stride())


def assert_values_are_those_of_a_run(gm, values):
    """Fake values that the planner reads: the form of every tensor, and who shares a storage with whom."""

    class Compare(torch.fx.Interpreter):
        def run_node(self, node):
            value = super().run_node(node)
            if node.op == "call_function" and isinstance(value, torch.Tensor):
                told = node.meta["val"]
                assert (value.size(), value.stride(), value.dtype) == (told.size(), told.stride(), told.dtype), node
                for other, seen in self.env.items():
                    if isinstance(seen, torch.Tensor) and other.op == "call_function":
                        shares = [a.untyped_storage()._cdata == b.untyped_storage()._cdata for a, b in ((value, seen), (told, other.meta["val"]))]
                        assert shares[0] == shares[1], (node, other)
            return value

    Compare(gm, garbage_collect_values=False).run(*values)


def simplified_copy(gm):
    made = copy.deepcopy(gm)
    for old, new in zip(gm.graph.nodes, made.graph.nodes, strict=True):
        new.meta = dict(old.meta)
    simplify.simplify(made, set())
    made.recompile()
    return made


@pytest.mark.parametrize("seed", range(40))
def test_a_copy_of_views_of_a_copy_is_one_copy(seed):
    """Elements would come in another order. Random views between two copies."""
    r = random.Random(seed)
    sizes = [r.choice([2, 3, 4, 6]) for _ in range(r.randint(2, 4))]

    def step(x):
        y = torch.exp(x.permute(r_first))
        for kind, more in moves:
            y = y.clone(memory_format=torch.contiguous_format) if kind == "copy" else y.transpose(*more) if kind == "transpose" else y.reshape(more)
        return (y * 2,)

    r_first, moves, now = r.sample(range(len(sizes)), len(sizes)), [("copy", None)], None
    now = [sizes[d] for d in r_first]
    for _ in range(r.randint(1, 4)):
        if r.random() < 0.5 and len(now) > 1:
            one, other = r.sample(range(len(now)), 2)
            now[one], now[other] = now[other], now[one]
            moves.append(("transpose", (one, other)))
        elif len(now) > 2:
            at = r.randrange(len(now) - 1)
            now[at : at + 2] = [now[at] * now[at + 1]]
            moves.append(("reshape", list(now)))
    moves.append(("copy", None))
    x = torch.randn(sizes, generator=torch.Generator().manual_seed(seed))
    gm = traced(step, x)
    made = simplified_copy(gm)
    print("seed", seed, sizes, moves)
    assert_same_bits(gm, made, (x,))
    assert_values_are_those_of_a_run(made, (x,))
    clones = [len(g.graph.find_nodes(op="call_function", target=aten.clone.default)) for g in (gm, made)]
    assert clones[1] <= clones[0]
    assert clones[1] <= 1 or "reshape" in dict(moves), "two copies are left where views only change the order"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_gradients_of_all_parts_lie_beside_each_other(dim, order):
    """Zeros would lose their sign, or a part lie in another's place."""
    sizes = [4, 5, 2]
    sizes.insert(dim % 4, 3)

    def step(*parts):
        made = [aten.select_backward(torch.mul(parts[at], -1.0), sizes, dim, at) for at in order]
        return ((made[0] + made[1]) + made[2],)

    parts = [torch.randn(4, 5, 2, generator=torch.Generator().manual_seed(at)) for at in range(3)]
    parts[1][0], parts[2][1] = 0.0, -0.0
    gm = traced(step, *parts)
    made = simplified_copy(gm)
    assert not made.graph.find_nodes(op="call_function", target=aten.select_backward.default)
    assert_same_bits(gm, made, parts)
    assert_values_are_those_of_a_run(made, parts)


def test_gradients_of_some_parts_are_added_up_as_they_are():
    """Parts that nothing selected would be missing, one that two selected would count once, and what somebody else reads would be gone."""

    def some(a, b):
        return (aten.select_backward(a, [3, 4], 0, 0) + aten.select_backward(b, [3, 4], 0, 2),)

    def twice(a, b):
        return (aten.select_backward(a, [2, 4], 0, 1) + aten.select_backward(b, [2, 4], 0, 1),)

    def held(a, b):
        first = aten.select_backward(a, [2, 4], 0, 0)
        return first + aten.select_backward(b, [2, 4], 0, 1), first

    def scaled(a, b):
        return (torch.add(aten.select_backward(a, [2, 4], 0, 0), aten.select_backward(b, [2, 4], 0, 1), alpha=2),)

    values = torch.randn(4), torch.randn(4)
    for function in (some, twice, held, scaled):
        gm = traced(function, *values)
        made = simplified_copy(gm)
        assert len(made.graph.find_nodes(op="call_function", target=aten.select_backward.default)) == 2, function
        assert_same_bits(gm, made, values)


POOLS = [(3, 2, 1, 1, False), (2, 2, 0, 1, False), (3, 1, 1, 1, False), (3, 3, 1, 1, True), (2, 1, 0, 3, False)]


@pytest.mark.parametrize("last", [False, True], ids=["contiguous", "channels last"])
@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_gradients_are_masked_after_a_max_pool_as_before_it(pool, last):
    """Gradients would reach elements that a ReLU cut off. Windows that overlap, have ties, zeros and numbers without a value."""
    size, stride, padding, dilation, ceil = pool
    made = torch.Generator().manual_seed(7)
    x = torch.randn(2, 5, 11, 12, generator=made).round(decimals=1)
    x[0, :, 3:6], x[1, 0, 2, 2], x[1, 1, 5, 5] = -1.0, float("nan"), float("inf")
    x = x.to(memory_format=torch.channels_last) if last else x

    def step(x, gradient):
        kept = torch.relu(x)
        pooled, indices = aten.max_pool2d_with_indices(kept, [size, size], [stride, stride], [padding, padding], [dilation, dilation], ceil)
        back = aten.max_pool2d_with_indices_backward(gradient, kept, [size, size], [stride, stride], [padding, padding], [dilation, dilation], ceil, indices)
        return pooled, aten.threshold_backward(back, kept.detach(), 0)

    gradient = torch.randn(aten.max_pool2d_with_indices(x, size, stride, padding, dilation, ceil)[0].shape, generator=made).round(decimals=1)
    gradient[0, 0], gradient[1, 2, 0, 0] = -0.0, float("nan")
    gm = traced(step, x, gradient)
    pooled = gm(x, gradient)[0]
    made = simplified_copy(gm)
    assert_same_bits(gm, made, (x, gradient))
    readers = [n.target for n in next(n for n in made.graph.nodes if n.target is aten.relu.default).users]
    assert aten.detach.default not in readers
    fewer = pooled.numel() <= x.numel()
    assert (aten.threshold_backward.default not in readers) == fewer
    assert (aten.max_pool2d_with_indices_backward.default in readers) == last, "a form that is not the one of zero strides was passed"


@pytest.mark.parametrize("last", [False, True], ids=["contiguous", "channels last"])
@pytest.mark.parametrize("kind", ["average", "adaptive"])
def test_backwards_of_average_pools_read_no_element_of_what_was_pooled(kind, last):
    """Convolutions before a pool would keep their result, or run again, for its sizes."""
    x = torch.randn(2, 6, 12, 12).to(memory_format=torch.channels_last if last else torch.contiguous_format)

    def step(x, gradient):
        kept = torch.exp(x)
        back = aten.avg_pool2d_backward(gradient, kept, [3, 3], [3, 3], [0, 0], False, True, None) if kind == "average" else aten._adaptive_avg_pool2d_backward(gradient, kept)
        return (back * 2,)

    gradient = torch.randn(2, 6, 4, 4)
    gm = traced(step, x, gradient)
    made = simplified_copy(gm)
    assert_same_bits(gm, made, (x, gradient))
    assert (aten.exp.default in [n.target for n in made.graph.nodes]) == last


def test_a_relu_before_a_pool_is_not_kept(compiled):
    """The largest tensor of most networks for images would be kept for the sign of a few of its elements, or be made again for that."""
    module = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(3, 2, 1), nn.Conv2d(16, 8, 3), nn.AvgPool2d(2), nn.Flatten(), nn.LazyLinear(10))
    inputs = images()
    module(inputs[0])
    eager = copy.deepcopy(module)
    joint = trace.trace_joint(module, inputs, cross_entropy)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
    relu = next(n.id for n in graph.nodes if n.fx is not None and n.fx.target is aten.relu.default)
    assert not any(n.backward and set(n.inputs) & set(graph.nodes[relu].outputs) for n in graph.nodes)
    most, least = solve.unplanned(graph).peak_bytes, needs(module, inputs)[1]
    assert_as_eager(compiled(module, between(most, least, 0.2), loss=cross_entropy, measure=False, on_miss="ignore"), module, eager, inputs)
    step = compiled(module, "1GB", loss=cross_entropy)
    step(*inputs).backward()
    assert step.report.verdict == "kept" and step.report.measured_bytes == step.report.planned_bytes


def test_scratch_of_what_takes_the_place_of_others_is_known(scratch):
    """Nodes that the rules make, and backwards that are given a form alone, would have no scratch: the budget would not be kept."""
    module = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.LazyLinear(10))
    inputs = images()
    module(inputs[0])
    joint, told = trace.trace_joint(module, inputs, cross_entropy), []
    capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static, scratch=lambda graph: told.append([n.name for n in graph.graph.nodes]) or scratch.scratch(graph))
    assert told[0] == [n.name for n in joint.module.graph.nodes], "it was asked before the rules were applied"
    assert not [name for name in scratch.missing if "pool" in name or "as_strided" in name]


def test_attention_of_one_projection_takes_fewer_copies_and_the_bits_of_eager(compiled):
    """Vision transformers would take 3 % of their time for copies and zeros, and the most bytes where gradients of queries, keys and values meet."""

    class Mix(nn.Module):
        def __init__(self):
            super().__init__()
            self.mix, self.head = nn.MultiheadAttention(32, 4, batch_first=True), nn.Linear(32, 10)

        def forward(self, x):
            return self.head(self.mix(x, x, x, need_weights=False)[0].mean(1))

    module, inputs = Mix(), (torch.randn(4, 9, 32), torch.randint(0, 10, (4,)))
    joint = trace.trace_joint(module, inputs, cross_entropy)
    graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
    used = [n.fx.target for n in graph.nodes if n.fx is not None]
    assert aten.select_backward.default not in used and used.count(aten.clone.default) == 4
    eager = copy.deepcopy(module)
    most, least = solve.unplanned(graph).peak_bytes, needs(module, inputs)[1]
    step = compiled(module, between(most, least, 0.3), loss=cross_entropy, measure=False, on_miss="ignore")
    assert_as_eager(step, module, eager, inputs)


EDGES = [0.0, -0.0, 1.0, -1.0, 6.0, float("inf"), float("-inf"), float("nan")]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("activation", [nn.ReLU6(), nn.Hardtanh(), nn.Hardtanh(0.5, float("inf")), nn.LeakyReLU(0.1), nn.LeakyReLU(0.0), nn.LeakyReLU(3.0), nn.LeakyReLU(-0.5)], ids=str)
def test_a_backward_that_reads_the_result_has_the_bits_of_one_that_reads_the_input(activation, dtype):
    """A step that fits its budget would train another model. Numbers at each edge, beside it, and without a value."""
    form = torch.finfo(dtype)
    edges = torch.tensor([*EDGES, form.tiny, -form.tiny, form.smallest_normal / 2, -form.smallest_normal / 2, form.max, form.min], dtype=dtype)
    made = torch.Generator().manual_seed(11)
    x = torch.cat([edges, *(torch.nextafter(edges, torch.tensor(to, dtype=dtype)) for to in (9.0, -9.0)), 4 * torch.randn(500, generator=made).to(dtype)])

    def step(x, weight, gradient):
        kept = activation(x)
        return torch.autograd.grad(kept * weight, (x, weight), gradient)  # the product's backward reads the result too

    inputs = x.requires_grad_(), torch.randn(x.shape, generator=made).to(dtype).requires_grad_(), torch.randn(x.shape, generator=made).to(dtype)
    gm = traced(step, *inputs, mode="real")
    backward = next(n for n in gm.graph.nodes if n.target in simplify._BY_RESULT)
    before, expected = backward.args[1], gm(*inputs)
    simplify.read_results_for_inputs(gm, set(backward.graph.nodes))
    gm.recompile()
    assert (backward.args[1] is not before) == (getattr(activation, "negative_slope", 1) >= 0)
    assert all(torch.equal(a.nan_to_num(3), b.nan_to_num(3)) and torch.equal(a.isnan(), b.isnan()) for a, b in zip(gm(*inputs), expected, strict=True))


def test_copies_for_in_place_activations_are_not_made(compiled):
    """Networks with in-place activations would keep two tensors for each, and take the time of the copies, as PyTorch does."""

    def layers(in_place):
        return nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU6(in_place), nn.Conv2d(8, 8, 3), nn.SiLU(in_place), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))

    assert len({needs(layers(in_place), images())[0] for in_place in (False, True)}) == 1
    module, inputs = layers(True), images()
    eager, step = copy.deepcopy(module), compiled(module, "1GB", loss=cross_entropy)
    assert_as_eager(step, module, eager, inputs)
    assert step.report.verdict == "kept" and step.report.measured_bytes == step.report.planned_bytes


def test_copies_that_somebody_holds_or_that_have_another_form_are_made():
    """What the caller gave would change with what the caller gets, and an operator would read elements in another order."""

    def copies(x, y):
        made = torch.tanh(y)
        turned = made.t().clone(memory_format=torch.contiguous_format)
        part = made[1:].clone()
        return x.clone(), turned * 2, part * 2, made.clone() * 3, torch.exp(y).clone()

    gm = traced(copies, torch.randn(4, 6), torch.randn(4, 6))
    assert len(gm.graph.find_nodes(op="call_function", target=torch.ops.aten.clone.default)) == 5
    simplify.drop_copies(gm)
    left = gm.graph.find_nodes(op="call_function", target=torch.ops.aten.clone.default)
    assert [n.name for n in left] == ["clone", "clone_1", "clone_2", "clone_4"]  # all but the copy of what nobody else has
    gm = traced(lambda x: torch.tanh(x).clone().add_(1) * 2, torch.randn(4))
    simplify.simplify(gm, set())
    assert gm.graph.find_nodes(op="call_function", target=torch.ops.aten.clone.default), "the original would be overwritten"


def test_what_only_a_backward_of_relu6_would_read_is_not_kept(compiled):
    """Each ReLU6 would hold two tensors where one says all; or one that nothing else wants would be kept for another."""

    def layers(last):
        return nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU6(), *last, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10))

    for last, by_result in ((nn.Conv2d(8, 8, 3),), True), ((), False):
        module, inputs = layers(last), images()
        joint = trace.trace_joint(module, inputs, cross_entropy)
        graph = capture.StepGraph(joint.module, joint.forward_outputs, static=joint.static)
        node = next(n for n in graph.nodes if n.fx is not None and n.fx.target is torch.ops.aten.hardtanh_backward.default)
        read = {graph.tensors[t].source.target for t in node.inputs}
        assert (torch.ops.aten.hardtanh.default in read) == by_result
        eager = copy.deepcopy(module)
        most, least = needs(module, inputs)
        assert_as_eager(compiled(module, between(most, least, 0.5), loss=cross_entropy, measure=False, on_miss="ignore"), module, eager, inputs)
