//===- ProveCost.cpp - The search for good prices -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: steps of Polyak's length towards the best known cost along an averaged
//   direction; back to the best prices and shorter steps when they stop to
//   help. Dead inputs are shared anew by how often they were paid for.
// Guarantee: the prices that come out are rounded and the bound is evaluated in
//   integers (GapDual::prove).
// Cost: O(ops + gaps + dead inputs) for each step.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Bounds/GapDual.h"
#include "memplan/Planner/Remat/Bounds/ProvedBound.h"
#include <algorithm>
#include <limits>

using namespace memplan;

namespace {
class Ascent {
public:
  Ascent(GapDual &dual, double target) : dual(dual), target(target) {
    best.assign(size_t(dual.numRows()), 0);
  }

  /// Takes steps until their length or the effort is spent.
  void run(int64_t steps);
  const std::vector<double> &bestPrices() const { return best; }
  double bestBound() const { return bound; }

private:
  double evaluate();
  bool step(double value);

  GapDual &dual;
  double target; ///< Cost beyond one run of each op that is known to do.
  double bound = 0;
  std::vector<double> best, prices, excess, direction;
  double length = 1;
  int failures = 0;
};
} // namespace

double Ascent::evaluate() {
  const double value = dual.evaluate(prices, excess);
  if (value <= bound) {
    ++failures;
    return value;
  }
  if (value > bound * 1.0005 + 1e-12 * target)
    failures = 0;
  bound = value;
  best = prices;
  return value;
}

/// One step along the averaged direction; false where there is none.
bool Ascent::step(double value) {
  double square = 0;
  for (size_t row = 0; row < prices.size(); ++row) {
    const bool blocked = prices[row] <= 0;
    const double here = blocked && excess[row] < 0 ? 0 : excess[row];
    direction[row] = 0.6 * direction[row] + here;
    if (blocked && direction[row] < 0)
      direction[row] = 0;
    square += direction[row] * direction[row];
  }
  if (square <= 0)
    return false;
  const double by = length * std::max(target - value, 0.01 * target) / square;
  for (size_t row = 0; row < prices.size(); ++row)
    prices[row] = std::max(0.0, prices[row] + by * direction[row]);
  return true;
}

void Ascent::run(int64_t steps) {
  prices = best;
  direction.assign(prices.size(), 0);
  length = 1;
  failures = 0;
  for (; steps > 0 && bound < target * 0.9999; --steps) {
    double value = evaluate();
    if (failures > 80) {
      length *= 0.6;
      failures = 0;
      prices = best;
      direction.assign(prices.size(), 0);
      value = dual.evaluate(prices, excess);
      if (length < 1e-6)
        return;
    }
    if (!step(value))
      return;
  }
}

ProvedBound memplan::proveCost(const ContractedStep &step, int64_t budgetBytes,
                               std::optional<double> bestKnown,
                               int64_t effort) {
  const OrderRows rows(step);
  double leastCost = step.costOutside();
  for (const StepOp &op : step.ops())
    leastCost += op.ways.front().cost;
  ProvedBound bound{0, "fixed-order", "rounded-dual"};
  for (int32_t op = 0; op < rows.numRows(); ++op)
    if (rows.ownBytes(op) + rows.heldBytes(op) > budgetBytes)
      return {std::numeric_limits<double>::infinity(), "fixed-order", "exact"};

  const double target =
      bestKnown ? std::max(0.0, *bestKnown - leastCost) : 0.1 * leastCost;
  if (effort <= 0)
    effort = 20'000'000;
  for (int treeSize : {0, 1, 3, 12}) {
    GapDual dual(rows, budgetBytes, treeSize);
    // A fixed share of the effort each.
    const int64_t steps =
        std::max<int64_t>(1, effort / 10 / (dual.numItems() + dual.numRows()));
    Ascent ascent(dual, target);
    for (int round = 0; round < (treeSize == 0 ? 1 : 3); ++round) {
      if (round > 0)
        dual.shareByUse();
      ascent.run(steps);
      bound.cost = std::max(bound.cost, dual.prove(ascent.bestPrices()));
    }
  }
  return bound;
}
