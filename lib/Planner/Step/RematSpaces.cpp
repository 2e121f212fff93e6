//===- RematSpaces.cpp - Plans that recompute, for any budget -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RematSpaces.h"
#include "Tuning.h"
#include "memplan/Planner/Model/WorkingSet.h"
#include "memplan/Planner/Remat/RematSolvers.h"
#include "memplan/Planner/Thresholds.h"
#include "memplan/Schedule/UsefulRuns.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace memplan;

/// The runs of a plan from which a search goes on. Where it keeps the order, it
/// knows those too that were left out as they were in vain.
static Schedule startOf(const StepContext &context, const PackedPlan &plan) {
  Schedule start = scheduleOf(plan.plan.steps);
  if (context.solvers.order->traits.family == SolverFamily::Search)
    return start;
  const auto leftOut = findFirstRunsLeftOut(context.index.graph(), start.runs);
  for (const auto &[place, node] : llvm::reverse(leftOut)) {
    start.runs.insert(start.runs.begin() + ptrdiff_t(place), node);
    if (!start.variants.empty())
      start.variants.insert(start.variants.begin() + ptrdiff_t(place), 0);
  }
  return start;
}

namespace {
/// Searches by one solver.
struct Recomputation {
  const StepContext &context;
  const RematSolver &solver;
  int64_t effortToGoOn;
  /// Starts on a large step; null: none.
  std::shared_ptr<CutCheckpoints> cuts = {};

  /// Whole layers are not turned around by single moves: what is cheap for its
  /// bytes is recomputed in as many as it takes.
  const RematPlan &cutWithin(int64_t liveBytes) const {
    return cuts->at(cuts->leastThat(
        [&](const RematPlan &plan) { return plan.peakBytes <= liveBytes; }));
  }
  llvm::Error addPlan(const BudgetSearch &search, const Schedule *start,
                      int64_t effort, std::vector<PackedPlan> &plans) const;
  llvm::Error goOn(const BudgetSearch &search, const PackedPlan &start,
                   int64_t effort, std::vector<PackedPlan> &plans) const {
    const Schedule first = startOf(context, start);
    return addPlan(search, &first, effort, plans);
  }
  llvm::Error goOnFromSource(const BudgetSearch &search,
                             std::vector<PackedPlan> &plans) const;
  llvm::Error descend(const BudgetSearch &search,
                      std::vector<PackedPlan> &plans) const;
  llvm::Expected<std::vector<PackedPlan>>
  planWithin(const BudgetSearch &search) const;
  llvm::Expected<std::vector<PackedPlan>>
  goOnFromCheckpoints(llvm::ArrayRef<RematPlan> family,
                      const BudgetSearch &search) const;
  llvm::Expected<std::vector<PackedPlan>>
  improveSmallest(const PackedPlan &smallest, int64_t effort) const;
};
} // namespace

/// A search for one budget: by itself, or from one plan.
llvm::Error Recomputation::addPlan(const BudgetSearch &search,
                                   const Schedule *start, int64_t effort,
                                   std::vector<PackedPlan> &plans) const {
  RematProblem problem = context.problemWithin(search.budgetBytes);
  // What fails by multipliers may work by needs.
  problem.takesAnyPlan = !start && !search.below &&
                         context.index.graph().nodes.size() <= smallStep;
  problem.start =
      start || !cuts ? start : &cutWithin(search.budgetBytes).schedule;
  llvm::Expected<RematPlan> remat =
      solve(problem, solver, search.limitsFor(context, effort));
  if (!remat)
    return remat.takeError();
  if (!hasPlan(context, *remat) || remat->cost < search.leastTime)
    return llvm::Error::success();
  llvm::Expected<PackedPlan> packed =
      context.pack(std::move(*remat), search.budgetBytes);
  if (packed)
    plans.push_back(std::move(*packed));
  return packed.takeError();
}

/// Where nothing is known within the budget, a plan for far more bytes is
/// little help: by steps, each from the plan for the one before.
llvm::Error Recomputation::descend(const BudgetSearch &search,
                                   std::vector<PackedPlan> &plans) const {
  PackedPlan start = *search.above;
  const int64_t high = start.deviceBytes;
  for (int64_t step = 1; step <= tuning::stepsDown && !search.isSpent(context);
       ++step) {
    BudgetSearch next = search;
    next.budgetBytes =
        budgetBetween(high, search.budgetBytes, step, tuning::stepsDown);
    if (llvm::Error error = goOn(next, start, effortToGoOn, plans))
      return error;
    for (const PackedPlan &plan : plans)
      if (plan.deviceBytes < start.deviceBytes)
        start = plan;
  }
  return llvm::Error::success();
}

/// Where first runs may move, an order that takes fewer bytes may still cost
/// more: a first plan in source order tells, and searches go on from it.
llvm::Error
Recomputation::goOnFromSource(const BudgetSearch &search,
                              std::vector<PackedPlan> &plans) const {
  if (!context.source || context.isStopped() || search.isSpent(context) ||
      context.solvers.order->traits.family != SolverFamily::Search)
    return llvm::Error::success();
  double best = search.below ? search.below->plan.makespan()
                             : std::numeric_limits<double>::infinity();
  for (const PackedPlan &plan : plans)
    if (plan.deviceBytes <= search.budgetBytes)
      best = std::min(best, plan.plan.makespan());
  RematProblem problem;
  problem.index = context.source->index;
  problem.inPlace = context.options.inPlace;
  problem.budgetBytes = search.budgetBytes;
  SolveLimits limits = search.limitsFor(context, 1);
  limits.progress = nullptr; // A plan on the way to another.
  llvm::Expected<RematPlan> first = searchWithoutProof(problem, limits);
  if (!first)
    return first.takeError();
  if (first->schedule.runs.empty() || first->cost >= best)
    return llvm::Error::success();
  for (NodeId &run : first->schedule.runs)
    run = context.source->placeOf[run.index];
  return addPlan(search, &first->schedule, search.effort, plans);
}

/// By itself and, where that gains nothing, from what is known.
llvm::Expected<std::vector<PackedPlan>>
Recomputation::planWithin(const BudgetSearch &search) const {
  std::vector<PackedPlan> plans;
  const PackedPlan *start = search.below ? search.below : search.above;
  if (search.isByItself || !start)
    if (llvm::Error error = addPlan(search, nullptr, search.effort, plans))
      return std::move(error);
  // What packs to little more than the budget is nearer to it than others.
  if (!search.below)
    for (const PackedPlan &plan : plans)
      if (!start || plan.deviceBytes < start->deviceBytes)
        start = &plan;
  if (start && !search.isGain(plans) && !search.isSpent(context))
    if (llvm::Error error =
            goOn(search, *start,
                 search.isByItself ? effortToGoOn : search.effort, plans))
      return std::move(error);
  if (!search.below && search.above && !search.isGain(plans))
    if (llvm::Error error = descend(search, plans))
      return std::move(error);
  if (search.isByItself)
    if (llvm::Error error = goOnFromSource(search, plans))
      return std::move(error);
  return plans;
}

/// Where a search finds nothing, checkpoints may lead it to a plan. Where none
/// keep the budget it would find nothing once more.
llvm::Expected<std::vector<PackedPlan>>
Recomputation::goOnFromCheckpoints(llvm::ArrayRef<RematPlan> family,
                                   const BudgetSearch &search) const {
  std::vector<PackedPlan> plans;
  const RematPlan *best = nullptr; // The later one is cheaper.
  for (const RematPlan &member : family)
    if (member.peakBytes <= search.budgetBytes)
      best = &member;
  if (best)
    if (llvm::Error error =
            addPlan(search, &best->schedule, search.effort, plans))
      return std::move(error);
  return plans;
}

/// The last halving of a large step's walk leaves tens of megabytes in which
/// recomputation of whole layers is the only plan known: a search goes on from
/// it within its own bytes, which do not depend on the budget.
llvm::Expected<std::vector<PackedPlan>>
Recomputation::improveSmallest(const PackedPlan &smallest,
                               int64_t effort) const {
  BudgetSearch search;
  search.budgetBytes = smallest.deviceBytes;
  std::vector<PackedPlan> plans;
  if (llvm::Error error = goOn(search, smallest, effort, plans))
    return std::move(error);
  return plans;
}

namespace {
/// The improvement of the smallest plan given, made at the first place of a
/// walk that is low enough to need it.
struct SmallestPlan {
  PackedPlan smallest;
  int64_t highestBytes = 0; ///< Places of more bytes do without.
  std::optional<std::vector<PackedPlan>> improved = {};

  /// The fastest plan known within the bytes: `below` or an improved one.
  const PackedPlan *fastestWithin(int64_t bytes,
                                  const PackedPlan *below) const {
    for (const PackedPlan &plan : *improved)
      if (plan.deviceBytes <= bytes &&
          (!below || plan.plan.makespan() < below->plan.makespan()))
        below = &plan;
    return below;
  }
};
} // namespace

/// The smallest members of the checkpointing family take no search. Storages
/// that are shared may need fewer bytes where more are live.
static llvm::Expected<std::vector<PackedPlan>>
packSmallestCheckpoints(const StepContext &context) {
  std::vector<PackedPlan> plans;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const RematPlan &member : context.checkpoints()) {
    if (member.peakBytes >= least)
      break;
    llvm::Expected<PackedPlan> packed = context.pack(member);
    if (!packed)
      return packed.takeError();
    least = std::min(least, packed->deviceBytes);
    plans.push_back(std::move(*packed));
  }
  return plans;
}

/// The same where a search finds nothing, made once: on the largest steps they
/// take seconds.
static PlanSpace::Search smallestCheckpoints(const StepContext &context) {
  auto made = std::make_shared<std::optional<std::vector<PackedPlan>>>();
  return [&context, made](
             const BudgetSearch &) -> llvm::Expected<std::vector<PackedPlan>> {
    if (!*made) {
      llvm::Expected<std::vector<PackedPlan>> smallest =
          packSmallestCheckpoints(context);
      if (!smallest)
        return smallest;
      *made = std::move(*smallest);
    }
    return **made;
  };
}

llvm::Expected<PlanSpace>
memplan::spaceOfRecomputation(const StepContext &context,
                              int64_t movesOfLarge) {
  PlanSpace space;
  const int64_t asked = context.options.limits.effort;
  const auto nodes = int64_t(context.index.graph().nodes.size());
  llvm::Expected<std::optional<PackedPlan>> unlimited =
      attempt(context, solverOfSearch(context), std::nullopt, asked);
  if (!unlimited)
    return unlimited.takeError();
  if (!*unlimited)
    return space;
  // A walk looks above its lower end.
  space.leastBytes =
      largestWorkingSet(context.index, context.options.inPlace).bytes - 1;
  space.mostBytes = std::max(space.leastBytes, (*unlimited)->deviceBytes);
  space.leastTime = *reportRunOnce(context.index.graph()).bound;
  space.given.push_back(std::move(**unlimited));
  const bool isLargest = nodes > largestStep;
  if (!isLargest) {
    llvm::Expected<std::vector<PackedPlan>> smallest =
        packSmallestCheckpoints(context);
    if (!smallest)
      return smallest.takeError();
    llvm::append_range(space.given, std::move(*smallest));
  }
  const bool hasCuts = nodes > largeStep && !isLargest;
  // A search of its own is worth most next to the budget and far from it; in
  // between, plans go on from their neighbors. Chosen on the gate's cases that
  // recompute.
  space.effortByItself =
      asked > 0 ? asked
      : hasCuts ? movesOfLarge
                : std::clamp<int64_t>(tuning::movesOfNode * nodes,
                                      tuning::fewestMoves, tuning::mostMoves);
  space.effortToGoOn = std::max<int64_t>(
      1, space.effortByItself /
             (asked > 0 ? tuning::partOfAskedToGoOn : tuning::partToGoOn));
  space.shareMoves(nodes, asked);
  const Recomputation searches{
      context, solverOfSearch(context), space.effortToGoOn,
      hasCuts ? std::make_shared<CutCheckpoints>(
                    context.problemWithin(std::nullopt))
              : nullptr};
  std::shared_ptr<SmallestPlan> low;
  if (hasCuts && space.given.size() > 1)
    low = std::make_shared<SmallestPlan>(SmallestPlan{
        space.given.back(),
        space.given.back().deviceBytes +
            (space.mostBytes - space.leastBytes) / tuning::partOfLowPlaces});
  space.search = [searches, low,
                  effort = space.effortByItself](const BudgetSearch &search)
      -> llvm::Expected<std::vector<PackedPlan>> {
    if (!low || search.budgetBytes > low->highestBytes)
      return searches.planWithin(search);
    if (!low->improved) {
      // Its moves are not those of the place that comes first.
      const int64_t movesBefore = searches.context.triedMoves;
      llvm::Expected<std::vector<PackedPlan>> improved =
          searches.improveSmallest(low->smallest, effort);
      if (!improved)
        return improved.takeError();
      searches.context.triedMoves = movesBefore;
      low->improved = std::move(*improved);
    }
    BudgetSearch within = search;
    within.below = low->fastestWithin(search.budgetBytes, search.below);
    llvm::Expected<std::vector<PackedPlan>> plans = searches.planWithin(within);
    if (plans)
      llvm::append_range(*plans, *low->improved);
    return plans;
  };
  if (&searches.solver == &solverNamed(rematSolvers(), "auto"))
    space.addFallback(context, [searches](const BudgetSearch &search) {
      return searches.goOnFromCheckpoints(searches.context.checkpoints(),
                                          search);
    });
  if (isLargest)
    space.addFallback(context, smallestCheckpoints(context),
                      /*takesMoves=*/false);
  // A ramp takes all moves at each place: the last one would repeat another.
  space.looksNextToBudget = nodes <= largeStep;
  return space;
}

llvm::Expected<PlanSpace> memplan::spaceOfSolver(const StepContext &context) {
  PlanSpace space;
  const RematSolver &solver = *context.solvers.remat;
  const int64_t effort = context.options.limits.effort;
  llvm::Expected<std::optional<PackedPlan>> plan =
      attempt(context, solver, std::nullopt, effort);
  if (!plan)
    return plan.takeError();
  if (*plan)
    space.given.push_back(std::move(**plan));
  // The plan of least live bytes that the solver knows without searching.
  llvm::Expected<RematPlan> none =
      solve(context.problemWithin(1), solver, context.limitsWith(1));
  if (!none)
    return none.takeError();
  if (none->minimumBudgetBytes) {
    plan = attempt(context, solver, none->minimumBudgetBytes, 1);
    if (!plan)
      return plan.takeError();
    if (*plan)
      space.given.push_back(std::move(**plan));
  }
  if (space.given.empty())
    return space;
  // A walk looks above its lower end.
  space.leastBytes =
      largestWorkingSet(context.index, context.options.inPlace).bytes - 1;
  space.mostBytes = std::max(space.leastBytes, space.given.front().deviceBytes);
  space.leastTime = *reportRunOnce(context.index.graph()).bound;
  space.depth = tuning::halvingsOfSolver;
  space.effortByItself = space.effortToGoOn = effort;
  space.search = [&context, effort](const BudgetSearch &search)
      -> llvm::Expected<std::vector<PackedPlan>> {
    llvm::Expected<Attempts> found =
        fitTarget(context, *context.solvers.remat, search.budgetBytes,
                  tuning::roundsOfWalk, effort);
    if (!found)
      return found.takeError();
    std::vector<PackedPlan> plans;
    for (std::optional<PackedPlan> *each : {&found->cheapest, &found->smallest})
      if (*each)
        plans.push_back(std::move(**each));
    return plans;
  };
  return space;
}
