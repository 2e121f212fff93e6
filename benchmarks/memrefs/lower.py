"""Brings MLIR text down by mlir-opt and runs it by mlir-runner: what the tests of memplan-plan-memrefs and the benchmark share.

Tools come from PATH, as lit sets it, or else from build/bin and the folder of LLVM's Debian packages.
"""
import json
import math
import pathlib
import re
import shutil
import subprocess
import tempfile

LLVM = pathlib.Path("/usr/lib/llvm-22")
BUILD = pathlib.Path(__file__).resolve().parents[2] / "build"

# Tensors to memrefs: results become arguments that the caller allocates, and whatever is allocated is freed.
BUFFERIZE = """builtin.module(
  func.func(tosa-optional-decompositions),
  func.func(tosa-infer-shapes, tosa-to-linalg-named, tosa-to-linalg, tosa-to-arith, tosa-to-tensor, tosa-to-scf),
  canonicalize, cse,
  one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},
  buffer-results-to-out-params{modify-public-functions hoist-static-allocs}, canonicalize, cse,
  buffer-deallocation-pipeline, convert-bufferization-to-memref, canonicalize)"""

LOWER = """builtin.module(
  convert-linalg-to-loops, math-expand-ops{ops=rsqrt}, expand-strided-metadata, lower-affine, convert-scf-to-cf, convert-math-to-libm,
  convert-arith-to-llvm, convert-math-to-llvm, convert-cf-to-llvm, finalize-memref-to-llvm, convert-func-to-llvm, reconcile-unrealized-casts)"""


def tool(name):
    return shutil.which(name) or str((BUILD if name.startswith("memplan") else LLVM) / "bin" / name)


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


def plan_reported(text, options, memplan_opt=None):
    """The planned text and the row of the report on the one arena."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        planned = plan(text, f"remarks=none report={report} {options}", memplan_opt)
        rows = json.loads(report.read_text())
    if len(rows) != 1:
        raise SystemExit(f"error: {len(rows)} arenas where one is expected")
    return planned, rows[0]


def lower(text):
    return run([tool("mlir-opt"), f"--pass-pipeline={flat(LOWER)}"], text)


def execute(text, entry="main", level="-O3"):
    libraries = pathlib.Path(tool("mlir-runner")).resolve().parents[1] / "lib"
    return run([tool("mlir-runner"), level, "-e", entry, "--entry-point-result=void",
                f"--shared-libs={libraries}/libmlir_c_runner_utils.so,{libraries}/libmlir_runner_utils.so"], text)


HELPERS = """
func.func private @printI64(i64)
func.func private @printNewline()
func.func private @clock() -> i64
func.func private @fill(%to: memref<?xf32>, %seed: i64) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = arith.constant 7919 : i64
  %b = arith.constant 1009 : i64
  %half = arith.constant 504.5 : f32
  %scale = arith.constant 0.0005 : f32
  %n = memref.dim %to, %0 : memref<?xf32>
  scf.for %i = %0 to %n step %1 {
    %at = arith.index_cast %i : index to i64
    %x = arith.addi %at, %seed : i64
    %y = arith.muli %x, %a : i64
    %z = arith.remui %y, %b : i64
    %f = arith.uitofp %z : i64 to f32
    %g = arith.subf %f, %half : f32
    %h = arith.mulf %g, %scale : f32
    memref.store %h, %to[%i] : memref<?xf32>
  }
  return
}
func.func private @print_hash(%of: memref<?xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %factor = arith.constant 1000003 : i64
  %n = memref.dim %of, %0 : memref<?xf32>
  %hash = scf.for %i = %0 to %n step %1 iter_args(%old = %zero) -> i64 {
    %f = memref.load %of[%i] : memref<?xf32>
    %bits = arith.bitcast %f : f32 to i32
    %wide = arith.extui %bits : i32 to i64
    %scaled = arith.muli %old, %factor : i64
    %new = arith.addi %scaled, %wide : i64
    scf.yield %new : i64
  }
  call @printI64(%hash) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
"""


def memref(shape):
    return f"memref<{'x'.join(map(str, shape))}xf32>"


def rename(text, prefix):
    """The aliases and the functions of a module, with names of their own."""
    head, _, body = re.sub(r"([#@])(map|set|net|__constant|dealloc_helper)", rf"\1{prefix}_\2", text).partition("module {")
    return head, body.rstrip()[:-1]


def with_main(texts, network, rounds=0, repeats=1):
    """One module with all of `texts`, each of which has @net, and @main. It fills the arguments, runs each @net and prints a number for each
    result that depends on every bit of it; then, `rounds` times, the microseconds of CPU time that `repeats` runs of each take, one after the other. An arena that @net has taken
    as a leading argument is allocated once."""
    variants = [(f"v{i}", *rename(text, f"v{i}"), arena_types(text)) for i, text in enumerate(texts)]
    lines = ["func.func @main() {", "  %0 = arith.constant 0 : index", "  %1 = arith.constant 1 : index", f"  %rounds = arith.constant {rounds} : index",
             f"  %repeats = arith.constant {repeats} : index"]
    names, flats, types = [], [], []
    for place, shape in enumerate(network.arguments + network.results):
        name, kind = f"%m{place}", memref(shape)
        names.append(name)
        types.append(kind)
        lines.append(f"  {name} = memref.alloc() {{alignment = 64 : i64}} : {kind}")
        if len(shape) > 1:
            dims, kind = ", ".join(map(str, range(len(shape)))), f"memref<{math.prod(shape)}xf32>"
            lines.append(f"  {name}_c = memref.collapse_shape {name} [[{dims}]] : {memref(shape)} into {kind}")
            name += "_c"
        lines.append(f"  {names[-1]}_f = memref.cast {name} : {kind} to memref<?xf32>")
        flats.append(f"{names[-1]}_f")
    calls = []
    for prefix, _, _, arenas in variants:
        given = [f"%{prefix}_arena{i}" for i in range(len(arenas))]
        lines += [f"  {name} = memref.alloc() {{alignment = 64 : i64}} : {kind}" for name, kind in zip(given, arenas)]
        calls.append(f"func.call @{prefix}_net({', '.join(given + names)}) : ({', '.join(arenas + types)}) -> ()")
        for place, flat in enumerate(flats):
            lines += [f"  %{prefix}_seed{place} = arith.constant {1 + 31 * place} : i64",
                      f"  call @fill({flat}, %{prefix}_seed{place}) : (memref<?xf32>, i64) -> ()"]
        lines.append(f"  {calls[-1]}")
        lines += [f"  call @print_hash({flat}) : (memref<?xf32>) -> ()" for flat in flats[len(network.arguments):]]
    lines.append("  scf.for %i = %0 to %rounds step %1 {")
    for place, call in enumerate(calls):
        lines += [f"    %begin{place} = func.call @clock() : () -> i64", f"    scf.for %j{place} = %0 to %repeats step %1 {{", f"      {call}", "    }",
                  f"    %end{place} = func.call @clock() : () -> i64", f"    %spent{place} = arith.subi %end{place}, %begin{place} : i64",
                  f"    func.call @printI64(%spent{place}) : (i64) -> ()", "    func.call @printNewline() : () -> ()"]
    lines += ["  }", "  return", "}"]
    heads, bodies = (("".join(v[i] for v in variants)) for i in (1, 2))
    return f"{heads}\nmodule {{{bodies}{HELPERS}" + "\n".join(lines) + "\n}\n"


def arena_types(planned):
    """The arenas that @net takes: its leading arguments of bytes."""
    head = next(line for line in planned.split("\n") if "func.func @net(" in line)
    types = [part.split(": ", 1)[1] for part in head.split("(", 1)[1].split(")", 1)[0].split(", ")]
    return [kind for kind in types if kind.endswith("xi8>")]
