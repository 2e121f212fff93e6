"""The optimizers that the update operations of the dialect know, as the attribute `memplan.optimizer`."""

from __future__ import annotations

_DEFAULTS = {
    "sgd": {"lr": 0.01, "weight_decay": 0.0},
    "sgd_momentum": {"lr": 0.01, "momentum": 0.9, "weight_decay": 0.0, "nesterov": False},
    "adam": {"lr": 0.001, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.0},
    "adamw": {"lr": 0.001, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.01},
}


def optimizer(name: str = "sgd", **settings) -> dict:
    """The settings of optimizer `name` with those not given at PyTorch's defaults."""
    if name not in _DEFAULTS:
        raise ValueError(f"unknown optimizer '{name}', known are {', '.join(sorted(_DEFAULTS))}")
    unknown = sorted(set(settings) - set(_DEFAULTS[name]))
    if unknown:
        raise ValueError(f"optimizer '{name}' has no setting {', '.join(unknown)}; it has {', '.join(_DEFAULTS[name])}")
    merged = {**_DEFAULTS[name], **settings}
    return {"name": name, **{key: value if isinstance(value, bool) else float(value) for key, value in merged.items()}}
