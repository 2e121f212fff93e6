"""Errors of `memplan.torch` and the sizes that users write."""

from __future__ import annotations

import re

import torch

import memplan
from memplan.errors import BudgetError, Error

__all__ = ["BudgetError", "UnsupportedGraph", "parse_bytes", "show_bytes"]


class UnsupportedGraph(Error):
    """The step has a form for which no budget can be promised; the message says which and what to write instead."""


def parse_bytes(size: int | str) -> int:
    """Bytes of a size: a number of bytes, "6GiB" or "6G" (powers of 1024), "6GB" (of 1000), or "device:80%", a share of
    what the CUDA device has free. Raises memplan.InputError for anything else."""
    share = isinstance(size, str) and re.fullmatch(r"device:(\d+(?:\.\d+)?)%", size.strip())
    if not share:
        return size if isinstance(size, int) else memplan.parse_size(size)
    if not torch.cuda.is_available():
        raise memplan.InputError(f"{size!r} needs a CUDA device; write the budget in bytes, such as '6GiB'")
    return int(torch.cuda.mem_get_info()[0] * float(share[1]) / 100)


def show_bytes(count: int) -> str:
    """Text of a byte count for people, in powers of 1024."""
    for unit in ("B", "KiB", "MiB"):
        if abs(count) < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.2f} {unit}"
        count /= 1024
    return f"{count:.2f} GiB"
