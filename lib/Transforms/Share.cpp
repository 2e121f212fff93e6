//===- Share.cpp - Letting values use one storage -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "Planning.h"
#include "memplan/Planner/Sharing/SharingProblem.h"
#include "memplan/Transforms/Passes.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_SHAREPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct Share : mlir::memplan::impl::SharePassBase<Share> {
  using SharePassBase::SharePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    auto found = core::lookUpSolver("sharing", core::sharingSolvers(), solver);
    if (!found)
      return emitOptionError(context, getArgument(), found.takeError());
    sharing = *found;
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
    llvm::Expected<core::StorageMap> map =
        core::solve(problem, *sharing, core::SolveLimits());
    if (!map) {
      emitError(function.getLoc(), llvm::toString(map.takeError()));
      return signalPassFailure();
    }
    annotateNodes(*view);
    annotateStorages(*view, *map);
    Builder builder(&getContext());
    function->setAttr("memplan.storage_bytes",
                      builder.getI64IntegerAttr(map->totalBytes));
  }

  const core::SharingSolver *sharing = nullptr;
};

} // namespace
