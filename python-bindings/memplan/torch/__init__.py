"""A budget in bytes for PyTorch training steps, kept by recomputation that memplan plans.

    step = memplan.torch.compile(model, "6GiB", loss=torch.nn.functional.cross_entropy, optimizer=optimizer)
    step(images, labels).backward()
    optimizer.step()

Rooms: `trace` and `capture` (joint graph to a memplan graph), `measure` (scratch of operators), `solve`, `schedule` (runs and
their bytes), `emit` (modules in the plan's order), `verify` (on fake tensors), `watch` (the first real step), `front`;
`needs` and `doctor` say what a step needs before anything runs; `blocks` keeps a budget
by checkpointing blocks, without a compiler.
"""

from .blocks import Wrapped, wrap
from .errors import BudgetError, UnsupportedGraph
from .front import CompiledStep, budget, compile, memplan_backend
from .measure import Measurements
from .needs import Explanation, explain
from .session import Report

__all__ = ["BudgetError", "CompiledStep", "Explanation", "Measurements", "Report", "UnsupportedGraph", "Wrapped", "budget", "compile", "explain",
           "memplan_backend", "wrap"]


def _register() -> None:
    from torch._dynamo.backends.registry import _BACKENDS, _COMPILER_FNS, register_backend

    if "memplan" not in _COMPILER_FNS:
        _BACKENDS.pop("memplan", None)  # the entry point of the installed package names the same function
        register_backend(memplan_backend, name="memplan")


_register()
