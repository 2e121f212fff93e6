"""Runs functions on tensors as they are and as they are planned, both lowered and run by MLIR's own tools.

Everything that a planned function holds beside its arena is an argument, so that a run of one shows that the arena is
enough: it is allocated with the bytes that the plan promises and filled with a pattern first.
"""
import pathlib
import re
import shutil
import subprocess

LLVM = pathlib.Path("/usr/lib/llvm-22")

# From tosa, arith and tensor down to linalg on tensors; nothing is done to what is there already.
TO_LINALG = ("func.func(tosa-optional-decompositions),canonicalize,func.func(tosa-infer-shapes,tosa-make-broadcastable,"
             "tosa-to-linalg-named,tosa-to-linalg,tosa-to-tensor,tosa-to-arith),func.func(convert-elementwise-to-linalg)")
TO_LLVM = ("func.func(convert-linalg-to-loops),lower-affine,convert-scf-to-cf,expand-strided-metadata,lower-affine,"
           "convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,"
           "convert-cf-to-llvm,reconcile-unrealized-casts")


def llvm_tool(name):
    found = LLVM / "bin" / name
    path = str(found) if found.exists() else shutil.which(f"{name}-22")
    assert path, f"{name} of LLVM 22 is not installed (package mlir-22-tools)"
    return path


def mlir_opt(text, passes):
    run = subprocess.run([llvm_tool("mlir-opt"), f"--pass-pipeline=builtin.module({passes})"], input=text,
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def bufferize(text):
    """The unplanned function on memrefs that MLIR allocates one by one."""
    return mlir_opt(text, TO_LINALG + ",eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries "
                    "function-boundary-type-conversion=identity-layout-map}")


def bufferize_planned(text):
    """What stays on tensors goes to the bytes that the plan gives it; the signature is on memrefs already. The second pass
    lets destinations go that no body reads, so that the third finds those of the plan for them."""
    return mlir_opt(text, TO_LINALG + ",func.func(linalg-fuse-elementwise-ops),eliminate-empty-tensors,one-shot-bufferize,"
                    "canonicalize,cse")


def signature(text):
    """Types of the arguments and of the results of @step."""
    line = next(l for l in text.splitlines() if "func.func @step" in l)
    arguments, results = re.search(r"@step\((.*?)\) -> (.*?)(?: attributes .*)?\{$", line).groups()
    pattern = r"memref<[^>]*(?:<[^>]*>)?[^>]*>"
    return re.findall(pattern, re.sub(r"\{[^{}]*\}", "", arguments)), re.findall(pattern, results)


def fill(number, memref):
    """Deterministic numbers, small and different at each place."""
    rank, element = memref[len("memref<"):-1].count("x"), memref[len("memref<"):-1].split("x")[-1]
    dims = ", ".join(f"d{i}" for i in range(rank))
    kinds = ", ".join(['"parallel"'] * rank)
    sums = [f"    %k = arith.constant {number + 1} : index"]
    last = "%k"
    for i in range(rank):
        sums += [f"    %i{i} = linalg.index {i} : index", f"    %c{i} = arith.constant {7 + 6 * i} : index",
                 f"    %p{i} = arith.muli %i{i}, %c{i} : index", f"    %s{i} = arith.addi {last}, %p{i} : index"]
        last = f"%s{i}"
    sums += ["    %mod = arith.constant 17 : index", f"    %r = arith.remui {last}, %mod : index",
             "    %n = arith.index_cast %r : index to i32"]
    if element == "f32":
        sums += ["    %f = arith.sitofp %n : i32 to f32", "    %half = arith.constant 8.0 : f32",
                 "    %d = arith.subf %f, %half : f32", "    %scale = arith.constant 0.0625 : f32",
                 "    %v = arith.mulf %d, %scale : f32"]
    else:
        sums += [f"    %v = arith.trunci %n : i32 to {element}"]
    return "\n".join([f"  %a{number} = memref.alloc() : {memref}",
                      f"  linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>], iterator_types = [{kinds}]}} "
                      f"outs(%a{number} : {memref}) {{", f"  ^bb0(%o: {element}):", *sums,
                      f"    linalg.yield %v : {element}", "  }"])


def with_main(text, arena_bytes=None):
    """Adds a function that makes the inputs, runs @step and prints its results."""
    arguments, results = signature(text)
    body, names = [], []
    if arena_bytes is not None:
        body += [f"  %arena = memref.alloc() {{alignment = 4096}} : {arguments[0]}", "  %junk = arith.constant 113 : i8",
                 f"  linalg.fill ins(%junk : i8) outs(%arena : {arguments[0]})"]
        assert arguments[0] == f"memref<{arena_bytes}xi8>"
        names.append("%arena")
    for number, memref in enumerate(arguments[len(names):]):
        body.append(fill(number, memref))
        names.append(f"%a{number}")
    count = len(results)
    called = "%r" if count == 1 else f"%r:{count}"
    body.append(f"  {called} = func.call @step({', '.join(names)}) : ({', '.join(arguments)}) -> ({', '.join(results)})")
    for i, memref in enumerate(results):
        name = "%r" if count == 1 else f"%r#{i}"
        body += [f"  %u{i} = memref.cast {name} : {memref} to memref<*xf32>",
                 f"  func.call @printMemrefF32(%u{i}) : (memref<*xf32>) -> ()"]
    main = "\n".join(["func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}",
                      "func.func @main() {", *body, "  return", "}"])
    end = text.rstrip().rindex("}")
    return text[:end] + main + "\n}\n"


def run(text):
    """The numbers that it prints, list by list."""
    lowered = mlir_opt(text, TO_LLVM)
    library = LLVM / "lib"
    done = subprocess.run([llvm_tool("mlir-runner"), "-e", "main", "--entry-point-result=void", "-O1",
                           f"--shared-libs={library}/libmlir_runner_utils.so,{library}/libmlir_c_runner_utils.so"],
                          input=lowered, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    parts = done.stdout.split("Unranked Memref")[1:]
    return [[float(n) for n in re.findall(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf)", part.split("data =", 1)[1])]
            for part in parts]
