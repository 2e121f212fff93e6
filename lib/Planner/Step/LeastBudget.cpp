//===- LeastBudget.cpp - The least budget known to work -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/LeastBudget.h"
#include "CopySpaces.h"
#include "Reorder.h"
#include "StepFront.h"
#include "memplan/Planner/Step/EffortSeconds.h"

using namespace memplan;

llvm::Expected<std::optional<LeastBudget>>
memplan::leastBudget(const Graph &graph, const PlanOptions &options) {
  if (llvm::Error error = graph.check())
    return error;
  GraphIndex index(graph);
  PlanOptions promised = options;
  promised.minBudget = false;
  promised.budgetBytes.reset();
  if (llvm::Error error = resolveEffort(index, promised))
    return error;
  llvm::Expected<PreparedStep> prepared = prepareStep(index, promised);
  if (!prepared)
    return prepared.takeError();
  const auto &[step, context] = *prepared;
  StepFront front(context);
  // Several streams never need less: their runs one after the other are a plan
  // for one.
  llvm::Expected<std::optional<PackedPlan>> smallest = front.smallest();
  if (!smallest)
    return smallest.takeError();
  if (!*smallest)
    return std::nullopt;
  LeastBudget least;
  least.bytes = (*smallest)->deviceBytes;
  least.bound = copies(context.solvers)
                    ? boundByWorkingSet(index, mostHosted(context))
                    : step.boundBudget(options, least.bytes);
  // What is proved of an order says nothing of a smaller plan outside it.
  if (least.bound.bytes > least.bytes)
    least.bound = boundByWorkingSet(index, {});
  promised.budgetBytes = least.bytes;
  llvm::Expected<Plan> plan = front.planWithin(least.bytes);
  if (!plan)
    return plan.takeError();
  if (!hasSteps(plan->status))
    return llvm::createStringError(
        "a plan of %lld bytes was found, but none within that budget, which is "
        "a bug",
        static_cast<long long>(least.bytes));
  step.restore(promised, effortOfProof(promised), *plan);
  if (llvm::Error error = verifyStepPlan(index, *plan, promised))
    return invalidPlan(plan->solver, std::move(error));
  least.plan = std::move(*plan);
  return least;
}
