"""What the exporter raises."""

from __future__ import annotations


class ExportError(Exception):
    """The module cannot be exported; the text says where and what to change."""


class UnsupportedOperatorError(ExportError):
    """An operator, or a form of it, that has no counterpart in the dialect."""

    def __init__(self, operator: str, module: str, source: str, reason: str, remedy: str):
        where = f"module '{module}'" if module else "the outermost module"
        super().__init__(f"operator {operator} in {where}{f' ({source})' if source else ''}: {reason}; {remedy}")
        self.operator = operator
        self.module = module
