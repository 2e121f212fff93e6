//===- BudgetBound.h - Budgets that cannot work -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_STEP_BUDGETBOUND_H
#define MEMPLAN_PLANNER_STEP_BUDGETBOUND_H

#include "memplan/Planner/Options.h"
#include "memplan/Schedule/Liveness.h"

namespace memplan {

/// Proved: no budget below `bytes` works.
struct BudgetBound {
  int64_t bytes = 0;
  std::string space; ///< `free-order` or `fixed-order`.
  /// What needs so much, in plain words: "the working set", for instance.
  std::string reason;
  /// The op that needs so much, unset for the begin or the end of the step and
  /// where no single op does.
  std::optional<NodeId> node;
  std::vector<TensorId> tensors; ///< What has to be live beside it.
};

/// What a single node reads, makes and works in, in any order. What is hosted
/// counts only where it is used.
BudgetBound boundByWorkingSet(const GraphIndex &index,
                              llvm::ArrayRef<TensorId> hosted = {});

/// The highest bound of these:
/// - working set: what a single node reads, makes and works in, in any order;
/// - a cut through the values at the first run of an op in source order. It
///   counts its own bytes, and the least from which all that later ops read can
///   be made;
/// - sets of values, for small steps: all that fit are searched, and none leads
///   to the end of the step. Bisected up to `atMost`.
/// Neither of the last two where the options let first runs leave source order.
/// Exact, in-place outputs counted as if they always saved what they can.
/// Deterministic unless the options' stop is set.
BudgetBound boundBudget(const GraphIndex &index, const PlanOptions &options,
                        int64_t atMost);

/// "the working set of node 3 'conv': tensor 1 (4096 bytes), ...", with no more
/// than eight tensors, the largest first.
std::string describeReason(const Graph &graph, const BudgetBound &bound);

} // namespace memplan

#endif // MEMPLAN_PLANNER_STEP_BUDGETBOUND_H
