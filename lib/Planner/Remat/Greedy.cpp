//===- Greedy.cpp - The best checkpoints, then the search -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: the cheapest member of the checkpointing family that keeps the budget
//   is a start of the search of Search, beside those that it makes itself.
// Cost: that of `search` without its proofs, and of the members.
// Guarantee: a valid schedule within the budget or none, which costs no more
//   than any of these members.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/RematSolvers.h"

using namespace memplan;

std::optional<RematPlan> memplan::bestCheckpoints(const RematProblem &problem) {
  std::optional<RematPlan> best;
  for (RematPlan &member : planCheckpointFamily(problem))
    if (member.peakBytes <= *problem.budgetBytes)
      best = std::move(member); // The later one is cheaper.
  return best;
}

llvm::Expected<RematPlan> memplan::solveGreedy(const RematProblem &problem,
                                               const SolveLimits &limits) {
  if (!problem.budgetBytes || problem.start)
    return searchWithoutProof(problem, limits);
  std::optional<RematPlan> best = bestCheckpoints(problem);
  RematProblem started = problem;
  if (best)
    started.start = &best->schedule;
  llvm::Expected<RematPlan> found = searchWithoutProof(started, limits);
  if (!found || !best ||
      (!found->schedule.runs.empty() && !isBetter(problem, *best, *found)))
    return found;
  best->report = std::move(found->report);
  best->report.status = SolveStatus::Feasible;
  return std::move(*best);
}
