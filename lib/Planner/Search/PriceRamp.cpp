//===- PriceRamp.cpp - A first plan by a rising price of memory -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PriceRamp.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

using namespace memplan;

static constexpr double none = std::numeric_limits<double>::infinity();

void PriceRamp::run(double noise) {
  // Steps of 1.3 to the end give the cheapest plans; where that takes many
  // moves, larger ones.
  const int64_t begun = effort.movesLeft();
  const double fine = noise > 0 ? 1.1 + 0.3 * random.unit() : 1.3;
  double price = 0;
  for (int pass = 0; pass < 300 && !runs.fits() && !effort.isCut(); ++pass) {
    nextPrice = none;
    passOver(price, noise);
    if (nextPrice == none) {
      price *= 2;
      if (price == 0 || price > 1e12)
        return;
      continue;
    }
    const int64_t spent = begun - effort.movesLeft(), ops = step.numOps();
    if (spent > 10 * ops + 50'000)
      return; // Nothing fits, or nearly so.
    const double factor = spent < 5 * ops + 10'000   ? fine
                          : spent < 8 * ops + 25'000 ? 1.7
                                                     : 3;
    price = std::max(price, nextPrice) * factor;
  }
}

void PriceRamp::passOver(double price, double noise) {
  order.clear();
  for (int32_t run = runs.previous(runs.last()); run != runs.first();
       run = runs.previous(run))
    order.push_back(run);
  stretches.forget();
  for (int32_t run : order) {
    if (effort.isCut())
      return;
    const int32_t op = runs.op(run);
    if (runs.isIn(run) && step.ways(op).size() > 1)
      visitWay(run, price);
    if (step.runsOnce(op))
      continue;
    for (int32_t value : step.outputs(op))
      if (runs.isIn(run) && step.bytes(value) > 0 &&
          runs.lastReader(run, step.place(value)) != run)
        visit(run, value, price, noise);
  }
}

/// Keeps the edits if they save more than they cost at that price.
bool PriceRamp::decide(double cost, double penalty, double price) {
  const double change = (runs.cost() - cost) / step.totalCost() +
                        price * (runs.penalty() - penalty);
  if (change < -1e-13) {
    runs.commit();
    stretches.forget();
    return true;
  }
  runs.undo();
  // It may be worth its cost a little later.
  if (!runs.fits())
    nextPrice = std::min(nextPrice, price * 1.01);
  return false;
}

void PriceRamp::visit(int32_t run, int32_t value, double price, double noise) {
  const IdleStretch idle = stretches.find(run, value);
  if (idle.before < 0)
    return;
  const int32_t op = runs.op(run);
  const double relief = idle.blocks * (step.bytes(value) * runs.weightOfByte() +
                                       runs.weightOfBlock());
  double its = step.ways(op).front().cost / step.totalCost() / relief;
  if (noise > 0) // Between a factor of 1 - noise / 2 and 1 + noise / 2, or so.
    its *= (1 + noise * random.unit()) / (1 + noise * random.unit());
  if (its > price) {
    nextPrice = std::min(nextPrice, its);
    return;
  }
  const double cost = runs.cost(), penalty = runs.penalty();
  effort.spend();
  runs.begin();
  // Twice what freeing the value saves: runs of several outputs free others
  // too.
  const double mostCost = 2 * price * relief * step.totalCost();
  auto rerun = [&](double costOfByte) {
    return moves.rerun(op, idle.before, Moves::GoneInputs::ByBytes, mostCost,
                       costOfByte) >= 0;
  };
  bool isMade = rerun(none);
  if (!isMade) {
    // From inputs that are dearer to make again than to keep.
    effort.spend();
    runs.undo();
    runs.begin();
    isMade = rerun(mostCost / 2 / step.bytes(value));
  }
  if (!isMade) {
    runs.undo();
    nextPrice = std::min(nextPrice, price * 1.01);
    return;
  }
  decide(cost, penalty, price);
}

/// A slower way with less workspace, where the run itself breaks the limit.
bool PriceRamp::visitWay(int32_t run, double price) {
  const int32_t op = runs.op(run), way = runs.way(run);
  if (way + 1 == static_cast<int32_t>(step.ways(op).size()) ||
      runs.line().bytesAt(runs.slot(run)) <= runs.line().limitBytes())
    return false;
  const double cost = runs.cost(), penalty = runs.penalty();
  effort.spend();
  runs.begin();
  runs.setWay(run, way + 1);
  const double saved = penalty - runs.penalty();
  if (saved <= 0) {
    runs.undo();
    return false;
  }
  const double its = (runs.cost() - cost) / step.totalCost() / saved;
  if (its > price) {
    nextPrice = std::min(nextPrice, its);
    runs.undo();
    return false;
  }
  return decide(cost, penalty, price);
}

void PriceRamp::removeNeedless() {
  std::vector<int32_t> reruns = runs.reruns();
  auto cost = [&](int32_t run) {
    return step.ways(runs.op(run))[runs.way(run)].cost;
  };
  llvm::sort(reruns, [&](int32_t a, int32_t b) {
    return std::pair(-cost(a), a) < std::pair(-cost(b), b);
  });
  auto decideOn = [&](double before) {
    if (runs.penalty() > before)
      runs.undo();
    else
      runs.commit();
    effort.spend();
  };
  for (int32_t run : reruns) {
    const double before = runs.penalty();
    runs.begin();
    if (moves.retain(run))
      decideOn(before);
    else
      runs.undo();
  }
  if (!step.hasWays())
    return;
  for (int32_t run = runs.next(runs.first()); run != runs.last();
       run = runs.next(run))
    while (runs.way(run) > 0) {
      const double before = runs.penalty();
      const int32_t way = runs.way(run);
      runs.begin();
      runs.setWay(run, way - 1);
      decideOn(before);
      if (runs.way(run) == way)
        break;
    }
}
