//===- CopyFamily.h - Plans with copies for a ladder of budgets -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The family of Family.h, for plans with copies: rungs that follow from the
// graph alone, each a search that goes on from the plan of the rung below, so
// that separate runs with more budget choose from more plans.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_COPYFAMILY_H
#define MEMPLAN_LIB_PLANNER_STEP_COPYFAMILY_H

#include "Attempt.h"
#include "Family.h"
#include "Front.h"

namespace memplan {

/// One search for a plan with copies.
struct CopySearch {
  int64_t budgetBytes = 0;
  /// Where it goes on from; null: it starts by itself.
  const Plan *start = nullptr;
  int64_t effort = 0;
  /// Whether all runs that make this search have climbed onto its rung by
  /// reruns alone, if one has.
  bool isOnRung = false;
};
/// Gives a plan within the budget, or none.
using PlanCopiesWithin =
    std::function<llvm::Expected<std::optional<PackedActions>>(
        const CopySearch &)>;

/// Rungs for plans with copies, with these on the host between steps.
Rungs rungsWithCopies(const GraphIndex &index,
                      llvm::ArrayRef<TensorId> hosted = {});

/// What plans within the budget that only copy take at least: what exceeds the
/// budget while a run executes has to leave before it and to come back after
/// it.
double leastTimeOfCopies(const StepContext &context, int64_t budget);

class CopyFamily {
public:
  /// On the rungs of another family, or on its own.
  CopyFamily(const StepContext &context, PlanCopiesWithin plan,
             const std::optional<Rungs> &given = std::nullopt);

  /// A plan that follows from the graph and the options, not from a budget.
  void add(PackedActions made) { front.add(std::move(made)); }
  /// From the plans that were added to the lowest rung that has one.
  llvm::Error descend();
  /// Then as far as the rungs matter to that budget.
  llvm::Error climbTo(int64_t budget);
  /// Or to the top, and from the lowest rung to the least budget.
  llvm::Error climbAll();
  /// Then plans for these budgets too, ascending.
  llvm::Error climbThrough(llvm::ArrayRef<int64_t> budgets);
  /// Or from the lowest rung to the least budget. Needs no descend() before.
  llvm::Error reachLeastBudget();

  const ActionFront &plans() const { return front; }

private:
  void setEfforts();
  llvm::Expected<bool> tryFor(const CopySearch &search, double leastTime);
  llvm::Error climbOnto(int64_t rung, double leastTime);
  llvm::Error climbBetween(int64_t rung, int64_t budget);
  llvm::Error bisect(int64_t fails);
  bool isFastest(const PackedActions &packed) const;

  const StepContext &context;
  const PlanCopiesWithin plan;
  Rungs rungs;
  ActionFront front;
  int64_t effortAlone = 0; ///< Where going on from a plan finds nothing.
  int64_t lowestRung = 0;  ///< To which descend() came.
  int64_t failsBytes = 0;  ///< Where it found nothing.
  double leastTimeBelow = 0;
  bool isBelow = false; ///< The lowest rung.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_COPYFAMILY_H
