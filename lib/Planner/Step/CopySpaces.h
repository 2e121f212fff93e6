//===- CopySpaces.h - Plans that copy, for any budget -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_COPYSPACES_H
#define MEMPLAN_LIB_PLANNER_STEP_COPYSPACES_H

#include "PlanSpace.h"

namespace memplan {

/// Plans of a search that copies, with recomputation or without, with these on
/// the host between steps. The context is kept by reference.
PlanSpace spaceOfCopies(const StepContext &context, bool mayRecompute,
                        std::vector<TensorId> hosted = {});

/// Plans of a swap solver between the runs of a remat solver.
llvm::Expected<PlanSpace> spaceOfSwapSolver(const StepContext &context);

/// What may live on the host between steps: all states, then parameters too. As
/// much of it as the host has room for.
std::vector<std::vector<TensorId>> hostedSets(const StepContext &context);
/// The last of these; none where there is none.
std::vector<TensorId> mostHosted(const StepContext &context);

/// Proved: what plans within the budget that only copy take. What exceeds the
/// budget while a run executes leaves before it and comes back after it.
double leastTimeOfCopies(const StepContext &context, int64_t budget);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_COPYSPACES_H
