//===- Share.cpp - Letting values use one storage -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "Planning.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Options.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Planner/Streams/Streams.h"
#include "memplan/Transforms/Passes.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_SHAREPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// By action: the runs that ordering edges have before it.
core::ReuseDependencies reuseOf(const std::vector<core::PlanAction> &actions,
                                const std::vector<core::OrderingEdge> &edges) {
  std::vector<int32_t> actionOf; // By run.
  for (auto [place, action] : llvm::enumerate(actions))
    if (action.action == core::ActionKind::Compute)
      actionOf.push_back(int32_t(place));
  core::ReuseDependencies reuse(actions.size());
  for (const core::OrderingEdge &edge : edges)
    reuse[actionOf[edge.after]].push_back(actionOf[edge.before]);
  return reuse;
}

struct Share : mlir::memplan::impl::SharePassBase<Share> {
  using SharePassBase::SharePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto found = core::lookUpSolver("sharing", core::sharingSolvers(), solver);
    if (!found)
      return emitOptionError(context, getArgument(), found.takeError());
    sharing = *found;
    core::PlanOptions options;
    if (llvm::Error error =
            core::setOption(options, "streams", std::to_string(streams)))
      return emitOptionError(context, getArgument(), std::move(error));
    return success();
  }

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<GraphView> view = extractGraph(function);
    if (failed(view))
      return signalPassFailure();
    FailureOr<core::InPlaceChoice> inPlace = readInPlace(*view);
    if (failed(inPlace))
      return signalPassFailure();
    core::GraphIndex index(view->graph);
    core::SharingProblem problem;
    problem.index = &index;
    problem.schedule = &view->schedule;
    problem.inPlace = &*inPlace;
    problem.parallel = streams > 1;
    llvm::Expected<core::StorageMap> map =
        core::solve(problem, *sharing, core::SolveLimits());
    if (!map) {
      emitError(function.getLoc(), llvm::toString(map.takeError()));
      return signalPassFailure();
    }
    std::vector<core::PlanAction> actions =
        core::buildActions(index, view->schedule, *inPlace, map->liveRanges);
    const core::ReuseDependencies reuse = reuseOf(actions, map->orderingEdges);
    annotateNodes(*view);
    annotateStorages(*view, *map);
    annotateStreams(*view, core::assignStreams(index, std::move(actions), reuse,
                                               int32_t(streams))
                               .actions);
    Builder builder(&getContext());
    function->setAttr("memplan.storage_bytes",
                      builder.getI64IntegerAttr(map->totalBytes));
  }

  const core::SharingSolver *sharing = nullptr;
};

} // namespace
