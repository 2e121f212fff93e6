"""The MLIR examples of the documentation: finding them, and making a whole module of a fragment.

An example is a fenced block marked `mlir` in a Markdown file or in a description of a .td file. Comments that begin with
`// Before` and `// After` divide it into parts of their own, so that both may use the same names. A part may be a whole module or
function, or a few operations; the values that those read but do not make become arguments of a function around them, with
the types that the operations themselves write. Blocks that are not meant to parse are marked `text`.
"""
import re
from dataclasses import dataclass

PART = re.compile(r"^(?=[ \t]*// (?:Before|After)\b)", re.MULTILINE)
FENCE = re.compile(r"^([ \t]*)```mlir[ \t]*\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL)
DEFINITION = re.compile(r"^def\s+(\w+(?:Op|Pass))\b", re.MULTILINE)
NAME = re.compile(r"%[A-Za-z_0-9$.-]+")
RESULTS = re.compile(r"^\s*(%[^=]*?)\s*=(?!=)", re.MULTILINE)
# `(%a, %b : T, U)`, as in ins(...), outs(...) and workspace(...).
GROUP = re.compile(r"\(\s*(%[^():]*?)\s*:\s*((?:[^()]|\([^()]*\))*)\)")
# `%a, %b {attributes} : (T, U) -> R`
FUNCTIONAL = re.compile(r"=?\s*[\w.]+\s+(%[^{:]*?)\s*(?:\{.*\})?\s*:\s*\(([^()]*)\)\s*->")
# `memref.view %a[%i][] : T to U`
CAST = re.compile(r"=\s*[\w.]+\s+(%[\w$.-]+)[^:]*:\s*(.+?)\s+to\s")


@dataclass
class Example:
    path: str
    line: int
    text: str


def find_examples(path, text):
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start(2)) + 1
        for part in PART.split(match.group(2)):
            if part.strip():
                yield Example(path, line, part)
            line += part.count("\n")


def definitions_without_example(text):
    """Names of the ops and passes of a .td file that show no example."""
    starts = [(match.start(), match.group(1)) for match in DEFINITION.finditer(text)]
    ends = [start for start, _ in starts[1:]] + [len(text)]
    return [name for (start, name), end in zip(starts, ends) if not FENCE.search(text, start, end)]


def split_types(text):
    """Splits at commas outside of <> and ()."""
    parts, depth, current = [], 0, ""
    for before, char in zip(" " + text, text):
        depth += (char in "<([") - (char in ">)]" and not (char == ">" and before == "-"))
        if char == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += char
    return parts + [current.strip()] if current.strip() else parts


def operand_types(line):
    """(name, type) of the operands whose types one operation writes."""
    pairs = [(NAME.findall(names), split_types(types)) for names, types in GROUP.findall(line)]
    if match := FUNCTIONAL.search(line):
        pairs.append((NAME.findall(match.group(1)), split_types(match.group(2))))
    if match := CAST.search(line):
        pairs.append(([match.group(1)], [match.group(2)]))
        pairs += [([name], ["index"]) for name in NAME.findall(line[match.end(1) :])]
    for names, types in pairs:
        if len(names) == len(types):
            yield from zip(names, types)


def as_module(text):
    """A text that parses if the example is right. Whole functions and modules stay as they are."""
    code = re.sub(r"//.*", "", text)
    if re.search(r"^\s*(module|func\.func)\b", code, re.MULTILINE):
        return text
    made = set()
    for results in RESULTS.findall(code):
        made.update(name.split(":")[0] for name in NAME.findall(results))
    types = {}
    for line in code.splitlines():
        for name, type_ in operand_types(line):
            if name not in made:
                types.setdefault(name, type_)
    arguments = ", ".join(f"{name}: {type_}" for name, type_ in types.items())
    return f"func.func @example({arguments}) {{\n{text}\nreturn\n}}\n"
