#!/usr/bin/env bash
# usage: install-torch.sh VENV
# Makes a virtual environment with the pinned PyTorch of requirements-torch.txt, or checks the one that is there.
# A second call costs about a second. Leaves the CUDA libraries out where the loader finds those of a toolkit.
set -euo pipefail

venv=${1:?usage: install-torch.sh VENV}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
requirements=$here/requirements-torch.txt
stamp=$venv/.memplan-torch
# The stamp names the requirements it was made from, so that a changed pin installs anew.
wanted=$(sha256sum "$requirements" | cut -d' ' -f1)

if [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted" ] && [ -x "$venv/bin/python" ]; then
  exit 0
fi

if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  echo "install-torch.sh: python3 has no venv module; on Debian: apt-get install python3-venv" >&2
  exit 1
fi
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"

# Both must be there: a toolkit without cuDNN does not serve torch.
libraries=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p)
selected=$(mktemp)
trap 'rm -f "$selected"' EXIT
if grep -q 'libcublasLt\.so\.13' <<<"$libraries" && grep -q 'libcudnn\.so\.9' <<<"$libraries"; then
  sed '/^# Below this line/,$d' "$requirements" >"$selected"
else
  cp "$requirements" "$selected"
fi

install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "$@"; }
imports() { "$venv/bin/python" -c 'import torch, torchvision'; }
install -r "$selected"
# A toolkit that lacks one of the libraries only shows at import: then the wheels bring them.
imports 2>/dev/null || { install -r "$requirements" && imports; }
echo "$wanted" >"$stamp"
