"""Titan: budgets for torchtitan's GraphTrainer, as a pipeline of its graph passes.

    memplan.torch.titan.register("60GiB")     # in a module that the run imports; then --compile.pass_pipeline memplan

GraphTrainer traces forward, loss and backward into one graph. The pipeline is torchtitan's own but for what chooses activations to
save, recompute or copy: these three passes are replaced by a plan of the whole step, made last, when nothing changes the order any
more. Works with torchtitan 0.3."""

from __future__ import annotations

import copy
import functools

import torch

from . import optimizer as optimizers
from .errors import BudgetError, UnsupportedGraph, parse_bytes, show_bytes
from .measure import Measurements
from .solve import PCIE
from .whole import PlannedGraph, plan_graph

# Passes of torchtitan that the plan stands for.
REPLACED = {"tag_with_memory_policy_pass", "apply_cpu_offload_pass", "selective_activation_remat_pass"}


def _name(graph_pass) -> str:
    return getattr(graph_pass, "func", graph_pass).__name__


def _local(value):
    """The part of a DTensor that this rank has; other values as they are."""
    to_local = getattr(value, "to_local", None)
    return to_local() if callable(to_local) else value


def _needs_of_rank(optimizer: torch.optim.Optimizer) -> optimizers.Needs:
    """Needs of an optimizer over what this rank has of its parameters."""
    shards = {p: torch.nn.Parameter(_local(p.detach()), p.requires_grad) for g in optimizer.param_groups for p in g["params"]}
    made = copy.copy(optimizer)
    made.param_groups = [{**g, "params": [shards[p] for p in g["params"]]} for g in optimizer.param_groups]
    return optimizers.needs(made)


class Pipeline:
    """A pass pipeline of GraphTrainer. `planned` is the step that was planned last, with its report; None before one was."""

    def __init__(self, budget, *, fixed_bytes, **options):
        self._budget, self._fixed, self._options = parse_bytes(budget), parse_bytes(fixed_bytes), options
        self._trainer = None
        self.planned: PlannedGraph | None = None

    def __call__(self, traced, config, *, parallel_dims=None) -> list:
        """torchtitan's passes for a traced step, and memplan's last."""
        from torchtitan.experiments.graph_trainer.passes import compile_time_passes

        if config.compile.inductor_compilation != "regional":
            raise UnsupportedGraph("inductor orders and fuses the whole graph after the plan is made: set --compile.inductor_compilation regional")
        passes = compile_time_passes(traced, config, use_cudagraph=False, parallel_dims=parallel_dims)
        return [*(p for p in passes if _name(p) not in REPLACED), functools.partial(memplan_pass, pipeline=self, static=traced.num_static_inputs)]

    def see(self, trainer) -> None:
        """Hook after a trainer was built: its optimizers' state, and gradients that stay between steps, are on the device too."""
        self._trainer = trainer

    def plan(self, gm, static: int) -> PlannedGraph:
        held = self._held_beside(gm, static)
        self.planned = plan_graph(gm, self._budget, static=static, fixed_bytes=self._fixed + held, **self._options)
        return self.planned

    def _held_beside(self, gm, static: int) -> int:
        if self._trainer is None:
            return 0
        needs = [_needs_of_rank(o) for o in self._trainer.optimizers]
        places = gm.graph.find_nodes(op="placeholder")[:static]
        held = optimizers.distinct_bytes(p.meta.get("val") for p in places if isinstance(p.meta.get("val"), torch.Tensor))
        gradients = optimizers.distinct_bytes(_local(p.detach()) for m in self._trainer.model_parts for p in m.parameters() if p.requires_grad)
        state = sum(n.state_bytes for n in needs)
        update = self._fixed + held + gradients + max(state - n.state_bytes + n.update_bytes for n in needs)
        if update > self._budget:
            raise BudgetError(f"the update alone takes {show_bytes(update)} ({update} bytes) of {self._budget}: parameters, gradients and optimizers", update)
        keeps = self._trainer.gradient_accumulation_steps > 1 or not self._trainer.config.training.disable_cuda_graphs  # zeroed, not released
        return state + (gradients if keeps else 0)


def memplan_pass(gm, example_inputs, *, pipeline: Pipeline, static: int):
    """The step in the order of its plan. Raises BudgetError, UnsupportedGraph."""
    return pipeline.plan(gm, static).module


def register(budget: int | str, *, name: str = "memplan", fixed_bytes: int | str = 0, offload: str | None = None, bandwidth: str = PCIE, effort: int = 0,
             measure: bool | Measurements = True, gathers_again: bool = True, largest: int | dict[str, int] | None = None, likely: int | dict[str, int] | None = None,
             quiet: bool = False) -> Pipeline:
    """Names a pass pipeline of torchtitan's GraphTrainer that keeps each step within `budget` bytes of a rank: --compile.pass_pipeline NAME.

    budget         bytes, "60GiB", or "device:80%" of what the CUDA device has free when this is called
    fixed_bytes    what else is on the device. The optimizers' state, and gradients that stay from step to step, are found in the trainer
    gathers_again  all-gathers may run again, as with FSDP's reshard_after_forward
    others         as in plan_graph()

    Steps run without CUDA graphs. Raises ModuleNotFoundError without torchtitan, ValueError for a name that is taken."""
    from torchtitan.experiments.graph_trainer import registry

    if name in registry.PASS_PIPELINE_REGISTRY and not isinstance(registry.PASS_PIPELINE_REGISTRY[name], Pipeline):
        raise ValueError(f"torchtitan has a pass pipeline {name!r} of its own; choose another name")
    pipeline = Pipeline(budget, fixed_bytes=fixed_bytes, offload=offload, bandwidth=bandwidth, effort=effort, measure=measure,
                        gathers_again=gathers_again, largest=largest, likely=likely, quiet=quiet)
    registry.register_pass_pipeline(name)(pipeline)
    registry.register_post_init_hook(name)(pipeline.see)
    return pipeline
