#!/usr/bin/env bash
# Installs what is missing, builds memplan, plans ResNet-50's training step under a budget and runs it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage="usage: utils/quickstart.sh [--batch=N] [--steps=N] [--threads=N]
  --batch=N     images per step (default 2)
  --steps=N     training steps to run (default 3)
  --threads=N   threads of the kernels (default: one for each core)
Environment: MEMPLAN_JOBS, MEMPLAN_CACHE_DIR, MEMPLAN_PYTHON."
batch=2 steps=3 threads=$(nproc)
for argument in "$@"; do
  case $argument in
  --batch=[1-9]*) batch=${argument#*=} ;;
  --steps=[1-9]*) steps=${argument#*=} ;;
  --threads=[1-9]*) threads=${argument#*=} ;;
  -h | --help) printf '%s\n' "$usage"; exit 0 ;;
  *) printf "error: unknown argument '%s'\n%s\n" "$argument" "$usage" >&2; exit 2 ;;
  esac
done

installEverything
build=$memplanRoot/build
# An interpreter that test.sh has chosen stays, and the tests need not be built to run this. Python draws reports.
chosen=$(sed -nE 's/^_?Python3_EXECUTABLE:[A-Z]+=(.*)/\1/p' "$build/CMakeCache.txt" 2>/dev/null | head -n 1) || true
drawsReports='import sys, importlib.util; sys.exit(not all(map(importlib.util.find_spec, ("bokeh", "nanobind", "numpy"))))'
[ -x "$chosen" ] && "$chosen" -c "$drawsReports" || chosen=$(pythonEnvironment)/bin/python
configure release -DPython3_EXECUTABLE="$chosen" -DMEMPLAN_WITH_MLIR=ON -DMEMPLAN_WITH_HIGHS=ON -DMEMPLAN_WITH_ONEDNN=ON -DMEMPLAN_WITH_PYTHON=ON
build "$build" memplan-opt memplan-run memplan-solve memplan-python

out=$build/quickstart
rm -rf "$out"
mkdir -p "$out"
step=(examples/resnet50.mlir "--batch=$batch" "--threads=$threads")

# memplanRun NAME OPTION...: what it says goes to NAME.log.
memplanRun() {
  local log=$out/$1.log
  shift
  (cd "$memplanRoot" && "$build/bin/memplan-run" "${step[@]}" "$@") >"$log" 2>&1
}
# said NAME PATTERN: the part of NAME.log that matches the group of the pattern.
said() {
  local found
  found=$(sed -nE "s/.*$2.*/\\1/p" "$out/$1.log" | head -n 1)
  [ -n "$found" ] || fail "memplan-run did not say what was expected" "see $out/$1.log"
  printf '%s\n' "$found"
}
megabytes() { awk -v bytes="$1" 'BEGIN { printf "%.1f MB", bytes / 1e6 }'; }
share() { awk -v part="$1" -v whole="$2" 'BEGIN { printf "%.0f %%", 100 * part / whole }'; }

say "planning ResNet-50's training step: $batch images, SGD, $threads threads"
memplanRun unplanned --emit-unplanned="$out/unplanned.mpp" ||
  fail "the step could not be planned" "see $out/unplanned.log"
apart=$("$build/bin/memplan-run" "$out/unplanned.mpp" --dump | sed -nE 's/^arena 0 bytes=([0-9]+).*/\1/p')
device=$(said unplanned 'device ([0-9]+) bytes')
caller=$((device - $(said unplanned 'bytes \(arena ([0-9]+)\)')))

# A budget of one byte cannot be met, and the answer says which budget can.
if memplanRun least --budget=1 --emit-plan="$out/least.plan.json"; then
  fail "a budget of one byte was accepted" "this is a defect in memplan"
fi
least=$(said least 'a budget of [^(]*\(([0-9]+) bytes\) works')
budget=$((least + (device - least) / 2))

memplanRun planned "--budget=$budget" --emit-plan="$out/planned.plan.json" \
  --emit-program="$out/planned.mpp" --emit-library="$out/planned.so" ||
  fail "the step could not be planned within $budget bytes" "see $out/planned.log"
# The plan holds the scratch memory of the kernels, so that the IR it is applied to must name it too.
memplanRun step --emit-ir="$out/step.mlir" &&
  "$build/bin/memplan-opt" "$out/step.mlir" "--plan=$out/planned.plan.json" -o "$out/planned.mlir" 2>"$out/apply.log" ||
  fail "the plan could not be applied" "see $out/step.log and $out/apply.log"
planned=$(said planned 'device ([0-9]+) bytes')
cat <<EOF
     every value in bytes of its own                       $(megabytes $((apart + caller)))
     memory used again as values die, nothing recomputed   $(megabytes "$device")
     the least budget known to work, with recomputation    $(megabytes "$least")
     of these, parameters, statistics and images           $(megabytes "$caller")
   The budget is half way between the second and the third: $budget bytes.
   The plan takes $planned bytes, $(megabytes $((device - planned))) less than without recomputation, for
   $(said planned 'overhead ([0-9.]+) %') % more computing time (by the cost model); $(said planned 'overhead [0-9.]+ %, (.*), [0-9.]+ s$').
EOF

say "running $steps steps as planned, and the same steps unplanned"
memplanRun run "--budget=$budget" "--steps=$steps" --check --measure ||
  fail "the planned run is not what the plan says" "see $out/run.log; this is a defect in memplan"
said run 'arena 0: planned ([0-9]+) bytes, .*; handed out as planned' >"$out/measured.txt"
sed -n 's/^step /   step /p' "$out/run.log"
cat <<EOF
   Compared after each step: $(said run 'steps ([0-9]+) values') values, $(said run 'values \(([0-9]+) bytes') bytes: loss, parameters and statistics. Planned and
   unplanned run agree in every bit. The arena is planned with $(cat "$out/measured.txt") bytes; the pointers that the kernels got
   reach exactly to its end, and they wrote $(said run 'arena 0: .*touched ([0-9]+)') of its bytes.
   Time: $(said run 'time: ([0-9.]+ ms)') a planned step.
EOF

say "done: ResNet-50 trains in $(megabytes "$planned") instead of $(megabytes "$device"); $(share $((device - planned)) $((device - least))) of what recomputation can save"
cat <<EOF
   The results are in $out:
     planned.mlir        the planned step: one arena, every operation at fixed offsets
     planned.plan.json   the plan: steps, offsets, cost, bound
     planned.mpp, .so    program table and step library; both run where no LLVM is installed
     *.log               what the tools said
   Again with another budget: build/bin/memplan-run ${step[*]} --steps=$steps --check --budget=80%
EOF
