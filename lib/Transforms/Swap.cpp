//===- Swap.cpp - Copying values to the host and back ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning.h"
#include "memplan/Bridge/ApplyPlan.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Planner/Step/PlanCopies.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_SWAPPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct Swap : mlir::memplan::impl::SwapPassBase<Swap> {
  using SwapPassBase::SwapPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    const std::pair<const char *, std::string> texts[] = {
        {"swap", solver},
        {"tflms", tflms},
        {"budget", budget},
        {"bandwidth", bandwidth},
        {"host-budget", hostBudget},
        {"arena", arena},
        {"alignment", alignment},
        {"in-place", inPlace ? "true" : "false"}};
    for (const auto &[name, text] : texts)
      if (llvm::Error error = core::setOption(options, name, text))
        return emitOptionError(context, getArgument(), std::move(error));
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // What is planned already has its copies.
    if (function.isExternal() || function->hasAttr("memplan.planned"))
      return;
    if (failed(swap(function)))
      signalPassFailure();
  }

  LogicalResult swap(func::FuncOp function) {
    FailureOr<GraphView> view = extractGraph(function);
    if (failed(view) || failed(checkHasPlannedForm(*view)))
      return failure();
    core::applyCopyOptions(options, view->graph);
    llvm::Expected<core::Plan> plan =
        core::planCopies(view->graph, view->schedule, options);
    if (!plan)
      return emitError(function.getLoc(), llvm::toString(plan.takeError()));
    if (plan->steps.empty() && !view->graph.nodes.empty()) {
      emitNoPlan(*view, *plan);
      return failure();
    }
    if (!plan->note.empty())
      emitRemark(function.getLoc(), plan->note);
    return applyAndVerify(*view, std::move(*plan));
  }

  core::PlanOptions options;
};

} // namespace
