//===- JointAnnealing.cpp - Better plans with copies by random moves ------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JointAnnealing.h"

using namespace memplan;

bool FastestPlan::offer(const JointState &state) {
  if (!state.runs.fits() || state.time() >= timeLimit)
    return false;
  best = CostedPlan{state.runs.plan(), state.time()};
  timeLimit = best->cost;
  peak = state.runs.line().peakBytes();
  return true;
}

/// The temperature falls, and the weight rises, in so many steps: by a factor
/// of 1000 and of 30 in all.
static constexpr int numLevels = 64;
static constexpr double coolingOfLevel = 0.8976871324473142;   // 1000^(-1/64)
static constexpr double weightingOfLevel = 1.0545776850105633; // 30^(1/64)

void JointAnnealing::runCycle(int64_t length, double heat, double strictness) {
  temperature = heat * 0.5 / std::max(1, state.step.end());
  weight = 0.3 * strictness;
  for (int level = 0; level < numLevels; ++level) {
    const int64_t until =
        effort.movesLeft() -
        (length * (level + 1) / numLevels - length * level / numLevels);
    // Iterations that do not come to a move are cheap, but must end.
    for (int idle = 0; effort.movesLeft() > until && !effort.isSpent();)
      if (tryMove() || ++idle % 16 == 0)
        effort.spend();
    temperature *= coolingOfLevel;
    weight *= weightingOfLevel;
  }
  fastest.offer(state);
}

/// Most moves never come to a pass over the times: they are too dear even if
/// all of their copies hide.
bool JointAnnealing::tryMove() {
  RunSequence &runs = state.runs;
  const double objective = state.objective(), penalty = runs.penalty();
  const double threshold = temperature * state.random.exponential();
  runs.begin();
  ++sinceCopy;
  if (!apply((threshold + weight * penalty) * state.step.totalCost())) {
    if (runs.hasEdits())
      state.undo();
    return false;
  }
  runs.sweep();
  auto change = [&](double time) {
    return (state.objectiveAt(time) - objective) / state.step.totalCost() +
           weight * (runs.penalty() - penalty);
  };
  if (change(state.leastTime()) > threshold) {
    state.undo();
    return true;
  }
  const double time = state.times.measure();
  if (change(time) > threshold) {
    state.undo();
    return true;
  }
  state.commit(time);
  if (sinceCopy * 8 >= runs.size() && fastest.offer(state))
    sinceCopy = 0;
  return true;
}

bool JointAnnealing::apply(double mostCost) {
  RunSequence &runs = state.runs;
  CopyMoves &moves = state.moves;
  Random &random = state.random;
  if (moves.rules.mayCopy && random.chance(0.3)) {
    if (moves.rules.mayRerun && random.chance(0.25))
      return moves.convert();
    const int32_t copy = moves.pickCopy();
    if (copy >= 0)
      return moves.shiftCopy(copy);
  }
  if (state.step.hasWays() && random.chance(0.1))
    return moves.changeWay(moves.pickRun(0, runs.slot(runs.last()) - 1));
  const double drops = runs.fits() ? 0.3 : 0.55;
  const double draw = random.unit();
  if (draw < drops)
    return moves.drop(moves.pickHotSlot(), mostCost);
  if (draw < drops + 0.2)
    return moves.shift(moves.pickRerun());
  if (draw < drops + 0.4)
    return moves.swap(moves.pickMade(), mostCost);
  return moves.retain(moves.pickMade());
}
