#!/usr/bin/env python3
"""Adds up the results of ctest, GoogleTest, lit and pytest in the given build folders.

Lists failed and skipped tests and closes with "N passed, N failed, N skipped" on a line of its own. A GoogleTest program
counts by its cases; one that dies counts as a failure. Exit status 1 when a test failed, when a runner left no
result, or when nothing passed.

usage: summarize_tests.py [--without-pytest] BUILD-FOLDER...
"""
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter


class Results:
    def __init__(self):
        self.counts = Counter()
        self.failed, self.skipped = [], []

    def add(self, outcome, name, reason=""):
        self.counts[outcome] += 1
        if outcome == "failed":
            self.failed.append(name)
        elif outcome == "skipped":
            self.skipped.append((name, reason or "no reason given"))


def first_line(text):
    """The first line that is not the file position that GoogleTest puts before a message."""
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return next((line for line in lines if not re.fullmatch(r"\S+:\d+", line)), "")


def junit_outcome(case):
    """Outcome and reason of one <testcase>, as ctest, pytest and GoogleTest write it."""
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        return "failed", ""
    skipped = case.find("skipped")
    if skipped is not None or case.get("status") in ("notrun", "disabled") or case.get("result") == "suppressed":
        return "skipped", first_line(skipped.get("message") or skipped.text) if skipped is not None else "disabled"
    return "passed", ""


def add_googletest(results, prefix, path, program_failed):
    """The cases of one GoogleTest program. A program that died leaves no file or one without a failure."""
    failures_before = results.counts["failed"]
    program = os.path.splitext(os.path.basename(path))[0]
    if os.path.exists(path):
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            name = f"{prefix}{program}/{case.get('classname')}.{case.get('name')}"
            results.add(junit_outcome(case)[0], name, junit_outcome(case)[1])
    if program_failed and results.counts["failed"] == failures_before:
        results.add("failed", f"{prefix}{program} (ended without reporting a failed case)")


def add_ctest(results, prefix, folder):
    path = os.path.join(folder, "ctest.xml")
    if not os.path.exists(path):
        results.add("failed", f"{prefix}ctest (left no results)")
        return
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = case.get("name")
        outcome, reason = junit_outcome(case)
        googletest = os.path.join(folder, "gtest", name + ".xml")
        if outcome == "skipped" and case.get("status") == "notrun":
            outcome, reason = "failed", ""  # an executable that is missing
        if os.path.exists(googletest):
            add_googletest(results, prefix, googletest, outcome == "failed")
        else:
            results.add(outcome, prefix + name, reason)


def add_lit(results, prefix, folder):
    path = os.path.join(folder, "lit.json")
    if not os.path.exists(path):
        results.add("failed", f"{prefix}lit (left no results)")
        return
    with open(path, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    outcomes = {"PASS": "passed", "FLAKYPASS": "passed", "XFAIL": "passed", "UNSUPPORTED": "skipped", "SKIPPED": "skipped"}
    for test in tests:
        results.add(outcomes.get(test["code"], "failed"), prefix + test["name"], first_line(test["output"]))


def add_pytest(results, prefix, folder):
    path = os.path.join(folder, "pytest.xml")
    if not os.path.exists(path):
        results.add("failed", f"{prefix}pytest (left no results)")
        return
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        outcome, reason = junit_outcome(case)
        results.add(outcome, f"{prefix}{case.get('classname')}.{case.get('name')}", reason)


def main(builds, with_pytest=True):
    results = Results()
    for number, build in enumerate(builds):
        folder = os.path.join(build, "test-results")
        prefix = os.path.basename(os.path.normpath(build)) + ": "
        add_ctest(results, prefix, folder)
        add_lit(results, prefix, folder)
        if number == 0 and with_pytest:  # once, against the first build
            add_pytest(results, prefix, folder)
    if results.skipped:
        print("skipped:")
        for name, reason in sorted(results.skipped):
            print(f"  {name}: {reason}")
    if results.failed:
        print("failed:")
        for name in sorted(results.failed):
            print(f"  {name}")
    counts = results.counts
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    folders = [argument for argument in sys.argv[1:] if argument != "--without-pytest"]
    if not folders:
        sys.exit("usage: summarize_tests.py [--without-pytest] BUILD-FOLDER...")
    sys.exit(main(folders, with_pytest="--without-pytest" not in sys.argv))
