"""benchmarks/shared.py: what a run of a few rows leaves of a table in docs/."""
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))
import shared  # noqa: E402

COLUMNS = "| model | budgets | bytes |\n|---|---|---|"
HEAD, OLD_HEAD = "Commit 22222222, 2026-02-02, B (2 processors).", "Commit 11111111, 2026-01-01, A (2 processors)."


@pytest.fixture
def page(tmp_path):
    """A page with a table of two rows between its marks, and text on both sides."""
    path = tmp_path / "page.md"
    path.write_text(f"before\n<!-- run.py writes this -->\n{OLD_HEAD}\n\n{COLUMNS}\n| a:1 | 2 kept, 0 exceeded, 1 refused | 7 |\n| b:1 | 3 kept, 0 exceeded, 0 refused | 8 |\n"
                    "\nOf 6 cells.\n<!-- end of the table -->\nafter\n")
    return path


def test_rows_that_were_not_run_stay(page):
    """Whoever measures one model again would lose the others, and the sentence below would speak of one row."""
    shared.merge_rows(page, "run.py", [HEAD], COLUMNS, ["| b:1 | 1 kept, 2 exceeded, 0 refused | 9 |", "| c:4 | 0 kept, 0 exceeded, 3 refused | - |"],
                      lambda rows: f"Of {sum(shared.budget_counts(rows).values())} cells {shared.budget_counts(rows)['exceeded']} are exceeded.")
    assert page.read_text() == (f"before\n<!-- run.py writes this -->\n{OLD_HEAD}\n{HEAD}\n\n{COLUMNS}\n| a:1 | 2 kept, 0 exceeded, 1 refused | 7 |\n"
                                "| b:1 | 1 kept, 2 exceeded, 0 refused | 9 |\n| c:4 | 0 kept, 0 exceeded, 3 refused | - |\n"
                                "\nOf 9 cells 2 are exceeded.\n<!-- end of the table -->\nafter\n")


def test_the_commit_of_rows_that_were_all_run_again_goes(page):
    """A table would name a commit that none of its rows is of."""
    shared.merge_rows(page, "run.py", [HEAD], COLUMNS, ["| b:1 | x | 1 |", "| a:1 | y | 2 |"])
    text = page.read_text()
    assert OLD_HEAD not in text and HEAD in text
    assert "Of 6 cells" not in text and text.index("| a:1 | y") < text.index("| b:1 | x")


def test_rows_of_other_columns_are_not_mixed(page):
    """Kept rows would stand below columns that they do not have."""
    before = page.read_text()
    with pytest.raises(SystemExit, match="other columns"):
        shared.merge_rows(page, "run.py", [HEAD], "| model | seconds |\n|---|---|", ["| b:1 | 2 |"])
    assert page.read_text() == before
