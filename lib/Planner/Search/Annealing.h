//===- Annealing.h - Better plans by random moves ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_ANNEALING_H
#define MEMPLAN_LIB_PLANNER_SEARCH_ANNEALING_H

#include "SearchState.h"
#include "memplan/Planner/Search/Cooling.h"
#include "memplan/Planner/Search/Packing.h"

namespace memplan {

/// The fastest plan seen that keeps the limit and takes less time than others
/// that are known; `cost` is its time.
class Incumbent {
public:
  /// Forgets the plan; only faster ones than `mostTime` count from now on.
  void reset(double mostTime) {
    best.reset();
    before.clear();
    timeLimit = mostTime;
  }
  const std::optional<CostedPlan> &plan() const { return best; }
  /// Plans that were the fastest before it, the latest last.
  const std::vector<CostedPlan> &earlierPlans() const { return before; }
  double peakBytes() const { return peak; }
  /// Faster plans do not count.
  void setLeastTime(double time) { leastTime = time; }
  /// Takes the plan if it is faster. Copying takes as long as many moves, so
  /// that the search puts it off while plans get better at every move.
  bool offer(const SearchState &state);

private:
  std::optional<CostedPlan> best;
  std::vector<CostedPlan> before;
  double timeLimit = std::numeric_limits<double>::infinity(), peak = 0;
  double leastTime = 0;
};

/// Accepts a move that makes time + weight * penalty worse with a probability
/// that falls with the temperature; the weight of the penalty rises meanwhile.
class Annealing {
public:
  Annealing(SearchState &state, Effort &effort, Incumbent &incumbent)
      : state(state), effort(effort), incumbent(incumbent) {}

  /// One cycle of that many moves, from the plan that the state holds. `heat`
  /// scales the temperature, which falls from half of the mean cost of a node
  /// to a thousandth of that; `strictness` scales the weight.
  void runCycle(int64_t length, double heat, double strictness);

private:
  bool tryMove();
  bool apply(double mostCost);

  SearchState &state;
  Effort &effort;
  Incumbent &incumbent;
  Cooling cooling;
  size_t sinceCopy = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_ANNEALING_H
