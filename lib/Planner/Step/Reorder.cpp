//===- Reorder.cpp - The step in another order of first runs --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reorder.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Remat/WorkingSet.h"
#include <algorithm>

using namespace memplan;

ReorderedStep::ReorderedStep(const GraphIndex &given, std::vector<NodeId> nodes)
    : given(given), order(std::move(nodes)) {
  if (std::is_sorted(order.begin(), order.end()))
    return;
  Graph reordered = given.graph();
  for (size_t place = 0; place < order.size(); ++place)
    reordered.nodes[place] = given.graph()[order[place]];
  own = std::make_unique<const Own>(std::move(reordered));
}

/// What is proved of the order that was chosen says nothing of source order.
static void forgetOrder(const GraphIndex &given, Plan &plan) {
  if (plan.boundSpace != "fixed-order" && plan.boundSpace != "staged")
    return;
  if (plan.status == SolveStatus::Infeasible) {
    plan.status = SolveStatus::NoPlan;
    plan.boundBytes = largestWorkingSet(given, true).bytes;
    plan.note = "nothing fits in the order that was chosen; others may";
  }
  const SolveReport runOnce = reportRunOnce(given.graph());
  if (plan.bound)
    plan.bound = runOnce.bound;
  plan.boundSpace = runOnce.boundSpace;
  plan.proof = runOnce.proof;
  if (plan.status == SolveStatus::Optimal &&
      *plan.bound < plan.cost * (1 - 1e-4) - 1e-9)
    plan.status = SolveStatus::Feasible;
}

void ReorderedStep::restore(Plan &plan) const {
  if (!own)
    return;
  auto restoreNode = [&](NodeId &node) {
    if (node.isValid())
      node = order[node.index];
  };
  forgetOrder(given, plan);
  plan.graphHash = hashGraph(given.graph());
  for (PlanAction &action : plan.steps)
    restoreNode(action.node);
  for (PlanArena &arena : plan.arenas)
    for (Placement &placement : arena.placements)
      restoreNode(placement.node);
  if (plan.witnessNode)
    restoreNode(*plan.witnessNode);
}

llvm::Expected<ReorderedStep> memplan::reorderStep(const GraphIndex &index,
                                                   const PlanOptions &options) {
  auto solver = lookUpSolver("order", orderSolvers(), options.order);
  if (!solver)
    return solver.takeError();
  // Others keep to source order, or are a matter of the remat search.
  const bool isRule = (*solver)->traits.family == SolverFamily::Heuristic;
  llvm::Expected<OrderPlan> plan =
      solve(OrderProblem{&index},
            isRule ? **solver : solverNamed(orderSolvers(), "source"),
            options.limits);
  if (!plan)
    return plan.takeError();
  return ReorderedStep(index, std::move(plan->order));
}
