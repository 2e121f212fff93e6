//===- MultiplierRamp.cpp - A first plan by a rising penalty --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MultiplierRamp.h"
#include "memplan/Planner/Search/Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdlib>
#include <limits>

using namespace memplan;

static constexpr double none = std::numeric_limits<double>::infinity();

/// Steps of 1.3 to the end give the cheapest plans; where that takes many
/// moves, larger ones; 0 where it is of no use. Copies are tried beside
/// recomputation, which takes more moves.
double MultiplierRamp::stepOfMultiplier(int64_t spent, int idle,
                                        double fine) const {
  if (idle > 2 * searchTuning::idlePasses)
    return 0;
  if (effort.rampMoves() && spent >= *effort.rampMoves())
    return 0;
  if (idle > searchTuning::idlePasses)
    fine = searchTuning::longestFactor;
  const int64_t ops = state.step.begin() + 1;
  auto isWithin = [&](const searchTuning::RampLength &length) {
    return spent < (mayCopy ? length.ofOpWithCopies : length.ofOp) * ops +
                       length.besides;
  };
  return isWithin(searchTuning::rampIsFine)       ? fine
         : isWithin(searchTuning::rampIsLong)     ? searchTuning::longFactor
         : isWithin(searchTuning::rampIsHopeless) ? searchTuning::longestFactor
                                                  : 0;
}

bool MultiplierRamp::mayWait() const {
  const int32_t ops = state.step.begin();
  return mayCopy || (ops >= searchTuning::fewestOpsOfWait &&
                     ops <= searchTuning::mostOpsOfWait);
}

void MultiplierRamp::run(double share, double blur) {
  copyShare = share;
  noise = blur;
  const RunSequence &runs = state.runs;
  const int64_t begun = effort.movesLeft();
  const double fine = noise > 0
                          ? searchTuning::leastBlurredFactor +
                                searchTuning::blurOfFactor * state.random.unit()
                          : searchTuning::rampFactor;
  auto isStopped = [&] { return mayCopy ? effort.isSpent() : effort.isCut(); };
  const auto numValues = size_t(state.step.numValues());
  neededOfCopy.assign(numValues, 0);
  neededOfRun.assign(numValues, 0);
  double multiplier = 0;
  int idle = 0;
  for (int pass = 0;
       pass < searchTuning::mostPasses && !runs.fits() && !isStopped();
       ++pass) {
    nextMultiplier = none;
    numKept = 0;
    passOver(multiplier);
    if (multiplier > 0)
      shiftCopies(multiplier);
    idle = numKept > 0 ? 0 : idle + 1;
    if (nextMultiplier == none) {
      multiplier *= 2;
      if (multiplier == 0 || multiplier > searchTuning::mostMultiplier)
        return;
      continue;
    }
    const double factor =
        stepOfMultiplier(begun - effort.movesLeft(), idle, fine);
    if (factor <= 0)
      return;
    multiplier = std::max(multiplier, nextMultiplier) * factor;
  }
}

void MultiplierRamp::passOver(double multiplier) {
  const RunSequence &runs = state.runs;
  const SearchStep &step = state.step;
  order.clear();
  for (int32_t run = runs.previous(runs.last()); run != runs.first();
       run = runs.previous(run))
    order.push_back(run);
  gaps.forget();
  for (int32_t run : order) {
    if (effort.isCut())
      return;
    if (!runs.isIn(run))
      continue;
    if (step.variants(runs.op(run)).size() > 1)
      visitVariant(run, multiplier);
    for (int32_t value : step.outputs(runs.op(run)))
      if (runs.isIn(run) && step.bytes(value) > 0 &&
          (state.moves.canRecompute(value) || state.moves.canCopy(value)) &&
          runs.lastUserOf(run, value) != run)
        visit(run, value, multiplier);
  }
}

/// Keeps the edits if they save more than they cost at that multiplier. If not,
/// they wait for the multiplier at which they do, as far as that is known.
bool MultiplierRamp::decide(bool applies, double objective, double penalty,
                            double multiplier) {
  const double total = state.step.totalCost();
  if (applies)
    state.sweep();
  const double saved = penalty - state.runs.penalty();
  auto change = [&](double time) {
    return (state.objectiveAt(time) - objective) / total - multiplier * saved;
  };
  double time = state.leastTime();
  if (applies && change(time) < -searchTuning::leastMultiplier) {
    time = state.measure(state.timeAt(
        objective + searchTuning::lookAhead * multiplier * saved * total));
    if (change(time) < -searchTuning::leastMultiplier) {
      state.commit(time);
      gaps.forget();
      ++numKept;
      return true;
    }
  }
  // What a recomputation costs depends on what else is recomputed; without
  // copies there is one ramp only, which tries it again at every multiplier.
  // On a step of many ops that would be most of the work.
  const searchTuning::RampWait wait =
      mayCopy ? searchTuning::waitWithCopies : searchTuning::waitOfRuns;
  if (!mayWait())
    needed = searchTuning::retryFactor * multiplier;
  else if (!applies || saved <= 0)
    needed = wait.ofBlind * multiplier;
  else
    needed = std::clamp((state.objectiveAt(time) - objective) / total / saved,
                        searchTuning::retryFactor * multiplier,
                        wait.longest * multiplier);
  needed = std::max(needed, searchTuning::leastMultiplier);
  state.undo();
  return false;
}

/// Cost of closing the gap, by the cheaper one of two means, for each unit of
/// penalty.
MultiplierRamp::Multiplier MultiplierRamp::multiplierOf(const IdleGap &idle,
                                                        int32_t value,
                                                        double relief) const {
  const SearchStep &step = state.step;
  const double unit = step.totalCost() * relief;
  Multiplier best{none, false};
  if (state.moves.canRecompute(value))
    best.value =
        std::max(neededOfRun[value],
                 step.variants(step.producer(value)).front().cost / unit);
  if (!state.moves.canCopy(value))
    return best;
  double copies = step.copyTime(step.fetchOf(value));
  const int32_t evict = step.evictOf(value);
  if (evict >= 0 && state.runs.runsOf(evict).empty())
    copies += step.copyTime(evict);
  const double gap =
      state.times.start(idle.before) - state.times.end(idle.after);
  const double its =
      std::max(neededOfCopy[value],
               (copyShare * copies + std::max(0.0, copies - gap)) / unit);
  return its < best.value ? Multiplier{its, true} : best;
}

void MultiplierRamp::visit(int32_t run, int32_t value, double multiplier) {
  const IdleGap idle = gaps.find(run, value);
  if (idle.before < 0)
    return;
  const RunSequence &runs = state.runs;
  const double relief =
      idle.blocks *
      (state.step.bytes(value) * runs.weightOfByte() + runs.weightOfBlock());
  // Between a factor of 1 - noise / 2 and 1 + noise / 2, or so.
  const double blur = noise > 0 ? (1 + noise * state.random.unit()) /
                                      (1 + noise * state.random.unit())
                                : 1;
  // By the other way, where the one that seemed cheaper did not pay.
  for (int i = 0; i < 2 && runs.isIn(idle.before); ++i) {
    const Multiplier its = multiplierOf(idle, value, relief);
    if (its.value * blur > multiplier) {
      nextMultiplier = std::min(nextMultiplier, its.value * blur);
      return;
    }
    if (its.byCopy ? closeByCopy(idle, value, multiplier)
                   : closeByRun(idle, value, relief, multiplier))
      return;
    nextMultiplier = std::min(nextMultiplier, needed);
    if (mayWait())
      (its.byCopy ? neededOfCopy : neededOfRun)[value] = needed;
    if (!state.step.hasCopies())
      return;
  }
}

/// Copies that take longer than the gap free little more than one slot, which
/// has to be one over the limit.
int32_t MultiplierRamp::overLimitNear(int32_t slot, int32_t first,
                                      int32_t last) const {
  const BytesLine &line = state.runs.line();
  if (line.bytesAt(slot) > line.limitBytes())
    return slot;
  int32_t nearest = -1;
  for (int32_t block = line.blockOf(first); block <= line.blockOf(last);
       ++block) {
    const int32_t peak = line.peakSlot(block);
    if (line.isOver(block) && peak >= first && peak <= last &&
        (nearest < 0 || std::abs(peak - slot) < std::abs(nearest - slot)))
      nearest = peak;
  }
  return nearest < 0 ? slot : nearest;
}

/// Frees the part over the limit: copies hide in the rest of the gap.
bool MultiplierRamp::copyOverLimit(const IdleGap &idle, int32_t value) {
  const RunSequence &runs = state.runs;
  const BytesLine &line = runs.line();
  const int32_t last = runs.slot(idle.before) - 1;
  int32_t first = runs.slot(idle.after) + 1;
  const int32_t near = first + line.slotsPerBlock();
  while (first < last && (line.runAt(first) < 0 ||
                          (first < near && !line.isOver(line.blockOf(first)))))
    ++first;
  if (first > last)
    return false;
  const double middle =
      (state.times.end(idle.after) + state.times.end(idle.before)) / 2;
  const int32_t at = state.moves.lastEndedBy(first, last, middle);
  return at >= 0 && state.moves.copyAway(
                        overLimitNear(runs.slot(at), first, last), value, 1);
}

bool MultiplierRamp::closeByCopy(const IdleGap &idle, int32_t value,
                                 double multiplier) {
  const double objective = state.objective(), penalty = state.runs.penalty();
  effort.spend();
  state.runs.begin();
  return decide(copyOverLimit(idle, value), objective, penalty, multiplier);
}

bool MultiplierRamp::closeByRun(const IdleGap &idle, int32_t value,
                                double relief, double multiplier) {
  const double mostCost = searchTuning::mostCostOfGap * multiplier * relief *
                          state.step.totalCost();
  const double objective = state.objective(), penalty = state.runs.penalty();
  auto recompute = [&](double costOfByte) {
    effort.spend();
    state.runs.begin();
    return state.moves.recompute(state.step.producer(value), idle.before,
                                 Moves::FreedInputs::ByBytes, mostCost,
                                 costOfByte) >= 0;
  };
  bool isMade = recompute(none);
  if (!isMade) {
    // From inputs that are more expensive to recompute than to keep.
    state.undo();
    isMade = recompute(mostCost / 2 / state.step.bytes(value));
  }
  return decide(isMade, objective, penalty, multiplier);
}

/// A slower variant with less workspace, where the run itself breaks the limit.
bool MultiplierRamp::visitVariant(int32_t run, double multiplier) {
  RunSequence &runs = state.runs;
  const int32_t op = runs.op(run), variant = runs.variant(run);
  if (variant + 1 == static_cast<int32_t>(state.step.variants(op).size()) ||
      runs.line().bytesAt(runs.slot(run)) <= runs.line().limitBytes())
    return false;
  const double cost = runs.cost(), objective = state.objective(),
               penalty = runs.penalty();
  effort.spend();
  runs.begin();
  runs.setVariant(run, variant + 1);
  const double saved = penalty - runs.penalty();
  if (saved <= 0) {
    state.undo();
    return false;
  }
  const double its = (runs.cost() - cost) / state.step.totalCost() / saved;
  if (its > multiplier) {
    nextMultiplier = std::min(nextMultiplier, its);
    state.undo();
    return false;
  }
  if (decide(true, objective, penalty, multiplier))
    return true;
  nextMultiplier = std::min(nextMultiplier, needed);
  return false;
}

/// The bytes of a fetched value before its first user, or of an evicted one
/// after its last, lie over the limit.
bool MultiplierRamp::touchesLimit(int32_t copy) const {
  const RunSequence &runs = state.runs;
  const BytesLine &line = runs.line();
  const int32_t op = runs.op(copy), value = state.step.copiedValue(op);
  int32_t first = runs.slot(copy), last = first;
  if (state.step.isFetch(op)) {
    const int32_t user = runs.firstUserAfter(value, first);
    if (user < 0)
      return false;
    last = runs.slot(user) - 1;
  } else {
    const int32_t from = runs.serving(value, last);
    if (runs.lastUserOf(from, value) != copy)
      return false;
    first = runs.slot(from);
  }
  for (int32_t block = line.blockOf(first); block <= line.blockOf(last);
       ++block)
    if (line.isOver(block))
      return true;
  return false;
}

void MultiplierRamp::shiftCopies(double multiplier) {
  const RunSequence &runs = state.runs;
  order.assign(runs.fetches().begin(), runs.fetches().end());
  order.insert(order.end(), runs.evicts().begin(), runs.evicts().end());
  for (int32_t copy : order)
    for (int i = 0;
         i < searchTuning::shiftsOfCopy && runs.isIn(copy) && !runs.fits(); ++i)
      if (effort.isCut() || !touchesLimit(copy) || shiftCopy(copy, multiplier))
        break;
}

/// To where it frees more than that costs.
bool MultiplierRamp::shiftCopy(int32_t copy, double multiplier) {
  const double objective = state.objective(), penalty = state.runs.penalty();
  effort.spend();
  state.runs.begin();
  const bool frees =
      state.moves.shiftCopy(copy) && state.runs.penalty() < penalty;
  return decide(frees, objective, penalty, multiplier);
}

void MultiplierRamp::removeNeedless() {
  RunSequence &runs = state.runs;
  const SearchStep &step = state.step;
  order.assign(runs.recomputations().begin(), runs.recomputations().end());
  order.insert(order.end(), runs.fetches().begin(), runs.fetches().end());
  auto cost = [&](int32_t run) {
    const int32_t op = runs.op(run);
    return step.isCopy(op) ? searchTuning::fetchRank * step.copyTime(op)
                           : step.variants(op)[runs.variant(run)].cost;
  };
  llvm::sort(order, [&](int32_t a, int32_t b) {
    return std::pair(-cost(a), a) < std::pair(-cost(b), b);
  });
  for (int32_t run : order) {
    const double penalty = runs.penalty();
    runs.begin();
    if (state.moves.retain(run))
      keepIfNoWorse(penalty);
    else
      state.undo();
  }
  if (step.hasVariants())
    chooseFasterVariants();
}

/// Keeps edits that take no more time and no more bytes over the limit.
bool MultiplierRamp::keepIfNoWorse(double penalty) {
  effort.spend();
  if (state.runs.penalty() <= penalty) {
    const double time = state.measure(state.time());
    if (time <= state.time()) {
      state.commit(time);
      return true;
    }
  }
  state.undo();
  return false;
}

void MultiplierRamp::chooseFasterVariants() {
  RunSequence &runs = state.runs;
  for (int32_t run = runs.next(runs.first()); run != runs.last();
       run = runs.next(run))
    while (runs.variant(run) > 0) {
      const double penalty = runs.penalty();
      runs.begin();
      runs.setVariant(run, runs.variant(run) - 1);
      if (!keepIfNoWorse(penalty))
        break;
    }
}
