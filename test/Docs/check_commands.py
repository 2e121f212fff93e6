#!/usr/bin/env python3
"""Runs the shell blocks of the documentation.

usage: check_commands.py ROOT BUILD
Reads the blocks marked `sh` of README.md, CONTRIBUTING.md and docs/. Each document runs in a folder of its own, its blocks one
after the other, with the build's tools on PATH and these files:
  build/, examples/, utils/, python-bindings/, include/, lib/   as in the sources
  step.mlir, step.graph.json, buffers.csv             a small training step, its graph, buffers of the arena problem
  bufferized.mlir                                     functions on memrefs
A block of any kind with `<!-- file: NAME -->` on the line before it is written to that file first, so that examples of file
formats are read by the tools that the shell blocks run.
A block with `<!-- not run: REASON -->` on the line before it is left alone and listed. Exit status 1 when a command fails,
or when no block runs.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^(?P<mark><!-- not run: (?P<reason>[^\n]+) -->\n+)?```sh[ \t]*\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^<!-- file: (?P<name>[\w.-]+) -->\n+```\w*[^\n]*\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
STEP = "examples/small/residual.mlir"


def documents(root):
    yield from sorted(root.glob("*.md"))
    yield from sorted(f for f in (root / "docs").rglob("*.md") if "generated" not in f.parts)


def prepare(folder, root, build):
    for name in ("examples", "utils", "python-bindings", "include", "lib", "test"):
        if (root / name).exists():
            (folder / name).symlink_to(root / name)
    (folder / "build").symlink_to(build)
    for source, name in ((STEP, "step.mlir"), ("test/MemRef/plan-memrefs/upstream.mlir", "bufferized.mlir"), ("test/Planner/Inputs/mlp.graph.json", "step.graph.json")):
        if (root / source).exists():
            shutil.copy(root / source, folder / name)
    (folder / "buffers.csv").write_text("id,lower,upper,size\na,0,2,4096\nb,1,3,8192\nc,2,4,4096\n")


def run_block(code, folder, build):
    environment = {**os.environ, "PATH": f"{build / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    command = ["bash", "-euo", "pipefail", "-c", code]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    return "" if done.returncode == 0 else f"exit status {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"


def main(root, build):
    root, build = pathlib.Path(root).resolve(), pathlib.Path(build).resolve()
    ran, left, problems = 0, [], []
    for document in documents(root):
        path, text = document.relative_to(root).as_posix(), document.read_text()
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            prepare(folder, root, build)
            for file in FILE.finditer(text):
                (folder / file.group("name")).write_text(file.group("text"))
            for block in BLOCK.finditer(text):
                line = text.count("\n", 0, block.start("code")) + 1
                if block.group("mark"):
                    left.append(f"{path}:{line}: not run: {block.group('reason')}")
                    continue
                if "--report=" in block.group("code") and not (build / "bin/memplan").exists():
                    left.append(f"{path}:{line}: not run: the Python package, which draws reports, is not built")
                    continue
                ran += 1
                if problem := run_block(block.group("code"), folder, build):
                    problems.append(f"{path}:{line}: {problem}")
    print("\n".join([*left, *(problems or [f"{ran} blocks ran"])]))
    return 1 if problems or not ran else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_commands.py ROOT BUILD")
    sys.exit(main(*sys.argv[1:]))
