//===- StreamFamily.h - Plans on streams for a ladder of budgets *- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The family of Family.h on several streams, so that more budget never takes
// longer there. Its rungs are those that all budgets above them have climbed
// onto on one stream. On each, plans for one stream are put on several, and the
// search goes on from the fastest that the rungs below have found. What larger
// budgets do not look at counts only where it is no faster than what the rung
// above has.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_STREAMFAMILY_H
#define MEMPLAN_LIB_PLANNER_STEP_STREAMFAMILY_H

#include "StreamPlanner.h"

namespace memplan {

class StreamFamily {
public:
  /// `climbed` is kept by reference.
  StreamFamily(const StepContext &context, const ClimbedRungs &climbed);

  /// The fastest plan within the budget; `single` is one for one stream.
  llvm::Expected<StreamPlan> planWithin(int64_t budget, const Plan &single);

private:
  /// A plan for one stream.
  struct Tried {
    const Plan *plan = nullptr;
    bool isSearched = false;
  };
  /// What the rungs up to some budget have come to.
  struct State {
    std::optional<StreamPlan> best;
    std::optional<StreamPlan> found; ///< The fastest that a search found.
    std::vector<Tried> tried;
  };
  /// Up to so many bytes, and none that is faster.
  struct Limit {
    int64_t bytes = 0;
    double leastTime = 0;
  };

  llvm::Error climb(State &state, const Plan *source, const Limit &limit,
                    int64_t share) const;
  llvm::Error trySource(const Plan &source, const Limit &limit,
                        State &state) const;
  llvm::Error searchSources(const Limit &limit, int64_t share,
                            State &state) const;
  llvm::Error climbTop(State &state, int64_t budget) const;
  llvm::Error climbRungs(State &state, int64_t budget, Limit &next) const;
  llvm::Error climbLowest(Limit &next) const;
  llvm::Error climbFiner(State &state, int64_t below, int64_t budget,
                         const Limit &next) const;
  void take(StreamPlanner::Plans plans, const Limit &limit, State &state) const;
  bool isFastest(const State &state, const Limit &limit) const;

  const StepContext &context;
  const ClimbedRungs &climbed;
  const StreamPlanner planner;
  std::vector<const RungPlan *> rungs; ///< Ascending.
};

/// Whether plans on streams come from a family.
bool hasStreamFamily(const StepContext &context, const ClimbedRungs &climbed);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_STREAMFAMILY_H
