//===- Ladder.cpp - Smaller and smaller plans, whatever the budget --------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ladder.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Plan/PlanVerifier.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Remat/WorkingSet.h"
#include <algorithm>

using namespace memplan;

/// The plan of least live bytes that the solver knows without searching.
static llvm::Expected<std::optional<PackedStep>>
smallestOf(const StepContext &context, const RematSolver &solver) {
  llvm::Expected<RematPlan> none =
      solve(context.problemWithin(1), solver, context.limitsWith(1));
  if (!none)
    return none.takeError();
  if (!none->minimumBudgetBytes)
    return std::nullopt;
  return attempt(context, solver, none->minimumBudgetBytes, 1);
}

static bool isEnough(const Attempts &found, std::optional<int64_t> enough) {
  return enough && found.smallest && found.smallest->deviceBytes <= *enough;
}

static Attempts add(Attempts found, std::optional<PackedStep> plan,
                    std::optional<int64_t> enough) {
  found.cheapest = cheaper(
      std::move(found.cheapest),
      within(enough.value_or(std::numeric_limits<int64_t>::max()), plan));
  found.smallest = smaller(std::move(found.smallest), std::move(plan));
  return found;
}

/// The plans that take no search.
static llvm::Expected<Attempts> walkFirst(const StepContext &context,
                                          std::optional<int64_t> enough) {
  const RematSolver &solver = *context.solvers.remat;
  llvm::Expected<std::optional<PackedStep>> plan =
      attempt(context, solver, std::nullopt, context.options.limits.effort);
  if (!plan)
    return plan.takeError();
  Attempts found = add({}, std::move(*plan), enough);
  if (isEnough(found, enough))
    return found;
  plan = smallestOf(context, solver);
  if (!plan)
    return plan.takeError();
  return add(std::move(found), std::move(*plan), enough);
}

/// Bisects between the working set and the smallest plan found so far, then
/// tries what is just below that one.
static llvm::Expected<Attempts> bisect(const StepContext &context,
                                       Attempts found,
                                       std::optional<int64_t> enough) {
  constexpr int bisections = 8, descents = 3, rounds = 6;
  constexpr int64_t mostEffort = 100'000;
  const int64_t asked = context.options.limits.effort;
  const int64_t effort = asked > 0 ? std::min(asked, mostEffort) : mostEffort;
  const int64_t bound =
      largestWorkingSet(context.index, context.options.inPlace).bytes;
  int64_t fails = bound - 1;
  for (int i = 0; i < bisections + descents; ++i) {
    if (!found.smallest || isEnough(found, enough) || context.isStopped())
      break;
    const int64_t works = found.smallest->deviceBytes;
    const int64_t target =
        i < bisections ? fails + (works - fails) / 2 : works - 1;
    if (target < bound || target <= fails)
      break;
    llvm::Expected<Attempts> more =
        fitTarget(context, *context.solvers.remat, target, rounds, effort);
    if (!more)
      return more.takeError();
    if (!more->cheapest)
      fails = target;
    found = add(std::move(found), std::move(more->cheapest), enough);
    found = add(std::move(found), std::move(more->smallest), enough);
  }
  return found;
}

llvm::Expected<Attempts> memplan::walkDown(const StepContext &context,
                                           std::optional<int64_t> enough) {
  llvm::Expected<Attempts> found = walkFirst(context, enough);
  return found ? bisect(context, std::move(*found), enough) : std::move(found);
}

llvm::Expected<Plan>
memplan::finishPlan(const StepContext &context, PackedStep packed,
                    std::optional<int64_t> budgetBytes,
                    const std::optional<SolveReport> &report) {
  Plan plan = std::move(packed.plan);
  plan.graphHash = hashGraph(context.index.graph());
  plan.budgetBytes = budgetBytes;
  // A bound that a solver gave for fewer live bytes is none for this budget.
  SolveReport proved =
      report && report->bound ? *report : reportRunOnce(context.index.graph());
  // The search knows no stages, and with an order of its own no source order,
  // so that a bound of theirs may not hold for it. Sums of costs are rounded.
  const bool ownOrder =
      context.solvers.order->traits.family == SolverFamily::Search;
  if ((proved.boundSpace == "staged" ||
       (ownOrder && proved.boundSpace == "fixed-order")) &&
      *proved.bound > plan.cost * (1 + 1e-9))
    proved = reportRunOnce(context.index.graph());
  plan.bound = proved.bound;
  plan.boundSpace = proved.boundSpace;
  plan.proof = proved.proof;
  // Every other bound holds for every plan made here.
  if (*plan.bound > plan.cost * (1 + 1e-6) + 1e-9)
    return llvm::createStringError(
        "solver '%s' says that no plan in the %s space costs less than %.9g, "
        "but solver '%s' has one of cost %.9g; one of the two is wrong, which "
        "is a bug in it",
        proved.solver.c_str(), proved.boundSpace.c_str(), *plan.bound,
        plan.solver.c_str(), plan.cost);
  const bool closed = isOptimalBound(*plan.bound, plan.cost);
  plan.status = closed ? SolveStatus::Optimal : SolveStatus::Feasible;
  return plan;
}
