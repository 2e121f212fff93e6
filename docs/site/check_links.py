#!/usr/bin/env python3
"""Refuses links and anchors of a site that lead nowhere, and what a page would fetch from a network.

usage: check_links.py FOLDER
Reads every .html file below FOLDER. Exit status 1 when something is wrong, or when there is no link at all.
"""
import html.parser
import pathlib
import sys
import urllib.parse

# What a page loads by itself. Links that a reader follows may lead elsewhere.
LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.names, self.links, self.loads = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.names.update(values[key] for key in ("id", "name") if values.get(key))
        for key in ("href", "src"):
            if value := values.get(key):
                (self.loads if (tag, key) in LOADED else self.links).append(value)


def main(folder):
    folder = pathlib.Path(folder).resolve()
    # A report is one file that holds everything; its links point into itself and are the business of its own tests.
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html")) if "reports" not in path.relative_to(folder).parts}
    problems, links = [], 0
    for path, page in pages.items():
        name = path.relative_to(folder).as_posix()
        for loaded in page.loads:
            if urllib.parse.urlparse(loaded).scheme in ("http", "https") or loaded.startswith("//"):
                problems.append(f"{name}: loads '{loaded}' from a network")
        for link in [*page.links, *page.loads]:
            parts = urllib.parse.urlparse(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.exists():
                problems.append(f"{name}: there is no '{link}'")
            elif anchor and target in pages and anchor not in pages[target].names:
                problems.append(f"{name}: there is no anchor '{link}'")
    print("\n".join(sorted(set(problems)) or [f"{links} links in {len(pages)} pages lead somewhere"]))
    return 1 if problems or not links else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_links.py FOLDER")
    sys.exit(main(sys.argv[1]))
