//===- JointSearch.h - From a limit to the fastest plan found ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_JOINTSEARCH_H
#define MEMPLAN_LIB_PLANNER_SEARCH_JOINTSEARCH_H

#include "JointAnnealing.h"
#include "JointRamp.h"

namespace memplan {

/// Several starts, by copies alone, by reruns alone, by both and from plans of
/// another origin; a little annealing of each, more of those that lead, and the
/// rest for cycles from the best plan and from ramps with blurred prices. After
/// each cycle the best plan is packed.
class JointSearch {
public:
  JointSearch(const SearchStep &step, Packing &packing, GapRules rules,
              uint64_t seed, Effort &effort)
      : step(step), packing(packing), rules(rules), effort(effort),
        state(step, seed), ramp(state, effort),
        annealing(state, effort, fastest),
        origin(RunSequence::sourceOrder(step)) {}

  /// A plan to start from besides its own.
  void addStart(std::vector<PlannedRun> plan);
  /// Only goes on from these, which needs fewer moves.
  void onlyGoOn() { isGivenStart = true; }
  /// Faster plans do not count.
  void setLeastTime(double time) { fastest.setLeastTime(time); }
  /// All plans have the runs of that one, in its order; only copies change.
  void keepRuns(std::vector<PlannedRun> plan);
  void setHostLimit(double bytes) { state.moves.hostLimitBytes = bytes; }
  /// Tries so many moves, or ends at a plan of at most that time.
  void search(double enoughTime, int64_t moves);

private:
  struct Start {
    GapRules rules;
    std::vector<PlannedRun> plan; ///< Empty: a ramp makes it.
    double noise = 0;             ///< Of its prices.
    double time = std::numeric_limits<double>::infinity();
    double penalty = std::numeric_limits<double>::infinity();
    size_t number = 0;
  };
  void searchAll(double enoughTime, int64_t moves);
  void addStarts(int64_t moves);
  void rank();
  void rampFrom(llvm::ArrayRef<PlannedRun> plan, double noise);
  void tryStart(Start &start, int64_t moves);
  void cycle(int64_t moves, double heat, bool hasPlan);
  void goOn(Start &start, int64_t moves, double heat);
  void improve(double enoughTime, int64_t end, int64_t all);
  void restart(int cycle, bool isEarly);
  void settle();
  void insist();
  void follow(double limit, double known);
  double engineLoad();
  double heatFor(int64_t moves) const;
  bool isDone(double enoughTime);

  const SearchStep &step;
  Packing &packing;
  const GapRules rules;
  Effort &effort;
  SearchState state;
  FastestPlan fastest;
  JointRamp ramp;
  JointAnnealing annealing;
  std::vector<PlannedRun> origin; ///< Where ramps start.
  std::vector<Start> starts;
  double load = 0; ///< Of the engines, were everything copied.
  int restarts = 0;
  double strictness = 10;    ///< In bytes, while no plan is known.
  bool isGivenStart = false; ///< By onlyGoOn().
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_JOINTSEARCH_H
