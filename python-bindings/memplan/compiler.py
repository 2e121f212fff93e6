"""Compiling: training steps in MLIR become programs of memplan's runtime. Defaults and checks are those of memplan-c/Compiler.h."""

from __future__ import annotations

import os
import re

from . import errors
from .planning import Cancel, Graph, Plan, Size, _options_of, _read_file, _text_of, _with_actions

__all__ = ["CompiledProgram", "compile_step"]

_PLACE = re.compile(r"(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): ")


class CompiledProgram:
    """What the compiler made of one training step.

    program  for memplan.Executable
    graph    what was planned, plan: what was made of it; planned_ir: MLIR of the step in the plan's order
    """

    def __init__(self, step, program):
        self._step, self.program = step, program

    @property
    def graph(self) -> Graph:
        """The graph that planners saw; its device bytes hold the backend's scratch."""
        return Graph.from_json(self._step.graph())

    @property
    def plan(self) -> Plan:
        """The plan that the program follows. Raises InputError for a step that came in planned."""
        return Plan.from_json(self.graph, self._step.plan())

    @property
    def planned_ir(self) -> str:
        """MLIR of the planned step."""
        return self._step.planned_ir()

    @property
    def diagnostics(self) -> list:
        """Remarks and warnings: severity, message, file, line and column of each."""
        return self._step.diagnostics


def _step_class():
    try:
        from ._compiler import _Step
    except ImportError as error:
        raise errors.UnavailableError("memplan's compiler is not in this package: build it with MLIR, by `pip install . -C "
                                      f"cmake.define.MEMPLAN_WITH_MLIR=ON` or the target memplan-python ({error})") from None
    return _Step


def _failure(error: errors.Error) -> errors.Error:
    """`error` with the place that its text begins with."""
    place = _PLACE.match(str(error))
    if place is None:
        return error
    return errors.InputError(f"[{place['line']}:{place['column']}, byte=0]: {str(error)[place.end():]}", place["file"])


def compile_step(source: str | os.PathLike, budget: Size | None = None, *, backend: str = "none", threads: int = 1, name: str = "step.mlir",
                 passes: str = "", precision: str = "f32", layout: str = "channels-first", fuse: bool = False, loss_scale: float = 0, loss_chunks: int = 1,
                 ranks: int = 1, progress=None, cancel: Cancel | None = None, **options) -> CompiledProgram:
    """Compiles one training step in MLIR and plans it within `budget`: the backward pass is added where there is a loss.

    source    MLIR as text, or the path of a file
    budget    device bytes as in memplan.plan(), parameters and inputs in it; None: no limit
    backend   whose scratch memory the plan holds: "cpu", "reference", "cuda", a plugin's path; "none": nobody's
    threads   of the kernels, on which their scratch depends
    name      what errors call a source that is text
    passes    a pipeline of MLIR's passes that runs first: "func.func(memplan-autodiff{gradients=true})" returns gradients instead of updating
    precision what products, convolutions and attention compute in, as torch.autocast has it: "f32", "bf16" or "f16"; parameters stay f32. "tf32": those of f32 may be multiplied in TF32
    layout    of images from convolution to convolution: "channels-first", as programs have it, or "channels-last"
    fuse      whether products take the bias, GELU or gradient that follows them, and convolutions the ReLU: one kernel each on a GPU. What the plan
              would run more than once is taken apart where that takes less time
    loss_scale first scale of the loss, as torch.amp.GradScaler has it: a step whose gradients are not finite updates nothing; 0: as the optimizer of the step says
    loss_chunks chunks of rows in which logits, their loss and its gradients are computed, so that a language model has one chunk of logits at a time
    ranks     processes that run the step, each on a part of the batch: gradients become their means over all ranks; see docs/Ranks.md
    others    those of memplan.plan()

    Raises BudgetError where there is no plan, InputError with file, line and column where the source is wrong, UnavailableError
    where this package has no compiler.
    """
    step_class = _step_class()
    if precision not in ("f32", "tf32", "bf16", "f16"):
        raise errors.InputError(f"precision: must be f32, tf32, bf16 or f16, not '{precision}'")
    if precision != "f32":
        autocast = f"func.func(memplan-autocast{{dtype={precision} device={'cuda' if backend == 'cuda' else 'cpu'}}})"
        passes = ",".join(filter(None, (autocast, passes)))
    if not 0 <= loss_scale < float("inf"):
        raise errors.InputError(f"loss_scale: must be finite and not negative, not {loss_scale}")
    if ranks < 1:
        raise errors.InputError(f"ranks: must be at least 1, not {ranks}")
    if loss_chunks < 1:
        raise errors.InputError(f"loss_chunks: must be at least 1, not {loss_chunks}")
    if layout not in ("channels-first", "channels-last"):
        raise errors.InputError(f"layout: must be channels-first or channels-last, not '{layout}'")
    if loss_scale or ranks > 1:
        if "memplan-autodiff" in passes:
            raise errors.InputError("loss_scale, ranks: `passes` has memplan-autodiff already; give it the options loss-scale and ranks there")
        passes = ",".join(filter(None, (passes, f"func.func(memplan-autodiff{{loss-scale={float(loss_scale)!r} ranks={ranks}}})")))
    after = ["func.func(canonicalize,memplan-chunk-loss{chunks=" + str(loss_chunks) + "})"] if loss_chunks > 1 else []
    if layout == "channels-last":
        after.append("func.func(memplan-channels-last)")
    if after:
        autodiff = "" if "memplan-autodiff" in passes else "func.func(memplan-autodiff)"
        passes = ",".join(filter(None, (passes, autodiff, *after)))
    if isinstance(source, os.PathLike) or "\n" not in source:
        text, name = _read_file(source), os.fspath(source)
    else:
        text = source.encode()
    given = {**options, "budget": budget}
    settings = {key.replace("_", "-"): _text_of(value) for key, value in given.items() if value is not None}
    _options_of(given)  # names what is wrong with one
    try:
        step = step_class(text, name, settings, backend, threads, passes, fuse)
        try:
            made = step.program(progress, cancel)
        except errors.InputError:
            if refused := step.refusal():
                _with_actions(Plan.from_json(step.graph(), refused))  # says why there is none
            raise
    except errors.InputError as error:
        raise _failure(error) from None
    from .runtime import Program

    return CompiledProgram(step, Program.from_bytes(made))
