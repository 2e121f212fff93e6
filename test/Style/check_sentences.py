#!/usr/bin/env python3
"""Refuses sentences of more than 25 words in pages and in the contracts of public headers.

usage: check_sentences.py ROOT [--list]
Pages are README.md, CONTRIBUTING.md and docs, but for generated ones; headers those below include, of which `//` and `///` comments count. A
sentence ends at a full stop, a question or an exclamation mark, with its paragraph, its item of a list or its comment. Code in backticks is one word; what has no letter and
no digit is none. Tables, headings, code and formulas (four spaces deep) have no sentences.
Comments of all C and C++ sources may not be torn either: a line ends where the next word would not fit, or with its sentence.
--list prints each sentence with its file and lines, for those who mend them. Exit status 1 where one is too long, or a comment is torn.
"""
import pathlib
import re
import sys

MOST = 25
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|al|Fig|eq)\.$")
# Names in code may begin a sentence in lower case.
END = re.compile(r"(?<=[.!?])[)\"'*_]*\s+(?=[\"'(*_]*[A-Z0-9\[~§<-]|\"|xx|memplan\b|[a-z]+[A-Z0-9_]\w)")


def same_length(pattern, text, fill=" ", flags=0):
    """The text with all that matches filled, line breaks but for, so that places stay what they are."""
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", fill, found.group()), text, flags=flags)


def prose_of_page(text):
    """(line number, place in the text, line) of what is prose; other lines are empty."""
    text = same_length(r"^```.*?^```[^\n]*$", text, flags=re.DOTALL | re.MULTILINE)
    text = same_length(r"<!--.*?-->", text, flags=re.DOTALL)
    text = same_length(r"`[^`\n]+(?:\n[^`\n]+)?`", text, "x")
    text = same_length(r"\]\([^)\s]*\)", text)
    return numbered(text)


def prose_of_header(text):
    """Likewise of comments. A `///<` behind code begins one, and lines with columns are apart."""
    lines = []
    for line in text.split("\n"):
        found = re.match(r"\s*//(?:/<|/|!)? ?|.*///< ?", line)
        said = line[found.end():] if found else ""
        is_apart = not found or re.match(r"=|-+$", said) or re.search(r"\S {2,}\S", said)
        lines.append(" " * len(line) if is_apart else " " * found.end() + same_length(r"`[^`]+`", said, "x"))
    return numbered("\n".join(lines))


def numbered(text):
    place = 0
    for number, line in enumerate(text.split("\n"), 1):
        yield number, place, line
        place += len(line) + 1


def paragraphs(lines, text):
    """Lists of (line number, place, line) that belong together."""
    here = []
    for number, place, line in lines:
        stripped = line.strip()
        raw = text[place:place + len(line)]
        # A comment behind code ends with the code's line, or with the lines `///<` below it.
        ends = here and "///<" in text[here[-1][1]:here[-1][1] + len(here[-1][2])] and "///<" not in raw
        is_item = re.match(r"(?:[-*+]|\d+[.:])\s", stripped) or re.search(r"\S.*///<", raw) or ends
        is_none = not stripped or stripped.startswith(("|", "#")) or re.match(r" {4}", raw) and not here
        if is_none or is_item:
            if here:
                yield here
            here = [] if is_none else [(number, place, line)]
        else:
            here.append((number, place, line))
    if here:
        yield here


def sentences(paragraph):
    """(first line, [place, place), text) of each."""
    places, text = [], ""
    for number, place, line in paragraph:
        begin = len(line) - len(line.lstrip())
        places.append((len(text), number, place + begin))
        text += line.strip() + " "

    def place_of(at):
        return max((begin, number, place + at - begin) for begin, number, place in places if begin <= at)

    begin = 0
    for end in [*(found.start() for found in END.finditer(text)), len(text.rstrip())]:
        if end < len(text.rstrip()) and ABBREVIATION.search(text[begin:end]):
            continue
        begin += len(text[begin:]) - len(text[begin:].lstrip(" \"')*_"))
        if begin < end:
            yield place_of(begin)[1], place_of(begin)[2], place_of(end - 1)[2] + 1, text[begin:end].strip()
        begin = end


def words(sentence):
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def files(root):
    pages = [root / "README.md", root / "CONTRIBUTING.md", *(path for path in (root / "docs").rglob("*.md") if "generated" not in path.parts)]
    headers = [*(root / "include").rglob("*.h")]
    return sorted(path for path in [*pages, *headers] if path.exists())


def too_long(path):
    """(line, words, [place, place) of the file's text, its paragraph) of each sentence that is too long."""
    text = path.read_text()
    for paragraph in paragraphs((prose_of_page if path.suffix == ".md" else prose_of_header)(text), text):
        for number, begin, end, sentence in sentences(paragraph):
            if (count := words(sentence)) > MOST:
                yield number, count, begin, end, paragraph


def torn(path):
    """Lines of comments that end early, in the middle of a sentence."""
    lines = path.read_text(errors="replace").split("\n")
    for number, (line, follower) in enumerate(zip(lines, lines[1:]), 1):
        here, there = (re.match(r"(\s*///?) ((?:- )?)(\S.*)$", each) for each in (line, follower))
        # Not formulas, tables and lists, which are indented, have columns, or begin in upper case.
        if here and there and here[1] == there[1] and re.match(r"[a-z]", there[3]) and not there[2] and not re.search(r"\S {2,}\S|^===", here[3]):
            if len(line) + 1 + len(there[3].split()[0]) <= 72 and not re.search(r"[.:;!?)=]$|^r / ", here[3]) and not re.match(r"r / ", there[3]):
                yield number, here[3]


def shown(sentence, whole):
    text = re.sub(r"\s*\n\s*(?://[/!]?<?)?\s*", " ", sentence)
    return text if whole else text[:80] + " ..."


def main(root, prints):
    problems, seen = [], 0
    for path in files(root):
        seen += 1
        name = path.relative_to(root).as_posix()
        text = path.read_text()
        problems += [f"{name}:{number}: a sentence of {count} words: {shown(text[begin:end], prints)}" for number, count, begin, end, _ in too_long(path)]
    for top in ("include", "lib", "tools"):
        for path in sorted(path for path in (root / top).rglob("*") if path.suffix in (".h", ".c", ".cpp", ".cu")):
            problems += [f"{path.relative_to(root).as_posix()}:{number}: is torn: {line}" for number, line in torn(path)]
    print("\n".join(problems or [f"{seen} files have no sentence above {MOST} words"]))
    return 1 if problems or not seen else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: check_sentences.py ROOT [--list]")
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), "--list" in sys.argv))
