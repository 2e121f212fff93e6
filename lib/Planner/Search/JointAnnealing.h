//===- JointAnnealing.h - Plans with copies, by random moves ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_JOINTANNEALING_H
#define MEMPLAN_LIB_PLANNER_SEARCH_JOINTANNEALING_H

#include "SearchState.h"
#include "memplan/Planner/Search/Cooling.h"
#include "memplan/Planner/Search/Packing.h"

namespace memplan {

/// The fastest plan seen that keeps the limit and takes less time than others
/// that are known; `cost` is its time.
class FastestPlan {
public:
  void reset(double mostTime) {
    best.reset();
    before.clear();
    timeLimit = mostTime;
  }
  const std::optional<CostedPlan> &plan() const { return best; }
  /// Those that were the fastest before it, the latest last.
  const std::vector<CostedPlan> &earlierPlans() const { return before; }
  double peakBytes() const { return peak; }
  double time() const { return timeLimit; }
  void setLeastTime(double time) { leastTime = time; }
  bool offer(const SearchState &state);

private:
  static constexpr size_t mostEarlier = 8;
  std::optional<CostedPlan> best;
  std::vector<CostedPlan> before;
  double timeLimit = std::numeric_limits<double>::infinity(), peak = 0;
  double leastTime = 0;
};

/// As the annealing without copies, by the time of a plan instead of its cost.
class JointAnnealing {
public:
  JointAnnealing(SearchState &state, Effort &effort, FastestPlan &fastest)
      : state(state), effort(effort), fastest(fastest) {}

  /// One cycle of that many moves, from the plan that the state holds.
  void runCycle(int64_t length, double heat, double strictness);

private:
  bool tryMove();
  bool apply(double mostCost);

  SearchState &state;
  Effort &effort;
  FastestPlan &fastest;
  Cooling cooling;
  size_t sinceCopy = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_JOINTANNEALING_H
