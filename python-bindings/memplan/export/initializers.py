"""How a parameter gets its first value, as the text of `memplan.init`.

A module that is built inside `record_initializers()` runs its own initialisation code, so that whatever scheme it uses
(Kaiming, a fixed standard deviation, ...) is seen as the fills that it makes. Works on the meta device, where nothing is allocated.
"""

from __future__ import annotations

import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode


# Operators that change each element by itself; what initialisers such as trunc_normal_ do after they draw.
_ELEMENTWISE = {f"aten::{name}" for name in "mul add sub div neg abs erfinv clamp clamp_min clamp_max exp log sqrt reciprocal pow tanh".split()}
# Elements of a sample; its deviation is within 1 % of that of the distribution.
_SAMPLE = 16384


class InitializerRecord(TorchDispatchMode):
    """Remembers the last whole-tensor fill of every storage, and a sample of what was computed of it element by element."""

    def __init__(self):
        super().__init__()
        self._fills: dict[int, str] = {}
        self._samples: dict[int, torch.Tensor] = {}
        self._generator = torch.Generator().manual_seed(0)
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
                self._samples.pop(storage._cdata, None)
        elif isinstance(result, torch.Tensor) and not self._compute(func, name, tensor, result, args, kwargs or {}) and name.endswith("_"):
            # Anything else that writes makes the recorded fill untrue.
            self._forget(tensor)
        return result

    def __enter__(self):
        # On the meta device trunc_normal_ does nothing that could be seen here.
        self._truncated = torch.nn.init.trunc_normal_
        torch.nn.init.trunc_normal_ = self._trunc_normal
        return super().__enter__()

    def __exit__(self, *error):
        torch.nn.init.trunc_normal_ = self._truncated
        return super().__exit__(*error)

    def _trunc_normal(self, tensor, *args, **kwargs):
        result = self._truncated(tensor, *args, **kwargs)
        if tensor.device.type == "meta":
            settings = {k: v for k, v in kwargs.items() if k != "generator"}
            with torch.utils._python_dispatch._disable_current_modes():
                sample = self._truncated(torch.empty(_SAMPLE, dtype=torch.float64, device="cpu"), *args, generator=self._generator, **settings)
            storage = tensor.untyped_storage()
            self._alive.append(storage)
            self._fills.pop(storage._cdata, None)
            self._samples[storage._cdata] = sample
        return result

    def _forget(self, tensor) -> None:
        self._fills.pop(tensor.untyped_storage()._cdata, None)
        self._samples.pop(tensor.untyped_storage()._cdata, None)

    def _compute(self, func, name, tensor, result, args, kwargs) -> bool:
        """Does to the sample of `tensor` what the operator does to each element."""
        draws = name in ("aten::normal_", "aten::uniform_")
        if not draws and name.removesuffix("_") not in _ELEMENTWISE or not result.is_floating_point():
            return False
        if tensor.numel() * tensor.element_size() != tensor.untyped_storage().nbytes() or not isinstance(args[0], torch.Tensor):
            return False
        sample = torch.empty(_SAMPLE, dtype=torch.float64) if draws else self._sample(tensor)
        if sample is None or any(isinstance(a, torch.Tensor) and (a.dim() or a.device.type == "meta") for a in (*args[1:], *kwargs.values())):
            return False
        settings = {k: v for k, v in kwargs.items() if k != "generator"} | ({"generator": self._generator} if draws else {})
        changed = func(sample.clone(), *args[1:], **settings)
        storage = result.untyped_storage()
        self._alive.append(storage)
        self._fills.pop(storage._cdata, None)
        self._samples[storage._cdata] = changed
        return True

    def _sample(self, tensor) -> torch.Tensor | None:
        key = tensor.untyped_storage()._cdata
        if key not in self._fills:
            return self._samples.get(key)
        kind, _, number = self._fills[key].partition(":")
        sample = torch.full((_SAMPLE,), {"ones": 1.0, "constant": float(number or 0)}.get(kind, 0.0), dtype=torch.float64)
        if kind == "normal":
            return sample.normal_(0, float(number), generator=self._generator)
        return sample.uniform_(-float(number), float(number), generator=self._generator) if kind == "uniform" else sample

    def find(self, tensor: torch.Tensor) -> str | None:
        known = self._fills.get(tensor.untyped_storage()._cdata)
        sample = self._samples.get(tensor.untyped_storage()._cdata)
        return known if known is not None or sample is None else initializer_of_values(sample)


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
        return _constant_text(float(filled)) if filled is not None else None
    return None


def _constant_text(value: float) -> str:
    return {0.0: "zeros", 1.0: "ones"}.get(value) or f"constant:{_number(value)}"


def _number(value: float) -> str:
    # Seven digits: more than any scheme means, and the same text wherever the square root was taken.
    return f"{value:.7g}"


def initializer_of_values(tensor: torch.Tensor) -> str | None:
    """The closest initialiser to the values that a real tensor has: its constant, or a normal of its deviation."""
    if tensor.device.type == "meta" or not tensor.is_floating_point():
        return None
    with torch.no_grad():
        first = tensor.reshape(-1)[:1].item() if tensor.numel() else 0.0
        if bool((tensor == first).all()) and math.isfinite(first):
            return _constant_text(first)
        deviation = math.sqrt(float((tensor.double()**2).mean()))
    return f"normal:{_number(deviation)}"


def with_reset_parameters(model: torch.nn.Module, record: InitializerRecord | None) -> InitializerRecord:
    """`record`, and for modules on the meta device whose values it does not know what their reset_parameters() fills."""
    record = record or InitializerRecord()
    for module in model.modules():
        own = [*module.parameters(recurse=False), *module.buffers(recurse=False)]
        unknown = any(p.device.type == "meta" and p.is_floating_point() and record.find(p) is None for p in own)
        if unknown and all(p.device.type == "meta" for p in own) and callable(getattr(module, "reset_parameters", None)):
            with record:
                module.reset_parameters()
    return record
