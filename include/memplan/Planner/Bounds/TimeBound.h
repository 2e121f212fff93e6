//===- TimeBound.h - No plan with copies takes less time --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_BOUNDS_TIMEBOUND_H
#define MEMPLAN_PLANNER_BOUNDS_TIMEBOUND_H

#include "memplan/Planner/Bounds/OrderRows.h"

namespace memplan {

/// What a bound on the time is asked for.
struct TimeBoundProblem {
  const OrderRows *rows = nullptr;
  int64_t budgetBytes = 0; ///< Live bytes, on the device.
  Bandwidth bandwidth;
  bool mayRecompute = true, mayCopy = true;
  /// Bytes of the caller's tensors that may live on the host.
  int64_t hostableBytes = 0;
  /// A plan is known to take that long; only the way to good multipliers needs
  /// it.
  double knownTime = 0;
};

/// A time below which no plan on one stream ends whose first runs stand in
/// source order. Such a plan copies only what the step makes, and those of the
/// caller's tensors that may live on the host. Rounded down. `steps` counts
/// evaluations of the dual, each O(rows + gaps).
double boundTime(const TimeBoundProblem &problem, int64_t steps);

} // namespace memplan

#endif // MEMPLAN_PLANNER_BOUNDS_TIMEBOUND_H
