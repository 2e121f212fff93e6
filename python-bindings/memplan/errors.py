"""What memplan raises."""

from __future__ import annotations

import re

__all__ = ["BudgetError", "CheckError", "Error", "InputError", "OutOfMemoryError", "UnavailableError"]


class Error(Exception):
    """Base of what memplan raises; of this class itself: something failed that should not."""


class InputError(Error, ValueError):
    """Something given is wrong: a file, a graph, an option, a size.

    file           path of the file, or None
    line, column   place in the text, from 1, or None where the message names the place in words
    """

    def __init__(self, message: str, file: str | None = None):
        place = re.match(r"\[(\d+):(\d+), byte=\d+\]: ", message)
        self.file = file
        self.line, self.column = (int(place[1]), int(place[2])) if place else (None, None)
        self.reason = message[place.end() :] if place else message
        super().__init__(f"{self.location}: {self.reason}" if self.location else message)

    @property
    def location(self) -> str | None:
        """FILE:LINE:COLUMN, as far as they are known."""
        parts = [part for part in (self.file, self.line, self.column) if part is not None]
        return ":".join(map(str, parts)) or None


class BudgetError(Error):
    """No plan keeps the budget.

    least   the least budget known to work, in bytes, or None
    bound   no budget of fewer bytes works, or None
    plan    the plan without actions that says why: status, witness_node, witness_tensors
    """

    def __init__(self, message: str, least: int | None = None, bound: int | None = None, plan=None):
        super().__init__(message)
        self.least, self.bound, self.plan = least, bound, plan


class CheckError(Error):
    """A plan breaks a rule or claims what does not hold; the message names the action and the numbers."""


class UnavailableError(Error):
    """This build or this machine lacks what was asked for."""


class OutOfMemoryError(Error, MemoryError):
    """memplan could not allocate memory of its own."""
