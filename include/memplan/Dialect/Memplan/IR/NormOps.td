//===- NormOps.td - Batch and layer normalization ----------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_NORM_OPS_TD
#define MEMPLAN_NORM_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_BatchNormOp : Memplan_Op<"batch_norm",
    (ins Memplan_Float:$input, Memplan_Float:$scale, Memplan_Float:$bias), (ins Memplan_F64Default<"1e-5">:$epsilon),
    ["output", "mean", "invstd", "variance"]> {
  let summary = "Batch normalization with the statistics of this batch";
  let description = [{
    Per channel c of `input` [N,C,..]: `mean` and biased variance v over all other dimensions, `invstd = 1 / sqrt(v + epsilon)`,
    `output = (input - mean) * invstd * scale + bias`. `variance` is the unbiased one, for `memplan.batch_norm_update_stats`. `scale`, `bias` and the statistics are [C].

    Has no effect on running statistics, hence may be recomputed. `output` may overwrite `input` where nothing reads `input` later; the gradient does.

    ```mlir
    %y, %m, %s, %v = memplan.batch_norm %x, %g, %b {epsilon = 1.0e-5} : (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 8)";
  let stridedDims = "index == 0 || index == getNumInputs() ? 1 : 0";
  let elementTypes = "TPP";
}

def Memplan_BatchNormGradOp : Memplan_Op<"batch_norm_grad",
    (ins Memplan_Float:$outputGrad, Memplan_Float:$input, Memplan_Float:$scale, Memplan_Float:$mean, Memplan_Float:$invstd), (ins),
    ["inputGrad", "scaleGrad", "biasGrad"]> {
  let summary = "Gradients of `memplan.batch_norm`";
  let description = [{
    With `xhat = (input - mean) * invstd` and n elements per channel: `biasGrad = sum(outputGrad)`, `scaleGrad = sum(outputGrad * xhat)`,
    `inputGrad = scale * invstd * (outputGrad - biasGrad / n - xhat * scaleGrad / n)`.

    Reads the forward input and statistics, not the output. `inputGrad` may overwrite `outputGrad` or `input`.

    ```mlir
    %dx, %dg, %db = memplan.batch_norm_grad %dy, %x, %g, %m, %s : (tensor<8x16x4x4xf32>, tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<8x16x4x4xf32>, tensor<16xf32>, tensor<16xf32>)
    ```
  }];
  let inPlace = "{0, 0}, {0, 1}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 11)";
  let stridedDims = "index < 2 || index == getNumInputs() ? 1 : 0";
  let elementTypes = "TTPf";
}

def Memplan_BatchNormUpdateStatsOp : Memplan_Op<"batch_norm_update_stats",
    (ins Memplan_Float:$runningMean, Memplan_Float:$runningVar, Memplan_Float:$mean, Memplan_Float:$variance),
    (ins Memplan_F64Default<"0.1">:$momentum), ["newMean", "newVar"]> {
  let summary = "Running statistics of a batch normalization";
  let description = [{
    `newMean = (1 - momentum) * runningMean + momentum * mean`, and the same with `variance`. All are [C].

    Overwrites `runningMean` and `runningVar`, so it is never recomputed. It is an operation of its own so that `memplan.batch_norm` can be.

    ```mlir
    %m1, %v1 = memplan.batch_norm_update_stats %m0, %v0, %m, %v {momentum = 0.1} : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    ```
  }];
  let writes = "{0, 0}, {1, 1}";
  let recompute = "false";
  let flops = "::mlir::memplan::ops::outputElements(*this, 6)";
  let elementTypes = "TTf";
}

def Memplan_LayerNormOp : Memplan_Op<"layer_norm",
    (ins Memplan_Float:$input, Memplan_Float:$scale, Memplan_Float:$bias), (ins Memplan_F64Default<"1e-5">:$epsilon),
    ["output", "mean", "rstd"]> {
  let summary = "Normalization over the last dimension";
  let description = [{
    Per row of `input` [..,D]: `mean` and biased variance v of the row, `rstd = 1 / sqrt(v + epsilon)`, `output = (input - mean) * rstd * scale + bias`. `scale` and `bias`
    are [D]; `mean` and `rstd` have the leading dimensions of `input`.

    `output` may overwrite `input` where nothing reads `input` later; the gradient does.

    ```mlir
    %y, %m, %s = memplan.layer_norm %x, %g, %b {epsilon = 1.0e-5} : (tensor<4x512x768xf32>, tensor<768xf32>, tensor<768xf32>) -> (tensor<4x512x768xf32>, tensor<4x512xf32>, tensor<4x512xf32>)
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 8)";
  let elementTypes = "TPP";
}

def Memplan_LayerNormGradOp : Memplan_Op<"layer_norm_grad",
    (ins Memplan_Float:$outputGrad, Memplan_Float:$input, Memplan_Float:$scale, Memplan_Float:$mean, Memplan_Float:$rstd), (ins),
    ["inputGrad", "scaleGrad", "biasGrad"]> {
  let summary = "Gradients of `memplan.layer_norm`";
  let description = [{
    With `xhat = (input - mean) * rstd` and `g = outputGrad * scale`, per row of D elements: `inputGrad = rstd * (g - mean(g) - xhat * mean(g * xhat))`. Over all rows:
    `scaleGrad = sum(outputGrad * xhat)`, `biasGrad = sum(outputGrad)`.

    Reads the forward input and statistics, not the output. `inputGrad` may overwrite `outputGrad`.

    ```mlir
    %dx, %dg, %db = memplan.layer_norm_grad %dy, %x, %g, %m, %s : (tensor<4x512x768xf32>, tensor<4x512x768xf32>, tensor<768xf32>, tensor<4x512xf32>, tensor<4x512xf32>) -> (tensor<4x512x768xf32>, tensor<768xf32>, tensor<768xf32>)
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 13)";
  let elementTypes = "TTPf";
}

#endif // MEMPLAN_NORM_OPS_TD
