#!/usr/bin/env python3
"""Refuses classes with too many methods: one that is cut over several files is still one class.

usage: check_classes.py ROOT [--most N]
Counts the functions that the body of a class or struct declares, constructors and operators included, in the C++ sources
below include and lib. Exit status 1 when one declares more than N (40).
"""
import argparse
import pathlib
import re
import sys

# What holds no declaration, each replaced by as many lines.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.DOTALL | re.MULTILINE)
CLASS = re.compile(r"\b(?:class|struct)\s+([A-Za-z_][\w:]*)\s*(?:final\s*)?(?::[^;{(]*)?\{")
# A declarator with its parameters, and what may follow them.
DECLARED = re.compile(r"[\w~\]=<>+*!-]\s*\(.*\)\s*(?:const|noexcept|override|final|&|->[^()]*|=\s*\w+|\s)*$", re.DOTALL)
DEFINED = re.compile(r"\)\s*(?:const|noexcept|override|final|&|->[^()]*|\s)*(?::[^:].*)?$", re.DOTALL)


def methods(code, begin):
    """The number of functions that the body declares which begins behind an opening brace."""
    count, depth, statement, place = 0, 1, "", begin
    while depth and place < len(code):
        character = code[place]
        if character == "{":
            if depth == 1 and DEFINED.search(statement) and not re.match(r"\s*(?:enum|class|struct|union)\b", statement):
                count += 1
                statement = ""
            depth += 1
        elif character == "}":
            depth -= 1
        elif depth == 1:
            if character == ";":
                if DECLARED.search(statement) and not re.match(r"\s*(?:using|typedef|friend)\b", statement):
                    count += 1
                statement = ""
            elif character == ":" and re.fullmatch(r"\s*(?:public|private|protected)", statement):
                statement = ""
            else:
                statement += character
        place += 1
    return count


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: "):])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=40)
    options = parser.parse_args()
    counted, problems = 0, []
    for file in sorted(file for top in ("include", "lib") for file in (options.root / top).rglob("*") if file.suffix in (".h", ".cpp")):
        code = NO_CODE.sub(lambda found: "\n" * found.group().count("\n"), file.read_text(errors="replace"))
        for found in CLASS.finditer(code):
            counted += 1
            if (number := methods(code, found.end())) > options.most:
                line = code.count("\n", 0, found.start()) + 1
                problems.append(f"{file.relative_to(options.root).as_posix()}:{line}: {found[1]} declares {number} functions; "
                                f"{options.most} is the most: give parts of it classes of their own")
    print("\n".join(problems or [f"{counted} classes declare at most {options.most} functions each"]))
    return 1 if problems or not counted else 0


if __name__ == "__main__":
    sys.exit(main())
