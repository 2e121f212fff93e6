//===- PlanSearch.h - The search, a phase at a time -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_PLANSEARCH_H
#define MEMPLAN_PLANNER_SEARCH_PLANSEARCH_H

#include "memplan/Planner/Search/Effort.h"
#include "memplan/Planner/Search/Packing.h"
#include "memplan/Planner/Search/SearchRules.h"
#include <memory>

namespace memplan {

class SearchDriver;

/// The search for one step and budget, for callers that do something between
/// its phases: prove a bound, or look for plans elsewhere. What it finds goes
/// to the packing. searchPlan() does all at once.
class PlanSearch {
public:
  /// All arguments are kept by reference.
  PlanSearch(const SearchStep &step, Packing &packing, SearchRules rules,
             uint64_t seed, Effort &effort);
  ~PlanSearch();

  /// A first plan, from source order.
  void start();
  /// A first plan from a plan of another origin, which need not fit.
  void start(std::vector<PlannedRun> plan);
  /// On a large step of equal turns: from what a search finds with one of them.
  /// False where nothing repeats.
  bool startFromTurns();
  /// Tries so many moves, or ends at a plan of at most that time.
  void improve(double enoughTime, int64_t moves);

private:
  std::unique_ptr<SearchDriver> driver;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_PLANSEARCH_H
