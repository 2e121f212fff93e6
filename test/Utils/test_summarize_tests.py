"""utils/summarize_tests.py: a failure that it overlooked would let a broken build pass unseen."""
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]

SUMMARY = ROOT / "utils" / "summarize_tests.py"

GOOGLETEST = """<testsuites><testsuite name="Arena">
<testcase name="fits" classname="Arena" status="run" result="completed"/>
<testcase name="later" classname="Arena" status="run" result="skipped"><skipped message="ArenaTest.cpp:7&#x0A;no GPU"/></testcase>
%s</testsuite></testsuites>"""
FAILED_CASE = '<testcase name="c2" classname="Arena" status="run" result="completed"><failure message="x"/></testcase>'


def ctest(*cases):
    rows = "".join(f'<testcase name="{name}" status="{status}">{inner}</testcase>' for name, status, inner in cases)
    return f"<testsuite>{rows}</testsuite>"


PASSED, DIED = ("run", ""), ("fail", '<failure message=""/>')
PYTEST = '<testsuites><testsuite><testcase classname="t" name="a"/></testsuite></testsuites>'


def summarize(build, googletest=None, ctest_xml=ctest(), lit=(), pytest_xml=PYTEST):
    folder = build / "test-results"
    (folder / "gtest").mkdir(parents=True)
    if googletest:
        (folder / "gtest" / "ArenaTests.xml").write_text(googletest)
    if ctest_xml:
        (folder / "ctest.xml").write_text(ctest_xml)
    tests = [{"name": name, "code": code, "output": output} for name, code, output in lit]
    (folder / "lit.json").write_text(json.dumps({"tests": tests}))
    if pytest_xml:
        (folder / "pytest.xml").write_text(pytest_xml)
    done = subprocess.run([sys.executable, SUMMARY, build], capture_output=True, text=True)
    return done.returncode, done.stdout


def test_sums_all_runners_and_names_skips(tmp_path):
    status, out = summarize(
        tmp_path,
        GOOGLETEST % "",
        ctest(("ArenaTests", *PASSED), ("c-header", *PASSED)),
        [("memplan :: a.mlir", "PASS", ""), ("memplan :: b.mlir", "UNSUPPORTED", "needs: torch\n")],
    )
    assert out.splitlines()[-1] == "4 passed, 0 failed, 2 skipped"
    assert "ArenaTests/Arena.later: no GPU" in out
    assert "memplan :: b.mlir: needs: torch" in out
    assert status == 0


@pytest.mark.parametrize(
    "case",
    [
        dict(googletest=GOOGLETEST % FAILED_CASE, ctest_xml=ctest(("ArenaTests", *DIED))),
        dict(googletest=GOOGLETEST % "", ctest_xml=ctest(("ArenaTests", *DIED))),  # died after its last case
        dict(ctest_xml=ctest(("ArenaTests", *DIED))),  # died before it wrote anything
        dict(ctest_xml=ctest(("ArenaTests", "notrun", '<skipped message="x"/>'))),  # was never built
        dict(ctest_xml=None),
        dict(pytest_xml=None),
        dict(lit=[("memplan :: a.mlir", "FAIL", "")]),
        dict(lit=[("memplan :: a.mlir", "TIMEOUT", "")]),
        dict(lit=[("memplan :: a.mlir", "XPASS", "")]),
    ],
)
def test_every_kind_of_failure_counts_once(tmp_path, case):
    status, out = summarize(tmp_path, **case)
    assert ", 1 failed, " in out.splitlines()[-1]
    assert status == 1


def test_nothing_run_is_not_success(tmp_path):
    status, out = summarize(tmp_path, pytest_xml="<testsuites/>")
    assert out.splitlines()[-1] == "0 passed, 0 failed, 0 skipped"
    assert status == 1
