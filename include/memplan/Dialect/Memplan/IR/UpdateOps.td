//===- UpdateOps.td - Optimizer updates --------------------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_UPDATE_OPS_TD
#define MEMPLAN_UPDATE_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

/// Overwrites its first operands; each result is the new version of one. Never recomputed. Where the scalar `skip` is given
/// and not 0, nothing changes.
class Memplan_Update<string mnemonic, dag inputDag, dag attributeDag, list<string> outputNameList>
    : Memplan_Op<mnemonic, !con(inputDag, (ins Optional<Memplan_Float>:$skip)), attributeDag, outputNameList> {
  let recompute = "false";
  let elementTypes = !foldl("", !range(!size(inputDag)), text, i, text # "T") # "f";
}

/// An update with a learning rate. The scalar `rate` multiplies it, so that a captured step may run with another one; `skip` is given beside it.
class Memplan_RatedUpdate<string mnemonic, dag inputDag, dag attributeDag, list<string> outputNameList>
    : Memplan_Op<mnemonic, !con(inputDag, (ins Optional<Memplan_Float>:$skip, Optional<Memplan_Float>:$rate)), attributeDag, outputNameList> {
  let recompute = "false";
  let elementTypes = !foldl("", !range(!size(inputDag)), text, i, text # "T") # "f";
}

/// What the description of each update ends with.
defvar Memplan_SkipText = [{
    Where `skip` [] is given and not 0, every output is its old version: `memplan.non_finite` makes it of scaled gradients.
  }];
defvar Memplan_RatedText = [{
    Where `skip` [] is given and not 0, every output is its old version: `memplan.non_finite` makes it of scaled gradients. Where `rate` [] is given too, `lr` is multiplied by it.
  }];

def Memplan_SGDUpdateOp : Memplan_RatedUpdate<"sgd_update", (ins Memplan_Float:$param, Memplan_Float:$grad),
    (ins Memplan_F64:$lr, Memplan_F64Default<"0.0">:$weight_decay), ["newParam"]> {
  let summary = "Step of stochastic gradient descent";
  let description = [{
    `newParam = param - lr * (grad + weight_decay * param)`.

    Overwrites `param`, so it is never recomputed, and whatever reads `param` must run before.

    ```mlir
    %p1 = memplan.sgd_update %p0, %g {lr = 0.1, weight_decay = 0.0} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }] # Memplan_RatedText;
  let writes = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 4)";
}

def Memplan_SGDMomentumUpdateOp : Memplan_RatedUpdate<"sgd_momentum_update",
    (ins Memplan_Float:$param, Memplan_Float:$velocity, Memplan_Float:$grad),
    (ins Memplan_F64:$lr, Memplan_F64:$momentum, Memplan_F64Default<"0.0">:$weight_decay, UnitAttr:$nesterov),
    ["newParam", "newVelocity"]> {
  let summary = "Step of stochastic gradient descent with momentum";
  let description = [{
    With `g = grad + weight_decay * param`: `newVelocity = momentum * velocity + g`, `newParam = param - lr * newVelocity`, or with `nesterov`
    `param - lr * (g + momentum * newVelocity)`.

    Overwrites `param` and `velocity`, so it is never recomputed.

    ```mlir
    %p1, %v1 = memplan.sgd_momentum_update %p0, %v0, %g {lr = 0.1, momentum = 0.9, weight_decay = 1.0e-4} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }] # Memplan_RatedText;
  let writes = "{0, 0}, {1, 1}";
  let flops = "::mlir::memplan::ops::elements(getParam(), 6)";
}

class Memplan_AdamLike<string mnemonic> : Memplan_RatedUpdate<mnemonic,
    (ins Memplan_Float:$param, Memplan_Float:$m, Memplan_Float:$v, Memplan_Int64:$step, Memplan_Float:$grad),
    (ins Memplan_F64:$lr, Memplan_F64Default<"0.9">:$beta1, Memplan_F64Default<"0.999">:$beta2,
         Memplan_F64Default<"1e-8">:$epsilon, Memplan_F64Default<"0.0">:$weight_decay),
    ["newParam", "newM", "newV"]> {
  let writes = "{0, 0}, {1, 1}, {2, 2}";
  let flops = "::mlir::memplan::ops::elements(getParam(), 14)";
}

def Memplan_AdamUpdateOp : Memplan_AdamLike<"adam_update"> {
  let summary = "Step of Adam";
  let description = [{
    With `g = grad + weight_decay * param` and t = `step` [1], counted from 1: `newM = beta1 * m + (1 - beta1) * g`, `newV = beta2 * v + (1 - beta2) * g^2`,
    `newParam = param - lr * (newM / (1 - beta1^t)) / (sqrt(newV / (1 - beta2^t)) + epsilon)`.

    Overwrites `param`, `m` and `v`, so it is never recomputed. Reads `step`, which `memplan.increment` counts.

    ```mlir
    %p1, %m1, %v1 = memplan.adam_update %p0, %m0, %v0, %t, %g {lr = 1.0e-3} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }] # Memplan_RatedText;
}

def Memplan_AdamWUpdateOp : Memplan_AdamLike<"adamw_update"> {
  let summary = "Step of Adam with decoupled weight decay";
  let description = [{
    As `memplan.adam_update` with `g = grad`, on `param * (1 - lr * weight_decay)`.

    Overwrites `param`, `m` and `v`, so it is never recomputed. Reads `step`, which `memplan.increment` counts.

    ```mlir
    %p1, %m1, %v1 = memplan.adamw_update %p0, %m0, %v0, %t, %g {lr = 1.0e-3, weight_decay = 0.01} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi64>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }] # Memplan_RatedText;
}

def Memplan_RMSpropUpdateOp : Memplan_RatedUpdate<"rmsprop_update",
    (ins Memplan_Float:$param, Memplan_Float:$v, Memplan_Float:$grad),
    (ins Memplan_F64:$lr, Memplan_F64Default<"0.99">:$alpha, Memplan_F64Default<"1e-8">:$epsilon, Memplan_F64Default<"0.0">:$weight_decay),
    ["newParam", "newV"]> {
  let summary = "Step of RMSprop";
  let description = [{
    With `g = grad + weight_decay * param`: `newV = alpha * v + (1 - alpha) * g^2`, `newParam = param - lr * g / (sqrt(newV) + epsilon)`.

    Overwrites `param` and `v`, so it is never recomputed.

    ```mlir
    %p1, %v1 = memplan.rmsprop_update %p0, %v0, %g {lr = 1.0e-2} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }] # Memplan_RatedText;
  let writes = "{0, 0}, {1, 1}";
  let flops = "::mlir::memplan::ops::elements(getParam(), 9)";
}

def Memplan_RMSpropMomentumUpdateOp : Memplan_RatedUpdate<"rmsprop_momentum_update",
    (ins Memplan_Float:$param, Memplan_Float:$v, Memplan_Float:$velocity, Memplan_Float:$grad),
    (ins Memplan_F64:$lr, Memplan_F64:$momentum, Memplan_F64Default<"0.99">:$alpha, Memplan_F64Default<"1e-8">:$epsilon,
         Memplan_F64Default<"0.0">:$weight_decay),
    ["newParam", "newV", "newVelocity"]> {
  let summary = "Step of RMSprop with momentum";
  let description = [{
    With `g` and `newV` of `memplan.rmsprop_update`: `newVelocity = momentum * velocity + g / (sqrt(newV) + epsilon)`, `newParam = param - lr * newVelocity`.

    Overwrites `param`, `v` and `velocity`, so it is never recomputed.

    ```mlir
    %p1, %v1, %b1 = memplan.rmsprop_momentum_update %p0, %v0, %b0, %g {lr = 1.0e-2, momentum = 0.9} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }] # Memplan_RatedText;
  let writes = "{0, 0}, {1, 1}, {2, 2}";
  let flops = "::mlir::memplan::ops::elements(getParam(), 11)";
}

def Memplan_AdagradUpdateOp : Memplan_RatedUpdate<"adagrad_update",
    (ins Memplan_Float:$param, Memplan_Float:$sum, Memplan_Float:$grad),
    (ins Memplan_F64:$lr, Memplan_F64Default<"1e-10">:$epsilon, Memplan_F64Default<"0.0">:$weight_decay),
    ["newParam", "newSum"]> {
  let summary = "Step of Adagrad";
  let description = [{
    With `g = grad + weight_decay * param`: `newSum = sum + g^2`, `newParam = param - lr * g / (sqrt(newSum) + epsilon)`.

    Overwrites `param` and `sum`, so it is never recomputed.

    ```mlir
    %p1, %s1 = memplan.adagrad_update %p0, %s0, %g {lr = 1.0e-2} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }] # Memplan_RatedText;
  let writes = "{0, 0}, {1, 1}";
  let flops = "::mlir::memplan::ops::elements(getParam(), 8)";
}

def Memplan_LionUpdateOp : Memplan_RatedUpdate<"lion_update",
    (ins Memplan_Float:$param, Memplan_Float:$m, Memplan_Float:$grad),
    (ins Memplan_F64:$lr, Memplan_F64Default<"0.9">:$beta1, Memplan_F64Default<"0.99">:$beta2, Memplan_F64Default<"0.0">:$weight_decay),
    ["newParam", "newM"]> {
  let summary = "Step of Lion";
  let description = [{
    `newParam = param * (1 - lr * weight_decay) - lr * sign(beta1 * m + (1 - beta1) * grad)`, `newM = beta2 * m + (1 - beta2) * grad` (Chen et al., "Symbolic Discovery of
    Optimization Algorithms", 2023). The sign of 0 is 0.

    Overwrites `param` and `m`, so it is never recomputed.

    ```mlir
    %p1, %m1 = memplan.lion_update %p0, %m0, %g {lr = 1.0e-4} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    ```
  }] # Memplan_RatedText;
  let writes = "{0, 0}, {1, 1}";
  let flops = "::mlir::memplan::ops::elements(getParam(), 9)";
}

def Memplan_IncrementOp : Memplan_Update<"increment", (ins Memplan_Int64:$step), (ins), ["newStep"]> {
  let summary = "Counter plus one";
  let description = [{
    `newStep = step + 1`.

    Overwrites `step`, so it is never recomputed.

    ```mlir
    %t1 = memplan.increment %t0 : (tensor<1xi64>) -> tensor<1xi64>
    ```
  }] # Memplan_SkipText;
  let writes = "{0, 0}";
  let flops = "0";
}

def Memplan_LossScaleUpdateOp : Memplan_Op<"loss_scale_update",
    (ins Memplan_Float:$scale, Memplan_Int64:$goodSteps, Memplan_Float:$nonFinite),
    (ins Memplan_F64Default<"2.0">:$growth_factor, Memplan_F64Default<"0.5">:$backoff_factor, Memplan_I64Default<"2000">:$growth_interval),
    ["newScale", "newGoodSteps"]> {
  let summary = "Next scale of a loss in mixed precision";
  let description = [{
    Where `nonFinite` [] is not 0: `newScale = scale * backoff_factor` and `newGoodSteps = 0`. Else one more good step is counted; the `growth_interval`-th of them makes
    `newScale = scale * growth_factor`, unless that is infinite, and counts from 0 again. `scale` is a scalar, `goodSteps` is [1]. This is what `torch.amp.GradScaler` does.

    Overwrites `scale` and `goodSteps`, so it is never recomputed.

    ```mlir
    %s1, %n1 = memplan.loss_scale_update %s0, %n0, %bad {growth_interval = 100} : (tensor<f32>, tensor<1xi64>, tensor<f32>) -> (tensor<f32>, tensor<1xi64>)
    ```
  }];
  let recompute = "false";
  let writes = "{0, 0}, {1, 1}";
  let flops = "1";
  let elementTypes = "f";
}

#endif // MEMPLAN_UPDATE_OPS_TD
