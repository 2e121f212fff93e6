//===- Passes.td - Thin passes around the planners ---------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PASSES
#define MEMPLAN_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Planning a whole step
//===----------------------------------------------------------------------===//

def NaivePlanPass : Pass<"memplan-naive-plan", "::mlir::func::FuncOp"> {
  let summary = "Give every value bytes of its own: the unplanned program in the planned form";
  let description = [{
    Source order, no recomputation, nothing in place, nothing shared. It is what planned runs are compared with.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After: %0 stays at [0, 256), %1 gets [256, 512).
    memplan.relu ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>) {memplan.node = 1 : i64}
    ```

    Fails on the function when it cannot be seen as a graph.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", "256", "Bytes; a power of two. Every value of the arena starts at a multiple.">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::memplan::MemplanDialect"];
}

def VerifyPlanPass : Pass<"memplan-verify-plan", "::mlir::func::FuncOp"> {
  let summary = "Check a planned function by executing it symbolically, byte range by byte range";
  let description = [{
    Follows every value through the arena and the arguments. Each read must find one whole value, outputs may overwrite inputs only where the operation allows it, workspace may overlap nothing, and the
    results and updated arguments must be those of the unplanned function, whose hashes the function carries in `memplan.value_hash`. Peak, cost and arena bytes are
    measured and must be what the attributes promise.

    ```mlir
    // Rejected: the second operation reads bytes [0, 256), which the first has overwritten.
    memplan.relu ins(%x : memref<64xf32>) outs(%at0 : memref<64xf32>)
    memplan.relu ins(%y : memref<64xf32>) outs(%at0 : memref<64xf32>)
    memplan.add ins(%at0, %at0 : memref<64xf32>, memref<64xf32>) outs(%z : memref<64xf32>)
    ```

    Functions without `memplan.planned` are left alone. Changes nothing.
  }];
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

def LivenessPass : Pass<"memplan-liveness", "::mlir::func::FuncOp"> {
  let summary = "Say how many bytes are live at every operation, and where the peak is";
  let description = [{
    Works on both forms, on the order of operations as it stands. Bytes are the fixed bytes, the caller's tensors, live values, new outputs and workspace.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After, with output=attributes
    %1 = memplan.relu %0 {memplan.live_bytes = 768 : i64, memplan.peak} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    With `output=remarks` (default) the same stands in a remark at each operation, and the peak in one at the function. Fails on the function when it cannot be seen as a graph.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"remarks\"", "`remarks`, `peak` (only the remark on the function) or `attributes`.">,
  ];
}

def EmitGraphPass : Pass<"memplan-emit-graph", "::mlir::func::FuncOp"> {
  let summary = "Write the function's graph as JSON, for memplan-solve";
  let description = [{
    Node ids are program order (or `memplan.node`, where it stands), so that a plan made from the file can be applied with `memplan-plan{plan=FILE}`.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // In the file
    // {"id": 0, "name": "memplan.relu", "cost": ..., "inputs": [0], "outputs": [1], "in_place": [[1, 0]], ...}
    ```

    Changes nothing. Fails on the function when it cannot be seen as a graph, and when the file cannot be written.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"-\"", "File; `-` is stdout.">,
    Option<"costModel", "cost-model", "std::string", "\"\"", "`roofline`, `flops` or `profile:FILE`. Empty: the costs in the IR, or else `roofline`.">,
  ];
}

//===----------------------------------------------------------------------===//
// One problem at a time, for tests and embedding
//===----------------------------------------------------------------------===//

def InPlacePass : Pass<"memplan-in-place", "::mlir::func::FuncOp"> {
  let summary = "Mark the outputs that overwrite an input";
  let description = [{
    An output takes an input's bytes where the operation allows it and is the last reader of that input and of every view of it.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After: result 0 takes the bytes of operand 0.
    %1 = memplan.relu %0 {memplan.in_place = [[0, 0]], memplan.node = 1 : i64} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    Fails on the function when it cannot be seen as a graph.
  }];
}

def SharePass : Pass<"memplan-share", "::mlir::func::FuncOp"> {
  let summary = "Let values that never live together use one storage";
  let description = [{
    Numbers storages and gives each result the number of the one it uses; -1 is for views, updated arguments and results that take no bytes. Reads `memplan.in_place`.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After
    %1 = memplan.relu %0 {memplan.node = 1 : i64, memplan.storage = array<i64: 0>} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    Fails on the function when it cannot be seen as a graph.
  }];
  let options = [
    Option<"solver", "solver", "std::string", "\"counter\"", "Name from the `sharing` solver table.">,
  ];
}

def AssignOffsetsPass : Pass<"memplan-assign-offsets", "::mlir::func::FuncOp"> {
  let summary = "Give every value and workspace an offset in one arena";
  let description = [{
    Packs residences so that those live together share no byte; where `memplan.storage` stands, whole storages are packed. Reads `memplan.in_place`.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After; the function carries memplan.arena_bytes
    %1 = memplan.relu %0 {memplan.node = 1 : i64, memplan.offset = array<i64: 256>} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    Fails on the function when it cannot be seen as a graph, and when the arena exceeds `budget`.
  }];
  let options = [
    Option<"solver", "solver", "std::string", "\"best-fit\"", "Name from the `arena` solver table.">,
    Option<"budget", "budget", "std::string", "\"\"", "Largest arena, in bytes or with K/M/G/T (powers of 1024). Empty: no limit.">,
    Option<"alignment", "alignment", "int64_t", "256", "Bytes; a power of two. Every value starts at a multiple.">,
  ];
}

def ApplyPlanPass : Pass<"memplan-apply", "::mlir::func::FuncOp"> {
  let summary = "Turn a function annotated by the single-problem passes into the planned form";
  let description = [{
    Reads the order of the function, `run`, `memplan.in_place` and `memplan.offset`, and writes what `memplan-plan` would write from the same decisions.

    ```mlir
    // Before
    %1 = memplan.relu %0 {memplan.node = 1 : i64, memplan.offset = array<i64: 256>} : (tensor<64xf32>) -> tensor<64xf32>
    // After
    memplan.relu ins(%0 : memref<64xf32>) outs(%1 : memref<64xf32>) {memplan.node = 1 : i64}
    ```

    Fails where a result that needs bytes has no offset, and where the offsets are wrong: the plan and the IR are checked as in `memplan-plan`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::memplan::MemplanDialect"];
}

#endif // MEMPLAN_TRANSFORMS_PASSES
