"""Every tool has the planning options that docs/Options.md gives it, told in the same words, and no other.

A unit test compares that page with the one table in the code, so that an option that a tool has of its own, or lost, is
found here.
"""
import re
import subprocess

import pytest

from fixtures import ROOT

# Where the help of each user of the table stands: the command, the line before its flags, the line before what is not its
# own any more, and its flags that are about files and reports.
HELPS = {
    "solve remat": (["memplan-solve", "remat"], "memplan-solve options:", None, {"solver", "stats", "trace", "emit", "perfetto", "quiet", "report", "summary"}),
    "solve arena": (["memplan-solve", "arena"], "memplan-solve options:", None, {"solver", "stats", "capacity", "quiet", "space"}),
    # Its --order is a claim to be verified, not a solver.
    "solve check": (["memplan-solve", "check"], "memplan-solve options:", None, {"useful"}),
    "solve check-offsets": (["memplan-solve", "check-offsets"], "memplan-solve options:", None, {"capacity", "input", "space"}),
    "opt": (["memplan-opt"], "Planning: ", r"\S.*", {"emit", "function", "list-solvers", "perfetto", "quiet", "report", "summary"}),
    "pass": (["memplan-opt"], "      --memplan-plan ", r" {,6}\S.*", {"emit-plan"}),
    "pipeline": (["memplan-opt"], "      --memplan-plan-pipeline ", r" {,6}\S.*", {"emit-plan"}),
    "run": (["memplan-run"], "For .mlir files", r"\S.*",
            {"function", "engine", "emit-ir", "emit-plan", "emit-program", "emit-unplanned", "emit-library"}),
}
# What a table of buffers says of alignment stands in it.
OTHER_DEFAULTS = {("solve arena", "alignment"): "1", ("solve check-offsets", "alignment"): "1"}


def rows():
    """Name to value syntax, default, users and meaning, as the page has them."""
    found = {}
    for line in (ROOT / "docs" / "Options.md").read_text().splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[0].startswith("`"):
            found[cells[0].strip("`")] = (cells[1], cells[2], cells[3].split(", "), cells[4])
    return found


def flags_in_help(tool, user):
    """Name to value syntax and text."""
    (name, *command), begin, end, _ = HELPS[user]
    done = subprocess.run([tool(name), *command, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = iter(done.stdout.splitlines())
    assert any(line.startswith(begin) for line in lines), f"the help of {user} has no line '{begin}'"
    flags = {}
    for line in lines:
        if end and line and re.fullmatch(end, line):
            break
        if match := re.match(r" +--([a-z-]+)(?:(\[)?=<?(.*?)>?(?(2)\]))? +(?:- )?(\S.*)", line):
            flags[match[1]] = (match[3] or "", match[4])
    return flags


def test_the_page_and_the_helps_are_found(tool):
    assert {"remat", "budget", "time-limit", "min-budget"} <= set(rows())
    users = {user for row in rows().values() for user in row[2]}
    assert users | {"pipeline"} == set(HELPS)


@pytest.mark.parametrize("user", HELPS)
def test_each_tool_has_the_options_of_the_table_and_no_other(tool, user):
    flags, own = flags_in_help(tool, user), HELPS[user][3]
    row_of = "pass" if user == "pipeline" else user
    wanted = {name: row for name, row in rows().items() if row_of in row[2]}
    assert wanted and own <= set(flags)
    assert set(flags) - own == set(wanted) - own
    for name, (value, default, _, meaning) in wanted.items():
        default = OTHER_DEFAULTS.get((user, name), default)
        if value:
            assert flags[name] == (value, meaning + (f" (default {default})" if default else "")), name
        else:
            assert flags[name][1] == meaning, name


# A default that the page states is the value without the flag.
@pytest.mark.parametrize("user, step", [
    ("solve remat", "test/Planner/Inputs/chain8.graph.json"),
    ("solve arena", "test/Planner/Inputs/buffers.csv"),
    ("opt", "test/Transforms/Inputs/chain.mlir"),
])
def test_a_default_typed_out_changes_nothing(tool, user, step):
    (name, *command), *_ = HELPS[user]

    def output(*flags):
        done = subprocess.run([tool(name), *command, str(ROOT / step), *flags], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    defaults = [f"--{option}={OTHER_DEFAULTS.get((user, option), default)}"
                for option, (value, default, users, _) in rows().items() if user in users and value and default]
    # memplan-opt plans when it is asked to.
    some = [defaults[0]] if user == "opt" else []
    assert len(defaults) > 3
    assert output(*defaults) == output(*some)
