"""benchmarks/cuda/first_contact.py: what a visit to a GPU would do, on the plugin that is compiled for the host, and without any device."""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time

import pytest

from fixtures import BUILD, ROOT

SCRIPT = ROOT / "benchmarks/cuda/first_contact.py"
ON_HOST = BUILD / "test/cuda-on-host"
_spec = importlib.util.spec_from_file_location("first_contact", SCRIPT)
first_contact = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(first_contact)

pytestmark = pytest.mark.skipif(not (ON_HOST / "libMemplanCuda.so").exists(), reason="takes the CUDA plugin")


def start(*arguments, plugin=ON_HOST, **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MEMPLAN_CUDA")}
    command = [sys.executable, str(SCRIPT), f"--build={BUILD}", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment | {"MEMPLAN_PLUGIN_PATH": str(plugin)} | variables)


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    done = start("--prepare", "--small", "--effort=200", f"--programs={folder}")
    assert done.returncode == 0 and "refused" not in done.stdout, done.stdout + done.stderr
    return folder


def results(out):
    return json.loads((out / "first_contact.json").read_text())


def test_sections_pass_and_are_not_run_again(programs, tmp_path):
    sections = ["device", "replays", "slowdown", "ranks", "largest"]
    done = start(*sections, f"--programs={programs}", f"--out={tmp_path}")
    assert done.returncode == 0, done.stdout + done.stderr
    found = results(tmp_path)
    assert [found[name]["state"] for name in sections] == ["passed", "passed", "passed", "not here", "not here"]
    assert found["ranks"]["reason"] == "two ranks need two GPUs"
    assert "after each of 10 steps" in found["replays"]["commands"][0]["printed"]
    plans = [row for row in json.loads((programs / "programs.json").read_text()).values() if row["kind"] == "budgeted"]
    assert len(plans) == len(first_contact.FRACTIONS) * len(first_contact.MODES)
    assert all(found["slowdown"]["ms"][f"{row['program']} --steps=8"] > 0 for row in plans)
    assert (tmp_path / "device.json").exists()
    again = start("device", "replays", f"--programs={programs}", f"--out={tmp_path}")
    assert again.stdout.splitlines() == ["device: passed before", "replays: passed before"] and results(tmp_path) == found


def test_a_section_that_failed_is_run_again(programs, tmp_path):
    program = programs / "replayed.mpp"
    whole = program.read_bytes()
    program.write_bytes(whole[:-100])
    done = start("replays", f"--programs={programs}", f"--out={tmp_path}")
    program.write_bytes(whole)
    assert done.returncode == 1 and results(tmp_path)["replays"]["state"] == "failed", done.stdout
    assert start("replays", f"--programs={programs}", f"--out={tmp_path}").returncode == 0
    assert results(tmp_path)["replays"]["state"] == "passed"


def test_without_a_device_it_says_so(programs, tmp_path):
    done = start(f"--programs={programs}", f"--out={tmp_path}", plugin=BUILD / "lib", CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 3 and "no CUDA device" in done.stderr, done.stdout + done.stderr


def test_without_programs_it_says_how_they_are_made(tmp_path):
    done = start(f"--programs={tmp_path}", f"--out={tmp_path}")
    assert done.returncode == 1 and "--prepare" in done.stderr


def visit(programs, out, limit=60):
    return first_contact.Visit(argparse.Namespace(build=BUILD, programs=programs, out=out, limit=limit))


def test_a_section_ends_with_its_time_and_the_visit_with_its_limit(programs, tmp_path):
    going = visit(programs, tmp_path)
    begin = time.monotonic()
    going.section("slow", 0.3, lambda each: each.command("sh", "-c", "sleep 30 & wait"))
    assert time.monotonic() - begin < 10 and results(tmp_path)["slow"]["state"] == "out of time"
    visit(programs, tmp_path, limit=0).section("late", 5, lambda each: each.command("true"))
    assert results(tmp_path)["late"]["state"] == "not begun"


@pytest.mark.parametrize("printed, status, state", [("[  PASSED  ] 12 tests.", 0, "passed"), ("[  PASSED  ] 0 tests.", 0, "failed"), ("", 0, "failed"),
                                                    ("[  PASSED  ] 12 tests.\n[  SKIPPED ] 3 tests, listed below:", 0, "failed"), ("[  PASSED  ] 12 tests.", 9, "failed")])
def test_cases_that_did_not_run_have_not_passed(programs, tmp_path, printed, status, state):
    said = f"import sys; print({printed!r}); sys.exit({status})"
    visit(programs, tmp_path).section("cases", 20, lambda each: each.gtest(sys.executable, "-c", said))
    assert results(tmp_path)["cases"]["state"] == state


def test_sections_fit_into_a_quarter_of_an_hour():
    assert sum(seconds for seconds, _ in first_contact.SECTIONS.values()) <= first_contact.LIMIT < 900
    assert {"memcheck", "racecheck", "synccheck"} < set(first_contact.SECTIONS)


def test_own_kernels_are_held_against_a_copy():
    """64 MiB in, 64 MiB out in 100 us, where a copy moves twice as much; products and small tensors are left out."""
    def entry(op, shape):
        return {"op": op, "key": op, "inputs": [shape], "outputs": [shape], "variants": [{"micros": 100}, {"micros": 120}]}
    entries = [entry("memplan.relu", "4096x4096xf32"), entry("memplan.gelu", "16x16xf32"), entry("memplan.matmul", "4096x4096xf32")]
    assert first_contact.own_kernels(entries, copied=2 * (128 << 20) / 100e-6) == [(pytest.approx(0.5), "memplan.relu")]


def test_plans_are_held_against_what_takes_as_long():
    """At 12 ms PyTorch's least is 70, and a plan of 60 is as fast; at 10 ms it is 100; nothing of PyTorch's between 12 and 20 ms holds less."""
    plans, others = [(9.0, 90), (11.0, 60), (30.0, 20)], [(10.0, 100), (12.0, 70), (20.0, 80), (8.0, 110)]
    assert first_contact.bytes_at_equal_time(plans, others) == [(10.0, 100, 90), (12.0, 70, 60)]


def test_bytes_and_batches_are_compared():
    said = "memplan-opt:    {0}    17000000000   30 %  <- chosen"
    programs = {"gpt2.free": {"kind": "free", "source": "examples/gpt2.mlir", "program": "gpt2.free.mpp", "said": "device 800 bytes (arena 500)"},
                "largest.unet": {"kind": "largest", "source": "", "said": said.format(50)},
                "largest.unet.checkpoint-all": {"kind": "baseline", "source": "", "said": said.format(10)},
                "largest.fcn8": {"kind": "largest", "source": "", "said": said.format(7)}}
    results = {"slowdown": {"ms": {"gpt2.free.mpp --steps=8": 5.0}}, "savings": {"ms": {"gpt2, eager": 6.0, "resnet50, eager": 1.0}, "bytes": {"gpt2, eager": 1000}}}
    lines = first_contact.compare(programs, results)
    assert "| gpt2 | 6.00 | 1000 | 800 | 0.800 |" in lines and "| unet | 50 | 10 | 5.00 |" in lines and len(lines) == 8
    assert set(first_contact.CHECKMATE) == {"unet", "fcn8", "segnet", "vgg19", "mobilenet_v1", "resnet50"}


def test_pytorch_saves_memory_and_computes_the_same():
    """Blocks that are computed again change the bytes that are held, not what is computed."""
    torch = pytest.importorskip("torch")
    spec = importlib.util.spec_from_file_location("compare", ROOT / "benchmarks/torch_eager/compare.py")
    compare = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compare)
    torch.manual_seed(0)
    module = torch.nn.Sequential(*(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()) for _ in range(3)))
    held, gradients = [], []
    for checkpointed in (False, True):
        if checkpointed:
            compare.checkpoint_blocks(module)
        kept = []
        with torch.autograd.graph.saved_tensors_hooks(lambda tensor: kept.append(tensor) or tensor, lambda tensor: tensor):
            loss = module(torch.ones(4, 8)).sum()
        loss.backward()
        held.append(len(kept))
        gradients.append([parameter.grad.clone() for parameter in module.parameters()])
        module.zero_grad()
    assert held[1] < held[0] and all(torch.equal(*pair) for pair in zip(*gradients))


def test_slowdowns_are_predicted_by_the_recorded_costs(programs, tmp_path):
    """Every run takes a microsecond: a plan is slower by the runs that it has more, whatever it was planned for."""
    assert start("profile", f"--programs={programs}", f"--out={tmp_path}").returncode == 0
    profile = json.loads((tmp_path / "profile.json").read_text())
    for entry in profile["entries"]:
        for variant in entry["variants"]:
            variant["micros"] = 1
    (tmp_path / "profile.json").write_text(json.dumps(profile))
    found = results(tmp_path)
    found["slowdown"] = {"ms": {"small.recompute.0.5.mpp --steps=8": 3.0, "small.free.mpp --steps=8": 2.0}}
    (tmp_path / "first_contact.json").write_text(json.dumps(found))
    done = start("--predict", f"--programs={programs}", f"--out={tmp_path}", MEMPLAN_CUDA_DEVICE="")
    assert done.returncode == 0, done.stderr
    runs = {name: sum("compute" in step for step in json.loads((programs / f"small.{name}.plan.json").read_text())["steps"]) for name in ("free", "recompute.0.5")}
    line = next(line for line in done.stdout.splitlines() if line.startswith("| small.recompute.0.5 |"))
    predicted = float(line.split("|")[2].split()[0])
    assert runs["recompute.0.5"] > runs["free"] and predicted > 0
    assert float(line.split("|")[3].split()[0]) == 50.0


def test_the_page_names_every_section():
    page = (ROOT / "docs/Runtime/Cuda.md").read_text().split("## On a machine with a GPU")[1]
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert [name.strip(" `") for row in rows for name in row.split(",")] == list(first_contact.SECTIONS)
