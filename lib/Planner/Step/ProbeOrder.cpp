//===- ProbeOrder.cpp - Which order recomputes for less -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeOrder.h"
#include "FewTurns.h"
#include "Reorder.h"
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

bool memplan::costsLess(const GraphIndex &index, bool inPlace,
                        const std::vector<NodeId> &one,
                        const std::vector<NodeId> &other) {
  const ReorderedStep first(index, one), second(index, other);
  const auto nodes = int64_t(index.graph().nodes.size());
  // One of many equal turns tells what all of them cost.
  auto fewTurnsOf = [&](const ReorderedStep &step) {
    return nodes < tuning::fewestNodesOfTurns
               ? nullptr
               : FewTurns::find(step.index(), inPlace);
  };
  const std::unique_ptr<FewTurns> firstTurns = fewTurnsOf(first),
                                  secondTurns = fewTurnsOf(second);
  const bool hasFew = firstTurns && secondTurns;
  const GraphIndex &firstIndex = hasFew ? firstTurns->index() : first.index(),
                   &secondIndex =
                       hasFew ? secondTurns->index() : second.index();
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
