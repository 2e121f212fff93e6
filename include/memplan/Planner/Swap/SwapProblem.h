//===- SwapProblem.h - What is copied to the host and back ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SWAP_SWAPPROBLEM_H
#define MEMPLAN_PLANNER_SWAP_SWAPPROBLEM_H

#include "memplan/Planner/Problem.h"
#include "memplan/Planner/Swap/TflmsParameters.h"
#include "memplan/Schedule/Schedule.h"

namespace memplan {

struct SwapPlan;

/// Puts copies to the host and back between the runs of a schedule. Live bytes
/// keep a budget, in as little time as possible.
///
/// Input constraints, tested by check():
/// - swap_i1: the graph is there and passes Graph::check()
/// - swap_i2: the schedule is there and passes verifySchedule()
/// - swap_i3: budgetBytes, if set, is positive; hostBudgetBytes, if set, is not
///   negative
/// - swap_i4: with a codec, the graph has nodes that encode
/// - swap_i5: each name that TFLMS's filters give matches a node
/// Solution constraints, tested by verify():
/// - swap_c1: the actions pass replayPlan(), the graph's host budget included
/// - swap_c2: all actions are on stream 0
/// - swap_c3: they run the nodes of the schedule in its order and variants, and
///   beside these only nodes that make nothing but views
/// - swap_c4: cost, time and peaks are those of the replay
/// - swap_c5: the peaks are within the two budgets, where set
/// - swap_c6: the bound is not above the time; a status of Optimal comes with
///   one within 1e-4 of it
/// - swap_c7: without actions the status is no plan or infeasible
struct SwapProblem {
  const GraphIndex *index = nullptr;
  const Schedule *schedule = nullptr;
  /// Taken where the storage allows it after a copy too. Null: none.
  const InPlaceChoice *inPlace = nullptr;
  /// Live bytes on the device, persistentBytes() included; unset: no limit.
  std::optional<int64_t> budgetBytes;
  /// Bytes of the copies on the host; unset: as the graph has it.
  std::optional<int64_t> hostBudgetBytes;
  TflmsParameters tflms; ///< For the solver of that name.

  llvm::Error check() const;
  llvm::Error verify(const SwapPlan &plan) const;
};

struct SwapPlan {
  /// On one stream; empty where none was found.
  std::vector<PlanAction> actions;
  double cost = 0; ///< Cost of all runs.
  double time = 0; ///< When the last of streams and copy engines is done.
  int64_t peakBytes = 0;
  int64_t hostPeakBytes = 0;
  SolveReport report;
};

using SwapSolver = Solver<SwapProblem, SwapPlan>;
std::span<const SwapSolver> swapSolvers();

/// Fills in cost, time and peaks of the actions. An error says which of them
/// breaks a rule.
llvm::Error measureSwap(const GraphIndex &index, SwapPlan &plan);

} // namespace memplan

#endif // MEMPLAN_PLANNER_SWAP_SWAPPROBLEM_H
