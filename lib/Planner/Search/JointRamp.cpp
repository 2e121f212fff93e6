//===- JointRamp.cpp - A first plan with copies ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JointRamp.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace memplan;

static constexpr double none = std::numeric_limits<double>::infinity();

void JointRamp::run(double share, double blur) {
  copyShare = share;
  noise = blur;
  const RunSequence &runs = state.runs;
  const int64_t begun = effort.movesLeft();
  const double fine = noise > 0 ? 1.1 + 0.3 * state.random.unit() : 1.3;
  double price = 0;
  for (int pass = 0; pass < 300 && !runs.fits() && !effort.isSpent(); ++pass) {
    nextPrice = none;
    failures.assign(state.step.numValues(), 0);
    passOver(price);
    if (price > 0)
      shiftCopies(price);
    if (nextPrice == none) {
      price *= 2;
      if (price == 0 || price > 1e12)
        return;
      continue;
    }
    const int64_t spent = begun - effort.movesLeft(),
                  ops = state.step.begin() + 1;
    if (spent > 20 * ops + 50'000)
      return; // Nothing fits, or nearly so.
    const double factor = spent < 6 * ops + 10'000    ? fine
                          : spent < 10 * ops + 25'000 ? 1.7
                                                      : 3;
    price = std::max(price, nextPrice) * factor;
  }
}

void JointRamp::passOver(double price) {
  const RunSequence &runs = state.runs;
  order.clear();
  for (int32_t run = runs.previous(runs.last()); run != runs.first();
       run = runs.previous(run))
    order.push_back(run);
  stretches.forget();
  for (int32_t run : order) {
    if (effort.isCut())
      return;
    if (!runs.isIn(run))
      continue;
    for (int32_t value : state.step.outputs(runs.op(run)))
      if (runs.isIn(run) && state.step.bytes(value) > 0 &&
          (state.moves.canRerun(value) || state.moves.canCopy(value)) &&
          runs.lastReaderOf(run, value) != run)
        visit(run, value, price);
  }
}

/// Of closing the gap, by the cheaper way, for each unit of penalty.
JointRamp::Price JointRamp::priceOf(const IdleStretch &idle, int32_t value,
                                    double relief, double price) const {
  const SearchStep &step = state.step;
  const bool mayRerun = state.moves.canRerun(value);
  Price best{none, false};
  if (mayRerun)
    best.value = step.ways(step.producer(value)).front().cost /
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
  // Where copies of it did not pay twice, the rerun is tried before it is much
  // too dear.
  if (its < best.value &&
      (!mayRerun || failures[value] < 2 || best.value > 3 * price))
    best = {its, true};
  return best;
}

void JointRamp::visit(int32_t run, int32_t value, double price) {
  const IdleStretch idle = stretches.find(run, value);
  if (idle.before < 0)
    return;
  const RunSequence &runs = state.runs;
  const double relief =
      idle.blocks *
      (state.step.bytes(value) * runs.weightOfByte() + runs.weightOfBlock());
  Price its = priceOf(idle, value, relief, price);
  if (noise > 0)
    its.value *=
        (1 + noise * state.random.unit()) / (1 + noise * state.random.unit());
  if (its.value > price) {
    nextPrice = std::min(nextPrice, its.value);
    return;
  }
  const double mostCost = 2 * price * relief * state.step.totalCost();
  if (its.byCopy) {
    if (tryToClose(idle, value, true, mostCost, price))
      return;
    failures[value] += failures[value] < 2;
    if (!state.moves.canRerun(value) || !runs.isIn(idle.before) ||
        state.step.ways(state.step.producer(value)).front().cost > mostCost / 2)
      return;
  }
  tryToClose(idle, value, false, mostCost, price);
}

/// Frees the part over the limit: copies hide in the rest of the gap.
bool JointRamp::closeByCopy(const IdleStretch &idle, int32_t value) {
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
  return at >= 0 && state.moves.copyAway(runs.slot(at), value, 1);
}

/// Keeps the edits if they save more than they cost at that price.
bool JointRamp::tryToClose(const IdleStretch &idle, int32_t value, bool byCopy,
                           double mostCost, double price) {
  RunSequence &runs = state.runs;
  const double objective = state.objective(), penalty = runs.penalty();
  effort.spend();
  runs.begin();
  const bool applies =
      byCopy ? closeByCopy(idle, value)
             : state.moves.rerun(state.step.producer(value), idle.before,
                                 Moves::GoneInputs::ByBytes, mostCost) >= 0;
  if (applies)
    runs.sweep();
  auto change = [&](double time) {
    return (state.objectiveAt(time) - objective) / state.step.totalCost() +
           price * (runs.penalty() - penalty);
  };
  if (applies && change(state.leastTime()) < -1e-13) {
    const double most =
        objective - price * (runs.penalty() - penalty) * state.step.totalCost();
    const double time = state.times.measure(state.timeAt(most));
    if (change(time) < -1e-13) {
      state.commit(time);
      stretches.forget();
      return true;
    }
  }
  state.undo();
  // It may be worth its cost a little later.
  if (!runs.fits())
    nextPrice = std::min(nextPrice, price * 1.01);
  return false;
}

/// The bytes of a fetched value before its first reader, or of an evicted one
/// after its last, lie over the limit.
bool JointRamp::touchesLimit(int32_t copy) const {
  const RunSequence &runs = state.runs;
  const BytesLine &line = runs.line();
  const int32_t op = runs.op(copy), value = state.step.copiedValue(op);
  int32_t first = runs.slot(copy), last = first;
  if (state.step.isFetch(op)) {
    const int32_t reader = runs.firstReaderAfter(value, first);
    if (reader < 0)
      return false;
    last = runs.slot(reader) - 1;
  } else {
    const int32_t from = runs.serving(value, last);
    if (runs.lastReaderOf(from, value) != copy)
      return false;
    first = runs.slot(from);
  }
  for (int32_t block = line.blockOf(first); block <= line.blockOf(last);
       ++block)
    if (line.isOver(block))
      return true;
  return false;
}

void JointRamp::shiftCopies(double price) {
  RunSequence &runs = state.runs;
  order.assign(runs.fetches().begin(), runs.fetches().end());
  order.insert(order.end(), runs.evicts().begin(), runs.evicts().end());
  for (int32_t copy : order)
    for (int i = 0; i < 3 && runs.isIn(copy) && !runs.fits(); ++i) {
      if (effort.isCut() || !touchesLimit(copy))
        break;
      const double objective = state.objective(), penalty = runs.penalty();
      effort.spend();
      runs.begin();
      if (state.moves.shiftCopy(copy) && runs.penalty() < penalty) {
        const double time = state.times.measure();
        const double change =
            (state.objectiveAt(time) - objective) / state.step.totalCost() +
            price * (runs.penalty() - penalty);
        if (change < -1e-13) {
          state.commit(time);
          break;
        }
      }
      state.undo();
      nextPrice = std::min(nextPrice, price * 1.01);
    }
}

void JointRamp::removeNeedless() {
  RunSequence &runs = state.runs;
  const SearchStep &step = state.step;
  order.assign(runs.reruns().begin(), runs.reruns().end());
  order.insert(order.end(), runs.fetches().begin(), runs.fetches().end());
  auto cost = [&](int32_t run) {
    const int32_t op = runs.op(run);
    return step.isCopy(op) ? 0.3 * step.copyTime(op)
                           : step.ways(op)[runs.way(run)].cost;
  };
  llvm::sort(order, [&](int32_t a, int32_t b) {
    return std::pair(-cost(a), a) < std::pair(-cost(b), b);
  });
  for (int32_t run : order) {
    const double penalty = runs.penalty();
    effort.spend();
    runs.begin();
    if (state.moves.retain(run) && runs.penalty() <= penalty) {
      const double time = state.times.measure(state.time());
      if (time <= state.time()) {
        state.commit(time);
        continue;
      }
    }
    state.undo();
  }
}
