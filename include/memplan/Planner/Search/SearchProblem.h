//===- SearchProblem.h - Recompute, copy or keep ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_SEARCHPROBLEM_H
#define MEMPLAN_PLANNER_SEARCH_SEARCHPROBLEM_H

#include "memplan/Planner/Problem.h"
#include "memplan/Planner/Search/SearchRules.h"
#include "memplan/Schedule/Schedule.h"

namespace memplan {

/// Actions on one stream that take the least time within a budget of live
/// bytes. Every value may be kept, recomputed, or copied to the host and back.
struct SearchProblem {
  const GraphIndex *index = nullptr;
  int64_t budgetBytes = 0; ///< Live bytes, persistentBytes() included.
  bool inPlace = true;
  Bandwidth bandwidth;
  /// Most bytes of all copies on the host together, whenever they live; unset:
  /// no limit.
  std::optional<int64_t> hostBudgetBytes;
  SearchRules rules{.mayCopy = true};
  /// Tensors of hostableTensors() that live on the host between steps.
  std::vector<TensorId> hosted;
  /// Schedules without copies from which a search may start. What exceeds the
  /// budget is offloaded first, as far as that hides.
  std::vector<const Schedule *> starts;
  /// As `starts`, but these may have copies.
  std::vector<const std::vector<PlanAction> *> goOnFrom;
  /// The search has no other starts.
  bool onlyGoesOn = false;
  /// Plans that are faster are of no use.
  double leastTime = 0;
  /// If set, all plans have its runs in its order; there is no other start.
  const Schedule *keptRuns = nullptr;
  /// Bytes by which actions exceed the device or host budget once they are
  /// packed; not positive if they keep both. Pure, but expensive. Unset: live
  /// bytes are what counts.
  std::function<int64_t(const std::vector<PlanAction> &)> excessBytes;
  /// The same with so many placements to find offsets, for the few plans that
  /// are worth it; unset: excessBytes() does what it can.
  std::function<int64_t(const std::vector<PlanAction> &, int64_t placements)>
      repackedExcessBytes;
  /// On a large step: live bytes of plans that are looked for at first; fewer
  /// where these pack badly. Unset: the budget, again and again.
  std::optional<int64_t> firstLiveBytes;
  uint64_t seed = 1;
};

struct FoundPlan {
  std::vector<PlanAction> actions; ///< Empty: no plan was found.
  double time = 0;
  SolveReport report; ///< With a bound on the time.
};

/// Parameters and states that may live on the host between steps: those that
/// the step uses, and of which there are no views. States first, the largest
/// first among either.
std::vector<TensorId> hostableTensors(const GraphIndex &index);

/// Deterministic by limits.effort, which counts moves.
FoundPlan searchPlan(const SearchProblem &problem, const SolveLimits &limits);

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_SEARCHPROBLEM_H
