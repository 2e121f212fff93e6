"""memplan.jax: names to save, from a plan, for jax.checkpoint."""

import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import jax.numpy as jnp  # noqa: E402
import memplan  # noqa: E402
import memplan.jax as names  # noqa: E402
from jax.ad_checkpoint import checkpoint_name  # noqa: E402

LAYERS = 8
WEIGHTS = [jax.random.normal(jax.random.key(i), (64, 64)) * 0.1 for i in range(LAYERS)]
X = jax.random.normal(jax.random.key(99), (4096, 64))


def block(number, w, x):
    x = checkpoint_name(jnp.tanh(x @ w), f"h{number}")
    return jnp.sin(jax.nn.gelu(x))


def build(policy):
    def loss(weights, x):
        for number, w in enumerate(weights):
            x = jax.checkpoint(lambda w, x, number=number: block(number, w, x), policy=policy)(w, x)
        return jnp.mean(x**2)

    return loss


def compiled_bytes(policy):
    found = jax.jit(jax.value_and_grad(build(policy))).lower(WEIGHTS, X).compile().memory_analysis()
    return found.argument_size_in_bytes + found.output_size_in_bytes + found.temp_size_in_bytes


ALL = jax.checkpoint_policies.save_only_these_names(*(f"h{i}" for i in range(LAYERS)))


def test_the_compiled_step_keeps_the_budget_and_computes_the_same():
    """A plan that XLA does not follow would be a promise that nobody keeps; another loss would be trained."""
    most, least = compiled_bytes(ALL), compiled_bytes(jax.checkpoint_policies.nothing_saveable)
    assert least < most, "XLA was meant to take more for names that are saved"
    budget = (most + least) // 2
    found = names.policy(build, budget, WEIGHTS, X)
    assert compiled_bytes(found.policy) == found.compiled_bytes <= budget
    assert sorted([*found.saved, *found.recomputed]) == sorted(f"h{i}" for i in range(LAYERS)) and found.recomputed
    value, gradients = jax.jit(jax.value_and_grad(build(found.policy)))(WEIGHTS, X)
    expected, others = jax.value_and_grad(build(ALL))(WEIGHTS, X)
    assert float(value) == pytest.approx(float(expected), rel=1e-5)
    for ours, theirs in zip(gradients, others, strict=True):
        assert jnp.allclose(ours, theirs, rtol=1e-3, atol=1e-6)


def test_all_is_saved_where_all_fits():
    """Recomputation without need is lost time. Forms stand for arrays: nothing is allocated."""
    forms = [[jax.ShapeDtypeStruct(w.shape, w.dtype) for w in WEIGHTS], jax.ShapeDtypeStruct(X.shape, X.dtype)]
    found = names.policy(build, "1GB", *forms)
    assert len(found.saved) == LAYERS and not found.recomputed and found.compiled_bytes == compiled_bytes(ALL)


def test_what_cannot_be_kept_is_said():
    """A budget that no choice of names keeps would be exceeded in silence; without names there is nothing to choose."""
    with pytest.raises(memplan.BudgetError) as error:
        names.policy(build, 1_000_000, WEIGHTS, X)
    assert error.value.least == compiled_bytes(jax.checkpoint_policies.nothing_saveable)
    with pytest.raises(ValueError, match="no value has a name"):
        names.policy(lambda policy: lambda w, x: jnp.sum(x @ w[0]), "1GB", WEIGHTS, X)


def test_the_graph_is_the_jaxpr():
    """Bytes that the planner does not see would not be in any plan."""
    made = names._Builder(jax.make_jaxpr(jax.value_and_grad(lambda w, x: jnp.sum(checkpoint_name(jnp.tanh(x @ w), "h"))))(WEIGHTS[0], X))
    assert [name for name, _ in made.named] == ["h"] and made.graph.node(made.named[0][1]).name == "tanh"
    product = next(made.graph.node(n) for n in range(made.graph.node_count) if made.graph.node(n).name == "dot_general")
    assert product.cost == pytest.approx(max(2 * 4096 * 64 * 64 / 15.7e6, (X.nbytes + WEIGHTS[0].nbytes + X.nbytes) / 0.9e6))
    assert made.graph.unplanned_peak_bytes >= X.nbytes + WEIGHTS[0].nbytes + 2 * X.nbytes
