//===- PlanSearch.cpp - From a limit to the best plan found ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"
#include <algorithm>

using namespace memplan;

PlanSearch::PlanSearch(const SearchStep &step, double limitBytes,
                       bool freeOrder, double costOfAll, Effort &effort)
    : step(step), limit(limitBytes), costOfAll(costOfAll), effort(effort),
      runs(step, freeOrder), moves(step, runs, random, freeOrder),
      incumbent(step), ramp(step, runs, moves, random, effort),
      annealing(step, runs, moves, random, effort, incumbent) {}

void PlanSearch::start(double noise) {
  runs.reset(RunSequence::sourceOrder(step), limit);
  ramp.run(noise);
  if (runs.fits())
    ramp.removeNeedless();
  incumbent.offer(runs);
}

void PlanSearch::report() {
  Progress progress;
  progress.solver = "search";
  if (incumbent.exists())
    progress.incumbent = incumbent.cost() / step.totalCost() * costOfAll;
  progress.seconds = effort.seconds();
  effort.report(progress);
}

void PlanSearch::run() {
  start(0);
  report();
  if (incumbent.exists() && incumbent.cost() <= step.totalCost())
    return;
  const int64_t all = effort.movesLeft();
  // With few moves a node, hot cycles only undo what the ramp has found.
  const double heat =
      std::clamp(double(all) / (1000.0 * step.numOps()), 0.01, 1.0);
  static const double heats[] = {1, 0.3, 3, 0.1};
  int64_t length = std::max<int64_t>(1000, all / 50);
  for (int cycle = 0; !effort.isSpent(); ++cycle) {
    const bool isEarly = effort.movesLeft() > all * 6 / 10;
    length = std::min(length, effort.movesLeft());
    annealing.runCycle(length, heat * heats[cycle % 4]);
    report();
    restart(cycle, isEarly);
    if (!isEarly)
      length += length / 2;
  }
}

void PlanSearch::restart(int cycle, bool again) {
  if (again ? cycle % 2 == 0 : cycle % 4 == 2)
    return start(3 * random.unit());
  if (incumbent.exists() && (cycle % 2 == 1 || !runs.fits()))
    runs.reset(incumbent.plan(), limit);
}
