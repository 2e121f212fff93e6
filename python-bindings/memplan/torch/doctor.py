"""Doctor: runs a training script to its first update on fake tensors, and says what that step needs.

Nothing is allocated and no kernel runs, but with --measure, and for what a DataLoader reads: tensors that the script makes have shapes and devices,
and no data. A script that looks at data (`.item()`, `if (x > 0).any()`) before its first update cannot be followed; the message says where it does."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import pathlib
import runpy
import sys
import traceback
import weakref

import numpy
import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensor, FakeTensorMode
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.data import DataLoader
from torch.utils.weak import WeakTensorKeyDictionary

from ..terminal import ProgressLine
from .errors import parse_bytes, show_bytes
from .needs import Explanation, explain
from .trace import fake
from .verify import LiveBytes


class _Stop(BaseException):
    """Ends the script after its first update."""


@dataclasses.dataclass
class Visit:
    """The first step of a script: the module that it calls, with what; the optimizer; and what it took without a plan.

    outside_bytes: highest between the module's forward and the backward, above the bytes that the forward leaves.
    autocast: device and type of the autocast that the module is called in, if it is in one.
    own_loss: whether the module returns its loss, as field `loss` of what it returns.
    accumulates: whether the module was called again before an update, so that gradients are there in later calls."""

    module: torch.nn.Module | None = None
    args: tuple = ()
    kwargs: dict = dataclasses.field(default_factory=dict)
    optimizer: torch.optim.Optimizer | None = None
    outside_bytes: int = 0
    peak_bytes: int = 0
    autocast: tuple[str, torch.dtype] | None = None
    own_loss: bool = False
    accumulates: bool = False


class _Loss(torch.nn.Module):
    """The loss of a module that returns it beside other results."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs).loss


class NoStep(ValueError):
    """A script that ends without a step of a module that has something to train."""


@contextlib.contextmanager
def _patched(owner, name, value):
    old = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, old)


def _without_modes(call):
    """`call` on real tensors: it draws numbers and looks at them. Tensors that the script made stay fake."""

    def run(*args, **kwargs):
        with _disable_current_modes():
            return call(*args, **kwargs)

    return run


def _faking(iterate, mode: FakeTensorMode, live: LiveBytes):
    """DataLoader.__iter__ that reads batches in this process and gives fake ones, which are counted."""

    def batches(loader):
        vars(loader).update(num_workers=0, timeout=0, pin_memory=False, persistent_workers=False)
        iterator, last = _without_modes(iterate)(loader), object()
        while (batch := _without_modes(next)(iterator, last)) is not last:
            made = tree_map(lambda value: fake(mode, value), batch)
            for tensor in tree_leaves(made):
                live.count(tensor)
            del batch
            yield made

    return batches


class _Ones(TorchDispatchMode):
    """Once `begun`, what becomes a number of Python or of NumPy is 1: then numbers are for a log. Before that they may decide what the step is."""

    def __init__(self):
        super().__init__()
        self.begun = False

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if self.begun and function is torch.ops.aten._local_scalar_dense.default:
            return 1.0 if args[0].dtype.is_floating_point else args[0].dtype is torch.bool or 1
        return function(*args, **(kwargs or {}))

    @contextlib.contextmanager
    def conversions(self):
        """Conversions that PyTorch refuses of fake tensors before it calls any operator."""
        to_numpy, to_text = torch.Tensor.numpy, torch.Tensor.__format__

        def numbers(tensor, **options):
            return numpy.ones(tensor.shape) if self.begun and isinstance(tensor, FakeTensor) else to_numpy(tensor, **options)

        def text(tensor, form):
            return format(tensor.item(), form) if isinstance(tensor, FakeTensor) and form and not tensor.dim() else to_text(tensor, form)

        with _patched(torch.Tensor, "numpy", numbers), _patched(torch.Tensor, "__format__", text):
            yield


def _autocast_of(module: torch.nn.Module) -> tuple[str, torch.dtype] | None:
    device = next(module.parameters()).device.type
    return (device, torch.get_autocast_dtype(device)) if torch.is_autocast_enabled(device) else None


def _uncompiled(model=None, *_, **__):
    """torch.compile as a function or a decorator: the model as it is. Compiled code has no place among fake tensors."""
    return _uncompiled if model is None else model


def _moves(apply):
    """Module._apply that puts new parameters where a conversion changes fake ones. PyTorch exchanges the tensors themselves, and refuses where
    anything refers to them weakly."""
    made = WeakTensorKeyDictionary()  # of tied parameters one each

    def run(module, fn, recurse=True):
        if not any(isinstance(p, FakeTensor) for p in module._parameters.values()):
            return apply(module, fn, recurse)
        if recurse:
            for child in module.children():
                child._apply(fn)
        for name, old in module._parameters.items():
            if old is None:
                continue
            if old not in made:
                with torch.no_grad():
                    new = fn(old)
                if (new.device, new.dtype, new.size(), new.stride()) == (old.device, old.dtype, old.size(), old.stride()):
                    continue
                made[old] = torch.nn.Parameter(new.detach(), old.requires_grad)
            module._parameters[name] = made[old]
        module._buffers.update({name: fn(b) for name, b in module._buffers.items() if b is not None})
        return module

    return run


@contextlib.contextmanager
def _as_main(script: str, arguments: list[str]):
    """sys.argv and sys.path as `python script` has them: modules beside the script are found."""
    argv, path = sys.argv, sys.path
    sys.argv, sys.path = [script, *arguments], [str(pathlib.Path(script).resolve().parent), *path]
    try:
        yield
    finally:
        sys.argv, sys.path = argv, path


def visit(script: str, arguments: list[str]) -> tuple[Visit, FakeTensorMode]:
    """Runs a script on fake tensors until its optimizer has updated once, or until its module is called again."""
    seen, live, mode = Visit(), LiveBytes(), FakeTensorMode(allow_non_fake_inputs=True)
    call, backward = torch.nn.Module.__call__, torch.Tensor.backward
    depth, left, optimizers, construct = 0, None, [], torch.optim.Optimizer.__init__
    ones = _Ones()

    def constructed(optimizer, *args, **kwargs):
        construct(optimizer, *args, **kwargs)
        optimizers.append(weakref.ref(optimizer))

    def module_call(module, *args, **kwargs):
        nonlocal depth, left
        if depth == 0 and module is seen.module:
            ours = set(module.parameters())
            seen.accumulates = any(p.grad is not None for p in ours)
            seen.optimizer = next((o for o in (made() for made in optimizers) if o and any(p in ours for g in o.param_groups for p in g["params"])), None)
            raise _Stop
        # Transforms of images and most losses are modules too.
        first = depth == 0 and seen.module is None and any(p.requires_grad for p in module.parameters())
        depth += 1
        try:
            result = call(module, *args, **kwargs)
        finally:
            depth -= 1
        if first and torch.is_grad_enabled():
            seen.module, seen.args, seen.kwargs, seen.autocast = module, args, kwargs, _autocast_of(module)
            value = getattr(result, "loss", None)
            seen.own_loss = isinstance(value, torch.Tensor) and not value.dim() and value.requires_grad
            seen.peak_bytes, left, live.peak = live.peak, live.now, live.now
        return result

    def run_backward(tensor, *args, **kwargs):
        if left is not None and not seen.outside_bytes:
            seen.outside_bytes = live.peak - left
        backward(tensor, *args, **kwargs)
        ones.begun = left is not None

    def updated(optimizer, *_):
        seen.optimizer = optimizer
        raise _Stop

    def scaled_step(scaler, optimizer, *args, **kwargs):
        optimizer.step(*args, **kwargs)

    hook = register_optimizer_step_post_hook(updated)
    try:
        # A scaler asks whether a gradient overflowed, which fake ones cannot tell.
        with (_patched(torch.nn.Module, "__call__", module_call), _patched(torch.optim.Optimizer, "__init__", constructed), _patched(torch.Tensor, "backward", run_backward), _patched(DataLoader, "__iter__", _faking(DataLoader.__iter__, mode, live)),
              _patched(torch.utils.data, "random_split", _without_modes(torch.utils.data.random_split)), _patched(torch, "compile", _uncompiled),
              _patched(torch.nn.Module, "_apply", _moves(torch.nn.Module._apply)), _patched(torch.nn.Module, "compile", lambda *_, **__: None), _patched(torch.amp.GradScaler, "step", scaled_step), _patched(torch.amp.GradScaler, "unscale_", lambda *_: None),
              ones.conversions(), _as_main(script, arguments), mode, live, ones):
            runpy.run_path(script, run_name="__main__")
    except _Stop:
        pass
    finally:
        hook.remove()
    seen.peak_bytes = max(seen.peak_bytes, live.peak)
    return seen, mode


def examine(script: str, arguments: list[str], budget: int | None = None, effort: int = 0, quiet: bool = True,
            measure: bool = False) -> tuple[Visit, Explanation]:
    """The first step of a script, and what it needs with its loss counted as bytes between forward and backward.

    measure: run each different operator once, to count its scratch. quiet: no line of progress.
    While the script runs there is no line: what it prints itself is on the terminal."""
    seen, mode = visit(script, arguments)
    if seen.module is None:
        raise NoStep(f"{script} called no module that has parameters to train, with gradients enabled")
    for group in seen.optimizer.param_groups if seen.optimizer and not seen.accumulates else ():
        for p in group["params"]:
            p.grad = None
    with ProgressLine("doctor", quiet) as line, torch.autocast(*seen.autocast) if seen.autocast else contextlib.nullcontext():
        found = explain(_Loss(seen.module) if seen.own_loss else seen.module, seen.args, None, seen.optimizer, kwargs=seen.kwargs, outside=seen.outside_bytes, budget=budget, effort=effort, mode=mode,
                        measure=measure, progress=line.say)
    return seen, dataclasses.replace(found, own_loss=seen.own_loss)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m memplan.torch", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    doctor = commands.add_parser("doctor", help="what a training script needs, before anything runs", description=__doc__)
    doctor.add_argument("--budget", type=parse_bytes, help="bytes, 6GiB or device:80%%: also say whether it can be kept, and the largest batch")
    doctor.add_argument("--effort", type=int, default=0, help="limit of the planner's work; 0: a default")
    doctor.add_argument("--measure", action="store_true", help="run each different operator of the step once on this device, to count its scratch")
    doctor.add_argument("--quiet", action="store_true", help="say no progress")
    doctor.add_argument("script")
    doctor.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if not pathlib.Path(options.script).is_file():
        parser.error(f"no script {options.script}")
    try:
        seen, found = examine(options.script, options.arguments, options.budget, options.effort, options.quiet, options.measure)
    except DataDependentOutputException as error:
        lines = [f"line {frame.lineno}: {frame.line}" for frame in traceback.extract_tb(error.__traceback__) if frame.filename == options.script]
        print(f"{options.script} looks at data before its first update ({(lines or [str(error)])[-1]}); call memplan.torch.explain() in it instead", file=sys.stderr)
        return 2
    except NoStep as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped by Ctrl-C before all was known", file=sys.stderr)
        return 130
    print(f"{type(seen.module).__name__} in {options.script}, first step\n"
          f"eager, as it stands   {show_bytes(seen.peak_bytes)}, at most {show_bytes(seen.outside_bytes)} of it in the loss\n{found}")
    return 1 if options.budget is not None and found.least_bytes > options.budget else 0
