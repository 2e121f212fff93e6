"""Runner: training on memplan's own runtime, in one arena, with the parameters where PyTorch has them."""

from __future__ import annotations

import itertools

import torch
from torch.utils._pytree import tree_leaves

from ..terminal import ProgressLine, unbroken
from .errors import UnsupportedGraph

# What the kernels of the runtime hold other types as.
_HELD = {torch.float32: torch.float32, torch.bfloat16: torch.bfloat16, torch.float16: torch.float16, torch.int64: torch.int64, torch.int32: torch.int64, torch.bool: torch.int8, torch.int8: torch.int8}
# What makes a program give the gradients instead of updating parameters.
_GRADIENTS = "func.func(memplan-autodiff{gradients=true})"
# Bytes to which bound memory is aligned.
_ALIGNMENT = 64
# State of a program that PyTorch has as numbers, not as tensors.
_SCALE, _GOOD_STEPS = "optimizer.loss_scale", "optimizer.good_steps"
_NUMBERS = {"optimizer.step", _SCALE, _GOOD_STEPS}


def _settings_of(optimizer, max_norm=None, scaler=None) -> dict:
    """The optimizer as its operations in a program say it. Raises UnsupportedGraph where they cannot."""
    from ..export import optimizer as exported

    known = {torch.optim.SGD: ("sgd", {"dampening": 0, "maximize": False}), torch.optim.Adam: ("adam", {"amsgrad": False, "maximize": False}),
             torch.optim.AdamW: ("adamw", {"amsgrad": False, "maximize": False}), torch.optim.RMSprop: ("rmsprop", {"centered": False, "maximize": False}),
             torch.optim.Adagrad: ("adagrad", {"lr_decay": 0, "maximize": False}), torch.optim.Adafactor: ("adafactor", {"maximize": False})}
    if type(optimizer) not in known:
        raise UnsupportedGraph(f"the runtime has no update of {type(optimizer).__name__}; it has those of {', '.join(k.__name__ for k in known)}")
    name, fixed = known[type(optimizer)]
    if len(optimizer.param_groups) != 1:
        raise UnsupportedGraph(f"the optimizer has {len(optimizer.param_groups)} parameter groups; a program has one")
    group = optimizer.param_groups[0]
    if other := [key for key, value in fixed.items() if group.get(key, value) != value]:
        raise UnsupportedGraph(f"the runtime has no {type(optimizer).__name__} with {other[0]}={group[other[0]]!r}")
    if group.get("decoupled_weight_decay"):  # what makes Adam AdamW
        name = "adamw"
    settings = {key: group[key] for key in ("momentum", "nesterov", "alpha") if key in group}
    if "betas" in group:
        settings["beta1"], settings["beta2"] = group["betas"]
    if name == "adafactor":
        settings |= {"beta2_decay": group["beta2_decay"], "clip_threshold": group["d"], "epsilon1": group["eps"][0], "epsilon2": group["eps"][1]}
    elif "eps" in group:
        settings["epsilon"] = group["eps"]
    if max_norm is not None:
        settings["max_norm"] = max_norm
    if scaler is not None:  # whose own scale is written before each step
        settings |= {"loss_scale": 1.0, "growth_factor": scaler.get_growth_factor(), "backoff_factor": scaler.get_backoff_factor(),
                     "growth_interval": scaler.get_growth_interval()}
    return exported(name, lr=float(group["lr"]), weight_decay=float(group["weight_decay"]), **settings)


def _state_of(settings: dict, parameter) -> dict[str, str]:
    """What an optimizer holds of a parameter: PyTorch's name, and that of the program's argument after the parameter's."""
    name, has_momentum = settings["name"], bool(settings.get("momentum"))
    if name == "sgd":
        return {"momentum_buffer": "velocity"} if has_momentum else {}
    if name == "rmsprop":
        return {"square_avg": "square_avg"} | ({"momentum_buffer": "momentum_buffer"} if has_momentum else {})
    if name == "adagrad":
        return {"sum": "sum"}
    if name == "adafactor":
        return {"row_var": "row_var", "col_var": "col_var"} if parameter.dim() > 1 else {"variance": "variance"}
    return {"exp_avg": "exp_avg", "exp_avg_sq": "exp_avg_sq"}


def _empty_state(key: str, parameter) -> torch.Tensor:
    """Zeros in the shape that PyTorch gives a new state of that name: means of rows and columns have one element each."""
    if key not in ("row_var", "col_var"):
        return torch.zeros_like(parameter, requires_grad=False)
    shape = list(parameter.shape)
    shape[-1 if key == "row_var" else -2] = 1
    return torch.zeros(shape, dtype=parameter.dtype)


def _tensor(value) -> torch.Tensor:
    """A CPU tensor with the memory of a tensor or an array."""
    if isinstance(value, torch.Tensor):
        return value.detach()
    if not value.flags.writeable:  # which PyTorch would warn of; nothing writes into it
        return torch.tensor(value)
    return torch.from_numpy(value)


def _read(array, dtype: str) -> torch.Tensor:
    """What the executable gives as a tensor; NumPy holds a bfloat16 by its bits."""
    found = torch.from_numpy(array)
    return found.view(torch.bfloat16) if dtype == "bfloat16" else found


def _export(model, loss, batch, names, settings, backend, progress) -> str:
    """MLIR of the step: by modules, or with PyTorch's own backward where one of them has no counterpart."""
    from ..export import ExportError, export_joint_step, export_training_step

    data = dict(zip(names, batch))
    target = {names[-1]: data.pop(names[-1])}
    # Plugins have no kernel of attention.
    settings = {"optimizer_settings": settings, "attention_as_products": backend not in ("cpu", "reference", "cuda"), "progress": progress}
    if torch.is_autocast_enabled("cpu"):  # below it, casts are operators of the graph
        return export_joint_step(model, data, target, loss, **settings, opaque=False)
    try:
        return export_training_step(model, data, target, loss, **settings)
    except ExportError:
        return export_joint_step(model, data, target, loss, **settings, opaque=False)


class Runner:
    """Trains a module on memplan's runtime; `memplan.torch.run` makes it.

    Parameters, buffers and the optimizer's state stay the tensors that PyTorch has: steps write into them, `state_dict()` and
    `load_state_dict()` of module and optimizer work at any time. `losses` are those of all steps, `compiled` has plan and program.

    Ctrl-C ends a step after it is done, so that parameters and state are those of whole steps."""

    def __init__(self, model, budget, batch, *, loss, optimizer, max_norm, scaler, backend, threads, quiet, options):
        if scaler is not None and not scaler.is_enabled():
            scaler = None
        if scaler is not None and optimizer is None:
            raise ValueError("scaler skips updates whose gradients are not finite, and there is no optimizer")
        if max_norm is not None and optimizer is None:
            raise ValueError("max_norm clips the gradients of an update, and there is no optimizer; clip what a step leaves in .grad instead")
        self._model, self._budget, self._loss, self._optimizer = model, budget, loss, optimizer
        self._max_norm, self._scaler = max_norm, scaler
        self._backend, self._threads, self._options = backend, threads, options
        self.losses: list[float] = []
        self._check_model()
        self._batch = [_tensor(value) for value in batch]
        if len(self._batch) < 2:
            raise ValueError(f"a batch is inputs and a target, and this one is {len(self._batch)} tensors")
        self._names = [f"input{i}" for i in range(len(self._batch) - 1)] + ["target"]
        self._staged: dict[str, torch.Tensor] = {}
        self._quiet = quiet
        with ProgressLine("memplan.torch.run", quiet) as line:
            self._compile(line)

    def _check_model(self) -> None:
        parameters = list(self._model.parameters())
        frozen = [name for name, p in self._model.named_parameters() if not p.requires_grad]
        if frozen:
            raise UnsupportedGraph(f"'{frozen[0]}' requires no gradient; programs of the runtime update every parameter")
        if self._optimizer is not None and {id(p) for p in parameters} != {id(p) for g in self._optimizer.param_groups for p in g["params"]}:
            raise UnsupportedGraph("the optimizer has other parameters than the module; programs of the runtime update those of the module, each of them")
        elsewhere = next((p for p in parameters if p.device.type != "cpu"), None)
        if elsewhere is not None:
            raise UnsupportedGraph(f"the module is on '{elsewhere.device}'; the runtime takes tensors of the CPU")

    # ---- making the program

    def _compile(self, line: ProgressLine | None = None) -> None:
        import memplan

        self._settings = _settings_of(self._optimizer, self._max_norm, self._scaler) if self._optimizer is not None else None
        text = _export(self._model, self._loss, self._batch, self._names, self._settings, self._backend,
                       line and (lambda what: line.say(f"exporting: {what}")))
        if line:
            line.say("planning")
        self.compiled = memplan.compile_step(text, self._budget, backend=self._backend, threads=self._threads, name="the exported step",
                                             passes="" if self._settings else _GRADIENTS, progress=line and line.watch, **self._options)
        self._executable = memplan.Executable(self.compiled.program, backend=self._backend, threads=self._threads)
        self._places: dict[str, int] = {}
        self._copied: dict[str, torch.Tensor] = {}
        self._seed = any(value.name == "dropout_seed" for value in self.compiled.program.arguments)

        program = self.compiled.program
        self._dtypes = {value.name: value.dtype for value in (*program.arguments, *program.outputs)}

    def _read_output(self, name: str) -> torch.Tensor:
        return _read(self._executable.read_output(name), self._dtypes[name])

    def _bind_state(self) -> None:
        """Gives the program the memory of parameters, buffers and state; again where load_state_dict() put other tensors there."""
        held, changed = self._state(), False
        for value in self.compiled.program.arguments:
            if value.kind == "input" or value.name in _NUMBERS:
                continue
            tensor = held[value.name].detach()
            if self._places.get(value.name) == tensor.data_ptr():
                continue
            self._places[value.name], changed = tensor.data_ptr(), True
            if tensor.is_contiguous() and tensor.data_ptr() % _ALIGNMENT == 0:
                self._executable.bind(value.name, tensor)
                self._copied.pop(value.name, None)
            else:
                self._copied[value.name] = tensor
        if changed:
            self._counts = [s["step"] for s in self._optimizer.state.values() if "step" in s] if self._optimizer is not None else []
            if self._counts and any(value.name == "optimizer.step" for value in self.compiled.program.arguments):
                self._executable.write("optimizer.step", torch.tensor([int(max(map(float, self._counts)))]))

    def _state(self) -> dict[str, torch.Tensor]:
        """Tensors by the names of the program's arguments; makes what the optimizer has not yet made."""
        held = {**dict(self._model.named_buffers()), **dict(self._model.named_parameters())}
        if self._settings is None:
            return held
        for name, parameter in self._model.named_parameters():
            made = _state_of(self._settings, parameter)
            state = self._optimizer.state[parameter] if made else {}
            if self._settings["name"] != "sgd":
                state.setdefault("step", torch.tensor(0.0))
            for key, argument in made.items():
                if not isinstance(state.get(key), torch.Tensor):
                    state[key] = _empty_state(key, parameter)
                held[f"{name}.{argument}"] = state[key]
        return held

    # ---- steps

    def _count(self, skipped: bool) -> None:
        """Counts the step where PyTorch does; state that was loaded may have put other counters there."""
        batches = [m.num_batches_tracked for m in self._model.modules() if getattr(m, "num_batches_tracked", None) is not None]
        for count in (*batches, *([] if skipped else self._counts)):
            count += 1

    def _write_scale(self) -> None:
        state = self._scaler.state_dict()
        self._executable.write(_SCALE, torch.tensor(state["scale"], dtype=torch.float32))
        self._executable.write(_GOOD_STEPS, torch.tensor([state["_growth_tracker"]]))

    def _read_scale(self) -> bool:
        """Gives the scaler what the step made of its scale. Returns whether the step was skipped."""
        state = self._scaler.state_dict()
        scale, good = float(self._executable.read(_SCALE)), int(self._executable.read(_GOOD_STEPS)[0])
        self._scaler.load_state_dict({**state, "scale": scale, "_growth_tracker": good})
        return scale < state["scale"]

    def _add_gradients(self) -> None:
        for name, parameter in self._model.named_parameters():
            found = self._read_output(f"{name}.grad")
            parameter.grad = found if parameter.grad is None else parameter.grad.add_(found)

    def _give(self, name: str, value) -> None:
        """Gives an input to the next step: its own memory where the layout allows, else a copy in memory of the runner."""
        tensor, form = _tensor(value), self._batch[self._names.index(name)]
        if tensor.size() != form.size() or tensor.dtype != form.dtype:
            raise ValueError(f"'{name}' is {tensor.dtype} of {tuple(tensor.size())}, the step was compiled for {form.dtype} of {tuple(form.size())}; "
                             "leave out a last batch that is smaller (drop_last=True)")
        held = _HELD[tensor.dtype]
        if held != tensor.dtype or not tensor.is_contiguous() or tensor.data_ptr() % _ALIGNMENT:
            own = self._staged.setdefault(name, torch.empty(form.size(), dtype=held))
            tensor = own.copy_(tensor)
        self._executable.bind(name, tensor)

    def __call__(self, *batch) -> torch.Tensor:
        """One step: forward, backward and update; without an optimizer gradients are added to those of the parameters. Tensors or NumPy arrays, the target last. Returns the loss.

        Another learning rate than at the last step, as a scheduler sets it, compiles the step anew."""
        if len(batch) != len(self._names):
            raise ValueError(f"a batch of this step is {len(self._names)} tensors, and {len(batch)} were given")
        self._check_model()
        if self._optimizer is not None and _settings_of(self._optimizer, self._max_norm, self._scaler) != self._settings:
            self._compile()
        self._bind_state()
        for name, value in zip(self._names, batch):
            self._give(name, value)
        if self._seed:
            self._executable.write("dropout_seed", torch.randint(2**31 - 1, (1,)))
        for name, tensor in self._copied.items():
            self._executable.write(name, tensor.contiguous())
        if self._scaler is not None:
            self._write_scale()
        with unbroken():
            self._executable.run()
            for name, tensor in self._copied.items():
                tensor.copy_(_read(self._executable.read(name), self._dtypes[name]))
            self._count(skipped=self._scaler is not None and self._read_scale())
            if self._optimizer is None:
                self._add_gradients()
            else:
                self._optimizer._opt_called = True  # or schedulers warn that it never stepped
            loss = self._read_output("loss")
            self.losses.append(loss.item())
        return loss

    def train(self, data, steps: int | None = None, quiet: bool | None = None) -> list[float]:
        """Steps over the batches of a DataLoader or of any other iterable, `steps` at most. Returns their losses.

        A terminal shows the step, the last loss and the time left; quiet: nothing (None: as run() was told). Ctrl-C raises KeyboardInterrupt after
        the step under way, whose `runner` is this one and which says how many steps were taken: module and optimizer hold what they learned."""
        return self._train(data, steps, _length(data), quiet)

    def _train(self, data, steps: int | None, length: int | None, quiet: bool | None) -> list[float]:
        first, total = len(self.losses), min((count for count in (steps, length) if count is not None), default=None)
        try:
            with ProgressLine("step", self._quiet if quiet is None else quiet) as line:
                line.count(0, total, is_even=True)
                for batch in itertools.islice(data, steps):
                    self(*tree_leaves(batch))
                    line.say(f"loss {self.losses[-1]:.6g}")
                    line.count(len(self.losses) - first, total, is_even=True)
        except KeyboardInterrupt:
            taken = f"{len(self.losses) - first}" + (f" of {total}" if total is not None else "")
            stopped = KeyboardInterrupt(f"stopped by Ctrl-C after {taken} steps; module and optimizer hold what these learned")
            stopped.runner = self
            raise stopped from None
        return self.losses[first:]


def _length(data) -> int | None:
    """How many batches there are, where that is known."""
    try:
        return len(data)
    except TypeError:
        return None


def run(model: torch.nn.Module, budget: int | str | None, data, *, loss, optimizer: torch.optim.Optimizer | None = None, max_norm: float | None = None,
        scaler: torch.amp.GradScaler | None = None, steps: int | None = None, backend: str = "cpu", threads: int = 1, quiet: bool = False, **options) -> Runner:
    """Trains a module on memplan's own runtime: the step in one arena that is taken once, with nothing allocated while it runs.

        runner = memplan.torch.run(model, "6GiB", loader, loss=torch.nn.functional.cross_entropy, optimizer=optimizer)
        print(runner.losses, runner.compiled.plan.device_bytes)
        torch.save(model.state_dict(), "model.pt")

    model      in training mode, float32, bfloat16 or float16, on the CPU; under torch.autocast it computes as that says; steps write into its own parameters and buffers, without copies
    budget     bytes of parameters, optimizer state, inputs and arena: a number, "6GiB", "80%" of the unplanned peak; None: no limit
    data       batches (inputs..., target) of tensors or NumPy arrays: a DataLoader or another iterable; all have the form of the first
    loss       called as loss(model(*inputs), target)
    optimizer  SGD, Adam, AdamW, RMSprop, Adagrad or Adafactor, one parameter group of all parameters; None: no update, and gradients are where `backward()` leaves them
    max_norm   what the global norm of the gradients is clipped to before the update, as torch.nn.utils.clip_grad_norm_ does; None: no clipping
    scaler     a torch.amp.GradScaler: the loss is multiplied by its scale, a step whose gradients are not finite updates nothing, and the scale follows; for float16
    steps      at most; None: all of data
    backend    "cpu", "reference", or a plugin's path; threads: of its kernels
    quiet      a terminal shows no progress, which is otherwise the step, the last loss and the time left
    options    those of memplan.plan()

    Ctrl-C raises KeyboardInterrupt after the step under way. It says how many were taken, and its `runner` goes on where that ended: `runner.train(data)`.
    Results are those of memplan's kernels: PyTorch's within rounding, and the same bits for every budget.
    Raises BudgetError with the least budget; memplan.export.ExportError and UnsupportedGraph for what the runtime has not."""
    batches = iter(data)
    try:
        first = next(batches)
    except StopIteration:
        raise ValueError("data has no batch") from None
    runner = Runner(model, budget, tree_leaves(first), loss=loss, optimizer=optimizer, max_norm=max_norm, scaler=scaler, backend=backend,
                    threads=threads, quiet=quiet, options=options)
    runner._train(itertools.chain([first], batches), steps, _length(data), quiet)
    return runner
