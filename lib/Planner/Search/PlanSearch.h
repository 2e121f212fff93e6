//===- PlanSearch.h - From a limit to the best plan found -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_PLANSEARCH_H
#define MEMPLAN_LIB_PLANNER_SEARCH_PLANSEARCH_H

#include "Annealing.h"
#include "PriceRamp.h"

namespace memplan {

/// A price ramp, then cycles of annealing from its plan, from the best one, and
/// from ramps with blurred prices. After each cycle the best plan is packed.
class PlanSearch {
public:
  PlanSearch(const SearchStep &step, Packing &packing, bool freeOrder,
             Effort &effort);

  /// The ramp from source order, or from a plan of another origin.
  void start();
  void start(llvm::ArrayRef<PlannedRun> plan);
  /// Tries so many moves, or ends at a plan of at most that cost.
  void improve(double enoughCost, int64_t moves);

private:
  void ramp(double noise);
  void settle();
  void changeLimit(double before);
  void restart(int cycle, bool isEarly);

  const SearchStep &step;
  Packing &packing;
  Effort &effort;
  Random random{1};
  RunSequence runs;
  Moves moves;
  Incumbent incumbent;
  PriceRamp prices;
  Annealing annealing;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_PLANSEARCH_H
