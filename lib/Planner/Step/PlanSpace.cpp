//===- PlanSpace.cpp - Plans of one kind for any budget -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSpace.h"
#include "Tuning.h"
#include "memplan/Planner/Search/Tuning.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace memplan;

/// A little less takes much longer.
static bool isFarApart(const BudgetWalk<PackedPlan>::Place &place) {
  return !place.below ||
         (place.above && place.below->plan.makespan() >
                             tuning::farApart * place.above->plan.makespan());
}

bool BudgetSearch::isGain(llvm::ArrayRef<PackedPlan> plans) const {
  return llvm::any_of(plans, [&](const PackedPlan &plan) {
    return plan.deviceBytes <= budgetBytes &&
           (!below || plan.plan.makespan() < below->plan.makespan());
  });
}

SolveLimits BudgetSearch::limitsFor(const StepContext &context,
                                    int64_t effort) const {
  if (!lastMove)
    return context.limitsWith(effort);
  const int64_t left = std::max<int64_t>(1, *lastMove - context.triedMoves);
  SolveLimits limits = context.limitsWith(std::min(effort, left));
  limits.rampMoves = left;
  return limits;
}

llvm::Expected<std::vector<PackedPlan>>
PlanSpace::searchWithin(int64_t budget, int64_t effort,
                        const PackedPlan *below) const {
  BudgetSearch within;
  within.budgetBytes = budget;
  within.below = below;
  within.effort = effort;
  return search(within);
}

void PlanSpace::shareMoves(int64_t nodes, int64_t asked) {
  countsAllMoves = asked > 0;
  partsInVain =
      asked > 0 ? searchTuning::partsOfAsked : searchTuning::partsOfDefault;
  mostMoves =
      std::max(partsInVain * std::min(searchTuning::rampMovesOfOp * nodes,
                                      searchTuning::mostRampMoves),
               asked > 0 ? searchTuning::effortsOfWalk * asked
                         : searchTuning::effortsInVain * effortByItself);
}

void PlanSpace::addFallback(const StepContext &context, Search other,
                            bool takesMoves) {
  search = [&context, takesMoves, first = std::move(search),
            other = std::move(other)](const BudgetSearch &search)
      -> llvm::Expected<std::vector<PackedPlan>> {
    llvm::Expected<std::vector<PackedPlan>> plans = first(search);
    if (!plans || search.below || search.isGain(*plans) ||
        (takesMoves && search.isSpent(context)))
      return plans;
    llvm::Expected<std::vector<PackedPlan>> more = other(search);
    if (!more)
      return more;
    std::move(more->begin(), more->end(), std::back_inserter(*plans));
    return plans;
  };
}

SpaceWalk::SpaceWalk(const StepContext &context, PlanSpace given)
    : context(context), space(std::move(given)),
      walk(space.leastBytes, space.mostBytes, space.depth,
           [this](const Walk::Place &place) { return search(place); }) {
  for (const PackedPlan &plan : space.given)
    walk.add(plan);
}

llvm::Expected<ParetoFront> SpaceWalk::plansFor(int64_t budget, int lastDepth) {
  return walk.walkTo(budget, space.looksNextToBudget
                                 ? lastDepth
                                 : std::min(lastDepth, space.depth));
}

std::optional<int64_t> SpaceWalk::mostMovesAt(const Walk::Place &place) const {
  if (!space.mostMoves || (place.below && !space.countsAllMoves))
    return std::nullopt;
  const int64_t parts = place.below ? 2 : space.partsInVain;
  return std::max<int64_t>(1, (*space.mostMoves - place.moves) / parts);
}

BudgetSearch SpaceWalk::searchAt(const Walk::Place &place) const {
  BudgetSearch search;
  search.budgetBytes = place.bytes;
  search.leastTime = place.leastTime;
  search.below = place.below;
  search.above = place.above == place.below ? nullptr : place.above;
  // The last place is next to the budget.
  const bool isLast = place.depth > space.depth;
  search.isByItself = place.depth <= tuning::depthByItself ||
                      (isLast && space.effortsByDepth.empty()) ||
                      isFarApart(place);
  // At the top, nearly everything is a plan.
  search.effort = search.isByItself && place.depth > 0 ? space.effortByItself
                                                       : space.effortToGoOn;
  if (!space.effortsByDepth.empty())
    search.effort = isLast && space.effortOfLast
                        ? *space.effortOfLast
                        : space.effortsByDepth[std::min<size_t>(
                              place.depth, space.effortsByDepth.size() - 1)];
  if (const std::optional<int64_t> most = mostMovesAt(place))
    search.lastMove = context.triedMoves + *most;
  return search;
}

llvm::Expected<SpaceWalk::Walk::Found>
SpaceWalk::search(const Walk::Place &place) {
  std::vector<PackedPlan> found;
  if (context.isStopped() ||
      (place.below && isAtMost(place.below->plan.makespan(), space.leastTime)))
    return found;
  const int64_t movesBefore = context.triedMoves;
  BudgetSearch search = searchAt(place);
  const double known = place.below ? place.below->plan.makespan()
                                   : std::numeric_limits<double>::infinity();
  bool isWithin = place.below;
  for (int tries = 0; tries < space.tries; ++tries) {
    llvm::Expected<std::vector<PackedPlan>> made = space.search(search);
    if (!made)
      return made.takeError();
    bool isBetter = false;
    for (PackedPlan &plan : *made) {
      isWithin |= plan.deviceBytes <= place.bytes;
      isBetter |=
          plan.deviceBytes <= place.bytes && plan.plan.makespan() < known;
      found.push_back(std::move(plan));
    }
    if (isBetter || known < tuning::closeToLeast * place.leastTime ||
        search.isSpent(context))
      break;
    search.isByItself = true;
    search.effort = space.effortByItself << tries;
  }
  const bool counts = space.countsAllMoves || !isWithin;
  return Walk::Found(std::move(found),
                     counts ? context.triedMoves - movesBefore : 0);
}
