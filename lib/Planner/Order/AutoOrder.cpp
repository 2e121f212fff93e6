//===- AutoOrder.cpp - The order that is taken by default -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutoOrder.h"
#include "EarlyUpdates.h"
#include "LateRuns.h"
#include "memplan/Schedule/Liveness.h"
#include <tuple>

using namespace memplan;

static int64_t packedBytes(const OrderProblem &problem,
                           const std::vector<NodeId> &order) {
  return problem.packedBytes ? problem.packedBytes(order) : 0;
}

static std::tuple<int64_t, int64_t, double>
bytesOf(const OrderProblem &problem, const std::vector<NodeId> &order) {
  const ScheduleMetrics metrics =
      measureSchedule(*problem.index, Schedule{order, {}}, {});
  // With equal peaks, less at the runs that do not move leaves more room
  // below a budget.
  double sum = 0;
  for (size_t run = 0; run < order.size(); ++run)
    if (!problem.index->graph()[order[run]].outputs.empty())
      sum += double(metrics.bytesAtRun[run]);
  return {packedBytes(problem, order), metrics.peakBytes, sum};
}

/// Without recomputation.
static OrderPlan takeFewestBytes(const OrderProblem &problem) {
  OrderPlan source;
  source.report.solver = "source";
  source.order = sourceSchedule(problem.index->graph()).runs;
  llvm::Expected<OrderPlan> early = solveEarlyUpdates(problem, {});
  if (!early) {
    llvm::consumeError(early.takeError());
    return source;
  }
  early->report.solver = "early-updates";
  if (early->order == source.order ||
      bytesOf(problem, early->order) >= bytesOf(problem, source.order))
    return source;
  return std::move(*early);
}

llvm::Expected<OrderPlan> memplan::solveLateRuns(const OrderProblem &problem,
                                                 const SolveLimits &) {
  OrderPlan plan = takeFewestBytes(problem);
  plan.order = runLate(*problem.index, std::move(plan.order));
  plan.report.solver = "late";
  return plan;
}

llvm::Expected<OrderPlan> memplan::solveAutoOrder(const OrderProblem &problem,
                                                  const SolveLimits &) {
  OrderPlan plan = takeFewestBytes(problem);
  if (!problem.costsLess)
    return plan;
  OrderPlan late;
  late.order = runLate(*problem.index, plan.order);
  late.report.solver = "late";
  if (late.order == plan.order ||
      packedBytes(problem, late.order) > packedBytes(problem, plan.order) ||
      !problem.costsLess(late.order, plan.order))
    return plan;
  return late;
}
