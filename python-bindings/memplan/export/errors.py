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
