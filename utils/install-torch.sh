#!/usr/bin/env bash
# Puts PyTorch into a Python environment in the cache, for the tests that compare with it. Prints the environment.
# The CPU is all that the tests use, yet the wheel wants CUDA libraries to load: where a CUDA 13 toolkit is installed,
# about a third of the full download is enough; elsewhere the full set is taken.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

venv=$memplanCache/torch
requirements=$memplanRoot/python-bindings/requirements-torch.txt
wanted=$(cat "$requirements")
if [ "$(cat "$venv/memplan-complete" 2>/dev/null)" != "$wanted" ]; then
  say "installing PyTorch (1 to 3 GB, once)" >&2
  installPackages python3 python3-venv >&2
  mkdir -p "$memplanCache"
  [ -x "$venv/bin/pip" ] || "$memplanPython" -m venv "$venv" ||
    fail "cannot make a Python environment in $venv" "install python3-venv, or set MEMPLAN_PYTHON to a Python that has it"
  # The list names everything that is used; what torch asks for besides (triton, CUDA bindings) serves GPUs only.
  pip() { "$venv/bin/pip" install --quiet --no-deps "$@" >&2 </dev/null; }
  remedy="check the network and the free space in $memplanCache, then run this script again; tests without --torch need none of it"
  loads() { "$venv/bin/python" -c 'import torch, torchvision; torch.ones(2).sum().item()' >/dev/null 2>&1; }
  if [ -d /usr/local/cuda ]; then
    pip -r <(sed '/^# Below this line/,$d' "$requirements") || fail "pip could not install PyTorch" "$remedy"
  fi
  if ! loads; then
    pip -r "$requirements" || fail "pip could not install PyTorch" "$remedy"
    loads || fail "PyTorch is installed in $venv but does not load: $("$venv/bin/python" -c 'import torch, torchvision' 2>&1 | tail -n 1)" "remove $venv and run this script again"
  fi
  printf '%s' "$wanted" >"$venv/memplan-complete"
fi
jax=$memplanRoot/python-bindings/requirements-jax.txt
if ! cmp -s "$jax" "$venv/memplan-jax-complete"; then
  "$venv/bin/pip" install --quiet --no-deps -r "$jax" >&2 </dev/null ||
    fail "pip could not install JAX" "check the network, then run this script again; tests without --torch need none of it"
  cp "$jax" "$venv/memplan-jax-complete"
fi
printf '%s\n' "$venv"
