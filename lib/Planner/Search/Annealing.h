//===- Annealing.h - Better plans by random moves ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_ANNEALING_H
#define MEMPLAN_LIB_PLANNER_SEARCH_ANNEALING_H

#include "memplan/Planner/Search/Cooling.h"
#include "memplan/Planner/Search/Moves.h"
#include "memplan/Planner/Search/Packing.h"

namespace memplan {

/// The cheapest plan seen that keeps the limit and costs less than others that
/// are known.
class Incumbent {
public:
  /// Forgets the plan; only cheaper ones than `mostCost` count from now on.
  void reset(double mostCost) {
    best.reset();
    costLimit = mostCost;
  }
  const std::optional<CostedPlan> &plan() const { return best; }
  double peakBytes() const { return peak; }
  /// Takes the plan if it is cheaper. Copying takes as long as many moves, so
  /// that the search puts it off while plans get better at every move.
  bool offer(const RunSequence &sequence);

private:
  std::optional<CostedPlan> best;
  double costLimit = std::numeric_limits<double>::infinity(), peak = 0;
};

/// Accepts a move that makes cost + weight * penalty worse with a probability
/// that falls with the temperature; the weight of the penalty rises meanwhile.
class Annealing {
public:
  Annealing(const SearchStep &step, RunSequence &runs, Moves &moves,
            Random &random, Effort &effort, Incumbent &incumbent)
      : step(step), runs(runs), moves(moves), random(random), effort(effort),
        incumbent(incumbent) {}

  /// One cycle of that many moves, from the plan that the sequence holds.
  /// `heat` scales the temperature, which falls from half of the mean cost of a
  /// node to a thousandth of that; `strictness` scales the weight.
  void runCycle(int64_t length, double heat, double strictness);

private:
  bool tryMove();
  bool apply(double mostCost);

  const SearchStep &step;
  RunSequence &runs;
  Moves &moves;
  Random &random;
  Effort &effort;
  Incumbent &incumbent;
  Cooling cooling;
  size_t sinceCopy = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_ANNEALING_H
