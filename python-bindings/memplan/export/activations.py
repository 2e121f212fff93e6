"""Activations that modules write out as sums, products and a tanh, though there is one operation for what they compute.

Written out, GELU keeps four tensors of its size for the backward pass, where the operation keeps its input.
"""

from __future__ import annotations

import contextlib
import functools

import torch
from torch import nn
from torch.nn import functional as F

# What they are tried at: both tails, and steps that are small against the bend around zero.
_PROBE = (-12.0, 12.0, 2401)
_FORMS = {"tanh": functools.partial(F.gelu, approximate="tanh"), "none": F.gelu}


def _own_forward(module: nn.Module) -> bool:
    """Whether it is a GELU of somebody's own: without parameters, with a forward that PyTorch did not write."""
    plain = not any((module._parameters, module._buffers, module._modules))
    return plain and "gelu" in type(module).__name__.lower() and not type(module).__module__.startswith("torch.nn") and "forward" not in vars(module)


def gelu_of(module: nn.Module):
    """The form of GELU that the module computes by its values in f64; None where it is neither."""
    if not _own_forward(module):
        return None
    values = torch.linspace(*_PROBE, dtype=torch.float64, device="cpu")
    try:
        with torch.no_grad():
            found = module.forward(values)
    except Exception:  # what it takes is not one tensor of numbers
        return None
    if not isinstance(found, torch.Tensor) or found.shape != values.shape or found.dtype != values.dtype:
        return None
    # Constants are written with ten digits in some of them.
    return next((form for form in _FORMS.values() if torch.allclose(found, form(values), rtol=1e-8, atol=1e-9)), None)


@contextlib.contextmanager
def gelu_as_one_operation(model: nn.Module):
    """Traces modules that write GELU out as the operation that computes the same. The model is as it was afterwards."""
    forms, changed = {}, []
    for module in model.modules():
        if not _own_forward(module):
            continue
        state = (type(module), *sorted((k, repr(v)) for k, v in vars(module).items() if not k.startswith("_")))
        if state not in forms:
            forms[state] = gelu_of(module)
        if forms[state] is not None:
            module.forward = forms[state]
            changed.append(module)
    try:
        yield
    finally:
        for module in changed:
            del module.forward
