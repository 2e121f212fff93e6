"""Sharded: a module under fully_shard (FSDP2) as one graph, in which parameters are gathered where they are used.

FSDP gathers by hooks around modules, which no graph holds. Here each parameter is a property that gathers its shard; the
gradient is reduced and scattered by the gather's own backward. So a plan decides how long a gathered parameter lives and
which ones are gathered again, and the budget counts all of it."""

from __future__ import annotations

import copy
import inspect

import torch
from torch import nn
from torch.distributed import _functional_collectives as collectives
from torch.distributed.fsdp import FSDPModule
from torch.distributed.tensor import DTensor, Shard

from .errors import UnsupportedGraph


class _MeanOfRanks(torch.autograd.Function):
    """The shard as it is; its gradient, a sum over ranks, becomes their mean."""

    @staticmethod
    def forward(context, shard, ranks):
        context.ranks = ranks
        return shard.view_as(shard)

    @staticmethod
    def backward(context, gradient):
        return gradient / context.ranks, None


def _gathering(name: str):
    def gather(self):
        shard, group = self._parameters[name], self._memplan_groups[name]
        return collectives.all_gather_tensor_autograd(_MeanOfRanks.apply(shard, group.size()), 0, group)

    return property(gather)


def _is_of_fsdp(hook) -> bool:
    return (getattr(inspect.unwrap(getattr(hook, "func", hook)), "__module__", None) or "").startswith("torch.distributed.fsdp")


class Sharded(nn.Module):
    """The forward of a module under fully_shard without FSDP's hooks. Shards are the memory of the module's parameters; `take_gradients()`
    before a step takes over the gradients that are there, and those of a backward appear in the module's own parameters."""

    def __init__(self, module: FSDPModule):
        super().__init__()
        self._shards: dict[DTensor, nn.Parameter] = {}
        self._names = {p: name for name, p in module.named_parameters()}
        self._copies: dict[nn.Module, nn.Module] = {}
        self.module = self._plain(module)

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def take_gradients(self) -> None:
        for parameter, shard in self._shards.items():
            if parameter.to_local().data_ptr() != shard.data_ptr():
                raise UnsupportedGraph(f"'{self._names[parameter]}' has other memory than when the step was compiled; compile it again")
            shard.grad = None if parameter.grad is None else parameter.grad.to_local()

    def optimizer(self, given: torch.optim.Optimizer) -> torch.optim.Optimizer:
        """`given` as it is over the shards, for what it needs of a rank."""
        made = copy.copy(given)

        def local(value):
            return self._shards.get(value, value) if isinstance(value, nn.Parameter) else value.to_local() if isinstance(value, DTensor) else value

        made.param_groups = [{**group, "params": [local(p) for p in group["params"]]} for group in given.param_groups]
        made.state = type(given.state)(given.state.default_factory, {local(p): {k: local(v) for k, v in state.items()} for p, state in given.state.items()})
        return made

    def _shard(self, parameter: DTensor) -> nn.Parameter:
        name, mesh = self._names[parameter], parameter.device_mesh
        if mesh.ndim != 1 or parameter.placements != (Shard(0),):
            raise UnsupportedGraph(f"'{name}' lies as {parameter.placements} on a mesh of {mesh.ndim} dimensions; memplan gathers Shard(0) of one dimension")
        if parameter.shape[0] % mesh.size():
            raise UnsupportedGraph(f"'{name}' has {parameter.shape[0]} rows, which {mesh.size()} ranks cannot share evenly: leave it out of "
                                   "fully_shard (ignored_params=) or make its rows a multiple")
        shard = nn.Parameter(parameter.to_local().detach(), parameter.requires_grad)

        def give(changed):
            parameter.grad = DTensor.from_local(changed.grad, mesh, parameter.placements, run_check=False, shape=parameter.shape, stride=parameter.stride())

        if parameter.requires_grad:
            shard.register_post_accumulate_grad_hook(give)
        return shard

    def _plain(self, module: nn.Module) -> nn.Module:
        """A module that shares all but its children, its parameters and FSDP's hooks."""
        if module in self._copies:
            return self._copies[module]
        kind = type(module)
        if isinstance(module, FSDPModule):
            policy = module._get_fsdp_state()._mp_policy
            if policy.param_dtype or policy.reduce_dtype:
                raise UnsupportedGraph("a MixedPrecisionPolicy is not in the step that is planned; use torch.autocast around it")
            kind = kind.__mro__[2]
        sharded = {name: p for name, p in module._parameters.items() if isinstance(p, DTensor)}
        if sharded:
            kind = type(f"Gathered{kind.__name__}", (kind,), {name: _gathering(name) for name in sharded})
        made = self._copies[module] = object.__new__(kind)
        made.__dict__.update(module.__dict__)
        made._forward_pre_hooks, made._forward_hooks = ({key: hook for key, hook in hooks.items() if not _is_of_fsdp(hook)}
                                                        for hooks in (module._forward_pre_hooks, module._forward_hooks))
        made._memplan_groups = {name: p.device_mesh.get_group() for name, p in sharded.items()}
        made._parameters = dict(module._parameters)
        for name, parameter in sharded.items():
            if parameter not in self._shards:
                self._shards[parameter] = self._shard(parameter)
            made._parameters[name] = self._shards[parameter]
        made._modules = {name: child if child is None else self._plain(child) for name, child in module._modules.items()}
        return made
