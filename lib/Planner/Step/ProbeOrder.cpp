//===- ProbeOrder.cpp - Which order recomputes for less -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeOrder.h"
#include "Pack.h"
#include "Tuning.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include "memplan/Schedule/Liveness.h"

using namespace memplan;

/// What a first plan within that many live bytes costs; empty where none is
/// found.
static std::optional<double> quickCost(const GraphIndex &index, bool inPlace,
                                       int64_t budgetBytes) {
  RematProblem problem;
  problem.index = &index;
  problem.inPlace = inPlace;
  problem.budgetBytes = budgetBytes;
  SolveLimits first;
  first.effort = 1;
  first.rampMoves =
      tuning::movesOfProbe * int64_t(index.graph().nodes.size()) + 1;
  llvm::Expected<RematPlan> plan = searchWithoutProof(problem, first);
  if (!plan) {
    // The final plan meets the error again.
    llvm::consumeError(plan.takeError());
    return std::nullopt;
  }
  if (plan->schedule.runs.empty())
    return std::nullopt;
  return plan->cost;
}

/// Device bytes of the schedule. The limits are not those of the caller: what
/// is chosen must not depend on a clock.
static int64_t packedBytesOf(const GraphIndex &index, Schedule schedule,
                             const StepSolvers &solvers,
                             const PlanOptions &options) {
  RematProblem problem;
  problem.index = &index;
  problem.inPlace = options.inPlace;
  SolveLimits quick;
  quick.effort = tuning::packingOfOrder;
  llvm::Expected<PackedPlan> packed =
      packStep(index, measurePlan(problem, std::move(schedule)), solvers,
               options, quick);
  if (packed)
    return packed->deviceBytes;
  // The final packing meets the error again.
  llvm::consumeError(packed.takeError());
  return std::numeric_limits<int64_t>::max();
}

OrderProbes::Probe OrderProbes::make(std::vector<NodeId> order) const {
  Probe probe{order, ReorderedStep(index, std::move(order)), nullptr};
  if (int64_t(probe.order.size()) >= tuning::fewestNodesOfTurns)
    probe.turns = FewTurns::find(probe.step.index(), options.inPlace);
  return probe;
}

const OrderProbes::Probe &OrderProbes::find(const std::vector<NodeId> &order) {
  auto isIt = [&](const Probe &probe) { return probe.order == order; };
  if (auto known = llvm::find_if(probes, isIt); known != probes.end())
    return *known;
  probes.push_back(make(order));
  return probes.back();
}

OrderProbes::Probe OrderProbes::take(std::vector<NodeId> order) {
  auto isIt = [&](const Probe &probe) { return probe.order == order; };
  if (auto known = llvm::find_if(probes, isIt); known != probes.end())
    return std::move(*known);
  return make(std::move(order));
}

int64_t OrderProbes::packedBytes(const std::vector<NodeId> &order) {
  if (int64_t(order.size()) < tuning::fewestNodesOfTurns)
    return packedBytesOf(index, Schedule{order, {}}, solvers, options);
  const GraphIndex &part = find(order).part();
  return packedBytesOf(part, sourceSchedule(part.graph()), solvers, options);
}

bool OrderProbes::costsLess(const std::vector<NodeId> &one,
                            const std::vector<NodeId> &other) {
  const Probe &first = find(one), &second = find(other);
  const auto nodes = int64_t(one.size());
  const bool inPlace = options.inPlace, hasFew = first.turns && second.turns;
  const GraphIndex &firstIndex = hasFew ? first.part() : first.step.index(),
                   &secondIndex = hasFew ? second.part() : second.step.index();
  const int64_t low = largestWorkingSet(index, inPlace).bytes;
  const int64_t high = measureUnplanned(index).peakBytes;
  const double once = *reportRunOnce(index.graph()).bound;
  double firstCost = 0, secondCost = 0;
  llvm::ArrayRef<int64_t> parts(tuning::probesInQuarters);
  if (nodes > largestStep)
    parts = parts.slice(1, 1);
  else if (nodes > largeStep)
    parts = parts.take_back(1);
  for (int64_t part : parts) {
    const int64_t budget = budgetBetween(low, high, part, 4);
    const std::optional<double> its = quickCost(firstIndex, inPlace, budget);
    const std::optional<double> others =
        quickCost(secondIndex, inPlace, budget);
    if (bool(its) != bool(others))
      return bool(its);
    if (!its)
      break;
    firstCost += *its - once;
    secondCost += *others - once;
  }
  return firstCost < tuning::clearlyLess * secondCost;
}
