//===- PlanVerifier.cpp - Everything that a plan claims -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Plan/PlanVerifier.h"
#include "Claims.h"
#include "Placements.h"
#include "VerifyBatches.h"

using namespace llvm;

namespace memplan {

bool onlyMakesViews(const Graph &graph, const Node &node) {
  return !node.outputs.empty() && !node.runsOnce() &&
         llvm::all_of(node.outputs, [&](TensorId tensor) {
           return graph[tensor].viewOf.has_value();
         });
}

static Error verifySourceOrder(const Graph &graph, const Plan &plan) {
  // Those that may run anywhere count as run.
  std::vector<bool> hasRun(graph.nodes.size());
  for (size_t n = 0; n < hasRun.size(); ++n)
    hasRun[n] = onlyMakesViews(graph, graph.nodes[n]);
  size_t next = 0;
  for (const PlanAction &step : plan.steps) {
    if (step.action != ActionKind::Compute || hasRun[step.node.index])
      continue;
    while (hasRun[next])
      ++next;
    if (static_cast<size_t>(step.node.index) != next)
      return violation(
          "plan_c17", "{0} runs first where the source order has {1}",
          describe(graph, step.node), describe(graph, NodeId(next)));
    hasRun[next++] = true;
  }
  return Error::success();
}

Error verifyPlan(const GraphIndex &index, const Plan &plan,
                 std::optional<int64_t> budgetBytes, FirstRuns firstRuns) {
  // The budget of the caller counts, else the plan's own.
  std::optional<int64_t> limit = budgetBytes ? budgetBytes : plan.budgetBytes;
  if (plan.status == SolveStatus::Infeasible ||
      plan.status == SolveStatus::NoPlan)
    return verifyFailure(index, plan, limit);
  if (plan.batches)
    return verifyBatches(index, plan, limit, firstRuns);
  if (Error error = verifyHosted(index, plan))
    return error;
  ReplayMachine machine(index, plan.hosted());
  for (const PlanAction &step : plan.steps)
    if (Error error = machine.execute(step))
      return error;
  if (Error error = machine.finish())
    return error;
  if (firstRuns == FirstRuns::SourceOrder)
    if (Error error = verifySourceOrder(index.graph(), plan))
      return error;
  if (Error error = verifyClaims(index, plan, machine.replay(), limit))
    return error;
  return verifyArenas(index, plan, machine, limit);
}

} // namespace memplan
