//===- Packing.cpp - Plans whose arena fits -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Search/Packing.h"
#include <algorithm>
#include <cmath>

using namespace memplan;

bool Packing::offer(const CostedPlan &plan, double peakBytes) {
  if (plan.cost >= costLimit())
    return true;
  const double over = excess ? excess(plan.runs) : 0;
  if (over <= 0) {
    cheapest = plan;
    raise();
    return true;
  }
  if (!cheapest && (!nearest || over < leastExcess)) {
    nearest = plan;
    leastExcess = over;
  }
  lower(peakBytes, over);
  return false;
}

bool Packing::offerInstead(const CostedPlan &plan) {
  if (plan.cost >= costLimit() || excess(plan.runs) > 0)
    return false;
  cheapest = plan;
  return true;
}

void Packing::raise() {
  fits = std::max(fits.value_or(0), live);
  if (!exceeds || *exceeds <= *fits * 1.002) {
    exceeds.reset();
    live = full;
    return;
  }
  live = std::floor(*fits + (*exceeds - *fits) / 2);
}

void Packing::lower(double peakBytes, double by) {
  exceeds = std::min(live, peakBytes);
  if (fits && *fits < *exceeds) {
    live = std::floor(*fits + (*exceeds - *fits) / 2);
    return;
  }
  fits.reset();
  live = std::max(0.0, *exceeds - std::max(1.0, std::floor(by / 2)));
}
