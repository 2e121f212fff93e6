//===- Reorder.h - The step in another order of first runs ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solvers take the order in which the nodes stand for the order of first runs.
// So a step that is to run in another one is planned as a graph whose nodes
// stand in that order, and the plan is told in the nodes of the given graph.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_REORDER_H
#define MEMPLAN_LIB_PLANNER_STEP_REORDER_H

#include "memplan/Planner/Step/PlanStep.h"

namespace memplan {

class ReorderedStep {
public:
  /// `order` names each node of the graph once and is legal for it.
  ReorderedStep(const Graph &given, std::vector<NodeId> order);

  /// The given graph itself where the order is its own.
  const Graph &graph() const { return isSame ? given : reordered; }
  /// The same plan for the given graph.
  void restore(Plan &plan) const;

private:
  const Graph &given;
  std::vector<NodeId> order;
  bool isSame;
  Graph reordered;
};

/// In the order that the options ask for. The graph has passed check().
llvm::Expected<ReorderedStep> reorderStep(const Graph &graph,
                                          const PlanOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_REORDER_H
