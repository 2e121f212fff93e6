//===- AttentionOps.td - Scaled dot-product attention ------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ATTENTION_OPS_TD
#define MEMPLAN_ATTENTION_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_AttentionOp : Memplan_Op<"attention",
    (ins Memplan_Float:$query, Memplan_Float:$key, Memplan_Float:$value, Optional<Memplan_Float>:$mask),
    (ins Memplan_F64:$scale, UnitAttr:$causal), ["output", "logsumexp"]> {
  let summary = "Scaled dot-product attention";
  let description = [{
    Per head, for `query` [..,N,D], `key` [..,M,D] and `value` [..,M,E] with the same leading dimensions: `output = softmax(scores) * value` [..,N,E], where
    `scores = scale * query * transpose(key) + mask` are [N,M] and are never stored. `mask` has at most the dimensions of `query`; each of them, counted from the last one, is
    that of `scores` or 1. A score of minus infinity excludes a key. With `causal`, row n of `scores` has the keys 0 to n only. A row without any key gives 0.

    `logsumexp` [..,N] is the logarithm of the sum of the exponentials of each row of `scores`; the gradient recomputes the softmax from it.

    With `tf32` a backend may round f32 operands of both products to the 10 bits of TF32 before it multiplies; sums stay f32. A gradient has the precision of its forward pass.

    `output` may overwrite `query` where nothing reads `query` later; the gradient does. Kernels of the CPU take at most 1024 columns (D, E).

    ```mlir
    %o, %l = memplan.attention %q, %k, %v {causal, scale = 0.125} : (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>) -> (tensor<2x12x64x32xf32>, tensor<2x12x64xf32>)
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::attentionFlops(*this)";
  let settings = (ins UnitAttr:$tf32);
  let elementTypes = "TTTP";
}

def Memplan_AttentionGradOp : Memplan_Op<"attention_grad",
    (ins Memplan_Float:$outputGrad, Memplan_Float:$query, Memplan_Float:$key, Memplan_Float:$value, Memplan_Float:$output,
         Memplan_Float:$logsumexp, Optional<Memplan_Float>:$mask),
    (ins Memplan_F64:$scale, UnitAttr:$causal), ["queryGrad", "keyGrad", "valueGrad"]> {
  let summary = "Gradients of `memplan.attention`";
  let description = [{
    With `P = exp(scores - logsumexp)`, the softmax of the forward pass, and `d[n] = sum over e of outputGrad[n,e] * output[n,e]`: `valueGrad = transpose(P) * outputGrad`,
    `G = scale * P * (outputGrad * transpose(value) - d)`, `queryGrad = G * key`, `keyGrad = transpose(G) * query`. P and G are never stored.

    `mask` gets no gradient. `queryGrad` may overwrite `outputGrad` or `query`.

    ```mlir
    %dq, %dk, %dv = memplan.attention_grad %do, %q, %k, %v, %o, %l {causal, scale = 0.125} : (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64xf32>) -> (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>)
    ```
  }];
  let inPlace = "{0, 0}, {0, 1}";
  let flops = "::mlir::memplan::ops::attentionFlops(*this)";
  let settings = (ins UnitAttr:$tf32);
  let elementTypes = "TTTTTfP";
}

def Memplan_AttentionDropoutOp : Memplan_Op<"attention_dropout",
    (ins Memplan_Float:$query, Memplan_Float:$key, Memplan_Float:$value, Memplan_Int64:$seed, Optional<Memplan_Float>:$mask),
    (ins Memplan_F64:$scale, Memplan_F64:$p, Memplan_I64:$salt, UnitAttr:$causal), ["output", "logsumexp"]> {
  let summary = "Scaled dot-product attention with dropout";
  let description = [{
    As `memplan.attention`, but `output = dropout(softmax(scores)) * value`. An element of the softmax is kept where `memplan.dropout` of a tensor [..,N,M] with the same `seed`,
    `p` and `salt` would keep it, so neither the softmax nor a mask of what was kept is stored. `logsumexp` is that of the scores, of which none is dropped.

    `output` may overwrite `query`.

    ```mlir
    %o, %l = memplan.attention_dropout %q, %k, %v, %seed {causal, p = 0.1, salt = 3, scale = 0.125} : (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<1xi64>) -> (tensor<2x12x64x32xf32>, tensor<2x12x64xf32>)
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::attentionFlops(*this)";
  let settings = (ins UnitAttr:$tf32);
  let elementTypes = "TTTTP";
}

def Memplan_AttentionDropoutGradOp : Memplan_Op<"attention_dropout_grad",
    (ins Memplan_Float:$outputGrad, Memplan_Float:$query, Memplan_Float:$key, Memplan_Float:$value, Memplan_Float:$output,
         Memplan_Float:$logsumexp, Memplan_Int64:$seed, Optional<Memplan_Float>:$mask),
    (ins Memplan_F64:$scale, Memplan_F64:$p, Memplan_I64:$salt, UnitAttr:$causal), ["queryGrad", "keyGrad", "valueGrad"]> {
  let summary = "Gradients of `memplan.attention_dropout`";
  let description = [{
    Those of `memplan.attention_grad`, but with `K` [N,M], which is 1 / (1 - p) where an element was kept and else 0: `valueGrad = transpose(K * P) * outputGrad` and
    `G = scale * P * (K * (outputGrad * transpose(value)) - d)`.

    `mask` gets no gradient. `queryGrad` may overwrite `outputGrad` or `query`.

    ```mlir
    %dq, %dk, %dv = memplan.attention_dropout_grad %do, %q, %k, %v, %o, %l, %seed {p = 0.1, salt = 3, scale = 0.125} : (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64xf32>, tensor<1xi64>) -> (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>)
    ```
  }];
  let inPlace = "{0, 0}, {0, 1}";
  let flops = "::mlir::memplan::ops::attentionFlops(*this)";
  let settings = (ins UnitAttr:$tf32);
  let elementTypes = "TTTTTfTP";
}

#endif // MEMPLAN_ATTENTION_OPS_TD
