//===- SearchCopies.cpp - Copies where they cost the least time -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: memplan's own; the search of docs/Planner/Joint.md with all
//   runs kept as the schedule has them.
// Guarantee: valid actions within both budgets, or none.
//
//===----------------------------------------------------------------------===//

#include "SearchCopies.h"
#include "memplan/Planner/Search/SearchProblem.h"
#include <algorithm>

using namespace memplan;

/// The step with one variant a node, so that the search cannot choose another
/// than the schedule has. Where runs of a node differ, one that is no better
/// than any of them: what fits with it fits with theirs.
static Graph withVariantsOf(const Graph &graph, const Schedule &schedule) {
  Graph kept = graph;
  for (Node &node : kept.nodes) {
    node.variants.clear();
    node.cost = 0;
    node.workspaceBytes = 0;
  }
  for (size_t run = 0; run < schedule.runs.size(); ++run) {
    const int32_t number =
        schedule.variants.empty() ? 0 : schedule.variants[run];
    const NodeVariant variant = graph[schedule.runs[run]].variant(number);
    Node &node = kept.nodes[schedule.runs[run].index];
    node.cost = std::max(node.cost, variant.cost);
    node.workspaceBytes = std::max(node.workspaceBytes, variant.workspaceBytes);
  }
  return kept;
}

/// Names the variants that the schedule has.
static void nameVariants(const Schedule &schedule,
                         std::vector<PlanAction> &actions) {
  if (schedule.variants.empty())
    return;
  size_t run = 0;
  for (PlanAction &action : actions) {
    if (action.action != ActionKind::Compute)
      continue;
    size_t at = run;
    while (at < schedule.runs.size() && schedule.runs[at] != action.node)
      ++at;
    if (at == schedule.runs.size())
      continue; // A view that is recomputed.
    action.variant = schedule.variants[at];
    run = at + 1;
  }
}

llvm::Expected<SwapPlan> memplan::solveSearchCopies(const SwapProblem &problem,
                                                    const SolveLimits &limits) {
  const Graph &graph = problem.index->graph();
  const Graph kept = withVariantsOf(graph, *problem.schedule);
  const GraphIndex keptIndex(kept);
  const Schedule runs{problem.schedule->runs, {}};
  SearchProblem search;
  search.index = &keptIndex;
  search.budgetBytes =
      problem.budgetBytes.value_or(std::numeric_limits<int64_t>::max() / 4);
  search.inPlace = problem.inPlace != nullptr;
  search.bandwidth = graph.bandwidth.value_or(Bandwidth());
  search.hostBudgetBytes =
      problem.hostBudgetBytes ? problem.hostBudgetBytes : graph.hostBudgetBytes;
  search.rules.mayRecompute = false;
  search.keptRuns = &runs;
  FoundPlan found = searchPlan(search, limits);
  SwapPlan plan;
  plan.report = found.report;
  if (found.actions.empty()) {
    plan.report.status = SolveStatus::NoPlan;
    plan.report.note = "the search found no copies that keep the budget";
    return plan;
  }
  plan.actions = std::move(found.actions);
  nameVariants(*problem.schedule, plan.actions);
  if (llvm::Error error = measureSwap(*problem.index, plan))
    return std::move(error);
  return plan;
}
