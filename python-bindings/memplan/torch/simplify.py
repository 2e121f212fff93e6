"""Simplify: a joint graph without copies, bytes and work that its results do not need. Every rule keeps the bits of every result.

PyTorch's own backwards keep the input of an activation where the result says as much, and a copy of it where the activation is in place.
They make a whole tensor of zeros for each part that was selected of one. Graphs in which something is overwritten stay as they are."""

from __future__ import annotations

import operator

import torch
from torch import fx
from torch._guards import detect_fake_mode
from torch.utils._pytree import tree_leaves

from . import operators

aten = torch.ops.aten


def simplify(joint: fx.GraphModule, backward: set[fx.Node]) -> None:
    """Applies all rules; `backward` are the nodes of the backward."""
    if any(operators.written_arguments(node) for node in joint.graph.nodes):
        return
    drop_detaches(joint)
    drop_copies(joint)
    read_results_for_inputs(joint, backward)
    if not any("symbolic" in node.meta for node in joint.graph.nodes):  # others make nodes, whose sizes would not be symbolic
        copy_once(joint)
        join_selections(joint)
        mask_after_pool(joint)
        pass_forms(joint)
    joint.graph.eliminate_dead_code()


def _storages(values) -> set[int]:
    return {v.untyped_storage()._cdata for v in tree_leaves(values) if isinstance(v, torch.Tensor) and v.layout == torch.strided}


def _form(value: torch.Tensor) -> tuple:
    return value.size(), value.stride(), value.storage_offset(), value.untyped_storage().nbytes()


def _revalue(node: fx.Node, storage: int) -> None:
    """Gives what was a view of a storage that `node` had before the fake value of a view of what it has now."""
    for user in node.users:
        if user.op == "call_function" and storage in _storages(user.meta.get("val")):
            args, kwargs = operators.example_arguments(user)
            with detect_fake_mode(tree_leaves(args)), torch.no_grad():
                user.meta["val"] = user.target(*args, **kwargs)
            _revalue(user, storage)


def _replace(node: fx.Node, other: fx.Node) -> None:
    """Has readers of `node` read `other`, and takes it away."""
    storage = node.meta["val"].untyped_storage()._cdata
    node.replace_all_uses_with(other)
    _revalue(other, storage)
    node.graph.erase_node(node)


# ---- copies


def drop_detaches(joint: fx.GraphModule) -> None:
    """Has readers of a detached tensor read that one, but for the caller: the rules below find it by its name."""
    for node in joint.graph.find_nodes(op="call_function", target=aten.detach.default):
        node.replace_all_uses_with(node.args[0], delete_user_cb=lambda user: user.op != "output")


def drop_copies(joint: fx.GraphModule) -> None:
    """Has readers of a copy read what was copied. In-place activations are traced as ones that copy their input first, for the backward.
    What the caller gave or gets has bytes of its own."""
    kept = _storages([n.meta.get("val") for n in (*joint.graph.find_nodes(op="placeholder"), *joint.graph.output_node().all_input_nodes)])
    for node in joint.graph.find_nodes(op="call_function", target=aten.clone.default):
        source, made = node.args[0].meta["val"], node.meta["val"]
        if source.layout == torch.strided and _form(source) == _form(made) and not kept & _storages([source, made]):
            _replace(node, node.args[0])


def _regrouped(sizes, atoms: list) -> list[list] | None:
    """Atoms (position, size) as dimensions of these sizes; None where one would have to be split."""
    groups, left = [], list(atoms)
    for size in sizes:
        group, product = [], 1
        while product < size and left:
            group.append(left.pop(0))
            product *= group[-1][1]
        if product != size:
            return None
        groups.append(group)
    return None if left else groups


def _moved(node: fx.Node, groups: list[list]) -> list[list] | None:
    """Dimensions, as groups of those of a first tensor, after one more view; None for what is no change of order or grouping."""
    if node.target in (aten.view.default, aten._unsafe_view.default):
        return _regrouped(node.meta["val"].size(), [atom for group in groups for atom in group])
    if node.target is aten.transpose.int:
        one, other = (d % len(groups) for d in node.args[1:3])
        order = [other if d == one else one if d == other else d for d in range(len(groups))]
        return [groups[d] for d in order]
    if node.target is aten.permute.default:
        return [groups[d % len(groups)] for d in node.args[1]]
    return None


def _views_between(node: fx.Node) -> list[fx.Node] | None:
    """The views between the copy `node` and another copy, first one first, where nothing else reads any of them; None where there is no other."""
    views, at = [], node.args[0]
    while at.op == "call_function" and len(at.users) == 1:
        if at.target is aten.clone.default:
            return [at, *reversed(views)] if at.meta["val"].is_contiguous() else None
        if at.target not in (aten.view.default, aten._unsafe_view.default, aten.transpose.int, aten.permute.default):
            return None
        views.append(at)
        at = at.args[0]
    return None


def _insert(before: fx.Node, target, *args) -> fx.Node:
    """A new node with its fake value."""
    with before.graph.inserting_before(before):
        node = before.graph.call_function(target, args)
    given, _ = operators.example_arguments(node)
    with detect_fake_mode(tree_leaves(given)), torch.no_grad():
        node.meta["val"] = target(*given)
    return node


def copy_once(joint: fx.GraphModule) -> None:
    """Has a copy of views of a copy copy what the first one did: attention's gradients are put into order twice."""
    for node in joint.graph.find_nodes(op="call_function", target=aten.clone.default):
        chain = _views_between(node) if node.meta["val"].is_contiguous() else None
        source = chain[0].args[0] if chain else None
        groups = None if chain is None else [[(d, size)] for d, size in enumerate(source.meta["val"].size())]
        for view in (chain or ())[1:]:
            groups = groups and _moved(view, groups)
        if not groups or 1 in source.meta["val"].size():
            continue
        order = [d for group in groups for d, _ in group]
        turned = _insert(node, aten.permute.default, source, order)
        copied = _insert(node, aten.clone.default, turned)
        if not copied.meta["val"].is_contiguous():
            with node.graph.inserting_before(node):
                copied.kwargs = {"memory_format": torch.contiguous_format}
            copied.meta["val"] = copied.meta["val"].contiguous()
        made = _insert(node, aten.view.default, copied, list(node.meta["val"].size()))
        _replace(node, made)
        joint.graph.eliminate_dead_code()


# ---- results for inputs

# Backwards of operators that clamp or scale an element by where it lies, each with that operator. The result lies on the same side of each
# edge as the input, so the backward may read it for that. Of leaky ReLUs that holds for slopes of at least 0.
_BY_RESULT = {aten.hardtanh_backward.default: aten.hardtanh.default, aten.leaky_relu_backward.default: aten.leaky_relu.default}


def _result_for_input(node: fx.Node) -> fx.Node | None:
    """The forward's result that the backward `node` could read for the forward's input; None where there is none."""
    forward, same = _BY_RESULT[node.target], node.args[2:4] if node.target is aten.hardtanh_backward.default else node.args[2:3]
    if node.target is aten.leaky_relu_backward.default and (node.args[3] or node.args[2] < 0):
        return None
    defaults = tuple(a.default_value for a in forward._schema.arguments[1:])
    return next((u for u in node.args[1].users if u.target is forward and not u.kwargs and (*u.args[1:], *defaults[len(u.args) - 1 :]) == tuple(same)), None)


def read_results_for_inputs(joint: fx.GraphModule, backward: set[fx.Node]) -> None:
    """Has backwards of ReLU6 and its like read the forward's result where another node of the `backward` reads that too. Their input
    need not be kept then, or made again."""
    for node in joint.graph.nodes:
        result = _result_for_input(node) if node.target in _BY_RESULT else None
        if result is None or not any(user in backward for user in result.users):
            continue
        is_leaky = node.target is aten.leaky_relu_backward.default
        node.args = (node.args[0], result, *node.args[2:3], True) if is_leaky else (node.args[0], result, *node.args[2:])


# ---- gradients of parts


def _summands(node: fx.Node) -> list[fx.Node]:
    """What a tree of plain sums adds up, where nothing else reads the sums inside it."""
    if node.target is not aten.add.Tensor or node.kwargs or not all(isinstance(a, fx.Node) for a in node.args):
        return [node]
    return [leaf for a in node.args for leaf in (_summands(a) if len(a.users) == 1 else [a])]


def _selections(node: fx.Node) -> list[fx.Node] | None:
    """Gradients of all parts of a tensor along one dimension, in order, where `node` adds up one tensor of zeros with one such part for each."""
    found = _summands(node)
    if len(found) < 2 or any(n.target is not aten.select_backward.default or len(n.users) != 1 for n in found):
        return None
    (sizes, dim, _), parts = found[0].args[1:4], {n.args[3] % n.args[1][n.args[2]]: n.args[0] for n in found}
    same = all((n.args[1], n.args[2]) == (sizes, dim) for n in found)
    return [parts[at] for at in sorted(parts)] if same and len(parts) == len(found) == sizes[dim] else None


def _without_copy(part: fx.Node) -> fx.Node:
    """`part`, or a view of the same elements of what was copied for it alone."""
    copied = part
    while copied.target in (aten.view.default, aten._unsafe_view.default) and len(copied.users) == 1:
        copied = copied.args[0]
    if copied is part or copied.target is not aten.clone.default or len(copied.users) != 1:
        return part
    try:
        return _insert(part, aten.view.default, copied.args[0], list(part.meta["val"].size()))
    except (RuntimeError, ValueError):  # it is no view of those
        part.graph.erase_node(part.prev)
        return part


def join_selections(joint: fx.GraphModule) -> None:
    """Puts gradients of parts beside each other where PyTorch adds up a whole tensor for each, of zeros but for that part. The sum of one and
    zeros is kept as one with 0: it turns -0 into 0."""
    for node in reversed(joint.graph.find_nodes(op="call_function", target=aten.add.Tensor)):
        parts = _selections(node) if node.users else None
        if parts is None or not node.meta["val"].is_floating_point():
            continue
        joined = _insert(node, aten.stack.default, [_without_copy(p) for p in parts], _summands(node)[0].args[2])
        made = _insert(node, aten.add.Tensor, joined, 0.0)
        if _form(made.meta["val"]) == _form(node.meta["val"]) and made.meta["val"].dtype == node.meta["val"].dtype:
            _replace(node, made)
        joint.graph.eliminate_dead_code()


# ---- pools

# Backwards that read of their second argument its form alone.
_BY_FORM = {aten.max_pool2d_with_indices_backward.default, aten.avg_pool2d_backward.default, aten._adaptive_avg_pool2d_backward.default}


def _mask_before_pool(node: fx.Node) -> fx.Node | None:
    """The largest elements that a pool found, where `node` masks its gradients by the tensor that it pooled; None where that is no such mask."""
    gradient, masked = node.args[:2]
    if gradient.target is not aten.max_pool2d_with_indices_backward.default or len(gradient.users) != 1 or gradient.args[1] is not masked:
        return None
    indices = gradient.args[7]
    found = [u for u in indices.args[0].users if u.target is operator.getitem and u.args[1] == 0]
    return found[0] if found and found[0].meta["val"].numel() <= masked.meta["val"].numel() else None


def mask_after_pool(joint: fx.GraphModule) -> None:
    """Has the backward of a ReLU before a max pool mask the pool's gradients, which are fewer, by the elements that the pool found. Of every element
    that has a gradient that is the same value; so what was pooled need not be kept, or made again."""
    for node in joint.graph.find_nodes(op="call_function", target=aten.threshold_backward.default):
        largest = _mask_before_pool(node)
        if largest is not None:
            pool = node.args[0]
            pool.args = (_insert(pool, aten.threshold_backward.default, pool.args[0], largest, node.args[2]), *pool.args[1:])
            _replace(node, pool)


def pass_forms(joint: fx.GraphModule) -> None:
    """Gives backwards of pools their gradient, strided as a tensor of the form of what was pooled. On other devices than the CPU they may copy it first."""
    for node in [n for n in joint.graph.nodes if n.target in _BY_FORM]:
        gradient, pooled = (a.meta["val"] for a in node.args[:2])
        if pooled.device.type != "cpu" or gradient.dtype != pooled.dtype or not gradient.numel():
            continue
        form = _insert(node, aten.as_strided.default, node.args[0], list(pooled.size()), [0] * pooled.dim(), 0)
        args, kwargs = operators.example_arguments(node)
        with detect_fake_mode(tree_leaves(args)), torch.no_grad():
            made = node.target(args[0], form.meta["val"], *args[2:], **kwargs)
        if _form(made) == _form(node.meta["val"]):
            node.args = (node.args[0], form, *node.args[2:])
