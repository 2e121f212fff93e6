#!/usr/bin/env bash
# Installs what is missing, builds memplan and runs every test. The last line is "N passed, N failed, N skipped".
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage="usage: utils/test.sh [--torch]
  --torch   also install PyTorch (1 to 3 GB) and run the tests that compare with it
Environment: MEMPLAN_JOBS, MEMPLAN_CACHE_DIR, MEMPLAN_PYTHON."
withTorch=0
for argument in "$@"; do
  case $argument in
  --torch) withTorch=1 ;;
  -h | --help) printf '%s\n' "$usage"; exit 0 ;;
  *) printf "error: unknown argument '%s'\n%s\n" "$argument" "$usage" >&2; exit 2 ;;
  esac
done

installEverything
if [ $withTorch -eq 1 ]; then
  venv=$("$memplanRoot/utils/install-torch.sh")
else
  venv=$(venvWith python numpy pytest)
fi
python=$venv/bin/python

# Removed first, so that a program that dies before writing its results cannot be counted by those of an earlier run.
results=$memplanRoot/build/test-results
rm -rf "$results" "$memplanRoot/build-core/test-results"

# runTests FOLDER: ctest (GoogleTest and C programs) and lit. Failures are counted by the summary, not here.
runTests() {
  mkdir -p "$1/test-results"
  say "running ctest in $(basename "$1")/"
  ctest --test-dir "$1" --output-on-failure --parallel "$memplanJobs" --output-junit "$1/test-results/ctest.xml" >"$1/test-results/ctest.log" 2>&1 ||
    cat "$1/test-results/ctest.log"
  say "running lit in $(basename "$1")/"
  lit-22 --quiet --show-unsupported -v --workers "$memplanJobs" --output "$1/test-results/lit.json" "$1/test" || true
}

build=$memplanRoot/build
configure release -DPython3_EXECUTABLE="$python" -DMEMPLAN_WITH_MLIR=ON -DMEMPLAN_WITH_HIGHS=ON -DMEMPLAN_WITH_ONEDNN=ON
build "$build" all
runTests "$build"

say "running pytest"
(cd "$memplanRoot" && MEMPLAN_BUILD_DIR=$build "$python" -m pytest -q --junitxml="$results/pytest.xml") || true

# The second compiler, and the promise that core and runtime need neither MLIR nor any optional package.
core=$memplanRoot/build-core
# A failure here must not hide the results above: the summary counts it.
if (configure core -DPython3_EXECUTABLE="$python" && build "$core" all); then
  runTests "$core"
fi

"$python" "$memplanRoot/utils/summarize_tests.py" "$build" "$core"
