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
#include "memplan/Planner/Step/Buffers.h"
#include "memplan/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_ASSIGNOFFSETSPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// Bytes of their own for all: what is shared beyond storages would be
/// further waits between streams.
void keepApart(core::ArenaProblem &problem) {
  int64_t end = 0;
  for (const core::ArenaBuffer &buffer : problem.buffers)
    end = std::max(end, buffer.end);
  for (core::ArenaBuffer &buffer : problem.buffers) {
    buffer.gaps.clear();
    buffer.begin = 0;
    buffer.end = end;
  }
}

struct AssignOffsets
    : mlir::memplan::impl::AssignOffsetsPassBase<AssignOffsets> {
  using AssignOffsetsPassBase::AssignOffsetsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    core::PlanOptions options;
    const std::pair<const char *, std::string> texts[] = {
        {"arena", solver}, {"alignment", std::to_string(alignment)}};
    for (const auto &[name, text] : texts)
      if (llvm::Error error = core::setOption(options, name, text))
        return emitOptionError(context, getArgument(), std::move(error));
    auto found =
        core::lookUpSolver("arena", core::arenaSolvers(), options.arena);
    if (!found)
      return emitOptionError(context, getArgument(), found.takeError());
    arenaSolver = *found;
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
    FailureOr<std::optional<core::StorageMap>> shared =
        readStorages(*view, index, *inPlace);
    if (failed(shared))
      return failure();
    core::StorageMap storages =
        *shared ? std::move(**shared)
                : core::makeOwnStorages(
                      index,
                      core::computeLiveRanges(index, view->schedule, *inPlace));
    std::vector<core::PlanAction> steps = core::buildActions(
        index, view->schedule, *inPlace, storages.liveRanges);
    core::StepBuffers buffers =
        core::makeBuffers(index, steps, storages, alignment);
    if (isOnStreams(*view))
      keepApart(buffers.problem);
    llvm::Expected<core::ArenaPlan> plan =
        core::solve(buffers.problem, *arenaSolver, core::SolveLimits());
    if (!plan)
      return emitError(function.getLoc(), llvm::toString(plan.takeError()));
    if (largest && plan->peakBytes > *largest)
      return emitError(function.getLoc(), "arena takes ")
             << plan->peakBytes << " bytes, above the budget of " << *largest
             << "; no arena takes less than "
             << buffers.problem.lowerBoundBytes()
             << " for this order of operations";
    core::PlanArena arena = core::makeArenas(buffers, *plan).front();
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
