//===- ApplyPlan.h - Writing a plan into the IR -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_BRIDGE_APPLYPLAN_H
#define MEMPLAN_BRIDGE_APPLYPLAN_H

#include "memplan/Bridge/GraphView.h"

namespace mlir::memplan {

/// Every operation of the function has a planned form: it implements the
/// planning interface. Reports the first that does not, before any work.
LogicalResult checkHasPlannedForm(const GraphView &view);

/// Rewrites the viewed function to the planned form: one arena argument,
/// operations on memrefs at constant offsets, in the order of the plan. One
/// without a memref form reads tensors from the arena and is stored there. The
/// plan must have passed verifyPlan() for the view's graph. Fails with a
/// diagnostic where the form cannot say what the plan says, and leaves the
/// function as it was. Examples: a caller's tensor in an arena that is not
/// donated, an operation without a planned form. The view is stale afterwards.
LogicalResult applyPlan(const GraphView &view, const core::Plan &plan);

/// The plan of the unplanned program: source order, no recomputation, nothing
/// in place, and a byte range of its own for every value and workspace.
core::Plan naivePlan(const core::Graph &graph, int64_t alignmentBytes = 256);

} // namespace mlir::memplan

#endif // MEMPLAN_BRIDGE_APPLYPLAN_H
