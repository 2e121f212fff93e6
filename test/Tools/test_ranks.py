"""Several processes train one model, each on a part of the batch: what they learn is what one process learns from the whole batch."""
import json
import os
import shutil
import socket
import struct
import subprocess

import pytest

from fixtures import BUILD, ROOT

numpy = pytest.importorskip("numpy")

# Whole numbers in, whole numbers times powers of two out: every sum is exact in f32, in any order.
EXACT = """func.func @step(%w: tensor<8x4xf32> {memplan.kind = "parameter", memplan.name = "w", memplan.init = "zeros"},
                        %x: tensor<4x8xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "x"},
                        %t: tensor<4x4xf32> {memplan.batch = 0, memplan.kind = "input", memplan.name = "t"})
    -> (tensor<f32> {memplan.kind = "loss", memplan.name = "loss"}) attributes {memplan.optimizer = {name = "sgd", lr = 0.5 : f64}} {
  %y = memplan.matmul %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %loss = memplan.mse_loss %y, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
"""


def read(path):
    """{name: array} of a file of tensors of f32 and i64."""
    data = path.read_bytes()
    end = 8 + struct.unpack("<Q", data[:8])[0]
    types = {"F32": "<f4", "I64": "<i8"}
    return {name: numpy.frombuffer(data[end + at["data_offsets"][0]:end + at["data_offsets"][1]], types[at["dtype"]]).reshape(at["shape"])
            for name, at in json.loads(data[8:end]).items() if name != "__metadata__"}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def start(tool, tmp_path):
    """Starts one memplan-run; `rank` of `ranks` where they are given."""
    started = []

    def call(arguments, rank=None, ranks=None, port=None, **variables):
        environment = {**os.environ, "MEMPLAN_RANKS_TIMEOUT": "60", **variables}
        if ranks:
            environment |= {"MEMPLAN_RANKS": str(ranks), "MEMPLAN_RANK": str(rank), "MEMPLAN_RENDEZVOUS": f"127.0.0.1:{port}"}
        started.append(subprocess.Popen([tool("memplan-run"), *map(str, arguments)], env=environment, cwd=tmp_path, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        return started[-1]

    yield call
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()


def finish(*processes):
    """What they print; all must succeed."""
    texts = [process.communicate(timeout=120)[0] for process in processes]
    for process, text in zip(processes, texts):
        assert process.returncode == 0, texts
    return texts


def train(start, folder, name, data, ranks, options=(), steps=3, per_rank=None):
    """The parameters on each of `ranks` ranks after some steps on the rows of `data`, which they share."""
    port, processes = free_port(), []
    for rank in range(ranks):
        files = []
        for key, array in data.items():
            part = numpy.split(array, ranks)[rank]
            numpy.save(folder / f"{key}.{ranks}.{rank}.npy", part)
            files.append(f"--data={key}={key}.{ranks}.{rank}.npy")
        batch = len(next(iter(data.values()))) // ranks
        own = (per_rank or [[]] * ranks)[rank]
        arguments = [name, f"--batch={batch}", f"--ranks={ranks}", f"--steps={steps}", "--init-seed=3", f"--save-params=out.{ranks}.{rank}.safetensors",
                     *files, *options, *own]
        processes.append(start(arguments, rank, ranks if ranks > 1 else None, port))
    finish(*processes)
    return [read(folder / f"out.{ranks}.{rank}.safetensors") for rank in range(ranks)]


def inputs(name, batch):
    random = numpy.random.default_rng(7)
    if name == "exact":
        return {"x": random.integers(-2, 3, (batch, 8)).astype("float32"), "t": random.integers(-2, 3, (batch, 4)).astype("float32")}
    return {"features": random.standard_normal((batch, 32)).astype("float32"), "label": random.integers(0, 10, batch)}


@pytest.mark.parametrize("ranks", [2, 4])
def test_gradients_are_those_of_the_whole_batch(start, tmp_path, ranks):
    """A factor too much or a rank left out would train another model. With sums that are exact, every bit is the same."""
    (tmp_path / "exact.mlir").write_text(EXACT)
    data = inputs("exact", 16)
    whole, = train(start, tmp_path, "exact.mlir", data, 1, steps=1)
    parts = train(start, tmp_path, "exact.mlir", data, ranks, steps=1)
    assert numpy.abs(whole["w"]).max() > 0
    for part in parts:
        assert part["w"].tobytes() == whole["w"].tobytes()
    # A rank alone learns something else.
    alone, = train(start, tmp_path, "exact.mlir", {key: array[:16 // ranks] for key, array in data.items()}, 1, steps=1)
    assert alone["w"].tobytes() != whole["w"].tobytes()


def mpirun(tool, folder, ranks, *arguments):
    """Ranks of one program that mpirun starts; the module lies beside memplan-run's folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MEMPLAN_RANK")}
    environment |= {"MEMPLAN_RANKS": "mpi", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return subprocess.run(["mpirun", "--oversubscribe", "-np", str(ranks), *map(str, arguments)], env=environment, cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)


needs_mpi = pytest.mark.skipif(not shutil.which("mpirun") or not (BUILD / "lib/libMemplanMpi.so").exists(),
                               reason="memplan is built without MPI, or mpirun is not installed")
# Each process takes its own part of the data, by the number that mpirun gives it.
PART = 'rank=$OMPI_COMM_WORLD_RANK; exec "$0" "$@" --data=x=x.{0}.$rank.npy --data=t=t.{0}.$rank.npy --save-params=mpi.{0}.$rank.safetensors'


@needs_mpi
@pytest.mark.parametrize("ranks", [2, 4])
def test_gradients_by_mpi_are_those_of_the_whole_batch(start, tool, tmp_path, ranks):
    """As over TCP: a factor too much or a rank left out would train another model. Sums are exact, so every bit is the same."""
    (tmp_path / "exact.mlir").write_text(EXACT)
    data = inputs("exact", 16)
    whole, = train(start, tmp_path, "exact.mlir", data, 1, steps=1)
    for key, array in data.items():
        for rank, part in enumerate(numpy.split(array, ranks)):
            numpy.save(tmp_path / f"{key}.{ranks}.{rank}.npy", part)
    done = mpirun(tool, tmp_path, ranks, "sh", "-c", PART.format(ranks), tool("memplan-run"), "exact.mlir", f"--batch={16 // ranks}", f"--ranks={ranks}", "--steps=1",
                  "--init-seed=3")
    assert done.returncode == 0, done.stdout
    for rank in range(ranks):
        assert read(tmp_path / f"mpi.{ranks}.{rank}.safetensors")["w"].tobytes() == whole["w"].tobytes()


@needs_mpi
def test_mpi_and_sockets_give_the_same_bits(start, tool, tmp_path):
    """Both add in the order of the ranks: a plan and its check would differ otherwise from machine to machine."""
    step = ROOT / "examples/small/mlp.mlir"
    port = free_port()
    flags = [step, "--ranks=2", "--budget=95%", "--steps=3", "--check"]
    finish(*(start([*flags, f"--save-params=tcp{rank}.safetensors"], rank, 2, port) for rank in range(2)))
    done = mpirun(tool, tmp_path, 2, "sh", "-c", 'exec "$0" "$@" --save-params=mpi$OMPI_COMM_WORLD_RANK.safetensors', tool("memplan-run"), *flags)
    assert done.returncode == 0 and done.stdout.count("the same in the unplanned run, bit for bit") == 2, done.stdout
    for rank in range(2):
        assert (tmp_path / f"mpi{rank}.safetensors").read_bytes() == (tmp_path / f"tcp{rank}.safetensors").read_bytes()


@needs_mpi
def test_what_goes_wrong_by_mpi_ends_all_ranks(tool, tmp_path):
    """A rank that waits for one that ended would wait for ever."""
    step = str(ROOT / "examples/small")
    done = mpirun(tool, tmp_path, 2, "sh", "-c", f'name=mlp; [ $OMPI_COMM_WORLD_RANK = 0 ] || name=vgg; exec "$0" {step}/$name.mlir "$@"', tool("memplan-run"), "--ranks=2")
    assert done.returncode != 0 and "the ranks run different programs" in done.stdout, done.stdout
    done = mpirun(tool, tmp_path, 2, tool("memplan-run"), f"{step}/mlp.mlir", "--ranks=3")
    assert done.returncode != 0 and "the program is for 3 ranks, but the processes of MPI are 2" in done.stdout, done.stdout
    done = mpirun(tool, tmp_path, 2, "sh", "-c", f'[ $OMPI_COMM_WORLD_RANK = 0 ] || set -- "$@" --data=features=none.npy; exec "$0" "$@"', tool("memplan-run"),
                  f"{step}/mlp.mlir", "--ranks=2")
    assert done.returncode != 0 and "none.npy" in done.stdout, done.stdout


@pytest.mark.parametrize("optimizer", ['lr = 0.05, name = "sgd"', 'lr = 0.01, name = "adam", max_norm = 0.5 : f64'])
def test_ranks_with_different_plans_learn_the_same(start, tmp_path, optimizer):
    """Ranks whose parameters differ in one bit drift apart. Each plans for its own budget, on its own backend and streams, and they still meet in one order."""
    step = (ROOT / "examples/small/mlp.mlir").read_text()
    assert 'lr = 0.05, name = "sgd"' in step
    (tmp_path / "mlp.mlir").write_text(step.replace('lr = 0.05, name = "sgd"', optimizer))
    data = inputs("mlp", 32)
    whole, = train(start, tmp_path, "mlp.mlir", data, 1, steps=4)
    first, second = train(start, tmp_path, "mlp.mlir", data, 2, steps=4, options=["--backend=reference"],
                          per_rank=[["--budget=95%", "--poison"], ["--streams=2", "--parallelism=prefer"]])
    assert first.keys() == second.keys() == whole.keys()
    for name, array in whole.items():
        assert first[name].tobytes() == second[name].tobytes(), name
        numpy.testing.assert_allclose(first[name], array, rtol=2e-4, atol=2e-6, err_msg=name)


def test_planned_steps_are_checked_on_all_ranks(start, tmp_path):
    """`--check` runs the unplanned step beside the planned one, on every rank in the same order."""
    port = free_port()
    step = [ROOT / "examples/small/gpt2.mlir", "--ranks=2", "--budget=80%", "--steps=2", "--check"]
    for text in finish(*(start(step, rank, 2, port) for rank in range(2))):
        assert "the same in the unplanned run, bit for bit" in text


def test_a_step_for_ranks_does_not_run_alone(start):
    """One process would train on its part of the batch and say nothing."""
    process = start([ROOT / "examples/small/mlp.mlir", "--ranks=2"])
    text = process.communicate(timeout=60)[0]
    assert process.returncode != 0 and "the program is for 2 ranks: start as many processes" in text, text


@pytest.mark.parametrize("flag", ["--profile", "--measurements"])
def test_ranks_are_not_timed(start, flag):
    """Operations are timed until their medians are stable, so that ranks would wait for each other until their limit."""
    process = start([ROOT / "examples/small/mlp.mlir", "--ranks=2", f"{flag}=out.json"])
    text = process.communicate(timeout=60)[0]
    assert process.returncode != 0 and f"{flag} times each operation until its median is stable" in text and "time the step without --ranks" in text, text


def test_other_numbers_of_ranks_are_refused(start):
    port = free_port()
    processes = [start([ROOT / "examples/small/mlp.mlir", "--ranks=3"], rank, 2, port) for rank in range(2)]
    for process in processes:
        text = process.communicate(timeout=60)[0]
        assert process.returncode != 0 and "the program is for 3 ranks, but MEMPLAN_RANKS is 2" in text, text


def test_ranks_with_different_programs_are_told(start):
    """Their gradients would be added although they are of different values."""
    port = free_port()
    processes = [start([ROOT / f"examples/small/{name}.mlir", "--ranks=2"], rank, 2, port) for rank, name in enumerate(["mlp", "vgg"])]
    texts = [process.communicate(timeout=60)[0] for process in processes]
    assert all(process.returncode != 0 for process in processes), texts
    assert "the ranks run different programs" in "".join(texts), texts


def test_a_rank_that_does_not_come_is_named(start):
    process = start([ROOT / "examples/small/mlp.mlir", "--ranks=2"], 0, 2, free_port(), MEMPLAN_RANKS_TIMEOUT="1")
    text = process.communicate(timeout=60)[0]
    assert process.returncode != 0 and "waits for 1 more of 2 ranks to connect" in text, text
