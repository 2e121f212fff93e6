#!/usr/bin/env python3
"""Refuses the words that docs/Glossary.md has retired.

usage: check_words.py ROOT
The glossary's second table lists each retired word with the one to use. A word in backticks is the name of a type, a
function or a variable: C and C++ sources may not have it as an identifier; comments, strings, included files and names of
tests are none. Another is matched as a whole word, without case, in code, messages, tests and documentation.
The third table has words that C and C++ sources below include, lib and tools may have neither as a part of an identifier
(`viewMaker` has the part `maker`) nor in a comment; the names in its last column stay. The fourth has those that only pages
below docs may not have. The fifth has those with which no contract (`///`) of these sources begins. Exit status 1 when one
occurs.
"""
import pathlib
import re
import sys

SUFFIXES = {".h", ".cpp", ".c", ".cu", ".td", ".md", ".py", ".mlir", ".test", ".sh", ".txt"}
CODE = {".h", ".cpp", ".c", ".cu"}
TOPS = ("include", "lib", "tools", "test", "docs", "utils", "python-bindings", "benchmarks", "examples")


# What holds no identifier of the program, each replaced by as many lines.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^[ \t]*#[ \t]*include[^\n]*|\bTEST(?:_[FP])?\([^)]*\)', re.DOTALL | re.MULTILINE)
IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*")
# Of an identifier: view, Maker; MEMPLAN, H; read, maker.
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
STRING_OR_INCLUDE = re.compile(r'"(?:\\.|[^"\\\n])*"|^[ \t]*#[ \t]*include[^\n]*', re.MULTILINE)


def table(glossary, heading):
    """The rows of the table below the heading, as lists of cells."""
    part = glossary.partition(heading + "\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in part.split("\n") if row.startswith("|")]
    return rows[2:]


def retired_parts(glossary, heading):
    """The replacement by word, and the identifiers that stay although they have one."""
    rows = table(glossary, heading)
    words = {word: instead for retired, instead, _ in rows for word in retired.split(", ")}
    return words, {name.strip("`") for *_, stay in rows for name in stay.split(", ") if name}


def parts_in_code(text, words, staying):
    """(line, identifier or word, replacement) of identifiers that have a retired word as a part, and of words in comments."""
    code = STRING_OR_INCLUDE.sub("", text)
    for number, line in enumerate(code.split("\n"), 1):
        for name in IDENTIFIER.findall(line):
            for part in PART.findall(name):
                word = part.lower().removesuffix("s") if part.lower() not in words else part.lower()
                if word in words and name not in staying:
                    yield number, name, words[word]


def beginnings(text, words):
    """(line, word, replacement) of contracts that begin with one of the words."""
    before = ""
    for number, line in enumerate(text.split("\n"), 1):
        found = re.search(r"///<\s*(\w+)", line) or not before.lstrip().startswith("///") and re.match(r"\s*///\s*(\w+)", line)
        if found and found[1] in words:
            yield number, found[1], words[found[1]]
        before = line


def retired_words(glossary, heading):
    """The names with their replacements, and (pattern, replacement) of the words, of each row below the heading."""
    names, words = {}, []
    for retired, instead, *_ in table(glossary, heading):
        for word in retired.split(", "):
            if word.startswith("`"):
                names[word.strip("`")] = instead
            else:
                words.append((re.compile(rf"\b{re.escape(word)}s?\b", re.IGNORECASE), instead))
    return names, words


def identifiers(text):
    """(line, name) of the identifiers of a C or C++ source."""
    code = NO_CODE.sub(lambda found: "\n" * found.group().count("\n"), text)
    for number, line in enumerate(code.split("\n"), 1):
        for found in IDENTIFIER.finditer(line):
            yield number, found.group()


def uses(text, suffix, names, words):
    """(line, word, replacement) of each retired word of one file."""
    if suffix in CODE and names:
        for number, name in identifiers(text):
            if name in names:
                yield number, name, names[name]
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, instead in words:
            for found in pattern.finditer(line):
                yield number, found.group(), instead


def main(root):
    glossary = (root / "docs/Glossary.md").read_text()
    names, words = retired_words(glossary, "## Retired words")
    of_code, staying = retired_parts(glossary, "## Retired in code")
    first = {word: instead for words, instead in table(glossary, "## First words of contracts") for word in words.split(", ")}
    _, of_pages = retired_words(glossary, "## Retired in documentation")
    if not names and not words:
        sys.exit("error: docs/Glossary.md retires no word")
    files = [f for top in TOPS for f in (root / top).rglob("*") if f.suffix in SUFFIXES] + sorted(root.glob("*.md"))
    skipped = {"Glossary.md", "check_words.py", "words.test"}
    problems = []
    for file in sorted(files):
        path = file.relative_to(root)
        # Examples hold what an exporter wrote, and Inputs what tests refuse.
        if file.name in skipped or "Inputs" in path.parts or path.parts[0] == "examples":
            continue
        problems += [f"{path.as_posix()}:{number}: '{word}' is retired; write {instead}"
                     for number, word, instead in uses(file.read_text(errors="replace"), file.suffix, names, words)]
        if path.parts[0] in ("include", "lib", "tools") and file.suffix in CODE:
            problems += [f"{path.as_posix()}:{number}: '{word}' is retired; write {instead}"
                         for number, word, instead in parts_in_code(file.read_text(errors="replace"), of_code, staying)]
            problems += [f"{path.as_posix()}:{number}: a contract begins with '{word}'; begin with {instead}"
                         for number, word, instead in beginnings(file.read_text(errors="replace"), first)]
        # Generated pages are written from code; what is in backticks is code.
        if path.parts[0] == "docs" and file.suffix == ".md" and "generated" not in path.parts:
            prose = re.sub(r"`[^`\n]*`", "", file.read_text())
            problems += [f"{path.as_posix()}:{number}: '{word}' is retired; write {instead}"
                         for number, word, instead in uses(prose, file.suffix, {}, of_pages)]
    print("\n".join(problems or [f"{len(names) + len(words) + len(of_code) + len(first) + len(of_pages)} retired words occur nowhere"]))
    return 1 if problems else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_words.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
