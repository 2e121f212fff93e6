//===- Prove.cpp - Bounds for plans that were chosen ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prove.h"
#include "memplan/Planner/Remat/Bounds/ProvedBound.h"
#include "memplan/Planner/Remat/ProveInOrder.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include <algorithm>

using namespace memplan;

ProofEffort memplan::effortOfProof(const PlanOptions &options) {
  // About a fifth of a second, and half a second.
  constexpr int64_t mostVisits = 20'000'000, mostToClose = 100'000'000;
  const int64_t asked = options.limits.effort;
  if (asked <= 0)
    return {mostVisits, mostToClose};
  // Moves of a search, and visits of a bound: about the same time.
  return {std::min(20 * std::min(asked, mostVisits), mostVisits),
          std::min(1000 * std::min(asked, mostToClose), mostToClose)};
}

/// Small steps: what live bytes allow, by branch and bound. A better plan on
/// the way counts for the bound only, since a larger budget would not find it.
static SolveReport closeFor(const StepContext &context,
                            const ContractedStep &step, int64_t budget,
                            const PackedStep &best, int64_t visits,
                            SolveReport report) {
  RematProblem problem = context.problemWithin(budget);
  problem.packedBytes = nullptr;
  RematPlan plan = best.remat;
  plan.report = std::move(report);
  proveInOrder(problem, step, visits, context.options.limits.stop, plan);
  return std::move(plan.report);
}

SolveReport memplan::proveFor(const StepContext &context, int64_t budget,
                              const PackedStep &best,
                              const ProofEffort &effort) {
  SolveReport report = reportRunOnce(context.index.graph());
  report.solver = best.plan.solver;
  // What is proved beyond that holds for the order in which the nodes stand.
  if (best.plan.cost <= *report.bound * (1 + 1e-4) || context.isStopped() ||
      context.solvers.order->traits.family == SolverFamily::Search)
    return report;
  const ContractedStep step(context.index, context.options.inPlace);
  raiseBound(report, proveCost(step, budget, best.plan.cost, effort.visits));
  return closeFor(context, step, budget, best, effort.visitsToClose,
                  std::move(report));
}
