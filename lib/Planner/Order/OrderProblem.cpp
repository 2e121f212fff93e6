//===- OrderProblem.cpp - Which node runs first ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Order/OrderProblem.h"
#include "AutoOrder.h"
#include "EarlyUpdates.h"
#include "ListOrder.h"
#include "memplan/Schedule/Liveness.h"

using namespace memplan;

llvm::Error OrderProblem::check() const {
  if (!index)
    return violation("order_i1", "the problem has no graph");
  if (llvm::Error error = index->graph().check())
    return violation("order_i1", std::move(error));
  return llvm::Error::success();
}

llvm::Error OrderProblem::verify(const OrderPlan &plan) const {
  const Graph &graph = index->graph();
  std::vector<bool> stands(graph.nodes.size(), false);
  for (NodeId node : plan.order) {
    if (!node.isValid() || size_t(node.index) >= stands.size())
      return violation("order_c1", "node {0} of {1}", node.index,
                       stands.size());
    if (stands[node.index])
      return violation("order_c1", "duplicate {0}", describe(graph, node));
    stands[node.index] = true;
  }
  if (plan.order.size() != stands.size())
    return violation("order_c1", "{0} nodes of {1}", plan.order.size(),
                     stands.size());
  Schedule schedule;
  schedule.runs = plan.order;
  if (llvm::Error error = verifySchedule(*index, schedule))
    return violation("order_c2", std::move(error));
  return llvm::Error::success();
}

static llvm::Expected<OrderPlan> solveSource(const OrderProblem &problem,
                                             const SolveLimits &) {
  OrderPlan plan;
  plan.order = sourceSchedule(problem.index->graph()).runs;
  plan.report.solver = "source";
  return plan;
}

static constexpr SolverTraits baseline = {.family = SolverFamily::Baseline};

/// Makes an order before anything else is planned.
static constexpr SolverTraits rule = {.family = SolverFamily::Heuristic};

static const OrderSolver solverTable[] = {
    {"auto",
     "early-updates where that lowers arena, peak or live bytes, else source; "
     "late where that lowers what a budget costs",
     rule, solveAutoOrder},
    {"source", "first evaluations in the order of the program", baseline,
     solveSource},
    {"search",
     "first evaluations where they take least: list scheduling, and the moves "
     "of remat search",
     {.family = SolverFamily::Search},
     solveListOrder},
    {"early-updates",
     "as source, but each optimizer update as soon as its gradient is made "
     "and the old version has no later uses",
     rule, solveEarlyUpdates},
    {"late",
     "as auto by bytes, but nodes wait for their first user where that holds "
     "no more bytes, and large gradients with their updates for room",
     rule, solveLateRuns},
};

std::span<const OrderSolver> memplan::orderSolvers() { return solverTable; }
