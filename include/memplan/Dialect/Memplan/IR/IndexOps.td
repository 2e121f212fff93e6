//===- IndexOps.td - Places along a dimension --------------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_INDEX_OPS_TD
#define MEMPLAN_INDEX_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_TopKOp : Memplan_Op<"topk", (ins Memplan_Float:$input),
    (ins Memplan_I64:$k, Memplan_I64Default<"-1">:$axis, UnitAttr:$smallest), ["values", "indices"]> {
  let summary = "The largest elements along one dimension, in order";
  let description = [{
    `values` holds the `k` largest elements of each line of `input` along `axis`, the largest first, and `indices` where they stand in the line. With `smallest` it is the smallest ones, the
    smallest first. Of equals the one that stands first comes first; NaN counts as larger than all numbers. With `k` the size of the line this is a stable sort; with `k = 1` a maximum and its position.

    The gradient is `memplan.scatter` and reads `indices` alone.

    ```mlir
    %v, %i = memplan.topk %x {axis = 1, k = 2} : (tensor<64x8xf32>) -> (tensor<64x2xf32>, tensor<64x2xi64>)
    ```
  }];
  let flops = "::mlir::memplan::ops::inputElements(*this, 4)";
}

def Memplan_GatherOp : Memplan_Op<"gather", (ins Memplan_Any:$input, Memplan_Int64:$indices), (ins Memplan_I64Default<"-1">:$axis), ["output"]> {
  let summary = "Elements of each line, by their position";
  let description = [{
    `output[.., i, ..] = input[.., indices[.., i, ..], ..]`, where i counts along `axis`. `indices` has the shape of `input` but along `axis`, and `output` that of `indices`. An index outside of the line is
    an error of the run.

    The gradient is `memplan.gather_grad` and reads `indices` alone. `output` shares no bytes with an input.

    ```mlir
    %y = memplan.gather %x, %i {axis = 1} : (tensor<64x8xf32>, tensor<64x2xi64>) -> tensor<64x2xf32>
    ```
  }];
  let flops = "0";
  // Only the elements that are named are read.
  let bytesMoved = [{::mlir::memplan::ops::addBytes(::mlir::memplan::ops::byteSize(getIndices().getType()),
      ::mlir::memplan::ops::multiplyBytes(::mlir::memplan::ops::byteSize(getOutputAt(0).getType()), 2))}];
}

def Memplan_GatherGradOp : Memplan_Op<"gather_grad", (ins Memplan_Int64:$indices, Memplan_Float:$outputGrad),
    (ins Memplan_I64:$size, Memplan_I64Default<"-1">:$axis), ["inputGrad"]> {
  let summary = "Gradient of `memplan.gather`: elements added up by their position";
  let description = [{
    Element v of a line of `inputGrad` along `axis` is the sum of the elements of `outputGrad` in that line whose index is v, in the order in which they stand. `inputGrad` has `size` elements along `axis`.

    ```mlir
    %dx = memplan.gather_grad %i, %dy {axis = 1, size = 8} : (tensor<64x2xi64>, tensor<64x2xf32>) -> tensor<64x8xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getOutputGrad())";
}

def Memplan_ScatterOp : Memplan_Op<"scatter", (ins Memplan_Int64:$indices, Memplan_Any:$source, Optional<Memplan_Any>:$base),
    (ins Memplan_I64:$size, Memplan_I64Default<"-1">:$axis), ["output"]> {
  let summary = "Elements put at positions of each line";
  let description = [{
    `output` is `base`, or zeros without it, but for `output[.., indices[.., i, ..], ..] = source[.., i, ..]`, where i counts along `axis`; of equal indices the last one counts. `source` has the shape of
    `indices`, and so has `output` but along `axis`, where it has `size` elements. An index outside of the line is an error of the run.

    `output` may overwrite `base`.

    ```mlir
    %y = memplan.scatter %i, %s {axis = 1, size = 8} : (tensor<64x2xi64>, tensor<64x2xf32>) -> tensor<64x8xf32>
    %z = memplan.scatter %i, %s, %y {axis = 1, size = 8} : (tensor<64x2xi64>, tensor<64x2xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
    ```
  }];
  let inPlace = "{0, 2}";
  let flops = "0";
}

def Memplan_CumSumOp : Memplan_SameTypeOp<"cumsum", (ins Memplan_Float:$input), (ins Memplan_I64Default<"-1">:$axis, UnitAttr:$reverse), "output"> {
  let summary = "Running sums along one dimension";
  let description = [{
    Each element of `output` is the sum of the elements of `input` in its line along `axis`, from the first up to its own; with `reverse` from its own to the last. Sums are kept in f64.

    The gradient is the same operation in the other direction. `output` may overwrite `input`.

    ```mlir
    %y = memplan.cumsum %x {axis = 1} : (tensor<4x512xf32>) -> tensor<4x512xf32>
    ```
  }];
  let inPlace = "{0, 0}";
  let moreInference = "::mlir::memplan::ops::checkAxis(errors, adaptor.getAxis(), \"axis\", adaptor.getInput())";
}

#endif // MEMPLAN_INDEX_OPS_TD
