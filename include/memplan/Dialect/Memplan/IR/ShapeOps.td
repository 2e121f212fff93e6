//===- ShapeOps.td - Views and data movement ---------------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SHAPE_OPS_TD
#define MEMPLAN_SHAPE_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

/// Moves data: no arithmetic.
class Memplan_Movement<string mnemonic, dag inputDag, dag attributeDag, list<string> outputNameList>
    : Memplan_Op<mnemonic, inputDag, attributeDag, outputNameList> {
  let flops = "0";
}

/// Outputs that lie inside the input. A view moves nothing.
class Memplan_View<string mnemonic, dag inputDag, dag attributeDag, list<string> outputNameList>
    : Memplan_Movement<mnemonic, inputDag, attributeDag, outputNameList> {
  let bytesMoved = "::mlir::memplan::ops::viewBytesMoved(*this)";
}

def Memplan_ReshapeOp : Memplan_View<"reshape", (ins Memplan_Any:$input), (ins Memplan_List:$shape), ["output"]> {
  let summary = "The same elements under another shape";
  let description = [{
    `output` has the elements of `input` in row-major order under `shape`, of which one dimension may be -1: it gets what is left. Write -1 for the dimension that holds
    the batch, so that the operation means the same for another batch.

    In tensor form a view: no bytes, no time.

    ```mlir
    %y = memplan.reshape %x {shape = [-1, 2048]} : (tensor<8x2048x1x1xf32>) -> tensor<8x2048xf32>
    ```
  }];
  let viewSource = "::mlir::memplan::ViewSource{0, 0}";
  let hasFolder = 1;
}

def Memplan_SplitOp : Memplan_View<"split", (ins Memplan_Any:$input), (ins Memplan_I64:$dim, Memplan_List:$sizes), []> {
  let summary = "Consecutive parts along one dimension";
  let description = [{
    Output k has `sizes[k]` elements of dimension `dim`, following those of output k-1. `sizes` add up to the dimension.

    In tensor form a view where all dimensions before `dim` are 1; else the parts are copied, unless `memplan.parts` says that they are read where they are. The gradient is `memplan.concat`.

    ```mlir
    %q, %k, %v = memplan.split %x {dim = 2, sizes = [768, 768, 768]} : (tensor<4x512x2304xf32>) -> (tensor<4x512x768xf32>, tensor<4x512x768xf32>, tensor<4x512x768xf32>)
    ```
  }];
  let viewSource = "::mlir::memplan::ops::splitViewSource(*this, index)";
  let slicePlace = "::mlir::memplan::ops::splitPlace(*this, index)";
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

def Memplan_SliceOp : Memplan_View<"slice", (ins Memplan_Any:$input), (ins Memplan_I64:$dim, Memplan_I64:$start, Memplan_I64:$size),
    ["output"]> {
  let summary = "A range of one dimension";
  let description = [{
    The elements [start, start + size) of dimension `dim`.

    In tensor form a view where all dimensions before `dim` are 1; else a copy, unless `memplan.parts` says that it is read where it is. The gradient is `memplan.slice_grad`.

    ```mlir
    %y = memplan.slice %x {dim = 0, size = 512, start = 0} : (tensor<1024x768xf32>) -> tensor<512x768xf32>
    ```
  }];
  let viewSource = "::mlir::memplan::ops::sliceViewSource(*this, getDim(), getStart())";
  let slicePlace = "::mlir::memplan::ops::slicePlace(*this, getDim(), getStart(), getSize())";
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

def Memplan_SliceGradOp : Memplan_Movement<"slice_grad", (ins Memplan_Float:$outputGrad),
    (ins Memplan_I64:$dim, Memplan_I64:$start, Memplan_I64:$full_size), ["inputGrad"]> {
  let summary = "Gradient of `memplan.slice`";
  let description = [{
    `inputGrad` has `full_size` elements in dimension `dim`: `outputGrad` at [start, start + its size) and 0 elsewhere.

    Reads no forward value. `inputGrad` shares no bytes with `outputGrad`.

    ```mlir
    %dx = memplan.slice_grad %dy {dim = 0, full_size = 1024, start = 0} : (tensor<512x768xf32>) -> tensor<1024x768xf32>
    ```
  }];
}

def Memplan_TransposeOp : Memplan_Movement<"transpose", (ins Memplan_Any:$input), (ins Memplan_List:$perm), ["output"]> {
  let summary = "Permuted dimensions";
  let description = [{
    Dimension d of `output` is dimension `perm[d]` of `input`.

    A copy; `output` shares no bytes with `input`. The gradient is the inverse transpose.

    ```mlir
    %y = memplan.transpose %x {perm = [0, 2, 1, 3]} : (tensor<4x512x12x64xf32>) -> tensor<4x12x512x64xf32>
    ```
  }];
  let hasFolder = 1;
}

def Memplan_ConcatOp : Memplan_Movement<"concat", (ins Variadic<Memplan_Any>:$inputs), (ins Memplan_I64:$dim), ["output"]> {
  let summary = "Inputs one after another along one dimension";
  let description = [{
    All inputs agree in every dimension but `dim`; there is at least one.

    In tensor form a copy, unless `memplan.parts` says that all inputs are written where they end up. In memref form an input lies either exactly there, and
    is not moved, or shares no bytes with `output`. The gradient is `memplan.split`.

    ```mlir
    %y = memplan.concat %a, %b {dim = 1} : (tensor<1x64x32x32xf32>, tensor<1x128x32x32xf32>) -> tensor<1x192x32x32xf32>
    ```
  }];
  let piecePlace = "::mlir::memplan::ops::concatPiecePlace(*this, index)";
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

def Memplan_IotaOp : Memplan_Movement<"iota", (ins), (ins Memplan_I64:$size), ["output"]> {
  let summary = "0, 1, 2, ...";
  let description = [{
    `output[i] = i` for i in [0, size), as i64: positions for a position embedding.

    Reads nothing.

    ```mlir
    %ids = memplan.iota {size = 512} : () -> tensor<512xi64>
    ```
  }];
}

def Memplan_ConstantOp : Memplan_Movement<"constant", (ins), (ins Memplan_Elements:$value), ["output"]> {
  let summary = "A constant tensor";
  let description = [{
    `output` is `value`, of type f32, i64 or i8.

    Reads nothing. May be recomputed: a second run writes the same bytes again.

    ```mlir
    %one = memplan.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    ```
  }];
}

#endif // MEMPLAN_SHAPE_OPS_TD
