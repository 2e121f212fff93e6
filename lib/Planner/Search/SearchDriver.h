//===- SearchDriver.h - From a limit to the best plan found -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_SEARCHDRIVER_H
#define MEMPLAN_LIB_PLANNER_SEARCH_SEARCHDRIVER_H

#include "Annealing.h"
#include "MultiplierRamp.h"

namespace memplan {

/// The search for one step and budget. Starts: multiplier ramps by copies
/// alone, by recomputation alone, by both, and from plans of another origin; a
/// little annealing of each, more of those that lead, and the rest for cycles
/// from the best plan and from ramps with perturbed multipliers. After each
/// cycle the best plan is packed.
class SearchDriver {
public:
  SearchDriver(const SearchStep &step, Packing &packing, SearchRules rules,
               uint64_t seed, Effort &effort);

  /// A plan to start from besides its own.
  void addStart(std::vector<PlannedRun> plan);
  /// Only goes on from these, which needs fewer moves.
  void onlyGoOn() { isGivenStart = true; }
  /// Faster plans do not count.
  void setLeastTime(double time) { incumbent.setLeastTime(time); }
  /// All plans have the runs of that one, in its order; only copies change.
  void keepRuns(std::vector<PlannedRun> plan);
  void setHostLimit(double bytes) { state.moves.hostLimitBytes = bytes; }

  /// The ramp from source order, or from a plan of another origin.
  void start() { start(origin); }
  void start(std::vector<PlannedRun> plan);
  /// On a large step of equal turns: from what a search finds with one of them.
  /// False where nothing repeats.
  bool startFromTurns();
  /// Tries so many moves, or ends at a plan of at most that time: all starts,
  /// then improve().
  void search(double enoughTime, int64_t moves);
  /// Only improves what starts have found.
  void improve(double enoughTime, int64_t moves);

private:
  struct Start {
    SearchRules rules;
    std::vector<PlannedRun> plan; ///< Empty: a ramp makes it.
    double noise = 0;             ///< Noise of its multipliers.
    double time = std::numeric_limits<double>::infinity();
    double penalty = std::numeric_limits<double>::infinity();
    size_t number = 0;
  };
  bool tryStarts(double enoughTime, int64_t moves);
  void addStarts(int64_t moves);
  void rank();
  void rampFrom(llvm::ArrayRef<PlannedRun> plan, double noise);
  void rampOn(double noise);
  void tryStart(Start &start, int64_t moves);
  void runCycle(int64_t moves, double heat, bool hasPlan);
  void goOn(Start &start, int64_t moves, double heat);
  void restart(int cycle, bool isEarly);
  void rebuildPart();
  void settle(bool isLast = false);
  bool isWorthPacking() const;
  void insist();
  void repair();
  void follow(double limit, double known);
  double engineLoad();
  double heatFor(int64_t moves) const;
  bool isDone(double enoughTime);
  bool hasPlan() const { return packing.accepted() || incumbent.plan(); }

  const SearchStep &step;
  Packing &packing;
  const SearchRules rules;
  Effort &effort;
  SearchState state;
  Incumbent incumbent;
  MultiplierRamp ramp;
  Annealing annealing;
  std::vector<PlannedRun> origin; ///< Where ramps start.
  std::vector<Start> starts;
  double load = 0; ///< Load of the engines, were everything copied.
  int restarts = 0;
  double strictness =
      searchTuning::firstStrictness; ///< In bytes, while no plan is known.
  bool isGivenStart = false;         ///< By onlyGoOn().
  bool areRunsKept = false;          ///< By keepRuns().
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_SEARCHDRIVER_H
