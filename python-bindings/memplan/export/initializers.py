"""How a parameter gets its first value, as the text of `memplan.init`.

A module that is built inside `record_initializers()` runs its own initialisation code, so that whatever scheme it uses
(Kaiming, a fixed standard deviation, ...) is seen as the fills that it makes. Works on the meta device, where nothing is allocated.
"""

from __future__ import annotations

import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class InitializerRecord(TorchDispatchMode):
    """Remembers the last whole-tensor fill of every storage."""

    def __init__(self):
        super().__init__()
        self._fills: dict[int, str] = {}
        # A storage that dies would lend its address to another one.
        self._alive: list = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        name = func._schema.name
        tensor = args[0] if args and isinstance(args[0], torch.Tensor) else result
        fill = _fill_text(name, args, kwargs or {})
        if fill is not None and isinstance(tensor, torch.Tensor):
            storage = tensor.untyped_storage()
            # A fill of a part, such as the row of a padding index, says nothing of the whole tensor.
            if tensor.numel() * tensor.element_size() == storage.nbytes():
                self._alive.append(storage)
                self._fills[storage._cdata] = fill
        elif name.endswith("_") and isinstance(tensor, torch.Tensor):
            # Anything else that writes makes the recorded fill untrue.
            self._fills.pop(tensor.untyped_storage()._cdata, None)
        return result

    def find(self, tensor: torch.Tensor) -> str | None:
        return self._fills.get(tensor.untyped_storage()._cdata)


def record_initializers() -> InitializerRecord:
    """A context manager around the construction of a module; give what it returns to `export_training_step`."""
    return InitializerRecord()


def _fill_text(name: str, args, kwargs) -> str | None:
    def value(position, keyword, default):
        return args[position] if len(args) > position else kwargs.get(keyword, default)

    if name == "aten::normal_":
        mean, std = value(1, "mean", 0.0), value(2, "std", 1.0)
        return f"normal:{_number(std)}" if mean == 0 else None
    if name == "aten::uniform_":
        low, high = value(1, "from", 0.0), value(2, "to", 1.0)
        return f"uniform:{_number(high)}" if low == -high else None
    if name in ("aten::zeros", "aten::zero_", "aten::new_zeros"):
        return "zeros"
    if name in ("aten::ones", "aten::new_ones"):
        return "ones"
    if name in ("aten::fill_", "aten::full"):
        filled = value(1, "value", None)
        if isinstance(filled, torch.Tensor):
            filled = filled.item() if filled.device.type != "meta" else None
        return {0.0: "zeros", 1.0: "ones"}.get(float(filled)) if filled is not None else None
    return None


def _number(value: float) -> str:
    # Seven digits: more than any scheme means, and the same text wherever the square root was taken.
    return f"{value:.7g}"


def initializer_of_values(tensor: torch.Tensor) -> str | None:
    """The closest initialiser to the values that a real tensor has: its constant, or a normal of its deviation."""
    if tensor.device.type == "meta" or not tensor.is_floating_point():
        return None
    with torch.no_grad():
        if bool((tensor == 0).all()):
            return "zeros"
        if bool((tensor == 1).all()):
            return "ones"
        deviation = math.sqrt(float((tensor.double()**2).mean()))
    return f"normal:{_number(deviation)}"
