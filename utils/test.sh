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
# The second MILP solver, what opens reports, the thread sanitizer for kernels of CUDA, and MPI: only in tests.
installPackages coinor-libcbc-dev chromium libclang-rt-22-dev libopenmpi-dev openmpi-bin
if [ $withTorch -eq 1 ]; then
  venv=$("$memplanRoot/utils/install-torch.sh")
else
  venv=$(pythonEnvironment)
fi
python=$venv/bin/python
siteEnvironment >/dev/null # Sphinx, for the test of the site.

build=$memplanRoot/build
configure release -DPython3_EXECUTABLE="$python" -DMEMPLAN_WITH_MLIR=ON -DMEMPLAN_WITH_HIGHS=ON -DMEMPLAN_WITH_CBC=ON -DMEMPLAN_WITH_ONEDNN=ON -DMEMPLAN_WITH_MPI=ON -DMEMPLAN_WITH_PYTHON=ON
build "$build" all
runTests=("$python" "$memplanRoot/utils/run_tests.py" --jobs "$memplanJobs" --no-summary)
"${runTests[@]}" "$build"

# The second compiler, and the promise that core and runtime need neither MLIR nor any optional package.
core=$memplanRoot/build-core
# What an earlier run left there must not be counted where this one does not get as far.
rm -rf "$core/test-results"
# A failure here must not hide the results above: the summary counts it.
if (configure core -DPython3_EXECUTABLE="$python" && build "$core" all); then
  "${runTests[@]}" --without-pytest "$core"
fi

"$python" "$memplanRoot/utils/summarize_tests.py" "$build" "$core"
