//===- BudgetBound.cpp - Budgets that cannot work -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/BudgetBound.h"
#include "Tuning.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Bounds/ValueCut.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Order/OrderProblem.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

BudgetBound memplan::boundByWorkingSet(const GraphIndex &index,
                                       llvm::ArrayRef<TensorId> hosted) {
  // What a plan file claims must hold of all plans, also where in-place outputs
  // are switched off.
  WorkingSet set = largestWorkingSet(index, /*inPlace=*/true, hosted);
  return {set.bytes, "free-order",
          set.node ? "the working set" : "what is live at an end of the step",
          set.node, std::move(set.tensors)};
}

/// What must be live at the first run of an op, in source order.
static BudgetBound boundByCuts(const OrderRows &rows) {
  BudgetBound bound;
  bound.space = "fixed-order";
  bound.reason = "what is needed and what cannot be recomputed";
  const ValueCut cut = largestCut(rows);
  const ContractedStep &step = rows.step();
  const StepOp &at = step.ops()[cut.op];
  bound.bytes = cut.bytes;
  if (at.node.isValid())
    bound.node = at.node;
  std::vector<int32_t> values = at.outputs;
  llvm::append_range(values, rows.inputs(cut.op));
  llvm::append_range(values, cut.values);
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
  for (int32_t value : values)
    bound.tensors.push_back(step.values()[value].tensor);
  return bound;
}

/// Raises the bound to where sets of values are known to lead nowhere.
static void raiseBySets(const ContractedStep &step, const PlanOptions &options,
                        int64_t atMost, BudgetBound &bound) {
  auto isProved = [&](int64_t budget) {
    return isImpossible(step, budget, tuning::visitsOfSets,
                        options.limits.stop);
  };
  int64_t fails = bound.bytes - 1, open = atMost - 1;
  // The least budget known to work is often the least.
  for (int64_t budget = open; fails < open;
       budget = fails + (open - fails + 1) / 2) {
    if (isProved(budget))
      fails = budget;
    else
      open = budget - 1;
    if (open - fails < atMost / tuning::partOfLeast)
      break;
  }
  if (fails < bound.bytes)
    return;
  bound.bytes = fails + 1;
  bound.space = "fixed-order";
  bound.reason = "what all sets of values that fit lead to";
}

BudgetBound memplan::boundBudget(const GraphIndex &index,
                                 const PlanOptions &options, int64_t atMost) {
  BudgetBound bound = boundByWorkingSet(index);
  const bool isFree =
      solverNamed(orderSolvers(), options.order).traits.family ==
      SolverFamily::Search;
  if (bound.bytes >= atMost || isFree)
    return bound;
  const ContractedStep step(index, /*inPlace=*/true);
  if (BudgetBound byCuts = boundByCuts(OrderRows(step));
      byCuts.bytes > bound.bytes)
    bound = std::move(byCuts);
  if (step.numOps() <= smallStep && bound.bytes < atMost)
    raiseBySets(step, options, atMost, bound);
  return bound;
}

std::string memplan::describeReason(const Graph &graph,
                                    const BudgetBound &bound) {
  std::string text = bound.reason;
  if (bound.node)
    text += " of " + describe(graph, *bound.node);
  std::vector<TensorId> tensors = bound.tensors;
  llvm::sort(tensors, [&](TensorId a, TensorId b) {
    return graph[a].bytes != graph[b].bytes ? graph[a].bytes > graph[b].bytes
                                            : a.index < b.index;
  });
  for (size_t i = 0; i < std::min(tensors.size(), tuning::mostTensors); ++i)
    text += (i ? ", " : ": ") + describe(graph, tensors[i]) + " (" +
            std::to_string(graph[tensors[i]].bytes) + " bytes)";
  if (tensors.size() > tuning::mostTensors)
    text += " and " + std::to_string(tensors.size() - tuning::mostTensors) +
            " more";
  return text;
}
