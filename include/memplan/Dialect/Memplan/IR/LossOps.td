//===- LossOps.td - Losses ---------------------------------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LOSS_OPS_TD
#define MEMPLAN_LOSS_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_CrossEntropyOp : Memplan_Op<"cross_entropy", (ins Memplan_Float:$logits, Memplan_Int64:$labels),
    (ins Memplan_I64Default<"-100">:$ignore_index), ["loss", "logsumexp"]> {
  let summary = "Cross entropy of softmax(logits) against class labels";
  let description = [{
    For `logits` [R,V] and `labels` [R]: `logsumexp[r] = log(sum_v exp(logits[r,v]))` and `loss` is the mean of `logsumexp[r] - logits[r, labels[r]]` over the rows whose
    label is not `ignore_index`, or their sum with `sum`. Another label outside [0, V) is an error of the run.

    The gradient reads `logits` and `logsumexp` (R values), so no softmax of the size of `logits` is kept. Outputs share no bytes with an input.

    `loss` has the type of `logits`, or is f32 with `wide_loss`. Canonicalization makes that of a loss in f32 of logits that a cast has widened, and of its gradient, since kernels
    compute in f32 anyway: neither the logits nor their gradient then exist in f32, and the bits are the same.

    ```mlir
    %loss, %lse = memplan.cross_entropy %logits, %labels {ignore_index = -100} : (tensor<32x1000xf32>, tensor<32xi64>) -> (tensor<f32>, tensor<32xf32>)
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getLogits(), 4)";
  let settings = (ins UnitAttr:$wide_loss, UnitAttr:$sum);
  let hasCanonicalizeMethod = 1;
}

def Memplan_CrossEntropyGradOp : Memplan_Op<"cross_entropy_grad",
    (ins Memplan_Float:$logits, Memplan_Int64:$labels, Memplan_Float:$logsumexp, Memplan_Float:$lossGrad),
    (ins Memplan_I64Default<"-100">:$ignore_index), ["logitsGrad"]> {
  let summary = "Gradient of `memplan.cross_entropy` with respect to its logits";
  let description = [{
    `logitsGrad[r,v] = lossGrad / n * (exp(logits[r,v] - logsumexp[r]) - (v == labels[r]))` with n rows that count, or n = 1 with `sum`; 0 in rows whose label is
    `ignore_index`.

    `logitsGrad` may overwrite `logits`.

    ```mlir
    %d = memplan.cross_entropy_grad %logits, %labels, %lse, %dl {ignore_index = -100} : (tensor<32x1000xf32>, tensor<32xi64>, tensor<32xf32>, tensor<f32>) -> tensor<32x1000xf32>
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 4)";
  let elementTypes = "TTfP";
  let settings = (ins UnitAttr:$sum);
}

def Memplan_BCEWithLogitsOp : Memplan_Op<"bce_with_logits", (ins Memplan_Float:$logits, Memplan_Float:$target), (ins), ["loss"]> {
  let summary = "Mean binary cross entropy of sigmoid(logits)";
  let description = [{
    `loss` is the mean of `max(x, 0) - x * t + log(1 + exp(-|x|))` over all elements x of `logits` and t of `target`, which have one shape.

    The gradient reads both inputs. `loss` shares no bytes with an input.

    ```mlir
    %loss = memplan.bce_with_logits %logits, %target : (tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>) -> tensor<f32>
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getLogits(), 6)";
}

def Memplan_BCEWithLogitsGradOp : Memplan_Op<"bce_with_logits_grad",
    (ins Memplan_Float:$logits, Memplan_Float:$target, Memplan_Float:$lossGrad), (ins), ["logitsGrad"]> {
  let summary = "Gradient of `memplan.bce_with_logits` with respect to its logits";
  let description = [{
    `logitsGrad = lossGrad / n * (sigmoid(logits) - target)` with n elements.

    `logitsGrad` may overwrite `logits` or `target`.

    ```mlir
    %d = memplan.bce_with_logits_grad %logits, %target, %dl : (tensor<1x1x64x64xf32>, tensor<1x1x64x64xf32>, tensor<f32>) -> tensor<1x1x64x64xf32>
    ```
  }];
  let inPlace = "{0, 0}, {0, 1}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 5)";
}

def Memplan_MSELossOp : Memplan_Op<"mse_loss", (ins Memplan_Float:$prediction, Memplan_Float:$target), (ins), ["loss"]> {
  let summary = "Mean squared error";
  let description = [{
    `loss` is the mean of `(prediction - target)^2` over all elements; both have one shape.

    The gradient reads both inputs. `loss` shares no bytes with an input.

    ```mlir
    %loss = memplan.mse_loss %p, %t : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<f32>
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getPrediction(), 3)";
}

def Memplan_MSELossGradOp : Memplan_Op<"mse_loss_grad",
    (ins Memplan_Float:$prediction, Memplan_Float:$target, Memplan_Float:$lossGrad), (ins), ["predictionGrad"]> {
  let summary = "Gradient of `memplan.mse_loss` with respect to the prediction";
  let description = [{
    `predictionGrad = lossGrad * 2 / n * (prediction - target)` with n elements.

    `predictionGrad` may overwrite `prediction` or `target`.

    ```mlir
    %d = memplan.mse_loss_grad %p, %t, %dl : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    ```
  }];
  let inPlace = "{0, 0}, {0, 1}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 2)";
}

#endif // MEMPLAN_LOSS_OPS_TD
