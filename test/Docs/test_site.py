"""The site: made, complete, without dead links, and searched without a network."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
CACHE = pathlib.Path(os.environ.get("MEMPLAN_CACHE_DIR", pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "memplan"))
SPHINX = CACHE / "site/bin/python"
# Read from their beginning, and not begun by typing.
READ_ONLY = {"Glossary.md", "Rationale.md"}


@pytest.fixture(scope="module")
def site(build_dir, tmp_path_factory):
    """The site without the reports of the gallery, each of which a test of reports makes."""
    pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")
    if not SPHINX.exists():
        pytest.skip("Sphinx is not installed (utils/build-site.sh or utils/test.sh installs it)")
    if not (build_dir / "bin/memplan-opt").exists():
        pytest.skip("memplan-opt is not built")
    folder = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run([SPHINX, ROOT / "docs/site/build.py", build_dir, folder, "--without-reports"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def names_of(page):
    return set(re.findall(r"<code[^>]*>(?:<span class=\"pre\">)?([\w.-]+)", page.read_text()))


def test_every_c_function_has_its_place(site):
    """A function that is exported and not described would have to be read in its header."""
    headers = "".join(re.sub(r"//[^\n]*", "", path.read_text()) for path in (ROOT / "include/memplan-c").glob("*.h"))
    declared = set(re.findall(r"\b(memplan_[a-z0-9_]+)\s*\(", headers))
    assert len(declared) > 50 and not declared - names_of(site / "reference/C.html")


def test_every_python_name_has_its_place(site):
    """As above, of the package: also what a class has."""
    import memplan

    text = (site / "reference/Python.html").read_text()
    assert not [name for name in memplan.__all__ if f"memplan.{name}" not in text]
    assert not [name for name in vars(memplan.Plan) if not name.startswith("_") and not re.search(rf">{name}\b", text)]


def test_every_command_pass_and_operation_has_its_place(site, tool):
    """What a tool's help names would not be found by searching."""
    from memplan.cli import COMMANDS

    commands = (site / "reference/Commands.html").read_text()
    assert not [name for name in COMMANDS if f"memplan {name}" not in commands]
    for name in ("memplan-opt", "memplan-run"):
        said = subprocess.run([tool(name), "--help"], capture_output=True, text=True, check=True).stdout
        flags = [flag for flag in ("--budget", "--pareto", "--report", "--emit", "--measurements", "--batch") if flag in said]
        assert len(flags) >= 3 and not [flag for flag in flags if flag not in commands]
    pages = "".join(path.read_text() for path in (site / "generated").glob("*.html"))
    passes = re.findall(r'Pass<"([\w-]+)"', "".join(path.read_text() for path in (ROOT / "include").rglob("Passes.td")))
    assert len(passes) > 10 and not [name for name in passes if name not in pages]
    operations = re.findall(r'^def Memplan_\w+ : Memplan_\w*Op<"(\w+)"', "".join(path.read_text() for path in (ROOT / "include").rglob("*.td")), re.MULTILINE)
    assert len(operations) > 20 and not [name for name in operations if f"memplan.{name}" not in pages]


def test_links_that_lead_nowhere_are_refused(site, tmp_path):
    """The check would pass whatever it is given."""
    check = [sys.executable, ROOT / "docs/site/check_links.py"]
    for text, said in (('<a href="Gone.html">x</a>', "there is no 'Gone.html'"), ('<p id="here"></p><a href="#there">x</a>', "no anchor '#there'"),
                       ('<a href="index.html">x</a><script src="https://example.org/x.js"></script>', "from a network"), ("<p>no link</p>", "0 links")):
        (tmp_path / "index.html").write_text(text)
        done = subprocess.run([*check, tmp_path], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and said in done.stdout
    assert subprocess.run([*check, site], check=False, capture_output=True).returncode == 0


def test_pages_begin_with_what_to_type():
    """A reader would look for the command below the theory."""
    late = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if "generated" in page.parts or page.name in READ_ONLY:
            continue
        lines = page.read_text().split("\n")
        first = next((number for number, line in enumerate(lines) if re.match(r"```(sh|python|cmake|c|cpp)\b", line)), None)
        if first is None or first > 28:
            late.append(page.relative_to(ROOT).as_posix())
    assert not late


def test_the_readme_stays_short():
    """A newcomer would read for longer than it takes to try."""
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 90 and len(re.findall(r"^!\[", text, re.MULTILINE)) == 1
    parts = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert len(re.findall(r"^utils/", parts["Two commands"], re.MULTILINE)) == 2 and len(re.findall(r"^\*\*", parts["Three examples"], re.MULTILINE)) == 3


def test_the_search_works_in_a_folder_of_files(site):
    """Without a server the search would say nothing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (utils/test.sh installs it)")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed (utils/test.sh installs it)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page, wrong = browser.new_page(), []
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith(("file:", "data:")) else None)
        page.goto((site / "index.html").as_uri())
        page.locator("input[name=q]").first.fill("rematerialization")
        page.keyboard.press("Enter")
        page.locator("#search-results li a").first.wait_for()
        found = [link.get_attribute("href") for link in page.locator("#search-results li a").all()]
        assert any(link.startswith("Planner/Remat") for link in found)
        page.set_viewport_size({"width": 390, "height": 844})
        wide = []
        for each in ("index.html", "Benchmarks/Torch.html", "Options.html", "reference/C.html", "Formats.html"):
            page.goto((site / each).as_uri())
            wide += [each] if page.evaluate("document.documentElement.scrollWidth") > 390 else []
        assert not wrong and not wide
        browser.close()


def test_a_folder_of_others_is_not_removed(tmp_path):
    """The script removes a site that it made before, and would remove a home by a mistyped option."""
    (tmp_path / "letters").write_text("keep")
    done = subprocess.run([sys.executable, ROOT / "docs/site/build.py", tmp_path / "build", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "is not a site made before" in done.stderr and (tmp_path / "letters").read_text() == "keep"
