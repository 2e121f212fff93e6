"""The Python blocks of the pages about Python run as they stand, and say what the text says."""
import pathlib
import re
import shutil

import pytest

pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

ROOT = pathlib.Path(__file__).parents[2]
BLOCK = re.compile(r"^```python[ \t]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["docs/Python.md", "docs/Report.md", "python-bindings/README.md"])
def test_blocks_run_one_after_the_other(page, tmp_path, monkeypatch, capsys):
    """A reader would type what does not work."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "test/Planner/Inputs/mlp.graph.json", "step.graph.json")
    text, names = (ROOT / page).read_text(), {}
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block.group(1), page, "exec"), names)
    assert names["plan"].peak_bytes <= names["plan"].device_bytes
    assert capsys.readouterr().out


def test_every_error_and_function_has_its_line():
    """A name that the page leaves out would not be found."""
    import memplan

    text = (ROOT / "docs/Python.md").read_text()
    missing = [name for name in memplan.__all__ if name not in text and name not in (
        "Action", "ActionKind", "Arena", "Node", "Tensor", "OptionInfo", "PlacementKind", "Curve", "LeastBudget", "version_text",
        "UnavailableError", "parse_size", "ProgramValue")]
    assert not missing
