"""memplan.torch.titan: a pass pipeline of torchtitan's GraphTrainer that keeps a budget (docs/Torch.md)."""

import functools
import sys
import types

import pytest

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")
pytest.importorskip("torchtitan.experiments.graph_trainer.make_fx_tracer", reason="torchtitan is not installed (utils/install-torch.sh installs it)")

import memplan.torch as budgets  # noqa: E402
from memplan.torch import allocator, operators, titan  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn.functional import cross_entropy, scaled_dot_product_attention  # noqa: E402
from torch_steps import EFFORT, scratch  # noqa: E402,F401
from torchtitan.experiments.graph_trainer import registry, remove_noop_passes  # noqa: E402
from torchtitan.experiments.graph_trainer.make_fx_tracer import _unwrap_subclasses, extract_train_state, minimal_fx_tracer, run_traced  # noqa: E402

NAME = "memplan-test"


def tag_with_memory_policy_pass(gm, example_inputs, *, config):
    raise AssertionError("a pass that the plan replaces was run")


def compile_time_passes(traced, config, *, use_cudagraph, parallel_dims):
    """The list that torchtitan makes, shortened."""
    assert not use_cudagraph
    return [remove_noop_passes.eliminate_dead_code_pass, remove_noop_passes.canonicalize_graph_pass, functools.partial(tag_with_memory_policy_pass, config=config)]


@pytest.fixture
def pipeline(monkeypatch, scratch):
    """pipeline(budget, ...): registered. torchtitan's list of passes itself needs its data sets and its CUDA kernels to be imported."""
    monkeypatch.setitem(sys.modules, "torchtitan.experiments.graph_trainer.passes", types.SimpleNamespace(compile_time_passes=compile_time_passes))
    yield lambda budget, **options: titan.register(budget, name=NAME, **{"measure": scratch, "effort": EFFORT, **options})
    for table in (registry.PASS_PIPELINE_REGISTRY, registry.POST_INIT_HOOKS):
        table.pop(NAME, None)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.mix, self.out, self.body = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width), nn.Linear(width, 4 * width)
        self.back = nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (4, -1)).transpose(1, 2) for part in self.mix(self.norm(x)).chunk(3, -1))
        x = x + self.out(scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(-2))
        return x + self.back(torch.nn.functional.gelu(self.body(x)))


class Language(nn.Module):
    def __init__(self, layers=3, width=32):
        super().__init__()
        self.embed, self.layers, self.head = nn.Embedding(64, width), nn.Sequential(*(Block(width) for _ in range(layers))), nn.Linear(width, 64)

    def forward(self, ids):
        return self.head(self.layers(self.embed(ids)))


def config_of(compilation="regional"):
    return types.SimpleNamespace(compile=types.SimpleNamespace(inductor_compilation=compilation, pass_pipeline=NAME))


def traced_step():
    """(torchtitan's trace of a step, its module, its inputs, what a trace takes)"""
    torch.manual_seed(2)
    model, ids = Language(), torch.randint(0, 64, (4, 64))

    def step(ids, labels):
        loss = cross_entropy(model(ids).flatten(0, 1), labels.flatten())
        return [loss, *torch.autograd.grad(loss, list(model.parameters()))]

    inputs = ids, ids.roll(-1, 1)
    return minimal_fx_tracer(step, module=model)(*inputs), model, inputs


def apply(traced, pipeline):
    """What GraphTrainer does with a registered pipeline."""
    for graph_pass in registry.PASS_PIPELINE_REGISTRY[NAME](traced, config_of(), parallel_dims=None):
        traced.gm = graph_pass(traced.gm, list(traced.example_inputs))
        assert isinstance(traced.gm, torch.fx.GraphModule)
    return pipeline.planned.report


def test_a_traced_step_keeps_its_budget_to_the_byte_with_the_same_gradients(pipeline):
    """A run of GraphTrainer would exceed its budget, or train on other gradients; or torchtitan's own policy would work against the plan."""
    traced, model, inputs = traced_step()
    expected = run_traced(traced, module=model)(*inputs)
    free = apply(traced, pipeline("1GB"))
    assert free.recomputations == 0
    traced = traced_step()[0]
    with pytest.raises(budgets.BudgetError) as error:
        apply(traced, pipeline(1000))
    for budget in (error.value.least, (error.value.least + free.planned_bytes) // 2):
        traced = traced_step()[0]
        report = apply(traced, pipeline(budget))
        made = run_traced(traced, module=model)(*inputs)
        assert all(torch.equal(a, b) for a, b in zip(made, expected, strict=True)) and report.recomputations > 0
        state = torch.utils._pytree.tree_leaves(extract_train_state(model, None)[0])
        flat, _ = _unwrap_subclasses([*state, *inputs])
        with torch.no_grad():
            taken, _ = allocator.peak_of(lambda: traced.gm(*flat))
        assert sum(t.nbytes for t in flat) + taken == report.planned_bytes <= budget < free.planned_bytes


def test_state_and_gradients_of_the_trainer_count(pipeline):
    """Adam's moments and gradients that stay from step to step are on the device beside the traced step."""
    traced, model, _ = traced_step()
    held = sum(p.nbytes for p in model.parameters())
    for steps, without_graphs, gradients in ((1, True, 0), (1, False, 1), (2, True, 1)):
        made = pipeline("1GB")
        adam = torch.optim.Adam(model.parameters(), foreach=False)
        training = types.SimpleNamespace(training=types.SimpleNamespace(disable_cuda_graphs=without_graphs))
        trainer = types.SimpleNamespace(optimizers=[adam], model_parts=[model], gradient_accumulation_steps=steps, config=training)
        registry.POST_INIT_HOOKS[NAME](trainer)
        planned = made.plan(traced.gm, traced.num_static_inputs)
        scalars = planned.report.fixed_bytes - (2 + gradients) * held
        assert 0 <= scalars <= 8 * len(list(model.parameters()))
    small = pipeline(3 * held)
    small.see(trainer)
    with pytest.raises(budgets.BudgetError, match="the update alone"):
        small.plan(traced.gm, traced.num_static_inputs)


def test_regions_that_inductor_compiled_are_run_as_they_are(pipeline):
    """Attention over functions is compiled before the plan is made: nothing knows what is in a region, and fake tensors cannot run it."""
    from torch._guards import TracingContext, tracing
    from torch.fx.passes.regional_inductor import regional_inductor

    traced, model, inputs = traced_step()
    marked = [n for n in traced.gm.graph.nodes if n.target is torch.ops.aten.gelu.default]
    for at, node in enumerate(marked):
        node.meta["custom"] = {"compile_with_inductor": {"inductor_region": at}}
    mode = next(v.fake_mode for v in traced.example_inputs if isinstance(v, torch.Tensor))
    with tracing(TracingContext(mode)):
        compiled = regional_inductor(traced.gm, traced.example_inputs)
    compiled.graph.set_codegen(torch.fx.graph.CodeGen())
    compiled.recompile()
    traced.gm = compiled
    expected = run_traced(traced, module=model)(*inputs)
    with pytest.raises(budgets.BudgetError) as error:
        pipeline(1000).plan(traced.gm, traced.num_static_inputs)
    traced.gm = (planned := pipeline(error.value.least).plan(traced.gm, traced.num_static_inputs)).module
    assert all(torch.equal(a, b) for a, b in zip(run_traced(traced, module=model)(*inputs), expected, strict=True))
    assert "a compiled region" in planned.report.unmeasured
    runs = [planned.schedule.graph.nodes[run.node].fx for run in planned.schedule.runs]
    assert sum(n is not None and operators.is_region(n) for n in runs) >= len(marked)


def test_what_a_plan_cannot_stand_for_is_refused(pipeline):
    """Inductor over the whole graph would undo the order; limits of sizes, or another pipeline of that name, would be lost."""
    with pytest.raises(budgets.UnsupportedGraph, match="largest names 'u7'; sizes that depend on values are none"):
        apply(traced_step()[0], pipeline("1GB", largest={"u7": 3}))
    made = pipeline("1GB")
    with pytest.raises(budgets.UnsupportedGraph, match="inductor_compilation regional"):
        made(None, config_of("full"))
    registry.PASS_PIPELINE_REGISTRY[NAME] = compile_time_passes
    with pytest.raises(ValueError, match="of its own"):
        pipeline("1GB")
