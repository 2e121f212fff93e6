//===- PlanningControl.h - What the process wants of running planners -----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PLANNINGCONTROL_H
#define MEMPLAN_TRANSFORMS_PLANNINGCONTROL_H

#include "memplan/Planner/Problem.h"

namespace mlir::memplan {

/// A pass is made from text and cannot be handed a signal or a terminal, so
/// these belong to the process. Set them before passes run.
struct PlanningControl {
  /// Set by a signal handler: solvers return the best plan so far. Null: none.
  const std::atomic<bool> *stop = nullptr;
  std::function<void(const ::memplan::Progress &)> progress;
};
PlanningControl &planningControl();

} // namespace mlir::memplan

#endif // MEMPLAN_TRANSFORMS_PLANNINGCONTROL_H
