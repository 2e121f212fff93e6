//===- ProbeOrder.h - Which order recomputes for less -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_PROBEORDER_H
#define MEMPLAN_LIB_PLANNER_STEP_PROBEORDER_H

#include "FewTurns.h"
#include "Reorder.h"
#include <deque>

namespace memplan {

/// Orders of the first runs of a step that are compared, each looked at once.
/// Where both of two orders consist of many equal turns, one turn tells what
/// all of them take. Nothing depends on a clock or on the budget asked for.
class OrderProbes {
public:
  /// Index and options are kept by reference.
  OrderProbes(const GraphIndex &index, const StepSolvers &solvers,
              const PlanOptions &options)
      : index(index), solvers(solvers), options(options) {}

  /// Device bytes of the nodes in that order, each run once.
  int64_t packedBytes(const std::vector<NodeId> &order);
  /// Whether quick plans cost clearly less with first runs in the one order
  /// than in the other, at three budgets that follow from the graph.
  bool costsLess(const std::vector<NodeId> &one,
                 const std::vector<NodeId> &other);

  struct Probe {
    std::vector<NodeId> order;
    ReorderedStep step;
    /// Null where there are none, or the step is not large.
    std::shared_ptr<const FewTurns> turns;

    const GraphIndex &part() const {
      return turns ? turns->index() : step.index();
    }
  };
  /// The step in that order, as it was looked at if it was.
  Probe take(std::vector<NodeId> order);

private:
  Probe make(std::vector<NodeId> order) const;
  const Probe &find(const std::vector<NodeId> &order);

  const GraphIndex &index;
  const StepSolvers solvers;
  const PlanOptions &options;
  std::deque<Probe> probes; ///< A deque, whose references stay valid.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_PROBEORDER_H
