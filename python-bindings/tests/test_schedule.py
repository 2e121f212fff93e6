"""Learning rates that change between the steps of one compiled program."""

import numpy
import pytest

import memplan

pytest.importorskip("memplan._compiler", reason="the compiler is not in this build")

STEP = """
func.func @step(%x: tensor<4x8xf32>, %w: tensor<8x2xf32> {memplan.kind = "parameter", memplan.name = "w"}, %t: tensor<4x2xf32>)
    -> (tensor<f32> {memplan.kind = "loss"}) attributes {memplan.optimizer = OPTIMIZER} {
  %y = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
"""


def parameters(optimizer, rates, backend="reference", scheduled=True):
    """The parameter after a step at each of the rates, which multiply that of the optimizer."""
    made = memplan.compile_step(STEP.replace("OPTIMIZER", optimizer), backend=backend)
    executable = memplan.Executable(made.program, backend=backend)
    for value in made.program.arguments:
        random = numpy.random.default_rng(len(value.name))
        executable.write(value.name, (random.random(value.shape) if value.kind != "state" else numpy.zeros(value.shape)).astype(value.dtype))
    found = []
    for rate in rates:
        if scheduled:
            executable.write("optimizer.rate", numpy.array(rate, "float32"))
        executable.run()
        found.append(executable.read("w"))
    return found


OPTIMIZERS = ["sgd", "adam", "adamw", "rmsprop", "adagrad", "lion"]


# A state that is never written would leave the rate where it was; zero stops, one changes nothing. AdamW also shrinks by its rate.
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_rate_multiplies_that_of_the_optimizer(name):
    settings = f'{{name = "{name}", lr = 0.125 : f64, weight_decay = 0.25 : f64SCHEDULED}}'
    plain, rated = (settings.replace("SCHEDULED", text) for text in ("", ", scheduled = true"))
    fixed = parameters(plain, [1] * 4, scheduled=False)
    assert all((a == b).all() for a, b in zip(fixed, parameters(rated, [1] * 4)))
    half = parameters(plain.replace("0.125", "0.0625"), [1] * 4, scheduled=False)
    assert all((a == b).all() for a, b in zip(half, parameters(rated, [0.5] * 4)))
    changing = parameters(rated, [1, 0, 0.5, 0.25])
    assert (changing[0] == fixed[0]).all() and (changing[1] == changing[0]).all()
    assert (changing[2] != changing[1]).any() and (changing[2] != fixed[2]).any()
