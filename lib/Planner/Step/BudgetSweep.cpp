//===- BudgetSweep.cpp - A curve of plans with copies ---------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BudgetSweep.h"
#include "Family.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include "memplan/Planner/Step/PackActions.h"
#include <map>

using namespace memplan;

namespace {
class BudgetSweep {
public:
  BudgetSweep(const GraphIndex &index, const PlanOptions &options)
      : index(index), options(options), clock(this->options.limits) {
    this->options.pareto = 0;
    this->options.paretoPlans.clear();
  }

  /// Plans within `budget`; true where there is a plan.
  llvm::Expected<bool> plan(std::optional<int64_t> budget);
  /// Halves the range between what one node needs and the smallest plan.
  llvm::Error lookForLess(int rounds);
  /// The fastest plan that keeps the budget, as a plan for that budget.
  llvm::Expected<Plan> fastestWithin(int64_t budget) const;

  bool isStopped() const { return clock.isStopped(); }
  bool isEmpty() const { return plans.empty(); }
  int64_t leastBytes() const { return plans.begin()->first; }
  int64_t mostBytes() const { return plans.rbegin()->first; }

private:
  const GraphIndex &index;
  PlanOptions options;
  SolveClock clock;
  std::map<int64_t, Plan> plans; ///< The fastest for so many device bytes.
};
} // namespace

llvm::Expected<bool> BudgetSweep::plan(std::optional<int64_t> budget) {
  PlanOptions one = options;
  one.budgetBytes = budget;
  one.limits.timeLimitSeconds = clock.secondsLeft();
  llvm::Expected<Plan> made = planStep(index.graph(), one);
  if (!made)
    return made.takeError();
  if (!hasSteps(made->status))
    return false;
  const int64_t bytes = deviceBytesOf(index.graph(), *made);
  auto [known, isNew] = plans.try_emplace(bytes, *made);
  if (!isNew && made->makespan() < known->second.makespan())
    known->second = std::move(*made);
  return true;
}

llvm::Error BudgetSweep::lookForLess(int rounds) {
  int64_t refused = boundByWorkingSet(index).bytes - 1;
  for (int round = 0; round < rounds && !isStopped(); ++round) {
    const int64_t budget = Rungs::between(refused, leastBytes(), 1, 2);
    if (budget <= refused || budget >= leastBytes() || budget <= 0)
      break;
    llvm::Expected<bool> found = plan(budget);
    if (!found)
      return found.takeError();
    if (!*found)
      refused = budget;
  }
  return llvm::Error::success();
}

llvm::Expected<Plan> BudgetSweep::fastestWithin(int64_t budget) const {
  const Plan *fastest = nullptr;
  for (const auto &[bytes, plan] : plans)
    if (bytes <= budget && (!fastest || plan.makespan() < fastest->makespan()))
      fastest = &plan;
  // What was proved for the budget of that plan says nothing of a larger one.
  Plan plan = *fastest;
  plan.budgetBytes = budget;
  boundByRunOnce(index.graph(), plan);
  PlanOptions promised = options;
  promised.budgetBytes = budget;
  if (llvm::Error error = verifyStepPlan(index, plan, promised))
    return invalidPlan(plan.solver, std::move(error));
  return plan;
}

llvm::Expected<PlanCurve> memplan::sweepBudgets(const GraphIndex &index,
                                                const PlanOptions &options,
                                                int64_t points) {
  constexpr int roundsDown = 7;
  BudgetSweep sweep(index, options);
  PlanCurve curve;
  curve.leastCost = *reportRunOnce(index.graph()).bound;
  curve.unplannedBytes = measureUnplanned(index).peakBytes;
  llvm::Expected<bool> found = sweep.plan(std::nullopt);
  if (!found)
    return found.takeError();
  if (sweep.isEmpty())
    return curve;
  if (llvm::Error error = sweep.lookForLess(roundsDown))
    return std::move(error);
  const int64_t low = sweep.leastBytes(), high = sweep.mostBytes();
  auto budgetOf = [&](int64_t point) {
    return Rungs::between(low, high, point, points - 1);
  };
  for (int64_t point = 1; point + 1 < points && !sweep.isStopped(); ++point)
    if (llvm::Expected<bool> more = sweep.plan(budgetOf(point)); !more)
      return more.takeError();
  for (int64_t point = 0; point < points; ++point) {
    llvm::Expected<Plan> plan = sweep.fastestWithin(budgetOf(point));
    if (!plan)
      return plan.takeError();
    curve.plans.push_back(std::move(*plan));
  }
  return curve;
}
