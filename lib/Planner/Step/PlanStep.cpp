//===- PlanStep.cpp - One training step, planned in arena bytes -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kinds of plans there are, and what is best of them, is StepFront's.
//
//===----------------------------------------------------------------------===//

#include "Objective.h"
#include "Reorder.h"
#include "StepFront.h"
#include "StreamStep.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Step/BudgetBound.h"
#include "memplan/Planner/Step/EffortSeconds.h"
#include "memplan/Planner/Step/LeastBudget.h"
#include "memplan/Planner/Step/PackedPlan.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/Twine.h"

using namespace memplan;

llvm::Expected<StepSolvers> memplan::findSolvers(const PlanOptions &options) {
  auto remat = lookUpSolver("remat", rematSolvers(), options.remat);
  if (!remat)
    return remat.takeError();
  auto order = lookUpSolver("order", orderSolvers(), options.order);
  if (!order)
    return order.takeError();
  auto sharing = lookUpSolver("sharing", sharingSolvers(), options.sharing);
  if (!sharing)
    return sharing.takeError();
  const bool isLive = options.arena == noArena().name;
  if (isLive && (options.streams > 1 || options.hostState != "none"))
    return llvm::createStringError(
        "arena=none plans one stream, and leaves the caller's tensors where "
        "they are: streams and host-state need an arena");
  llvm::Expected<const ArenaSolver *> arena = &noArena();
  if (!isLive)
    arena = lookUpSolver("arena", arenaSolvers(), options.arena);
  if (!arena)
    return arena.takeError();
  auto swap = lookUpSolver("swap", swapSolvers(), options.swap);
  if (!swap)
    return swap.takeError();
  // Whether or not this step needs one.
  if (llvm::Error error = checkMilpBackend(options.limits))
    return std::move(error);
  if (options.alignmentBytes <= 0 ||
      (options.alignmentBytes & (options.alignmentBytes - 1)))
    return llvm::createStringError("alignment of " +
                                   llvm::Twine(options.alignmentBytes) +
                                   " bytes is not a power of two");
  return StepSolvers{*remat, *order, *sharing, *arena, *swap};
}

/// What --min-budget asks for: the plan that shows the least budget.
static llvm::Expected<Plan> planForLeastBudget(const Graph &graph,
                                               const PlanOptions &options) {
  if (options.budgetBytes || options.budgetShare)
    return llvm::createStringError(
        "min-budget looks for a budget, so budget cannot be given too");
  llvm::Expected<std::optional<LeastBudget>> least =
      leastBudget(graph, options);
  if (!least)
    return least.takeError();
  if (!*least)
    return llvm::createStringError("solver '" + options.remat +
                                   "' finds no plan with any budget");
  Plan plan = std::move((*least)->plan);
  const BudgetBound &bound = (*least)->bound;
  plan.note =
      "the least budget known to work is " + std::to_string((*least)->bytes) +
      " bytes; it is proved that none below " + std::to_string(bound.bytes) +
      " works" + (bound.space == "fixed-order" ? " in source order" : "") +
      ", by " + describeReason(graph, bound);
  return plan;
}

static bool isSourceOrder(const PlanOptions &options) {
  return solverNamed(orderSolvers(), options.order).traits.family ==
         SolverFamily::Baseline;
}

llvm::Error memplan::verifyStepPlan(const GraphIndex &index, const Plan &plan,
                                    const PlanOptions &options) {
  const FirstRuns firstRuns =
      isSourceOrder(options) ? FirstRuns::SourceOrder : FirstRuns::AnyOrder;
  if (llvm::Error error =
          verifyPlan(index, plan, options.budgetBytes, firstRuns))
    return error;
  return verifyUseful(index, plan, firstRuns);
}

FirstRuns memplan::firstRunsAskedFor(const PlanOptions &options) {
  return options.order != PlanOptions().order && isSourceOrder(options)
             ? FirstRuns::SourceOrder
             : FirstRuns::AnyOrder;
}

llvm::Expected<Plan> memplan::planStep(const Graph &graph,
                                       const PlanOptions &given) {
  if (given.minBudget)
    return planForLeastBudget(graph, given);
  if (llvm::Error error = graph.check())
    return error;
  GraphIndex index(graph);
  PlanOptions options = given;
  resolveBudget(index, options);
  if (llvm::Error error = resolveEffort(index, options))
    return error;
  constexpr int64_t mostBesideCommunication = 255;
  if (isSideBySide(graph, options) && graph.communicates() &&
      options.streams > mostBesideCommunication)
    return llvm::createStringError(
        "%lld streams leave none for nodes that communicate: a plan has 256 at "
        "most, so ask for %lld",
        static_cast<long long>(options.streams),
        static_cast<long long>(mostBesideCommunication));
  if (options.budgetBytes && *options.budgetBytes <= 0)
    return llvm::createStringError("budget of " +
                                   llvm::Twine(*options.budgetBytes) +
                                   " bytes is not positive");
  llvm::Expected<PreparedStep> prepared = prepareStep(index, options);
  if (!prepared)
    return prepared.takeError();
  const auto &[step, context] = *prepared;
  StepFront front(context);
  llvm::Expected<Plan> plan = options.budgetBytes
                                  ? front.planWithin(*options.budgetBytes)
                                  : front.planWithoutLimit();
  if (!plan)
    return plan;
  step.restore(options, effortOfCost(index, options), *plan);
  if (!context.startNote.empty())
    plan->note += (plan->note.empty() ? "" : "; ") + context.startNote;
  // Nothing leaves unchecked, whichever solver made it.
  if (llvm::Error error = verifyStepPlan(index, *plan, options))
    return invalidPlan(plan->solver, std::move(error));
  return plan;
}

llvm::Expected<ChosenPlan>
memplan::planBestOf(llvm::ArrayRef<const Graph *> forms,
                    const PlanOptions &options) {
  const Objective objective =
      Objective::of(options, llvm::any_of(forms, [&](const Graph *form) {
                      return isSideBySide(*form, options);
                    }));
  std::optional<ChosenPlan> best;
  int64_t bestBytes = 0;
  for (size_t form = 0; form < forms.size(); ++form) {
    const Graph &graph = *forms[form];
    const bool hasPlan = best && hasSteps(best->plan.status);
    if (hasPlan && objective.isTimeFirst() &&
        isAtMost(best->plan.makespan(),
                 leastTimeOn(GraphIndex(graph), options.streams)))
      continue;
    llvm::Expected<Plan> plan = planStep(graph, options);
    if (!plan)
      return plan.takeError();
    if (hasPlan && !hasSteps(plan->status))
      continue;
    const int64_t bytes = deviceBytesOf(graph, *plan);
    if (hasPlan && !objective.isBetter(plan->makespan(), bytes,
                                       best->plan.makespan(), bestBytes))
      continue;
    best = ChosenPlan{form, std::move(*plan)};
    bestBytes = bytes;
  }
  return std::move(*best);
}
