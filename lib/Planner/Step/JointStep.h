//===- JointStep.h - Steps that recompute and copy --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_JOINTSTEP_H
#define MEMPLAN_LIB_PLANNER_STEP_JOINTSTEP_H

#include "Attempt.h"
#include "Front.h"

namespace memplan {

/// Whether recomputation and copies are to be searched together: a search
/// copies, and runs are chosen by one too or are those of the step.
bool plansJointly(const StepContext &context);

/// The fastest of these plans within the budget: `alone`, which has no copies
/// and may be none at all, one with copies alone, one with both, and those with
/// state on the host between steps that the options allow.
llvm::Expected<Plan> planJointly(const StepContext &context, int64_t budget,
                                 Plan alone);

/// The smallest plan with copies, if there is one. Every budget of its bytes or
/// more has a plan.
llvm::Expected<std::optional<PackedActions>>
smallestJointly(const StepContext &context);

/// All that may live on the host between steps in plans of these options.
std::vector<TensorId> mostHosted(const StepContext &context);

/// Plans with copies for many budgets, as many as `points` among them, added to
/// those without.
llvm::Error climbWithCopies(const StepContext &context, int64_t points,
                            ActionFront &front);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_JOINTSTEP_H
