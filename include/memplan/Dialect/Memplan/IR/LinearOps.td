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
  let flops = "::mlir::memplan::ops::matmulFlops(*this)";
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
