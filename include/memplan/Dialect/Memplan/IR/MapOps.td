//===- MapOps.td - Expressions of elements -----------------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_MAP_OPS_TD
#define MEMPLAN_MAP_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_Element : DefaultValuedAttr<ConfinedAttr<StrAttr,
    [AttrConstraint<CPred<"::llvm::is_contained({\"f32\", \"bf16\", \"f16\", \"i64\", \"i8\"}, ::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
                    "is \"f32\", \"bf16\", \"f16\", \"i64\" or \"i8\"">]>, "\"f32\"">;

def Memplan_MapOp : Memplan_Op<"map", (ins Variadic<Memplan_Any>:$inputs),
    (ins StrAttr:$expression, Memplan_Element:$element, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$shape), ["output"]> {
  let summary = "Function of elements, with broadcasting";
  let description = [{
    Computes `expression` for each element of the output. Inputs are f32, bf16, f16, i64 or i8 and are broadcast as those of `memplan.add` are, and to `shape` where it is given; the output has
    elements of type `element`. One pass over memory serves a whole activation, a comparison, a choice or a cast.

    The expression is a list of statements that are separated by `;`, each in postfix order of words that are separated by spaces: `x0` is the first input, `t0` what the first function
    of the expression gave, then numbers and functions of what stands before them. The last statement is the output. The functions are `add`, `sub`, `mul`, `div`, `mod` (with the sign of the divisor), `pow`,
    `min`, `max`, `lt`, `le`, `eq`, `ne` (1 or 0), `neg`, `abs`, `sign`, `floor`, `ceil`, `round` (ties to even), `exp`, `log`, `log1p`, `expm1`, `sqrt`, `rsqrt`, `sin`, `cos`,
    `tanh`, `sigmoid`, `erf` and `select` (the second value where the first is not 0, else the third).

    It computes in f32, or in f64 where an input or the output is i64; a cast to an integer truncates. The gradient is again such an operation and reads the inputs that the derivative needs.
    `output` may overwrite an input of its type.

    ```mlir
    %y = memplan.map %x {expression = "x0 3 add; t0 0 max 6 min; x0 t2 mul 6 div"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %z = memplan.map %m, %a, %b {expression = "x0 x1 x2 select"} : (tensor<4x8xi8>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let inPlaceOperands = "::mlir::memplan::ops::inputsOfSameType(*this, index)";
  let flops = "::mlir::memplan::ops::mapFlops(*this)";
  let elementTypes = "r";
}

#endif // MEMPLAN_MAP_OPS_TD
