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

using namespace memplan;

/// Of two variants of which one is no worse in cost and workspace, the search
/// takes that one; the runs are to stay as they are.
static void keepVariants(const Schedule &schedule,
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
  SearchProblem search;
  search.index = problem.index;
  search.budgetBytes =
      problem.budgetBytes.value_or(std::numeric_limits<int64_t>::max() / 4);
  search.inPlace = problem.inPlace != nullptr;
  search.bandwidth = graph.bandwidth.value_or(Bandwidth());
  search.hostBudgetBytes =
      problem.hostBudgetBytes ? problem.hostBudgetBytes : graph.hostBudgetBytes;
  search.rules.mayRecompute = false;
  search.keptRuns = problem.schedule;
  FoundPlan found = searchPlan(search, limits);
  SwapPlan plan;
  plan.report = found.report;
  if (found.actions.empty()) {
    plan.report.status = SolveStatus::NoPlan;
    plan.report.note = "the search found no copies that keep the budget";
    return plan;
  }
  plan.actions = std::move(found.actions);
  keepVariants(*problem.schedule, plan.actions);
  if (llvm::Error error = measureSwap(*problem.index, plan))
    return std::move(error);
  return plan;
}
