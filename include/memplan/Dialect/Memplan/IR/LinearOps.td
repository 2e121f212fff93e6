//===- LinearOps.td - Matrix products and table look-up ----*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LINEAR_OPS_TD
#define MEMPLAN_LINEAR_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_MatmulOp : Memplan_Op<"matmul",
    (ins Memplan_Float:$lhs, Memplan_Float:$rhs, Optional<Memplan_Float>:$bias),
    (ins UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs), ["output"]> {
  let summary = "Matrix product, batched, with optional transposes and bias";
  let description = [{
    `output = lhs * rhs + bias`. `transpose_lhs` and `transpose_rhs` exchange the last two dimensions of an operand before the product. After that `lhs` is [..,M,K] and
    `rhs` is [..,K,N] with the same leading dimensions, or [K,N], which multiplies every matrix of `lhs`. `bias` is [N].

    With `tf32` a backend may round f32 operands to the 10 bits of TF32 before it multiplies; sums stay f32.

    A gradient reads the other operand, never `output`, and has its precision. `output` shares no bytes with an input.

    ```mlir
    %y = memplan.matmul %x, %w, %b {transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> tensor<4x16xf32>
    %s = memplan.matmul %q, %k {transpose_rhs} : (tensor<2x12x64x32xf32>, tensor<2x12x64x32xf32>) -> tensor<2x12x64x64xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::productFlops(getOutputAt(0), getLhs(), getTransposeLhs())";
  let settings = (ins UnitAttr:$tf32);
}

def Memplan_MatmulGeluOp : Memplan_Op<"matmul_gelu",
    (ins Memplan_Float:$lhs, Memplan_Float:$rhs, Memplan_Float:$bias),
    (ins UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs), ["preactivation", "output"]> {
  let summary = "Matrix product with bias, and its GELU";
  let description = [{
    `preactivation` is `memplan.matmul` of the three inputs, and `output` is `memplan.gelu` of it by the formula with tanh. `rhs` has two dimensions, and `lhs` is transposed
    where it has two. One kernel of a library may compute both, so that `output` is of the sums before they are rounded.

    The pass `memplan-fuse` makes it after differentiation, and `memplan-split` takes it apart. Outputs share no bytes with an input.

    ```mlir
    %h, %y = memplan.matmul_gelu %x, %w, %b {transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>)
    ```
  }];
  let flops = "::mlir::memplan::ops::addBytes(::mlir::memplan::ops::productFlops(getOutputAt(0), getLhs(), getTransposeLhs()), ::mlir::memplan::ops::elements(getOutputAt(0), 8))";
  let settings = (ins UnitAttr:$tf32);
}

def Memplan_MatmulGeluGradOp : Memplan_Op<"matmul_gelu_grad",
    (ins Memplan_Float:$lhs, Memplan_Float:$rhs, Memplan_Float:$preactivation),
    (ins UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs), ["inputGrad", "biasGrad"]> {
  let summary = "Matrix product that becomes the gradient of a GELU, and of the bias before it";
  let description = [{
    `inputGrad` is `memplan.gelu_grad` of `preactivation` and `lhs * rhs`, by the formula with tanh. `biasGrad` [N] is its sum over all dimensions but the last. `rhs` has two
    dimensions, and `lhs` is transposed where it has two.

    The pass `memplan-fuse` makes it after differentiation, and `memplan-split` takes it apart. Outputs share no bytes with an input.

    ```mlir
    %dh, %db = memplan.matmul_gelu_grad %dy, %w, %h : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<16xf32>)
    ```
  }];
  let flops = "::mlir::memplan::ops::addBytes(::mlir::memplan::ops::productFlops(getOutputAt(0), getLhs(), getTransposeLhs()), ::mlir::memplan::ops::elements(getOutputAt(0), 15))";
  let settings = (ins UnitAttr:$tf32);
}

def Memplan_MatmulBiasGradOp : Memplan_Op<"matmul_bias_grad",
    (ins Memplan_Float:$lhs, Memplan_Float:$rhs),
    (ins UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs, UnitAttr:$sum_rhs), ["output", "biasGrad"]> {
  let summary = "Matrix product and the sums of one side of it";
  let description = [{
    `output = lhs * rhs`, and `biasGrad` [M] is the sum of `lhs` [M,K] over K, after the transpose. With `sum_rhs` it is [N], the sum of `rhs` [K,N] over K. Both inputs have
    two dimensions. With the gradient of a linear layer's output as that side these are the gradients of its bias and its weights: [out,in] where it is `lhs`, [in,out] where
    it is `rhs`.

    The pass `memplan-fuse` makes it after differentiation, and `memplan-split` takes it apart. Outputs share no bytes with an input.

    ```mlir
    %dw, %db = memplan.matmul_bias_grad %dy, %x {transpose_lhs} : (tensor<4x16xf32>, tensor<4x8xf32>) -> (tensor<16x8xf32>, tensor<16xf32>)
    %dv, %dc = memplan.matmul_bias_grad %x, %dy {sum_rhs, transpose_lhs} : (tensor<4x8xf32>, tensor<4x16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>)
    ```
  }];
  let flops = "::mlir::memplan::ops::addBytes(::mlir::memplan::ops::productFlops(getOutputAt(0), getLhs(), getTransposeLhs()), ::mlir::memplan::ops::elements(getSumRhs() ? getRhs() : getLhs()))";
  let settings = (ins UnitAttr:$tf32);
}

def Memplan_EmbeddingOp : Memplan_Op<"embedding", (ins Memplan_Float:$table, Memplan_Int64:$ids), (ins), ["output"]> {
  let summary = "Rows of a table, by id";
  let description = [{
    `output[i.., :] = table[ids[i..], :]` for `table` [V,D] and `ids` of any shape. An id outside [0, V) is an error of the run.

    Its gradient reads `ids` alone. `output` shares no bytes with an input.

    ```mlir
    %e = memplan.embedding %table, %ids : (tensor<50257x768xf32>, tensor<4x512xi64>) -> tensor<4x512x768xf32>
    ```
  }];
  let flops = "0";
  // Only the rows that are named are read.
  let bytesMoved = [{::mlir::memplan::ops::addBytes(::mlir::memplan::ops::byteSize(getIds().getType()),
      ::mlir::memplan::ops::multiplyBytes(::mlir::memplan::ops::byteSize(getOutputAt(0).getType()), 2))}];
}

def Memplan_EmbeddingGradOp : Memplan_Op<"embedding_grad",
    (ins Memplan_Int64:$ids, Memplan_Float:$outputGrad), (ins Memplan_I64:$num_embeddings), ["tableGrad"]> {
  let summary = "Gradient of `memplan.embedding` with respect to its table";
  let description = [{
    `tableGrad[v, :]` is the sum of the rows of `outputGrad` whose id is `v`, in the order of the ids; `tableGrad` is [num_embeddings, D].

    Does not read the table. `tableGrad` shares no bytes with an input.

    ```mlir
    %dt = memplan.embedding_grad %ids, %de {num_embeddings = 50257} : (tensor<4x512xi64>, tensor<4x512x768xf32>) -> tensor<50257x768xf32>
    ```
  }];
  let flops = "::mlir::memplan::ops::elements(getOutputGrad())";
}

#endif // MEMPLAN_LINEAR_OPS_TD
