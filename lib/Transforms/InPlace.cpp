//===- InPlace.cpp - Marking outputs that overwrite an input --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annotations.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Transforms/Passes.h"

namespace mlir::memplan {
#define GEN_PASS_DEF_INPLACEPASS
#include "memplan/Transforms/Passes.h.inc"
} // namespace mlir::memplan

using namespace mlir;
using namespace mlir::memplan;

namespace {

struct InPlace : mlir::memplan::impl::InPlacePassBase<InPlace> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    FailureOr<GraphView> view = extractGraph(function);
    if (failed(view))
      return signalPassFailure();
    core::GraphIndex index(view->graph);
    core::InPlaceProblem problem;
    problem.index = &index;
    problem.schedule = &view->schedule;
    core::InPlaceChoice choice = core::chooseInPlace(problem);
    if (llvm::Error error = problem.verify(choice)) {
      emitError(function.getLoc(), "in-place choice is invalid: ")
          << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    annotateNodes(*view);
    annotateInPlace(*view, choice);
  }
};

} // namespace
