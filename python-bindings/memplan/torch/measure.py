"""Measure: scratch and time of each different operator, run once on made-up data; kept per device in a profile file."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from collections.abc import Callable

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_leaves

from . import allocator, operators


def signature(node: fx.Node) -> str:
    """What scratch and time depend on: operator, shapes, strides, types, other arguments."""

    def describe(value):
        if not isinstance(value, torch.Tensor):
            return repr(value)
        return f"{str(value.dtype)[6:]}{list(value.size())}/{list(value.stride())}".replace(" ", "")

    args, kwargs = operators.example_arguments(node)
    return f"{node.target}({','.join(describe(v) for v in tree_leaves((args, kwargs)))})"


def device_name(device: torch.device) -> str:
    """Name of a device and of what else decides scratch: PyTorch's version and, on the CPU, its instructions, its caches and the threads."""
    if device.type == "cpu":
        instructions = torch.backends.cpu.get_cpu_capability()
        # Kernels are chosen by these, and may be kept to older instructions than the processor has.
        told = getattr(torch.cpu, "get_capabilities", dict)(), os.environ.get("ONEDNN_MAX_CPU_ISA"), torch.backends.mkldnn.enabled
        where = f"cpu-{instructions}-{torch.get_num_threads()}threads-{hashlib.sha256(repr(told).encode()).hexdigest()[:8]}"
    else:
        where = torch.cuda.get_device_name(device)
    return f"torch-{torch.__version__}-{where}".replace(" ", "-").replace("+", "-")


def _made_up(value):
    """Real data of a fake tensor's form: ones, which are valid as indices and as divisors."""
    if not isinstance(value, torch.Tensor):
        return value
    extent = 1 + sum((size - 1) * stride for size, stride in zip(value.size(), value.stride())) if value.numel() else 0
    made = torch.full((extent,), 0.5 if value.dtype.is_floating_point else 0, dtype=value.dtype, device=value.device)
    return made.as_strided(value.size(), value.stride())  # elements of an expanded one share bytes


def _new_bytes(results, given) -> int:
    old = {t.untyped_storage()._cdata for t in tree_leaves(given) if isinstance(t, torch.Tensor)}
    new = {t.untyped_storage()._cdata: t.untyped_storage().nbytes() for t in tree_leaves(results) if isinstance(t, torch.Tensor)}
    return sum(size for storage, size in new.items() if storage not in old)


class Measurements:
    """Scratch bytes by signature, read from and written to a profile file; `missing` are operators of which none are known.

    path   the file; None: `memplan/<device>.json` in the user's cache folder; "" keeps nothing"""

    def __init__(self, path: str | os.PathLike | None = None):
        self._path, self._table, self._of = path, {}, None
        self.missing: tuple[str, ...] = ()
        self.measured = 0

    def scratch(self, joint: fx.GraphModule, measure: bool = True, asked: Callable[[fx.Node], bool] = operators.is_operator) -> dict[str, int]:
        """{name of a node: scratch bytes} of the operators that are `asked` for; measures what no entry tells, or leaves it out. Operators that refuse
        made-up data have none."""
        nodes = [n for n in joint.graph.nodes if operators.is_operator(n) and not operators.is_collective(n) and asked(n)]
        value = next((v for n in nodes for v in tree_leaves(n.meta.get("val")) if isinstance(v, torch.Tensor)), None)
        device = value.device if value is not None else torch.device("cpu")
        if device.type == "cuda" and not torch.cuda.is_available():  # a graph on fake tensors, for another machine
            self.missing = tuple(sorted({str(n.target) for n in nodes}))
            return {}
        self._load(device)
        signatures = {n.name: signature(n) for n in nodes}
        new = {s: n for n in nodes if (s := signatures[n.name]) not in self._table}
        if new and measure:
            found = self._measure(list(new.values()))
            self.measured += len(new)
            self._table |= dict(zip(new, found))
            self._save()
        self.missing = tuple(sorted({s.split("(")[0] for s in signatures.values() if self._table.get(s) is None}))
        return {n: s for n, key in signatures.items() if (s := self._table.get(key))}

    def _load(self, device: torch.device) -> None:
        name = device_name(device)
        if self._of == name:
            return
        if self._path is None:
            home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
            self._file = pathlib.Path(home, "memplan", f"{name}.json")
        else:
            self._file = pathlib.Path(self._path) if self._path else None
        known = json.loads(self._file.read_text()) if self._file and self._file.exists() else {}
        self._table = known.get("scratch", {}) if known.get("device") == name else {}
        self._of = name

    def _save(self) -> None:
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        part = self._file.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps({"device": self._of, "scratch": self._table}))
        part.replace(self._file)

    def _measure(self, nodes) -> list[int | None]:
        if any(isinstance(v, torch.Tensor) and v.device.type == "cuda" for n in nodes for v in tree_leaves(operators.example_arguments(n))):
            measure = self._cuda_peaks
        else:
            measure = self._cpu_peaks
        state = torch.get_rng_state()
        with _disable_current_modes(), torch.no_grad():
            found = measure(nodes)
        torch.set_rng_state(state)
        return found

    @staticmethod
    def _run(node, around):
        """Bytes of the results of `node` on made-up data; None where it refuses them. `around` is a context for the call alone."""
        try:
            args, kwargs = fx.node.map_aggregate(operators.example_arguments(node), _made_up)
            with around:
                results = node.target(*args, **kwargs)
            return _new_bytes(results, (args, kwargs))
        except Exception:  # operators check their data in many ways
            return None

    def _cpu_peaks(self, nodes):
        running = allocator.start_profile()
        if running is None:
            return [None] * len(nodes)
        results = []
        for index, node in enumerate(nodes):
            self._run(node, allocator.mark(f"warm {index}"))  # the first call may cache what later ones use
            results.append(self._run(node, allocator.mark(str(index))))
        running.__exit__(None, None, None)
        memory, marks = allocator.events(running)
        found, position = [], 0
        for index, new in enumerate(results):
            if new is None or str(index) not in marks:
                found.append(None)
                continue
            begin, end = marks[str(index)][0]
            while position < len(memory) and memory[position][0] < begin:
                position += 1
            last = position
            while last < len(memory) and memory[last][0] <= end:
                last += 1
            found.append(max(0, allocator.peaks(memory[position:last])[0] - new))
            position = last
        return found

    def _cuda_peaks(self, nodes):
        found = []
        for node in nodes:
            self._run(node, _CudaPeak())
            around = _CudaPeak()
            new = self._run(node, around)
            found.append(None if new is None else max(0, around.bytes - new))
        return found


class _CudaPeak:
    """Context: `bytes` that the CUDA allocator handed out at the highest, above the start."""

    bytes = 0

    def __enter__(self):
        torch.cuda.reset_peak_memory_stats()
        self._start = torch.cuda.memory_allocated()

    def __exit__(self, *_):
        self.bytes = torch.cuda.max_memory_allocated() - self._start
