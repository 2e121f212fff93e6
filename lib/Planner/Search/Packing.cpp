//===- Packing.cpp - Plans whose arena fits -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Search/Packing.h"
#include "memplan/Planner/Search/Tuning.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

int64_t memplan::placementsFor(int64_t moves, int64_t ops) {
  using namespace searchTuning;
  if (ops > mostOpsToRepack)
    return 0;
  // A search of a few moves wants a plan at once.
  const int64_t fewest =
      moves < ops ? ops / opsOfPlacement : fewestPlacementsOfOp * ops;
  const int64_t most =
      std::min<int64_t>(mostPlacements, placementsTimesOps / (ops + 1));
  return std::clamp<int64_t>(moves / movesOfPlacement, fewest,
                             std::max(most, fewest));
}

bool Packing::isHopeless(const CostedPlan &plan, double over) const {
  return plan.runs.size() > searchTuning::mostRunsToRepackAll &&
         over > searchTuning::mostExcessToRepack * full;
}

bool Packing::offer(const CostedPlan &plan, double peakBytes) {
  if (plan.cost >= costLimit() ||
      (!waiting.empty() && plan.cost >= waiting.back().plan.cost))
    return true;
  const double over = excess ? excess(plan.runs) : 0;
  if (over <= 0) {
    accept(plan);
    if (isSettled)
      live = std::min(full, peakBytes - over);
    return true;
  }
  if (!repacked || live < full || isHopeless(plan, over)) {
    refuse(plan, peakBytes, over);
    return false;
  }
  waiting.push_back({plan, peakBytes, over});
  // A caller that waits has a plan early.
  if (!cheapest)
    insist();
  return true;
}

bool Packing::offerInstead(const CostedPlan &plan) {
  if (plan.cost >= costLimit() || excess(plan.runs) > 0)
    return false;
  cheapest = plan;
  return true;
}

void Packing::accept(const CostedPlan &plan) {
  cheapest = plan;
  std::erase_if(waiting, [&](const Waiting &other) {
    return other.plan.cost >= plan.cost;
  });
  raise();
}

void Packing::refuse(const CostedPlan &plan, double peakBytes, double over) {
  if (!cheapest && (!nearest || over < leastExcess)) {
    nearest = plan;
    leastExcess = over;
  }
  lower(peakBytes, over);
}

void Packing::insist() {
  std::optional<Waiting> refused;
  for (int i = 0; i < searchTuning::mostRepacked && !waiting.empty(); ++i) {
    Waiting next = std::move(waiting.back());
    waiting.pop_back();
    if (next.plan.cost >= costLimit())
      break;
    next.excess = repacked(next.plan.runs);
    if (next.excess <= 0) {
      cheapest = std::move(next.plan);
      break;
    }
    if (!refused)
      refused = std::move(next);
  }
  waiting.clear();
  if (refused)
    refuse(refused->plan, refused->peakBytes, refused->excess);
}

void Packing::raise() {
  if (isSettled)
    return;
  fits = std::max(fits.value_or(0), live);
  if (!exceeds || *exceeds <= *fits * searchTuning::closeLimits) {
    exceeds.reset();
    live = full;
    return;
  }
  live = std::floor(*fits + (*exceeds - *fits) / 2);
}

void Packing::lower(double peakBytes, double by) {
  exceeds = std::min(live, peakBytes);
  if (isSettled) {
    live = std::max(0.0, *exceeds - std::max(1.0, by));
    return;
  }
  if (fits && *fits < *exceeds) {
    live = std::floor(*fits + (*exceeds - *fits) / 2);
    return;
  }
  fits.reset();
  live = std::max(0.0, *exceeds - std::max(1.0, std::floor(by / 2)));
}
