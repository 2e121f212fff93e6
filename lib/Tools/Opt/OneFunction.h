//===- OneFunction.h - One function of several ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TOOLS_OPT_ONEFUNCTION_H
#define MEMPLAN_LIB_TOOLS_OPT_ONEFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"

namespace memplan {

/// Functions outside of their module, in its order.
struct OtherFunctions {
  std::vector<mlir::OwningOpRef<mlir::func::FuncOp>> functions;
};

/// Takes every function out of the module but `name` and those that it calls.
/// Fails where there is no such function with a body.
std::unique_ptr<mlir::Pass>
createTakeOthersPass(const std::string &name,
                     std::shared_ptr<OtherFunctions> others);
/// Puts them back, behind those that stayed.
std::unique_ptr<mlir::Pass>
createPutOthersBackPass(std::shared_ptr<OtherFunctions> others);

} // namespace memplan

#endif // MEMPLAN_LIB_TOOLS_OPT_ONEFUNCTION_H
