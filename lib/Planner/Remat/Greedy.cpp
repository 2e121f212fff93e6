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
//   Where nodes have variants, members count the cheapest and the smallest
//   ones.
// Cost: that of `search` without its proofs, and of some 40 members.
// Guarantee: a valid schedule within the budget or none, which costs no more
//   than any of these members.
//
//===----------------------------------------------------------------------===//

#include "Tuning.h"
#include "memplan/Planner/Remat/Checkmate.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "llvm/ADT/STLExtras.h"

using namespace memplan;

/// The cheapest plan of the checkpointing family that keeps the budget, or the
/// given one where none is better.
static void takeBestCheckpoints(const RematProblem &problem,
                                const StageGraph &graph,
                                std::optional<RematPlan> &best) {
  auto consider = [&](const Checkpoints &checkpoints) {
    Retention retention = keepCheckpoints(graph, checkpoints);
    // Runs that turn out to serve nothing are left out: the run list lets a
    // later run of an op serve more users than the retention that led to it.
    retention = retentionOf(graph, solveRows(graph, retention));
    RematPlan plan =
        measurePlan(problem, graph.expand(solveRows(graph, retention)));
    if (plan.peakBytes <= *problem.budgetBytes &&
        (!best || isBetter(problem, plan, *best)))
      best = std::move(plan);
  };
  for (const Checkpoints &candidates :
       {articulationCandidates(graph), linearCandidates(graph)}) {
    consider(everySqrt(candidates));
    int64_t total = 0;
    for (const StepValue &value : graph.values())
      if (graph.ops()[value.producer].forward)
        total += value.bytes;
    for (int64_t parts = 2; parts <= tuning::mostSegmentParts;
         parts += (parts + tuning::growthOfParts - 1) / tuning::growthOfParts)
      consider(byAccumulatedBytes(graph, candidates, total / parts));
  }
}

/// Workspaces of the cheapest variants leave the least room, those of the
/// smallest ones the most; which is better shows when runs have got theirs.
static std::vector<CountedVariant> countedVariants(const Graph &graph) {
  if (llvm::none_of(graph.nodes,
                    [](const Node &node) { return !node.variants.empty(); }))
    return {CountedVariant::Cheapest};
  return {CountedVariant::Cheapest, CountedVariant::Smallest};
}

std::optional<RematPlan> memplan::bestCheckpoints(const RematProblem &problem) {
  std::optional<RematPlan> best;
  for (CountedVariant counted : countedVariants(problem.index->graph()))
    takeBestCheckpoints(
        problem, StageGraph(*problem.index, problem.inPlace, counted), best);
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
