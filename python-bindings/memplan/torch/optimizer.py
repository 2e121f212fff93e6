"""What an optimizer holds and what its update takes, found by running it on fake tensors."""

from __future__ import annotations

import dataclasses

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.optim.optimizer import _default_to_fused_or_foreach
from torch.utils._pytree import tree_leaves

from .errors import UnsupportedGraph
from .verify import LiveBytes


# Kernels of an update wrap scalars in tensors of their own, which fake tensors do not show: at most two of 8 bytes a parameter.
SCALAR_BYTES = 16


@dataclasses.dataclass(frozen=True)
class Needs:
    """Bytes of an optimizer. state: there during the whole step. update: highest above parameters and gradients while it updates,
    its state included."""

    state_bytes: int
    update_bytes: int


def distinct_bytes(tensors) -> int:
    """Bytes of the different storages of tensors."""
    return sum({t.untyped_storage()._cdata: t.untyped_storage().nbytes() for t in tensors if t is not None}.values())


def check(optimizer, module: torch.nn.Module | None = None) -> None:
    """Raises where `optimizer` is none, or updates nothing of `module`."""
    if optimizer is None:
        return
    if isinstance(optimizer, type) or not hasattr(optimizer, "param_groups"):
        raise TypeError(f"optimizer is one that was made, such as torch.optim.Adam(model.parameters()), not {optimizer!r}")
    updated = {id(p) for group in optimizer.param_groups for p in group["params"]}
    if module is not None and updated.isdisjoint(id(p) for p in module.parameters()):
        raise ValueError("optimizer updates no parameter of the module; make it with module.parameters() after the module was copied, moved or wrapped")


def _takes_foreach(parameters, differentiable: bool) -> bool:
    """Whether an optimizer updates these parameters all at once by default, which takes temporaries of all their bytes."""
    if any(isinstance(p, FakeTensor) for p in parameters):
        return not differentiable and all(p.device.type == "cuda" for p in parameters)
    return _default_to_fused_or_foreach(parameters, differentiable, use_fused=False)[1]


def _imitate(optimizer: torch.optim.Optimizer, mode: FakeTensorMode):
    """The same optimizer on fake parameters that have gradients; with the kind of loop that it takes for real ones."""
    groups = []
    for group in optimizer.param_groups:
        fakes = []
        for p in group["params"]:
            with mode:
                fakes.append(torch.nn.Parameter(torch.empty_strided(p.size(), p.stride(), dtype=p.dtype, device=p.device)))
                fakes[-1].grad = torch.empty_strided(p.size(), p.stride(), dtype=p.dtype, device=p.device)
        options = {k: v for k, v in group.items() if k != "params"}
        if options.get("foreach", 0) is None and not options.get("fused"):
            options["foreach"] = _takes_foreach(group["params"], bool(options.get("differentiable")))
        groups.append({**options, "params": fakes})
    return type(optimizer)(groups)


def needs(optimizer: torch.optim.Optimizer) -> Needs:
    """What `optimizer` needs from its first step on. Raises UnsupportedGraph where it cannot run on fake tensors."""
    mode, live = FakeTensorMode(allow_non_fake_inputs=True), LiveBytes()
    try:
        imitation = _imitate(optimizer, mode)
        parameters = [p for group in imitation.param_groups for p in group["params"]]
        for tensor in (*parameters, *(p.grad for p in parameters)):
            live.count(tensor)
        given = live.now
        with mode, live:
            imitation.step()  # the first step makes the state
            imitation.step()
    except Exception as error:
        said = f"{type(optimizer).__name__} does not run on fake tensors ({type(error).__name__}: {str(error)[:200]})"
        raise UnsupportedGraph(f"{said}; leave optimizer= out and give its state and temporaries as fixed_bytes=") from error
    return Needs(distinct_bytes(t for t in tree_leaves(list(imitation.state.values())) if isinstance(t, torch.Tensor)),
                 live.peak - given + SCALAR_BYTES * len(parameters))
