//===- Planning.h - What the planning passes share --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLANNING_H
#define MEMPLAN_LIB_TRANSFORMS_PLANNING_H

#include "memplan/Bridge/GraphView.h"
#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/Step/PlanStep.h"
#include "memplan/Schedule/Liveness.h"
#include "memplan/Support/ByteSize.h"

namespace mlir::memplan {

/// A plan and the graph that it is of.
struct Planned {
  GraphView view;
  core::Plan plan;
};

/// Reports an error that belongs to an option, before there is a place in the
/// IR. Always fails.
LogicalResult emitOptionError(MLIRContext *context, StringRef pass,
                              llvm::Error error);

/// Reports a plan without steps: whether that is proved, the operation that
/// binds with what is live beside it, and a budget that works.
void emitNoPlan(const GraphView &view, const core::Plan &plan);

/// Verifies the plan, measures what it really takes, writes it into the IR and
/// verifies the IR. Reports its own errors.
LogicalResult
applyAndVerify(const GraphView &view, core::Plan plan,
               core::FirstRuns firstRuns = core::FirstRuns::AnyOrder);

} // namespace mlir::memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLANNING_H
