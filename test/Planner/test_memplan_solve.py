"""memplan-solve as its users see it: exit statuses, messages, budgets, files, and the same bytes every time."""
import importlib.util
import csv
import json
import os
import random
import re
import signal
import subprocess

import pytest

from fixtures import ROOT, hard_buffers, long_graph, stop_at_work, surroundings

INPUTS = ROOT / "test" / "Planner" / "Inputs"
CHAIN, MLP, BUFFERS = (str(INPUTS / name) for name in ("chain8.graph.json", "mlp.graph.json", "buffers.csv"))


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "utils" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_plan, check_offsets = load("check_plan"), load("check_offsets")


@pytest.fixture
def solve(tool):
    def run(*arguments, text=None, around=None):
        command = [tool("memplan-solve"), *map(str, arguments)]
        return subprocess.run(command, input=text, capture_output=True, text=True, **(around or {}))

    return run


def checked(graph_file, text, budget=None):
    """The plan, after the independent checker has accepted it."""
    plan = json.loads(text)
    with open(graph_file) as file:
        check_plan.check(json.load(file), plan, budget)
    return plan


def solver_names(solve, problem):
    names, found = [], False
    for line in solve("--list-solvers").stdout.splitlines():
        if not line.startswith("  "):
            found = line == problem + ":"
        elif found:
            names.append(line.split()[0])
    return names


def test_without_a_budget_nothing_is_recomputed(solve):
    done = solve("remat", CHAIN)
    assert done.returncode == 0
    plan = checked(CHAIN, done.stdout)
    assert plan["status"] == "optimal" and plan["cost"] == 17
    assert plan["peak_bytes"] == 10 * 1024  # n + 2 values of a chain with n = 8
    assert re.match(r"chain8: optimal in any order by search: cost 17 \(\+0\.00%\)", done.stderr)


@pytest.mark.parametrize("graph", [CHAIN, MLP])
@pytest.mark.parametrize("budget", ["100%", "90%"])
def test_every_solver_keeps_its_promises(solve, graph, budget):
    names = solver_names(solve, "remat")
    assert "greedy" in names and "checkpoint-all" in names
    for name in names:
        done = solve("remat", graph, f"--budget={budget}", f"--solver={name}")
        assert done.returncode in (0, 1, 3), done.stderr
        plan = checked(graph, done.stdout)
        assert (done.returncode == 0) == ("steps" in plan)
        if done.returncode == 0:
            assert plan["arenas"] and plan["graph_hash"]


def test_budgets_are_sizes_or_shares_of_the_unplanned_peak(solve):
    for budget, wanted in (("8K", 8192), ("80%", 8192), ("8192", 8192), ("0.5%", 51)):
        done = solve("remat", CHAIN, f"--budget={budget}", "--alignment=1")
        assert json.loads(done.stdout)["budget_bytes"] == wanted
        assert done.returncode == (0 if wanted > 100 else 1)


def test_a_proved_impossible_budget_is_status_1(solve):
    done = solve("remat", CHAIN, "--budget=2K")
    assert done.returncode == 1
    plan = checked(CHAIN, done.stdout)
    assert plan["status"] == "infeasible" and plan["bound_bytes"] == 3 * 1024
    assert "proved infeasible in any order; no budget below 3072 bytes can work" in done.stderr
    assert "needs" in done.stderr
    # What is called known to work must work.
    again = solve("remat", CHAIN, f"--budget={plan['minimum_budget_bytes']}")
    assert again.returncode == 0, again.stderr


def test_no_plan_within_the_limits_is_status_3(solve):
    # Every value kept needs 10 K; that is no proof that nothing else fits 8 K.
    done = solve("remat", CHAIN, "--budget=8K", "--solver=checkpoint-all")
    assert done.returncode == 3, done.stderr
    assert checked(CHAIN, done.stdout)["status"] == "no_plan"
    assert "which proves nothing" in done.stderr
    tight = solve("arena", BUFFERS, "--capacity=8")
    assert tight.returncode in (1, 3) and tight.stdout == ""


@pytest.mark.parametrize(
    "arguments, said",
    [
        ([], "no command"),
        (["frobnicate"], "Unknown subcommand 'frobnicate'"),
        (["remat"], "Not enough positional"),
        (["remat", "missing.json"], "cannot read 'missing.json'"),
        (["remat", BUFFERS], "buffers.csv: [1:"),
        (["remat", CHAIN, "--budget=lots"], "--budget: size 'lots'"),
        (["remat", CHAIN, "--budget=-3"], "--budget: size '-3' is negative"),
        (["remat", CHAIN, "--budget=0"], "--budget: must be above 0"),
        (["remat", CHAIN, "--budget=120%"], "--budget: size '120%'"),
        (["remat", CHAIN, "--solver=magic"], "--solver: unknown remat solver 'magic'; there are 'auto', 'checkpoint-all'"),
        (["remat", CHAIN, "--arena=magic"], "'magic'"),
        (["remat", CHAIN, "--order=random"], "'random'"),
        (["remat", CHAIN, "--alignment=48"], "--alignment: 48 is not a power of two"),
        (["remat", CHAIN, "--effort=-1"], "--effort: must not be negative"),
        (["remat", CHAIN, "--threads=2"], "Unknown command line argument '--threads=2'"),
        (["remat", CHAIN, "--solver=milp", "--remat=milp"], "--solver and --remat are the same here"),
        (["remat", CHAIN, "--budget="], "--budget needs a value: --budget=SIZE"),
        (["remat", CHAIN, "--cost-model=guess"], "--cost-model: unknown cost model 'guess'"),
        (["remat", CHAIN, "--time-limit=nan"], "--time-limit: must be"),
        (["remat", CHAIN, "--budgte=1G"], "Unknown command line argument '--budgte=1G'"),
        (["remat", CHAIN, "-o", "/nonexistent/plan.json"], "cannot write '/nonexistent/plan.json'"),
        (["arena", BUFFERS, "-o", str(INPUTS)], "it is a directory"),
        (["arena", BUFFERS, "--solver=magic"], "--solver: unknown arena solver 'magic'; there are 'auto', 'exact', 'search'"),
        (["arena", BUFFERS, "--capacity=x"], "--capacity: size 'x'"),
        (["arena", BUFFERS, "--space=fast"], "no buffer is in the space 'fast' that --space names"),
        (["arena", BUFFERS, "--space=,budget=x"], "--space: 'budget': size 'x'"),
        (["arena", BUFFERS, "--space=,budget=8,budget=9"], "--space: 'budget=9' is given twice"),
        (["arena", BUFFERS, "--space=,bytes=8"], "--space: 'bytes=8' is not known; write NAME[,budget=SIZE][,allocation=SIZE]"),
        (["arena", BUFFERS, "--space=,allocation=3"], "arena_i7"),
        (["arena", BUFFERS, "--space=", "--space="], "arena_i7"),
        (["check", CHAIN, CHAIN], "lacks the key 'status'"),
        (["check-offsets", BUFFERS], "column 'offset' is missing"),
    ],
)
def test_bad_input_is_status_2_with_one_message(solve, arguments, said):
    done = solve(*arguments)
    assert done.returncode == 2
    assert said in done.stderr and done.stderr.startswith("memplan-solve: error: ")
    assert done.stdout == ""


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "the file is empty"),
        ("id,lower,upper\n", "column 'size' is missing"),
        ("id,lower,upper,size,size\n", "duplicate column 'size'"),
        ("id,lower,upper,size\na,1,2\n", "line 2: 3 cells where the header has 4"),
        ("id,lower,upper,size\na,1,x,4\n", "line 2: upper 'x' is not an integer"),
        ("id,lower,upper,size\na,1,2,9223372036854775808\n", "line 2: size"),
        ('id,lower,upper,size\n\n"a,1,2,4\n', "line 3: a quote is never closed"),
        ("id,lower,upper,size,gaps\na,0,9,4,3+4\n", "gaps '3+4' is not an interval"),
        ("id,lower,upper,size\na,3,3,4\n", "which is empty"),
    ],
)
def test_broken_tables_name_the_line(solve, text, said):
    done = solve("arena", "-", text=text)
    assert done.returncode == 2 and said in done.stderr


def test_tables_with_random_damage_are_read_or_refused(solve, tmp_path):
    # The reader goes through the text by hand: no byte may make it crash, hang or lose a row.
    for seed in range(40):
        dice = random.Random(seed)
        rows = ["id,lower,upper,size,alignment,gaps,note"]
        rows += [f'b{i},{i},{i + 4},{8 * i + 8},{1 << i % 4},{i + 1}-{i + 2},"a ""{i}"", b"' for i in range(12)]
        text = list(dice.choice(["\n", "\r\n"]).join(rows))
        for _ in range(dice.randrange(4)):
            at = dice.randrange(len(text))
            text[at] = dice.choice(["", ",", '"', "\n", "\r", "-", "9", " ", text[at] * 2, "\x00"])
        (tmp_path / "in.csv").write_text("".join(text), newline="")
        done = solve("arena", tmp_path / "in.csv", "--solver=best-fit", "-o", tmp_path / "out.csv")
        assert done.returncode in (0, 2), (seed, done.stderr)
        if done.returncode == 2:
            assert "in.csv: " in done.stderr, seed
        else:
            check = solve("check-offsets", tmp_path / "out.csv", f"--input={tmp_path / 'in.csv'}")
            assert check.returncode == 0, (seed, check.stdout, check.stderr)


def test_arena_repeats_the_rows_with_offsets(solve, tmp_path):
    # MX-8: five buffers of 4, optimum 12.
    source = 'id,lower,upper,size,note\n' + "".join(
        line + ',"kept, as it is"\n' for line in open(BUFFERS).read().splitlines()[1:]
    )
    (tmp_path / "in.csv").write_text(source)
    for name in solver_names(solve, "arena"):
        done = solve("arena", tmp_path / "in.csv", f"--solver={name}", "--capacity=12", "-o", tmp_path / "out.csv")
        assert done.returncode == 0, done.stderr
        assert check_offsets.check(tmp_path / "out.csv", tmp_path / "in.csv", capacity=12) == (5, 12, 12)
        assert '"kept, as it is"' in (tmp_path / "out.csv").read_text()
        # Placing a placed table replaces its offsets.
        again = solve("arena", tmp_path / "out.csv", f"--solver={name}")
        assert again.stdout == (tmp_path / "out.csv").read_text()


def test_arena_says_its_bound_and_gap(solve, tmp_path):
    # Who takes an arena must know how much better another could be.
    # Two live together at each step, 9 bytes at most; best-fit puts the last one on top of the second.
    (tmp_path / "in.csv").write_text("id,lower,upper,size\na,0,2,4\nb,1,3,4\nc,2,4,5\n")
    for solver, height in [("best-fit", 13), ("search", 9)]:
        stats = tmp_path / "stats.json"
        done = solve("arena", tmp_path / "in.csv", f"--solver={solver}", f"--stats={stats}")
        assert f"height {height} bytes, lower bound 9, gap {100 * (height - 9) / 9:.4f} %" in done.stderr
        said = json.loads(stats.read_text())
        assert (said["height_bytes"], said["bound_bytes"], said["buffers"]) == (height, 9, 3)
        assert said["gap"] == pytest.approx((height - 9) / 9, abs=1e-8)
        assert said["status"] == ("optimal" if height == 9 else "feasible") and said["proof"] == "exact"
    infeasible = solve("arena", tmp_path / "in.csv", "--capacity=8", f"--stats={stats}")
    assert infeasible.returncode == 1 and json.loads(stats.read_text())["status"] == "infeasible"


def test_arena_takes_spaces_with_budgets_and_allocations(solve, tmp_path):
    # Without the flags a caller of the tool could not say what its memory looks like.
    (tmp_path / "in.csv").write_text("id,lower,upper,size,space\na,0,2,4,fast\nb,0,2,4,fast\nc,0,1,6,\nd,0,1,6,\ne,0,1,2,\n")
    for name in solver_names(solve, "arena"):
        stats, out = tmp_path / "stats.json", tmp_path / "out.csv"
        flags = ["--space=fast,budget=8", "--space=,budget=20,allocation=10"]
        done = solve("arena", tmp_path / "in.csv", f"--solver={name}", *flags, f"--stats={stats}", "-o", out)
        assert done.returncode == 0, done.stderr
        # Six and six do not share an allocation of ten.
        assert json.loads(stats.read_text())["spaces"] == {
            "": {"height_bytes": 16, "live_bytes": 14}, "fast": {"height_bytes": 8, "live_bytes": 8}}
        assert "space 'fast': height 8 bytes, live bytes at most 8, budget 8" in done.stderr
        rows = {row["id"]: int(row["offset"]) for row in csv.DictReader(out.open())}
        assert abs(rows["c"] - rows["d"]) == 10
        assert solve("check-offsets", out, *flags).stdout == "ok buffers=5 lower_bound=22 height=24\n"
        assert "arena_c3" in solve("check-offsets", out, "--space=,budget=15").stdout
        assert "arena_c5" in solve("check-offsets", out, "--space=,allocation=12").stdout
    # --capacity is the budget of spaces that have none of their own.
    for flags, status in [(["--capacity=7"], 1), (["--capacity=7", "--space=fast,budget=8"], 1), (["--capacity=8", "--space=,budget=14"], 0)]:
        assert solve("arena", tmp_path / "in.csv", *flags).returncode == status
    proved = solve("arena", tmp_path / "in.csv", "--solver=exact", "--space=,allocation=10")
    assert "optimal by exact" in proved.stderr and "bound proved by search" in proved.stderr


def arena_height(text):
    head, *rows = (line.split(",") for line in text.splitlines())
    size, offset = head.index("size"), head.index("offset")
    return max(int(row[size]) + int(row[offset]) for row in rows)


def test_arena_obeys_effort_time_and_stops(solve, tool, tmp_path):
    (tmp_path / "in.csv").write_text(hard_buffers())

    def packed(*options):
        done = solve("arena", tmp_path / "in.csv", "--alignment=1", *options)
        assert done.returncode == 0, done.stderr
        (tmp_path / "out.csv").write_text(done.stdout)
        check_offsets.check(tmp_path / "out.csv", tmp_path / "in.csv")
        return done.stdout

    little, much = packed("--effort=1"), packed("--effort=5000")
    assert arena_height(much) < arena_height(little)
    assert packed("--effort=5000") == much and packed("--effort=0") == packed()
    endless = "--effort=9223372036854775807"
    assert arena_height(packed(endless, "--time-limit=0.3")) <= arena_height(little)
    command = [tool("memplan-solve"), "arena", str(tmp_path / "in.csv"), "--alignment=1", endless]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stop_at_work(process, signal.SIGINT)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    (tmp_path / "out.csv").write_text(output)
    check_offsets.check(tmp_path / "out.csv", tmp_path / "in.csv")


def test_warnings_do_not_stop_a_plan(solve, tmp_path):
    graph = json.load(open(CHAIN))
    for tensor in graph["tensors"]:
        tensor["color"] = 1
    (tmp_path / "g.json").write_text(json.dumps(graph))
    done = solve("remat", tmp_path / "g.json")
    assert done.returncode == 0
    assert done.stderr.count("warning: ") == 1 and "unknown key 'color' of tensor is ignored, 17 times" in done.stderr


def test_what_is_lost_to_packing_stands_in_summary_plan_and_stats(solve, tmp_path):
    done = solve("remat", CHAIN, "--budget=75%", f"--stats={tmp_path / 's.json'}", "-o", tmp_path / "p.json")
    plan, stats = (json.loads((tmp_path / name).read_text()) for name in ("p.json", "s.json"))
    arena = plan["arenas"][0]
    assert {key: arena[key] for key in ("space", "bytes", "live_bytes")} == stats["arenas"][0]
    assert stats["status"] == plan["status"] and stats["cost"] == plan["cost"] and stats["peak_bytes"] == plan["peak_bytes"]
    assert f"({arena['bytes'] / arena['live_bytes']:.4f} of its live bytes)" in done.stderr
    # Without a plan there is nothing to say of an arena.
    assert solve("remat", CHAIN, "--budget=1", f"--stats={tmp_path / 's.json'}").returncode == 1
    stats = json.loads((tmp_path / "s.json").read_text())
    assert stats["status"] == "infeasible" and "arenas" not in stats


def test_clocks_stay_out_of_plans(solve, tmp_path):
    done = solve("remat", CHAIN, f"--stats={tmp_path / 's.json'}", "-o", tmp_path / "p.json")
    assert done.returncode == 0 and done.stdout == ""
    assert json.load(open(tmp_path / "s.json"))["seconds"] >= 0
    assert "seconds" not in (tmp_path / "p.json").read_text()


# Each kind of plan has a search of its own, which could hang on addresses, clocks or what surrounds the process.
KINDS = ["--remat=greedy", "--remat=milp", "--remat=auto", "--remat=search --order=search", "--swap=search --bandwidth=900,700,1",
         "--remat=checkpoint-all --swap=search --bandwidth=900,700,1", "--streams=2", "--streams=2 --swap=search --bandwidth=900,700,1"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("graph, budget", [(CHAIN, "75%"), (MLP, "90%")])
def test_twenty_runs_give_the_same_bytes(solve, graph, budget, kind):
    arguments = ["remat", graph, f"--budget={budget}", "--effort=2000", *kind.split()]
    outputs = {solve(*arguments, around=surroundings(run)).stdout for run in range(20)}
    assert len(outputs) == 1 and outputs.pop()


def test_the_least_budget_is_met_with_the_solver_asked_for(solve):
    for solver in ("auto", "ap-greedy", "checkpoint-all"):
        done = solve("remat", CHAIN, "--min-budget", f"--remat={solver}")
        assert done.returncode == 0, done.stderr
        least = checked(CHAIN, done.stdout)["budget_bytes"]
        assert f"the least budget known to work is {least} bytes; it is proved that none below" in done.stderr
        for more in (0, 1, 5000):
            assert solve("remat", CHAIN, f"--budget={least + more}", f"--remat={solver}").returncode == 0
    # Without recomputation a chain needs all of its values, with it three.
    assert least == 10 * 1024
    assert json.loads(solve("remat", CHAIN, "--min-budget").stdout)["budget_bytes"] == 3 * 1024
    assert solve("remat", CHAIN, "--min-budget", "--budget=8K").returncode == 2


def test_a_curve_is_certified_and_its_plans_can_be_written(solve, tmp_path):
    done = solve("remat", CHAIN, "--pareto=6", f"--pareto-plans={tmp_path / 'plans'}", "-o", tmp_path / "c.json")
    assert done.returncode == 0, done.stderr
    curve = json.loads((tmp_path / "c.json").read_text())
    points = curve["points"]
    assert len(points) == 6 and curve["least_cost"] == 17 and curve["unplanned_bytes"] == 10 * 1024
    assert points[0]["budget_bytes"] == 3 * 1024 and points[-1]["cost"] == 17
    assert points[-1]["overhead_percent"] == 0 == points[-1]["gap_percent"]
    for point, larger in zip(points, points[1:]):
        assert point["budget_bytes"] <= larger["budget_bytes"] and point["cost"] >= larger["cost"]
        assert point["bound"] >= larger["bound"]
    for point in points:
        plan = checked(CHAIN, open(point["plan"]).read(), point["budget_bytes"])
        assert (plan["cost"], plan["bound"], plan["status"]) == (point["cost"], point["bound"], point["status"])
        assert plan["arenas"][0]["bytes"] == point["arena_bytes"]
        assert point["device_bytes"] <= point["budget_bytes"]
    assert len(done.stderr.splitlines()) == 7 and "gap" in done.stderr.splitlines()[0]
    again = solve("remat", CHAIN, "--pareto=6", around=surroundings(3))
    assert [dict(p, plan=None) for p in json.loads(again.stdout)["points"]] == [dict(p, plan=None) for p in points]


@pytest.mark.parametrize("flags, message", [
    (["--pareto=5", "--budget=8K"], "--pareto plans for all budgets, so --budget and --min-budget cannot be given too"),
    (["--pareto=5", "--min-budget"], "--pareto plans for all budgets"),
    (["--pareto-plans=x"], "--pareto-plans is for --pareto, which is not given"),
    (["--pareto-bandwidths=8/16", "--swap=search"], "--pareto-bandwidths is for --pareto, which is not given"),
    (["--pareto=3", "--pareto-bandwidths=8"], "--pareto-bandwidths plans copies at several bandwidths, so it needs --swap"),
    (["--pareto=3", "--pareto-bandwidths=8/x", "--swap=search"], "'x' is not a positive rate"),
    (["--pareto=1"], "must be from 2 to 1000 points, but is 1")])
def test_what_does_not_go_with_a_curve_is_refused(solve, flags, message):
    done = solve("remat", CHAIN, *flags)
    assert done.returncode == 2 and message in done.stderr


def test_what_is_optimal_in_stages_only_says_so(solve):
    done = solve("remat", CHAIN, "--budget=8K", "--remat=milp", "--milp-formulation=paper")
    assert done.returncode == 0 and json.loads(done.stdout)["bound_space"] == "staged"
    assert "optimal in stages by" in done.stderr


@pytest.mark.parametrize("backend", ["highs", "cbc"])
def test_each_integer_programming_solver_proves_or_says_that_it_is_not_there(solve, backend):
    paper = ["--remat=milp", "--milp-formulation=paper", f"--milp-backend={backend}"]
    done = solve("remat", CHAIN, "--budget=8K", *paper)
    if f"+{backend}" not in solve("--version").stdout:
        assert done.returncode == 1
        assert f"memplan was built without the solver '{backend}' of integer programs; there is" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert checked(CHAIN, done.stdout)["status"] == "optimal"


# `auto` would give up on buffers that `exact` packs within the capacity in no time.
def test_a_capacity_that_is_missed_is_worth_an_exact_search(solve):
    buffers = ROOT / "benchmarks" / "data" / "buffers" / "minimalloc" / "F.1048576.csv"
    done = solve("arena", buffers, "--capacity=1048576")
    assert done.returncode == 0, done.stderr
    assert max(int(row["offset"]) + int(row["size"]) for row in csv.DictReader(done.stdout.splitlines())) <= 1048576


def milp_of(text):
    """Objective by column, and rows of an LP file, read apart from the writer."""
    body = text.split("Subject To")[1].split("Bounds")[0]
    rows = re.findall(r"(r\d+[lu]?):(.*?)(<=|>=|=) (\S+)\n", body, re.S)
    return [({name: float(sign + size) for sign, size, name in re.findall(r"([+-]) (\S+) (\S+)", terms)}, relation, float(limit))
            for _, terms, relation, limit in rows]


# A researcher would get another program than the one whose matrices are written.
def test_the_matrices_of_a_plan_keep_the_rows_of_the_program(solve, tmp_path):
    program, matrices = tmp_path / "p.lp", tmp_path / "m.json"
    budget = "--budget=10K"
    assert solve("remat", CHAIN, budget, "--emit=milp", "--in-place=false", "-o", program).returncode == 0
    done = solve("remat", CHAIN, budget, "--emit=matrices", "--in-place=false", "--remat=milp", "--milp-formulation=paper",
                 "-o", matrices)
    assert done.returncode == 0, done.stderr
    found = json.loads(matrices.read_text())
    nodes, values = found["nodes"], found["values"]
    ones = {f"R_{t}_{nodes[i]}" for t, row in enumerate(found["R"]) for i in row}
    ones |= {f"S_{t}_{values[i]}" for t, row in enumerate(found["S"]) for i in row}
    ones |= {f"FREE_{t}_{values[i]}_{nodes[k]}" for t, i, k in found["FREE"]}
    held = 0
    for terms, relation, limit in milp_of(program.read_text()):
        if any(name.startswith("U_") for name in terms):
            continue
        total = sum(size for name, size in terms.items() if name in ones)
        assert {"<=": total <= limit, ">=": total >= limit, "=": total == limit}[relation], (terms, relation, limit)
        held += 1
    assert held > 100
    assert any("S_" in line for line in program.read_text().splitlines())
    assert solve("remat", CHAIN, budget, "--emit=milp", "-o", tmp_path / "p.mps").returncode == 0
    assert (tmp_path / "p.mps").read_text().startswith("NAME memplan\nROWS\n N obj")


def test_a_filter_that_matches_nothing_is_an_error(solve):
    done = solve("remat", MLP, "--remat=checkpoint-all", "--swap=tflms", "--tflms=excl_types=nosuch", "--bandwidth=1,1")
    assert done.returncode == 2 and "excl_types=nosuch matches no node; there are" in done.stderr


# Who stops a long search has waited for its plan; the first one is packed before the search begins.
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_gives_a_plan(tool, tmp_path, number):
    graph = long_graph(160)
    (tmp_path / "g.json").write_text(json.dumps(graph))
    command = [tool("memplan-solve"), "remat", str(tmp_path / "g.json"), "--budget=75%", "--remat=milp",
               "--effort=1000000000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    stop_at_work(process, number)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    check_plan.check(graph, json.loads(output))


def test_random_plans_pass_the_independent_checker(build_dir, tmp_path):
    # Live ranges with views, updates, in-place pairs and discards, judged by a checker that shares no code with them.
    program = build_dir / "test" / "Unit" / "PlanTests"
    assert program.exists(), f"{program} is not built"
    environment = {**os.environ, "MEMPLAN_PLAN_DIR": str(tmp_path)}
    arguments = ["--gtest_filter=RandomSchedules.StepsReplayToTheMeasuredPeak"]
    subprocess.run([str(program), *arguments], env=environment, check=True, capture_output=True)
    plans = sorted(tmp_path.glob("*.plan.json"))
    assert len(plans) == 2000
    for plan in plans:
        graph = json.loads(plan.with_name(plan.name.replace(".plan.", ".graph.")).read_text())
        check_plan.check(graph, json.loads(plan.read_text()))


def test_version_says_what_is_built_in(solve):
    assert re.match(r"memplan \d+\.\d+\.\d+\n  features: [+-]mlir [+-]highs", solve("--version").stdout)


# Every number is finite and their sum is not: this was reported as a bug in memplan.
@pytest.mark.parametrize("solver", ["auto", "greedy", "milp"])
def test_costs_that_add_up_to_infinity_are_the_inputs_fault(solve, tmp_path, solver):
    graph = json.loads(open(CHAIN).read())
    for node in graph["nodes"]:
        node["cost"] = 1.5e308
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(graph))
    done = solve("remat", file, f"--solver={solver}")
    assert done.returncode == 2
    assert "costs add up to inf microseconds" in done.stderr and "the largest is 1.5e+308, of node" in done.stderr
