//===- ProvedBound.h - What no plan costs less than -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds on the cost of all plans of a space. Each is proved: exact, or a dual
// solution that was evaluated again in integers. So no rounding and no defect
// of the search for multipliers can make it too high. The proofs are in
// docs/Planner/Remat.md, "Bounds".
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_BOUNDS_PROVEDBOUND_H
#define MEMPLAN_PLANNER_BOUNDS_PROVEDBOUND_H

#include "memplan/Planner/Model/ContractedStep.h"
#include "memplan/Planner/Model/StepRepeat.h"
#include "memplan/Planner/Problem.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>

namespace memplan {

struct ProvedBound {
  double cost = 0; ///< Infinite: no plan of the space fits.
  /// `fixed-order`: first runs in source order, recomputations of anything
  /// anywhere; `free-order`: any order.
  std::string space;
  std::string proof; ///< `exact` or `rounded-dual`.
};

/// Takes a finite bound into a report that has none, or a lower one.
void raiseBound(SolveReport &report, const ProvedBound &bound);

/// A bound on the cost of all plans whose live bytes keep `budgetBytes`, in
/// fixed order. `bestKnown`, the cost of a plan if there is one, guides the
/// search for multipliers only. What repeats, if known, is proved for some of
/// its turns and copied to the others: any multipliers are good. `effort` is a
/// number of visits of gaps and ops; 0 chooses about a tenth of a second.
/// Deterministic. O(effort).
ProvedBound proveCost(const ContractedStep &step, int64_t budgetBytes,
                      std::optional<double> bestKnown,
                      const std::optional<StepRepeat> &repeat,
                      int64_t effort = 0);

/// What a proof of optimality came to.
struct Closing {
  /// `cost` is at least 1 - 1e-4 times the cost of the best known plan where
  /// the proof ended.
  ProvedBound bound;
  bool isClosed = false;
  /// A plan better than the one that was known, on the way: ops in the order
  /// of their runs.
  std::vector<int32_t> better;
};

/// Branches on what stays at the rows where memory is short, and adds rows that
/// a cheaper answer breaks. It ends when no plan in fixed order is cheaper than
/// `bestKnown` by more than 1e-4. For graphs of up to a few hundred ops.
/// `costOfPlan` tells the cost of a sequence of ops with their runs, or nothing
/// if it does not keep the budget. `effort` is a number of visits; 0 chooses
/// about ten seconds. Deterministic unless `stop` ends it.
Closing closeGap(
    const ContractedStep &step, int64_t budgetBytes, double bestKnown,
    llvm::function_ref<std::optional<double>(llvm::ArrayRef<int32_t> sequence)>
        costOfPlan,
    int64_t effort = 0, const std::atomic<bool> *stop = nullptr);

/// Whether it is proved that no plan in fixed order keeps the budget: all sets
/// of values that fit were searched. False says nothing. `effort` is a number
/// of visits; 0 chooses about a second. Deterministic unless `stop` ends it.
bool isImpossible(const ContractedStep &step, int64_t budgetBytes,
                  int64_t effort = 0, const std::atomic<bool> *stop = nullptr);

} // namespace memplan

#endif // MEMPLAN_PLANNER_BOUNDS_PROVEDBOUND_H
