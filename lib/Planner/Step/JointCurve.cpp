//===- JointCurve.cpp - Curves of plans that recompute and copy -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ActionCurve.h"
#include "Family.h"
#include "JointStep.h"
#include "Ladder.h"
#include "Reorder.h"

using namespace memplan;

static PackedActions actionsOf(const PackedStep &packed) {
  return {packed.plan, packed.deviceBytes, packed.boundBytes, 0};
}

static std::vector<int64_t> budgetsBetween(int64_t low, int64_t high,
                                           int64_t points) {
  std::vector<int64_t> budgets;
  for (int64_t i = 0; i < points; ++i)
    budgets.push_back(Rungs::between(low, high, i, points - 1));
  return budgets;
}

/// Plans that only run again.
static llvm::Error addReruns(const StepContext &context, int64_t points,
                             ActionFront &front) {
  if (!isSearch(*context.solvers.remat)) {
    llvm::Expected<Attempts> walked = walkDown(context, std::nullopt);
    if (!walked)
      return walked.takeError();
    for (const auto &step : {walked->smallest, walked->cheapest})
      if (step)
        front.add(actionsOf(*step));
    return llvm::Error::success();
  }
  Family family(context, solverOfFamily(context));
  if (llvm::Error error = family.descend())
    return error;
  const auto &known = family.plans().all();
  if (known.empty())
    return llvm::Error::success();
  if (llvm::Error error = family.climbThrough(
          budgetsBetween(known.begin()->first, known.rbegin()->first, points)))
    return error;
  for (const auto &[bytes, step] : family.plans().all())
    front.add(actionsOf(step));
  return llvm::Error::success();
}

/// A bound for a budget holds for all smaller ones.
static void takeTimeBoundOf(const Plan &larger, Plan &plan) {
  if (!larger.timeBound || *larger.timeBound <= plan.timeBound.value_or(0) ||
      *larger.timeBound > plan.makespan())
    return;
  plan.timeBound = larger.timeBound;
  plan.timeBoundSpace = larger.timeBoundSpace;
}

llvm::Error memplan::boundTimes(const GraphIndex &index,
                                const PlanOptions &options, PlanCurve &curve) {
  llvm::Expected<PreparedStep> prepared = prepareStep(index, options);
  if (!prepared)
    return prepared.takeError();
  const ProofEffort effort = effortOfProof(options).dividedBy(8);
  const Plan *larger = nullptr;
  for (Plan &plan : llvm::reverse(curve.plans)) {
    claimTime(prepared->context, plan);
    if (&prepared->step.index() != &index)
      lowerTimeBound(index, options, effort, plan);
    if (larger)
      takeTimeBoundOf(*larger, plan);
    larger = &plan;
  }
  return llvm::Error::success();
}

llvm::Error memplan::climbJointly(const GraphIndex &index,
                                  const PlanOptions &options, int64_t points,
                                  CurvePlans &plans) {
  PlanOptions one = options;
  one.streams = 1;
  llvm::Expected<PreparedStep> prepared = prepareStep(index, one);
  if (!prepared)
    return prepared.takeError();
  const auto &[step, context] = *prepared;
  ActionFront front;
  if (llvm::Error error = addReruns(context, points, front))
    return error;
  if (llvm::Error error = climbWithCopies(context, points, front))
    return error;
  for (const auto &[bytes, packed] : front.all()) {
    Plan plan = packed.plan;
    plan.solver = std::string(context.solvers.remat->name) + "+" +
                  std::string(context.solvers.swap->name);
    step.restore(one, ProofEffort(), plan);
    plans.add(std::move(plan));
  }
  return llvm::Error::success();
}
