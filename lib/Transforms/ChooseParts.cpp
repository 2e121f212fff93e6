//===- ChooseParts.cpp - Which concats are put together in place ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseParts.h"
#include "memplan/Bridge/GraphView.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"

using namespace mlir;
using namespace mlir::memplan;

/// Peak of the step as it is, in-place outputs taken.
static FailureOr<int64_t> peakOf(func::FuncOp function) {
  FailureOr<GraphView> view = extractGraph(function);
  if (failed(view))
    return failure();
  core::GraphIndex index(view->graph);
  core::InPlaceProblem problem{&index, &view->schedule};
  return core::measureSchedule(index, view->schedule,
                               core::chooseInPlace(problem))
      .peakBytes;
}

FailureOr<SmallVector<Operation *>>
mlir::memplan::chooseParts(func::FuncOp function, bool rows) {
  FailureOr<SmallVector<SmallVector<Operation *>>> wholes =
      markAllParts(function, rows);
  if (failed(wholes))
    return failure();
  SmallVector<Operation *> marked;
  if (llvm::all_of(*wholes, [](const auto &ops) { return ops.empty(); }))
    return marked;
  auto mark = [&](ArrayRef<Operation *> ops, bool on) {
    for (Operation *op : ops)
      if (on)
        op->setAttr(names::parts, UnitAttr::get(op->getContext()));
      else
        op->removeAttr(names::parts);
  };
  FailureOr<int64_t> peak = peakOf(function);
  if (failed(peak))
    return failure();
  for (ArrayRef<Operation *> ops : *wholes) {
    mark(ops, false);
    FailureOr<int64_t> without = peakOf(function);
    if (failed(without))
      return failure();
    if (*without < *peak) {
      peak = without;
      continue;
    }
    mark(ops, true);
    llvm::append_range(marked, ops);
  }
  return marked;
}
