#!/usr/bin/env bash
# Builds HiGHS, the MILP solver, from its source package into the cache, outside every build tree,
# so that a fresh build directory never pays its minutes again. Prints the prefix on standard output.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

version=1.15.1
sha256=20ed2fbf1cb64bf3044ee6632364b7e2653d93e6901e2b19fd3d5df10702e8c5
cxx=${MEMPLAN_HIGHS_CXX:-clang++-22}
cc=${MEMPLAN_HIGHS_CC:-clang-22}
prefix=$memplanCache/highs-$version-$(basename "$cxx")

if [ -e "$prefix/memplan-complete" ]; then
  printf '%s\n' "$prefix"
  exit 0
fi
mkdir -p "$memplanCache"
exec 8>"$prefix.lock"
flock 8 # two builds at once would write into one prefix
if [ ! -e "$prefix/memplan-complete" ]; then
  command -v "$cxx" >/dev/null || fail "no compiler '$cxx' for HiGHS" "run utils/quickstart.sh, which installs it, or set MEMPLAN_HIGHS_CC and MEMPLAN_HIGHS_CXX"
  work=$(mktemp -d "$memplanCache/highs-build.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  say "fetching the source of HiGHS $version" >&2
  tools=$(venvWith tools pip)
  "$tools/bin/pip" download --quiet --no-deps --no-binary highspy --dest "$work" "highspy==$version" >&2 </dev/null ||
    fail "cannot download the source of HiGHS $version" "check the network, then run this script again; or configure with -DMEMPLAN_WITH_HIGHS=OFF"
  archive=$work/highspy-$version.tar.gz
  echo "$sha256  $archive" | sha256sum --check --quiet >&2 ||
    fail "the source of HiGHS $version does not have the expected sha256 $sha256" "do not use it; look for a proxy that alters downloads"
  tar -xzf "$archive" -C "$work"
  source=$work/highspy-$version
  # The package leaves out two files that its CMakeLists.txt names; neither matters for the library.
  touch "$source/highs.pc.in"
  mkdir -p "$source/app" && touch "$source/app/CMakeLists.txt"
  say "building HiGHS $version with $cxx (minutes, once)" >&2
  launcher=()
  ! command -v ccache >/dev/null || launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  # No fused multiply-add: the same problem must give the same plan on every machine.
  # Sources are compiled several at a time (unity): half the processor time of one by one.
  cmake -S "$source" -B "$work/build" -G Ninja "${launcher[@]}" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_CXX_FLAGS=-ffp-contract=off \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DBUILD_SHARED_LIBS=OFF -DBUILD_CXX_EXE=OFF -DBUILD_TESTING=OFF -DBUILD_EXAMPLES=OFF -DZLIB=OFF -DCMAKE_UNITY_BUILD=ON >"$work/log" 2>&1 ||
    { tail -n 30 "$work/log" >&2; fail "HiGHS does not configure" "see the lines above"; }
  ninja -C "$work/build" -j "$memplanJobs" install >"$work/log" 2>&1 ||
    { tail -n 30 "$work/log" >&2; fail "HiGHS does not build" "see the lines above"; }
  touch "$prefix/memplan-complete"
fi
printf '%s\n' "$prefix"
