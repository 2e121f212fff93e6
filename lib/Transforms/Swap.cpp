//===- Swap.cpp - Copying values to the host and back ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EncodeCopies.h"
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
    FailureOr<Planned> planned = encodesCopies(options)
                                     ? planWithCodec(*view)
                                     : plan(std::move(*view), options);
    if (failed(planned))
      return failure();
    const core::Plan &made = planned->plan;
    if (made.steps.empty() && !planned->view.graph.nodes.empty()) {
      emitNoPlan(planned->view, made);
      return failure();
    }
    if (!made.note.empty())
      emitRemark(function.getLoc(), made.note);
    return applyAndVerify(planned->view, made);
  }

  static FailureOr<core::Plan> choose(const GraphView &view,
                                      const core::Graph &graph,
                                      const core::PlanOptions &options) {
    llvm::Expected<core::Plan> plan =
        core::planCopies(graph, view.schedule, options);
    if (!plan)
      return emitError(view.function->getLoc(),
                       llvm::toString(plan.takeError()));
    return std::move(*plan);
  }

  static FailureOr<Planned> plan(GraphView view,
                                 const core::PlanOptions &options) {
    FailureOr<core::Plan> made = choose(view, view.graph, options);
    if (failed(made))
      return failure();
    return Planned{std::move(view), std::move(*made)};
  }

  FailureOr<Planned> planWithCodec(const GraphView &view) {
    EncodedPlanning planning;
    planning.options = options;
    // A share is of the step as it stands.
    core::resolveBudget(core::GraphIndex(view.graph), planning.options);
    planning.options.budgetShare.reset();
    planning.choose = [&](const core::Graph &graph,
                          const core::PlanOptions &plain) {
      return choose(view, graph, plain);
    };
    planning.make = [&](const core::PlanOptions &asked) -> FailureOr<Planned> {
      FailureOr<GraphView> encoded = extractGraph(view.function);
      if (failed(encoded))
        return failure();
      core::applyCopyOptions(asked, encoded->graph);
      return plan(std::move(*encoded), asked);
    };
    return planEncoded(view, planning);
  }

  core::PlanOptions options;
};

} // namespace
