"""Planned steps run from Python on arrays, and compute what memplan-run computes, bit for bit."""
import json
import pathlib
import struct
import subprocess

import pytest

memplan = pytest.importorskip("memplan")
pytest.importorskip("memplan._runtime", reason="the Python runtime module is not built (nanobind is missing)")
numpy = pytest.importorskip("numpy")

ROOT = pathlib.Path(__file__).parents[2]


def read_safetensors(path):
    """{name: array} of a file of float32 and int64 tensors."""
    data = pathlib.Path(path).read_bytes()
    end = 8 + struct.unpack("<Q", data[:8])[0]
    types = {"F32": numpy.float32, "I64": numpy.int64}
    return {name: numpy.frombuffer(data[end + at["data_offsets"][0]:end + at["data_offsets"][1]], types[at["dtype"]]).reshape(at["shape"])
            for name, at in json.loads(data[8:end]).items() if name != "__metadata__"}


@pytest.fixture(scope="module")
def trained(tool, tmp_path_factory):
    """A program, its data, and parameters after one step and after two."""
    folder = tmp_path_factory.mktemp("step")
    run = [tool("memplan-run"), ROOT / "examples/small/mlp.mlir", "--backend=reference"]

    def call(*options):
        done = subprocess.run([*run, *options], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stderr

    call("--emit-program=step.mpp")
    program = memplan.Program.load(folder / "step.mpp")
    r, data = numpy.random.default_rng(1), {}
    for value in program.arguments:
        if value.kind == "input":
            integers = r.integers(0, 2, value.shape).astype(value.dtype)
            data[value.name] = integers if value.dtype != "float32" else r.standard_normal(value.shape).astype("float32")
            numpy.save(folder / f"{value.name}.npy", data[value.name])
    files = [f"--data={name}={name}.npy" for name in data]
    for steps in (1, 2):
        call(*files, f"--steps={steps}", f"--save-params={steps}.safetensors")
    return program, data, read_safetensors(folder / "1.safetensors"), read_safetensors(folder / "2.safetensors")


def test_a_step_gives_the_bits_of_memplan_run(trained):
    """Training from Python would go elsewhere than training by the tool."""
    program, data, before, after = trained
    step = memplan.Executable(program, backend="reference")
    owned = [value for value in program.arguments if value.kind != "input"]
    assert owned and {value.name for value in owned} <= set(before)
    for value in owned:
        step.write(value.name, before[value.name])
    for name, array in data.items():
        step.write(name, array)
    step.run()
    for value in owned:
        assert step.read(value.name).tobytes() == after[value.name].tobytes(), value.name
    assert any(before[value.name].tobytes() != after[value.name].tobytes() for value in owned)
    loss = step.read_output(next(i for i, value in enumerate(program.outputs) if value.kind == "loss"))
    assert numpy.isfinite(loss).all()


def test_memory_of_the_caller_is_used_without_a_copy(trained):
    """Parameters would be held twice."""
    program, data, before, after = trained
    step = memplan.Executable(program, backend="reference")
    name = next(value.name for value in program.arguments if value.kind == "parameter")
    bytes_ = numpy.empty(before[name].nbytes + 64, numpy.uint8)
    start = -bytes_.ctypes.data % 64
    mine = bytes_[start:start + before[name].nbytes].view(numpy.float32).reshape(before[name].shape)
    mine[:] = before[name]
    for value in program.arguments:
        if value.name != name:
            step.write(value.name, data[value.name] if value.kind == "input" else before[value.name])
    step.bind(name, mine)
    step.run()
    assert mine.tobytes() == after[name].tobytes()


def test_wrong_arrays_and_programs_are_refused(trained):
    """Bytes of another shape would be taken for the argument's."""
    program, data, before, _ = trained
    step = memplan.Executable(program, backend="reference")
    parameter = next(value for value in program.arguments if value.kind == "parameter")
    for wrong in (before[parameter.name].astype("float64"), before[parameter.name].ravel()[:-1]):
        with pytest.raises(memplan.InputError, match=parameter.name):
            step.write(parameter.name, wrong)
    for place in ("nobody", -1, 10**6):
        with pytest.raises(memplan.InputError):
            step.read(place)
    with pytest.raises(memplan.InputError):
        memplan.Program.from_bytes(b"MPP?" * 20)
    with pytest.raises(memplan.UnavailableError):
        memplan.Executable(program, backend="/no/such/plugin.so")
