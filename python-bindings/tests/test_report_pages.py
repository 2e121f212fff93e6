"""Pages of plans in Chromium: no error, no network, nothing runs but the page's own script, and what a person does works."""
import json
import os
import pathlib
import re
import shutil

import pytest

memplan = pytest.importorskip("memplan")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (utils/test.sh installs it)")
CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("Chromium is not installed (utils/test.sh installs it)", allow_module_level=True)

from memplan.reports import source  # noqa: E402
from test_reports import hostile_graph  # noqa: E402

INPUTS = pathlib.Path(__file__).parents[2] / "test/Planner/Inputs"
# How many graphs with hostile names are opened; any number by the variable.
HOSTILE_PAGES = int(os.environ.get("MEMPLAN_HOSTILE_PAGES", "8"))
# Tables of which a part is out of sight.
CUT_TABLES = "[...document.querySelectorAll('.table')].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute('aria-label'))"


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Visit:
    """A page in the browser, and what went wrong there."""

    def __init__(self, browser, file, width=1366, height=768, scheme="light"):
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.wrong = []
        self.page.on("console", lambda message: self.wrong.append(message.text) if message.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.wrong.append(request.url) if not request.url.startswith(("file:", "data:", "blob:")) else None)
        self.page.goto(file)
        self.page.wait_for_selector("body[data-ready='yes']")

    def wait(self, condition):
        """Until the expression is true: the page's security policy keeps the driver from waiting there."""
        for _ in range(200):
            if self.page.evaluate(condition):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never true: {condition}")

    def draw_all(self):
        """Scrolls to every chart, so that it is drawn."""
        for holder in self.page.query_selector_all(".chart"):
            holder.scroll_into_view_if_needed()
        self.wait("[...document.querySelectorAll('.chart')].every((chart) => chart.dataset.drawn === 'yes')")
        return self.page.locator(".chart").count()


@pytest.fixture
def visit(browser):
    visits = []

    def open_page(file, fragment="", **arguments):
        visits.append(Visit(browser, pathlib.Path(file).as_uri() + fragment, **arguments))
        return visits[-1]

    yield open_page
    wrong = [text for each in visits for text in each.wrong]
    for each in visits:
        each.context.close()
    assert not wrong


@pytest.fixture(scope="module")
def plan():
    graph = memplan.Graph.load(INPUTS / "mlp.graph.json")
    return memplan.plan(graph, "85%", effort=200)


@pytest.fixture(scope="module")
def file(plan, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "step.html"
    plan.report(curve=memplan.reports.race(plan.graph, points=4, effort=100)).save(path)
    return path


def exact(text):
    """The bytes of "123,456 bytes", of which the last counts."""
    return int(re.findall(r"([\d,]+) bytes", text)[-1].replace(",", ""))


def test_numbers_are_those_of_the_plan(plan, file, visit):
    """The page would promise what the plan does not keep."""
    page = visit(file).page
    title = "document.getElementById('{}').parentElement.title"
    assert exact(page.evaluate(title.format("device-bytes"))) == plan.device_bytes
    assert exact(page.evaluate(title.format("peak-bytes"))) == plan.peak_bytes
    assert exact(page.evaluate(title.format("unplanned-bytes"))) == plan.graph.unplanned_peak_bytes
    assert float(page.evaluate(title.format("time-cost")).split()[0]) == plan.time
    assert page.text_content("#verdict").startswith("Fits: ")
    tiles = [exact(tile.get_attribute("title")) for tile in page.query_selector_all("#peak .map > button")]
    assert sum(tiles) == plan.device_bytes
    rows = [exact(cell.get_attribute("title")) for cell in page.query_selector_all("#tensors tbody td:first-child span")]
    assert rows == sorted(plan.graph.tensor_bytes.tolist(), reverse=True)[:100]


@pytest.mark.parametrize("found, said", [
    ({}, "Largest batch: a graph has the shapes of one batch"),
    ({"batch": 1234, "slowdown": "forward"}, "Largest batch that fits the budget: 1,234, with at most the time of one more forward pass allowed."),
    ({"batch": 7, "slowdown": "1.5", "batch_search_stopped": True}, "Largest batch known (the search was stopped) that fits the budget: 7, with at most 1.5 times"),
    ({"batch": 7, "slowdown": "per-sample", "batch_is_estimated": True}, "Batch 7: of those that fit the budget, the one of least time for each sample. Some of its costs")])
def test_the_batch_is_the_one_that_was_chosen(found, said, plan, tmp_path, visit):
    """The page would say that it cannot know what the command that made it has found."""
    data = source.of_plan(plan)
    data.summary.update(found)
    memplan.report(data).save(tmp_path / "batch.html")
    assert visit(tmp_path / "batch.html").page.text_content("#batch").startswith(said)


def test_baselines_stand_beside_the_curve(file, visit):
    """A page would say that memplan is good, and not than what."""
    opened = visit(file)
    opened.draw_all()
    rows = opened.page.locator("#curve .legend li").all_text_contents()
    assert rows[0].endswith("memplan") and any("checkpoint-all: " in row for row in rows) and any("ap-greedy" in row for row in rows)
    drawn = opened.page.evaluate("document.querySelector('#curve .chart').figure.renderers.length")
    assert drawn >= 4 + 2 * (len(rows) - 1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(1366, 768), (390, 844)])
def test_it_fits_the_screen(width, height, scheme, file, visit):
    """Parts of the page would be out of sight, or charts missing."""
    opened = visit(file, width=width, height=height, scheme=scheme)
    assert opened.draw_all() == 4
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    for holder in opened.page.query_selector_all(".chart"):
        box = holder.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["height"] > 100
    for tab in opened.page.locator("#done [role=tab]").all():
        tab.click()
        assert opened.page.evaluate(CUT_TABLES) == []
    # Every text on the ground of the page is read well: WCAG's AA asks for 4.5.
    contrast = opened.page.evaluate("""() => {
      const light = (c) => { const [r, g, b] = c.match(/\\d+/g).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const ground = light(getComputedStyle(document.body).backgroundColor);
      return ["#verdict", "p.hint", "nav a", "dt", "#verdict span", "footer"].map((which) => light(getComputedStyle(document.querySelector(which)).color))
        .map((text) => (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05)); }""")
    assert min(contrast) >= 4.5


@pytest.mark.parametrize("width, height", [(1366, 768), (390, 844)])
def test_every_question_is_a_click_away(width, height, file, visit):
    """A part of the page would be found by scrolling only, or be cut out of sight by the bar of links."""
    page = visit(file, width=width, height=height).page
    links = page.locator("nav a").all()
    assert len(links) == 7
    for link in links:
        box = link.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        link.click()
        title = page.locator(f"{link.get_attribute('href')} h2")
        page.wait_for_timeout(50)
        bar, box = page.locator("nav").bounding_box(), title.bounding_box()
        assert bar["y"] + bar["height"] <= box["y"] + 1 and box["y"] + box["height"] <= height


@pytest.mark.parametrize("width", [1366, 390])
def test_labels_of_tiles_are_not_cut_between(width, file, visit):
    """Half a name says less than none."""
    page = visit(file, width=width).page
    narrow = page.evaluate("""() => [...document.querySelectorAll("#peak .map > button")].filter((tile) =>
      tile.querySelector("small") && (tile.clientWidth < 40 || tile.clientHeight < 28)).length""")
    assert narrow == 0
    # However few bytes a tile has, it stays where its bytes are.
    for grouping in ("by kind", "by module", "by operator"):
        page.locator("#peak button", has_text=grouping).click()
        beyond = page.evaluate("""() => { const box = document.querySelector("#peak .map").getBoundingClientRect();
          return [...document.querySelectorAll("#peak .map > button")].filter((tile) => tile.getBoundingClientRect().right > box.right + 0.5).length; }""")
        assert beyond == 0


def test_links_point_to_tensors(plan, file, visit):
    """A link in an issue would lead nowhere."""
    tensor = plan.graph.tensor(3)
    opened = visit(file, f"#tensor={tensor.id}")
    details = opened.page.locator("#details")
    details.wait_for(state="visible")
    assert "Made by" in details.text_content()
    opened.page.keyboard.press("Escape")
    details.wait_for(state="hidden")
    # By keyboard: what is drawn late moves the page under a pointer.
    opened.page.locator("#tensors tbody a").first.press("Enter")
    details.wait_for(state="visible")
    assert re.search(r"#tensor=\d+$", opened.page.url)
    opened.page.evaluate("location.hash = 'tensor=99999999'")
    opened.wait("document.getElementById('details').hidden")


def test_tables_sort_and_filter(plan, file, visit):
    """A tensor among thousands would not be found."""
    page = visit(file).page
    page.locator("#tensors thead button", has_text="Tensor").click()
    names = page.locator("#tensors tbody a").all_text_contents()
    assert names == sorted(names) and len(names) > 3
    page.locator("#tensors input").fill(names[2])
    kept = page.locator("#tensors tbody a").all_text_contents()
    assert names[2] in kept and len(kept) < len(names)
    page.locator("#tensors input").fill("no tensor is called so")
    assert page.locator("#tensors tbody tr").count() == 0


def test_the_peak_is_walked_into_by_keyboard(file, visit):
    """Who uses no pointer would see the first level only."""
    page = visit(file).page
    page.locator("#peak button", has_text="by kind").click()
    tile = page.locator("#peak .map > button").first
    tile.focus()
    whole = exact(tile.get_attribute("title"))
    page.keyboard.press("Enter")
    inside = [exact(each.get_attribute("title")) for each in page.query_selector_all("#peak .map > button")]
    assert sum(inside) == whole and page.locator("#peak .crumbs button").count() >= 1
    assert page.evaluate("document.activeElement.parentElement.className") == "map"
    page.keyboard.press("Escape")
    assert exact(page.locator("#peak .map > button").first.get_attribute("title")) == whole


def test_arena_search_and_hover(plan, file, visit):
    """A value in the map would have no name."""
    opened = visit(file)
    opened.draw_all()
    page = opened.page
    page.locator("#arena input").fill("gradient")
    assert re.match(r"\d+ of \d+ match", page.text_content("#arena [role=status]"))
    page.locator("#arena input").fill("")
    holder = page.locator("#arena .chart")
    holder.scroll_into_view_if_needed()
    box = holder.bounding_box()
    for part in range(2, 19):
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * part / 20)
        page.wait_for_timeout(30)
        if page.locator(".bk-tooltip-row-label, .bk-tooltip-row-value").count():
            break
    said = " ".join(page.locator(".bk-tooltip-row-value").all_text_contents())
    assert "B" in said and " to " in said
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * part / 20)
    opened.wait("!document.getElementById('details').hidden")


def test_charts_move_by_keys(file, visit):
    """Who uses no pointer could not look closer."""
    opened = visit(file)
    opened.draw_all()
    span = "(() => { const range = document.querySelector('#time .chart').figure.x_range; return [range.start, range.end]; })()"
    before = opened.page.evaluate(span)
    opened.page.locator("#time .chart").focus()
    opened.page.keyboard.press("+")
    closer = opened.page.evaluate(span)
    assert closer[1] - closer[0] == pytest.approx((before[1] - before[0]) / 2)
    opened.page.keyboard.press("0")
    assert opened.page.evaluate(span) == pytest.approx(before)


def test_the_backward_pass_begins_where_most_of_it_does(file, visit):
    """One backward node that runs early, as streams allow, would have the whole forward pass shaded."""
    begin = "firstBackward({names: {actions: ['compute', 'free']}, nodes: {backward: [0, 1]}, steps: {action: %s, what: %s, again: %s}})"
    page = visit(file).page
    #                                        forward, early backward, forward, a free, forward, backward, recomputed, backward
    assert page.evaluate(begin % ([0, 0, 0, 1, 0, 0, 0, 0], [0, 1, 0, [], 0, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1, 0])) == 5
    assert page.evaluate(begin % ([0, 0], [0, 0], [0, 0])) == 2 and page.evaluate(begin % ([0], [1], [0])) == 0


def test_one_tab_leaves_a_chart(file, visit):
    """Each of its toolbar's buttons would be a stop before the next part of the page."""
    opened = visit(file)
    inside = "document.activeElement.closest('.chart') !== null"
    for place in range(opened.draw_all()):
        opened.page.locator(".chart").nth(place).focus()
        assert opened.page.evaluate(inside)
        opened.page.keyboard.press("Tab")
        assert not opened.page.evaluate(f"{inside} && document.activeElement.closest('.chart') === document.querySelectorAll('.chart')[{place}]")


@pytest.mark.parametrize("seed", range(HOSTILE_PAGES))
def test_hostile_names_are_texts(seed, visit, tmp_path):
    """A name in a graph would run, or push the page out of shape."""
    plan = memplan.plan(hostile_graph(seed), effort=10)
    plan.report(against=plan, curve=memplan.curve(plan.graph, points=2, effort=10)).save(tmp_path / "step.html")
    opened = visit(tmp_path / "step.html", width=390 if seed % 2 else 1366)
    opened.draw_all()
    page = opened.page
    width = page.viewport_size["width"]
    for tensor in range(plan.graph.tensor_count):
        page.evaluate(f"location.hash = 'tensor={plan.graph.tensor(tensor).id}'")
        opened.wait("!document.getElementById('details').hidden")
    shown = page.locator("#details h3").first.text_content().rstrip("\u2026")
    title = memplan.reports.source.of_plan(plan)["tensors"][-1]["title"]
    assert shown and shown == title[:len(shown)] and len(shown) == min(len(title), 1999)
    page.keyboard.press("Escape")
    for tab in page.locator("#done [role=tab]").all():
        tab.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("script").count() == 4 and page.locator("img, iframe, b b").count() == 0
    assert page.title().startswith("memplan: ")


def test_a_failure_and_a_plan_without_arena(visit, tmp_path):
    """Plans of another kind would leave an empty page."""
    graph = memplan.Graph.load(INPUTS / "chain8.graph.json")
    with pytest.raises(memplan.BudgetError) as error:
        memplan.plan(graph, "2K", effort=50)
    error.value.plan.report().save(tmp_path / "none.html")
    page = visit(tmp_path / "none.html").page
    assert page.text_content("#verdict").startswith("Does not fit")
    assert page.locator("#peak tbody tr").count() == len(error.value.plan.witness_tensors)
    memplan.plan(graph, "7K", effort=50, arena="none").report().save(tmp_path / "live.html")
    opened = visit(tmp_path / "live.html")
    opened.draw_all()
    assert "no arena" in opened.page.text_content("#arena")


def test_a_curve_alone(plan, visit, tmp_path):
    """A page without a plan would fail where it looks for one."""
    curve = memplan.curve(plan.graph, points=4, effort=100)
    curve.report().save(tmp_path / "curve.html")
    opened = visit(tmp_path / "curve.html")
    assert opened.draw_all() == 1
    rows = [exact(cell.get_attribute("title")) for cell in opened.page.query_selector_all("#curve tbody td:first-child span")]
    assert rows == [point.device_bytes for point in curve]


def test_a_notebook_shows_it(plan, visit, tmp_path):
    """In a notebook the page is in a frame that may do less."""
    (tmp_path / "notebook.html").write_text(f"<!DOCTYPE html><meta charset=utf-8><body data-ready=yes>{plan._repr_html_()}")
    opened = visit(tmp_path / "notebook.html")
    frame = opened.page.frame_locator("iframe")
    frame.locator("body[data-ready=yes]").wait_for()
    frame.locator("#tensors tbody a").first.click()
    frame.locator("#details h3").first.wait_for()
    opened.page.keyboard.press("Escape")
    frame.locator("#details").wait_for(state="hidden")


def test_two_plans_are_compared(plan, visit, tmp_path):
    """What changed between two plans would have to be found by eye."""
    other = memplan.plan(plan.graph, effort=200)
    plan.report(against=other).save(tmp_path / "two.html")
    page = visit(tmp_path / "two.html").page
    rows = {cells[0]: cells[1:] for cells in ([cell.text_content() for cell in row.query_selector_all("td")] for row in page.query_selector_all("#compare .table >> nth=0 >> tbody tr"))}
    assert "Device bytes" in rows and "Time" in rows
    runs = len([action for action in plan.actions if action.kind == memplan.ActionKind.COMPUTE]) - plan.graph.node_count
    if runs:
        assert "Where time went" in page.text_content("#compare")
        assert page.locator("#compare tbody").count() == 3
    narrow = visit(tmp_path / "two.html", width=390).page
    assert narrow.evaluate(CUT_TABLES) == []


def test_a_run_beside_its_plan(plan, visit, tmp_path):
    """What took longer than planned would have to be found by eye."""
    data = memplan.reports.source.of_plan(plan)
    seen, runs = {}, []
    for step in data["steps"]:
        if step["action"] == "compute":
            seen[step["node"]] = seen.get(step["node"], -1) + 1
            runs.append({"node": step["node"], "run": seen[step["node"]], "micros": 2 * (step["end"] - step["start"])})
    slow = max(range(len(runs)), key=lambda number: number % 5)
    runs[slow]["micros"] += 1000
    arena = data.summary["arena_bytes"]
    measured = {"version": 1, "kind": "memplan measurements", "runs": runs, "copies": [],
                "arenas": [{"space": "device", "planned_bytes": arena, "handed_out_bytes": arena, "touched_bytes": arena - 1}]}
    (tmp_path / "run.measured.json").write_text(json.dumps(measured))
    plan.report(measured=tmp_path / "run.measured.json").save(tmp_path / "run.html")
    page = visit(tmp_path / "run.html").page
    assert "to the byte" in page.text_content("#measured")
    [step] = [number for number, each in enumerate(data["steps"]) if each["action"] == "compute"][slow:slow + 1]
    assert page.text_content("#measured tbody tr:first-child td:nth-child(2)") == str(step)
    assert visit(tmp_path / "run.html", width=390).page.evaluate(CUT_TABLES) == []
    measured["runs"][0]["run"] = 7
    with pytest.raises(memplan.InputError, match="measures run 7"):
        memplan.report(plan, measured=measured)
