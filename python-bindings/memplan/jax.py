"""Names to save for `jax.checkpoint`, from a plan of the step: which of the values that a model names are kept for the backward.

    def build(policy):
        def loss(weights, x):
            for w in weights:
                x = jax.checkpoint(block, policy=policy)(w, x)      # block names values by jax.ad_checkpoint.checkpoint_name
            return x.mean()
        return loss

    found = memplan.jax.policy(build, "2GiB", weights, x)
    step = jax.jit(jax.value_and_grad(build(found.policy)))

XLA orders, fuses and recomputes by itself. So a plan is a proposal, and what counts is what XLA says that the compiled step takes."""

from __future__ import annotations

import dataclasses
import math

import jax
from jax.extend import core

from . import planning
from .errors import BudgetError

__all__ = ["Policy", "policy"]

# Peak rates of a V100 in fp32, as --cost-model=roofline has them: per microsecond.
_FLOPS, _BYTES = 15.7e6, 0.9e6
# Work of one plan, a deterministic count.
_EFFORT = 20_000


@dataclasses.dataclass(frozen=True)
class Policy:
    """`policy` is for jax.checkpoint. saved, recomputed: names; planned_bytes: of the plan; compiled_bytes: arguments, outputs and
    temporaries of the compiled step, by XLA's own count."""

    policy: object
    saved: tuple[str, ...]
    recomputed: tuple[str, ...]
    planned_bytes: int
    compiled_bytes: int
    budget_bytes: int


def _bytes(variable) -> int:
    aval = variable.aval
    return math.prod(aval.shape) * aval.dtype.itemsize


def _micros(equation) -> float:
    """Roofline time of an equation; products by their FLOPs."""
    moved = sum(_bytes(v) for v in (*equation.invars, *equation.outvars) if hasattr(v.aval, "shape"))
    flops = 0
    if equation.primitive.name == "dot_general":
        (contracted, _), _ = equation.params["dimension_numbers"]
        depth = math.prod(equation.invars[0].aval.shape[d] for d in contracted)
        flops = 2 * depth * math.prod(equation.outvars[0].aval.shape)
    elif equation.primitive.name == "conv_general_dilated":
        kernel, numbers = equation.invars[1].aval.shape, equation.params["dimension_numbers"]
        flops = 2 * math.prod(equation.outvars[0].aval.shape) * math.prod(kernel) // kernel[numbers.rhs_spec[0]]
    return max(flops / _FLOPS, moved / _BYTES)


def _callee(equation):
    """The jaxpr that an equation calls once, or None: loops and branches are one node each."""
    if equation.primitive.name in ("jit", "pjit", "remat2", "checkpoint", "custom_jvp_call", "custom_vjp_call", "closed_call", "core_call"):
        return next((equation.params[key] for key in ("jaxpr", "call_jaxpr", "fun_jaxpr") if key in equation.params), None)
    return None


class _Builder:
    """A jaxpr as a memplan graph. `named`: (name, node that makes the value) of each named value."""

    def __init__(self, closed):
        self._graph, self._makers, self.named = planning.GraphBuilder("jaxpr"), {}, []
        given = [self._graph.add_tensor(_bytes(v), kind=planning.TensorKind.INPUT) for v in closed.jaxpr.invars]
        results = self._walk(closed.jaxpr, given, closed.consts)
        self._graph.add_node(sorted({t for t in results if t is not None}), [], run_once=True, name="end")
        self.graph = self._graph.build()

    def _walk(self, jaxpr, given, constants) -> list:
        """Tensors of the results of `jaxpr` on the tensors `given`; None stands for a literal."""
        known = dict(zip(jaxpr.invars, given))
        for variable in jaxpr.constvars:
            known[variable] = self._graph.add_tensor(_bytes(variable), kind=planning.TensorKind.INPUT)

        def find(variable):
            return None if isinstance(variable, core.Literal) else known[variable]

        for equation in jaxpr.eqns:
            read, callee = [find(v) for v in equation.invars], _callee(equation)
            if callee is not None:
                inner = getattr(callee, "jaxpr", callee)
                made = self._walk(inner, read, getattr(callee, "consts", ()))
            else:
                made = self._add(equation, [t for t in read if t is not None])
            known.update(zip(equation.outvars, made))
        return [find(v) for v in jaxpr.outvars]

    def _add(self, equation, read) -> list:
        if equation.primitive.name == "name" and read:
            self.named.append((equation.params["name"], self._makers.get(read[0])))
            return read
        made = [self._graph.add_tensor(_bytes(v)) for v in equation.outvars]
        node = self._graph.add_node(sorted(set(read)), made, _micros(equation), name=equation.primitive.name, run_once=bool(equation.effects))
        self._makers.update((tensor, node) for tensor in made)
        return made


def _compiled_bytes(step, arguments) -> int:
    found = jax.jit(step).lower(*arguments).compile().memory_analysis()
    return found.argument_size_in_bytes + found.output_size_in_bytes + found.temp_size_in_bytes - found.alias_size_in_bytes


def policy(build, budget: int | str, *arguments, rounds: int = 4, effort: int = _EFFORT) -> Policy:
    """The names to save so that the compiled step takes at most `budget` bytes, arguments and gradients in it.

    build      policy -> loss function of `arguments`, whose first one is differentiated; it gives the policy to jax.checkpoint
    arguments  arrays, or jax.ShapeDtypeStruct: nothing runs
    rounds     how often a tighter plan is tried where XLA takes more than the last one

    Raises BudgetError, with the least that any try took, ValueError where no value has a name."""
    size = budget if isinstance(budget, int) else planning.parse_size(budget)
    save = jax.checkpoint_policies
    made = _Builder(jax.make_jaxpr(jax.value_and_grad(build(save.everything_saveable)))(*arguments))
    names = list(dict.fromkeys(name for name, _ in made.named))
    if not names:
        raise ValueError("no value has a name; name those that may be saved by jax.ad_checkpoint.checkpoint_name")
    tried: dict[tuple[str, ...], int] = {}
    inner, planned_bytes = size, 0
    for last in [*[False] * rounds, True]:
        saved = ()
        if not last:
            try:
                plan = planning.plan(made.graph, inner, effort=effort, arena="none", in_place=False, sharing="none", alignment=1)
            except BudgetError:
                continue
            runs = [action.node for action in plan.actions if action.kind == planning.ActionKind.COMPUTE]
            again = {node for node in runs if runs.count(node) > 1}
            saved = tuple(name for name in names if not any(node in again for other, node in made.named if other == name))
            planned_bytes = plan.peak_bytes
        rule = save.save_only_these_names(*saved)
        if saved not in tried:
            tried[saved] = _compiled_bytes(jax.value_and_grad(build(rule)), arguments)
        if tried[saved] <= size:
            return Policy(rule, saved, tuple(n for n in names if n not in saved), planned_bytes, tried[saved], size)
        inner -= max(tried[saved] - size, size // 20)
    least = min(tried.values())
    raise BudgetError(f"no choice of names was found that XLA compiles within {size} bytes; {least} bytes are the least of {len(tried)} tries", least)
