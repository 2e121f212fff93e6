//===- Annealing.cpp - Better plans by random moves -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Annealing.h"
#include "memplan/Planner/Search/Tuning.h"

using namespace memplan;

bool Incumbent::offer(const SearchState &state) {
  if (!state.runs.fits() || state.time() >= timeLimit ||
      state.time() < leastTime)
    return false;
  if (best) {
    if (before.size() == searchTuning::mostEarlierPlans)
      before.erase(before.begin());
    before.push_back(std::move(*best));
  }
  best = CostedPlan{state.runs.plan(), state.time()};
  timeLimit = best->cost;
  peak = state.runs.line().peakBytes();
  return true;
}

void Annealing::runCycle(int64_t length, double heat, double strictness) {
  cooling.begin(heat, strictness, state.step.end());
  cooling.run(length, effort, [&] { return tryMove(); });
  incumbent.offer(state);
}

/// Most moves never come to a pass over the times: they are too expensive even
/// if all of their copies hide.
bool Annealing::tryMove() {
  RunSequence &runs = state.runs;
  const double scale = state.step.totalCost();
  const double objective = state.objective(), penalty = runs.penalty();
  const double threshold = cooling.temperature * state.random.exponential();
  runs.begin();
  ++sinceCopy;
  if (!apply((threshold + cooling.weight * penalty) * scale)) {
    if (runs.hasEdits())
      state.undo();
    return false;
  }
  state.sweep();
  const double penalties = cooling.weight * (runs.penalty() - penalty);
  auto isAccepted = [&](double time) {
    return (state.objectiveAt(time) - objective) / scale + penalties <=
           threshold;
  };
  if (!isAccepted(state.leastTime())) {
    state.undo();
    return true;
  }
  const double most = objective + scale * (threshold - penalties);
  const double time = state.measure(state.timeAt(most) + 1);
  if (!isAccepted(time)) {
    state.undo();
    return true;
  }
  state.commit(time);
  if (sinceCopy * searchTuning::partOfPlanBetween >= runs.size() &&
      incumbent.offer(state))
    sinceCopy = 0;
  return true;
}

/// Makes a random move.
bool Annealing::apply(double mostCost) {
  RunSequence &runs = state.runs;
  CopyMoves &moves = state.moves;
  Random &random = state.random;
  if (moves.rules.mayCopy && random.chance(searchTuning::chanceOfCopyMove)) {
    if (moves.rules.mayRecompute &&
        random.chance(searchTuning::chanceOfConversion))
      return moves.convert();
    const int32_t copy = moves.pickCopy();
    if (copy >= 0)
      return moves.shiftCopy(copy);
  }
  const double drops =
      runs.fits() ? searchTuning::chanceOfDrop : searchTuning::chanceOfDropOver;
  const double draw = random.unit();
  if (state.step.hasVariants() && random.chance(searchTuning::chanceOfVariant))
    return moves.changeVariant(moves.pickRun(0, runs.slot(runs.last()) - 1));
  if (draw < drops)
    return moves.drop(moves.pickHotSlot(), mostCost);
  if (draw < drops + searchTuning::chanceOfShift)
    return moves.shift(moves.pickShifted());
  if (draw < drops + searchTuning::chanceOfShift + searchTuning::chanceOfSwap)
    return moves.swap(moves.pickMade(), mostCost);
  return moves.retain(moves.pickMade());
}
