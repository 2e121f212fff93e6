//===- SearchState.h - What the parts of the search share -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SEARCH_SEARCHSTATE_H
#define MEMPLAN_LIB_PLANNER_SEARCH_SEARCHSTATE_H

#include "CopyMoves.h"
#include "memplan/Planner/Search/SearchRules.h"
#include "memplan/Planner/Search/Tuning.h"

namespace memplan {

/// The plan that a search stands at, its time, and moves from it. What a search
/// makes small is the time and, so that copies are not made in vain, a little
/// of the copies' own. Without copies, the time is the cost.
class SearchState {
public:
  SearchState(const SearchStep &step, SearchRules rules, uint64_t seed)
      : step(step), random(seed), runs(step, rules.mayReorder),
        times(step, runs), moves(step, runs, times, random, rules) {}

  const SearchStep &step;
  Random random;
  RunSequence runs;
  StepTimes times;
  CopyMoves moves;

  void reset(llvm::ArrayRef<PlannedRun> plan, double limitBytes) {
    runs.reset(plan, limitBytes);
    current = step.hasCopies() ? times.restart() : runs.cost();
  }
  double time() const { return current; }
  /// Without open edits.
  double objective() const {
    return current + searchTuning::copyTimeWeight * runs.copyTime();
  }
  /// With the open edits.
  double objectiveAt(double time) const { return time + besideTime(); }
  /// The time at which the open edits reach that objective.
  double timeAt(double objective) const { return objective - besideTime(); }
  /// Bytes count that are live longer, though within the limit: without, they
  /// would spread until all of the step is as full as it may be, and that packs
  /// badly.
  void weighBytes(double weight) { weightOfBytes = weight * step.totalCost(); }
  /// No plan that the open edits can have made takes less: without removals,
  /// nothing gets earlier.
  double leastTime() const {
    return runs.hasRemovals() || !step.hasCopies()
               ? runs.cost()
               : std::max(runs.cost(), current);
  }
  /// What the edited sequence takes, or more than `mostTime`.
  double measure(double mostTime) {
    return step.hasCopies() ? times.measure(mostTime) : runs.cost();
  }
  /// Takes out what the open edits have put in or left in vain. Without copies
  /// that comes out at the end, with all that the limit does not need.
  void sweep() {
    if (step.hasCopies())
      runs.sweep();
  }
  void undo() {
    runs.undo();
    if (step.hasCopies())
      times.drop();
  }
  /// Takes `time` over, measured of the edited sequence.
  void commit(double time) {
    runs.commit();
    if (step.hasCopies())
      times.keep();
    current = time;
  }

private:
  double besideTime() const {
    return searchTuning::copyTimeWeight * runs.copyTime() +
           weightOfBytes * runs.line().addedArea();
  }

  double current = 0;
  double weightOfBytes = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SEARCH_SEARCHSTATE_H
