"""What the exporter raises."""

from __future__ import annotations

import pathlib
import traceback

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode


# Where those who trace stand: no line in them is the user's.
_TRACERS = (pathlib.Path(torch.__file__).parent, pathlib.Path(__file__).parents[1])


class ExportError(Exception):
    """The module cannot be exported; the text says where and what to change."""


def depends_on_values(error: BaseException | None) -> bool:
    """Whether it, or what it came from, is torch's word for a shape or a branch that values decide."""
    kinds = (DynamicOutputShapeException, DataDependentOutputException, GuardOnDataDependentSymNode)
    return error is not None and (isinstance(error, kinds) or depends_on_values(error.__cause__ or error.__context__))


def cannot_trace(what: str, error: Exception, remedy: str) -> ExportError:
    """What is raised where torch cannot trace the step: the user's line, torch's words, and `remedy` unless values decide."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not any(folder in pathlib.Path(f.filename).parents for folder in _TRACERS)]
    line = f" at {frames[-1].filename}:{frames[-1].lineno} ({frames[-1].line})" if frames else ""
    remedy = "shapes and control flow must not depend on the values of tensors" if depends_on_values(error) else remedy
    return ExportError(f"{what} cannot trace the step{line}: {type(error).__name__}: {error}; {remedy}")


class UnsupportedOperatorError(ExportError):
    """An operator, or a form of it, that has no counterpart in the dialect."""

    def __init__(self, operator: str, module: str, source: str, reason: str, remedy: str):
        where = f"module '{module}'" if module else "the outermost module"
        super().__init__(f"operator {operator} in {where}{f' ({source})' if source else ''}: {reason}; {remedy}")
        self.operator = operator
        self.module = module
        self.reason = reason
        self.errors = [self]

    @classmethod
    def of(cls, errors: list, advice: str) -> "UnsupportedOperatorError":
        """One error that names every operator of `errors`, each form of one once, and ends with `advice`."""
        several: dict = {}
        for error in errors:
            several.setdefault((error.operator, error.reason), []).append(error)
        first = errors[0]
        if len(several) > 1:
            lines = [f"{group[0]}" + (f" ({len(group)} times)" if len(group) > 1 else "") for group in several.values()]
            first.args = (f"{len(several)} operators have no counterpart:\n" + "\n".join(lines),)
        first.args = (f"{first.args[0]}\n{advice}",)
        first.errors = list(errors)
        return first
