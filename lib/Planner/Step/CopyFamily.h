//===- CopyFamily.h - Plans with copies for a ladder of budgets -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans with copies on the way to a budget: a few searches by themselves, and
// more and more that only go on from the plans for a little less and a little
// more.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_COPYFAMILY_H
#define MEMPLAN_LIB_PLANNER_STEP_COPYFAMILY_H

#include "Attempt.h"
#include "BudgetWalk.h"

namespace memplan {

/// One search for a plan with copies.
struct CopySearch {
  int64_t budgetBytes = 0;
  /// Where it goes on from, beside what it starts with by itself.
  std::vector<const Plan *> starts;
  bool isByItself = true; ///< If not set, it only goes on.
  int64_t effort = 0;
  double leastTime = 0; ///< Faster plans are of no use.
};
/// Gives a plan within the budget, or none.
using PlanCopiesWithin =
    std::function<llvm::Expected<std::optional<PackedActions>>(
        const CopySearch &)>;

/// What plans within the budget that only copy take at least: what exceeds the
/// budget while a run executes has to leave before it and to come back after
/// it.
double leastTimeOfCopies(const StepContext &context, int64_t budget);

class CopyFamily {
public:
  /// `hosted`: what lives on the host between steps.
  CopyFamily(const StepContext &context, PlanCopiesWithin plan,
             llvm::ArrayRef<TensorId> hosted = {});

  /// A plan that follows from the graph and the options, not from a budget.
  void add(PackedActions made) { walk.add(std::move(made)); }
  /// All plans that count for the budget; where none keeps it, those on the way
  /// to the smallest one.
  llvm::Expected<ActionFront> plansFor(int64_t budget) {
    return walk.walkTo(budget);
  }

private:
  using Walk = BudgetWalk<PackedActions>;
  llvm::Expected<std::vector<PackedActions>> search(const Walk::Place &place);
  bool isFastest(const PackedActions &packed) const;

  const StepContext &context;
  const PlanCopiesWithin plan;
  const int64_t lowest, highest;
  int64_t effortByItself = 0, effortToGoOn = 0;
  Walk walk;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_COPYFAMILY_H
