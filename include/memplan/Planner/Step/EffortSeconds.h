//===- EffortSeconds.h - Effort that is given in seconds --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_EFFORTSECONDS_H
#define MEMPLAN_PLANNER_STEP_EFFORTSECONDS_H

#include "memplan/Planner/Options.h"

namespace memplan {

class GraphIndex;

/// Moves of a search that plan a step of `nodes` nodes for one budget in about
/// that many CPU seconds. At least 1, which a large step may take longer for.
/// Never fewer for more seconds. Looks at no clock: the same on every machine.
/// `hasCopies`: whether copies are searched beside recomputation.
int64_t movesWithin(double seconds, int64_t nodes, bool hasCopies);

/// Sets limits.effort from effortSeconds, if that is given. An error for
/// solvers that are no searches by moves.
llvm::Error resolveEffort(const GraphIndex &index, PlanOptions &options);

/// Where no step is planned, seconds have no count: an error if they are given.
llvm::Error checkEffortIsCount(const PlanOptions &options);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_EFFORTSECONDS_H
