#!/usr/bin/env bash
# Makes the site: pages of docs/, reference from the sources, reports of the examples. Open the index.html that it names; no server, no network.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage="usage: utils/build-site.sh [--build=FOLDER] [--output=FOLDER] [--without-reports]
  --build=FOLDER      where memplan is built, with its Python package (default: build)
  --output=FOLDER     where the site goes (default: FOLDER of the build with site/)
  --without-reports   leave the reports of the gallery out
Environment: MEMPLAN_CACHE_DIR, MEMPLAN_PYTHON."
build=$memplanRoot/build output="" options=()
for argument in "$@"; do
  case $argument in
  --build=?*) build=${argument#*=} ;;
  --output=?*) output=${argument#*=} ;;
  --without-reports) options+=("$argument") ;;
  -h | --help) printf '%s\n' "$usage"; exit 0 ;;
  *) printf "error: unknown argument '%s'\n%s\n" "$argument" "$usage" >&2; exit 2 ;;
  esac
done
for tool in memplan-opt memplan-run memplan-solve; do
  [ -x "$build/bin/$tool" ] || fail "$build/bin/$tool is not built" "utils/test.sh builds everything; or ninja -C $build"
done
venv=$(siteEnvironment)
"$venv/bin/python" "$memplanRoot/docs/site/build.py" "$build" "${output:=$build/site}" "${options[@]}"
say "the site is made: $output/index.html"
