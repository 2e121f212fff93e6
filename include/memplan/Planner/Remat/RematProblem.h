//===- RematProblem.h - Which nodes run when, and again ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_REMATPROBLEM_H
#define MEMPLAN_PLANNER_REMAT_REMATPROBLEM_H

#include "memplan/Planner/Problem.h"
#include "memplan/Schedule/Liveness.h"

namespace memplan {

struct RematPlan;

/// Finds runs of least cost whose live bytes never exceed a budget.
///
/// Input constraints, tested by check():
/// - remat_i1: the graph passes Graph::check()
/// - remat_i2: budgetBytes, if set, is not negative
/// Solution constraints, tested by verify():
/// - remat_c1: the schedule passes verifySchedule()
/// - remat_c2: peakBytes and cost are those that measureSchedule() gives for
///   its in-place choice
/// - remat_c3: peakBytes is within budgetBytes, if set
/// - remat_c4: the bound is not above the cost; a status of Optimal comes with
///   one within 1e-4 of it
/// - remat_c5: without a schedule the status is no plan, or infeasible with
///   boundBytes above the budget
struct RematProblem {
  const GraphIndex *index = nullptr;
  std::optional<int64_t>
      budgetBytes; ///< Live bytes, persistentBytes() included; unset: no limit.
  bool inPlace =
      true; ///< Count in-place pairs (chosen by chooseInPlace) when measuring.
  /// Device bytes that a plan takes once it is packed; unset: its live peak.
  /// Pure and deterministic, but expensive: a search that calls it counts a
  /// plan as its incumbent only where the packed bytes are within budgetBytes
  /// too.
  std::function<int64_t(const RematPlan &)> packedBytes;
  /// The same with so many placements to find offsets within budgetBytes, for
  /// the few plans that are worth it, or at once with none. Unset:
  /// packedBytes() does what it can.
  std::function<int64_t(const RematPlan &, int64_t placements)> repackedBytes;
  /// A schedule from which a search may start, of the same graph and usually
  /// for nearly as many bytes; it need not keep the budget. Null: none.
  const Schedule *start = nullptr;
  /// First runs may leave source order, where the graph allows it. Most solvers
  /// keep to it in any case.
  bool mayReorder = false;
  /// Where a search finds no plan to begin with, it takes one of what each op
  /// needs, at whatever cost. That serves budgets under those of other plans.
  bool takesAnyPlan = false;

  llvm::Error check() const;
  llvm::Error verify(const RematPlan &plan) const;
  /// Largest working set of a single node plus everything that must be resident
  /// whatever the plan. No budget below works.
  int64_t lowerBoundBytes() const;
};

struct RematPlan {
  Schedule schedule; ///< Empty when infeasible or no plan was found.
  InPlaceChoice inPlace;
  int64_t peakBytes = 0;
  double cost = 0;
  SolveReport report;
  std::optional<int64_t>
      boundBytes; ///< Infeasible: proved lower bound of the least budget.
  std::optional<int64_t>
      minimumBudgetBytes; ///< Least budget known to work, where one was found.
};

using RematSolver = Solver<RematProblem, RematPlan>;
std::span<const RematSolver> rematSolvers();

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_REMATPROBLEM_H
