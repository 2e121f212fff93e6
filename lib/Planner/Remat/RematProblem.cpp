//===- RematProblem.cpp - Which nodes run when, and again -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/RematProblem.h"
#include "memplan/Planner/InPlace/InPlaceProblem.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include <cmath>

using namespace memplan;
using llvm::createStringError;

llvm::Error RematProblem::check() const {
  if (!index)
    return createStringError("remat problem without a graph");
  if (llvm::Error error = index->graph().check())
    return violation("remat_i1", std::move(error));
  if (budgetBytes && *budgetBytes < 0)
    return violation("remat_i2",
                     createStringError("budget of %lld bytes is negative",
                                       static_cast<long long>(*budgetBytes)));
  return llvm::Error::success();
}

/// remat_c5
static llvm::Error verifyWithoutPlan(const RematProblem &problem,
                                     const RematPlan &plan) {
  const bool none = plan.report.status == SolveStatus::Infeasible ||
                    plan.report.status == SolveStatus::NoPlan;
  if (!none)
    return createStringError("status is %s, but the schedule is empty",
                             statusName(plan.report.status));
  if (plan.report.status == SolveStatus::Infeasible &&
      (!plan.boundBytes || !problem.budgetBytes ||
       *plan.boundBytes <= *problem.budgetBytes))
    return createStringError(
        "status is infeasible, but the bound of %lld bytes is not above the "
        "budget of %lld",
        static_cast<long long>(plan.boundBytes.value_or(0)),
        static_cast<long long>(problem.budgetBytes.value_or(0)));
  return llvm::Error::success();
}

/// remat_c1
static llvm::Error verifyRuns(const RematProblem &problem,
                              const RematPlan &plan) {
  if (llvm::Error error = verifySchedule(*problem.index, plan.schedule))
    return error;
  if (plan.inPlace.size() != plan.schedule.runs.size())
    return createStringError("in-place choices for %zu runs, but there are %zu",
                             plan.inPlace.size(), plan.schedule.runs.size());
  return InPlaceProblem{problem.index, &plan.schedule}.verify(plan.inPlace);
}

/// remat_c2
static llvm::Error verifyClaims(const ScheduleMetrics &metrics,
                                const RematPlan &plan) {
  if (metrics.peakBytes != plan.peakBytes)
    return createStringError("peak is %lld bytes, but the plan says %lld",
                             static_cast<long long>(metrics.peakBytes),
                             static_cast<long long>(plan.peakBytes));
  if (std::abs(metrics.cost - plan.cost) > 1e-9 * std::max(1.0, metrics.cost))
    return createStringError("cost is %g, but the plan says %g", metrics.cost,
                             plan.cost);
  return llvm::Error::success();
}

/// remat_c4
static llvm::Error verifyBound(const RematPlan &plan) {
  const std::optional<double> &bound = plan.report.bound;
  if (bound && *bound > plan.cost * (1 + 1e-9) + 1e-9)
    return createStringError("the bound %.9g is above the cost %.9g", *bound,
                             plan.cost);
  if (plan.report.status == SolveStatus::Optimal &&
      (!bound || *bound < plan.cost * (1 - 1e-4) - 1e-9))
    return createStringError("status is optimal, but no bound reaches the cost "
                             "%g",
                             plan.cost);
  return llvm::Error::success();
}

llvm::Error RematProblem::verify(const RematPlan &plan) const {
  if (plan.schedule.runs.empty() && !index->graph().nodes.empty()) {
    if (llvm::Error error = verifyWithoutPlan(*this, plan))
      return violation("remat_c5", std::move(error));
    return llvm::Error::success();
  }
  if (llvm::Error error = verifyRuns(*this, plan))
    return violation("remat_c1", std::move(error));
  ScheduleMetrics metrics =
      measureSchedule(*index, plan.schedule, plan.inPlace);
  if (llvm::Error error = verifyClaims(metrics, plan))
    return violation("remat_c2", std::move(error));
  if (budgetBytes && plan.peakBytes > *budgetBytes)
    return violation(
        "remat_c3",
        createStringError(
            "peak of %lld bytes at run %d exceeds the budget of %lld",
            static_cast<long long>(plan.peakBytes), metrics.peakRun,
            static_cast<long long>(*budgetBytes)));
  if (llvm::Error error = verifyBound(plan))
    return violation("remat_c4", std::move(error));
  return llvm::Error::success();
}

int64_t RematProblem::lowerBoundBytes() const {
  return largestWorkingSet(*index, inPlace).bytes;
}
