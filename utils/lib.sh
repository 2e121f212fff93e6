# What quickstart.sh, test.sh and the install-*.sh steps share. Sourced by bash, never run.
# Every step may be taken again at no cost: it looks at what is there before it does anything.

memplanRoot=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
memplanCache=${MEMPLAN_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/memplan}
# Debian's own interpreter: another Python earlier on PATH may lack the venv module or match no wheel.
memplanPython=${MEMPLAN_PYTHON:-/usr/bin/python3}
memplanJobs=${MEMPLAN_JOBS:-$(nproc)}
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore
# Paths relative to the clone, so that a second clone finds the first one's objects; precompiled headers need the rest.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$memplanRoot} CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime

memplanPackages=(
  g++ git ca-certificates cmake ninja-build ccache clang-22 clang-format-22 lld-22
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools zlib1g-dev libzstd-dev
  libgtest-dev libgmock-dev pkgconf python3 python3-dev python3-venv
)

say() { printf '== %s\n' "$*"; }

# fail MESSAGE [REMEDY]: every early exit tells what to do next.
fail() {
  printf 'error: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf 'remedy: %s\n' "$2" >&2
  exit 1
}

# Runs a command as root: directly, or through sudo, which may ask for a password only where someone can type one.
asRoot() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif [ -t 2 ]; then
    sudo --preserve-env=DEBIAN_FRONTEND "$@"
  else
    sudo --non-interactive --preserve-env=DEBIAN_FRONTEND "$@"
  fi
}

# installPackages PACKAGE...: Debian packages that are not installed yet.
installPackages() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local byHand="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  command -v apt-get >/dev/null ||
    fail "this system has no apt-get, and these packages are missing: ${missing[*]}" "use Debian 12, or install their like by hand: LLVM, MLIR and clang 22.1, CMake 3.24, Ninja, GoogleTest, Python 3.11"
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    fail "packages are missing and neither root nor sudo is at hand: ${missing[*]}" "as root: $byHand"
  fi
  say "installing Debian packages: ${missing[*]}"
  asRoot apt-get update -qq </dev/null || fail "apt-get update failed" "check the network and your permission, or as root: $byHand"
  asRoot apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >/dev/null ||
    fail "apt-get could not install: ${missing[*]}" "LLVM 22 is in Debian 12's security suite: check that bookworm-security is in /etc/apt, then as root: $byHand"
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

# Python with what tests and reports use; the sources' module is made for it.
pythonEnvironment() {
  venvWith python numpy pytest pytest-xdist==3.8.0 nanobind==3.1.0 scikit-build-core==1.1.2 bokeh==3.9.2 matplotlib==3.11.2 playwright==1.65.2
}

# What makes the site, in an environment of its own.
siteEnvironment() { venvWith site $(sed 's/#.*//' "$memplanRoot/docs/site/requirements.txt"); }

# Everything that the build needs, installed or found.
installEverything() {
  installPackages "${memplanPackages[@]}"
  # The prefixes are printed for people; CMake looks into the cache by itself.
  "$memplanRoot/utils/install-highs.sh" >/dev/null
  "$memplanRoot/utils/install-onednn.sh" >/dev/null
}

# configure PRESET [CMAKE-ARGUMENT...]: quiet unless it fails.
configure() {
  local preset=$1 log
  shift
  log=$(mktemp)
  say "configuring ($preset)"
  (cd "$memplanRoot" && cmake --preset "$preset" "$@" >"$log" 2>&1) || {
    cat "$log" >&2
    rm -f "$log"
    fail "CMake could not configure" "see the lines above; a build folder of another machine or version may be removed"
  }
  grep -E '^--( memplan |   [A-Z]+:)|^CMake Warning' "$log" || true
  rm -f "$log"
}

# build FOLDER TARGET...
build() {
  local folder=$1
  shift
  say "building $* in $(basename "$folder")/ with $memplanJobs jobs"
  ninja -C "$folder" -j "$memplanJobs" "$@" || fail "the build failed" "see the first error above"
}
