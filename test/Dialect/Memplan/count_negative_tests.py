#!/usr/bin/env python3
"""Counts, for each operation of the dialect, the cases that must be refused.

usage: count_negative_tests.py ROOT LEAST
Prints one line for each operation with fewer than LEAST cases; exit status 1 when there is one.
"""
import pathlib
import re
import sys

DEFINITION = re.compile(r'def Memplan_\w+Op\s*:\s*Memplan_\w+<\s*"(\w+)"')
OPERATION = re.compile(r'"?memplan\.(\w+)')


def count(root):
    sources = sorted((root / "include/memplan/Dialect/Memplan/IR").glob("*.td"))
    counts = {name: 0 for file in sources for name in DEFINITION.findall(file.read_text())}
    for file in sorted((root / "test/Dialect").rglob("*.mlir")):
        lines = file.read_text().split("\n")
        for number, line in enumerate(lines):
            if "expected-error" not in line:
                continue
            # The operation stands on the line of the expectation or below it.
            code = (re.sub(r"//.*", "", following) for following in lines[number : number + 6])
            found = next((match for match in map(OPERATION.search, code) if match), None)
            if found and found.group(1) in counts:
                counts[found.group(1)] += 1
    return counts


def main(root, least):
    counts = count(pathlib.Path(root))
    if not counts:
        sys.exit(f"error: no operation is defined below {root}")
    few = [f"memplan.{name}: {number} cases" for name, number in sorted(counts.items()) if number < least]
    print("\n".join(few or [f"{len(counts)} operations have at least {least} cases each"]))
    return 1 if few else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: count_negative_tests.py ROOT LEAST")
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
