#!/usr/bin/env python3
"""Measures reports: made in, size, opened in, and whether hostile names run; writes docs/Benchmarks/Reports.md.

usage: measure.py [--build FOLDER] [--pages N] [--write]

A report is made by `memplan report` of a plan file, in a process of its own. A page is opened in Chromium without a window: it can be read when the parts that are on
the screen are there, and is drawn when every chart is. --pages graphs whose names are scripts, quotes, 10,000 characters and other alphabets are opened too, and
every way to run or to break the layout is watched. Needs bokeh, playwright and Chromium (utils/test.sh installs them).
"""
from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "python-bindings/tests")]
import shared  # noqa: E402

PAGE = ROOT / "docs/Benchmarks/Reports.md"


def plans(build, folder):
    """(title, graph file, plan file) of the steps."""
    shared.call(build / "bin/memplan-opt", ROOT / "examples/gpt2.mlir", "--emit=graph", "-o", folder / "gpt2.graph.json")
    shared.call(sys.executable, ROOT / "benchmarks/generate/transformer.py", 48, 4, "-o", folder / "transformer.graph.json")
    shared.call(sys.executable, ROOT / "benchmarks/generate/transformer.py", 80, 27, "--hidden", 8192, "--sequence", 4096, "--fsdp", 8, "-o", folder / "large.graph.json")
    for title, name, options in (("GPT-2 small, batch 4", "gpt2", ["--budget=70%", "--effort=100"]),
                                 ("a transformer, 48 layers x 4 micro-batches", "transformer", ["--budget=80%", "--effort=100"]),
                                 ("a transformer, 80 layers x 27 micro-batches in eight shards", "large", ["--budget=80%", "--remat=search", "--order=source", "--effort=8000"])):
        graph, plan = folder / f"{name}.graph.json", folder / f"{name}.plan.json"
        shared.call(build / "bin/memplan-solve", "remat", graph, *options, "-o", plan)
        yield title, graph, plan


def made(build, plan, page):
    """Seconds that pass, and of the processor."""
    before, begin = os.times(), time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(build / "python")}
    done = subprocess.run([sys.executable, "-m", "memplan", "report", plan, "-o", page], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    passed, after = time.monotonic() - begin, os.times()
    return passed, after.children_user + after.children_system - before.children_user - before.children_system


def opened(browser, page):
    """Seconds until the page can be read, and until every chart of it is drawn, the best of three."""
    best = []
    for _ in range(3):
        context = browser.new_context(viewport={"width": 1366, "height": 768})
        view = context.new_page()
        begin = time.monotonic()
        view.goto(page.as_uri())
        view.wait_for_selector("body[data-ready='yes']")
        read = time.monotonic() - begin
        for holder in view.query_selector_all(".chart"):
            holder.scroll_into_view_if_needed()
        while not view.evaluate("[...document.querySelectorAll('.chart')].every((chart) => chart.dataset.drawn === 'yes')"):
            view.wait_for_timeout(20)
        best.append((read, time.monotonic() - begin))
        context.close()
    return tuple(min(column) for column in zip(*best))


def hostile(browser, pages, folder):
    """(pages opened, scripts that ran or tried to, layouts that were pushed out of the screen)."""
    import memplan
    from test_reports import hostile_graph
    ran = broken = 0
    for seed in range(pages):
        width = 390 if seed % 2 else 1366
        memplan.plan(hostile_graph(seed), effort=10).report().save(folder / "hostile.html")
        context = browser.new_context(viewport={"width": width, "height": 800})
        view, wrong = context.new_page(), []
        view.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        view.on("pageerror", lambda error: wrong.append(str(error)))
        view.on("dialog", lambda dialog: (wrong.append(dialog.message), dialog.dismiss()))
        view.on("request", lambda request: wrong.append(request.url) if not request.url.startswith(("file:", "data:", "blob:")) else None)
        view.goto((folder / "hostile.html").as_uri())
        view.wait_for_selector("body[data-ready='yes']")
        ran += bool(wrong) or view.title() == "run" or view.locator("img, iframe").count() > 0
        broken += view.evaluate("document.documentElement.scrollWidth") > width
        context.close()
    return pages, ran, broken


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[2][len("usage: "):])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    build = shared.built(given.build.resolve(), "memplan-opt", "memplan-solve")
    sys.path.insert(0, str(build / "python"))
    from playwright import sync_api
    rows = [shared.head(), "", "| step | nodes | made in, s | of the processor, s | size, MB | can be read after, s | all charts drawn after, s |", "|---|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as scratch, sync_api.sync_playwright() as driver:
        folder = pathlib.Path(scratch)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for title, graph, plan in plans(build, folder):
            page = plan.with_suffix(".html")
            passed, busy = min(made(build, plan, page) for _ in range(3))
            read, drawn = opened(browser, page)
            import memplan
            nodes = memplan.Graph.load(graph).node_count
            rows.append(f"| {title} | {nodes} | {passed:.1f} | {busy:.1f} | {page.stat().st_size / 1e6:.1f} | {read:.1f} | {drawn:.1f} |")
            print(rows[-1], flush=True)
        pages, ran, broken = hostile(browser, given.pages, folder)
        rows += ["", f"{pages} graphs with hostile names, opened by turns at 1366 and 390 pixels: {ran} scripts ran, {broken} layouts were broken. Chromium {browser.version}."]
        print(rows[-1])
        browser.close()
    if given.write:
        shared.put_table(PAGE, "benchmarks/reports/measure.py", "\n".join(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
