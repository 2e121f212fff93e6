"""Planned functions with streams, events and copies, changed in one thing: the verifier of planned IR refuses the change, or
every order that the queues allow ends as before. What it refuses for a missing wait goes wrong in some order."""
import re
import subprocess

import pytest

import planned_mutations
import queue_machine
import queue_plans

ARENAS = {"%arg0", "%arg1"}


def verify(tool, folder, mutants):
    """By mutant, the first error, or None where it is accepted. All are read in one run."""
    lines, begins = [], []
    for mutant in mutants:
        begins.append(len(lines) + 1)
        lines += [*mutant, "// -----"]
    path = folder / "mutants.mlir"
    path.write_text("\n".join(lines[:-1]) + "\n")
    run = subprocess.run([tool("memplan-opt"), "--split-input-file", str(path), "--memplan-verify-plan", "-o", "/dev/null"],
                         capture_output=True, text=True)
    errors = [None] * len(mutants)
    for line, text in re.findall(r"mutants\.mlir:(\d+):\d+: error: (.*)", run.stderr):
        which = sum(b <= int(line) for b in begins) - 1
        errors[which] = errors[which] or text
    assert (run.returncode != 0) == any(errors)
    return errors


def outcomes(text, names):
    return queue_machine.Machine(text).outcomes(names, ARENAS)


@pytest.mark.parametrize("name", queue_plans.ALL)
def test_every_change_is_refused_or_harmless(tool, tmp_path, name):
    text, _ = queue_plans.planned(tool, tmp_path, name)
    names = {}
    right = outcomes(text, names)
    assert len(right) == 1, "the plan itself depends on the order"
    lines = text.strip().split("\n")
    mutants, labels = [], []
    for kind, mutate in planned_mutations.kinds().items():
        for mutant in mutate(lines):
            if mutant != lines and mutant not in mutants:
                mutants.append(mutant)
                labels.append(kind)
    errors = verify(tool, tmp_path, [lines, *mutants])
    assert errors[0] is None
    refused, races, real = set(), 0, 0
    for kind, mutant, error in zip(labels, mutants, errors[1:]):
        if error is None:
            assert outcomes("\n".join(mutant), names) == right, f"{kind} is accepted and goes wrong:\n" + "\n".join(mutant)
            continue
        refused.add(kind)
        if "(planned_c10)" in error:
            races += 1
            real += outcomes("\n".join(mutant), names) != right
    assert len(refused) >= 30, sorted(set(planned_mutations.kinds()) - refused)
    # The others race for bytes that nothing reads any more, or end alike whoever comes first.
    assert real >= 0.8 * races, (real, races)
    print(f"{name}: {len(mutants)} changes of {len(set(labels))} kinds, {sum(e is not None for e in errors)} refused "
          f"({len(refused)} kinds), {races} for a missing order, {real} of which go wrong")
