//===- SearchPlan.cpp - Recompute, copy or keep, in one search ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: a plan is the sequence of its runs and copies; live ranges follow from
//   it, and an exact pass over three clocks gives its time. A multiplier on
//   bytes above the budget makes first plans; annealing makes them better.
// Cost: a move touches the live ranges of what it puts in or takes out; those
//   that may be accepted cost a pass over the sequence besides.
// Guarantee: valid actions within the budget, or none.
//
//===----------------------------------------------------------------------===//

#include "CopyStarts.h"
#include "SearchDriver.h"
#include "WriteActions.h"
#include "memplan/Planner/Search/ReadPlans.h"
#include "memplan/Planner/Search/SearchProblem.h"
#include "memplan/Planner/Search/Tuning.h"
#include <algorithm>
#include <limits>

using namespace memplan;

static int64_t defaultMoves(const SearchStep &step) {
  return std::clamp<int64_t>(searchTuning::copyMovesOfOp * step.begin(),
                             searchTuning::fewestCopyMoves,
                             searchTuning::mostCopyMoves);
}

namespace {
class Solving {
public:
  Solving(const SearchProblem &problem, const SolveLimits &limits)
      : problem(problem), limits(limits),
        contracted(*problem.index, problem.inPlace) {}
  FoundPlan solve();

private:
  Packing::Excess excessFunction(const SearchStep &step, Effort &effort) const;
  Packing::Excess repackedFunction(const SearchStep &step, int64_t moves) const;

  const SearchProblem &problem;
  const SolveLimits &limits;
  const ContractedStep contracted;
};
} // namespace

Packing::Excess Solving::excessFunction(const SearchStep &step,
                                        Effort &effort) const {
  if (!problem.excessBytes)
    return {};
  return [this, &step, &effort](const std::vector<PlannedRun> &runs) {
    for (int32_t op = 0; op < step.begin(); op += searchTuning::opsOfMove)
      effort.spend();
    return step.units().excessOf(
        problem.excessBytes(writeActions(contracted, step, runs)),
        problem.budgetBytes);
  };
}

/// Some placements for each move that the search may try.
Packing::Excess Solving::repackedFunction(const SearchStep &step,
                                          int64_t moves) const {
  const int64_t placements = placementsFor(moves, step.begin());
  if (!problem.repackedExcessBytes || placements <= 0)
    return {};
  return [this, &step, placements](const std::vector<PlannedRun> &runs) {
    return step.units().excessOf(
        problem.repackedExcessBytes(writeActions(contracted, step, runs),
                                    placements),
        problem.budgetBytes);
  };
}

FoundPlan Solving::solve() {
  const SearchStep step(contracted, {problem.bandwidth, problem.hosted});
  const int64_t moves = limits.effort > 0 ? limits.effort : defaultMoves(step);
  Effort effort(limits, moves);
  Packing packing(step.units().limitFor(problem.budgetBytes),
                  excessFunction(step, effort), repackedFunction(step, moves));
  if (problem.firstLiveBytes)
    packing.stayBelow(step.units().limitFor(*problem.firstLiveBytes));
  SearchDriver search(step, packing, problem.rules, problem.seed, effort);
  int64_t onHost = 0;
  for (TensorId id : problem.hosted)
    onHost += problem.index->graph()[id].bytes;
  if (problem.keptRuns)
    search.keepRuns(readSchedule(contracted, step, *problem.keptRuns));
  for (const Schedule *schedule : problem.starts)
    search.addStart(offloadStart(
        step, readSchedule(contracted, step, *schedule), packing.limit()));
  for (const std::vector<PlanAction> *actions : problem.goOnFrom)
    if (std::vector<PlannedRun> start = readActions(contracted, step, *actions);
        isPlan(step, start)) // Not without copies of what lives on the host.
      search.addStart(std::move(start));
  if (problem.onlyGoesOn)
    search.onlyGoOn();
  else if (!problem.hosted.empty() && !problem.keptRuns)
    for (double limit : {step.units().limitFor(problem.budgetBytes),
                         std::numeric_limits<double>::infinity()})
      search.addStart(hostedStart(step, limit));
  if (problem.hostBudgetBytes)
    search.setHostLimit(
        step.units().roundDown(*problem.hostBudgetBytes - onHost));
  const double least = problem.leastTime * step.units().unitsPerCost;
  search.setLeastTime(least);
  search.search(
      std::max(step.totalCost(), least * (1 + searchTuning::closeToLeastTime)),
      moves);
  FoundPlan plan;
  if (!packing.accepted())
    return plan;
  plan.actions = writeActions(contracted, step, packing.accepted()->runs);
  plan.time = packing.accepted()->cost / step.units().unitsPerCost;
  plan.report.status = SolveStatus::Feasible;
  return plan;
}

FoundPlan memplan::searchPlan(const SearchProblem &problem,
                              const SolveLimits &limits) {
  return Solving(problem, limits).solve();
}
