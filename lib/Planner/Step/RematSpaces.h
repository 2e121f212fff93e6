//===- RematSpaces.h - Plans that recompute, for any budget -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_REMATSPACES_H
#define MEMPLAN_LIB_PLANNER_STEP_REMATSPACES_H

#include "PlanSpace.h"

namespace memplan {

/// Plans of searches: an integer program has those of `auto`. Without a plan
/// at all it has no search. `movesOfLarge` are those of a search by itself on a
/// large step, where no effort is asked for.
llvm::Expected<PlanSpace>
spaceOfRecomputation(const StepContext &context,
                     int64_t movesOfLarge = tuning::movesOfLarge);

/// Plans of the one solver that the options name, which has no starts. Its
/// caller wants its own answer and no other.
llvm::Expected<PlanSpace> spaceOfSolver(const StepContext &context);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_REMATSPACES_H
