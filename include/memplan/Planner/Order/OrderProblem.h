//===- OrderProblem.h - Which node runs first -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_ORDER_ORDERPROBLEM_H
#define MEMPLAN_PLANNER_ORDER_ORDERPROBLEM_H

#include "memplan/Planner/Problem.h"
#include "memplan/Schedule/Schedule.h"

namespace memplan {

struct OrderPlan;

/// Orders the first evaluations of the nodes.
///
/// Input constraints, tested by check():
/// - order_i1: the graph is there and passes Graph::check()
/// Solution constraints, tested by verify():
/// - order_c1: every node stands once
/// - order_c2: run in this order, the nodes pass verifySchedule()
struct OrderProblem {
  const GraphIndex *index = nullptr;
  /// Device bytes of the step in that order, packed, each node run once. Unset:
  /// solvers go by live bytes.
  std::function<int64_t(const std::vector<NodeId> &order)> packedBytes = {};
  /// Whether recomputation costs clearly less in the one order than in the
  /// other, under budgets that follow from the graph. Unset: nothing is run
  /// twice.
  std::function<bool(const std::vector<NodeId> &one,
                     const std::vector<NodeId> &other)>
      costsLess = {};

  llvm::Error check() const;
  llvm::Error verify(const OrderPlan &plan) const;
};

struct OrderPlan {
  std::vector<NodeId> order;
  SolveReport report;
};

using OrderSolver = Solver<OrderProblem, OrderPlan>;
std::span<const OrderSolver> orderSolvers();

} // namespace memplan

#endif // MEMPLAN_PLANNER_ORDER_ORDERPROBLEM_H
