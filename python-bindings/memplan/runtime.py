"""Running: planned steps of memplan's own runtime, with NumPy arrays or anything else that speaks DLPack on the CPU."""

from __future__ import annotations

import os

try:
    from ._runtime import Executable, Program, ProgramValue
except ImportError as error:
    raise ImportError(f"memplan's runtime is not in this package: build the target memplan-python and put build/python on PYTHONPATH ({error})") from None

from .planning import _parse, _read_file

__all__ = ["Executable", "Program", "ProgramValue"]


def _load(path: str | os.PathLike) -> Program:
    """Reads an .mpp file.

    Raises InputError where it is no program.
    """
    return _parse(Program.from_bytes, _read_file(path), path)


Program.load = staticmethod(_load)
