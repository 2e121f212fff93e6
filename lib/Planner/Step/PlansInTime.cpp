//===- PlansInTime.cpp - Plans where a limit cuts walks short -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under a time limit nothing is walked: searches are for the budget itself, and
// share the time that is left. Where a limit left no plan, heuristics follow
// that end by themselves.
//
//===----------------------------------------------------------------------===//

#include "CopySpaces.h"
#include "RematSpaces.h"
#include "StepFront.h"
#include "Tuning.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"

using namespace memplan;

/// What a time limit cut off while it packed to little more than the budget has
/// a plan nearby, which takes one more ramp. Heuristics take as long, and find
/// plans that take several times as long.
static llvm::Expected<Attempts> tryOnceMore(const StepContext &within,
                                            int64_t budget,
                                            const PackedPlan &nearest) {
  PlanOptions unstopped = within.options;
  unstopped.limits.timeLimitSeconds.reset();
  unstopped.limits.effort = 1;
  const StepContext more{within.index, unstopped, within.solvers};
  const auto excess = double(nearest.deviceBytes - budget);
  llvm::Expected<Attempts> found =
      fitTarget(more, *within.solvers.remat,
                budget - int64_t(tuning::partsBelowExcess * excess),
                /*rounds=*/1, /*effort=*/1);
  if (found && !found->cheapest)
    found->cheapest = ::within(budget, found->smallest);
  return found;
}

/// For that budget and no other: what a larger one gets may cost more.
llvm::Expected<Attempts> StepFront::recomputeInTime(const StepContext &within,
                                                    int64_t budget) {
  const RematSolver &solver = *within.solvers.remat;
  const bool isMilp = solver.traits.family == SolverFamily::Milp;
  llvm::Expected<Attempts> found =
      fitTarget(within, solver, budget,
                isMilp ? tuning::roundsOfMilp : tuning::roundsOfBudget,
                within.options.limits.effort);
  if (found && isMilp && !found->cheapest) {
    llvm::Expected<Attempts> more = fitTarget(
        within, solverOfSearch(within), budget, tuning::roundsOfBudget, 0);
    if (!more)
      return more;
    found = join(std::move(*found), std::move(*more));
  }
  if (!found)
    return found;
  const bool isNear =
      found->smallest && found->smallest->deviceBytes - budget <=
                             budget / tuning::partOfNearExcess;
  if (!found->cheapest && isNear && within.isStopped()) {
    llvm::Expected<Attempts> more =
        tryOnceMore(within, budget, *found->smallest);
    if (!more)
      return more;
    found = join(std::move(*found), std::move(*more));
  }
  ParetoFront front;
  if (found->cheapest)
    front.add(*found->cheapest);
  if (llvm::Error error = addCheckpoints(within, budget, front))
    return std::move(error);
  return join(std::move(*found), readFront(front, budget));
}

/// Plans of few turns where they serve, else those of all.
llvm::Expected<Attempts>
StepFront::recomputeTurnsInTime(const StepContext &within, int64_t budget) {
  findFewTurns();
  if (!fewTurns)
    return recomputeInTime(within, budget);
  // The rest is for the proof.
  const PlanOptions options = optionsForShare(within, tuning::shareBeforeProof);
  const StepContext few{fewTurns->index(), options, within.solvers};
  llvm::Expected<Attempts> found = recomputeInTime(few, budget);
  if (!found)
    return found;
  ParetoFront front;
  bool isWritten = false;
  if (const auto &best = found->cheapest ? found->cheapest : found->smallest) {
    llvm::Expected<bool> written =
        fewTurns->addTo(front, context, *best, budget);
    if (!written)
      return written.takeError();
    isWritten = *written;
  }
  if (!isWritten)
    return recomputeInTime(within, budget);
  Attempts written = readFront(front, budget);
  // What is proved of one turn says nothing of all of them.
  if (written.cheapest && !within.isStopped())
    written.report = proveFor(within, budget, *written.cheapest,
                              effortOfCost(within.index, within.options));
  return written;
}

/// Searches for the budget itself, from what is known of it.
llvm::Error StepFront::copyInTime(int64_t budget, ParetoFront &front) {
  std::vector<std::pair<bool, std::vector<TensorId>>>
      rules; // Recompute, hosted.
  const bool isSearched = isSearch(*context.solvers.remat);
  rules.push_back({false, {}});
  if (isSearched)
    rules.push_back({true, {}});
  for (std::vector<TensorId> &hosted : hostedSets(context))
    rules.push_back({isSearched, std::move(hosted)});
  for (const auto &[mayRecompute, hosted] : rules) {
    const PackedPlan *best = front.fastestWithin(budget);
    if (best && (context.isStopped() ||
                 (!mayRecompute && hosted.empty() &&
                  leastTimeOfCopies(context, budget) >= best->plan.makespan())))
      continue;
    const PlanOptions options = optionsForShare(
        context, mayRecompute == isSearched ? 1 : tuning::shareOfOther);
    const StepContext within{context.index, options, context.solvers};
    // A plan that has the caller's tensors elsewhere is no start.
    llvm::Expected<std::vector<PackedPlan>> made =
        spaceOfCopies(within, mayRecompute, hosted)
            .searchWithin(budget, options.limits.effort,
                          mayRecompute && hosted.empty() ? best : nullptr);
    if (!made)
      return made.takeError();
    for (PackedPlan &plan : *made)
      front.add(std::move(plan));
  }
  return llvm::Error::success();
}

llvm::Expected<Attempts> StepFront::findInTime(int64_t budget) {
  ParetoFront front;
  if (copiesByRules(context)) {
    llvm::Expected<PlanSpace> space = spaceOfSwapSolver(context);
    if (!space)
      return space.takeError();
    llvm::Expected<std::vector<PackedPlan>> made =
        space->searchWithin(budget, context.options.limits.effort);
    if (!made)
      return made.takeError();
    for (std::vector<PackedPlan> *plans : {&space->given, &*made})
      for (PackedPlan &plan : *plans)
        front.add(std::move(plan));
    return readFront(front, budget);
  }
  addStarts(front);
  const bool hasCopies = searchesCopies(context);
  const PlanOptions shortened =
      optionsForShare(context, hasCopies ? tuning::shareBesideCopies : 1);
  const StepContext within{context.index, shortened, context.solvers};
  llvm::Expected<Attempts> found =
      isSearch(*context.solvers.remat)
          ? recomputeTurnsInTime(within, budget)
          : fitTarget(within, *context.solvers.remat, budget,
                      tuning::roundsOfBudget, context.options.limits.effort);
  if (!found)
    return found;
  if (!hasCopies)
    return join(std::move(*found), readFront(front, budget));
  if (found->cheapest)
    front.add(*found->cheapest);
  if (llvm::Error error = copyInTime(budget, front))
    return std::move(error);
  return readFront(front, budget);
}

/// By heuristics that end by themselves, whatever limits are over, where a
/// limit cut a walk or a solver short of its first plan.
llvm::Error StepFront::addQuickPlan(int64_t budget, ParetoFront &front) const {
  PlanOptions unstopped = context.options;
  unstopped.limits.stop = nullptr;
  unstopped.limits.timeLimitSeconds.reset();
  const StepContext quick{context.index, unstopped, context.solvers};
  const bool isRecomputed =
      !copies(context.solvers) ||
      (searchesCopies(context) && isSearch(*context.solvers.remat));
  for (const char *solver : {"greedy", "search"}) {
    if (!isRecomputed || front.fastestWithin(budget))
      continue;
    llvm::Expected<Attempts> found =
        fitTarget(quick, solverNamed(rematSolvers(), solver), budget,
                  tuning::roundsOfWalk, 1);
    if (!found)
      return found.takeError();
    if (found->cheapest)
      addInstead(std::move(*found->cheapest), front);
  }
  return llvm::Error::success();
}

/// Where a time limit left no plan, though planning without one may find it:
/// copies by the rules of TFLMS; the walks with little work at each place; on
/// small steps then with as much as asked for, but no more than some seconds
/// take; on others one search.
llvm::Error StepFront::addUnstopped(int64_t budget, ParetoFront &front) const {
  PlanOptions options = context.options;
  options.limits.timeLimitSeconds.reset();
  const int64_t asked = options.limits.effort > tuning::mostUnstoppedEffort
                            ? 0
                            : options.limits.effort;
  auto addWalked = [&](int64_t effort, StepSolvers solvers) -> llvm::Error {
    if (front.fastestWithin(budget))
      return llvm::Error::success();
    options.limits.effort = effort;
    const StepContext within{context.index, options, solvers};
    llvm::Expected<ParetoFront> plans = StepFront(within).plansFor(budget);
    if (!plans)
      return plans.takeError();
    if (const PackedPlan *best = plans->fastestWithin(budget))
      addInstead(*best, front);
    return llvm::Error::success();
  };
  StepSolvers solvers = context.solvers;
  // Linear programs may take minutes.
  if (solvers.remat->traits.family != SolverFamily::Baseline)
    solvers.remat = &solverNamed(rematSolvers(), "auto");
  if (searchesCopies(context))
    if (llvm::Error error = addByRules(budget, options, front))
      return error;
  if (llvm::Error error = addWalked(tuning::littleEffort, solvers))
    return error;
  if (context.index.graph().nodes.size() <= smallStep)
    return addWalked(asked, solvers);
  if (front.fastestWithin(budget) || !searchesCopies(context))
    return llvm::Error::success();
  options.limits.effort = asked;
  const StepContext within{context.index, options, solvers};
  const PlanSpace space = spaceOfCopies(within, isSearch(*solvers.remat));
  llvm::Expected<std::vector<PackedPlan>> found =
      space.searchWithin(budget, space.effortByItself);
  if (!found)
    return found.takeError();
  for (PackedPlan &packed : *found)
    addInstead(std::move(packed), front);
  return llvm::Error::success();
}

/// Copies between the runs of the step, by rules that take no search.
llvm::Error StepFront::addByRules(int64_t budget, PlanOptions options,
                                  ParetoFront &front) const {
  StepSolvers solvers = context.solvers;
  solvers.remat = &solverNamed(rematSolvers(), "checkpoint-all");
  solvers.swap = &solverNamed(swapSolvers(), "tflms");
  options.budgetBytes = budget;
  options.limits.effort = 1;
  const StepContext within{context.index, options, solvers};
  llvm::Expected<PlanSpace> space = spaceOfSwapSolver(within);
  if (!space)
    return space.takeError();
  llvm::Expected<std::vector<PackedPlan>> found =
      space->searchWithin(budget, options.limits.effort);
  if (!found)
    return found.takeError();
  for (PackedPlan &packed : *found)
    addInstead(std::move(packed), front);
  return llvm::Error::success();
}

void StepFront::addInstead(PackedPlan packed, ParetoFront &front) const {
  packed.plan.note =
      "a limit stopped '" + std::string(context.solvers.remat->name) +
      "' before it had a plan; this one is of '" + packed.plan.solver + "'";
  front.add(std::move(packed));
}
