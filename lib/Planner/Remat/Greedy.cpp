//===- Greedy.cpp - Byte-true greedy with local improvement ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own.
// Idea: from the plan without recomputation, drop at the highest stage the
//   value that frees most bytes for its cost, recursive recomputation of its
//   missing inputs included, until the budget holds; then anneal what is kept.
//   The best member of the checkpointing family is a second start. Where nodes
//   have variants it does so twice, counting the cheapest and the smallest.
// Cost: a move evaluates two or three stages; the default effort is a fixed
//   number of moves that falls with the size of the graph (seconds).
// Guarantee: a valid schedule within the budget or none; nothing about the
//   cost but the bound in the report.
//
//===----------------------------------------------------------------------===//

#include "Improve.h"
#include "Tuning.h"
#include "memplan/Planner/Remat/Checkmate.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

/// Moves that take a few seconds on one core, and less for small graphs.
static int64_t defaultMoves(const StageGraph &graph) {
  const int64_t stages = graph.numStages();
  return std::min<int64_t>(
      tuning::movesOfStage * stages,
      std::max<int64_t>(tuning::movesOfAll / (stages + tuning::stagesOfAny),
                        tuning::fewestMoves));
}

/// Cheapest plan of the checkpointing family that keeps the budget, as a
/// retention.
static std::optional<Retention> bestCheckpoints(const RematProblem &problem,
                                                const StageGraph &graph) {
  std::optional<Retention> best;
  std::optional<RematPlan> bestPlan;
  auto consider = [&](const Checkpoints &checkpoints) {
    Retention retention = keepCheckpoints(graph, checkpoints);
    RematPlan plan =
        measurePlan(problem, graph.expand(solveRows(graph, retention)));
    if (plan.peakBytes > *problem.budgetBytes ||
        (bestPlan && !isBetter(problem, plan, *bestPlan)))
      return;
    best = std::move(retention);
    bestPlan = std::move(plan);
  };
  for (const Checkpoints &candidates :
       {articulationCandidates(graph), linearCandidates(graph)}) {
    consider(everySqrt(candidates));
    int64_t total = 0;
    for (const StepValue &value : graph.values())
      if (graph.ops()[value.producer].forward)
        total += value.bytes;
    for (int64_t parts = 2; parts <= 64; parts += (parts + 3) / 4)
      consider(byAccumulatedBytes(graph, candidates, total / parts));
  }
  return best;
}

/// The plan of a retention. Runs that turn out to serve nothing are left out:
/// the run list lets a later run of an op serve more users than the retention
/// that led to it.
static RematPlan planOf(const RematProblem &problem, const StageGraph &graph,
                        Retention retention) {
  retention = retentionOf(graph, solveRows(graph, retention));
  return measurePlan(problem, graph.expand(solveRows(graph, retention)));
}

/// The retention of a schedule whose first runs stand in source order: what
/// runs between two first runs belongs to the stage of the second.
static Retention startOf(const StageGraph &graph, const Schedule &schedule) {
  std::vector<int32_t> opOf(graph.index().graph().nodes.size(), -1);
  for (int32_t op = 0; op < graph.numOps(); ++op)
    if (graph.ops()[op].node.isValid())
      opOf[graph.ops()[op].node.index] = op;
  StageRows rows(size_t(graph.numStages()));
  int32_t stage = 0;
  for (NodeId node : schedule.runs) {
    const int32_t op = opOf[node.index];
    if (op < 0 || stage >= graph.numStages())
      continue;
    std::vector<int32_t> &row = rows[stage];
    if (!llvm::is_contained(row, op))
      row.insert(llvm::upper_bound(row, op), op);
    if (op == stage)
      ++stage;
  }
  for (; stage < graph.numStages(); ++stage)
    if (!llvm::is_contained(rows[stage], stage))
      rows[stage].push_back(stage);
  Retention retention = retentionOf(graph, rows);
  solveRows(graph, retention);
  return retention;
}

/// One search with a limit on the bytes of the step's values; the best plan or,
/// if none fits, the closest.
static std::optional<RematPlan> search(const RematProblem &problem,
                                       const StageGraph &graph,
                                       int64_t limitBytes,
                                       const SolveLimits &limits) {
  Improver improver(graph, limitBytes, limits);
  const int64_t moves = limits.effort > 0 ? limits.effort : defaultMoves(graph);
  if (problem.start) {
    improver.start(startOf(graph, *problem.start));
    improver.dropGreedily();
    improver.anneal(moves);
    if (improver.best())
      return planOf(problem, graph, *improver.best());
    return std::nullopt;
  }
  // On small graphs single searches differ by a percent; on large ones a long
  // search is worth more than several short ones.
  const int searches =
      graph.numStages() <= smallStep ? tuning::startsOfSmall : 1;
  for (int i = 0; i < searches; ++i) {
    improver.start(keepAll(graph));
    if (i == 0)
      improver.dropGreedily();
    improver.anneal(moves / searches);
  }
  if (std::optional<Retention> checkpoints = bestCheckpoints(problem, graph))
    improver.start(*checkpoints);
  if (improver.best())
    return planOf(problem, graph, *improver.best());
  if (improver.closest())
    return planOf(problem, graph, *improver.closest());
  return std::nullopt;
}

/// Searches with a limit that falls while in-place pairs of the run list differ
/// from those that the stages count on. The best plan within the budget, if
/// any; lowers `least` to the least peak seen.
static std::optional<RematPlan> searchWithinBudget(const RematProblem &problem,
                                                   const StageGraph &graph,
                                                   const SolveLimits &limits,
                                                   int64_t &least) {
  int64_t limit =
      *problem.budgetBytes - problem.index->graph().persistentBytes();
  for (int attempt = 0; attempt < 3 && limit > 0; ++attempt) {
    std::optional<RematPlan> plan = search(problem, graph, limit, limits);
    if (!plan || plan->peakBytes <= *problem.budgetBytes)
      return plan;
    least = std::min(least, plan->peakBytes);
    const int64_t excess = plan->peakBytes - *problem.budgetBytes;
    if (excess > limit / 20)
      break;
    limit -= excess;
  }
  return std::nullopt;
}

/// Workspaces of the cheapest variants leave the least room, those of the
/// smallest ones the most; which is better shows when runs have got theirs.
static std::vector<CountedVariant> countedVariants(const Graph &graph) {
  if (llvm::none_of(graph.nodes,
                    [](const Node &node) { return !node.variants.empty(); }))
    return {CountedVariant::Cheapest};
  return {CountedVariant::Cheapest, CountedVariant::Smallest};
}

llvm::Expected<RematPlan> memplan::solveGreedy(const RematProblem &problem,
                                               const SolveLimits &limits) {
  llvm::Expected<RematPlan> unplanned = solveCheckpointAll(problem, limits);
  if (!unplanned || unplanned->report.status == SolveStatus::Optimal)
    return unplanned; // Nothing to gain.
  if (!problem.budgetBytes)
    return unplanned;
  std::optional<RematPlan> best;
  if (!unplanned->schedule.runs.empty()) {
    best = *unplanned; // In slow variants: recomputation may be cheaper.
  } else if (problem.lowerBoundBytes() > *problem.budgetBytes) {
    unplanned->report.note =
        "the working set of a single node exceeds the budget";
    return unplanned;
  }
  int64_t least = unplanned->minimumBudgetBytes.value_or(
      std::numeric_limits<int64_t>::max());
  for (CountedVariant counted : countedVariants(problem.index->graph())) {
    StageGraph graph(*problem.index, problem.inPlace, counted);
    std::optional<RematPlan> plan =
        searchWithinBudget(problem, graph, limits, least);
    if (plan && (!best || isBetter(problem, *plan, *best)))
      best = std::move(plan);
  }
  if (best)
    return std::move(*best);
  RematPlan none =
      withoutPlan(problem, "the search found no schedule within the budget");
  none.minimumBudgetBytes = least;
  return none;
}
