//===- PlanSearch.cpp - From a limit to the best plan found ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"
#include <algorithm>
#include <utility>

using namespace memplan;

PlanSearch::PlanSearch(const SearchStep &step, Packing &packing, bool freeOrder,
                       Effort &effort)
    : step(step), packing(packing), effort(effort), runs(step, freeOrder),
      moves(step, runs, random, freeOrder),
      prices(step, runs, moves, random, effort),
      annealing(step, runs, moves, random, effort, incumbent) {}

void PlanSearch::start() {
  runs.reset(RunSequence::sourceOrder(step), packing.limit());
  ramp(0);
  settle();
}

void PlanSearch::start(llvm::ArrayRef<PlannedRun> plan) {
  runs.reset(plan, packing.limit());
  ramp(0);
  settle();
}

void PlanSearch::ramp(double noise) {
  prices.run(noise);
  if (runs.fits())
    prices.removeNeedless();
  incumbent.offer(runs);
}

/// Packs the best plan of the limit. Where it packs badly, or better than plans
/// of more bytes did, the search goes on with another limit.
void PlanSearch::settle() {
  if (!incumbent.plan())
    return;
  const double limit = packing.limit();
  packing.offer(*incumbent.plan(), incumbent.peakBytes());
  changeLimit(limit);
}

/// After packing may have changed it.
void PlanSearch::changeLimit(double before) {
  if (packing.limit() == before || !incumbent.plan())
    return;
  runs.reset(incumbent.plan()->runs, packing.limit());
  incumbent.reset(packing.costLimit());
}

void PlanSearch::improve(double enoughCost, int64_t all) {
  const int64_t end = effort.movesLeft() - all;
  // With few moves a node, hot cycles only undo what the ramp has found.
  const double heat =
      std::clamp(double(all) / (1000.0 * step.numOps()), 0.01, 1.0);
  static const double heats[] = {1, 0.3, 3, 0.1};
  int64_t length = std::max<int64_t>(1000, all / 50);
  bool hasInsisted = false;
  for (int cycle = 0; !effort.isSpent() && effort.movesLeft() > end; ++cycle) {
    if (packing.costLimit() <= enoughCost)
      return;
    const int64_t left = effort.movesLeft() - end;
    if (left < all / 2 && !std::exchange(hasInsisted, true)) {
      const double limit = packing.limit();
      packing.insist();
      changeLimit(limit);
    }
    const bool isEarly = left > all * 6 / 10;
    length = std::min(length, left);
    // Without a plan, what matters is to come closer to one.
    const bool hasPlan = packing.accepted() || incumbent.plan();
    annealing.runCycle(length, heat * heats[cycle % 4], hasPlan ? 1 : 10);
    settle();
    restart(cycle, isEarly && hasPlan);
    if (!isEarly)
      length += length / 2;
  }
}

void PlanSearch::restart(int cycle, bool isEarly) {
  if (isEarly ? cycle % 2 == 0 : cycle % 4 == 2) {
    runs.reset(RunSequence::sourceOrder(step), packing.limit());
    return ramp(3 * random.unit());
  }
  if (cycle % 2 == 0 && runs.fits())
    return;
  if (incumbent.plan())
    runs.reset(incumbent.plan()->runs, packing.limit());
  else if (packing.accepted())
    runs.reset(packing.accepted()->runs, packing.limit());
}
