//===- Passes.td - Thin passes around the planners ---------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
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

def PlanPass : Pass<"memplan-plan", "::mlir::func::FuncOp"> {
  let summary = "Plan a training step into one arena, within a budget of bytes";
  let description = [{
    Decides what is recomputed, what happens in place and where every value lies, writes the decision into the IR (the planned form), and checks the
    result by executing it symbolically. The whole loop from recomputation to packing runs until the *arena* fits.

    ```mlir
    // Before
    func.func @f(%x: tensor<4x8xf32> {memplan.kind = "input"}) -> tensor<4x8xf32> {
      %0 = memplan.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %1 = memplan.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %1 : tensor<4x8xf32>
    }
    ```

    Afterwards both values use the same 128 bytes:

    ```mlir
    func.func @f(%arena: memref<128xi8> {memplan.alignment = 256 : i64, memplan.arena}, %x: memref<4x8xf32> {memplan.kind = "input"})
        -> memref<4x8xf32> attributes {memplan.arena_bytes = 128 : i64, memplan.peak_bytes = 256 : i64, memplan.planned} {
      %c0 = arith.constant 0 : index
      %0 = memref.view %arena[%c0][] : memref<128xi8> to memref<4x8xf32>
      memplan.relu ins(%x : memref<4x8xf32>) outs(%0 : memref<4x8xf32>) {memplan.node = 0}
      memplan.relu ins(%0 : memref<4x8xf32>) outs(%0 : memref<4x8xf32>) {memplan.node = 1}
      return %0 : memref<4x8xf32>
    }
    ```

    Fails on the function when it cannot be seen as a graph, when a plan file belongs to another graph or breaks a rule, and when no plan fits the budget: then it says whether that is
    proved, names the binding operation and what must be live beside it, and gives a budget that works. Unknown solver names and malformed sizes fail before any work.

    Beside `emit-plan` it takes the planning options that are described in docs/Options.md, such as `remat`, `budget` and `plan`.
  }];
  let options = [
    Option<"emitPlan", "emit-plan", "std::string", "\"\"", "Write the plan to this file; `-` is stdout.">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect", "::mlir::memplan::MemplanDialect"];
}

def NaivePlanPass : Pass<"memplan-naive-plan", "::mlir::func::FuncOp"> {
  let summary = "Give every value bytes of its own: the unplanned program in the planned form";
  let description = [{
    Source order, no recomputation, nothing in place, nothing shared. It is what planned runs are compared with.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After: the operand stays at [0, 256), the result gets [256, 512).
    memplan.relu ins(%at0 : memref<64xf32>) outs(%at256 : memref<64xf32>) {memplan.node = 1 : i64}
    ```

    Fails on the function when it cannot be seen as a graph.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", "256", "Bytes; a power of two. Every value of the arena starts at a multiple.">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect", "::mlir::memplan::MemplanDialect"];
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
    %2 = memplan.relu %0 {memplan.live_bytes = 768 : i64, memplan.peak} : (tensor<64xf32>) -> tensor<64xf32>
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

    Changes nothing but the marks that `parts` asks for. Fails on the function when it cannot be seen as a graph, and when the file cannot be written.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"-\"", "File; `-` is stdout.">,
    Option<"costModel", "cost-model", "std::string", "\"\"", "`roofline`, `flops` or `profile:FILE`. Empty: the costs in the IR, or else `roofline`.">,
    Option<"parts", "parts", "bool", "false", "Mark the concats that had better be put together in place, as `memplan-plan{parts=on}` does.">,
  ];
}

//===----------------------------------------------------------------------===//
// One problem at a time, for tests and embedding
//===----------------------------------------------------------------------===//

def RematPass : Pass<"memplan-remat", "::mlir::func::FuncOp"> {
  let summary = "Recompute values so that live bytes stay within a budget";
  let description = [{
    Rewrites the function, still on tensors, to the runs that a remat solver chose, in their order. A second run is a copy of the operation with another `run`, so that
    common subexpression elimination keeps both. Every operation gets its `memplan.node`; extracting the graph again gives the same graph.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After: the value is freed after its first user and recomputed for its last.
    %2 = memplan.relu %0 {memplan.node = 1 : i64} : (tensor<64xf32>) -> tensor<64xf32>
    %9 = memplan.relu %0 {memplan.node = 1 : i64, run = 1 : i64} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    Fails as `memplan-plan` does when no schedule fits. Bytes are live bytes: alignment and packing are not counted here.
  }];
  let options = [
    Option<"solver", "solver", "std::string", "\"auto\"", "Name from the `remat` solver table.">,
    Option<"budget", "budget", "std::string", "\"\"",
           "Largest live bytes: fixed bytes, the caller's tensors and live values. Written as for memplan-plan. Empty: no limit.">,
    Option<"inPlace", "in-place", "bool", "true", "Count on outputs that overwrite inputs.">,
    Option<"effort", "effort", "int64_t", "0", "Work limit, a deterministic count. 0: the solver's default.">,
  ];
  let dependentDialects = ["::mlir::memplan::MemplanDialect"];
}

def SwapPass : Pass<"memplan-swap", "::mlir::func::FuncOp"> {
  let summary = "Copy values to the host and back so that a step fits a budget";
  let description = [{
    Keeps the operations in the order in which they stand, those that `memplan-remat` recomputed included, and lets a swap solver put copies between them.
    Packs both arenas, writes the plan into the IR (the planned form), and checks the result as `memplan-plan` does. `memplan-plan` with `swap` chooses
    recomputation and copies together.

    ```mlir
    // Before: %0 waits for its last user.
    %0 = memplan.relu %x : (tensor<64xf32>) -> tensor<64xf32>
    %1 = memplan.tanh %0 : (tensor<64xf32>) -> tensor<64xf32>
    %2 = memplan.mul %1, %0 {memplan.backward} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    ```

    With `codec=bf16` among the parameters of `tflms`, the program encodes what is copied: copies move half the bytes, and the values lose bits.

    A function that is planned already is left as it is. Fails when no plan fits the budgets.
  }];
  let options = [
    Option<"solver", "solver", "std::string", "\"tflms\"", "Name from the `swap` solver table.">,
    Option<"tflms", "tflms", "std::string", "\"\"", "Parameters of the solver `tflms`: KEY=VALUE,...">,
    Option<"budget", "budget", "std::string", "\"\"", "Largest device memory, written as for memplan-plan. Empty: no limit.">,
    Option<"bandwidth", "bandwidth", "std::string", "\"\"", "H2D,D2H[,LATENCY] in bytes per cost unit, and cost units a copy.">,
    Option<"hostBudget", "host-budget", "std::string", "\"\"", "Largest host memory for copies. Empty: no limit.">,
    Option<"arena", "arena", "std::string", "\"auto\"", "Name from the `arena` solver table.">,
    Option<"alignment", "alignment", "std::string", "\"256\"", "Every offset is a multiple of this power of two.">,
    Option<"inPlace", "in-place", "bool", "true", "Let outputs overwrite inputs that nothing reads any more.">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect", "::mlir::memplan::MemplanDialect"];
}

def InPlacePass : Pass<"memplan-in-place", "::mlir::func::FuncOp"> {
  let summary = "Mark the outputs that overwrite an input";
  let description = [{
    An output takes an input's bytes where the operation allows it and is the last user of that input and of every view of it.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After: result 0 takes the bytes of operand 0.
    %2 = memplan.relu %0 {memplan.in_place = [[0, 0]], memplan.node = 1 : i64} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    Fails on the function when it cannot be seen as a graph.
  }];
}

def SharePass : Pass<"memplan-share", "::mlir::func::FuncOp"> {
  let summary = "Let values that never live together use one storage";
  let description = [{
    Numbers storages and gives each result the number of the one it uses; -1 is for views, updated arguments and results that take no bytes. Reads `memplan.in_place`.

    With `streams` above 1 every operation that does not run on stream 0 gets its `memplan.stream` too. A storage passes on along ordering edges then, which
    `color` keeps few: all that touch a value precede the next owner of its storage in every execution. `memplan-assign-offsets` gives each
    storage bytes of its own, and `memplan-apply` turns edges that streams do not cover into waits.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After
    %2 = memplan.relu %0 {memplan.node = 1 : i64, memplan.storage = array<i64: 0>} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    Fails on the function when it cannot be seen as a graph.
  }];
  let options = [
    Option<"solver", "solver", "std::string", "\"auto\"", "Name from the `sharing` solver table.">,
    Option<"streams", "streams", "int64_t", "1", "Streams on which operations may run side by side.">,
  ];
}

def AssignOffsetsPass : Pass<"memplan-assign-offsets", "::mlir::func::FuncOp"> {
  let summary = "Give every value and workspace an offset in one arena";
  let description = [{
    Packs liveRanges so that those live together share no byte; where `memplan.storage` stands, whole storages are packed, and where `memplan.stream` does too, no two of them
    share bytes. Reads `memplan.in_place`.

    ```mlir
    // Before
    %1 = memplan.relu %0 : (tensor<64xf32>) -> tensor<64xf32>
    // After; the function carries memplan.arena_bytes
    %2 = memplan.relu %0 {memplan.node = 1 : i64, memplan.offset = array<i64: 256>} : (tensor<64xf32>) -> tensor<64xf32>
    ```

    Fails on the function when it cannot be seen as a graph, and when the arena exceeds `budget`.
  }];
  let options = [
    Option<"solver", "solver", "std::string", "\"auto\"", "Name from the `arena` solver table.">,
    Option<"budget", "budget", "std::string", "\"\"", "Largest arena, in bytes or with K/M/G/T (powers of 1024). Empty: no limit.">,
    Option<"alignment", "alignment", "int64_t", "256", "Bytes; a power of two. Every value starts at a multiple.">,
  ];
}

def ApplyPlanPass : Pass<"memplan-apply", "::mlir::func::FuncOp"> {
  let summary = "Turn a function annotated by the single-problem passes into the planned form";
  let description = [{
    Reads the order of the function, `run`, `memplan.in_place`, `memplan.offset` and `memplan.stream`, and writes what `memplan-plan` would write from the same decisions.

    ```mlir
    // Before
    %1 = memplan.relu %0 {memplan.node = 1 : i64, memplan.offset = array<i64: 256>} : (tensor<64xf32>) -> tensor<64xf32>
    // After
    memplan.relu ins(%at0 : memref<64xf32>) outs(%at256 : memref<64xf32>) {memplan.node = 1 : i64}
    ```

    Fails where a result that needs bytes has no offset, and where the offsets are wrong: the plan and the IR are checked as in `memplan-plan`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect", "::mlir::memplan::MemplanDialect"];
}

#endif // MEMPLAN_TRANSFORMS_PASSES
