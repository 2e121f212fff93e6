//===- ListOrder.cpp - An order of few live bytes -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: the list scheduler of Streams, by live bytes: of the nodes that may run
//   next, the one after which least is live.
// Cost: O(nodes * nodes that may run next * arity).
// Guarantee: an order that keeps versions and places, and whose peak is not
//   above that of source order.
//
//===----------------------------------------------------------------------===//

#include "ListOrder.h"
#include "memplan/Plan/BuildActions.h"
#include "memplan/Planner/Streams/Streams.h"
#include "memplan/Schedule/Liveness.h"

using namespace memplan;

llvm::Expected<OrderPlan> memplan::solveListOrder(const OrderProblem &problem,
                                                  const SolveLimits &) {
  const GraphIndex &index = *problem.index;
  OrderPlan plan;
  plan.order = sourceSchedule(index.graph()).runs;
  ScheduleOptions options;
  options.priority = RunPriority::FewestLiveBytes;
  Schedule listed;
  for (const PlanAction &action :
       scheduleStreams(index, buildActions(index, {plan.order, {}}, {}),
                       options)
           .actions)
    if (action.action == ActionKind::Compute)
      listed.runs.push_back(action.node);
  if (measureSchedule(index, listed, {}).peakBytes <
      measureUnplanned(index).peakBytes)
    plan.order = std::move(listed.runs);
  return plan;
}
