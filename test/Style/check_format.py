#!/usr/bin/env python3
"""Holds every C++, CUDA and C file against .clang-format.

usage: check_format.py ROOT CLANG-FORMAT
Prints the files that differ; exit status 1 when there is one. CLANG-FORMAT -i FILE... mends them.
"""
import pathlib
import re
import subprocess
import sys


def main(root, clang_format):
    files = [f for top in ("include", "lib", "tools", "test") for f in (root / top).rglob("*")]
    files = sorted(f for f in files if f.suffix in {".h", ".cpp", ".c", ".cu"} and "Inputs" not in f.relative_to(root).parts)
    command = [clang_format, "--dry-run", "-Werror", "--ferror-limit=1", *files]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    differing = sorted({str(pathlib.Path(f).relative_to(root)) for f in re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.M)})
    print("\n".join(differing or [f"{len(files)} files are formatted"]) if files else "error: no file")
    return 1 if differing or done.returncode or not files else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_format.py ROOT CLANG-FORMAT")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]))
