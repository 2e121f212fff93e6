//===- Annealing.cpp - Better plans by random moves -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annealing.h"

using namespace memplan;

bool Incumbent::offer(const RunSequence &sequence) {
  if (!sequence.fits() || sequence.cost() >= costLimit)
    return false;
  best = CostedPlan{sequence.plan(), sequence.cost()};
  costLimit = best->cost;
  peak = sequence.line().peakBytes();
  return true;
}

void Annealing::runCycle(int64_t length, double heat, double strictness) {
  cooling.begin(heat, strictness, step.end());
  cooling.run(length, effort, [&] { return tryMove(); });
  incumbent.offer(runs);
}

bool Annealing::tryMove() {
  const double cost = runs.cost(), penalty = runs.penalty();
  const double threshold = cooling.temperature * random.exponential();
  runs.begin();
  ++sinceCopy;
  if (!apply((threshold + cooling.weight * penalty) * step.totalCost())) {
    if (runs.hasEdits())
      runs.undo();
    return false;
  }
  const double change = (runs.cost() - cost) / step.totalCost() +
                        cooling.weight * (runs.penalty() - penalty);
  if (change > threshold) {
    runs.undo();
    return true;
  }
  runs.commit();
  if (sinceCopy * 8 >= runs.size() && incumbent.offer(runs))
    sinceCopy = 0;
  return true;
}

/// Makes a random move.
bool Annealing::apply(double mostCost) {
  const double drops = runs.fits() ? 0.3 : 0.55;
  const double draw = random.unit();
  if (step.hasWays() && random.chance(0.1))
    return moves.changeWay(moves.pickRun(0, runs.slot(runs.last()) - 1));
  if (draw < drops)
    return moves.drop(moves.pickHotSlot(), mostCost);
  if (draw < drops + 0.2)
    return moves.shift(moves.pickShifted());
  if (draw < drops + 0.4)
    return moves.swap(moves.pickRerun(), mostCost);
  return moves.retain(moves.pickRerun());
}
