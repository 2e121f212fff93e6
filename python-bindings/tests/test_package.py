"""What the package promises of itself: stubs, docstrings, layers, threads, Ctrl-C, hostile input, the console script."""
import ast
import contextlib
import importlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

memplan = pytest.importorskip("memplan")
planner = pytest.importorskip("memplan._planner", reason="the Python module is not built (nanobind is missing)")

ROOT = pathlib.Path(__file__).parents[2]
INPUTS = ROOT / "test/Planner/Inputs"
PACKAGE = pathlib.Path(planner.__file__).parent
CHAIN = (INPUTS / "chain8.graph.json").read_text()
QUICK = {"effort": 200}
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}


def long_graph(count=400):
    """A chain that takes the search seconds."""
    builder = memplan.GraphBuilder("long")
    r = random.Random(7)
    values = []
    for i in range(2 * count):
        value = builder.add_tensor(1024 * r.randint(1, 60), kind=memplan.TensorKind.OUTPUT if i + 1 == 2 * count else
                                   memplan.TensorKind.ACTIVATION)
        inputs = values[-1:] + ([values[2 * count - 1 - i]] if i > count else [])
        builder.add_node(inputs, [value], cost=float(r.randint(1, 50)), backward=i >= count)
        values.append(value)
    return builder.build()


# --- Versions of Python ---

# What the standard library has only in versions after the oldest that pyproject.toml names.
LATER = {"tomllib", "datetime.UTC", "enum.StrEnum", "typing.Self", "typing.override", "contextlib.chdir", "itertools.batched", "ExceptionGroup"}


def names_used(tree):
    """Modules, names that are imported from them, attributes of modules and built-in names of a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Name):
            yield node.id


def test_every_file_is_of_the_oldest_python_that_is_promised():
    """Somebody with Python 3.10 would get a syntax error, or a name that is not there."""
    oldest = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "python-bindings/pyproject.toml").read_text())
    files = list((ROOT / "python-bindings/memplan").rglob("*.py"))
    assert len(files) > 40
    for file in files:
        tree = ast.parse(file.read_text(), str(file), feature_version=(3, int(oldest[1])))
        assert not LATER & set(names_used(tree)), file
    with pytest.raises(SyntaxError):
        ast.parse("try:\n  x\nexcept* ValueError:\n  x", feature_version=(3, int(oldest[1])))


# --- Stubs and docstrings ---


def stub_names(body):
    """Public names of a stub's module or class, with their bodies where they have any."""
    named = (ast.ClassDef, ast.FunctionDef)
    return {node.name: getattr(node, "body", []) for node in body if isinstance(node, named)}


@pytest.mark.parametrize("name_of_module, adds", [("_planner", "planning"), ("_runtime", "runtime")])
def test_the_stub_says_what_the_module_has(name_of_module, adds):
    """An editor would offer what is not there, or hide what is; what the Python file `adds` to the classes is in the stub too."""
    module = pytest.importorskip(f"memplan.{name_of_module}")
    importlib.import_module(f"memplan.{adds}")
    stub = stub_names(ast.parse((PACKAGE / f"{name_of_module}.pyi").read_text()).body)
    public = {name for name in dir(module) if not name.startswith("_") and name != "api_version"}
    assert public == {name for name in stub if not name.startswith("_")}
    for name in public:
        value = getattr(module, name)
        if isinstance(value, type) and not hasattr(value, "__members__"):
            own = {each for each in vars(value) if not each.startswith("_")}  # with what Python adds
            assert own == {each for each in stub_names(stub[name]) if not each.startswith("_")}, name


def test_everything_public_says_what_it_is():
    """help() would show an empty page."""
    silent = []
    for name in memplan.__all__:
        value = getattr(memplan, name)
        if not value.__doc__:
            silent.append(name)
        if isinstance(value, type) and value.__module__.startswith("memplan._"):
            silent += [f"{name}.{each}" for each, member in vars(value).items() if not each.startswith("_") and not member.__doc__
                       and not hasattr(value, "__members__")]
    assert not silent
    assert (PACKAGE / "py.typed").exists()


def test_the_module_knows_the_c_interface_alone():
    """The package could not be built against an installed memplan."""
    for source in (ROOT / "python-bindings/src").iterdir():
        for header in re.findall(r'#include\s+["<](\S+?)[">]', source.read_text()):
            allowed = header.startswith(("memplan-c/", "nanobind/")) or header in ("Errors.h", "Values.h", "Worker.h") or "/" not in header and "." not in header
            assert allowed, f"{source.name} includes {header}"


def test_options_are_those_of_the_table():
    """Names, defaults and help would be typed twice and drift apart."""
    page = (ROOT / "docs/Options.md").read_text()
    rows = {cells[0].strip(" `"): cells for cells in (line.strip("| ").split(" | ") for line in page.split("\n") if line.startswith("| `"))}
    assert memplan.options()
    for option in memplan.options():
        assert option.help.replace("|", "\\|") == rows[option.name][-1].strip(), option.name


# --- Values ---


def test_arrays_are_views_that_keep_their_owner():
    """A view would show freed memory, or let someone change a plan."""
    offsets = memplan.plan(CHAIN, "7K", **QUICK).arenas[0].offsets
    bytes_ = memplan.Graph.from_json(CHAIN).tensor_bytes
    [memplan.plan(CHAIN, "6K", **QUICK) for _ in range(5)]
    assert offsets.min() == 0 and offsets.max() <= 6 * 1024 and bytes_.tolist() == [1024] * 17
    for view in (offsets, bytes_):
        assert not view.flags.owndata
        with pytest.raises(ValueError):
            view[0] = 1


def test_a_graph_that_is_built_is_the_one_that_is_read():
    """A framework would plan another step than the one it has."""
    read = memplan.Graph.load(ROOT / "test/Fuzz/corpus/graph/every-key.graph.json")
    builder = memplan.GraphBuilder(read.name)
    builder.set_fixed_bytes(read.fixed_bytes)
    for i in range(read.tensor_count):
        t = read.tensor(i)
        builder.add_tensor(t.bytes, kind=t.kind, name=t.name, view_of=t.view_of, donated=t.donated, part=t.part, id=t.id)
    for i in range(read.node_count):
        n = read.node(i)
        builder.add_node(n.inputs, n.outputs, n.cost, name=n.name, writes=n.writes, in_place=n.in_place, variants=n.variants,
                         workspace_bytes=n.workspace_bytes, run_once=n.run_once, flops=n.flops, bytes_moved=n.bytes_moved,
                         collective=n.collective, opaque=n.opaque, backward=n.backward, id=n.id)
    ours, theirs = json.loads(builder.build().json()), json.loads(read.json())
    for both in (ours, theirs):  # of which the builder knows nothing
        both.pop("bandwidth", None), both.pop("host_budget_bytes", None)
        for node in both["nodes"]:
            node.pop("locations", None)
    assert ours == theirs
    with pytest.raises(ValueError, match="another builder"):
        builder.build()


def test_sizes_are_read_by_one_parser():
    """'6GiB' would mean something else than on the command line."""
    assert memplan.parse_size("6GiB") == memplan.parse_size("6G") == 6 << 30
    assert len({memplan.plan(CHAIN, size, **QUICK).json() for size in (7168, "7KiB", "7168")}) == 1
    for wrong in ("6Q", "", "-1", "80%", "1e400G"):
        with pytest.raises(memplan.InputError):
            memplan.parse_size(wrong)


# --- Hostile input ---


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"version": 2}', '{"version": 1, "tensors": 3, "nodes": []}', "\0", "{\"\ud800\": 1}",
                                  '{"version": 1, "tensors": [{"id": 1, "bytes": -5}], "nodes": []}', "[" * 100000])
def test_what_is_no_graph_is_an_input_error(text):
    """A wrong file would end the interpreter."""
    with pytest.raises((memplan.InputError, UnicodeEncodeError)):
        memplan.Graph.from_json(text)


def test_tampered_plans_are_refused():
    """A plan of elsewhere would be run unchecked, or end the interpreter."""
    graph, r = memplan.Graph.from_json(CHAIN), random.Random(3)
    good = memplan.plan(graph, "6K", **QUICK).json()
    refused = 0
    for _ in range(150):
        at = r.randrange(len(good))
        try:
            memplan.check(graph, good[:at] + r.choice('0123456789{}[],":-') + good[at + 1:])
        except memplan.Error:
            refused += 1
    assert refused > 50


def test_wrong_options_and_types_are_errors():
    """A misspelt option would be ignored."""
    for wrong in ({"rematt": "auto"}, {"remat": "none"}, {"effort": -1}, {"pareto": 3}, {"time_limit": "soon"}):
        with pytest.raises(memplan.InputError):
            memplan.plan(CHAIN, "7K", **wrong)
    for call in (lambda: memplan.plan(3, "7K"), lambda: memplan.check(CHAIN, 3), lambda: memplan.GraphBuilder().add_node(["x"], [])):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(memplan.InputError, match="no tensor 99"):
        memplan.Graph.from_json(CHAIN).tensor(99)
    with pytest.raises(memplan.InputError, match="nowhere.json"):
        memplan.Graph.load("nowhere.json")


# --- Stopping ---


def test_a_token_and_a_callback_stop_with_the_best_plan():
    """Whoever waits could not stop without losing what was found."""
    graph, calls = long_graph(), []
    stop = memplan.Cancel()
    timer = threading.Timer(0.3, stop.cancel)
    timer.start()
    begun = time.process_time()
    try:
        stopped = memplan.plan(graph, "70%", cancel=stop, effort=10**9)
        memplan.check(graph, stopped, "70%")
    except memplan.BudgetError as error:
        assert error.plan.status == memplan.PlanStatus.NO_PLAN
    assert time.process_time() - begun < 60 and stop.cancelled
    memplan.plan(CHAIN, "6K", progress=calls.append, **QUICK)
    assert calls and all(now.seconds >= 0 and now.solver for now in calls)
    with pytest.raises(ZeroDivisionError):
        memplan.plan(CHAIN, "6K", progress=lambda now: 1 // 0, **QUICK)


def test_ctrl_c_raises_with_the_best_plan_so_far():
    """A notebook would hang until the search is done."""
    code = ("import memplan, sys\n"
            "sys.path.insert(0, sys.argv[1])\n"
            "from test_package import long_graph\n"
            "graph = long_graph()\n"
            "print('ready', flush=True)\n"
            "try:\n    memplan.plan(graph, '70%', effort=10**9)\n"
            "except KeyboardInterrupt as stopped:\n"
            "    stopped.plan and memplan.check(graph, stopped.plan, '70%')\n"
            "    print('stopped', type(stopped.plan).__name__)\n")
    process = subprocess.Popen([sys.executable, "-c", code, str(pathlib.Path(__file__).parent)], stdout=subprocess.PIPE, text=True,
                               env=ENVIRONMENT)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert said in ("stopped Plan\n", "stopped NoneType\n") and process.returncode == 0


def test_a_ctrl_c_that_work_ignores_is_raised_again():
    """The interpreter ignores one that arrives while it frees something, and the work would go on to its end."""
    from memplan.terminal import ProgressLine

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), ProgressLine("work", is_quiet=True) as line:
            line.say("first part")
            with contextlib.suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            line.say("second part")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_ctrl_c_while_something_is_freed_says_nothing_of_the_interpreter(monkeypatch):
    """Its traceback would run through the line of progress, and some of that would stay on the screen; errors of another kind must still be told."""
    from memplan.terminal import ProgressLine

    class Freed:
        def __init__(self, work):
            self.work = work

        def __del__(self):
            self.work()

    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda error: told.append(error.exc_type))
    hook, before = sys.unraisablehook, signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), ProgressLine("work", is_quiet=True) as line:
            Freed(lambda: 1 // 0)
            Freed(lambda: signal.raise_signal(signal.SIGINT))
            line.say("second part")
    finally:
        signal.signal(signal.SIGINT, before)
    assert told == [ZeroDivisionError] and sys.unraisablehook is hook


def test_a_ctrl_c_that_work_turns_into_an_error():
    """Somebody who stops an export would read that PyTorch cannot trace the step."""
    from memplan.terminal import ProgressLine

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), ProgressLine("work", is_quiet=True):
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                raise ValueError("cannot be traced") from None
        with pytest.raises(ValueError, match="wrong"), ProgressLine("work", is_quiet=True):
            raise ValueError("wrong")
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_unbroken_block_ends_before_ctrl_c():
    """A step would be taken by half of the parameters."""
    from memplan.terminal import unbroken

    before, done = signal.signal(signal.SIGINT, signal.default_int_handler), []
    try:
        with pytest.raises(KeyboardInterrupt), unbroken():
            signal.raise_signal(signal.SIGINT)
            done.append("all")
        assert done == ["all"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        thread = threading.Thread(target=lambda: [done.append("thread") for _ in [0] if unbroken().__enter__() is None])
        thread.start()
        thread.join()
        assert done == ["all", "thread"]
    finally:
        signal.signal(signal.SIGINT, before)


def test_threads_plan_at_once():
    """Planning would hold the interpreter, or give another plan beside others."""
    expected, plans = memplan.plan(CHAIN, "6K", **QUICK).json(), []
    threads = [threading.Thread(target=lambda: plans.append(memplan.plan(CHAIN, "6K", **QUICK).json())) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert plans == [expected] * 4


# --- The console script ---


def memplan_script(*arguments):
    return subprocess.run([sys.executable, "-m", "memplan", *map(str, arguments)], capture_output=True, text=True, env=ENVIRONMENT)


def test_the_console_script_plans_and_checks(tool, tmp_path):
    """The script would do something else than the package and memplan-solve."""
    graph, plan = INPUTS / "mlp.graph.json", tmp_path / "step.plan.json"
    done = memplan_script("plan", graph, "--budget=90%", "--effort=200", "-o", plan)
    assert done.returncode == 0 and "device bytes" in done.stderr and done.stdout == "", done.stderr
    assert plan.read_text() == memplan.plan(graph, "90%", **QUICK).json()
    assert memplan_script("check", graph, plan).stdout.startswith("ok: ")
    done = memplan_script("check", graph, plan, "--budget=1K")
    assert done.returncode == 1 and "exceeds the budget" in done.stdout
    assert memplan_script("plan", graph, "--budget=1K", "--effort=200").returncode == 1
    assert memplan_script("plan", graph, "--effort=-1").returncode == 2
    assert memplan_script("plan", tmp_path / "none").returncode == 2
    done = memplan_script("curve", graph, "--points=3", "--effort=200")
    assert json.loads(done.stdout) and done.stderr.count(" bytes ") == 3
    least = json.loads(memplan_script("min-budget", graph, "--arena=none", "--effort=200").stdout)
    assert least["peak_bytes"] == memplan.min_budget(graph, arena="none", **QUICK).bytes
    solve = subprocess.run([tool("memplan-solve"), "--version"], capture_output=True, text=True)
    assert memplan_script("--version").stdout == solve.stdout


def test_without_pytorch_the_error_says_what_to_install():
    """A new user would read a traceback of modules that are not his."""
    program = "import sys; sys.modules['torch'] = None\nimport memplan.torch"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 1 and done.stderr.strip().splitlines()[-1].startswith("ModuleNotFoundError: memplan.torch needs PyTorch")
