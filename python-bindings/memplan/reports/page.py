"""The page: one HTML file that holds the data, the scripts that draw it, and BokehJS."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import importlib.metadata
import importlib.resources
import importlib.util
import json
import os
import pathlib
import string

from .. import errors, planning
from . import source
from .columns import columns_of
from .source import ReportData

ASSETS = pathlib.Path(__file__).resolve().parent / "assets"
SCRIPTS = ("model.js", "treemap.js", "charts.js", "lists.js", "compare.js", "page.js")
BOKEH_SCRIPTS = ("bokeh.min.js", "bokeh-api.min.js")


def _bokeh_files() -> list[pathlib.Path]:
    """BokehJS as the package bokeh brings it. Nothing of bokeh is imported: its JavaScript draws, not its Python."""
    found = importlib.util.find_spec("bokeh")
    if found is None:
        raise errors.UnavailableError("a page is drawn by BokehJS, which the package bokeh brings: pip install 'memplan[report]'")
    folder = pathlib.Path(found.submodule_search_locations[0]) / "server/static/js"
    for name in BOKEH_SCRIPTS:
        if not (folder / name).is_file():
            raise errors.UnavailableError(f"bokeh {importlib.metadata.version('bokeh')} lacks {folder / name}: pip install 'memplan[report]'")
    return [folder / name for name in BOKEH_SCRIPTS]


def check_drawable() -> None:
    """Raises UnavailableError where no page can be drawn here. For callers with long work before the page."""
    _bokeh_files()


def _inline(script: str) -> str:
    """Text of a script element: where it would end the element, it is written as another spelling of the same string."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _hash(script: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"


def _pack(value) -> str:
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=6, mtime=0)).decode()


class Report:
    """A page about one plan or two.

    plans      one, or two to be compared; none where there is a curve alone
    curve      what `memplan.curve` makes, as the object of a *.curve.json
    measured   the object of a *.measured.json of a run of the first plan
    """

    def __init__(self, plans: list[ReportData], curve: dict | None = None, measured: dict | None = None):
        if len(plans) > 2 or not plans and curve is None:
            raise errors.InputError(f"a report is of one plan, compares two, or shows a curve, not {len(plans)} plans")
        if curve is not None and "points" not in curve:
            raise errors.InputError("the curve has no points: --pareto=N without --pareto-bandwidths writes one curve")
        self.plans, self.curve = plans, curve
        if measured is not None and not plans:
            raise errors.InputError("a run is shown beside its plan, and there is none")
        self.measured = None if measured is None else source.beside_plan(plans[0], measured)

    def html(self) -> str:
        """The whole page. It needs no network and runs no script but its own, whatever names the graph has."""
        scripts = [_inline(file.read_text(encoding="utf-8")) for file in _bokeh_files()]
        scripts.append(_inline("\n".join((ASSETS / name).read_text(encoding="utf-8").replace('"use strict";\n', "", 1 if number else 0)
                                         for number, name in enumerate(SCRIPTS))))
        data = {"made_by": planning.version_text().split("\n")[0], "plans": [columns_of(plan) for plan in self.plans]}
        if self.curve is not None:
            data["curve"] = self.curve
        if self.measured is not None:
            data["measured"] = self.measured
        policy = "; ".join(["default-src 'none'", "script-src " + " ".join(map(_hash, scripts)), "style-src 'unsafe-inline'",
                            "img-src data: blob:", "font-src data:", "base-uri 'none'", "form-action 'none'"])
        name = (self.plans[0]["graph"] if self.plans else self.curve.get("graph", "")).strip() or "training step"
        return string.Template((ASSETS / "page.html").read_text(encoding="utf-8")).substitute(
            policy=policy, title=html.escape(f"memplan: {name[:100]}"), style=(ASSETS / "page.css").read_text(encoding="utf-8"),
            data=_pack(data), scripts="\n".join(f"<script>{script}</script>" for script in scripts))

    def __str__(self) -> str:
        """What a command says of it: the verdict of the first plan."""
        return self.plans[0]["verdict"] if self.plans else f"a curve of {len(self.curve['points'])} plans"

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page to a file."""
        pathlib.Path(path).write_text(self.html(), encoding="utf-8", newline="\n")

    def _repr_html_(self) -> str:
        """For notebooks: the page in a frame of its own, so that neither its styles nor its scripts meet the notebook's."""
        return f'<iframe sandbox="allow-scripts" style="width:100%;height:720px;border:0" srcdoc="{html.escape(self.html())}"></iframe>'


def save_perfetto(plan: planning.Plan, path: str | os.PathLike, **options) -> None:
    """Writes a plan as a trace that Perfetto opens; options as in report()."""
    pathlib.Path(path).write_text(planning._perfetto(plan, planning._options_of(options)), encoding="utf-8", newline="\n")


def report(plan, graph=None, *, against=None, curve=None, measured=None, **options) -> Report:
    """Shows where the memory of a plan goes, before anything has run.

    plan       a Plan, ReportData, a Curve, or the path of a *.plan.json, *.report.json, *.curve.json or *.trace.json
    graph      of a plan or trace file: a Graph or a path; by default the *.graph.json beside it
    against    another plan to compare with, in any of these forms
    curve      a Curve, or the path or the object of a *.curve.json; reports.race() makes one with published solvers beside it
    measured   the path of a *.measured.json that a run wrote
    options    bandwidth, host_budget, cost_model: as they were given when the plan was made

    Returns a Report: `save(path)` writes it, a notebook shows it.
    Raises InputError where a file is none of these, UnavailableError without the package bokeh.
    """
    def data_of(given):
        if isinstance(given, ReportData):
            return given
        if isinstance(given, planning.Plan):
            return source.of_plan(given, **options)
        return source.load(given, graph, **options)

    if curve is None and source.is_curve(plan):
        plan, curve = None, plan
    plans = [data_of(given) for given in (plan, against) if given is not None]
    if isinstance(curve, planning.Curve):
        curve = json.loads(curve.json())
    elif curve is not None and not isinstance(curve, dict):
        curve = source.read_json(curve, "curve")
    if measured is not None and not isinstance(measured, dict):
        measured = source.read_json(measured, "measurements")
    return Report(plans, curve, measured)
