"""Brings MLIR text down by mlir-opt and runs it by mlir-runner: what the tests of memplan-plan-memrefs and the benchmark share.

Tools come from PATH, as lit sets it, or else from the folder of LLVM's Debian packages.
"""
import os
import pathlib
import shutil
import subprocess

LLVM = pathlib.Path("/usr/lib/llvm-22")

# Tensors to memrefs: results become arguments that the caller allocates, and whatever is allocated is freed.
BUFFERIZE = """builtin.module(
  func.func(tosa-optional-decompositions),
  func.func(tosa-infer-shapes, tosa-to-linalg-named, tosa-to-linalg, tosa-to-arith, tosa-to-tensor, tosa-to-scf),
  canonicalize, cse,
  one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops function-boundary-type-conversion=identity-layout-map},
  buffer-results-to-out-params{hoist-static-allocs}, canonicalize, cse,
  buffer-deallocation-pipeline, convert-bufferization-to-memref, canonicalize)"""

LOWER = """builtin.module(
  convert-linalg-to-loops, expand-strided-metadata, lower-affine, convert-scf-to-cf, convert-math-to-libm,
  convert-arith-to-llvm, convert-math-to-llvm, convert-cf-to-llvm, finalize-memref-to-llvm, convert-func-to-llvm, reconcile-unrealized-casts)"""


def tool(name):
    found = os.environ.get(name.upper().replace("-", "_")) or shutil.which(name)
    return found or str(LLVM / "bin" / name)


def run(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"error: {' '.join(map(str, command))}\n{done.stderr[-4000:]}")
    return done.stdout


def flat(pipeline):
    return " ".join(pipeline.split())


def bufferize(text):
    return run([tool("mlir-opt"), f"--pass-pipeline={flat(BUFFERIZE)}"], text)


def plan(text, options="remarks=none", memplan_opt=None):
    return run([memplan_opt or tool("memplan-opt"), f"--memplan-plan-memrefs={options}"], text)


def lower(text):
    return run([tool("mlir-opt"), f"--pass-pipeline={flat(LOWER)}"], text)


def execute(text, entry="main", level="-O3"):
    libraries = pathlib.Path(tool("mlir-runner")).resolve().parents[1] / "lib"
    return run([tool("mlir-runner"), level, "-e", entry, "--entry-point-result=void",
                f"--shared-libs={libraries}/libmlir_c_runner_utils.so,{libraries}/libmlir_runner_utils.so"], text)
