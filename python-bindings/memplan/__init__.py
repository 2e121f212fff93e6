"""memplan plans the memory of training steps.

    import memplan
    graph = memplan.Graph.load("step.graph.json")
    plan = memplan.plan(graph, "6GiB")          # keeps the budget, or raises BudgetError(least=...)
    plan.save("step.plan.json")

Bytes are bytes, costs are in the graph's unit (microseconds where they were measured). `memplan.export` turns PyTorch modules
into memplan programs. Importing `memplan` itself imports no framework; its compiled part is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._planner import (  # noqa: F401
        Action, ActionKind, Arena, Cancel, Curve, Graph, GraphBuilder, Node, OptionInfo, PlacementKind, Plan, PlanStatus,
        Progress, Tensor, TensorKind, options, parse_size, version_text,
    )
    from .compiler import CompiledProgram, compile_step  # noqa: F401
    from .errors import BudgetError, CheckError, Error, InputError, OutOfMemoryError, UnavailableError  # noqa: F401
    from .planning import LeastBudget, check, curve, min_budget, plan  # noqa: F401
    from .reports import Report, report  # noqa: F401
    from .runtime import Executable, Program, ProgramValue  # noqa: F401

_HOME = {
    "planning": "Action ActionKind Arena Cancel Curve Graph GraphBuilder LeastBudget Node OptionInfo PlacementKind Plan PlanStatus "
    "Progress Tensor TensorKind check curve min_budget options parse_size plan version_text",
    "reports": "Report report",
    "runtime": "Executable Program ProgramValue",
    "compiler": "CompiledProgram compile_step",
    "errors": "BudgetError CheckError Error InputError OutOfMemoryError UnavailableError",
}
_HOME_OF = {name: home for home, names in _HOME.items() for name in names.split()}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str):
    if name == "__version__":
        return __getattr__("version_text")().split()[1]
    if name not in _HOME_OF:
        raise AttributeError(f"module 'memplan' has no attribute '{name}'")
    value = getattr(importlib.import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *__all__])
