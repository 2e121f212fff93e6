//===- Passes.td - Planning of buffers in any dialect ------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_MEMREF_PASSES
#define MEMPLAN_MEMREF_PASSES

include "mlir/Pass/PassBase.td"

def PlanMemrefsPass : Pass<"memplan-plan-memrefs"> {
  let summary = "Pack the buffers of functions on memrefs into one arena for each memory space";
  let description = [{
    Takes any function after bufferization and deallocation. Allocations of static size become views of one arena, at offsets that an arena solver chooses so that
    buffers that are live at once share no bytes; what frees them goes. Live ranges are those of `LivenessAnalysis`: from the first access to the last, through views,
    `arith.select`, branches and loops.

    ```mlir
    // Before
    func.func @f(%x: memref<64xf32>) {
      %a = memref.alloc() : memref<64xf32>
      memref.copy %x, %a : memref<64xf32> to memref<64xf32>
      memref.copy %a, %x : memref<64xf32> to memref<64xf32>
      memref.dealloc %a : memref<64xf32>
      %b = memref.alloc() : memref<64xf32>
      memref.copy %x, %b : memref<64xf32> to memref<64xf32>
      memref.copy %b, %x : memref<64xf32> to memref<64xf32>
      memref.dealloc %b : memref<64xf32>
      return
    }
    ```

    Afterwards both use the same bytes:

    ```mlir
    func.func @f(%x: memref<64xf32>) {
      %arena = memref.alloc() {alignment = 4 : i64} : memref<256xi8>
      %c0 = arith.constant 0 : index
      %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
      memref.copy %x, %a : memref<64xf32> to memref<64xf32>
      memref.copy %a, %x : memref<64xf32> to memref<64xf32>
      %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
      memref.copy %x, %b : memref<64xf32> to memref<64xf32>
      memref.copy %b, %x : memref<64xf32> to memref<64xf32>
      memref.dealloc %arena : memref<256xi8>
      return
    }
    ```

    With `arena=argument` the arenas are new leading arguments of the function, whose types say how many bytes they take. Callers in the module allocate them around the
    call, and such an allocation is planned like any other: what is called lies inside the caller's arena. That needs the pass to run on the module. A function that is recursive or
    whose symbol is used by other than calls allocates its arena.

    An allocation stays, with a remark that says why, where its size or layout is not known, where it is returned or passed to what may keep it, where a loop carries it to
    another iteration, where it stands in a region that runs several times at once, and where what frees it may also free another that stays. In an arena may lie what has no deallocation.

    Fails on a function whose arena exceeds the budget, with the bytes and the bound, and where the IR that was written fails the check that reads it back. Unknown solvers and malformed sizes fail before any work.
  }];
  let options = [
    Option<"solver", "solver", "std::string", "\"auto\"", "Name from the `arena` solver table.">,
    Option<"effort", "effort", "int64_t", "0", "Work of the solver; 0: its default.">,
    Option<"arena", "arena", "std::string", "\"allocate\"", "`allocate`: in the function. `argument`: passed by the caller.">,
    Option<"minBytes", "min-bytes", "int64_t", "0", "Smaller buffers stay.">,
    Option<"alignment", "alignment", "int64_t", "1", "Bytes; a power of two. Every buffer starts at a multiple, beside its own alignment and that of its elements.">,
    Option<"budget", "budget", "std::string", "\"\"", "Largest arena of a space, in bytes or with K/M/G/T (powers of 1024). Empty: no limit.">,
    ListOption<"spaceBudgets", "space-budgets", "std::string", "Budgets of single memory spaces instead, as `SPACE=BYTES`, where SPACE is the attribute as MLIR prints it.">,
    Option<"allocas", "allocas", "bool", "true", "Plan memref.alloca too. An arena that holds nothing else is on the stack.">,
    Option<"ranges", "ranges", "std::string", "\"accesses\"", "`accesses`: live from the first access to the last. `allocations`: from the allocation to the deallocation, for comparison.">,
    Option<"remarks", "remarks", "std::string", "\"kept\"", "`kept`: why allocations stay. `all`: also the arenas of each function. `none`.">,
    Option<"annotate", "annotate", "bool", "false", "Write `memplan.arena_bytes` on functions, and `memplan.arena` and `memplan.alignment` on arena arguments.">,
    Option<"report", "report", "std::string", "\"\"", "Write a JSON row for each arena to this file; `-` is stdout.">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def PrintLivenessPass : Pass<"memplan-print-liveness"> {
  let summary = "Draw when the memrefs and tensors of functions are live";
  let description = [{
    A picture in text of `LivenessAnalysis`, for any dialect: a row for each buffer with its bytes, a column for each program point, then what each point is and how
    many bytes are live at it. The IR stays as it is.

    ```mlir
    func.func @f(%x: memref<64xf32>) {
      %a = memref.alloc() : memref<64xf32>
      memref.copy %x, %a : memref<64xf32> to memref<64xf32>
      %b = memref.alloc() : memref<64xf32>
      memref.copy %a, %b : memref<64xf32> to memref<64xf32>
      memref.dealloc %a : memref<64xf32>
      memref.copy %b, %x : memref<64xf32> to memref<64xf32>
      memref.dealloc %b : memref<64xf32>
      return
    }
    ```

    gives

    ```text
    @f: 3 buffers, 10 points, peak of 512 bytes at point 4
          bytes |0123456789|
    %arg0   256 |==========|
    %alloc  256 |  ###     |
    %alloc_0 256 |    ###   |
    ```

    `#` is live, `=` the caller's, which the sums leave out, `?` live in an operation that may keep the buffer, or after it. Columns stand for several points where there are more than
    `columns`.
  }];
  let options = [
    Option<"columns", "columns", "unsigned", "100", "Most columns of the picture.">,
    Option<"points", "points", "bool", "true", "List the points with their operations and live bytes.">,
    Option<"file", "file", "std::string", "\"-\"", "Where to; `-` is stdout.">,
  ];
}

#endif // MEMPLAN_MEMREF_PASSES
