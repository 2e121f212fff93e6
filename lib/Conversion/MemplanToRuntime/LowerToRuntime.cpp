//===- LowerToRuntime.cpp - A planned step as LLVM dialect ----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Conversion/MemplanToRuntime.h"
#include "memplan/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_LOWERTORUNTIMEPASS
#include "memplan/Conversion/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct LowerToRuntime
    : mlir::memplan::impl::LowerToRuntimePassBase<LowerToRuntime> {
  using LowerToRuntimePassBase::LowerToRuntimePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<func::FuncOp> step = findStep(module);
    if (failed(step))
      return signalPassFailure();
    FailureOr<::memplan::runtime::Program> program = buildProgram(*step);
    if (failed(program))
      return signalPassFailure();
    OwningOpRef<ModuleOp> lowered = buildStepModule(&getContext(), *program);
    module.getBodyRegion().takeBody(lowered->getBodyRegion());
  }

private:
  FailureOr<func::FuncOp> findStep(ModuleOp module);
};

} // namespace

FailureOr<func::FuncOp> LowerToRuntime::findStep(ModuleOp module) {
  SmallVector<func::FuncOp> steps;
  for (auto candidate : module.getOps<func::FuncOp>())
    if (candidate->hasAttr("memplan.planned") &&
        (function.empty() || candidate.getName() == function))
      steps.push_back(candidate);
  if (steps.size() == 1)
    return steps.front();
  InFlightDiagnostic diag = module.emitError() << getArgument() << ": ";
  if (steps.empty()) {
    diag << "the module has no planned function";
    if (!function.empty())
      diag << " '" << function << "'";
    return diag << "; memplan-plan makes one";
  }
  diag << "the module has several planned functions; choose one by function=";
  for (func::FuncOp step : steps)
    diag.attachNote(step.getLoc()) << "'" << step.getName() << "'";
  return diag;
}
