//===- PlanCurve.cpp - What bytes cost in time ----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/PlanCurve.h"
#include "ActionCurve.h"
#include "Family.h"
#include "JointStep.h"
#include "Ladder.h"
#include "Reorder.h"
#include "SwapStep.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

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

/// Without copies and on one stream: each point with a bound of its own.
static llvm::Expected<PlanCurve> certify(const GraphIndex &index,
                                         const PlanOptions &options,
                                         const PreparedStep &prepared,
                                         int64_t points) {
  const auto &[step, context] = prepared;
  llvm::Expected<Front> front = planAll(context, points);
  if (!front)
    return front.takeError();
  PlanCurve curve;
  curve.leastCost = *reportRunOnce(index.graph()).bound;
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

/// Plans on one stream, with copies or without.
static llvm::Error planSingle(const GraphIndex &index,
                              const PlanOptions &options, int64_t points,
                              CurvePlans &plans) {
  PlanOptions one = options;
  one.streams = 1;
  llvm::Expected<PreparedStep> prepared = prepareStep(index, one);
  if (!prepared)
    return prepared.takeError();
  if (copies(prepared->context.solvers))
    return plansJointly(prepared->context) && !options.limits.timeLimitSeconds
               ? climbJointly(index, one, points, plans)
               : planEachBudget(index, one, points, plans);
  llvm::Expected<PlanCurve> curve = certify(index, one, *prepared, points);
  if (curve)
    for (Plan &plan : curve->plans)
      plans.add(std::move(plan));
  return curve.takeError();
}

llvm::Expected<PlanCurve> memplan::planCurve(const Graph &graph,
                                             const PlanOptions &options,
                                             int64_t points,
                                             llvm::ArrayRef<Plan> known) {
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
  const bool isJoint = plansJointly(prepared->context);
  if (!copies(prepared->context.solvers) && options.streams == 1)
    return certify(index, options, *prepared, points);
  CurvePlans single(index, options), plans(index, options);
  if (llvm::Error error = planSingle(index, options, points, single))
    return std::move(error);
  if (options.streams == 1)
    plans = std::move(single);
  else if (llvm::Error error =
               spreadEach(index, options, points, single, plans))
    return std::move(error);
  for (const Plan &plan : known)
    plans.add(plan);
  llvm::Expected<PlanCurve> curve = plans.curveOf(points);
  if (curve && isJoint && options.streams == 1)
    if (llvm::Error error = boundTimes(index, options, *curve))
      return std::move(error);
  return curve;
}

/// Whether whatever takes the one takes no more time on the other.
static bool isSlower(const Bandwidth &a, const Bandwidth &b) {
  auto rate = [](std::optional<double> value) {
    return value.value_or(std::numeric_limits<double>::infinity());
  };
  return rate(a.hostToDevice) <= rate(b.hostToDevice) &&
         rate(a.deviceToHost) <= rate(b.deviceToHost) && a.latency >= b.latency;
}

/// The plans of a curve at a slower link, timed anew.
static llvm::Error addTimed(const PlanCurve &curve, const GraphIndex &index,
                            std::vector<Plan> &known) {
  for (Plan plan : curve.plans) {
    llvm::Expected<Replay> replay = replayPlan(index, plan);
    if (!replay)
      return replay.takeError();
    plan.time = replay->time;
    known.push_back(std::move(plan));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<CurveAt>>
memplan::planCurves(const Graph &graph, const PlanOptions &options) {
  std::vector<CurveAt> curves;
  if (options.paretoBandwidths.empty())
    curves.push_back({graph, {}});
  for (const Bandwidth &bandwidth : options.paretoBandwidths) {
    curves.push_back({graph, {}});
    curves.back().graph.bandwidth = bandwidth;
  }
  // Slower ones first.
  std::vector<CurveAt *> order;
  for (CurveAt &curve : curves)
    order.push_back(&curve);
  llvm::sort(order, [](const CurveAt *a, const CurveAt *b) {
    const Bandwidth x = a->graph.bandwidth.value_or(Bandwidth());
    const Bandwidth y = b->graph.bandwidth.value_or(Bandwidth());
    return std::tuple(x.hostToDevice, x.deviceToHost, -x.latency, a) <
           std::tuple(y.hostToDevice, y.deviceToHost, -y.latency, b);
  });
  for (auto at = order.begin(); at != order.end(); ++at) {
    const GraphIndex index((*at)->graph);
    std::vector<Plan> known;
    for (auto slower = order.begin(); slower != at; ++slower)
      if (isSlower(*(*slower)->graph.bandwidth, *(*at)->graph.bandwidth))
        if (llvm::Error error = addTimed((*slower)->curve, index, known))
          return std::move(error);
    llvm::Expected<PlanCurve> curve =
        planCurve((*at)->graph, options, options.pareto, known);
    if (!curve)
      return curve.takeError();
    (*at)->curve = std::move(*curve);
  }
  return curves;
}
