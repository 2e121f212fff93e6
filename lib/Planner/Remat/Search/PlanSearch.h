//===- PlanSearch.h - From a limit to the best plan found -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_REMAT_SEARCH_PLANSEARCH_H
#define MEMPLAN_LIB_PLANNER_REMAT_SEARCH_PLANSEARCH_H

#include "Annealing.h"
#include "PriceRamp.h"

namespace memplan {

/// A price ramp, then cycles of annealing from its plan, from the best one, and
/// from ramps with blurred prices.
class PlanSearch {
public:
  /// `costOfAll`: what the units of the step's total cost stand for, in
  /// reports.
  PlanSearch(const SearchStep &step, double limitBytes, bool freeOrder,
             double costOfAll, Effort &effort);

  /// Spends the effort.
  void run();
  const Incumbent &best() const { return incumbent; }

private:
  void start(double noise);
  void report();
  void restart(int cycle, bool again);

  const SearchStep &step;
  double limit, costOfAll;
  Effort &effort;
  Random random{1};
  RunSequence runs;
  Moves moves;
  Incumbent incumbent;
  PriceRamp ramp;
  Annealing annealing;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_REMAT_SEARCH_PLANSEARCH_H
