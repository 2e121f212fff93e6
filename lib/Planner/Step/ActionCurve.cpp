//===- ActionCurve.cpp - A curve of plans with copies or streams ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ActionCurve.h"
#include "Family.h"
#include "Reorder.h"
#include "StreamStep.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include "memplan/Planner/Step/PackActions.h"
#include "llvm/ADT/Twine.h"

using namespace memplan;

void CurvePlans::add(Plan plan) {
  const int64_t bytes = deviceBytesOf(index->graph(), plan);
  auto [known, isNew] = plans.try_emplace(bytes, plan);
  if (!isNew && plan.makespan() < known->second.makespan())
    known->second = std::move(plan);
}

const Plan *CurvePlans::fastestWithin(int64_t budgetBytes) const {
  const Plan *fastest = nullptr;
  for (const auto &[bytes, plan] : plans)
    if (bytes <= budgetBytes &&
        (!fastest || plan.makespan() < fastest->makespan()))
      fastest = &plan;
  return fastest;
}

int64_t CurvePlans::budgetOf(int64_t point, int64_t points) const {
  return Rungs::between(leastBytes(), mostBytes(), point, points - 1);
}

/// Every node runs once on some stream, and one of the longest path after the
/// other.
double memplan::leastTimeOn(const GraphIndex &index, int64_t streams) {
  const Graph &graph = index.graph();
  std::vector<double> ends(graph.tensors.size(), 0);
  double longest = 0;
  for (const Node &node : graph.nodes) {
    double start = 0, cost = node.variant(0).cost;
    for (int32_t v = 1; v < node.numVariants(); ++v)
      cost = std::min(cost, node.variant(v).cost);
    for (TensorId input : node.inputs)
      start = std::max(start, ends[input.index]);
    for (TensorId output : node.outputs)
      ends[output.index] = start + cost;
    longest = std::max(longest, start + cost);
  }
  return std::max(longest, *reportRunOnce(graph).bound / double(streams));
}

llvm::Expected<PlanCurve> CurvePlans::curveOf(int64_t points) const {
  PlanCurve curve;
  curve.leastCost = *reportRunOnce(index->graph()).bound;
  curve.unplannedBytes = measureUnplanned(*index).peakBytes;
  if (options->streams > 1)
    curve.leastTime = leastTimeOn(*index, options->streams);
  for (int64_t point = 0; point < points && !isEmpty(); ++point) {
    // What was proved for the budget of that plan says nothing of a larger one.
    Plan plan = *fastestWithin(budgetOf(point, points));
    plan.graphHash = hashGraph(index->graph());
    plan.budgetBytes = budgetOf(point, points);
    boundByRunOnce(index->graph(), plan);
    PlanOptions promised = *options;
    promised.budgetBytes = plan.budgetBytes;
    if (llvm::Error error = verifyStepPlan(*index, plan, promised))
      return invalidPlan(plan.solver, std::move(error));
    curve.plans.push_back(std::move(plan));
  }
  return curve;
}

namespace {
/// planStep() for one budget after the other.
class BudgetSweep {
public:
  BudgetSweep(const GraphIndex &index, const PlanOptions &given,
              CurvePlans &plans)
      : index(index), options(given), clock(options.limits), plans(plans) {
    options.streams = 1;
    options.pareto = 0;
    options.paretoPlans.clear();
  }

  /// True where there is a plan.
  llvm::Expected<bool> plan(std::optional<int64_t> budget);
  /// Halves the range between what one node needs and the smallest plan.
  llvm::Error lookForLess(int rounds);
  bool isStopped() const { return clock.isStopped(); }

private:
  const GraphIndex &index;
  PlanOptions options;
  SolveClock clock;
  CurvePlans &plans;
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
  plans.add(std::move(*made));
  return true;
}

llvm::Error BudgetSweep::lookForLess(int rounds) {
  int64_t refused = boundByWorkingSet(index).bytes - 1;
  for (int round = 0; round < rounds && !isStopped(); ++round) {
    const int64_t budget = Rungs::between(refused, plans.leastBytes(), 1, 2);
    if (budget <= refused || budget >= plans.leastBytes() || budget <= 0)
      break;
    llvm::Expected<bool> found = plan(budget);
    if (!found)
      return found.takeError();
    if (!*found)
      refused = budget;
  }
  return llvm::Error::success();
}

llvm::Error memplan::planEachBudget(const GraphIndex &index,
                                    const PlanOptions &options, int64_t points,
                                    CurvePlans &plans) {
  constexpr int roundsDown = 7;
  BudgetSweep sweep(index, options, plans);
  llvm::Expected<bool> found = sweep.plan(std::nullopt);
  if (!found)
    return found.takeError();
  if (plans.isEmpty())
    return llvm::Error::success();
  if (llvm::Error error = sweep.lookForLess(roundsDown))
    return error;
  for (int64_t point = 1; point + 1 < points && !sweep.isStopped(); ++point)
    if (llvm::Expected<bool> more = sweep.plan(plans.budgetOf(point, points));
        !more)
      return more.takeError();
  return llvm::Error::success();
}

llvm::Error memplan::spreadEach(const GraphIndex &index,
                                const PlanOptions &options, int64_t points,
                                const CurvePlans &single, CurvePlans &plans) {
  llvm::Expected<StepSolvers> solvers = findSolvers(options);
  if (!solvers)
    return solvers.takeError();
  auto spread = [&](std::optional<int64_t> budget,
                    const Plan *plan) -> llvm::Error {
    if (!plan)
      return llvm::Error::success();
    PlanOptions within = options;
    within.budgetBytes = budget;
    Plan one = *plan;
    one.note.clear();
    llvm::Expected<Plan> made = spreadOverStreams(
        {index, within, *solvers}, std::move(one), {}, /*replan=*/nullptr);
    if (made)
      plans.add(std::move(*made));
    return made.takeError();
  };
  if (single.isEmpty())
    return llvm::Error::success();
  // Side by side, the fastest plan may take more than it does on one stream.
  if (llvm::Error error =
          spread(std::nullopt, single.fastestWithin(single.mostBytes())))
    return error;
  for (int64_t point = 0; point < points; ++point) {
    const int64_t budget = single.budgetOf(point, points);
    const Plan *plan = single.fastestWithin(budget);
    if (llvm::Error error = spread(budget, plan))
      return error;
    // Runs side by side need room, which a plan for less leaves.
    const Plan *smaller =
        point ? single.fastestWithin(single.budgetOf(point - 1, points))
              : nullptr;
    if (smaller != plan)
      if (llvm::Error error = spread(budget, smaller))
        return error;
  }
  return llvm::Error::success();
}
