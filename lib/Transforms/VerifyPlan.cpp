//===- VerifyPlan.cpp - Checking planned functions ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Bridge/VerifyPlanned.h"
#include "memplan/Transforms/Passes.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_VERIFYPLANPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct VerifyPlan : mlir::memplan::impl::VerifyPlanPassBase<VerifyPlan> {
  void runOnOperation() override {
    if (getOperation()->hasAttr(names::planned) &&
        failed(verifyPlanned(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
