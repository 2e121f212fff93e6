"""A loss by chunks of rows: the step trains as with all logits at once, and takes fewer bytes."""

import pathlib

import numpy
import pytest

import memplan

pytest.importorskip("memplan._compiler", reason="the compiler is not in this build")

STEP = pathlib.Path(__file__).parents[2] / "examples/small/gpt2.mlir"
# The rows of the first of five chunks, and some of the second.
IGNORED = 8


def trained(chunks, precision="f32", backend="cpu"):
    """Losses of three steps and the parameters after them, from random values that depend on names alone, and what was compiled."""
    made = memplan.compile_step(STEP, backend=backend, loss_chunks=chunks, precision=precision, effort=500)
    executable = memplan.Executable(made.program, backend=backend)
    for value in made.program.arguments:
        random = numpy.random.default_rng(len(value.name) * 1000 + sum(map(ord, value.name)))
        if value.dtype == "int64":
            array = random.integers(0, 61, value.shape)
            if value.name == "next_tokens":
                array.reshape(-1)[:IGNORED] = -100
        else:
            array = random.standard_normal(value.shape) / numpy.sqrt(max(1, int(numpy.prod(value.shape[1:]))))
        executable.write(value.name, array.astype(value.dtype))
    losses = []
    for _ in range(3):
        executable.run()
        losses.append(float(executable.read_output("loss")))
    return losses, {value.name: executable.read(value.name) for value in made.program.arguments if value.kind == "parameter"}, made


# A mean of the means of chunks would be another loss, and NaN where all rows of a chunk are ignored.
@pytest.mark.parametrize("backend", ["cpu", "reference"])
@pytest.mark.parametrize("chunks", [5, 100])
def test_a_step_trains_alike_by_chunks(chunks, backend):
    losses, values, whole = trained(1, backend=backend)
    others, last, made = trained(chunks, backend=backend)
    assert "tensor<32x61xf32>" not in made.planned_ir and "memref<32x61xf32>" not in made.planned_ir and "memref<32x61xf32>" in whole.planned_ir
    assert others == pytest.approx(losses, rel=1e-5)
    for name, value in values.items():
        numpy.testing.assert_allclose(last[name], value, rtol=1e-4, atol=1e-5, err_msg=name)


# In 16 bits the loss of a chunk is rounded to f32 and not to 16 bits, where the sum would have three digits.
def test_chunks_in_16_bits():
    losses, _, _ = trained(1, precision="bf16")
    others, _, made = trained(5, precision="bf16")
    assert "wide_loss" in made.planned_ir and others == pytest.approx(losses, rel=1e-3)


def test_no_chunks_are_refused():
    with pytest.raises(memplan.InputError, match="loss_chunks: must be at least 1"):
        memplan.compile_step(STEP, loss_chunks=0)
