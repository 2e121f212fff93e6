//===- ReduceOps.td - Reductions and their opposites -------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_REDUCE_OPS_TD
#define MEMPLAN_REDUCE_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_ReduceSumOp : Memplan_Op<"reduce_sum", (ins Memplan_Float:$input), (ins Memplan_List:$dims, UnitAttr:$keepdims), ["output"]> {
  let summary = "Sum over some dimensions";
  let description = [{
    Adds up over `dims`, which are sorted; they vanish, or are 1 with `keepdims`.

    The gradient is `memplan.broadcast` and reads no forward value. `output` shares no bytes with `input`.

    ```mlir
    %y = memplan.reduce_sum %x {dims = [0, 2, 3]} : (tensor<8x16x4x4xf32>) -> tensor<16xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getInput())";
  let stridedDims = "index == 0 ? ::mlir::memplan::ops::reducedRowDims(getInput(), getDims()) : 0";
}

def Memplan_ReduceMeanOp : Memplan_Op<"reduce_mean", (ins Memplan_Float:$input), (ins Memplan_List:$dims, UnitAttr:$keepdims), ["output"]> {
  let summary = "Mean over some dimensions";
  let description = [{
    Averages over `dims`, which are sorted; they vanish, or are 1 with `keepdims`.

    The gradient reads no forward value. `output` shares no bytes with `input`.

    ```mlir
    %y = memplan.reduce_mean %x {dims = [2, 3]} : (tensor<8x16x4x4xf32>) -> tensor<8x16xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getInput())";
  let stridedDims = "index == 0 ? ::mlir::memplan::ops::reducedRowDims(getInput(), getDims()) : 0";
}

def Memplan_ReduceMeanGradOp : Memplan_Op<"reduce_mean_grad", (ins Memplan_Float:$outputGrad),
    (ins Memplan_List:$dims, Memplan_List:$sizes, UnitAttr:$keepdims), ["inputGrad"]> {
  let summary = "Gradient of `memplan.reduce_mean`";
  let description = [{
    Repeats `outputGrad / n` along `dims`, whose sizes in `inputGrad` are `sizes` and whose product is n. With `keepdims` these dimensions are there with size 1.

    Reads no forward value. `inputGrad` shares no bytes with `outputGrad`.

    ```mlir
    %dx = memplan.reduce_mean_grad %dy {dims = [2, 3], sizes = [4, 4]} : (tensor<8x16xf32>) -> tensor<8x16x4x4xf32>
    ```
  }];
}

def Memplan_BroadcastOp : Memplan_Op<"broadcast", (ins Memplan_Float:$input), (ins Memplan_List:$dims, Memplan_List:$sizes),
    ["output"]> {
  let summary = "The input repeated along new dimensions";
  let flops = "0";
  let description = [{
    Inserts dimensions so that dimension `dims[k]` of `output` is new and has `sizes[k]` elements; `dims` are sorted.

    The gradient is `memplan.reduce_sum` over `dims`. `output` shares no bytes with `input`.

    ```mlir
    %y = memplan.broadcast %x {dims = [0, 2], sizes = [8, 4]} : (tensor<16xf32>) -> tensor<8x16x4xf32>
    ```
  }];
}

def Memplan_GlobalNormOp : Memplan_Op<"global_norm", (ins Variadic<Memplan_Float>:$inputs), (ins), ["output"]> {
  let summary = "Euclidean norm of all inputs together";
  let description = [{
    The root of the sum of the squares of all elements of all inputs, a scalar. There is at least one input; shapes need not agree.

    What clipping by the global norm needs (Pascanu et al., "On the difficulty of training recurrent neural networks", 2013): `memplan-autodiff` makes it of all gradients
    where `memplan.optimizer` has a `max_norm`. Has no gradient. `output` shares no bytes with an input.

    ```mlir
    %n = memplan.global_norm %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<f32>
    ```
  }];
  let flops = "::mlir::memplan::ops::inputElements(*this, 2)";
  let elementTypes = "r";
}

def Memplan_NonFiniteOp : Memplan_Op<"non_finite", (ins Variadic<Memplan_Float>:$inputs), (ins), ["output"]> {
  let summary = "Whether any element of any input is infinite or NaN";
  let description = [{
    1 if an element of an input is infinite or NaN, else 0, a scalar. There is at least one input; shapes need not agree.

    What updates of a scaled loss skip by: `memplan-autodiff` makes it of all gradients where `memplan.optimizer` has a `loss_scale`. Has no gradient. `output` shares no
    bytes with an input.

    ```mlir
    %bad = memplan.non_finite %a, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<f32>
    ```
  }];
  let flops = "::mlir::memplan::ops::inputElements(*this)";
  let elementTypes = "r";
}

#endif // MEMPLAN_REDUCE_OPS_TD
