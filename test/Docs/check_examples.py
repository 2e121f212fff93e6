#!/usr/bin/env python3
"""Parses every MLIR example of the documentation with memplan-opt.

usage: check_examples.py ROOT MEMPLAN-OPT
Reads README.md, CONTRIBUTING.md, docs/, examples/*.md and the descriptions in include/**/*.td. Fails when an example does
not parse and verify, when an op or pass has no example, and when there is no example at all.
"""
import pathlib
import subprocess
import sys

from example_blocks import as_module, definitions_without_example, find_examples


def documents(root):
    yield from sorted(root.glob("*.md"))
    for folder in ("docs", "examples", "python-bindings", "benchmarks"):
        # Generated pages repeat the descriptions of the .td files.
        yield from sorted(f for f in (root / folder).rglob("*.md") if "generated" not in f.parts)
    yield from sorted((root / "include").rglob("*.td"))


def main(root, optimizer):
    root = pathlib.Path(root)
    checked, problems = 0, []
    for document in documents(root):
        path, text = document.relative_to(root).as_posix(), document.read_text()
        if document.suffix == ".td":
            problems += [f"{path}: {name} has no ```mlir example" for name in definitions_without_example(text)]
        for example in find_examples(path, text):
            checked += 1
            module = as_module(example.text)
            # An empty pipeline: only parse and verify.
            command = [optimizer, "--pass-pipeline=builtin.module()", "-o", "/dev/null", "-"]
            done = subprocess.run(command, input=module, capture_output=True, text=True)
            if done.returncode != 0:
                problems.append(f"{path}:{example.line}: example does not parse\n{done.stderr}{module}")
    print("\n".join(problems or [f"{checked} examples parse"]))
    return 1 if problems or not checked else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: check_examples.py ROOT MEMPLAN-OPT")
    sys.exit(main(*sys.argv[1:]))
