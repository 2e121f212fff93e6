//===- Summary.cpp - What a planned module says of itself -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "memplan/Tools/PlanSummary.h"
#include "memplan/Tools/ProgressLine.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace {

struct SummaryPass : PassWrapper<SummaryPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SummaryPass)
  SummaryPass(raw_ostream &os, std::chrono::steady_clock::time_point begin)
      : os(os), begin(begin) {}

  StringRef getArgument() const override { return "memplan-opt-summary"; }
  void runOnOperation() override {
    std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - begin;
    ::memplan::ProgressLine::Pause pause;
    getOperation().walk([&](func::FuncOp function) {
      ::memplan::printPlanSummary(function, "memplan-opt", passed.count(), os);
    });
    markAllAnalysesPreserved();
  }

  raw_ostream &os;
  std::chrono::steady_clock::time_point begin;
};

struct SingleFunctionPass
    : PassWrapper<SingleFunctionPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SingleFunctionPass)

  StringRef getArgument() const override {
    return "memplan-opt-single-function";
  }
  void runOnOperation() override {
    SmallVector<func::FuncOp> bodies;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        bodies.push_back(function);
    if (bodies.size() == 1)
      return markAllAnalysesPreserved();
    InFlightDiagnostic diag = getOperation().emitError(
        "graph, plan and program files hold one function, but the module has ");
    diag << bodies.size();
    for (func::FuncOp function : bodies)
      diag.attachNote(function.getLoc()) << "@" << function.getName();
    signalPassFailure();
  }
};

} // namespace

namespace {

struct AnyFunctionPass : PassWrapper<AnyFunctionPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AnyFunctionPass)

  StringRef getArgument() const override { return "memplan-opt-any-function"; }
  void runOnOperation() override {
    if (llvm::any_of(getOperation().getOps<func::FuncOp>(),
                     [](func::FuncOp f) { return !f.isExternal(); }))
      return markAllAnalysesPreserved();
    getOperation().emitError("has no function with a body to plan");
    signalPassFailure();
  }
};

} // namespace

namespace memplan {

std::unique_ptr<Pass> createAnyFunctionPass() {
  return std::make_unique<AnyFunctionPass>();
}

std::unique_ptr<Pass>
createSummaryPass(raw_ostream &os,
                  std::chrono::steady_clock::time_point begin) {
  return std::make_unique<SummaryPass>(os, begin);
}

std::unique_ptr<Pass> createSingleFunctionPass() {
  return std::make_unique<SingleFunctionPass>();
}

} // namespace memplan
