"""The optimizers that the update operations of the dialect know, as the attribute `memplan.optimizer`."""

from __future__ import annotations

import math

# PyTorch's defaults. autodiff has the same, so that only settings that differ are written.
_DEFAULTS = {
    "sgd": {"lr": 0.01, "momentum": 0.0, "weight_decay": 0.0, "nesterov": False},
    "adam": {"lr": 0.001, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.0},
    "adamw": {"lr": 0.001, "beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.01},
    "rmsprop": {"lr": 0.01, "alpha": 0.99, "epsilon": 1e-8, "momentum": 0.0, "weight_decay": 0.0},
    "adagrad": {"lr": 0.01, "epsilon": 1e-10, "weight_decay": 0.0},
    # Without a first epsilon it is that of each parameter's type.
    "adafactor": {"lr": 0.01, "beta2_decay": -0.8, "epsilon1": None, "epsilon2": 1e-3, "clip_threshold": 1.0, "weight_decay": 0.0},
    # Not in PyTorch: what its authors give.
    "lion": {"lr": 0.0001, "beta1": 0.9, "beta2": 0.99, "weight_decay": 0.0},
}
# How the scale of a loss changes, as in torch.amp.GradScaler.
_SCALING = {"growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 2000}
_LARGEST = (2 - 2**-23) * 2.0**127


def _check_scaling(settings: dict) -> None:
    scale = settings.get("loss_scale")
    if scale is None:
        if useless := [key for key in _SCALING if key in settings]:
            raise ValueError(f"{useless[0]} does nothing without a loss_scale")
        return
    if not 0 < scale <= _LARGEST:
        raise ValueError(f"loss_scale is {scale}, but must be above 0 and finite in float32; leave it out to scale nothing")
    growth, backoff, interval = (settings.get(key, default) for key, default in _SCALING.items())
    if not 1 < growth < math.inf:
        raise ValueError(f"growth_factor is {growth}, but must be finite and above 1")
    if not 0 < backoff < 1:
        raise ValueError(f"backoff_factor is {backoff}, but must be between 0 and 1")
    if not (interval >= 1 and interval == int(interval)):
        raise ValueError(f"growth_interval is {interval}, but must be a whole number of at least 1")


def optimizer(name: str = "sgd", **settings) -> dict:
    """The optimizer `name` with `settings`; what is not given has PyTorch's default. Any takes `max_norm`: before the updates, all gradients
    are scaled so that their global norm is at most that, as `torch.nn.utils.clip_grad_norm_` does. Any takes `loss_scale` too, with `growth_factor`,
    `backoff_factor` and `growth_interval`: what `torch.amp.GradScaler` does, from that scale on."""
    if name not in _DEFAULTS:
        raise ValueError(f"unknown optimizer '{name}', known are {', '.join(sorted(_DEFAULTS))}")
    defaults = _DEFAULTS[name] | {"max_norm": None, "loss_scale": None} | _SCALING
    unknown = sorted(set(settings) - set(defaults))
    if unknown:
        raise ValueError(f"optimizer '{name}' has no setting {', '.join(unknown)}; it has {', '.join(defaults)}")
    if settings.get("nesterov") and not settings.get("momentum"):
        raise ValueError("optimizer 'sgd' with nesterov needs a momentum")
    if settings.get("max_norm") is not None and not 0 < settings["max_norm"] < math.inf:
        raise ValueError(f"max_norm is {settings['max_norm']}, but must be finite and above 0; leave it out to clip nothing")
    if settings.get("epsilon1") is not None and not settings["epsilon1"] > 0:
        raise ValueError(f"epsilon1 is {settings['epsilon1']}, but must be above 0; leave it out for that of each parameter's type")
    _check_scaling(settings)
    result = {"name": name, "lr": float(settings.get("lr", defaults["lr"]))}
    for key, value in settings.items():
        if value != defaults[key]:
            result[key] = value if isinstance(defaults[key], bool) else float(value)
    return result
