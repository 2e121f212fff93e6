"""Brings MLIR text down by mlir-opt and runs it by mlir-runner: what the tests of memplan-plan-memrefs and the benchmark share.

Tools come from PATH, as lit sets it, or else from build/bin and the folder of LLVM's Debian packages.
"""
import pathlib
import shutil
import subprocess

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


def lower(text):
    return run([tool("mlir-opt"), f"--pass-pipeline={flat(LOWER)}"], text)


def execute(text, entry="main", level="-O3"):
    libraries = pathlib.Path(tool("mlir-runner")).resolve().parents[1] / "lib"
    return run([tool("mlir-runner"), level, "-e", entry, "--entry-point-result=void",
                f"--shared-libs={libraries}/libmlir_c_runner_utils.so,{libraries}/libmlir_runner_utils.so"], text)


HELPERS = """
func.func private @printI64(i64)
func.func private @printF64(f64)
func.func private @printNewline()
func.func private @rtclock() -> f64
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


def with_main(text, network, arenas=(), rounds=0):
    """Adds @main, which fills the arguments, runs @net, prints a number for each result that depends on every bit of it, and then the
    seconds of each of `rounds` further runs. `arenas` are the types of leading arguments that @net has taken."""
    lines = ["func.func @main() {", "  %0 = arith.constant 0 : index", "  %1 = arith.constant 1 : index", f"  %rounds = arith.constant {rounds} : index"]
    names, types = [], []
    for kind in arenas:
        names.append(f"%arena{len(names)}")
        types.append(kind)
        lines.append(f"  {names[-1]} = memref.alloc() {{alignment = 64 : i64}} : {kind}")
    flats = []
    for place, shape in enumerate(network.arguments + network.results):
        name, kind, source = f"%m{place}", memref(shape), f"%m{place}"
        lines.append(f"  {name} = memref.alloc() {{alignment = 64 : i64}} : {kind}")
        if len(shape) > 1:
            count, dims = 1, ", ".join(map(str, range(len(shape))))
            for extent in shape:
                count *= extent
            lines.append(f"  {name}_c = memref.collapse_shape {name} [[{dims}]] : {kind} into memref<{count}xf32>")
            source, kind = f"{name}_c", f"memref<{count}xf32>"
        lines += [f"  {name}_f = memref.cast {source} : {kind} to memref<?xf32>", f"  %seed{place} = arith.constant {1 + 31 * place} : i64",
                  f"  call @fill({name}_f, %seed{place}) : (memref<?xf32>, i64) -> ()"]
        flats.append(f"{name}_f")
        names.append(name)
        types.append(memref(shape))
    call = f"func.call @net({', '.join(names)}) : ({', '.join(types)}) -> ()"
    lines.append(f"  {call}")
    lines += [f"  call @print_hash({flat}) : (memref<?xf32>) -> ()" for flat in flats[len(network.arguments):]]
    lines += ["  scf.for %i = %0 to %rounds step %1 {", "    %begin = func.call @rtclock() : () -> f64", f"    {call}",
              "    %end = func.call @rtclock() : () -> f64", "    %seconds = arith.subf %end, %begin : f64",
              "    func.call @printF64(%seconds) : (f64) -> ()", "    func.call @printNewline() : () -> ()", "  }", "  return", "}"]
    return text.rstrip()[:-1] + HELPERS + "\n".join(lines) + "\n}\n"


def arena_types(planned):
    """The arenas that @net takes: its leading arguments of bytes."""
    head = next(line for line in planned.split("\n") if "func.func @net(" in line)
    types = [part.split(": ", 1)[1] for part in head.split("(", 1)[1].split(")", 1)[0].split(", ")]
    return [kind for kind in types if kind.endswith("xi8>")]
