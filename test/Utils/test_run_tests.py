"""utils/run_tests.py: a runner that stops at the first failure, or counts an earlier run's results, hides what is broken."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]

CTEST = """import sys
out = sys.argv[sys.argv.index("--output-junit") + 1]
open(out, "w").write('<testsuite><testcase name="a" status="{status}">{inner}</testcase></testsuite>')
print("what ctest said")
sys.exit({code})
"""
LIT = """import json, sys
out = sys.argv[sys.argv.index("--output") + 1]
json.dump({"tests": [{"name": "l", "code": "PASS", "output": ""}]}, open(out, "w"))
"""


def run(tmp_path, ctest, lit=LIT):
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, body in (("ctest", ctest), ("lit-22", lit)):
        (tools / name).write_text(f"#!{sys.executable}\n{body}")
        (tools / name).chmod(0o755)
    build = tmp_path / "build"
    (build / "test-results").mkdir(parents=True)
    (build / "test-results" / "lit.json").write_text('{"tests": [{"name": "old", "code": "FAIL", "output": ""}]}')
    command = [sys.executable, ROOT / "utils/run_tests.py", build, "--without-pytest"]
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout


def test_all_parts_run_and_say_how_long_they_took(tmp_path):
    code, output = run(tmp_path, CTEST.format(status="run", inner="", code=0))
    assert code == 0, output
    assert "== ctest: " in output and "== lit: " in output
    assert "what ctest said" not in output
    assert output.endswith("2 passed, 0 failed, 0 skipped\n")


def test_lit_runs_after_a_failing_ctest_whose_words_are_shown(tmp_path):
    code, output = run(tmp_path, CTEST.format(status="fail", inner="<failure/>", code=8))
    assert code == 1
    assert "what ctest said" in output
    assert output.endswith("1 passed, 1 failed, 0 skipped\n")


def test_results_of_an_earlier_run_do_not_count(tmp_path):
    code, output = run(tmp_path, CTEST.format(status="run", inner="", code=0), lit="raise SystemExit(2)\n")
    assert code == 1
    assert "lit (left no results)" in output and "old" not in output
