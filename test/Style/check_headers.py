#!/usr/bin/env python3
"""Reads the first lines of every C++, CUDA, C and tablegen file: one form of file header, one licence line, one guard.

usage: check_headers.py ROOT
Prints one line for each file that differs; exit status 1 when there is one.
"""
import pathlib
import re
import sys

SUFFIXES = {".h": "-*- C++ -*-", ".td": "-*- tablegen -*-", ".cu": None, ".cpp": None}
LICENCE = [
    "//",
    "// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.",
    "// See LICENSE for license information.",
    "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
    "//",
    "//===" + "-" * 70 + "===//",
]


def problems_of(file, root):
    lines = file.read_text().split("\n")
    path = file.relative_to(root)
    name = f"memplan-c/{file.name}" if "memplan-c" in path.parts else file.name
    if not re.fullmatch(rf"//===- {re.escape(name)} - \S.*===//", lines[0]):
        yield f"first line is not '//===- {name} - What it is ---===//'"
    elif len(lines[0]) != 80:
        yield f"first line has {len(lines[0])} columns instead of 80"
    if lines[1 : 1 + len(LICENCE)] != LICENCE:
        yield "lines 2 to 7 are not the licence lines that every file has"
    if file.suffix == ".h" and path.parts[0] in ("include", "lib"):
        parts = path.with_suffix("").parts
        parts = parts[1:] if parts[0] == "include" else ("memplan", *parts)
        guard = re.sub(r"\W", "_", "_".join(parts)).upper() + "_H"
        if f"#ifndef {guard}\n#define {guard}\n" not in file.read_text():
            yield f"include guard is not {guard}"


def main(root):
    files = [f for top in ("include", "lib", "tools", "test") for f in (root / top).rglob("*") if f.suffix in SUFFIXES]
    files = sorted(f for f in files if "Inputs" not in f.relative_to(root).parts)
    problems = [f"{f.relative_to(root).as_posix()}: {text}" for f in files for text in problems_of(f, root)]
    print("\n".join(problems or [f"{len(files)} files begin alike"]))
    return 1 if problems or not files else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_headers.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
