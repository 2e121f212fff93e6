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

#include "Prove.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include <memory>

namespace memplan {

class ReorderedStep {
public:
  /// `order` names each node of the graph once and is legal for it. The index
  /// is kept by reference.
  ReorderedStep(const GraphIndex &given, std::vector<NodeId> order);

  /// The given one itself where the order is its own.
  const GraphIndex &index() const { return own ? own->index : given; }
  /// The same plan for the given graph. Its bound is lowered to what holds in
  /// both orders, as far as the effort proves it.
  void restore(const PlanOptions &options, const ProofEffort &effort,
               Plan &plan) const;

  /// The actions and places of a plan for the given graph, in this order.
  void reorder(Plan &plan) const;
  /// Empty where the order is the given one.
  std::optional<SourceOrder> source() const;

  /// boundBudget() that holds in both orders, for the given graph.
  BudgetBound boundBudget(const PlanOptions &options, int64_t atMost) const;

private:
  /// Stays where it is, since the index points into the graph.
  struct Own {
    explicit Own(Graph ordered) : graph(std::move(ordered)), index(graph) {}
    Graph graph;
    GraphIndex index;
  };

  std::vector<NodeId> placeOfNodes() const;
  void renameNodes(llvm::ArrayRef<NodeId> names, Plan &plan) const;

  const GraphIndex &given;
  std::vector<NodeId> order;
  std::unique_ptr<const Own> own; ///< Null where the order is the given one.
};

/// What planning of a step begins with: the solvers that the options name, and
/// the step in the order that they ask for.
struct PreparedStep {
  ReorderedStep step;
  StepContext context;
};

/// The graph has passed check(); index and options are kept by reference.
llvm::Expected<PreparedStep> prepareStep(const GraphIndex &index,
                                         const PlanOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_REORDER_H
