"""memplan.compile_step: MLIR in, a program out, and errors with their places."""

import pathlib

import numpy
import pytest

import memplan

pytest.importorskip("memplan._compiler", reason="the compiler is not in this build")

STEP = pathlib.Path(__file__).parents[2] / "examples/small/unet.mlir"


# Program, plan and graph belong together: the plan verifies, and its bytes are what the program takes.
def test_a_file_becomes_a_program():
    made = memplan.compile_step(STEP, "90%", backend="reference", effort=500)
    memplan.check(made.graph, made.plan)
    assert made.plan.device_bytes <= made.plan.budget_bytes < memplan.compile_step(STEP).plan.device_bytes
    assert made.program.arena_bytes == sum(arena.bytes for arena in made.plan.arenas)
    assert "memplan.planned" in made.planned_ir
    step = memplan.Executable(made.program, backend="reference")
    for value in made.program.arguments:
        step.write(value.name, numpy.zeros(value.shape, value.dtype))
    step.run()
    assert step.read_output("loss") == pytest.approx(numpy.log(2), rel=1e-6)  # even chances


# Text and file are one program; the same input gives the same bytes.
def test_text_is_taken_as_well():
    plans = [memplan.compile_step(source, effort=500).plan.json() for source in (STEP, str(STEP), STEP.read_text())]
    assert plans[0] == plans[1] == plans[2]


# Without its place an error in a program of a thousand lines is of no use.
def test_errors_have_their_place():
    text = STEP.read_text().replace("memplan.relu %down.0.b1", "memplan.relu %nobody", 1)
    with pytest.raises(memplan.InputError) as error:
        memplan.compile_step(text, name="broken.mlir")
    assert error.value.file == "broken.mlir" and error.value.line == text.splitlines().index(next(line for line in text.splitlines() if "%nobody" in line)) + 1
    with pytest.raises(memplan.InputError, match="effrot"):
        memplan.compile_step(STEP, effrot=1)
    with pytest.raises(memplan.InputError):
        memplan.compile_step("no/such/file.mlir")


# The least budget goes with the refusal, as in memplan.plan().
def test_a_budget_that_cannot_be_met():
    with pytest.raises(memplan.BudgetError) as error:
        memplan.compile_step(STEP, "1K", effort=500)
    assert error.value.least > 1024 and error.value.plan.witness_node is not None
    assert memplan.compile_step(STEP, error.value.least, effort=500).plan.device_bytes <= error.value.least


# A callback that says stop gets the best plan so far.
def test_planning_can_be_stopped():
    seen, step = [], STEP.with_name("resnet.mlir")
    made = memplan.compile_step(step, "80%", progress=lambda now: seen.append(now.solver) or True)
    assert seen and made.plan.status == memplan.PlanStatus.FEASIBLE


# A fused operation keeps what its parts would free; recomputed, it runs as a whole.
def test_fused_operations_are_taken_apart_where_that_takes_less_time():
    step = STEP.with_name("gpt2.mlir")
    assert "memplan.matmul_gelu " in memplan.compile_step(step, fuse=True, effort=300).planned_ir
    once = memplan.compile_step(step, "85%", passes="func.func(memplan-autodiff,memplan-fuse)", effort=300)
    made = memplan.compile_step(step, "85%", fuse=True, effort=300)
    memplan.check(made.graph, made.plan)
    assert "memplan.matmul_gelu " in once.planned_ir and made.plan.cost < once.plan.cost
