"""Pages of reference, each made of what it describes: the help of commands, C headers, Python docstrings.

usage: references.py BUILD FOLDER
Runs under the Python that BUILD made its package for, with that package on its path.
"""
from __future__ import annotations

import importlib
import inspect
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON_MODULES = ("memplan", "memplan.torch", "memplan.export", "memplan.models", "memplan.errors")
# Titles of the pages that mlir-tblgen makes, which have none.
TITLES = {"CompilerPasses": "Passes of the compiler", "ConversionPasses": "Passes that lower", "DialectPasses": "Passes of the dialect",
          "MemRefPasses": "Passes on memrefs", "Passes": "Passes that plan"}


def fenced(text, language="text"):
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def output_of(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"error: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


# --- Commands ---


def options_of_category(help_text, title):
    """Of the help of an LLVM tool, the section whose title begins so."""
    kept, taken = [], False
    for line in help_text.split("\n"):
        if re.fullmatch(r"[^ ].*:", line):
            taken = line.startswith(title)
        if taken:
            kept.append(line)
    return "\n".join(kept).strip()


def commands(build):
    """Each command as its own help has it."""
    tools = build / "bin"
    python = [sys.executable, "-c", "import sys; from memplan.cli import main; sys.argv[0] = 'memplan'; sys.exit(main())"]
    page = ["# Commands", "What each tool says when it is asked for `--help`.", fenced("memplan-opt --help\nmemplan-run --help\nmemplan-solve remat --help\nmemplan plan --help", "sh")]
    whole = output_of(tools / "memplan-opt", "--help")
    page += ["## memplan-opt", "Plans the training steps of `.mlir` files. Besides these options it takes all of `mlir-opt`, and each [pass](../generated/Passes.md) by name.",
             fenced(options_of_category(whole, "Planning:"))]
    page += ["## memplan-run", "Plans and runs a step.", fenced(output_of(tools / "memplan-run", "--help"))]
    whole = output_of(tools / "memplan-solve", "--help")
    page += ["## memplan-solve", "Problem files in, plans out, without MLIR.", fenced(output_of(tools / "memplan-solve", "--list-solvers"))]
    for name in re.findall(r"^  (\S+) +- ", whole, re.MULTILINE):
        own = output_of(tools / "memplan-solve", name, "--help")
        page += [f"### memplan-solve {name}", fenced(re.sub(r"\nColor Options:.*?(?=\n\S)", "", own, flags=re.DOTALL))]
    page += ["## memplan", "The command of the Python package.", fenced(output_of(*python, "--help"))]
    from memplan.cli import COMMANDS
    for name in COMMANDS:
        page += [f"### memplan {name}", fenced(output_of(*python, name, "--help"))]
    return "\n\n".join(page)


# --- C ---


def plain(comment):
    """The text of comment lines, their marks taken off."""
    return "\n".join(re.sub(r"^ *// ?/? ?", "", line) for line in comment.split("\n")).strip()


def c_header(path):
    """One header: what its head says, then what each declaration says of itself."""
    text = path.read_text(encoding="utf-8")
    head = re.search(r"^//===-+===//\n//\n(?P<text>(?://[^=\n]*\n)+?)//\n//===-+===//\n", text[text.index("\n//===---", 1) + 1:], re.MULTILINE)
    page = [f"## memplan-c/{path.name}", fenced(f'#include "memplan-c/{path.name}"', "c")]
    if head:
        page.append(plain(head["text"]))
    body = text[text.index("#define MEMPLAN_C_"):] if "#define MEMPLAN_C_" in text else text
    body = re.sub(r'#ifdef __cplusplus.*?#endif\n', "", body, flags=re.DOTALL)
    item = re.compile(r"^//===-+===//\n// (?P<section>[^\n]*)\n//===-+===//\n"
                      r"|(?P<comment>(?:^///[^\n]*\n)*)^(?P<code>(?:typedef|enum|struct|static|memplan_|void|const|int|char|double|size_t|u?int\d+_t|#define MEMPLAN_\w+[( ])[^\n]*\n(?:(?![ \t]*\n)[^\n]*\n)*?)"
                      r"(?=\n|///|//===|typedef|memplan_|void |u?int\d+_t |#define|#e|\Z)", re.MULTILINE)
    for found in item.finditer(body):
        if found["section"]:
            page.append(f"### {found['section']}")
            continue
        code = found["code"].rstrip()
        if not re.search(r"[;)}]\s*(///<.*)?$", code) and not code.startswith("#define"):
            continue
        name = name_of(code)
        if name:
            page += [f"#### `{name}`", plain(found["comment"]), fenced(code, "c")]
    return "\n\n".join(part for part in page if part)


def name_of(code):
    """What a C declaration declares."""
    for pattern in (r"#define (\w+)", r"\(\*(memplan_\w+)\)\(", r"}\s*(memplan_\w+);", r"\b(memplan_\w+)\s*\(", r"\b(memplan_\w+);"):
        if found := re.search(pattern, code):
            return found[1]
    return None


def c_functions():
    page = ["# C", "Every declaration of the C interface, by header. [Embedding](../Embedding.md) shows how to build with it.",
            fenced("cc step.c $(pkg-config --cflags --libs memplan-planner)", "sh")]
    for path in sorted((ROOT / "include/memplan-c").glob("*.h")):
        page.append(c_header(path))
    return "\n\n".join(page)


# --- Python ---


def signature(thing):
    text = getattr(thing, "__nb_signature__", None)
    if text:
        return "\n".join(re.sub(r"^def ", "", each[0]) for each in text)
    try:
        return str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""


def documentation(thing):
    """A docstring: what is set in columns or is code stays so."""
    text = inspect.getdoc(thing) or ""
    parts = []
    for paragraph in re.split(r"\n\s*\n", text):
        set_apart = any(re.search(r"\S {2,}\S", line) or line.startswith("    ") for line in paragraph.split("\n"))
        parts.append(fenced(paragraph) if set_apart else paragraph.replace("<", "\\<").replace("*", "\\*"))
    return "\n\n".join(parts)


def of_class(name, value):
    page = [f"### `{name}`", documentation(value)]
    rows = []
    for member, held in sorted(vars(value).items()):
        if member.startswith("_"):
            continue
        held = getattr(held, "__func__", held)
        is_data = isinstance(held, property) or not callable(held)
        told = " ".join((inspect.getdoc(getattr(held, "fget", None) or held) or "").split("\n\n")[0].split()) if is_data or callable(held) else ""
        if is_data and not isinstance(held, property) and not type(held).__name__.startswith(("nb_", "member", "getset", "_tuplegetter")):
            told = f"`{held!r}`" if isinstance(held, (int, str, float)) else ""
        call = "" if is_data else signature(held) if "\n" not in signature(held) else "(...)"
        call = re.sub(rf"^{re.escape(member)}", "", call)
        told = re.sub(r"^\(self(?:, /)?\) -> ", "", told).replace("memplan._planner.", "").replace("memplan._runtime.", "")
        rows.append(f"| `{member}{call.replace('|', chr(92) + '|')}` | {told.replace('|', chr(92) + '|').replace('<', chr(92) + '<')} |")
    if rows:
        page.append("| member | |\n|---|---|\n" + "\n".join(rows))
    return "\n\n".join(page)


def python_functions():
    page = ["# Python", "Every public name of the package, as its docstring has it. [Python](../Python.md) shows how to plan, [Torch](../Torch.md) how to train within a budget.",
            fenced('python -c "import memplan; help(memplan.plan)"', "sh")]
    for module_name in PYTHON_MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError as error:
            page.append(f"## {module_name}\n\nNot here: {error}. The site was made without it.")
            continue
        page += [f"## {module_name}", documentation(module)]
        names = getattr(module, "__all__", None) or sorted(name for name, value in vars(module).items()
                                                           if not name.startswith("_") and getattr(value, "__module__", None) == module_name)
        for name in names:
            value = getattr(module, name)
            if inspect.isclass(value):
                page.append(of_class(f"{module_name}.{name}", value))
            elif callable(value):
                call = signature(value)
                page += [f"### `{module_name}.{name}`", fenced(f"{name}{call}" if not call.startswith(name) else call, "python"), documentation(value)]
            else:
                page += [f"### `{module_name}.{name}`", fenced(repr(value))]
    return "\n\n".join(page)


def main(build, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("Commands", commands(build)), ("C", c_functions()), ("Python", python_functions())):
        (folder / f"{name}.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
