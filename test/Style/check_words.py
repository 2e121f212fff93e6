#!/usr/bin/env python3
"""Refuses the words that docs/Glossary.md has retired, in code, messages, tests and documentation.

usage: check_words.py ROOT
The second table of the glossary lists each retired word with the one to use. A word in backticks is a regular expression,
matched with its case; another is matched as a whole word without case. Exit status 1 when one stands anywhere.
"""
import pathlib
import re
import sys

SUFFIXES = {".h", ".cpp", ".c", ".cu", ".td", ".md", ".py", ".mlir", ".test", ".sh", ".txt"}
TOPS = ("include", "lib", "tools", "test", "docs", "utils", "python-bindings", "benchmarks", "examples")


def retired_words(glossary):
    """(pattern, replacement) of each row below the heading "Retired"."""
    _, _, part = glossary.partition("## Retired words")
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in part.split("\n") if row.startswith("|")]
    for retired, instead, *_ in rows[2:]:
        for word in retired.split(", "):
            if word.startswith("`"):
                yield re.compile(word.strip("`")), instead
            else:
                yield re.compile(rf"\b{re.escape(word)}s?\b", re.IGNORECASE), instead


def main(root):
    words = list(retired_words((root / "docs/Glossary.md").read_text()))
    if not words:
        sys.exit("error: docs/Glossary.md retires no word")
    files = [f for top in TOPS for f in (root / top).rglob("*") if f.suffix in SUFFIXES] + sorted(root.glob("*.md"))
    skipped = {"Glossary.md", "check_words.py", "words.test"}
    problems = []
    for file in sorted(files):
        path = file.relative_to(root)
        # Examples hold what an exporter wrote, and Inputs what tests refuse.
        if file.name in skipped or "Inputs" in path.parts or path.parts[0] == "examples":
            continue
        for number, line in enumerate(file.read_text(errors="replace").split("\n"), 1):
            problems += [
                f"{path.as_posix()}:{number}: '{found.group()}' is retired; write {instead}"
                for pattern, instead in words
                for found in pattern.finditer(line)
            ]
    print("\n".join(problems or [f"{len(words)} retired words stand nowhere"]))
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_words.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
