//===- ImproveRuns.cpp - A recorded sequence with less in it --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: an online policy drops a value although it is read again soon, since it
//   could not know. Leave out each recomputation, most expensive first, and
//   keep what it made instead, wherever the bytes allow it; move those that are
//   left to right before their first user, which makes room for more.
// Guarantee: a valid schedule that costs no more; its live bytes keep the
//   limit, or the schedule's peak where that is higher.
//
//===----------------------------------------------------------------------===//

#include "Tuning.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/ReplayTrace.h"
#include "memplan/Schedule/ScheduleChecker.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

namespace {
class RunImprover {
public:
  RunImprover(const GraphIndex &index, const Schedule &schedule, bool inPlace,
              int64_t limitBytes, int64_t effort)
      : index(index), checker(index), runs(schedule.runs) {
    problem.index = &index;
    problem.inPlace = inPlace;
    const RematPlan before = measurePlan(problem, Schedule{runs, {}});
    peak = before.peakBytes;
    limit = std::max(limitBytes, peak);
    trials = effort > 0 ? effort
                        : std::clamp<int64_t>(
                              tuning::workOfTrace / int64_t(runs.size() + 1),
                              tuning::fewestTrials, tuning::mostTrials);
  }

  Schedule improve() {
    for (bool isBetter = true; isBetter && trials > 0;) {
      isBetter = false;
      for (size_t run : mostExpensiveRecomputations())
        isBetter |= leaveOut(run) || delay(run);
    }
    return {runs, {}};
  }

private:
  /// By place; places of runs that were removed meanwhile are those of others,
  /// which does no harm.
  std::vector<size_t> mostExpensiveRecomputations() const {
    std::vector<bool> ran(index.graph().nodes.size());
    std::vector<size_t> places;
    for (size_t place = 0; place < runs.size(); ++place) {
      const size_t node = size_t(runs[place].index);
      if (ran[node])
        places.push_back(place);
      ran[node] = true;
    }
    llvm::sort(places, [&](size_t a, size_t b) {
      const double costA = index.graph()[runs[a]].cost,
                   costB = index.graph()[runs[b]].cost;
      return costA != costB ? costA > costB : a > b;
    });
    return places;
  }

  bool isRecomputation(size_t place) const {
    return place < runs.size() &&
           llvm::is_contained(llvm::ArrayRef(runs).take_front(place),
                              runs[place]);
  }

  /// The runs are better and keep the limit.
  bool accept(std::vector<NodeId> changed, int64_t atMost) {
    if (trials-- <= 0 || checker.check(changed))
      return false;
    const RematPlan plan = measurePlan(problem, Schedule{changed, {}});
    if (plan.peakBytes > atMost)
      return false;
    runs = std::move(changed);
    peak = std::max(peak, plan.peakBytes);
    return true;
  }

  bool leaveOut(size_t place) {
    if (trials <= 0 || !isRecomputation(place))
      return false;
    std::vector<NodeId> changed = runs;
    changed.erase(changed.begin() + ptrdiff_t(place));
    return accept(std::move(changed), limit);
  }

  bool delay(size_t place) {
    if (trials <= 0 || !isRecomputation(place))
      return false;
    const size_t user = firstUser(place);
    if (user <= place + 1)
      return false;
    std::vector<NodeId> changed = runs;
    std::rotate(changed.begin() + ptrdiff_t(place),
                changed.begin() + ptrdiff_t(place) + 1,
                changed.begin() + ptrdiff_t(user));
    return accept(std::move(changed), peak);
  }

  /// The first later run that needs something of this one, or recomputes it.
  size_t firstUser(size_t place) const {
    const Graph &graph = index.graph();
    std::vector<TensorId> made;
    for (TensorId id : graph[runs[place]].outputs)
      made.push_back(index.base(id));
    for (size_t later = place + 1; later < runs.size(); ++later)
      if (runs[later] == runs[place] ||
          llvm::any_of(index.usedBases(runs[later]), [&](TensorId base) {
            return llvm::is_contained(made, base);
          }))
        return later;
    return runs.size();
  }

  const GraphIndex &index;
  RematProblem problem;
  ScheduleChecker checker;
  std::vector<NodeId> runs;
  int64_t peak = 0, limit = 0, trials = 0;
};
} // namespace

Schedule memplan::improveRuns(const GraphIndex &index, const Schedule &schedule,
                              bool inPlace, int64_t limitBytes,
                              int64_t effort) {
  return RunImprover(index, schedule, inPlace, limitBytes, effort).improve();
}
