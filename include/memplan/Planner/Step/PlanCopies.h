//===- PlanCopies.h - Copies for runs that stand already --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_PLANCOPIES_H
#define MEMPLAN_PLANNER_STEP_PLANCOPIES_H

#include "memplan/Planner/Options.h"

namespace memplan {

/// The part of planStep() that copies: the runs stay as they are, options.swap
/// puts copies between them until both arenas keep the budgets. Looks at no
/// other solver than options.swap and options.arena. Without a plan it says why
/// there is none. The plan returned has passed verifyPlan().
llvm::Expected<Plan> planCopies(const Graph &graph, const Schedule &schedule,
                                const PlanOptions &options);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_PLANCOPIES_H
