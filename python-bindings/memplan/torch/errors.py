"""Errors of `memplan.torch` and the sizes that users write."""

from __future__ import annotations

import re

import torch

import memplan
from memplan.errors import BudgetError, Error

__all__ = ["BudgetError", "UnsupportedGraph", "check_inputs", "parse_budget", "parse_bytes", "show_bytes"]


class UnsupportedGraph(Error):
    """The step has a form for which no budget can be promised; the message says which and what to write instead."""


def parse_bytes(size: int | float | str, name: str = "size") -> int:
    """Bytes of a size: a number of bytes, "6GiB" or "6G" (powers of 1024), "6GB" (of 1000), or "device:80%", a share of
    what the CUDA device has free. Raises memplan.InputError for anything else; `name` says in it which argument it is of."""
    if isinstance(size, str):
        return _parse_text(size, name)
    if isinstance(size, bool) or not isinstance(size, (int, float)) or size != size // 1:
        raise memplan.InputError(f"{name} is a whole number of bytes or a text such as '6GiB', not {size!r}")
    if size < 0:
        raise memplan.InputError(f"{name} is negative: {size} bytes")
    return int(size)


def _parse_text(size: str, name: str) -> int:
    text = size.strip()
    share = re.fullmatch(r"(device:)?\s*(\d+(?:\.\d+)?)\s*(%)?", text)
    if not share or not share[1] and not share[3]:
        try:
            return memplan.parse_size(size)
        except memplan.InputError as error:
            raise memplan.InputError(f"{name}: {error}") from None
    if not (share[1] and share[3]) or not 0 < float(share[2]) <= 100:
        raise memplan.InputError(f"{name}: {size!r} is no share of a device; write 'device:80%' for 80 % of what the CUDA device has free, or bytes such as '6GiB'")
    if not torch.cuda.is_available():
        raise memplan.InputError(f"{name}: {size!r} needs a CUDA device; write it in bytes, such as '6GiB'")
    return int(torch.cuda.mem_get_info()[0] * float(share[2]) / 100)


def parse_budget(size: int | float | str) -> int:
    """Bytes of a budget, which is above 0."""
    budget = parse_bytes(size, "budget")
    if budget == 0:
        raise memplan.InputError("budget is 0 bytes; memplan.torch.explain(model, inputs, loss) says what a step needs")
    return budget


def check_inputs(inputs, loss) -> None:
    """Raises TypeError where `inputs` are not those of a step, with the target of a loss."""
    if not isinstance(inputs, (tuple, list)):
        raise TypeError(f"inputs are a tuple of the step's arguments, such as (images, labels), not {type(inputs).__name__}")
    if loss is not None and len(inputs) < 2:
        raise TypeError("with a loss the target is the last of inputs: (images, labels)")


def show_bytes(count: int) -> str:
    """Text of a byte count for people, in powers of 1024."""
    for unit in ("B", "KiB", "MiB"):
        if abs(count) < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.2f} {unit}"
        count /= 1024
    return f"{count:.2f} GiB"
