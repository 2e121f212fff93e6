"""benchmarks/models/table.py: a table that is made in pieces keeps the rows that it has, and says of each what it is of."""
import importlib.util

import pytest

from fixtures import ROOT

SCRIPT = ROOT / "benchmarks/models/table.py"
MARK = "benchmarks/models/table.py"


def module():
    spec = importlib.util.spec_from_file_location("models_table", SCRIPT)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def result(name, commit, loss_error=1e-5, same_values=7, **changes):
    run = {"error": None, "same_values": same_values, "loss_error": loss_error, "torch_loss_error": 1e-5, "value_error": 1e-5, "torch_value_error": 1e-5}
    origin = {"commit": commit, "date": "2026-11-26", "processor": "A processor", "processors": 2}
    return {"name": name, "origin": origin, "module": {}, "joint": {"operations": 9, "opaque": 0, "kernels": {}}, "plan": {"error": None}, "run": run} | changes


def written(table, page, results, known):
    table.write(page, MARK, {r["name"]: r for r in results}, list(known))
    return page.read_text().splitlines()


def page_of(tmp_path, text=""):
    page = tmp_path / "page.md"
    page.write_text(f"before\n<!-- {MARK} writes this -->\n{text}<!-- end of the table -->\nafter\n")
    return page


def test_rows_without_a_new_result_stay_under_their_commit(tmp_path):
    table, page = module(), page_of(tmp_path)
    known = ("one", "3-d (own)", "three", "never tried")
    first = written(table, page, [result("three", "aaa"), result("one", "aaa")], known)
    assert first[2] == "Commit aaa, 2026-11-26, A processor (2 processors)." and first[4].startswith("2 of 4 networks")
    rows = [line for line in first if line.startswith("| one") or line.startswith("| three")]
    second = written(table, page, [result("3-d (own)", "bbb")], known)
    assert second[2] == "Commit aaa; `3-d (own): bbb`, 2026-11-26, A processor (2 processors)."
    assert [line.split(" |")[0] for line in second if line.startswith("| ")][1:] == ["| one", "| 3-d (own)", "| three"]
    assert all(row in second for row in rows)
    # A third piece keeps both, and what is measured again leaves its old commit.
    third = written(table, page, [result("3-d (own)", "ccc"), result("one", "ccc", 3e-5)], known)
    assert third[2] == "Commit ccc; `three: aaa`, 2026-11-26, A processor (2 processors)." and third[0] == "before" and third[-1] == "after"
    assert "3 of 4 networks" in third[4] and "2 within torch's own f32 error, 2 within twice that, 3 within 4 times that" in third[4]


def test_what_is_said_above_the_rows_is_what_they_show(tmp_path):
    table, page = module(), page_of(tmp_path)
    refused = {"module": {"error": "x", "operators": ["aten.a", "aten.b"]}, "joint": {"error": "ExportError: no"}}
    unplanned = result("three", "a") | {"plan": {"error": "too large"}}
    unplanned.pop("run")
    not_exported = {k: v for k, v in (result("four", "a") | refused).items() if k not in ("plan", "run")}
    lines = written(table, page, [result("one", "a"), result("two", "a", same_values=0), unplanned, not_exported], ("one", "two", "three", "four"))
    assert lines[4].startswith("4 of 4 networks are in the table. 2 are planned, 2 of them without an opaque operation. "
                               "2 of these run for 3 steps, 3 on the road of modules too. Of the 2, 1 equal their unplanned run bit for bit.")
    assert [table.cells(line)[2] for line in lines if line.startswith("| ")][1:] == ["runs", "runs, with other bits", "not planned", "not exported"]


def test_the_table_of_the_page_is_read_whole():
    """A head or a row that the script cannot read would lose the rows of the page."""
    table = module()
    text = (ROOT / "docs/Export.md").read_text()
    for mark in (MARK, f"{MARK} --held-out"):
        part = text.partition(f"<!-- {mark} writes this -->\n")[2].partition("<!-- end of the table -->")[0]
        rows = table.rows_of_page(part)
        lines = part.splitlines()
        assert len(rows) == sum(line.startswith("| ") for line in lines) - 1 > 10
        assert table.commits(rows) == lines[0]


# Stands for memplan-run: refuses the first budget, and --check as a program does that is too large.
RUNNER = """#!/usr/bin/env python3
import resource, sys
if "--budget=90%" in sys.argv:
    sys.exit("the budget is too small")
if "--check" in sys.argv and resource.getrlimit(resource.RLIMIT_AS)[0] < 2**40:
    sys.exit("memplan-run: error: the unplanned program: cannot allocate 46284839680 bytes")
print(sys.argv[1:])
"""


def test_what_cannot_be_checked_for_memory_is_run_and_said(tmp_path):
    table, runner = module(), tmp_path / "runner"
    runner.write_text(RUNNER)
    runner.chmod(0o755)
    for limit, checked in ((2**41, True), (2**36, False)):
        done, budget, found = table.run_within([str(runner), "--check"], ("90%", "100%"), limit)
        assert (done.returncode, budget, found) == (0, "100%", checked) and ("--check" in done.stdout) is checked
    # A run that fails for itself is not run again without its check.
    done, budget, found = table.run_within([str(runner), "--check"], ("90%",), 2**41)
    assert done.returncode and (budget, found) == ("90%", True)
    page = page_of(tmp_path)
    lines = written(table, page, [result("one", "a"), result("two", "a", same_values=0) | {"run": result("two", "a")["run"] | {"checked": False}}], ("one", "two"))
    assert "Of the 2, 1 equal their unplanned run bit for bit; of 1 that run does not fit the memory. By the digits shown" in lines[4]


@pytest.mark.parametrize("folder, shown", [(f"{ROOT}/", ""), ("/home/somebody/lib/python3.11/site-packages/", ""), ("lib/", "lib/")])
def test_errors_name_files_by_their_place_in_the_repository_or_a_package(folder, shown):
    table = module()

    def refused(*_):
        raise ValueError(f"torch cannot trace the step at {folder}benchmarks/models/networks.py:1")

    class Network:
        inputs, targets, loss = {}, {}, None

    assert table.try_export(refused, Network, None)["error"].endswith(f" at {shown}benchmarks/models/networks.py:1")
