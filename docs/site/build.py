"""Puts the pages of the site together and has Sphinx make it.

usage: build.py BUILD OUTPUT [--without-reports]
BUILD is a build folder with the tools and the Python package; OUTPUT gets the site, a folder that opens as files. Runs under a Python
that has Sphinx; what takes memplan itself runs under the Python that BUILD made its package for.
"""
from __future__ import annotations

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parent
ROOT = DOCS.parent
MARKER = ".memplan-site"  # in folders that this script made
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?!\w+:|#)(?P<path>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")
# The site's parts in reading order: title, pages. A page that stands in none of them is an error of Sphinx.
PARTS = (
    ("Start", ("Start/PyTorch", "Start/Compilers", "Start/Research", "Start/Backends")),
    ("See", ("Report", "gallery/index")),
    ("Use", ("Torch", "Export", "Python", "Running", "Precision", "Ranks", "Solve", "Embedding", "CostModels", "Dynamic", "Options", "Formats")),
    ("Understand", ("Architecture", "Planner/README", "Planner/*", "Planner/Remat/*", "Planner/Arena/*", "Runtime", "Runtime/*", "Rationale", "Glossary", "Testing")),
    ("Look up", ("reference/Commands", "reference/Python", "reference/C", "generated/Dialect", "generated/*")),
    ("Figures", ("Benchmarks", "Benchmarks/*")),
)


def python_of(build):
    """The interpreter that the build's package is made for."""
    found = re.search(r"^_?Python3_EXECUTABLE:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found[1] if found else sys.executable


def without_outside_links(page, text):
    """Links to files that are no pages name them instead."""
    def say(link):
        target = (page.parent / link["path"]).resolve()
        if target.is_relative_to(DOCS):
            return link[0]
        return f"`{link['text'].strip('`')}`" if link["text"].strip("`") == target.name or "/" in link["text"] else f"{link['text']} (`{target.relative_to(ROOT)}`)"
    return LINK.sub(say, text)


def stage(folder):
    """Copies the pages and their pictures."""
    for path in sorted(DOCS.rglob("*")):
        place = folder / path.relative_to(DOCS)
        if path.is_dir() or HERE in path.parents or path.name == "CMakeLists.txt":
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copy(path, place)
            continue
        text = without_outside_links(path, path.read_text(encoding="utf-8")).replace("\n[TOC]\n", "\n")
        if path.parent.name == "generated" and not re.search(r"^# ", text, re.MULTILINE):
            from references import TITLES
            text = f"# {TITLES.get(path.stem, path.stem)}\n\n{text}"
        place.write_text(text, encoding="utf-8")
    for name in ("conf.py", "mlir_lexer.py"):
        shutil.copy(HERE / name, folder)
    shutil.copytree(HERE / "static", folder / "static")
    (folder / "extra").mkdir()


def write_index(folder):
    """docs/README.md is the first page; the parts come below it, in the margin."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    (folder / "README.md").unlink()
    seen = set()
    for title, patterns in PARTS:
        pages = []
        for pattern in patterns:
            found = sorted(path.relative_to(folder).with_suffix("").as_posix() for path in folder.glob(f"{pattern}.md"))
            pages += [page for page in found if page not in seen and not seen.add(page)]
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n" + "\n".join(pages) + "\n```\n"
    (folder / "index.md").write_text(text, encoding="utf-8")


def make_empty(folder):
    """An empty folder, also where a site made before lies; anything else is not ours to remove."""
    marker = folder / MARKER
    if folder.exists() and not marker.exists() and any(folder.iterdir()):
        sys.exit(f"error: {folder} exists and is not a site made before; give --output a new folder")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    marker.touch()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: "):])
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("output", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--without-reports", action="store_true", help="leave the gallery without its pages, which take half a minute")
    given = parser.parse_args()
    source = given.output.with_name(given.output.name + "-source")
    for folder in (source, given.output):
        make_empty(folder)
    stage(source)
    # Help has as many columns on every terminal.
    environment = {**os.environ, "PYTHONPATH": str(given.build / "python"), "COLUMNS": "120"}
    for script, arguments in (("references.py", [source / "reference"]), ("gallery.py", [source, *["--without-reports"] * given.without_reports])):
        subprocess.run([python_of(given.build), HERE / script, given.build, *arguments], check=True, env=environment)
    write_index(source)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", str(os.cpu_count()), "-b", "html", source, given.output]
    status = subprocess.run(command, check=False).returncode
    return status or subprocess.run([sys.executable, HERE / "check_links.py", given.output], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
