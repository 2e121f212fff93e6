//===- PlanCurve.cpp - What bytes cost in time ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PlanCurve.h"
#include "BudgetSweep.h"
#include "Family.h"
#include "Ladder.h"
#include "Reorder.h"
#include "StreamStep.h"
#include "SwapStep.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

/// Equal steps from the smallest plan to the one without limit.
static std::vector<int64_t> budgetsBetween(const Front &front, int64_t points) {
  std::vector<int64_t> budgets;
  const int64_t low = front.all().begin()->first;
  const int64_t high = front.all().rbegin()->first;
  for (int64_t i = 0; i < points; ++i)
    budgets.push_back(Rungs::between(low, high, i, points - 1));
  return budgets;
}

/// Solvers that have no family plan for each budget alone; a plan counts for
/// all budgets that it keeps.
static llvm::Expected<Front> planEach(const StepContext &context,
                                      int64_t points) {
  constexpr int rounds = 12;
  Front front;
  llvm::Expected<Attempts> walked = walkDown(context, std::nullopt);
  if (!walked)
    return walked.takeError();
  if (!walked->smallest)
    return front;
  front.add(std::move(*walked->smallest));
  if (walked->cheapest)
    front.add(std::move(*walked->cheapest));
  const RematSolver &solver = *context.solvers.remat;
  for (int64_t budget : budgetsBetween(front, points)) {
    llvm::Expected<Attempts> found = fitTarget(context, solver, budget, rounds,
                                               context.options.limits.effort);
    if (!found)
      return found.takeError();
    if (found->cheapest)
      front.add(std::move(*found->cheapest));
  }
  return front;
}

static llvm::Expected<Front> planAll(const StepContext &context,
                                     int64_t points) {
  if (!isSearch(*context.solvers.remat))
    return planEach(context, points);
  Family family(context, solverOfFamily(context));
  if (llvm::Error error = family.descend())
    return error;
  if (family.plans().all().empty())
    return Front();
  if (llvm::Error error =
          family.climbThrough(budgetsBetween(family.plans(), points)))
    return error;
  return family.plans();
}

/// A bound for a budget holds for all smaller ones.
static void takeBoundOf(const Plan &larger, Plan &plan) {
  if (!larger.bound || *larger.bound <= plan.bound.value_or(0) ||
      *larger.bound > plan.cost)
    return;
  plan.bound = larger.bound;
  plan.boundSpace = larger.boundSpace;
  plan.proof = larger.proof;
  if (isOptimalBound(*plan.bound, plan.cost))
    plan.status = SolveStatus::Optimal;
}

llvm::Expected<PlanCurve> memplan::planCurve(const Graph &graph,
                                             const PlanOptions &options,
                                             int64_t points) {
  if (points < 2)
    return llvm::createStringError(
        "a curve of %lld points is none; ask for at least 2",
        static_cast<long long>(points));
  if (llvm::Error error = graph.check())
    return error;
  GraphIndex index(graph);
  llvm::Expected<PreparedStep> prepared = prepareStep(index, options);
  if (!prepared)
    return prepared.takeError();
  if (llvm::Error error = refuseStreams(prepared->context.options, "pareto"))
    return std::move(error);
  const auto &[step, context] = *prepared;
  if (copies(context.solvers))
    return sweepBudgets(index, options, points);
  llvm::Expected<Front> front = planAll(context, points);
  if (!front)
    return front.takeError();
  PlanCurve curve;
  curve.leastCost = *reportRunOnce(graph).bound;
  curve.unplannedBytes = measureUnplanned(index).peakBytes;
  if (front->all().empty())
    return curve;
  const ProofEffort effort = effortOfProof(options).dividedBy(8);
  const std::vector<int64_t> budgets = budgetsBetween(*front, points);
  for (int64_t budget : llvm::reverse(budgets)) {
    const PackedStep &best = *front->cheapestWithin(budget);
    llvm::Expected<Plan> plan = finishPlan(
        context, best, budget, proveFor(context, budget, best, effort));
    if (!plan)
      return plan.takeError();
    step.restore(options, effort, *plan);
    if (!curve.plans.empty())
      takeBoundOf(curve.plans.back(), *plan);
    PlanOptions promised = options;
    promised.budgetBytes = budget;
    if (llvm::Error error = verifyStepPlan(index, *plan, promised))
      return invalidPlan(plan->solver, std::move(error));
    curve.plans.push_back(std::move(*plan));
  }
  std::reverse(curve.plans.begin(), curve.plans.end());
  return curve;
}
