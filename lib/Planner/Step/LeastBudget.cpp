//===- LeastBudget.cpp - The least budget known to work -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Step/LeastBudget.h"
#include "Family.h"
#include "JointStep.h"
#include "Ladder.h"
#include "Reorder.h"
#include "SwapStep.h"

using namespace memplan;

/// Plans of the family or the ladder.
static llvm::Expected<Attempts> walkToLeast(const StepContext &context) {
  return choosesFromFamily(context) ? chooseFromFamily(context, std::nullopt)
                                    : walkDown(context, std::nullopt);
}

/// With copies or without, on one stream. Several never need less: their runs
/// one after the other are a plan for one.
static llvm::Expected<std::optional<int64_t>>
leastBytesOf(const StepContext &context) {
  auto bytesOf = [](const auto &packed) {
    return packed ? std::optional(packed->deviceBytes) : std::nullopt;
  };
  const bool isJoint = plansJointly(context);
  std::optional<int64_t> least;
  if (!copies(context.solvers) || isJoint) {
    llvm::Expected<Attempts> alone = walkToLeast(context);
    if (!alone)
      return alone.takeError();
    least = bytesOf(alone->smallest);
  }
  if (!copies(context.solvers))
    return least;
  llvm::Expected<std::optional<PackedActions>> copied =
      isJoint ? smallestJointly(context) : smallestWithCopies(context);
  if (!copied)
    return copied.takeError();
  if (std::optional<int64_t> bytes = bytesOf(*copied))
    least = std::min(least.value_or(*bytes), *bytes);
  return least;
}

/// The plan for the least bytes is that of planStep().
static llvm::Expected<std::optional<LeastBudget>>
leastOfActions(const GraphIndex &index, const PreparedStep &prepared,
               const PlanOptions &options) {
  llvm::Expected<std::optional<int64_t>> bytes = leastBytesOf(prepared.context);
  if (!bytes)
    return bytes.takeError();
  if (!*bytes)
    return std::nullopt;
  LeastBudget least;
  least.bytes = **bytes;
  least.bound = copies(prepared.context.solvers)
                    ? boundByWorkingSet(index, mostHosted(prepared.context))
                    : prepared.step.boundBudget(options, least.bytes);
  PlanOptions promised = options;
  promised.minBudget = false;
  promised.budgetBytes = least.bytes;
  llvm::Expected<Plan> plan = planStep(index.graph(), promised);
  if (!plan)
    return plan.takeError();
  if (!hasSteps(plan->status))
    return llvm::createStringError(
        "a plan of %lld bytes was found, but none within that budget, which is "
        "a bug",
        static_cast<long long>(least.bytes));
  least.plan = std::move(*plan);
  return least;
}

llvm::Expected<std::optional<LeastBudget>>
memplan::leastBudget(const Graph &graph, const PlanOptions &options) {
  if (llvm::Error error = graph.check())
    return error;
  GraphIndex index(graph);
  llvm::Expected<PreparedStep> prepared = prepareStep(index, options);
  if (!prepared)
    return prepared.takeError();
  const auto &[step, context] = *prepared;
  if (copies(context.solvers) || options.streams > 1)
    return leastOfActions(index, *prepared, options);
  llvm::Expected<Attempts> found = walkToLeast(context);
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
