//===- Summary.h - What a planned module says of itself ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_OPT_SUMMARY_H
#define MEMPLAN_LIB_TOOLS_OPT_SUMMARY_H

#include "mlir/Pass/Pass.h"
#include <chrono>

namespace memplan {

/// Prints one line for each planned function, from its attributes: peak before
/// and after, budget, overhead, bound and gap, and the seconds since `begin`.
std::unique_ptr<mlir::Pass>
createSummaryPass(llvm::raw_ostream &os,
                  std::chrono::steady_clock::time_point begin);

/// Fails if the module has no function with a body: there is nothing to plan.
std::unique_ptr<mlir::Pass> createAnyFunctionPass();

/// Fails unless the module has exactly one function with a body: graph and plan
/// files hold one.
std::unique_ptr<mlir::Pass> createSingleFunctionPass();
/// Writes the program table of a planned function to `output`.
std::unique_ptr<mlir::Pass> createEmitProgramPass(const std::string &output);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_OPT_SUMMARY_H
