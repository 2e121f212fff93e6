#!/usr/bin/env python3
"""No two headers of include/ and lib/ define a class of one name in one namespace.

usage: check_names.py ROOT
Programs would link with either of two inline functions, for both classes: g++ did, and crashed. Prints each such pair; exit status 1 when
there is one.
"""
import collections
import pathlib
import re
import sys

NAMESPACE = re.compile(r"^namespace ([\w:]+) \{|^\} // namespace ([\w:]+)$|^(?:class|struct) (\w+)(?: final)?(?: :[^;{]*)?\s*\{", re.MULTILINE)


def classes(text):
    """(namespace, class) of each class that is defined at the left margin."""
    spaces = []
    for opened, closed, name in NAMESPACE.findall(text):
        if opened:
            spaces.append(opened)
        elif closed and spaces:
            spaces.pop()
        elif name:
            yield "::".join(spaces), name


def main():
    root, places = pathlib.Path(sys.argv[1]), collections.defaultdict(set)
    for folder in ("include", "lib"):
        for header in (root / folder).rglob("*.h"):
            for named in classes(header.read_text()):
                places[named].add(str(header.relative_to(root)))
    found = {named: files for named, files in places.items() if len(files) > 1}
    for (space, name), files in sorted(found.items()):
        print(f"{space}::{name}: {', '.join(sorted(files))}")
    print(f"{len(places)} classes in headers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
