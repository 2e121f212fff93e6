#!/usr/bin/env python3
"""Refuses bare tuned numbers in the planners: each stands in its room's Tuning.h, with a name and a reason.

usage: check_tuning.py ROOT [--list]
Reads the C++ below lib/Planner and include/memplan/Planner, but for the lists themselves. A literal is no tuned number where it is 0, 1 or 2, an even
chance or a half (0.5), a base of numerals (`getAsInteger(10, ...)`), hexadecimal (hashes), an operand of shifts and of words of 64 bits, an argument of a
template, a value of an enumeration, or what shares are counted in (`/ 100 * percent`). Others are in FACTS, by file: numbers of a published method, of
a format, or that follow from what they count, with that as the reason. In a list each number has a comment above it or in the lines of the
declaration before it, and is used. Exit status 1 where one stands elsewhere, where a list has one without a reason or use, or where FACTS has one
that is not there.
"""
import collections
import pathlib
import re
import sys

ROOMS = ("lib/Planner", "include/memplan/Planner")
# File: literals, and what they are.
FACTS = {
    "include/memplan/Planner/Dynamic/DtrPolicy.h": ("10", "an option's default, as DTR's simulator has it"),
    "include/memplan/Planner/Dynamic/PoolModel.h": ("512", "bytes of a unit, as PyTorch's and MegEngine's pools have it"),
    "include/memplan/Planner/Options.h": ("256", "an option's default: the alignment of CUDA's allocations"),
    "include/memplan/Planner/Problem.h": ("400000 1e-4 1e-9", "an option's default; what `optimal` means (isOptimalBound)"),
    "include/memplan/Planner/Sharing/SharingProblem.h": ("16", "MXNet's match range"),
    "include/memplan/Planner/Step/MaxBatch.h": ("1e-9", "rounding, in a definition"),
    "include/memplan/Planner/Step/PlanCurve.h": ("100 100", "percent"),
    "include/memplan/Planner/Swap/TflmsParameters.h": ("10000", "TFLMS's default"),
    "lib/Planner/Arena/BatchArena.cpp": ("4", "kinds of moves"),
    "lib/Planner/Arena/Exact/BlockedSearch.cpp": ("4", "quarters"),
    "lib/Planner/Arena/Exact/Reasons.h": ("64 64", "bits of a word"),
    "lib/Planner/Arena/HillClimbArena.cpp": ("100 25 50 100 500", "TVM's hill climbing"),
    "lib/Planner/Arena/OccupiedRanges.cpp": ("4 4", "nodes of a tree over intervals"),
    "lib/Planner/Arena/RankedOrders.cpp": ("3", "measures of an order"),
    "lib/Planner/Bounds/ExactCost.cpp": ("80 96", "bits of a number of 128"),
    "lib/Planner/Bounds/TimeBound.cpp": ("3 3 3 3 1e-15", "clocks; a unit in the last place"),
    "lib/Planner/Bounds/ValuePath.h": ("1e200", "more than any cost"),
    "lib/Planner/InPlace/WeighInPlace.cpp": ("4", "quarters"),
    "lib/Planner/Options/OptionTexts.cpp": ("1000 3 1024 256 4096", "the most that an option takes, and parts of a bandwidth"),
    "lib/Planner/Remat/Checkmate.cpp": ("3 3 5 4 8", "terms of a row"),
    "lib/Planner/Remat/FreeOrderProgram.cpp": ("6 3 5 3", "terms of a row"),
    "lib/Planner/Remat/LpRounding.cpp": ("10 100", "Checkmate 5.1: a tenth of the budget, and draws"),
    "lib/Planner/Remat/RematProblem.cpp": ("1e-9 1e-9 1e-9 1e-4 1e-9", "verify() has its own tolerances, apart from solvers"),
    "lib/Planner/Remat/Rotor.cpp": ("3 6", "triples of blocks"),
    "lib/Planner/Search/BytesLine.cpp": ("4 4 4 4 4", "blocks at once"),
    "lib/Planner/Search/LiveRanges.cpp": ("64", "bits of a word"),
    "lib/Planner/Search/Repeats.cpp": ("8", "eighths"),
    "lib/Planner/Search/RunLine.cpp": ("10", "tenths"),
    "lib/Planner/Search/SearchDriver.cpp": ("4 3", "heats of a pace, and kinds of restarts"),
    "lib/Planner/Step/MaxBatch.cpp": ("1e9", "the most that an option takes"),
    "lib/Planner/Step/PlanStep.cpp": ("255", "streams of a plan but one"),
    "lib/Planner/Step/ProbeOrder.cpp": ("4", "quarters"),
    "lib/Planner/Step/StreamStep.cpp": ("100", "percent"),
    "lib/Planner/Swap/Rewriting.cpp": ("3", "kinds of seeds"),
    "lib/Planner/Swap/SwapProblem.cpp": ("1e-9 1e-9 1e-9 1e-4 1e-9", "verify() has its own tolerances, apart from solvers"),
}
LISTS = ("Tuning.h", "Thresholds.h")
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F']+(?:\.?p[-+]?\d+)?|\d[\d']*(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)[uUlLfFzZ]*\b")
# Text and lines of the preprocessor, replaced by as many lines. Digits are told apart by ', which begins no character after a digit.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9])\'(?:\\.|[^\'\\\n])\'|^[ \t]*#[^\n]*', re.DOTALL | re.MULTILINE)
SHARE = re.compile(r"/ (\d+) \* (\w+)|% (\d+) \* (\w+) / (\d+)")
WORDS = re.compile(r"(?:<<|>>|[%/&*]|\+|-)\s*$")


def code_of(text):
    return NO_CODE.sub(lambda found: "\n" * found.group().count("\n"), text)


def is_plain(line, found):
    """Whether the literal of a line is no tuned number, wherever it stands."""
    text, before, after = found.group(1).replace("'", ""), line[:found.start()], line[found.end():]
    if text[:2].lower() == "0x" or text in ("0", "1", "2", "0.5") or float(text) in (0, 1, 2):
        return True
    if re.search(r"(?:getAsInteger|strto\w+)\($|getAsInteger\([^,]*$", before) and text == "10":
        return True
    if re.search(r"max\(\) / $", before):  # Room below the largest number.
        return True
    if re.search(r"(?:<<|>>)=?\s*$", before) or re.match(r"\s*(?:<<|>>)", after):
        return True
    if text in ("6", "63", "64", "8") and re.search(r"(?:[&%/*]|- |\+ |>> |\()\s*$", before) and re.search(r"[&]|%|>>|<<|words?\b|/ 64|countl|max\(", line) and text != "8":
        return True
    if re.search(r"(?:SmallVector|array|SmallPtrSet|SmallDenseMap)<[^;]*$", before) and re.match(r"\s*>", after):
        return True
    if re.search(r"enum\b[^;]*$", before) or re.match(r"\s*[A-Z]\w+ = \d+,", line):
        return True
    return False


def bare_numbers(text):
    """(line number, literal, line)"""
    for number, line in enumerate(code_of(text).split("\n"), 1):
        shares = {part for each in SHARE.findall(line) for part in (each[0], each[2], each[4]) if part}
        for found in NUMBER.finditer(line):
            if not is_plain(line, found) and found.group(1) not in shares:
                yield number, found.group(1).replace("'", ""), line.strip()


def without_reason(text):
    """Lines of a list whose declaration follows no comment, and belongs to none that does."""
    has_reason = False
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped.startswith("///") or "///<" in line:
            has_reason = True
        elif not stripped or re.match(r"// \w", stripped):
            has_reason = False
        if re.search(r"\bconstexpr\b.*=", line) and not has_reason:
            yield number, stripped


def unused(text, code):
    """Names of a list that no other file has."""
    for declaration in re.findall(r"constexpr [^;]*;", code_of(text)):
        for name in re.findall(r"(\w+)(?:\[\])?\s*(?:=|\{)", declaration):
            if not re.search(rf"\b{name}\b", code):
                yield name


def main(root, prints):
    files = sorted(path for room in ROOMS for path in (root / room).rglob("*") if path.suffix in (".cpp", ".h"))
    problems, lists, seen = [], 0, 0
    code = "\n".join(path.read_text() for path in files if path.name not in LISTS)
    facts = {name: (collections.Counter(literals.split()), reason) for name, (literals, reason) in FACTS.items()}
    for path in files:
        name, text = path.relative_to(root).as_posix(), path.read_text()
        if path.name in LISTS:
            lists += 1
            seen += len(NUMBER.findall(code_of(text)))
            problems += [f"{name}:{number}: has no reason: {line}" for number, line in without_reason(text)]
            problems += [f"{name}: no code uses {number}" for number in unused(text, code) if path.name == "Tuning.h"]
            continue
        known = facts.get(name, (collections.Counter(), ""))[0]
        for number, literal, line in bare_numbers(text):
            if known[literal] > 0 and not prints:
                known[literal] -= 1
            else:
                problems.append(f"{name}:{number}: '{literal}' has no name in the room's Tuning.h: {line}")
        problems += [f"{name}: FACTS has '{literal}' once too often" for literal, count in known.items() if count > 0 and not prints]
    problems += [f"FACTS names {name}, which is not there" for name in FACTS if (root / "lib/Planner/Step").exists() and not (root / name).exists() and not prints]
    print("\n".join(problems or [f"{seen} numbers in {lists} lists, and none elsewhere in {len(files) - lists} files"]))
    return 1 if problems or not lists else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: check_tuning.py ROOT [--list]")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), "--list" in sys.argv))
