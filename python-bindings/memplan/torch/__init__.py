"""A budget in bytes for PyTorch training steps, kept by recomputation that memplan plans.

    step = memplan.torch.compile(model, "6GiB", loss=torch.nn.functional.cross_entropy, optimizer=optimizer)
    step(images, labels).backward()
    optimizer.step()

Rooms: `trace`, `simplify` and `capture` (joint graph to a memplan graph), `measure` (scratch of operators), `solve`, `schedule` (runs and
their bytes), `emit` (modules in the plan's order), `verify` (on fake tensors), `watch` (the first real step), `front`;
`needs` and `doctor` say what a step needs before anything runs; `blocks` keeps a budget
by checkpointing blocks, without a compiler; `whole` plans a graph of forward, backward and collectives as one, `titan` those of torchtitan; `runner` trains on
memplan's own runtime.
"""

try:
    import torch as _torch  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise ModuleNotFoundError("memplan.torch needs PyTorch, which this Python has not: pip install torch, or pip install 'python-bindings/[torch]' "
                              "in memplan's sources", name="torch") from None

from .blocks import Wrapped, wrap
from .errors import BudgetError, UnsupportedGraph
from .front import CompiledStep, budget, compile, memplan_backend
from .measure import Measurements
from .needs import Explanation, explain
from .runner import Runner, run
from .session import Report
from .whole import PlannedGraph, plan_graph

__all__ = ["BudgetError", "CompiledStep", "Explanation", "Measurements", "PlannedGraph", "Report", "Runner", "UnsupportedGraph", "Wrapped", "budget", "compile", "explain",
           "memplan_backend", "plan_graph", "run", "wrap"]


def _register() -> None:
    """Names the backend where the package is not installed, as in a build tree; else its entry point does, and PyTorch takes one only."""
    from importlib.metadata import entry_points

    from torch._dynamo.backends.registry import _COMPILER_FNS, register_backend

    if "memplan" not in _COMPILER_FNS and "memplan" not in entry_points(group="torch_dynamo_backends").names:
        register_backend(memplan_backend, name="memplan")


_register()
