#!/usr/bin/env bash
# Installs what is missing, builds memplan, plans ResNet-50's training step under a budget and runs it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage="usage: utils/quickstart.sh [--batch=N] [--steps=N]
  --batch=N   images per step (default 4)
  --steps=N   training steps to run (default 3)
Environment: MEMPLAN_JOBS, MEMPLAN_CACHE_DIR, MEMPLAN_PYTHON."
batch=4 steps=3
for argument in "$@"; do
  case $argument in
  --batch=[1-9]*) batch=${argument#*=} ;;
  --steps=[1-9]*) steps=${argument#*=} ;;
  -h | --help) printf '%s\n' "$usage"; exit 0 ;;
  *) printf "error: unknown argument '%s'\n%s\n" "$argument" "$usage" >&2; exit 2 ;;
  esac
done

installEverything
build=$memplanRoot/build
configure release -DMEMPLAN_WITH_MLIR=ON -DMEMPLAN_WITH_HIGHS=ON -DMEMPLAN_WITH_ONEDNN=ON
build "$build" memplan-opt memplan-run memplan-solve

opt=$build/bin/memplan-opt run=$build/bin/memplan-run
out=$build/quickstart
mkdir -p "$out"

# plan NAME OPTION...: the planned step as MLIR and its plan as JSON; the tool's summary line goes to the terminal.
plan() {
  local name=$1
  shift
  "$opt" "$@" "$out/step.mlir" -o "$out/$name.mlir" || fail "ResNet-50 could not be planned ($name)" "see the line above"
  "$opt" "$@" --emit=plan "$out/step.mlir" -o "$out/$name.plan.json" 2>/dev/null
}

# bytes FILE KEY: one number of a plan.
bytes() { "$memplanPython" -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$1" "$2"; }

say "ResNet-50, one training step of $batch images"
"$opt" "--memplan-set-batch=batch=$batch" "$memplanRoot/examples/resnet50.mlir" -o "$out/step.mlir" ||
  fail "examples/resnet50.mlir could not be set to batch $batch" "see the line above"

say "planning without recomputation"
plan unplanned --remat=checkpoint-all
say "the least that greedy recomputation reaches, to choose a budget half way"
plan budgeted --remat=greedy --budget="${MEMPLAN_BUDGET:-60%}"

say "running $steps steps as planned, and comparing every output with the unplanned run"
"$run" "$out/budgeted.mlir" --steps="$steps" --check || fail "the planned run differs from the unplanned run" "see the lines above; this is a defect in memplan"

before=$(bytes "$out/unplanned.plan.json" peak_bytes) after=$(bytes "$out/budgeted.plan.json" peak_bytes)
say "done: one training step needs $after bytes instead of $before, and computes the same numbers"
say "results are in $out: the planned step (budgeted.mlir) and its plan (budgeted.plan.json)"
