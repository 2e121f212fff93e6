//===- ProveCost.cpp - The search for good prices -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: prices of bytes at all first runs (GapDual) show where memory is short;
//   the rows of the highest prices then make a model of peaks (PeakDual), in
//   which what a run needs is priced too. Fewer rows give larger blocks: needs
//   are met in the whole of a block, so that fewer rows are often better, and
//   several numbers of rows are tried.
// Guarantee: the prices that are found are rounded and the bound is evaluated
//   in integers.
// Cost: the effort.
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Bounds/Ascent.h"
#include "memplan/Planner/Remat/Bounds/ProvedBound.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace memplan;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
class CostProver {
public:
  CostProver(const ContractedStep &step, int64_t budgetBytes,
             std::optional<double> bestKnown, int64_t effort)
      : rows(step), budget(budgetBytes), effort(effort) {
    leastCost = rows.leastCost();
    target = bestKnown ? std::max(0.0, *bestKnown - leastCost)
                       : std::max(0.1 * leastCost, 1e-9);
    bestPrices.assign(size_t(rows.numRows()), 0);
  }

  double prove() {
    for (int32_t op = 0; op < rows.numRows(); ++op)
      if (rows.bytesAt(op) > budget)
        return infinity;
    for (int treeSize : {0, 1, 3, 12})
      proveWithGaps(treeSize);
    for (int32_t peaks : {1, 2, 4, 16})
      proveWithPeaks(peaks);
    return bound;
  }

private:
  bool isClosed() const { return bound >= (leastCost + target) * (1 - 1e-9); }
  void proveWithGaps(int treeSize);
  void proveWithPeaks(int32_t count);

  const OrderRows rows;
  int64_t budget, effort;
  double leastCost, target, bound = 0, gapBound = -1;
  std::vector<double> bestPrices; ///< Of bytes at all rows.
  size_t lastCount = 0;
};
} // namespace

void CostProver::proveWithGaps(int treeSize) {
  if (isClosed())
    return;
  GapDual dual(rows, budget, treeSize);
  // A fixed share of the effort each.
  const int64_t steps =
      std::max<int64_t>(1, effort / 40 / (dual.numItems() + dual.numRows()));
  GapAscent ascent(dual, target);
  for (int round = 0; round < (treeSize == 0 ? 1 : 3); ++round) {
    if (round > 0)
      dual.shareByUse();
    ascent.run(steps);
    const double proved = dual.prove(ascent.bestPrices());
    if (proved > gapBound) {
      gapBound = proved;
      bestPrices = ascent.bestPrices();
    }
    bound = std::max(bound, proved);
  }
}

void CostProver::proveWithPeaks(int32_t count) {
  if (isClosed())
    return;
  std::vector<int32_t> peaks;
  for (int32_t row = 0; row < rows.numRows(); ++row)
    if (bestPrices[row] > 0)
      peaks.push_back(row);
  std::sort(peaks.begin(), peaks.end(), [&](int32_t a, int32_t b) {
    return bestPrices[a] != bestPrices[b] ? bestPrices[a] > bestPrices[b]
                                          : a < b;
  });
  peaks.resize(std::min(peaks.size(), size_t(count)));
  if (peaks.size() <= lastCount)
    return;
  lastCount = peaks.size();
  std::sort(peaks.begin(), peaks.end());
  PeakPrices prices;
  for (int32_t peak : peaks)
    prices.ofRow.push_back(bestPrices[peak]);
  const PeakModel model(rows, budget, std::move(peaks));
  prices.ofNeed.assign(model.needs.size(), 0);
  PeakDual dual(model);
  const int64_t steps = std::max<int64_t>(
      50, effort / 5 / int64_t(model.numPlaces() + model.needs.size() + 1));
  PeakAscent ascent(dual, target, leastCost / rows.numRows(), budget);
  prices = ascent.run(std::move(prices), std::min<int64_t>(steps, 4000));
  bound = std::max(bound, dual.prove(prices));
}

void memplan::raiseBound(SolveReport &report, const ProvedBound &bound) {
  if (std::isinf(bound.cost) || (report.bound && bound.cost <= *report.bound))
    return;
  report.bound = bound.cost;
  report.boundSpace = bound.space;
  report.proof = bound.proof;
}

ProvedBound memplan::proveCost(const ContractedStep &step, int64_t budgetBytes,
                               std::optional<double> bestKnown,
                               int64_t effort) {
  CostProver prover(step, budgetBytes, bestKnown,
                    effort > 0 ? effort : 40'000'000);
  const double cost = prover.prove();
  return {cost, "fixed-order", cost < infinity ? "rounded-dual" : "exact"};
}
