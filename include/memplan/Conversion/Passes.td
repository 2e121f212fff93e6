//===- Passes.td - From planned IR to other dialects -------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_CONVERSION_PASSES
#define MEMPLAN_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def LowerToRuntimePass : Pass<"memplan-lower-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Turn a planned step into LLVM dialect that launches kernels";
  let description = [{
    Replaces the module by one in the LLVM dialect with three symbols: `memplan_step`, which launches the step's kernels in order, and `memplan_program` and
    `memplan_program_bytes`, the program table, which says what each launch is. `memplan_step` gets the launch function, the base addresses of arenas, arguments and
    constants, and returns the first status that is not 0. The module needs no symbol from outside; `mlir-translate --mlir-to-llvmir` takes it, and
    `memplan-run --engine=jit` and `--emit-library` compile it.

    ```mlir
    // Before: an operation of a planned function, its output at byte 256 of the arena.
    memplan.relu ins(%x : memref<64xf32>) outs(%at256 : memref<64xf32>)
    ```
    ```mlir
    // After: the addresses are stored in a table of operands, and instruction 0 is launched.
    func.func @launch_relu(%arena: !llvm.ptr, %slot1: !llvm.ptr, %launch: !llvm.ptr, %context: !llvm.ptr, %operands: !llvm.ptr) -> i32 {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %y = llvm.getelementptr %arena[256] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %y, %slot1 : !llvm.ptr, !llvm.ptr
      %status = llvm.call %launch(%context, %c0, %operands) : !llvm.ptr, (!llvm.ptr, i32, !llvm.ptr) -> i32
      return %status : i32
    }
    ```

    The plan is not checked here: `memplan-verify-plan` does that, and `memplan-run` before it lowers. Fails on a module without a planned function or with several, unless `function`
    chooses one, and on an operation that has no form in the program table.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"\"", "The planned function, where there are several.">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MEMPLAN_CONVERSION_PASSES
