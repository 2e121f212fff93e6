#!/usr/bin/env bash
# Puts PyTorch into a Python environment in the cache, for the tests that compare with it. Prints the environment.
# The CPU is all that the tests use, yet the wheel wants CUDA libraries to load: where a CUDA 13 toolkit is installed,
# about a third of the full download is enough; elsewhere the full set is taken.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

venv=$memplanCache/torch
torch=torch==2.15.0 vision=torchvision==0.29.2
wanted="$torch $vision numpy pytest"
if [ "$(cat "$venv/memplan-complete" 2>/dev/null)" != "$wanted" ]; then
  say "installing PyTorch (1 to 3 GB, once)" >&2
  installPackages python3 python3-venv >&2
  mkdir -p "$memplanCache"
  [ -x "$venv/bin/pip" ] || "$memplanPython" -m venv "$venv" ||
    fail "cannot make a Python environment in $venv" "install python3-venv, or set MEMPLAN_PYTHON to a Python that has it"
  pip() { "$venv/bin/pip" install --quiet "$@" >&2 </dev/null; }
  remedy="check the network and the free space in $memplanCache, then run this script again; tests without --torch need none of it"
  loads() { "$venv/bin/python" -c 'import torch, torchvision; torch.ones(2).sum().item()' >/dev/null 2>&1; }
  if [ -d /usr/local/cuda ]; then
    pip numpy pytest pillow typing_extensions filelock sympy networkx jinja2 fsspec || fail "pip could not install what PyTorch needs" "$remedy"
    pip --no-deps "$torch" "$vision" nvidia-cufile==1.17.1.22 nvidia-cusparselt-cu13==0.8.1 \
      nvidia-nvshmem-cu13==3.7.2 nvidia-nccl-cu13==2.30.7 || fail "pip could not install PyTorch" "$remedy"
  fi
  if ! loads; then
    pip "$torch" "$vision" numpy pytest || fail "pip could not install PyTorch" "$remedy"
    loads || fail "PyTorch is installed in $venv but does not load: $("$venv/bin/python" -c 'import torch, torchvision' 2>&1 | tail -n 1)" "remove $venv and run this script again"
  fi
  printf '%s' "$wanted" >"$venv/memplan-complete"
fi
printf '%s\n' "$venv"
