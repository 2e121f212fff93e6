//===- NaivePlan.cpp - The unplanned program in the planned form ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning.h"
#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_NAIVEPLANPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct NaivePlan : mlir::memplan::impl::NaivePlanPassBase<NaivePlan> {
  using NaivePlanPassBase::NaivePlanPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (alignment <= 0 || !llvm::isPowerOf2_64(alignment))
      return emitOptionError(context, getArgument(),
                             llvm::createStringError("alignment " +
                                                     std::to_string(alignment) +
                                                     " is not a power of two"));
    return success();
  }

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    FailureOr<GraphView> view = extractGraph(getOperation());
    if (failed(view) ||
        failed(applyAndVerify(*view, naivePlan(view->graph, alignment))))
      signalPassFailure();
  }
};

} // namespace
