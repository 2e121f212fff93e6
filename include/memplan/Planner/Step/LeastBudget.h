//===- LeastBudget.h - The least budget known to work -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_LEASTBUDGET_H
#define MEMPLAN_PLANNER_STEP_LEASTBUDGET_H

#include "memplan/Planner/Step/BudgetBound.h"
#include "memplan/Planner/Step/PlanStep.h"

namespace memplan {

/// The least budget that the solver asked for is known to meet, and the plan
/// that shows it.
struct LeastBudget {
  int64_t bytes = 0; ///< Device bytes of the plan.
  /// Not above `bytes`. In fixed order it holds for source order, and for the
  /// order of the plan.
  BudgetBound bound;
  Plan plan; ///< Verified within `bytes`.
};

/// What `--min-budget` and `minimum_budget_bytes` say. Does not look at
/// options.budgetBytes. planStep() with any budget of at least `bytes` returns
/// a plan. With `bytes` it returns one that costs no more than `plan`, unless a
/// time limit or a stop cuts it short. Empty if the solver finds no plan at
/// all.
llvm::Expected<std::optional<LeastBudget>>
leastBudget(const Graph &graph, const PlanOptions &options);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_LEASTBUDGET_H
