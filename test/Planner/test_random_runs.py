"""A few of the runs of random_runs.py: an error, a plan that the checker refuses (runs in vain included), or a plan that an option
which asks for less would have found, is a bug that whoever types these options would meet."""
import pathlib

import pytest
import random_runs

RUNS = 25


@pytest.mark.parametrize("first", [1, 5001, 9001, 20001])
def test_random_runs_have_no_fault(tool, tmp_path, first):
    counts, faults = random_runs.sweep(pathlib.Path(tool("memplan-solve")), first, RUNS, tmp_path)
    print(f"seeds {first} to {first + RUNS - 1}: {dict(counts)}")
    assert not faults, "\n".join(faults)
    planned = sum(number for (_, _, status), number in counts.items() if status in ("optimal", "feasible"))
    assert planned >= RUNS // 10  # The generator keeps making steps that can be planned.
