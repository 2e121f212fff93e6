"""Layouts of images: a step with channels last trains as the same step with channels first."""

import pathlib
import re
import subprocess

import numpy
import pytest

import memplan

pytest.importorskip("memplan._compiler", reason="the compiler is not in this build")

SMALL = pathlib.Path(__file__).parents[2] / "examples/small"


def trained(step, backend, layout, eager=False):
    """Losses of three steps and all parameters and states after them, from random values that depend on names alone."""
    made = memplan.compile_step(SMALL / f"{step}.mlir", "90%", backend=backend, layout=layout, effort=500)
    executable = memplan.Executable(made.program, backend=backend)
    if eager:
        executable.run_eagerly()
    for value in made.program.arguments:
        random = numpy.random.default_rng(len(value.name) * 1000 + sum(map(ord, value.name)))
        fan = max(1, int(numpy.prod(value.shape[1:])))
        array = random.integers(0, 2, value.shape) if value.dtype == "int64" else random.random(value.shape) / numpy.sqrt(fan)
        executable.write(value.name, array.astype(value.dtype))
    losses = []
    for _ in range(3):
        executable.run()
        losses.append(float(executable.read_output("loss")))
    return losses, {value.name: executable.read(value.name) for value in made.program.arguments if value.kind in ("parameter", "state")}, made


# Another layout is another order of the sums, and nothing else; on two kernel libraries, with groups, pooling, concatenation and transposed convolution.
@pytest.mark.parametrize("backend", ["cpu", "reference"])
@pytest.mark.parametrize("step", ["unet", "resnet", "mobilenet", "vgg"])
def test_a_step_trains_alike_in_both_layouts(step, backend):
    losses, values, _ = trained(step, backend, "channels-first")
    others, last, made = trained(step, backend, "channels-last")
    assert "channels_last" in made.planned_ir
    assert others == pytest.approx(losses, rel=1e-4)
    for name, value in values.items():
        # Gradients that are sums of terms that cancel, such as those of a bias before a norm, are small differences of rounded numbers.
        numpy.testing.assert_allclose(last[name], value, rtol=2e-3, atol=2e-5, err_msg=name)


# The planner would count copies of images that no kernel needs to make, and a step would spend time on them.
def test_images_with_channels_last_are_read_as_they_are(tool, tmp_path):
    step = tmp_path / "step.mlir"
    command = [tool("memplan-run"), SMALL / "unet.mlir", "--layout=channels-last", f"--emit-ir={step}"]
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    pools = re.findall(r"memplan\.max_pool2d\w* .*", step.read_text())
    assert len(pools) == 4 and all("channels_last" in pool and "workspace_bytes" not in pool for pool in pools)
    found = re.findall(r"memplan\.conv2d .*workspace_bytes = (\d+).*\(tensor<([\dx]+)xf32>, tensor<([\dx]+)xf32>", step.read_text())
    sizes = [(int(scratch), *(numpy.prod([int(size) for size in shape.split("x")]) for shape in shapes)) for scratch, *shapes in found]
    # Filters are copied, so images have to be larger to show.
    large = [(scratch, 4 * image) for scratch, image, filters in sizes if image > 4 * filters]
    assert len(large) >= 2 and all(scratch < image for scratch, image in large), large


# Where a device has no graphs, eager steps are all there are.
def test_eager_steps_can_be_asked_for():
    assert trained("unet", "cpu", "channels-last", eager=True)[0] == trained("unet", "cpu", "channels-last")[0]


# A misspelled layout would otherwise be the default.
def test_an_unknown_layout_is_refused():
    with pytest.raises(memplan.InputError, match="layout: must be"):
        memplan.compile_step(SMALL / "unet.mlir", layout="nhwc")
