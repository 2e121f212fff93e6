#!/usr/bin/env python3
"""Refuses paths, file names, functions and links in documentation, and paths in comments of code, that lead to nothing.

usage: check_paths.py ROOT
Looks at words in backticks in README.md, CONTRIBUTING.md, docs and the README files of other folders, but for generated pages.
`a/b` is a path below the root, below `lib`, `include`, `include/memplan`, `include/memplan/Planner`, `docs` or `test`, or beside the page; `name.h` is a file
somewhere. Links to files and to headings of pages are followed too. `{a,b}` stands for both, `*` and `<Name>` for anything. What a build or a user makes is no path of the tree. In comments of C++, C,
TableGen and CMake files the same holds for every word that ends like a source, a page, a script or a test. `f()` and `Class::f()` are
functions that some source declares or calls, the latter in a file that names the class too. Exit status 1 when one is missing.
"""
import fnmatch
import pathlib
import re
import sys

CODE = re.compile(r"`([^`\s]+)`")
LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)")
PATH = re.compile(r"[\w.@{},<>*+-]+(?:/[\w.@{},<>*+-]+)+/?")
CALL = re.compile(r"(?:(\w+)::)?(~?\w+)\(\)")
FILE = re.compile(r"[\w{},*<>-]+\.(?:h|c|cpp|cu|td|md|py|sh|mlir|test|txt)")
BASES = ("", "lib", "include", "include/memplan", "include/memplan/Planner", "docs", "test", "python-bindings")
# In comments of code: words that look like files, and what begins a comment by the file's kind.
COMMENTED = re.compile(r"(?<![\w./<>*{}$-])((?:[\w.{},*-]+/)*[\w{},*-]+\.(?:h|c|cpp|cu|td|md|py|sh|mlir|test|txt))\b(?![\w/.])")
COMMENT = {".h": "//", ".c": "//", ".cpp": "//", ".cu": "//", ".td": "//", ".cmake": "#", ".txt": "#"}
SOURCES = {".h", ".c", ".cpp", ".cu", ".td", ".py"}
# The first part of a path that a build makes, and names that users give to files of their own.
MADE = re.compile(r"build(?:-\w+)?/|bin/|~")
OWN = {"step.c", "step.mlir", "model.py", "f.py", "file.td", "name.c"}


def alternatives(word):
    """The word with each of its {a,b} in turn."""
    found = re.search(r"\{([^{}]*)\}", word)
    if not found:
        return [word]
    return [each for part in found[1].split(",") for each in alternatives(word[:found.start()] + part + word[found.end():])]


class Tree:
    """What the folders hold, by path and by name."""

    def __init__(self, root):
        # Hidden folders and those of builds are none of the tree.
        self.paths, folders = set(), [root]
        while folders:
            for entry in folders.pop().iterdir():
                is_built = entry.is_dir() and entry.name.startswith(("build", "__pycache__"))
                if is_built or entry.name.startswith(".") and entry.name not in (".clang-format", ".ci"):
                    continue
                self.paths.add(entry.relative_to(root).as_posix())
                if entry.is_dir() and not entry.is_symlink():
                    folders.append(entry)
        # A build writes Config.h from Config.h.in.
        self.names = {pathlib.PurePosixPath(path).name.removesuffix(".in") for path in self.paths}

        self.calls = {}  # By function: the names in each file that has it.
        for path in map(pathlib.PurePosixPath, sorted(self.paths)):
            if path.suffix in SOURCES and (root / path).is_file():
                text = (root / path).read_text(errors="replace")
                words = set(re.findall(r"\w+", text))
                # A build makes the function that creates a pass.
                passes = (f"create{name}" for name in re.findall(r"^def (\w+Pass)\b", text, re.MULTILINE))
                for name in {*re.findall(r"(~?\w+)\(", text), *passes}:
                    self.calls.setdefault(name, []).append(words)

    def has_function(self, scope, name):
        return any(not scope or scope in words for words in self.calls.get(name, []))

    def has(self, word, bases):
        if "*" not in word:
            return any(base_of(base, word) in self.paths for base in bases)
        return any(fnmatch.fnmatch(path, base_of(base, word)) for base in bases for path in self.paths)


def base_of(base, word):
    return f"{base}/{word}".lstrip("/").removeprefix("./")


def is_missing(word, page, tree):
    """Whether the word names a file or folder that the tree lacks."""
    if MADE.match(word) or word in OWN:
        return False
    if call := CALL.fullmatch(word):
        return not tree.has_function(*call.groups())
    bare = re.sub(r"<\w+>", "*", word).rstrip("/")
    if FILE.fullmatch(word) and "/" not in word:
        return not all(fnmatch.filter(tree.names, name) for name in alternatives(bare))
    if not PATH.fullmatch(word):
        return False
    if not tree.has(word.split("/")[0], BASES) and not FILE.fullmatch(word.rsplit("/", 1)[-1]):
        return False  # A name of an operation, a unit, an alternative.
    bases = (*BASES, page.parent.as_posix() if page.parent.name else "")
    return not all(tree.has(each, bases) for each in alternatives(bare))


def comments_of_code(root, tree):
    """(path, line, word) of the words in comments that look like files."""
    for path in map(pathlib.PurePosixPath, sorted(tree.paths)):
        mark = COMMENT.get(path.suffix)
        if not mark or "Inputs" in path.parts or not (root / path).is_file():
            continue
        for number, line in enumerate((root / path).read_text(errors="replace").split("\n"), 1):
            for word in COMMENTED.findall(re.sub(r"\w+://\S*", "", line).partition(mark)[2]):
                yield path, number, word


def anchors(text):
    """What links to the headings of a page say behind #."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


def dead_links(line, page, text):
    """The targets of links of a line that are no file, or no heading of a page."""
    for target in LINK.findall(line):
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file.read_text() if path else text)):
            yield target


def main(root):
    tree = Tree(root)
    pages = sorted(path for path in tree.paths if path.endswith(".md") and not re.search(r"generated/|(^|/)Inputs/", path))
    problems, words = [], 0
    for page in map(pathlib.PurePosixPath, pages):
        text = (root / page).read_text()
        for number, line in enumerate(text.split("\n"), 1):
            problems += [f"{page}:{number}: the link to '{target}' is dead" for target in dead_links(CODE.sub("", line), root / page, text)]
            for found in CODE.finditer(line):
                words += 1
                if is_missing(found[1], page, tree):
                    problems.append(f"{page}:{number}: there is no '{found[1]}'")
    named = list(comments_of_code(root, tree))
    problems += [f"{path}:{number}: there is no '{word}'" for path, number, word in named if is_missing(word, path, tree)]
    print("\n".join(problems or [f"{words} words in {len(pages)} pages and {len(named)} in comments name no file that is missing"]))
    return 1 if problems or not words else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_paths.py ROOT")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
