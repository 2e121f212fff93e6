#!/usr/bin/env python3
"""Compiles every header of include/memplan-c alone, as C11 and as C++20, with all warnings as errors.

usage: check_c_headers.py ROOT C-COMPILER C++-COMPILER
"""
import pathlib
import subprocess
import sys


def main(root, c_compiler, cxx_compiler):
    include = pathlib.Path(root) / "include"
    headers = sorted((include / "memplan-c").glob("*.h"))
    if not headers:
        sys.exit(f"error: no header in {include}/memplan-c")
    failed = 0
    for header in headers:
        source = f'#include "memplan-c/{header.name}"\n#include "memplan-c/{header.name}"\n'  # guards, too
        for compiler, language, standard in ((c_compiler, "c", "c11"), (cxx_compiler, "c++", "c++20")):
            flags = ["-x", language, f"-std={standard}", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
            command = [compiler, *flags, f"-I{include}", "-fsyntax-only", "-"]
            done = subprocess.run(command, input=source, capture_output=True, text=True)
            if done.returncode != 0:
                failed += 1
                print(f"{header.name} does not compile alone as {standard}:\n{done.stderr}")
    print(f"{len(headers)} headers, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: check_c_headers.py ROOT C-COMPILER C++-COMPILER")
    sys.exit(main(*sys.argv[1:]))
