//===- ElementwiseOps.td - Arithmetic, masks and dropout ---*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ELEMENTWISE_OPS_TD
#define MEMPLAN_ELEMENTWISE_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

/// Arithmetic on two operands that are broadcast against each other. `output` may overwrite an operand of its own type.
class Memplan_Binary<string mnemonic> : Memplan_Op<mnemonic, (ins Memplan_Float:$lhs, Memplan_Float:$rhs), (ins), ["output"]> {
  let inPlace = "{0, 0}, {0, 1}";
  let hasFolder = 1;
  let stridedDims = "::mlir::memplan::ops::elementwiseRowDims(*this)";
}

def Memplan_AddOp : Memplan_Binary<"add"> {
  let summary = "Sum, with broadcasting";
  let description = [{
    `output = lhs + rhs`. Shapes are aligned at their last dimensions; a dimension of 1, or a missing one, is repeated.

    The gradient reads no forward value. `output` may overwrite an operand that has its shape.

    ```mlir
    %z = memplan.add %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_SubOp : Memplan_Binary<"sub"> {
  let summary = "Difference, with broadcasting";
  let description = [{
    `output = lhs - rhs`. Shapes are aligned at their last dimensions; a dimension of 1, or a missing one, is repeated.

    The gradient reads no forward value. `output` may overwrite an operand that has its shape.

    ```mlir
    %z = memplan.sub %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_MulOp : Memplan_Binary<"mul"> {
  let summary = "Product, with broadcasting";
  let description = [{
    `output = lhs * rhs`. Shapes are aligned at their last dimensions; a dimension of 1, or a missing one, is repeated.

    The gradient of one operand reads the other. `output` may overwrite an operand that has its shape.

    ```mlir
    %z = memplan.mul %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_DivOp : Memplan_Binary<"div"> {
  let summary = "Quotient, with broadcasting";
  let description = [{
    `output = lhs / rhs`. Shapes are aligned at their last dimensions; a dimension of 1, or a missing one, is repeated.

    The gradient of `lhs` reads `rhs`, that of `rhs` both. `output` may overwrite an operand that has its shape.

    ```mlir
    %z = memplan.div %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
}

def Memplan_AccumulateOp : Memplan_SameTypeOp<"accumulate", (ins Memplan_Float:$lhs, Memplan_Float:$rhs), (ins), "output"> {
  let summary = "Sum of two gradients of one value";
  let description = [{
    `output = lhs + rhs`, both of one shape. Made by autodiff where a value has several uses, and told apart from `memplan.add` for reports.

    `output` may overwrite either operand.

    ```mlir
    %d = memplan.accumulate %d0, %d1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let inPlace = "{0, 0}, {0, 1}";
  let hasFolder = 1;
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

def Memplan_CastOp : Memplan_Op<"cast", (ins Memplan_Float:$input), (ins Memplan_RealName:$element), ["output"]> {
  let summary = "The same numbers in another element type";
  let description = [{
    Each element of `input`, f32, bf16 or f16, rounded to the nearest number of type `element`, ties to even. What is larger than any number of that type becomes infinite, a NaN stays
    a NaN. f32 has every number of the other two. The operations compute in f32, whatever their operands are stored in, and round once, when they store a result.

    The gradient is cast back and reads no forward value.

    ```mlir
    %y = memplan.cast %x {element = "bf16"} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    ```
  }];
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

def Memplan_ScaleOp : Memplan_SameTypeOp<"scale", (ins Memplan_Float:$input), (ins Memplan_F64:$factor), "output"> {
  let summary = "Product with a constant";
  let description = [{
    `output[i] = input[i] * factor`, with `factor` rounded to f32.

    The gradient reads no forward value. `output` may overwrite `input`.

    ```mlir
    %y = memplan.scale %x {factor = 0.125} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let inPlace = "{0, 0}";
  let hasFolder = 1;
  let stridedDims = "::mlir::memplan::ops::rankOf(*this, index)";
}

def Memplan_CausalMaskOp : Memplan_SameTypeOp<"causal_mask", (ins Memplan_Float:$input), (ins Memplan_F64:$fill), "output"> {
  let summary = "Constant above the diagonal";
  let description = [{
    In the last two dimensions (row, column): `output = column > row ? fill : input`. With minus infinity (`0xFFF0000000000000 : f64`) before a softmax
    each position sees itself and the past.

    The gradient is the same operation with `fill = 0.0` and reads no forward value. `output` may overwrite `input`.

    ```mlir
    %y = memplan.causal_mask %x {fill = 0xFFF0000000000000 : f64} : (tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "0";
  let moreInference = "::mlir::memplan::ops::checkRank(errors, adaptor.getInput(), \"input\", 2)";
}

def Memplan_DropoutOp : Memplan_Op<"dropout", (ins Memplan_Float:$input, Memplan_Int64:$seed),
    (ins Memplan_F64:$p, Memplan_I64Default<"0">:$salt), ["output"]> {
  let summary = "Random zeros, from an explicit seed";
  let description = [{
    `output[i] = keep(i) ? input[i] / (1 - p) : 0`, where keep(i) is false with probability `p` in [0, 1). keep(i) depends on `seed` [1], `salt` and the element index i alone
    (Philox4x32-10), so a second run drops the same elements, and no mask is kept. Every dropout of a program has a `salt` of its own.

    The gradient is the same operation on the gradient. `output` may overwrite `input`.

    ```mlir
    %y = memplan.dropout %x, %seed {p = 0.1, salt = 7} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x8xf32>
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, 2)";
}

def Memplan_EncodeBF16Op : Memplan_Op<"encode_bf16", (ins Memplan_Float:$input), (ins), ["output"]> {
  let summary = "f32 in half the bytes, with bits lost";
  let description = [{
    Rounds each element to the nearest bfloat16, ties to even: 8 of 24 bits of the significand are left. Infinities and zeros are kept with their signs, what is larger than
    any bfloat16 becomes infinite, a NaN stays a NaN. `output` has the two bytes of each element, the lower first, in one more dimension.

    Made by `memplan-swap` around copies to the host where `codec=bf16` asks for it. Has no gradient.

    ```mlir
    %e = memplan.encode_bf16 %x : (tensor<4x8xf32>) -> tensor<4x8x2xi8>
    ```
  }];
}

def Memplan_DecodeBF16Op : Memplan_Op<"decode_bf16", (ins Memplan_Int8:$input), (ins), ["output"]> {
  let summary = "What `memplan.encode_bf16` has kept";
  let description = [{
    The elements whose bfloat16 has these two bytes, the lower first: exact. The last dimension of `input` is 2.

    ```mlir
    %x = memplan.decode_bf16 %e : (tensor<4x8x2xi8>) -> tensor<4x8xf32>
    ```
  }];
}

#endif // MEMPLAN_ELEMENTWISE_OPS_TD
