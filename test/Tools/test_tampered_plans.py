"""A planned file is verified on every way from it: one changed offset is refused, or changes nothing."""
import random
import re
import subprocess

import pytest

from fixtures import ROOT

RESIDUAL = ROOT / "examples" / "small" / "residual.mlir"
VIEW = re.compile(r"memref\.view %\w+\[(%\w+)\]")


@pytest.fixture
def call(tool):
    return lambda name, *arguments: subprocess.run([tool(name), *map(str, arguments)], capture_output=True)


@pytest.fixture
def planned(call, tmp_path):
    file = tmp_path / "planned.mlir"
    done = call("memplan-opt", RESIDUAL, "--budget=75%", "-o", file)
    assert done.returncode == 0, done.stderr.decode()
    return file.read_text()


def tampered(text, number, random):
    """The text with one view at the offset of another."""
    views = list(VIEW.finditer(text))
    match = random.choice(views)
    others = sorted({view[1] for view in views} - {match[1]})
    changed = text[: match.start(1)] + random.choice(others) + text[match.end(1) :]
    # A constant is known after it is made only, so all stand before.
    constants = re.findall(r"^ *%\w+ = arith\.constant .*\n", changed, re.MULTILINE)
    for constant in constants:
        changed = changed.replace(constant, "", 1)
    body = re.search(r"^  func\.func .*\{\n", changed, re.MULTILINE).end()
    return changed[:body] + "".join(constants) + changed[body:]


def test_one_moved_view_is_refused_or_harmless(call, planned, tmp_path):
    seed = 20261121
    numbers = random.Random(seed)
    refused = 0
    for number in range(12):
        file, program = tmp_path / f"moved{number}.mlir", tmp_path / f"moved{number}.mpp"
        file.write_text(tampered(planned, number, numbers))
        done = call("memplan-run", file, f"--emit-program={program}")
        if done.returncode == 0:
            # Bytes that nothing else needs at that time: the run proves it.
            same = call("memplan-run", file, "--backend=reference", "--check", f"--unplanned={RESIDUAL}")
            assert same.returncode == 0, f"seed {seed}, {file}: {same.stderr.decode()}"
            continue
        refused += 1
        assert b"error: " in done.stderr and f"moved{number}.mlir:".encode() in done.stderr, done.stderr.decode()
        assert not program.exists()
    assert refused >= 6, f"seed {seed}: {refused} of 12"


@pytest.mark.parametrize("flag", ["--steps=1", "--engine=jit", "--emit-library={}/step.so", "--emit-program={}/step.mpp"])
def test_no_way_leads_past_the_check(call, planned, tmp_path, flag):
    # All views at one place: surely wrong.
    first = VIEW.search(planned)[1]
    file = tmp_path / "moved.mlir"
    file.write_text(VIEW.sub(lambda match: match[0].replace(match[1] + "]", first + "]"), planned))
    done = call("memplan-run", file, flag.format(tmp_path))
    assert done.returncode == 2 and b"was not compiled" in done.stderr
    assert b"step 0" not in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["moved.mlir", "planned.mlir"]
