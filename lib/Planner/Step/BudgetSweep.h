//===- BudgetSweep.h - A curve of plans with copies -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans with copies have no family from which a curve could be chosen: each
// budget is planned alone, and a plan counts for all budgets that it keeps.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_BUDGETSWEEP_H
#define MEMPLAN_LIB_PLANNER_STEP_BUDGETSWEEP_H

#include "memplan/Planner/Step/PlanCurve.h"

namespace memplan {

/// The curve that planCurve() gives where the options ask for copies: from the
/// least of few budgets that were tried to the plan without limit. Each point
/// is bounded by every node run once. Takes as long as `points` + 8 plans.
llvm::Expected<PlanCurve> sweepBudgets(const GraphIndex &index,
                                       const PlanOptions &options,
                                       int64_t points);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_BUDGETSWEEP_H
