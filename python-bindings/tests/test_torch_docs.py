"""What docs/Torch.md and examples/torch tell users to type."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.torch
pytest.importorskip("torch")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

import memplan  # noqa: E402

ROOT = pathlib.Path(__file__).parents[2]


# Without AVX-512 convolutions of PyTorch take tens of megabytes of scratch more: what users type must work there too.
AVX2 = {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2"}


def run(*command, cache, **variables):
    variables = {name: os.environ[name] for name in AVX2 if name in os.environ} | variables
    environment = variables | {"PYTHONPATH": str(pathlib.Path(memplan.__file__).parents[1]), "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(cache)}
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, env=environment)


def test_the_page_runs_from_top_to_bottom(tmp_path):
    """A line that a user types would not work."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/Torch.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 10
    if importlib.util.find_spec("memplan._compiler") is None:
        blocks = [block for block in blocks if "memplan.torch.run(" not in block]
    if importlib.util.find_spec("torchtitan") is None:
        blocks = [block for block in blocks if "titan.register(" not in block]
    (tmp_path / "page.py").write_text("\n".join(blocks))
    done = run(tmp_path / "page.py", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    first = done.stdout.splitlines()[0]
    assert re.search(r"^kept: .*; [1-9]\d* recomputations, ", first), "a budget that needs no plan shows nothing: " + first
    assert "least with a plan" in done.stdout and "\nWrapped(checkpointed=" in done.stdout


def test_the_first_page_runs_from_top_to_bottom(tmp_path):
    """What somebody types in the first five minutes would not work."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/Start/PyTorch.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    (tmp_path / "page.py").write_text("\n".join(blocks))
    done = run(tmp_path / "page.py", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kept: ") and "the least budget that works: " in done.stdout
    assert re.search(r"; [1-9]\d* recomputations, ", done.stdout), "a budget that needs no plan shows nothing: " + done.stdout


def test_the_lines_of_the_readme_run_on_the_model_of_the_page(tmp_path):
    """The first thing that a user reads would not work."""
    model, lines = (re.search(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)[1] for page in ("docs/Torch.md", "README.md"))
    assert "memplan.torch.compile" in lines
    (tmp_path / "page.py").write_text(model + lines + "print(step.report.verdict)\n")
    done = run(tmp_path / "page.py", cache=tmp_path)
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "kept", done.stdout + done.stderr


@pytest.mark.parametrize("example", ["vision.py", "gpt.py"])
@pytest.mark.parametrize("vectors", [{}, AVX2], ids=["all", "avx2"])
def test_examples_keep_budgets_that_their_steps_exceed_without_a_plan(example, vectors, tmp_path):
    """A first try would end in an error, or would show nothing: scratch differs by processor, and the budget has to be below the need on each."""
    done = run(ROOT / "examples/torch" / example, "--steps=2", cache=tmp_path, **vectors)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"kept: \S+ MiB of (\S+) MiB, .* without a plan (\S+) MiB; [1-9]\d* recomputations", done.stdout)
    assert len(found) == 2 and all(float(budget) < 0.8 * float(need) for budget, need in found), done.stdout


@pytest.mark.parametrize("form", [[], ["--shard"]], ids=["ddp", "fsdp"])
def test_the_example_of_two_processes_keeps_its_budget_on_each(form, tmp_path):
    """The line for torchrun would not work."""
    torchrun = ["-m", "torch.distributed.run", "--nproc-per-node=2", "--master-port=0", "--rdzv-backend=c10d", "--rdzv-endpoint=localhost:0"]
    small = ["--layers=2", "--batch=4", "--steps=2", "--budget=16MiB"]
    done = run(*torchrun, ROOT / "examples/torch/gpt.py", *small, *form, cache=tmp_path, OMP_NUM_THREADS="1", GLOO_SOCKET_IFNAME="lo")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("kept: ") == 4, done.stdout


@pytest.mark.parametrize("vectors", [{}, AVX2], ids=["all", "avx2"])
def test_the_notebook_runs_from_top_to_bottom(vectors, tmp_path):
    """A cell that a reader runs would not work."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("torchvision")
    cells = json.loads((ROOT / "examples/torch/fit.ipynb").read_text())["cells"]
    assert not any(cell.get("outputs") for cell in cells), "outputs are not stored: they would age"
    (tmp_path / "fit.py").write_text("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"))
    done = run(tmp_path / "fit.py", cache=tmp_path, MPLBACKEND="agg", **vectors)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("kept: ") == 3 and ("no plan keeps" in done.stdout or "the update alone" in done.stdout), done.stdout
