//===- AssignOffsets.cpp - Packing values into one arena ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "Planning.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Arena/Lifetimes.h"
#include "memplan/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_ASSIGNOFFSETSPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct AssignOffsets
    : mlir::memplan::impl::AssignOffsetsPassBase<AssignOffsets> {
  using AssignOffsetsPassBase::AssignOffsetsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto found = core::lookUpSolver("arena", core::arenaSolvers(), solver);
    if (!found)
      return emitOptionError(context, getArgument(), found.takeError());
    arenaSolver = *found;
    if (alignment <= 0 || !llvm::isPowerOf2_64(alignment))
      return emitOptionError(context, getArgument(),
                             llvm::createStringError("alignment " +
                                                     std::to_string(alignment) +
                                                     " is no power of two"));
    if (budget.empty())
      return success();
    llvm::Expected<int64_t> bytes = core::parseByteSize(budget);
    if (!bytes)
      return emitOptionError(context, getArgument(), bytes.takeError());
    largest = *bytes;
    return success();
  }

  void runOnOperation() override {
    if (!getOperation().isExternal() && failed(assign(getOperation())))
      signalPassFailure();
  }

  LogicalResult assign(func::FuncOp function) {
    FailureOr<GraphView> view = extractGraph(function);
    if (failed(view))
      return failure();
    FailureOr<core::InPlaceChoice> inPlace = readInPlace(*view);
    if (failed(inPlace))
      return failure();
    core::GraphIndex index(view->graph);
    FailureOr<std::optional<core::StorageMap>> storages =
        readStorages(*view, index, *inPlace);
    if (failed(storages))
      return failure();
    std::vector<core::PlanAction> steps =
        core::buildActions(index, view->schedule, *inPlace);
    core::StepLifetimes lifetimes;
    if (*storages) {
      llvm::Expected<core::StepLifetimes> shared =
          core::makeArenaProblem(index, steps, alignment, **storages);
      if (!shared)
        return emitError(function.getLoc(), llvm::toString(shared.takeError()));
      lifetimes = std::move(*shared);
    } else {
      lifetimes = core::makeArenaProblem(index, steps, alignment);
    }
    llvm::Expected<core::ArenaPlan> plan =
        core::solve(lifetimes.problem, *arenaSolver, core::SolveLimits());
    if (!plan)
      return emitError(function.getLoc(), llvm::toString(plan.takeError()));
    if (largest && plan->peakBytes > *largest)
      return emitError(function.getLoc(), "arena takes ")
             << plan->peakBytes << " bytes, above the budget of " << *largest
             << "; no arena takes less than "
             << lifetimes.problem.lowerBoundBytes()
             << " for this order of operations";
    core::PlanArena arena = core::makeArena(lifetimes, *plan);
    annotateNodes(*view);
    annotateOffsets(*view, steps, arena);
    Builder builder(function.getContext());
    function->setAttr(names::arenaBytes,
                      builder.getI64IntegerAttr(arena.bytes));
    function->setAttr(kAlignmentAttrName, builder.getI64IntegerAttr(alignment));
    return success();
  }

  const core::ArenaSolver *arenaSolver = nullptr;
  std::optional<int64_t> largest;
};

} // namespace
