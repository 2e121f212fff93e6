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


def script_of(name, monkeypatch):
    """A script of benchmarks/torch, as a module."""
    pytest.importorskip("torchvision")
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec = importlib.util.spec_from_file_location(name, ROOT / f"benchmarks/torch/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table_of(script):
    """Lines of the page's table that `script` writes."""
    return (ROOT / "docs/Benchmarks/Torch.md").read_text().partition(f"benchmarks/torch/{script} writes this")[2].partition("<!-- end of the table")[0].splitlines()


@pytest.mark.parametrize("script", ["steps.py", "cells.py --budgets=10", "cells.py --budgets=3"])
def test_models_whose_budgets_are_all_refused_have_a_row(script, monkeypatch):
    """A run of minutes would end in an error before it writes anything, and the sentence below would miss the refusals."""
    module = script_of(script.partition(".py")[0], monkeypatch)
    real = script == "steps.py"
    cell = {"budget": 10**6, "error": "no plan"}
    kept = {"budget": 2 * 10**6, "planned": 1999, "measured": 2000, "true": 2001, "overhead": 0.01, "recomputations": 3, "over": 1, "equal": True, "seconds": 0.5}
    line, summary = (module.keep_line, module.keep_summary) if real else (module.line, module.summary)
    rows = [line({"model": name, "nodes": 7, "unplanned": 3 * 10**6, "cells": cells}) for name, cells in (("a:1", [cell, cell]), ("b:1", [cell, kept]))]
    table = [row for row in table_of(script) if row.startswith("|")]
    assert {row.count("|") for row in rows} == {table[0].count("|")}
    assert "0 kept, 0 exceeded, 2 refused" in rows[0] and "1 kept, 0 exceeded, 1 refused" in rows[1]
    assert summary(rows).startswith("Of 4 cells of 2 models 1 are kept, 0 exceeded and 3 refused.") and ("0.050 %" if real else "at most 2.") in summary(rows)


@pytest.mark.parametrize("script", ["steps.py", "cells.py --budgets=10", "cells.py --budgets=3"])
def test_the_sentence_below_a_table_is_of_its_rows(script, monkeypatch):
    """A page would sum up rows that it does not show."""
    module = script_of(script.partition(".py")[0], monkeypatch)
    lines = table_of(script)
    rows = [row for row in lines if row.startswith("|")][2:]
    assert (module.keep_summary if script == "steps.py" else module.summary)(rows) in lines
