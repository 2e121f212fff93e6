"""Front: `compile`, `budget` and the backend "memplan" of torch.compile."""

from __future__ import annotations

import contextlib
import contextvars
import inspect
import itertools
import logging
import re
import types

import torch
from torch._dynamo.exc import BackendCompilerFailed
from torch.nn.parallel import DistributedDataParallel
from torch.utils._pytree import tree_leaves

from . import allocator
from . import optimizer as optimizers
from .errors import BudgetError, Error, UnsupportedGraph, parse_budget, parse_bytes, show_bytes
from .measure import Measurements
from .session import Report, Session
from .solve import PCIE

HOOKS = """saved-tensor hooks are active: what they keep or copy of the saved tensors is not in the plan. Leave them out; the plan \
decides what is saved."""

# How often a step is planned again with what earlier ones missed.
ROUNDS = {"eager": 1, "inductor": 4}

_numbers = itertools.count()


# Methods of loggers, those that transformers adds among them.
LOGS = ("debug", "info", "warning", "error", "log", "warning_once", "warning_advice", "info_once")


def _without_logs():
    """Calls of loggers are left out of what is traced: each would end the graph."""
    config = torch._dynamo.config
    name = "ignore_logging_functions" if hasattr(config, "ignore_logging_functions") else "ignore_logger_methods"
    found = {method for log in LOGS if (method := getattr(logging.Logger, log, None))}
    return config.patch(**{name: getattr(config, name) | found})


def _own_code(step):
    """`step` with a code object of its own, so that compiled steps share no cache of PyTorch and no limit of it."""
    code = step.__code__.replace(co_name=f"memplan_step_{next(_numbers)}")
    made = types.FunctionType(code, step.__globals__, code.co_name, step.__defaults__, step.__closure__)
    made.__kwdefaults__ = step.__kwdefaults__
    return made


def _modules_in(value) -> list[torch.nn.Module]:
    """Modules that `value` is, or that are in lists, tuples, sets and dictionaries in it."""
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return [module for each in (value.values() if isinstance(value, dict) else value) for module in _modules_in(each)]
    return [value] if isinstance(value, torch.nn.Module) else []


def _modules_of(step) -> list[torch.nn.Module]:
    """Modules that a step function reaches by its closure and its globals, or that it is a method of."""
    if isinstance(step, torch.nn.Module):
        return [step]
    owner = getattr(step, "__self__", None)
    found = inspect.getclosurevars(inspect.unwrap(getattr(step, "__func__", step)))
    values = [owner, *vars(owner).values()] if owner is not None else []
    return _modules_in([*values, *found.nonlocals.values(), *found.globals.values()])


def _form(tensor: torch.Tensor, batch: int | None) -> tuple:
    """Sizes of an input; a first one that is a multiple of the batch as that multiple."""
    size = tensor.size()
    return size if batch is None or not size or size[0] % batch else ("batch", size[0] // batch, *size[1:])


def _with_dynamic_sizes(tensors, call):
    """`call` with first sizes of `tensors` that PyTorch is told to leave open; it keeps those that turn out to be fixed."""

    def run(*args, **kwargs):
        for tensor in tensors:
            torch._dynamo.maybe_mark_dynamic(tensor, 0)
        try:
            return call(*args, **kwargs)
        finally:
            for tensor in tensors:
                tensor._dynamo_weak_dynamic_indices.discard(0)

    return run


class _Within(torch.nn.Module):
    """Stands in a DistributedDataParallel for its module while a compiled step runs, so that only the step is compiled."""

    def __init__(self, call):
        super().__init__()
        self.call = call

    def forward(self, *args, **kwargs):
        return self.call(*args, **kwargs)


def _is_sharded(module) -> bool:
    """Whether fully_shard (FSDP2) was applied to the module itself. Without its package, which is slow to import."""
    return any(kind.__module__.startswith("torch.distributed.fsdp") for kind in type(module).__mro__)


def _under_ddp(ddp: DistributedDataParallel, call):
    """`call` with what DDP does before and after: its buckets are reduced when the gradients are there."""
    within = _Within(call)

    def run(*args, **kwargs):
        module, ddp.module = ddp.module, within
        try:
            with torch._dynamo.config.patch(optimize_ddp=False):  # which cuts graphs by buckets
                return ddp(*args, **kwargs)
        finally:
            ddp.module = module

    return run


class CompiledStep:
    """A training step within a budget; call it as the step, then call `backward()` of what it returns.

    `report` is what is known of the plan in use, or None before the first call. Each shape of the inputs is planned by itself,
    and so is a step that finds gradients already there. Calls raise BudgetError or UnsupportedGraph before anything runs."""

    def __init__(self, step, modules, budget, *, optimizer, fixed_bytes, outside, effort, on_miss, measurements, bandwidth=None, compiler="eager", ddp=None,
                 sharded=None, dynamic_batch=False, quiet=False, has_target=False):
        self._dynamic_batch, self._quiet, self._has_target = dynamic_batch, quiet, has_target
        self._ddp, self._sharded, self._bandwidth, self._compiler = ddp, sharded, bandwidth, compiler
        self._step, self._modules, self._optimizer = step, modules, optimizer
        self._budget, self._fixed_bytes, self._outside = parse_budget(budget), parse_bytes(fixed_bytes, "fixed_bytes"), outside
        self._effort, self._on_miss, self._measurements = effort, on_miss, measurements
        self._needs = optimizers.needs(optimizer) if optimizer is not None else optimizers.Needs(0, 0)
        self._sessions: dict[tuple, tuple[Session, object]] = {}
        self._session: Session | None = None

    @property
    def report(self) -> Report | None:
        return self._session.report if self._session else None

    @property
    def schedule(self):
        """Runs and bytes of the plan in use, or None before the first call."""
        return self._session.schedule if self._session else None

    def _parameters(self) -> list[torch.Tensor]:
        held = [p for m in self._modules for p in m.parameters()]
        held += [p for g in self._optimizer.param_groups for p in g["params"]] if self._optimizer else []
        return list(dict.fromkeys(held))

    def _check_update(self, parameters, buffers, gradients: int, inputs: int) -> None:
        """The update's own peak: parameters, gradients, state, temporaries, and the inputs, which the caller holds."""
        trained = optimizers.distinct_bytes(p for p in parameters if p.requires_grad)
        total = self._fixed_bytes + optimizers.distinct_bytes((*parameters, *buffers)) + max(gradients, trained) + inputs
        total += self._needs.update_bytes
        if self._optimizer is not None and total > self._budget:
            raise BudgetError(f"the update alone takes {show_bytes(total)} ({total} bytes) of {self._budget}: parameters, gradients and "
                              f"{show_bytes(self._needs.update_bytes)} of {type(self._optimizer).__name__}", total)

    def _session_for(self, args):
        parameters = self._parameters()
        buffers = [b for m in self._modules for b in m.buffers()]
        there = optimizers.distinct_bytes(p.grad for p in parameters)
        if self._ddp is not None:  # its buckets are a copy of the gradients, or hold them
            buckets = optimizers.distinct_bytes(p for p in self._ddp.parameters() if p.requires_grad)
            there = buckets + (0 if self._ddp.gradient_as_bucket_view else there)
        inputs = [t for t in tree_leaves(args) if isinstance(t, torch.Tensor)]
        batch = self._batch(inputs)
        key = there, tuple((_form(t, batch), t.dtype) for t in inputs), torch.is_grad_enabled()
        known = self._sessions.get(key)
        if known is None or batch is not None and batch > known[0].largest_batch:
            if any(t.is_meta for t in (*parameters, *buffers, *inputs)):
                raise ValueError("a parameter or an input is on the device 'meta', where nothing runs; memplan.torch.explain() and wrap() take such tensors")
            largest = None if batch is None else max(batch, int(self._dynamic_batch))
            held = optimizers.distinct_bytes(inputs)
            self._check_update(parameters, buffers, there, held if batch is None else held * largest // batch)
            fixed = self._fixed_bytes + there + self._needs.state_bytes
            self._sessions[key] = self._make(fixed, optimizers.distinct_bytes((*parameters, *buffers)), self._outside, largest)
        elif self._on_miss != "ignore" and (missed := self._sessions[key][0].missed):
            self._sessions[key] = self._again(self._sessions[key][0], missed)
        self._session, call = self._sessions[key]
        self._session.batch = batch
        if batch is None or self._session.compiled:
            return call
        return _with_dynamic_sizes([t for t in inputs if _form(t, batch) != t.size()], call)

    def _batch(self, inputs) -> int | None:
        """Batch of a call whose plan serves smaller ones too; None where each shape has a plan of its own. PyTorch keeps 1 apart."""
        batch = next((t.shape[0] for t in inputs if t.dim()), 0)
        return batch if self._dynamic_batch and batch > 1 else None

    def _make(self, fixed: int, module_bytes: int, outside, largest=None, rounds=0, layouts=True):
        session = Session(self._budget, fixed_bytes=fixed, module_bytes=module_bytes, outside=outside, effort=self._effort, bandwidth=self._bandwidth,
                          measurements=self._measurements, compiler=self._compiler, largest_batch=largest, quiet=self._quiet,
                          layouts=layouts)
        session.rounds = rounds
        call = torch.compile(_own_code(self._step), backend=session.backend, fullgraph=True, dynamic=False if largest is None else None)
        return session, call if self._ddp is None else _under_ddp(self._ddp, call)

    def _again(self, session: Session, missed):
        """Plans once more with what the first step took beyond its plan; several times where inductor orders and fuses. Where it chose layouts the same
        plan is tried without that first."""
        if session.chooses_layouts:
            return self._make(session.fixed_bytes, session.module_bytes, session.outside, session.largest_batch, session.rounds, layouts=False)
        inside, between = max(missed[0], missed[2]), missed[1]
        if session.rounds == ROUNDS[self._compiler]:
            raise BudgetError(f"a step took {session.report.measured_bytes} bytes of {self._budget} though it was planned again with "
                              "what earlier ones missed; give the difference as fixed_bytes=", session.report.measured_bytes)
        outside = session.outside_bytes + between if between or self._outside is not None else None
        return self._make(session.fixed_bytes + inside, session.module_bytes, outside, session.largest_batch, session.rounds + 1, session.layouts)

    def __call__(self, *args, **kwargs):
        if torch._C._autograd._top_saved_tensors_default_hooks(True) is not None:
            raise UnsupportedGraph(HOOKS)
        if self._has_target and (kwargs or len(args) < 2):
            raise TypeError("with loss= a step is called with its inputs and then the target, none by name: step(images, labels)")
        allocator.release()
        if self._sharded is not None:
            self._sharded.take_gradients()
        call = self._session_for((args, kwargs))
        try:
            with _without_logs():
                return call(*args, **kwargs)
        except BackendCompilerFailed as failed:
            if isinstance(failed.inner_exception, Error):
                raise failed.inner_exception.with_traceback(None) from None  # The frames are PyTorch's, some sixty.
            raise
        except torch._dynamo.exc.Unsupported as error:
            raise _breaks(error) from error


def _breaks(error) -> Error:
    if "saved_tensors_hooks" in str(error):
        return UnsupportedGraph(HOOKS)
    first = str(error).strip().splitlines()[0] if str(error).strip() else "graph break"
    # By a graph break of PyTorch's: what the code raises, or what an operator says of its arguments.
    raised = re.search(r"Developer debug context: (?:raised exception (.*)|(\w+ <function .*))", str(error))
    if raised:
        return UnsupportedGraph(f"the step raises {raised[1] or raised[2]}; run it once without memplan to see where")
    return UnsupportedGraph(f"the step is more than one graph, and no budget can be promised over several: {first}")


def _check_step(step, loss, optimizer) -> None:
    if isinstance(step, CompiledStep):
        raise TypeError("the step is compiled already; call it")
    if isinstance(step, type) or not callable(step):
        raise TypeError(f"module_or_step is a module that was made, or a function that returns the loss, not {step!r:.80}; the budget comes second")
    if loss is not None and not callable(loss):
        raise TypeError(f"loss is a function or a module, such as torch.nn.functional.cross_entropy, not {loss!r:.80}")
    if isinstance(step, DistributedDataParallel) and isinstance(step.module, DistributedDataParallel):
        raise UnsupportedGraph("the module is in DistributedDataParallel twice; wrap it once")
    optimizers.check(optimizer, step if isinstance(step, torch.nn.Module) and loss is not None and not isinstance(loss, torch.nn.Module) else None)


def compile(module_or_step, budget: int | str, *, loss=None, optimizer: torch.optim.Optimizer | None = None, backend: str = "eager",
            offload: str | None = None, bandwidth: str = PCIE, fixed_bytes: int | str = 0, outside: int | str | None = None, effort: int = 0, on_miss: str = "error",
            measure: bool | Measurements = True, dynamic_batch: bool | int = False, quiet: bool = False) -> CompiledStep:
    """Compiles a training step that takes at most `budget` bytes of the device, or raises BudgetError before it runs.

        step = memplan.torch.compile(model, "6GiB", loss=torch.nn.functional.cross_entropy, optimizer=optimizer)
        step(images, labels).backward()
        optimizer.step()

    module_or_step  a module, also in DistributedDataParallel or under fully_shard (FSDP2), with a budget for each rank; or a function that returns the loss
    budget          bytes, "6GiB", or "device:80%" of what the CUDA device has free
    loss            called as loss(module(*inputs[:-1]), inputs[-1]), inside the compiled step
    optimizer       its state and the temporaries of its update count too
    backend         "eager": PyTorch's kernels in the plan's order, exact. "inductor": fused kernels; the plan says what is saved and what runs
                    again, the first step whether that keeps the budget, and where it does not, tighter plans follow
    offload         "host": values may be copied to pinned host memory and back, where that takes less time than running them again
    bandwidth       of these copies, in bytes per microsecond: "H2D,D2H[,LATENCY in microseconds]"
    fixed_bytes     what else is on the device during the step
    outside         bytes of what is computed between forward and backward outside the step; "measure": by the first step
    effort          limit of the planner's work, a deterministic count; 0: about as long as PyTorch's partitioner takes
    on_miss         what a first step does that took more than the budget: "error" plans once more, then raises; "ignore"
    measure         measure the scratch of each different operator once on this device; or Measurements(path)
    dynamic_batch   True: the plan of a batch serves all smaller ones (but 1); a larger one is planned for when it comes. A number: the first plan
                    is for that batch. The batch is the first size of the first input; sizes that are multiples of it go with it
    quiet           no line of progress while a step is planned; there is one on a terminal only

    The verdict of `report` is "planned" until a step was watched, then "kept"."""
    if backend not in ROUNDS:
        raise ValueError(f"backend is 'eager' or 'inductor', not {backend!r}")
    if backend == "inductor" and offload:
        raise ValueError("backend='inductor' copies nothing to the host; leave offload out")
    if backend == "inductor" and dynamic_batch:
        raise ValueError("backend='inductor' plans each batch by itself; leave dynamic_batch out")
    if on_miss not in ("error", "ignore"):
        raise ValueError(f"on_miss is 'error' or 'ignore', not {on_miss!r}")
    if offload not in (None, "host"):
        raise ValueError(f"offload is None or 'host', not {offload!r}")
    _check_step(module_or_step, loss, optimizer)
    given, modules, ddp = module_or_step, _modules_of(module_or_step), None
    sharded = None
    if isinstance(given, DistributedDataParallel):
        given, ddp = given.module, given
    elif _is_sharded(given):
        from .sharded import Sharded

        if backend == "inductor":
            raise UnsupportedGraph("a module under fully_shard is planned with backend='eager'")
        given = sharded = Sharded(given)
        modules, optimizer = [sharded], optimizer and sharded.optimizer(optimizer)
    if loss is None:

        def step(*args, **kwargs):
            return given(*args, **kwargs)
    else:

        def step(*inputs):
            return loss(given(*inputs[:-1]), inputs[-1])

        modules += [loss] if isinstance(loss, torch.nn.Module) else []
    measurements = Measurements() if measure is True else measure or None
    return CompiledStep(step, modules, budget, optimizer=optimizer, fixed_bytes=fixed_bytes, outside=outside, effort=effort,
                        on_miss=on_miss, measurements=measurements, bandwidth=bandwidth if offload else None, compiler=backend, ddp=ddp, sharded=sharded,
                        dynamic_batch=dynamic_batch, quiet=quiet, has_target=loss is not None)


# ---- torch.compile(..., backend="memplan")

_current: contextvars.ContextVar[Session | None] = contextvars.ContextVar("memplan_budget", default=None)


@contextlib.contextmanager
def budget(size: int | str, *, offload: str | None = None, bandwidth: str = PCIE, fixed_bytes: int | str = 0, outside: int | str | None = None,
           effort: int = 0, measure: bool | Measurements = True, quiet: bool = False):
    """Budget of the one step that torch.compile(..., backend="memplan") compiles inside; yields the session, whose `report`
    says what was planned. Arguments as in compile()."""
    measurements = Measurements() if measure is True else measure or None
    session = Session(size, fixed_bytes=parse_bytes(fixed_bytes), outside=outside, effort=effort,
                      bandwidth=bandwidth if offload else None, measurements=measurements, quiet=quiet)
    token = _current.set(session)
    try:
        yield session
    finally:
        _current.reset(token)


def memplan_backend(gm, example_inputs, *, options: dict | None = None):
    """The backend "memplan" of torch.compile. The budget is options={"budget": "6GiB"}, or that of `memplan.torch.budget`.

    It does not know of an optimizer or of gradients that are there: these are `fixed_bytes`."""
    session = _current.get()
    if options and "budget" in options:
        given = {**options, "measurements": Measurements()}
        session = Session(given.pop("budget"), **given)
    if session is None:
        raise ValueError('backend "memplan" has no budget: call the step inside `with memplan.torch.budget("6GiB"):`, '
                         'or give torch.compile options={"budget": "6GiB"}')
    return session.backend(gm, example_inputs)
