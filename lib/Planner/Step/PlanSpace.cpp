//===- PlanSpace.cpp - Plans of one kind for any budget -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSpace.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>

using namespace memplan;

/// Down to an eighth of what lies between the ends, plans differ too much to go
/// on from one another.
static constexpr int depthByItself = 3;

/// A little less takes much longer.
static bool isFarApart(const BudgetWalk<PackedPlan>::Place &place) {
  return !place.below ||
         (place.above &&
          place.below->plan.makespan() > 1.03 * place.above->plan.makespan());
}

bool BudgetSearch::isGain(llvm::ArrayRef<PackedPlan> plans) const {
  return llvm::any_of(plans, [&](const PackedPlan &plan) {
    return plan.deviceBytes <= budgetBytes &&
           (!below || plan.plan.makespan() < below->plan.makespan());
  });
}

void PlanSpace::addFallback(Search other) {
  search = [first = std::move(search),
            other = std::move(other)](const BudgetSearch &search)
      -> llvm::Expected<std::vector<PackedPlan>> {
    llvm::Expected<std::vector<PackedPlan>> plans = first(search);
    if (!plans || search.below || search.isGain(*plans))
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

llvm::Expected<std::vector<PackedPlan>>
SpaceWalk::search(const Walk::Place &place) {
  std::vector<PackedPlan> found;
  if (context.isStopped() ||
      (place.below && isAtMost(place.below->plan.makespan(), space.leastTime)))
    return found;
  BudgetSearch search;
  search.budgetBytes = place.bytes;
  search.leastTime = place.leastTime;
  search.below = place.below;
  search.above = place.above == place.below ? nullptr : place.above;
  // The last place is next to the budget.
  const bool isLast = place.depth > space.depth;
  search.isByItself = place.depth <= depthByItself ||
                      (isLast && space.effortsByDepth.empty()) ||
                      isFarApart(place);
  // At the top, nearly everything is a plan.
  search.effort = search.isByItself && place.depth > 0 ? space.effortByItself
                                                       : space.effortToGoOn;
  if (!space.effortsByDepth.empty())
    search.effort = space.effortsByDepth[std::min<size_t>(
        place.depth, space.effortsByDepth.size() - 1)];
  const double known = place.below ? place.below->plan.makespan()
                                   : std::numeric_limits<double>::infinity();
  for (int tries = 0; tries < space.tries; ++tries) {
    llvm::Expected<std::vector<PackedPlan>> made = space.search(search);
    if (!made)
      return made.takeError();
    bool isBetter = false;
    for (PackedPlan &plan : *made) {
      isBetter |=
          plan.deviceBytes <= place.bytes && plan.plan.makespan() < known;
      found.push_back(std::move(plan));
    }
    if (isBetter || known < 1.003 * place.leastTime)
      break;
    search.isByItself = true;
    search.effort = space.effortByItself << tries;
  }
  return found;
}
