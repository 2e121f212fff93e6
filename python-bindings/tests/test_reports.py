"""Pages and pictures of plans: they say what the plan says, and a name in a graph stays a text. How a page behaves is in
test_report_pages.py, which needs a browser."""
import base64
import gzip
import importlib.util
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

import pytest

memplan = pytest.importorskip("memplan")
pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")
if importlib.util.find_spec("bokeh") is None:
    pytest.skip("bokeh, which brings the script of a page, is not installed (utils/test.sh installs it)", allow_module_level=True)

from memplan import cli, reports  # noqa: E402

INPUTS = pathlib.Path(__file__).parents[2] / "test/Planner/Inputs"
HOSTILE = ["</script><script>document.title='run'</script>", "<img src=x onerror=\"document.title='run'\">", "\"quotes\" 'and' \\ `more`", "n" * 10000,
           "layers.0.\u00e4\u5c42\u0637\u0628\u0642\u0629\U0001f642", "<!--", "]]>", "&lt;b&gt;bold&lt;/b&gt;", "@title{safe}", "$$\\alpha$$", "__proto__", "constructor",
           "\x00\x07\x1b[2J", "\u202egnp.exe", "${location}", "{{7*7}}", "javascript:alert(1)", "a.b.c" * 50, " ", "\n\n\n"]


def hostile_graph(seed):
    """A training step whose names come from HOSTILE."""
    dice = random.Random(seed)
    builder = memplan.GraphBuilder(dice.choice(HOSTILE))
    kept, last = [], builder.add_tensor(4096, kind=memplan.TensorKind.PARAMETER, name=dice.choice(HOSTILE))
    for number in range(12):
        backward = number >= 6
        inputs = [last] + ([kept.pop()] if backward and kept else [])
        made = builder.add_tensor(1024 * dice.randint(1, 9), kind=memplan.TensorKind.OUTPUT if number == 11 else memplan.TensorKind.ACTIVATION, name=dice.choice(HOSTILE))
        builder.add_node(inputs, [made], cost=dice.randint(1, 9), name=dice.choice(HOSTILE), in_place=[(made, last)], backward=backward)
        if not backward:
            kept.append(made)
        last = made
    return builder.build()


@pytest.fixture(scope="module")
def plan():
    return memplan.plan(memplan.Graph.load(INPUTS / "mlp.graph.json"), "85%", effort=200)


def data_of(page):
    """What the script of a page reads."""
    packed = re.search(r'<script type="application/octet-stream" id="data">([^<]*)</script>', page)[1]
    data = json.loads(gzip.decompress(base64.b64decode(packed)))
    for shown in data["plans"]:
        for part, name in ((part, name) for part, names in shown["differences"].items() for name in names):
            shown[part][name] = list(itertools.accumulate(shown[part][name]))
        steps = shown["steps"]
        steps["start"] = [end if start is None else start for start, end in zip(steps["start"], [0, *steps["end"]])]
    return data


def test_a_page_holds_what_the_plan_says(plan):
    """The page would show other numbers than the plan."""
    [shown] = data_of(plan.report().html())["plans"]
    assert shown["summary"]["device_bytes"] == plan.device_bytes
    assert shown["summary"]["peak_bytes"] == plan.peak_bytes == shown["peak"]["bytes"]
    assert shown["summary"]["time"] == plan.time
    assert len(shown["steps"]["action"]) == len(plan.actions)
    assert shown["tensors"]["bytes"] == plan.graph.tensor_bytes.tolist()
    made = json.loads(memplan.planning._report(plan, memplan.planning._options_of({})))
    for key in ("start", "end", "bytes"):
        assert shown["steps"][key] == [step[key] for step in made["steps"]]
    runs = [what for action, what in zip(shown["steps"]["action"], shown["steps"]["what"]) if action == 0]
    assert runs == [action.node for action in plan.actions if action.kind == memplan.ActionKind.COMPUTE]
    arena = plan.arenas[0]
    places = {(begin, offset) for begin, offset, over in zip(*(shown["ranges"][key] for key in ("begin", "offset", "over"))) if offset >= 0 and over < 0}
    assert places == set(zip(arena.begins.tolist(), arena.offsets.tolist()))


def test_a_page_needs_nothing_else(plan):
    """A page that is sent by mail would ask a network, or be empty there."""
    page = plan.report().html()
    markup = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"\b(?:src|href)\s*=\s*[\"']?(?:https?:|//)", markup)
    assert "default-src 'none'" in markup and "connect-src" not in markup
    assert page == plan.report().html()


@pytest.mark.parametrize("seed", range(200))
def test_names_never_reach_the_markup(seed):
    """A name would run as a script where the page is opened."""
    page = memplan.plan(hostile_graph(seed), effort=10).report().html()
    [shown] = data_of(page)["plans"]
    assert any(name.strip("\x00") for name in shown["tensors"]["title"])
    # What differs between graphs is the title and the packed data, whose letters end no element.
    title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)[1]
    assert "<" not in title
    assert page.count("<script") == 1 + len(reports.page.BOKEH_SCRIPTS) + 1
    assert page.count("</script>") == page.count("<script")


def test_command_and_files(plan, tmp_path, capsys):
    """The command line would need more than a plan with its graph beside it."""
    plan.graph.save(tmp_path / "step.graph.json")
    plan.save(tmp_path / "step.plan.json")
    assert cli.main(["report", str(tmp_path / "step.plan.json"), f"--perfetto={tmp_path / 'trace.json'}"]) == 0
    assert "Fits: " in capsys.readouterr().err
    assert (tmp_path / "step.html").read_text() .startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    made = json.loads(memplan.planning._report(plan, memplan.planning._options_of({})))
    (tmp_path / "step.report.json").write_text(json.dumps(made))
    assert cli.main(["report", str(tmp_path / "step.report.json"), "-o", str(tmp_path / "again.html")]) == 0
    again, first = (data_of((tmp_path / name).read_text())["plans"][0] for name in ("again.html", "step.html"))
    assert {**again, "label": ""} == {**first, "label": ""}
    assert cli.main(["plan", str(tmp_path / "step.graph.json"), "--budget=85%", "--effort=200", "-o", str(tmp_path / "x.plan.json"), f"--report={tmp_path / 'x.html'}"]) == 0
    assert (tmp_path / "x.html").exists()


def test_a_dynamic_run(plan, tool, tmp_path, capsys):
    """What a dynamic run did would be shown in another sequence, or beside the bytes of something else."""
    plan.graph.save(tmp_path / "step.graph.json")
    made = subprocess.run([tool("memplan-solve"), "remat", tmp_path / "step.graph.json", "--budget=95%", "--solver=dtr", "--heuristic=h_dtr", f"--trace={tmp_path / 'step.trace.json'}", "-o", tmp_path / "x.plan.json"],
                          capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    trace = json.loads((tmp_path / "step.trace.json").read_text())
    assert cli.main(["report", str(tmp_path / "step.trace.json")]) == 0 and "Takes" in capsys.readouterr().err
    [shown] = data_of((tmp_path / "step.html").read_text())["plans"]
    ran = [step["compute"] for step in trace["steps"] if "compute" in step]
    drawn = [shown["nodes"]["id"][what] for action, what in zip(shown["steps"]["action"], shown["steps"]["what"]) if shown["names"]["actions"][action] == "compute"]
    views = set(drawn) - set(ran)
    assert [node for node in drawn if node not in views] == ran and len(ran) > 3
    memplan.check(plan.graph, memplan.Plan.from_trace(plan.graph, tmp_path / "step.trace.json"))
    # A pool is never smaller than what is live in it.
    assert shown["is_run"] and ("run_bytes" in shown) == ("high_water_bytes" in trace) and shown.get("run_bytes", 2**62) >= shown["summary"]["peak_bytes"]
    trace["tensors"][0]["bytes"] += 1
    (tmp_path / "wrong.trace.json").write_text(json.dumps(trace))
    assert cli.main(["report", str(tmp_path / "wrong.trace.json"), str(tmp_path / "step.graph.json")]) == 2 and "wrong.trace.json" in capsys.readouterr().err


@pytest.mark.parametrize("text, said", [("{}", "neither a plan, a trace, a curve nor report data"), ("[", "is not JSON"), ("[]", "holds no plan"), ('{"kind": "memplan report", "version": 99}', "version 99"),
                                        ('{"status": "optimal"}', "its graph is needed too")])
def test_wrong_files_are_named(text, said, tmp_path, capsys):
    """An error that names no file, or a traceback, helps nobody."""
    file = tmp_path / "wrong.plan.json"
    file.write_text(text)
    assert cli.main(["report", str(file)]) == 2
    message = capsys.readouterr().err
    assert said in message and "wrong.plan.json" in message and "Traceback" not in message


def test_comparison_and_curve(plan):
    """Two plans, or a curve, would be left out of the page."""
    curve = memplan.curve(plan.graph, points=3, effort=100)
    other = memplan.plan(plan.graph, effort=100)
    shown = data_of(plan.report(against=other, curve=curve).html())
    assert [one["summary"]["cost"] for one in shown["plans"]] == [plan.cost, other.cost]
    assert [point["device_bytes"] for point in shown["curve"]["points"]] == [point.device_bytes for point in curve]


def test_a_curve_alone(plan, tmp_path, capsys):
    """Who has a curve and no plan would get an error."""
    curve = memplan.curve(plan.graph, points=3, effort=100)
    curve.save(tmp_path / "step.curve.json")
    assert cli.main(["report", str(tmp_path / "step.curve.json")]) == 0
    assert "a curve of 3 plans" in capsys.readouterr().err
    shown = data_of((tmp_path / "step.html").read_text())
    assert shown["plans"] == [] and len(shown["curve"]["points"]) == 3
    assert curve.report().html() == (tmp_path / "step.html").read_text()


def test_tools_draw_by_the_command(plan, tool, tmp_path):
    """--report of a tool would need a command that does not exist."""
    plan.graph.save(tmp_path / "step.graph.json")
    made = subprocess.run([tool("memplan-solve"), "remat", tmp_path / "step.graph.json", "--budget=85%", "--effort=200", "-o", tmp_path / "plan.json", f"--report={tmp_path / 'page.html'}"],
                          env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    [shown] = data_of((tmp_path / "page.html").read_text())["plans"]
    assert shown["summary"]["peak_bytes"] == json.loads((tmp_path / "plan.json").read_text())["peak_bytes"]


def test_what_cannot_draw_says_so_before_it_plans(plan, tool, tmp_path):
    """An hour of planning would end in a page that is not there."""
    (tmp_path / "bokeh").mkdir()
    (tmp_path / "bokeh/__init__.py").touch()  # before the real one on the path, and without scripts
    plan.graph.save(tmp_path / "step.graph.json")
    made = tmp_path / "made.json"
    asked = [tmp_path / "step.graph.json", "--budget=85%", "--effort=200", "-o", made, f"--report={tmp_path / 'page.html'}"]
    for command in ([tool("memplan-solve"), "remat"], [sys.executable, "-m", "memplan", "plan"]):
        path = os.pathsep.join(filter(None, [str(tmp_path), str(pathlib.Path(memplan.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
        done = subprocess.run([*command, *asked], capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})
        assert done.returncode != 0 and "bokeh.min.js: pip install 'memplan[report]'" in done.stderr, done.stderr
        assert not made.exists()


def test_a_tool_alone_says_what_draws(plan, tool, tmp_path):
    """Who has the tools and not the package would not know what to install."""
    plan.graph.save(tmp_path / "step.graph.json")
    (tmp_path / "bin").mkdir()
    alone = shutil.copy(tool("memplan-solve"), tmp_path / "bin")
    made = subprocess.run([alone, "remat", tmp_path / "step.graph.json", f"--report={tmp_path / 'page.html'}"], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
    assert made.returncode == 2 and "neither beside this tool nor on PATH: pip install 'memplan[report]'" in made.stderr


def test_notebooks_get_a_frame(plan):
    """The page's styles would change the notebook around it."""
    shown = plan._repr_html_()
    assert shown.startswith("<iframe sandbox=") and "<script" not in shown


def test_a_failure_is_reported(tmp_path):
    """Whoever has no plan needs the page most."""
    graph = memplan.Graph.load(INPUTS / "chain8.graph.json")
    with pytest.raises(memplan.BudgetError) as error:
        memplan.plan(graph, "2K", effort=50)
    [shown] = data_of(error.value.plan.report().html())["plans"]
    assert shown["verdict"].startswith("Does not fit") and shown["steps"]["action"] == []


def test_bokeh_is_imported_by_nobody():
    """Every script that plans would wait for a library that it does not use."""
    code = "import sys, memplan; memplan.report; assert not [name for name in sys.modules if name.split('.')[0] in ('bokeh', 'matplotlib')]"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": str(pathlib.Path(memplan.__file__).parents[1])})


@pytest.mark.parametrize("suffix", ["png", "svg"])
@pytest.mark.parametrize("what", ["timeline", "arena", "curve"])
def test_pictures(what, suffix, plan, tmp_path, capsys):
    """A paper would lack its figure."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (utils/test.sh installs it)")
    plan.graph.save(tmp_path / "step.graph.json")
    plan.save(tmp_path / "step.plan.json")
    memplan.curve(plan.graph, points=3, effort=100).save(tmp_path / "step.curve.json")
    file, output = tmp_path / f"step.{'curve' if what == 'curve' else 'plan'}.json", tmp_path / f"picture.{suffix}"
    assert cli.main(["plot", what, str(file), "-o", str(output)]) == 0
    assert output.read_bytes().startswith(b"\x89PNG" if suffix == "png" else b"<?xml")
    assert cli.main(["plot", what, str(file), "-o", str(tmp_path / "picture.nothing")]) == 2
    assert "picture.nothing" in capsys.readouterr().err


def test_a_run_draws_itself_beside_its_plan(tool, tmp_path):
    """A run's measurements would be shown beside the plan of another run, or not in one command."""
    step = INPUTS.parents[2] / "examples/small/residual.mlir"
    page = tmp_path / "step.html"
    subprocess.run([tool("memplan-run"), step, "--budget=80%", f"--report={page}", f"--measurements={tmp_path / 'step.measured.json'}"], check=True, capture_output=True)
    data, measured = data_of(page.read_text()), json.loads((tmp_path / "step.measured.json").read_text())
    # Of every time that was measured, one on the page.
    assert sorted(row["micros"] for row in measured["runs"]) == sorted(micros for _, micros in data["measured"]["steps"])
    assert data["measured"]["planned_bytes"] == data["plans"][0]["summary"]["arena_bytes"] and any("residual.mlir:" in text for text in data["plans"][0]["names"]["sources"])
    subprocess.run([tool("memplan-opt"), step, "--budget=80%", "--quiet", "-o", tmp_path / "planned.mlir"], check=True)
    refused = subprocess.run([tool("memplan-run"), tmp_path / "planned.mlir", f"--report={page}"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "is not known" in refused.stderr


def test_a_race(plan, tmp_path, capsys):
    """Solvers would be compared at other budgets than they were given, or a plan that nobody has would be drawn."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (utils/test.sh installs it)")
    curve = reports.race(plan.graph, ["checkpoint-all", "ap-greedy"], points=4, effort=100)
    own = memplan.curve(plan.graph, 4, effort=100)
    assert {**json.loads(own.json()), "baselines": curve["baselines"]} == curve
    budgets = [one.budget_bytes for one in own]
    assert len(budgets) == 4 and [row["solver"] for row in curve["baselines"]] == ["checkpoint-all", "ap-greedy"]
    for row in curve["baselines"]:
        for one in row["points"]:
            alone = memplan.plan(plan.graph, one["budget_bytes"], remat=row["solver"], effort=100)
            assert one["budget_bytes"] in budgets and (alone.device_bytes, alone.time) == (one["device_bytes"], one["time"])
            # What is proved of a budget holds for everyone who keeps it.
            assert one["device_bytes"] <= one["budget_bytes"] and one["time"] >= own[budgets.index(one["budget_bytes"])].bound * (1 - 1e-9)
    assert len(curve["baselines"][0]["points"]) < 4, "what keeps everything does not fit the least budget"
    plan.graph.save(tmp_path / "step.graph.json")
    plan.save(tmp_path / "step.plan.json")
    assert cli.main(["report", str(tmp_path / "step.plan.json"), "--points=3", "--effort=50", "--baselines=ap-sqrt"]) == 0
    assert cli.main(["curve", str(tmp_path / "step.graph.json"), "--points=3", "--effort=50", "--baselines", "-o", str(tmp_path / "step.curve.json")]) == 0
    assert [row["solver"] for row in json.loads((tmp_path / "step.curve.json").read_text())["baselines"]] == list(reports.BASELINES)
    assert cli.main(["report", str(tmp_path / "step.plan.json"), "--points=3", "--curve=nowhere"]) == 2
    command = ["plot", "race", str(tmp_path / "step.graph.json"), "--points=3", "--effort=50", "-o"]
    assert cli.main([*command, str(tmp_path / "race.svg"), "--baselines=checkpoint-all"]) == 0 and (tmp_path / "race.svg").read_bytes().startswith(b"<?xml")
    assert cli.main([*command, str(tmp_path / "race.svg"), "--baselines=nothing"]) == 2 and "nothing" in capsys.readouterr().err


def test_stacked_bytes_are_the_live_bytes(plan):
    """The picture of the bytes over the step would lack some."""
    from memplan.reports import plots
    data = reports.source.of_plan(plan)
    stack = plots.stack_bytes(data)
    for number, step in enumerate(data["steps"]):
        if step["action"] == "compute":
            assert sum(column[number] for column in stack.values()) == step["bytes"]


def as_seen(colour, matrix):
    """A colour as somebody with this deficiency sees it (Machado, Oliveira and Fernandes, 2009), in CIE Lab."""
    linear = [(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4) for value in (int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5))]
    linear = [min(1, max(0, sum(weight * value for weight, value in zip(row, linear)))) for row in matrix]
    xyz = [sum(weight * value for weight, value in zip(row, linear)) / white for row, white in zip(
        [(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)], (0.9505, 1, 1.089))]
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("matrix", [[(1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)],
                                    [(0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)]], ids=["all cones", "protanopia", "deuteranopia"])
def test_colours_are_told_apart(matrix):
    """Kinds that share much of a chart would look alike to one man in twelve."""
    from memplan.reports import plots
    script = (reports.page.ASSETS / "model.js").read_text()
    palette = dict(re.findall(r'"?\b([a-z][a-z ]*)"?: "(#[0-9A-Fa-f]{6})"', script.partition("PALETTE = {")[2].partition("};")[0]))
    assert {name: palette[name] for name in plots.COLOURS} == plots.COLOURS
    seen = {name: as_seen(colour, matrix) for name, colour in plots.COLOURS.items()}
    close = {(a, b): sum((x - y) ** 2 for x, y in zip(seen[a], seen[b])) ** 0.5 for a in seen for b in seen if a < b}
    assert min(close.values()) >= 15, sorted(close.items(), key=lambda item: item[1])[:4]
