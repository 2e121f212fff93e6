//===- MultiplierRamp.cpp - A first plan by a rising penalty --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MultiplierRamp.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdlib>
#include <limits>

using namespace memplan;

static constexpr double none = std::numeric_limits<double>::infinity();

/// Steps of 1.3 to the end give the cheapest plans; where that takes many
/// moves, larger ones; 0 where it is of no use. Copies are tried beside
/// recomputation, which takes more moves.
double MultiplierRamp::stepOfMultiplier(int64_t spent, double fine) const {
  const int64_t ops = state.step.begin() + 1;
  const bool mayCopy = state.step.hasCopies();
  if (spent > (mayCopy ? 20 : 10) * ops + 50'000)
    return 0; // Nothing fits, or nearly so.
  return spent < (mayCopy ? 6 : 5) * ops + 10'000    ? fine
         : spent < (mayCopy ? 10 : 8) * ops + 25'000 ? 1.7
                                                     : 3;
}

void MultiplierRamp::run(double share, double blur) {
  copyShare = share;
  noise = blur;
  const RunSequence &runs = state.runs;
  const int64_t begun = effort.movesLeft();
  const double fine = noise > 0 ? 1.1 + 0.3 * state.random.unit() : 1.3;
  auto isStopped = [&] {
    return state.step.hasCopies() ? effort.isSpent() : effort.isCut();
  };
  double multiplier = 0;
  for (int pass = 0; pass < 300 && !runs.fits() && !isStopped(); ++pass) {
    nextMultiplier = none;
    failures.assign(state.step.numValues(), 0);
    passOver(multiplier);
    if (multiplier > 0)
      shiftCopies(multiplier);
    if (nextMultiplier == none) {
      multiplier *= 2;
      if (multiplier == 0 || multiplier > 1e12)
        return;
      continue;
    }
    const double factor = stepOfMultiplier(begun - effort.movesLeft(), fine);
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

/// Keeps the edits if they save more than they cost at that multiplier.
bool MultiplierRamp::decide(bool applies, double objective, double penalty,
                            double multiplier) {
  RunSequence &runs = state.runs;
  if (applies)
    state.sweep();
  auto change = [&](double time) {
    return (state.objectiveAt(time) - objective) / state.step.totalCost() +
           multiplier * (runs.penalty() - penalty);
  };
  if (applies && change(state.leastTime()) < -1e-13) {
    const double most = objective - multiplier * (runs.penalty() - penalty) *
                                        state.step.totalCost();
    const double time = state.measure(state.timeAt(most));
    if (change(time) < -1e-13) {
      state.commit(time);
      gaps.forget();
      return true;
    }
  }
  state.undo();
  // It may be worth its cost a little later.
  if (!runs.fits())
    nextMultiplier = std::min(nextMultiplier, multiplier * 1.01);
  return false;
}

/// Of closing the gap, by the cheaper way, for each unit of penalty.
MultiplierRamp::Multiplier
MultiplierRamp::multiplierOf(const IdleGap &idle, int32_t value, double relief,
                             double multiplier) const {
  const SearchStep &step = state.step;
  const bool mayRecompute = state.moves.canRecompute(value);
  Multiplier best{none, false};
  if (mayRecompute)
    best.value = step.variants(step.producer(value)).front().cost /
                 step.totalCost() / relief;
  if (!state.moves.canCopy(value))
    return best;
  double copies = step.copyTime(step.fetchOf(value));
  const int32_t evict = step.evictOf(value);
  if (evict >= 0 && state.runs.runsOf(evict).empty())
    copies += step.copyTime(evict);
  const double gap =
      state.times.start(idle.before) - state.times.end(idle.after);
  const double its = (copyShare * copies + std::max(0.0, copies - gap)) /
                     step.totalCost() / relief;
  // Where copies of it did not pay twice, the recomputation is tried before it
  // is much too expensive.
  if (its < best.value &&
      (!mayRecompute || failures[value] < 2 || best.value > 3 * multiplier))
    best = {its, true};
  return best;
}

void MultiplierRamp::visit(int32_t run, int32_t value, double multiplier) {
  const IdleGap idle = gaps.find(run, value);
  if (idle.before < 0)
    return;
  const RunSequence &runs = state.runs;
  const SearchStep &step = state.step;
  const double relief = idle.blocks * (step.bytes(value) * runs.weightOfByte() +
                                       runs.weightOfBlock());
  Multiplier its = multiplierOf(idle, value, relief, multiplier);
  if (noise > 0) // Between a factor of 1 - noise / 2 and 1 + noise / 2, or so.
    its.value *=
        (1 + noise * state.random.unit()) / (1 + noise * state.random.unit());
  if (its.value > multiplier) {
    nextMultiplier = std::min(nextMultiplier, its.value);
    return;
  }
  // Twice what freeing the value saves: runs of several outputs free others
  // too.
  const double mostCost = 2 * multiplier * relief * step.totalCost();
  if (its.byCopy) {
    if (closeByCopy(idle, value, multiplier))
      return;
    failures[value] += failures[value] < 2;
    if (!state.moves.canRecompute(value) || !runs.isIn(idle.before) ||
        step.variants(step.producer(value)).front().cost > mostCost / 2)
      return;
  }
  closeByRun(idle, value, mostCost, multiplier);
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
                                double mostCost, double multiplier) {
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
  return decide(true, objective, penalty, multiplier);
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
    for (int i = 0; i < 3 && runs.isIn(copy) && !runs.fits(); ++i)
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
    return step.isCopy(op) ? 0.3 * step.copyTime(op)
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
