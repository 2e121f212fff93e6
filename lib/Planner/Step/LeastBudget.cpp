//===- LeastBudget.cpp - The least budget known to work -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/LeastBudget.h"
#include "Family.h"
#include "Ladder.h"
#include "Reorder.h"
#include "StreamStep.h"
#include "SwapStep.h"

using namespace memplan;

llvm::Expected<std::optional<LeastBudget>>
memplan::leastBudget(const Graph &graph, const PlanOptions &options) {
  if (llvm::Error error = graph.check())
    return error;
  GraphIndex index(graph);
  llvm::Expected<PreparedStep> prepared = prepareStep(index, options);
  if (!prepared)
    return prepared.takeError();
  if (llvm::Error error = refuseCopies(prepared->context.solvers, "min-budget"))
    return std::move(error);
  if (llvm::Error error =
          refuseStreams(prepared->context.options, "min-budget"))
    return std::move(error);
  const auto &[step, context] = *prepared;
  llvm::Expected<Attempts> found = choosesFromFamily(context)
                                       ? chooseFromFamily(context, std::nullopt)
                                       : walkDown(context, std::nullopt);
  if (!found)
    return found.takeError();
  if (!found->smallest)
    return std::nullopt;
  LeastBudget least;
  least.bytes = found->smallest->deviceBytes;
  least.bound = step.boundBudget(options, least.bytes);
  llvm::Expected<Plan> plan = finishPlan(context, std::move(*found->smallest),
                                         least.bytes, std::nullopt);
  if (!plan)
    return plan.takeError();
  step.restore(options, effortOfProof(options), *plan);
  PlanOptions promised = options;
  promised.budgetBytes = least.bytes;
  if (llvm::Error error = verifyStepPlan(index, *plan, promised))
    return invalidPlan(plan->solver, std::move(error));
  least.plan = std::move(*plan);
  return least;
}
