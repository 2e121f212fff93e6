#!/usr/bin/env python3
"""Runs every test of one build: ctest (GoogleTest and C programs), lit and pytest, whatever fails on the way.

usage: run_tests.py BUILD [--jobs N] [--without-pytest] [--no-summary]
Results go to BUILD/test-results; how long each part took is printed. With the summary, the last line is
"N passed, N failed, N skipped" and the exit status 1 when a test failed. Without it the exit status is 0 as long as the
runners themselves could be started: to add up several builds, run summarize_tests.py over all of them.
"""
import argparse
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def say(text):
    print(f"== {text}", flush=True)


def run(name, command, log=None, **options):
    """Runs one part and prints its wall time. The output of a part with a log is shown only where it failed."""
    begin = time.monotonic()
    with open(log, "w", encoding="utf-8") if log else open(os.devnull, "w", encoding="utf-8") as file:
        output = {"stdout": file, "stderr": subprocess.STDOUT} if log else {}
        status = subprocess.run(command, check=False, **output, **options).returncode
    if log and status:
        print(pathlib.Path(log).read_text(encoding="utf-8", errors="replace"), end="")
    say(f"{name}: {time.monotonic() - begin:.1f} s")


def find_lit():
    return shutil.which("lit-22") or shutil.which("lit") or sys.exit("error: lit is not found; install llvm-22-tools")


def find_python():
    """This interpreter where it has pytest, else the one that utils/test.sh made."""
    if importlib.util.find_spec("pytest"):
        return sys.executable
    cache = pathlib.Path(os.environ.get("MEMPLAN_CACHE_DIR", pathlib.Path.home() / ".cache/memplan"))
    made = [cache / name / "bin/python" for name in ("torch", "python")]
    return next((str(python) for python in made if python.exists()), None) or sys.exit(
        "error: no Python with pytest is found; utils/test.sh makes one, or install pytest into " + sys.executable
    )


def has_module(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: ") :])
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--without-pytest", action="store_true")
    parser.add_argument("--no-summary", action="store_true")
    options = parser.parse_args()
    build, jobs = options.build, str(options.jobs)
    lit, python = find_lit(), None if options.without_pytest else find_python()

    # Removed first, so that a program that dies before writing its results cannot be counted by those of an earlier run.
    results = build / "test-results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    say(f"running the tests of {build.name}/")
    ctest = ["ctest", "--test-dir", build, "--output-on-failure", "--parallel", jobs, "--output-junit", results / "ctest.xml"]
    run("ctest", ctest, log=results / "ctest.log")
    run("lit", [lit, "--quiet", "--show-unsupported", "-v", "--workers", jobs, "--output", results / "lit.json", build / "test"])
    if python:
        # Tests of one file share what they made; files go to whichever process is free.
        shares = ["--numprocesses", jobs, "--dist", "loadfile"] if has_module(python, "xdist") else []
        command = [python, "-m", "pytest", "-q", *shares, "-c", ROOT / "test/pytest.ini", f"--rootdir={ROOT}", f"--junitxml={results / 'pytest.xml'}",
                   "test", "python-bindings/tests"]
        run("pytest", command, cwd=ROOT, env={**os.environ, "MEMPLAN_BUILD_DIR": str(build)})
    if options.no_summary:
        return 0
    parts = ["--without-pytest"] if options.without_pytest else []
    return subprocess.run([sys.executable, ROOT / "utils/summarize_tests.py", *parts, build], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
