"""The Python package plans: values, errors, and the same plans as the tools. It takes no framework."""
import pathlib
import subprocess
import sys

import pytest

memplan = pytest.importorskip("memplan")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

INPUTS = pathlib.Path(__file__).parents[2] / "test/Planner/Inputs"


@pytest.fixture(scope="module")
def chain():
    return memplan.Graph.load(INPUTS / "chain8.graph.json")


def test_a_plan_keeps_its_budget_and_says_what_it_is(chain):
    """Whoever reads a plan from Python would act on wrong numbers."""
    plan = memplan.plan(chain, "7K", effort=200)
    assert plan.status in (memplan.PlanStatus.OPTIMAL, memplan.PlanStatus.FEASIBLE)
    assert plan.peak_bytes <= plan.device_bytes <= plan.budget_bytes == 7 * 1024
    assert plan.bound <= plan.cost and 0 <= plan.gap < 1
    runs = plan.action_nodes[plan.action_kinds == memplan.ActionKind.COMPUTE]
    assert set(runs) == set(range(chain.node_count))
    assert plan.cost == pytest.approx(chain.node_costs[runs].sum())
    assert [action.node for action in plan.actions if action.node is not None] == runs.tolist()
    memplan.check(chain, plan)


def test_what_cannot_be_met_says_what_can(chain):
    """A caller could not go on from an error without the least budget."""
    with pytest.raises(memplan.BudgetError) as error:
        memplan.plan(chain, "2K", effort=200)
    assert error.value.least >= error.value.bound > 2 * 1024
    assert error.value.plan.status == memplan.PlanStatus.INFEASIBLE
    least = memplan.min_budget(chain, effort=200)
    assert least.bytes == error.value.least
    assert memplan.plan(chain, least.bytes, effort=200).device_bytes <= least.bytes


def test_plans_are_those_of_memplan_solve(chain, tool, tmp_path):
    """A plan from Python would differ from the tool's, byte for byte."""
    for name, budget in (("chain8", "6K"), ("mlp", "80%")):
        path = INPUTS / f"{name}.graph.json"
        subprocess.run([tool("memplan-solve"), "remat", path, f"--budget={budget}", "--effort=1000", "-o", tmp_path / "plan.json"],
                       check=True, capture_output=True)
        assert memplan.plan(path, budget, effort=1000).json() == (tmp_path / "plan.json").read_text()


def test_importing_takes_no_framework():
    """A script that only plans would pay for torch."""
    code = "import sys, memplan; memplan.plan; print([m for m in ('torch', 'jax', 'tensorflow', 'numpy') if m in sys.modules])"
    path = str(pathlib.Path(memplan.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": path})
    assert done.stdout.strip() == "[]", done.stderr


def test_the_budget_that_a_refusal_names_works():
    """On a longer step it is a rough one, which nobody has planned for: a user who takes it would be refused again."""
    builder, layers = memplan.GraphBuilder("chain"), 120
    held = [builder.add_tensor(1000, kind=memplan.TensorKind.INPUT)]
    for layer in range(layers):
        held.append(builder.add_tensor(1000 + 10 * layer))
        builder.add_node([held[-2]], [held[-1]], cost=1.0)
    gradient = held[-1]
    for layer in reversed(range(layers)):
        last = layer == 0
        made = builder.add_tensor(1000, kind=memplan.TensorKind.OUTPUT) if last else builder.add_tensor(1000)
        builder.add_node([gradient, held[layer]], [made], cost=2.0, backward=True)
        gradient = made
    graph = builder.build()
    for options in ({"arena": "none"}, {}):
        with pytest.raises(memplan.BudgetError) as error:
            memplan.plan(graph, 1500, effort=1000, **options)
        assert error.value.bound <= error.value.least < graph.unplanned_peak_bytes
        assert memplan.plan(graph, error.value.least, effort=1000, **options).device_bytes <= error.value.least
