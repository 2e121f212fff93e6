"""Inductor: the plan says what is saved and what runs again; order within forward and backward, and fusion, are inductor's.

So the plan is an estimate, mostly an upper bound, since what is fused takes no bytes; and the first step decides whether the budget is kept.

Buffers are released once nothing reads them. Inductor itself keeps one for a later result where its own estimate of the peak, which knows no scratch,
allows that."""

from __future__ import annotations

import torch
from torch._inductor.compile_fx import compile_fx, compile_fx_inner
from torch._inductor.custom_graph_pass import CustomPartitionerFn


class _Partitioner(CustomPartitionerFn):
    def __init__(self, partition):
        self._partition = partition

    def __call__(self, gm, joint_inputs, *, compiler=None, **kwargs):
        return self._partition(gm, joint_inputs, **kwargs)

    def __deepcopy__(self, memo):
        """Itself: PyTorch copies its settings."""
        return self

    def __reduce__(self):
        """No part of what is compiled: keys of PyTorch's caches of kernels hold the partitioned graphs themselves."""
        return _Partitioner, (None,)

    def uuid(self):
        """None: no cache of PyTorch may take the plan of another budget."""
        return None


def compile_graph(gm, inputs, partition, around, check, layouts: bool = True):
    """Compiles a graph of dynamo, partitioned by `partition`. `around(call, backward)` wraps what was compiled, `check(graph)` looks
    at graphs without gradients. `layouts`: inductor may choose those of convolutions, which take other scratch then than as traced."""

    def inner(graph, example, *args, **kwargs):
        if kwargs.get("is_inference"):
            check(graph)
            return compile_fx_inner(graph, example, *args, **kwargs)
        return around(compile_fx_inner(graph, example, *args, **kwargs), kwargs.get("is_backward", False))

    with torch._functorch.config.patch(enable_autograd_cache=False):
        settings = {"custom_partitioner_fn": _Partitioner(partition), "allow_buffer_reuse": False} | ({} if layouts else {"layout_optimization": False})
        return compile_fx(gm, inputs, inner_compile=inner, config_patches=settings)
