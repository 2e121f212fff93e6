//===- PlanSummary.h - What a planned function says of itself ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_PLANSUMMARY_H
#define MEMPLAN_TOOLS_PLANSUMMARY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace memplan {

/// Prints one line that begins with `tool`, from the attributes of a planned
/// function. It has the peak before and after, budget, predicted overhead,
/// bound and gap, and `seconds`. Nothing for a function that was not planned.
void printPlanSummary(mlir::func::FuncOp function, llvm::StringRef tool,
                      double seconds, llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_TOOLS_PLANSUMMARY_H
