#!/usr/bin/env python3
"""Asks every tool for its version and compares the features that it names with those given.

usage: check_versions.py FEATURES TOOL...    FEATURES as in "+mlir +highs -onednn -cuda"
"""
import shutil
import subprocess
import sys


def main(features, tools):
    failed = 0
    for tool in tools:
        if shutil.which(tool) is None:
            failed += 1
            print(f"{tool} is not built")
            continue
        done = subprocess.run([tool, "--version"], capture_output=True, text=True)
        if done.returncode != 0 or f"  features: {features}\n" not in done.stdout:
            failed += 1
            print(f"{tool} --version should name '{features}', but ended with {done.returncode} and\n{done.stdout}{done.stderr}")
    print(f"{len(tools)} tools, {failed} failures")
    return 1 if failed or not tools else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
