#!/usr/bin/env bash
# Puts oneDNN, the CPU kernel library, into the cache: headers, CMake package and libdnnl.so.3. Prints the prefix.
# Debian's own package is a release with the older interface.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

prefix=$(venvWith onednn-3.2.0 onednn-devel-cpu-gomp==2023.2.0)
[ -e "$prefix/lib/libdnnl.so.3" ] ||
  fail "the oneDNN package in $prefix has no lib/libdnnl.so.3" "remove $prefix and run this script again"
touch "$prefix/memplan-complete"
printf '%s\n' "$prefix"
