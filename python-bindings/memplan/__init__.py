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

if TYPE_CHECKING:  # a name as itself is one that the package gives away
    from ._planner import (
        Action as Action, ActionKind as ActionKind, Arena as Arena, Cancel as Cancel, Curve as Curve, Graph as Graph,
        GraphBuilder as GraphBuilder, Node as Node, OptionInfo as OptionInfo, PlacementKind as PlacementKind, Plan as Plan,
        PlanStatus as PlanStatus, Progress as Progress, Tensor as Tensor, TensorKind as TensorKind, options as options,
        parse_size as parse_size, version_text as version_text,
    )
    from .compiler import CompiledProgram as CompiledProgram, compile_step as compile_step
    from .errors import (
        BudgetError as BudgetError, CheckError as CheckError, Error as Error, InputError as InputError,
        OutOfMemoryError as OutOfMemoryError, UnavailableError as UnavailableError,
    )
    from .planning import LeastBudget as LeastBudget, check as check, curve as curve, min_budget as min_budget, plan as plan
    from .reports import Report as Report, report as report
    from .runtime import Executable as Executable, Program as Program, ProgramValue as ProgramValue

    __version__: str

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


if not TYPE_CHECKING:  # else any name would seem to be here

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
