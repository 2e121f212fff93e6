# What quickstart.sh, test.sh and the install-*.sh steps share. Sourced by bash, never run.
# Every function may be called again at no cost: a finished step leaves a mark and is skipped.

memplanRoot=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
memplanCache=${MEMPLAN_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/memplan}
# Debian's own interpreter: another Python earlier on PATH may lack the venv module or match no wheel.
memplanPython=${MEMPLAN_PYTHON:-/usr/bin/python3}
memplanJobs=${MEMPLAN_JOBS:-$(nproc)}
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

say() { printf '== %s\n' "$*"; }

# fail MESSAGE REMEDY: every early exit tells what to do next.
fail() {
  printf 'error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'remedy: %s\n' "$2" >&2
  exit 1
}

# venvWith NAME PACKAGE...: a virtual environment in the cache that holds these packages; prints its path.
# The package list is its mark, so that a changed list is installed and an unchanged one costs nothing.
venvWith() {
  local venv=$memplanCache/$1 wanted
  shift
  wanted=$(printf '%s\n' "$@")
  if [ "$(cat "$venv/memplan-packages" 2>/dev/null)" != "$wanted" ]; then
    mkdir -p "$memplanCache"
    if [ ! -x "$venv/bin/pip" ]; then
      "$memplanPython" -m venv "$venv" >&2 ||
        fail "cannot make a Python environment in $venv" "install python3-venv, or set MEMPLAN_PYTHON to a Python that has it"
    fi
    "$venv/bin/pip" install --quiet "$@" >&2 </dev/null ||
      fail "pip could not install: $*" "check the network, then run this script again"
    printf '%s\n' "$wanted" >"$venv/memplan-packages"
  fi
  printf '%s\n' "$venv"
}
