//===- ApplyPlanPass.cpp - From annotations to the planned form -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "Planning.h"
#include "memplan/Dialect/Memplan/IR/Memplan.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_APPLYPLANPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

/// The streams of the annotations, and the waits that data and bytes need.
llvm::Error waitBetweenStreams(const GraphView &view,
                               const core::GraphIndex &index,
                               core::Plan &plan) {
  // Whatever is wrong already is the fault of annotations.
  if (llvm::Error error = core::verifyPlan(index, plan))
    return error;
  core::StreamList list;
  list.actions = plan.steps;
  readStreams(view, list.actions);
  llvm::Expected<core::PackedPlan> packed = core::waitForBytes(
      index, list, plan.arenas, /*boundBytes=*/plan.arenas.front().bytes);
  if (!packed)
    return packed.takeError();
  plan.steps = std::move(packed->plan.steps);
  plan.arenas = std::move(packed->plan.arenas);
  plan.time = packed->plan.time;
  plan.peakBytes = packed->plan.peakBytes;
  return llvm::Error::success();
}

struct ApplyPlan : mlir::memplan::impl::ApplyPlanPassBase<ApplyPlan> {
  void runOnOperation() override {
    if (!getOperation().isExternal() && failed(apply(getOperation())))
      signalPassFailure();
  }

  LogicalResult apply(func::FuncOp function) {
    FailureOr<GraphView> view = extractGraph(function);
    if (failed(view))
      return failure();
    FailureOr<core::InPlaceChoice> inPlace = readInPlace(*view);
    if (failed(inPlace))
      return failure();
    auto bytes = function->getAttrOfType<IntegerAttr>(names::arenaBytes);
    auto alignment = function->getAttrOfType<IntegerAttr>(kAlignmentAttrName);
    if (!bytes || !alignment || bytes.getInt() < 0 || alignment.getInt() <= 0)
      return emitError(function.getLoc(), "needs `")
             << names::arenaBytes << "` and `" << kAlignmentAttrName
             << "`; run memplan-assign-offsets";

    core::GraphIndex index(view->graph);
    core::Plan plan;
    plan.graphName = view->graph.name;
    plan.graphHash = core::hashGraph(view->graph);
    plan.status = core::SolveStatus::Feasible;
    core::StorageMap storages = core::makeOwnStorages(
        index, core::computeLiveRanges(index, view->schedule, *inPlace));
    plan.steps = core::buildActions(index, view->schedule, *inPlace,
                                    storages.liveRanges);
    llvm::Expected<core::Replay> replay = core::replayPlan(index, plan);
    if (!replay)
      return emitError(function.getLoc(), "annotations give no valid plan: ")
             << llvm::toString(replay.takeError());
    core::PlanArena &arena = plan.arenas.emplace_back();
    arena.bytes = bytes.getInt();
    arena.alignment = alignment.getInt();
    core::StepBuffers buffers =
        core::makeBuffers(index, plan.steps, storages, arena.alignment);
    arena.placements = std::move(buffers.placements);
    arena.owns = std::move(buffers.owns);
    if (failed(readOffsets(*view, plan.steps, arena.placements)))
      return failure();
    plan.time = plan.cost = replay->cost;
    plan.peakBytes = replay->peakBytes;
    if (isOnStreams(*view))
      if (llvm::Error error = waitBetweenStreams(*view, index, plan))
        return emitError(function.getLoc(), "annotations give no valid plan: ")
               << llvm::toString(std::move(error));
    function->removeAttr(kAlignmentAttrName);
    function->removeAttr("memplan.storage_bytes");
    return applyAndVerify(*view, std::move(plan));
  }
};

} // namespace
