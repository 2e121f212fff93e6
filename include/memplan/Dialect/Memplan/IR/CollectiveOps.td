//===- CollectiveOps.td - What all ranks do at once --------*- tablegen -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_COLLECTIVE_OPS_TD
#define MEMPLAN_COLLECTIVE_OPS_TD

include "memplan/Dialect/Memplan/IR/MemplanBase.td"

def Memplan_Reduction : DefaultValuedAttr<ConfinedAttr<StrAttr,
    [AttrConstraint<CPred<"::llvm::is_contained({\"sum\", \"mean\"}, ::llvm::cast<::mlir::StringAttr>($_self).getValue())">,
                    "is \"sum\" or \"mean\"">]>, "\"sum\"">;

def Memplan_AllReduceOp : Memplan_SameTypeOp<"all_reduce", (ins Memplan_Float:$input),
    (ins Memplan_I64:$ranks, Memplan_Reduction:$reduction), "output"> {
  let summary = "Sum or mean of a value over all ranks";
  let description = [{
    `output[i]` is the sum of `input[i]` over `ranks` processes; `reduction = "mean"` divides it by `ranks`. All ranks get the same bits. The CPU adds in f32 in the order of the
    ranks and rounds once. `memplan-autodiff` with `ranks` makes one of each gradient.

    All ranks take part, so it runs once in each step, never again, and keeps its place among all operations with effects: whatever the plans of the ranks, they meet in the
    order of the program. A rank alone (`ranks = 1`) copies. Has no gradient. May overwrite `input`.

    ```mlir
    %g = memplan.all_reduce %dw {ranks = 2, reduction = "mean"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let inPlace = "{0, 0}";
  let flops = "::mlir::memplan::ops::outputElements(*this, getRanks())";
  let recompute = "false";
  let unknownEffects = "true";
  let moreInference = "::mlir::memplan::ops::checkRanks(errors, adaptor.getRanks())";
  let moreDeclaration = [{
  bool isCollective() { return true; }
}];
}

#endif // MEMPLAN_COLLECTIVE_OPS_TD
