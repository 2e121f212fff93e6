//===- ProveInOrder.cpp - Proofs for the plan in hand ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/ProveInOrder.h"
#include "Tuning.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include <algorithm>

using namespace memplan;

bool memplan::isProved(const RematPlan &plan) {
  return !plan.schedule.runs.empty() && plan.report.bound &&
         isOptimalBound(*plan.report.bound, plan.cost);
}

RematPlan memplan::impossibleInOrder(const RematProblem &problem,
                                     llvm::StringRef proof) {
  RematPlan none =
      withoutPlan(problem, "nothing fits in source order; other orders may");
  if (none.report.status == SolveStatus::Infeasible)
    return none; // In any order.
  none.report.status = SolveStatus::Infeasible;
  none.report.boundSpace = "fixed-order";
  none.report.proof = proof.str();
  none.boundBytes = *problem.budgetBytes + 1;
  return none;
}

/// Takes a plan that keeps the budget once packed if it is cheaper than `plan`.
/// The cost of the better one, or nothing if it does not keep it.
static std::optional<double> takeIfCheaper(const RematProblem &problem,
                                           Schedule schedule, RematPlan &plan) {
  if (llvm::errorToBool(verifySchedule(*problem.index, schedule)))
    return std::nullopt;
  RematPlan found = measurePlan(problem, std::move(schedule));
  const int64_t budget = *problem.budgetBytes;
  if (found.peakBytes > budget ||
      (problem.packedBytes && problem.packedBytes(found) > budget))
    return std::nullopt;
  if (found.cost < plan.cost) {
    found.report = std::move(plan.report);
    plan = std::move(found);
  }
  return plan.cost;
}

void memplan::proveInOrder(const RematProblem &problem,
                           const ContractedStep &step, int64_t visits,
                           const std::atomic<bool> *stop, RematPlan &plan) {
  if (problem.mayReorder || visits <= 0 || step.numOps() > smallStep ||
      isProved(plan) || plan.report.status == SolveStatus::Infeasible)
    return;
  if (plan.schedule.runs.empty()) {
    if (isImpossible(step, *problem.budgetBytes,
                     std::min(visits, tuning::mostVisitsOfSets), stop))
      plan = impossibleInOrder(problem, "exact");
    return;
  }
  Closing closing = closeGap(
      step, *problem.budgetBytes, plan.cost,
      [&](llvm::ArrayRef<int32_t> sequence) {
        return takeIfCheaper(problem, step.expand(sequence), plan);
      },
      visits, stop);
  closing.bound.cost = std::min(closing.bound.cost, plan.cost);
  raiseBound(plan.report, closing.bound);
  if (isProved(plan))
    plan.report.status = SolveStatus::Optimal;
}
