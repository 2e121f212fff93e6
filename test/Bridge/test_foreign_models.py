"""Functions of other dialects are planned by their models, lowered and run by MLIR's own tools, and give what they gave."""
import pathlib
import re
import subprocess

import pytest

import planned_runs

INPUTS = pathlib.Path(__file__).parent / "Models" / "Inputs"


def plan(tool, name, *flags):
    """The planned function, and its report."""
    run = subprocess.run([tool("memplan-opt"), str(INPUTS / name), *flags], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout, run.stderr


# Each with a budget that some operations have to run again for, whether all operations have a memref form, and the shapes
# that MLIR's own lowering needs scratch for: it pads the input of a convolution, and reduces to fewer dimensions first.
CASES = [
    ("mlp_step.mlir", "75%", True, set()),
    ("tosa_net.mlir", "80%", False, {"1x18x18x4xf32", "1x16x8xf32", "1x1x8xf32"}),
    ("mixed.mlir", "80%", False, set()),
]


@pytest.mark.parametrize("name,budget,on_memrefs,scratch", CASES)
def test_planned_function_runs_in_its_arena(tool, name, budget, on_memrefs, scratch):
    planned, report = plan(tool, name, "--remat=search", f"--budget={budget}")
    assert re.search(r"memplan\.run = [1-9]", planned), "nothing runs again:\n" + report
    arena_bytes = int(re.search(r"memplan\.arena_bytes = (\d+)", planned).group(1))
    assert ("bufferization.to_tensor" not in planned) == on_memrefs

    bufferized = planned_runs.bufferize_planned(planned)
    allocated = set(re.findall(r"memref\.alloc\(\).*: memref<(\S+)>", bufferized))
    assert allocated <= scratch, "something lies outside the arena:\n" + bufferized
    found = planned_runs.run(planned_runs.with_main(bufferized, arena_bytes))
    expected = planned_runs.run(planned_runs.with_main(planned_runs.bufferize((INPUTS / name).read_text())))
    assert found == expected
    assert all(any(number != 0 for number in result) for result in expected)
