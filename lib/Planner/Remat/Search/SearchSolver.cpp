//===- SearchSolver.cpp - Search over sequences of runs -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: a plan is the sequence of its runs; live ranges follow from it. A price
//   on bytes above the budget, rising from pass to pass, makes a first plan;
//   annealing with moves that put single runs in or take them out makes it
//   better.
// Cost: a move touches the live ranges of a run's inputs and outputs, each by
//   an addition to a range of a line of at most some thousand blocks. Memory is
//   linear in the runs and edges.
// Guarantee: a valid schedule within the budget or none; nodes may run any
//   number of times, in any order that the graph allows.
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"
#include "memplan/Planner/Remat/RematSolvers.h"

using namespace memplan;

/// Moves that take a few seconds on one core.
static int64_t defaultMoves(const SearchStep &step) {
  const int64_t ops = step.numOps();
  return std::clamp<int64_t>(1500 * ops, 100'000, 1'000'000);
}

static Schedule scheduleOf(const ContractedStep &step,
                           llvm::ArrayRef<PlannedRun> plan) {
  std::vector<int32_t> sequence;
  sequence.reserve(plan.size());
  for (PlannedRun run : plan)
    sequence.push_back(run.op);
  return step.expand(sequence);
}

llvm::Expected<RematPlan> memplan::solveSearch(const RematProblem &problem,
                                               const SolveLimits &limits) {
  llvm::Expected<RematPlan> unplanned = solveCheckpointAll(problem, limits);
  if (!unplanned || !problem.budgetBytes ||
      unplanned->report.status == SolveStatus::Optimal)
    return unplanned; // Nothing to gain.
  if (unplanned->schedule.runs.empty() &&
      problem.lowerBoundBytes() > *problem.budgetBytes) {
    unplanned->report.note =
        "the working set of a single node exceeds the budget";
    return unplanned;
  }
  const ContractedStep contracted(*problem.index, problem.inPlace);
  const SearchStep step(contracted);
  Effort effort(limits, limits.effort > 0 ? limits.effort : defaultMoves(step));
  PlanSearch search(step, step.limitFor(*problem.budgetBytes),
                    problem.mayReorder,
                    *reportRunOnce(problem.index->graph()).bound, effort);
  search.run();
  if (search.best().exists())
    return planWithinBudget(
        problem,
        measurePlan(problem, scheduleOf(contracted, search.best().plan())));
  return withoutPlan(problem, "the search found no schedule within the budget");
}
