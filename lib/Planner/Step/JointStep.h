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

namespace memplan {

/// Whether recomputation and copies are to be searched together: a search
/// copies, and runs are chosen by one too or are those of the step.
bool plansJointly(const StepContext &context);

/// The fastest of three plans within the budget: `alone`, which has no copies
/// and may be none at all, one with copies alone and one with both.
llvm::Expected<Plan> planJointly(const StepContext &context, int64_t budget,
                                 Plan alone);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_JOINTSTEP_H
