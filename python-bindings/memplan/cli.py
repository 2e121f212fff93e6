"""The console script `memplan`: files in, plans out, by the functions of the package.

Exit status: 0 a plan, or nothing wrong; 1 proved infeasible, or a violation; 2 bad input; 3 no plan was found, which proves nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import sys
import time

from . import errors, planning
from .planning import PlanStatus
from .terminal import ProgressLine

# Set by the commands themselves, or of files that they write otherwise.
OWN_OPTIONS = {"budget", "min-budget", "pareto", "pareto-plans", "pareto-bandwidths"}
CHECK_OPTIONS = {"order", "bandwidth", "host-budget"}
# Of planning, what a report must know again: it is not in the plan.
REPORT_OPTIONS = {"bandwidth", "host-budget", "cost-model"}
CURVE_OPTIONS = REPORT_OPTIONS | {"effort"}


def _add_options(parser, names=None):
    """Every planning option by its name in the one table, with its help and default."""
    group = parser.add_argument_group("planning options")
    for option in planning.options():
        if option.name in OWN_OPTIONS or names is not None and option.name not in names:
            continue
        default = f" (default: {option.default})" if option.default else ""
        text = (option.help + default).replace("%", "%%")
        switch = {"nargs": "?", "const": "true"} if option.is_switch else {}
        group.add_argument(f"--{option.name}", dest=f"option {option.name}", metavar=option.value or "BOOL", help=text, **switch)


def _options(arguments):
    given = {name.partition(" ")[2]: value for name, value in vars(arguments).items() if name.startswith("option ")}
    return {name: value for name, value in given.items() if value is not None}


def _add_graph(parser):
    parser.add_argument("graph", metavar="GRAPH", help="a *.graph.json file")


def _add_budget(parser, text):
    parser.add_argument("--budget", metavar="SIZE", help=text)


def _add_output(parser, what):
    parser.add_argument("--quiet", action="store_true", help="say neither progress nor a summary")
    parser.add_argument("-o", "--output", metavar="FILE", help=f"where {what} goes, instead of standard output")


def _write_text(path, text):
    """To a file, or to standard output where there is none."""
    if path is None:
        sys.stdout.write(text)
        return
    try:
        pathlib.Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise errors.InputError(f"cannot write: {error.strerror}", path) from None


def _write(arguments, value):
    _write_text(arguments.output, value.json())


def _say(text):
    print(text, file=sys.stderr)


def _summary(plan, seconds):
    graph = plan.graph
    once = math.fsum(graph.node(number).cost for number in range(graph.node_count))
    overhead = f" ({100 * (plan.time / once - 1):+.2f} %)" if once > 0 else ""
    gap = f", at most {100 * plan.gap:.2f} % above any plan" if plan.gap is not None else ""
    budget = f" of {plan.budget_bytes}" if plan.budget_bytes is not None else ""
    return (f"{graph.name or 'graph'}: {plan.status.name.lower()} by {plan.solver}: {plan.device_bytes}{budget} device bytes, "
            f"time {plan.time:.6g}{overhead}{gap}, unplanned peak {graph.unplanned_peak_bytes} bytes, {seconds:.2f} s")


def _best_of(arguments, what, make, kept):
    """What make(progress) makes under a line of progress; on Ctrl-C the best so far, which the exception has as `kept`, or None."""
    with ProgressLine(what, arguments.quiet) as line:
        try:
            return make(line.watch)
        except KeyboardInterrupt as stopped:
            made = getattr(stopped, kept, None)
    _say(f"stopped by Ctrl-C; this is the best {kept} so far" if made else f"stopped by Ctrl-C before there was a {kept}")
    return made


def _finish(arguments, make):
    """Plans, and takes the best plan so far on Ctrl-C."""
    begun = time.monotonic()
    made = _best_of(arguments, "planning", make, "plan")
    if made is None:
        return 3
    _write(arguments, made)
    if not arguments.quiet:
        _say(_summary(made, time.monotonic() - begun))
    if made.note and not arguments.quiet:
        _say(f"note: {made.note}")
    return 0


# --- Commands ---


def _add_plan(parser):
    _add_graph(parser)
    _add_budget(parser, "largest device memory: bytes, 16G, 6GiB, 16GB, or 80%% of the unplanned peak; without it, no limit")
    _add_output(parser, "the plan")
    parser.add_argument("--report", metavar="FILE", help="write a page that shows where the memory goes as well")
    _add_options(parser)


def _run_plan(arguments):
    if arguments.report is not None:
        from . import reports
        reports.check_drawable()
    graph = planning.Graph.load(arguments.graph)
    options = _options(arguments)

    def make(progress):
        plan = planning.plan(graph, arguments.budget, progress=progress, **options)
        if arguments.report is not None:
            _save_report(plan, arguments.report, options)
        return plan

    return _finish(arguments, make)


def _save_report(plan, path, options):
    try:
        plan.report(**{name.replace("-", "_"): value for name, value in options.items() if name in REPORT_OPTIONS}).save(path)
    except OSError as error:
        raise errors.InputError(f"cannot write: {error.strerror}", path) from None


def _add_min_budget(parser):
    _add_graph(parser)
    _add_output(parser, "the plan for the least budget")
    _add_options(parser)


def _run_min_budget(arguments):
    graph = planning.Graph.load(arguments.graph)
    return _finish(arguments, lambda progress: planning.min_budget(graph, progress=progress, **_options(arguments)).plan)


def _add_check(parser):
    _add_graph(parser)
    parser.add_argument("plan", metavar="PLAN", help="a *.plan.json file")
    _add_budget(parser, "the budget that it must keep; without it, the plan's own")
    _add_options(parser, CHECK_OPTIONS)


def _run_check(arguments):
    graph = planning.Graph.load(arguments.graph)
    plan = planning.Plan.load(graph, arguments.plan)
    planning.check(graph, plan, arguments.budget, **_options(arguments))
    print(f"ok: {plan.device_bytes} device bytes, peak {plan.peak_bytes} bytes, time {plan.time:.6g}"
          if plan.device_bytes is not None else "ok: the failure that it claims holds")
    return 0


def _add_curve(parser):
    _add_graph(parser)
    parser.add_argument("--points", type=int, default=20, metavar="N", help="number of budgets (default: 20)")
    _add_baselines(parser, "plan the same budgets by these solvers too (without names: the published ones), for reports and plots")
    _add_output(parser, "the curve")
    _add_options(parser)


def _add_baselines(parser, text):
    parser.add_argument("--baselines", nargs="?", const="", metavar="NAME,...", help=text)


def _race(arguments, graph, options):
    """The object of a curve with baselines, or None where Ctrl-C came before there was one."""
    from .reports.race import BASELINES, race
    solvers = arguments.baselines.split(",") if arguments.baselines else BASELINES
    with ProgressLine("curve", arguments.quiet) as line:
        try:
            return race(graph, solvers, arguments.points, line.count, progress=line.watch, **options)
        except KeyboardInterrupt as stopped:
            made = getattr(stopped, "curve", None)
    _say("stopped by Ctrl-C; this is what was planned so far" if made else "stopped by Ctrl-C before there was a curve")
    return made


def _run_curve(arguments):
    graph = planning.Graph.load(arguments.graph)
    if arguments.baselines is not None:
        made = _race(arguments, graph, _options(arguments))
        if made is None:
            return 3
        _write_text(arguments.output, json.dumps(made, indent=1) + "\n")
        return 0
    curve = _best_of(arguments, "curve", lambda progress: planning.curve(graph, arguments.points, progress=progress, **_options(arguments)), "curve")
    if curve is None:
        return 3
    _write(arguments, curve)
    for plan in curve if not arguments.quiet else ():
        overhead = 100 * (plan.time / curve.least_cost - 1) if curve.least_cost > 0 else 0
        _say(f"{plan.budget_bytes:>16} bytes {overhead:+8.2f} %")
    return 0 if len(curve) else 3


# --- Reports ---


def _add_report(parser):
    parser.add_argument("--check", action="store_true", help="only say whether a page can be drawn here: status 0, or why not")
    parser.add_argument("plan", metavar="PLAN", nargs="?", help="a *.plan.json, the *.report.json that --emit=report-data writes, a *.curve.json, or the *.trace.json of a dynamic run")
    parser.add_argument("graph", metavar="GRAPH", nargs="?", help="of a plan or a trace: its *.graph.json (default: the one of this name beside it)")
    parser.add_argument("-o", "--output", metavar="FILE", help="where the page goes (default: PLAN with .html)")
    parser.add_argument("--against", metavar="PLAN", help="another plan of the same step, to compare with")
    parser.add_argument("--curve", metavar="FILE", help="a *.curve.json of the same step")
    parser.add_argument("--points", type=int, metavar="N", help="plan for N budgets and draw that curve, with published solvers beside it")
    _add_baselines(parser, "of --points: the solvers beside it")
    parser.add_argument("--measured", metavar="FILE", help="a *.measured.json that memplan-run --measurements=FILE wrote")
    parser.add_argument("--perfetto", metavar="FILE", help="write a trace that Perfetto opens as well")
    parser.add_argument("--quiet", action="store_true", help="say neither progress nor the verdict")
    _add_options(parser, CURVE_OPTIONS)


def _page_name(plan):
    name = plan
    for suffix in (".json", ".plan", ".report", ".curve", ".trace"):
        name = name.removesuffix(suffix)
    return name + ".html"


def _run_report(arguments):
    from . import reports
    reports.check_drawable()
    if arguments.check:
        return 0
    if arguments.plan is None:
        raise errors.InputError("PLAN is missing: a *.plan.json, *.report.json, *.curve.json or *.trace.json")
    options = {name.replace("-", "_"): value for name, value in _options(arguments).items()}
    curve = arguments.curve
    if arguments.points is not None:
        if curve is not None:
            raise errors.InputError("--curve gives a curve and --points makes one: give one of them")
        curve = _race(arguments, planning.Graph.load(arguments.graph or reports.source.find_graph(arguments.plan)), options)
    elif arguments.baselines is not None:
        raise errors.InputError("--baselines is for the curve of --points=N, which is not given")
    options.pop("effort", None)
    page = reports.report(arguments.plan, arguments.graph, against=arguments.against, curve=curve, measured=arguments.measured, **options)
    output = arguments.output or _page_name(arguments.plan)
    try:
        page.save(output)
        if arguments.perfetto is not None:
            graph = arguments.graph or reports.source.find_graph(arguments.plan)
            reports.save_perfetto(planning.Plan.load(graph, arguments.plan), arguments.perfetto, **options)
    except OSError as error:
        raise errors.InputError(f"cannot write: {error.strerror}", error.filename) from None
    if not arguments.quiet:
        _say(f"{output}: {page}")
    return 0


def _add_plot(parser):
    parser.add_argument("what", choices=["curve", "timeline", "arena", "race"], help="the picture; race: several solvers on the budgets of one curve")
    parser.add_argument("input", metavar="FILE", help="a *.curve.json; of timeline and arena a *.plan.json or *.report.json; of race a *.graph.json")
    parser.add_argument("graph", metavar="GRAPH", nargs="?", help="of a plan: its *.graph.json (default: the one of this name beside it)")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="a .png, .svg or .pdf file")
    _add_baselines(parser, "of race: solvers beside memplan's own curve (default: the published ones)")
    parser.add_argument("--points", type=int, default=6, metavar="N", help="of race: number of budgets (default: 6)")
    parser.add_argument("--quiet", action="store_true", help="say no progress")
    _add_options(parser, CURVE_OPTIONS)


def _run_plot(arguments):
    from .reports import plots
    options = {name.replace("-", "_"): value for name, value in _options(arguments).items()}
    if arguments.what == "race":
        curve = _race(arguments, planning.Graph.load(arguments.input), options)
        if curve is None:
            return 3
        plots.draw_curve(curve, arguments.output)
        return 0
    options.pop("effort", None)
    plots.plot(arguments.what, arguments.input, arguments.output, arguments.graph, **options)
    return 0


# A command is a row: what it is for, its arguments, what it does.
COMMANDS = {
    "plan": ("plan a step so that it fits a budget", _add_plan, _run_plan),
    "check": ("verify a plan", _add_check, _run_check),
    "min-budget": ("find the least budget and its plan", _add_min_budget, _run_min_budget),
    "curve": ("plan for budgets from the least to no recomputation", _add_curve, _run_curve),
    "report": ("write a page that shows where the memory of a plan goes", _add_report, _run_report),
    "plot": ("draw a curve, the bytes over the step, the arena or several solvers as a picture", _add_plot, _run_plot),
}


def _parser():
    parser = argparse.ArgumentParser(prog="memplan", description="Plans the memory of training steps.",
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--version", action="version", version=planning.version_text().rstrip())
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (text, add, run) in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=f"memplan {name}: {text}.", allow_abbrev=False)
        add(command)
        command.set_defaults(run=run)
    return parser


def main(argv=None) -> int:
    """Runs a command line and returns its exit status."""
    arguments = _parser().parse_args(argv)
    try:
        return arguments.run(arguments)
    except errors.BudgetError as error:
        _say(f"memplan: {error}")
        return 1 if error.plan.status == PlanStatus.INFEASIBLE else 3
    except errors.CheckError as error:
        print(f"violation: {error}")
        return 1
    except errors.Error as error:
        _say(f"memplan: error: {error}")
        return 2
    except KeyboardInterrupt:
        return 130
