"""A few of the runs of random_runs.py: an error, a plan that the checker refuses (runs in vain included), or a plan that an option
which asks for less would have found, is a bug that whoever types these options would meet."""
import pathlib

import pytest
import random_runs

RUNS = 25

# Seeds in which a sweep found a fault: what went wrong.
FOUND = {
    20296: "auto had no plan, greedy had one",
    20411: "copies on four streams with caller's tensors on the host: no plan, checkpoint-all had one",
    21722: "the witness of another proof",
    100093: "no plan with caller's tensors on the host where checkpoint-all had one",
    100115: "copies between runs in variants with more scratch than the search counted",
    100372: "copies beside a donated input that an output shows",
    100939: "the search began with a plan in which a hosted tensor is not fetched, and wrote past its arrays",
    101306: "auto had no plan, greedy had one",
    102786: "the checker refused that the caller's bytes alone exceed the budget",
    205585: "the search had no plan with states on the host on four streams, checkpoint-all had one",
    210193: "a plan of another solver, found after the time limit, beside a bound of source order",
}


@pytest.mark.parametrize("first", [1, 5001, 9001, 20001])
def test_random_runs_have_no_fault(tool, tmp_path, first):
    counts, faults = random_runs.sweep(pathlib.Path(tool("memplan-solve")), first, RUNS, tmp_path)
    print(f"seeds {first} to {first + RUNS - 1}: {dict(counts)}")
    assert not faults, "\n".join(faults)
    planned = sum(number for (_, _, status), number in counts.items() if status in ("optimal", "feasible"))
    assert planned >= RUNS // 10  # The generator keeps making steps that can be planned.


@pytest.mark.parametrize("seed", FOUND, ids=[str(seed) for seed in FOUND])
def test_a_fault_stays_mended(tool, tmp_path, seed):
    _, faults = random_runs.sweep(pathlib.Path(tool("memplan-solve")), seed, 1, tmp_path)
    assert not faults, FOUND[seed] + "\n" + "\n".join(faults)
