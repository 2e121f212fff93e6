//===- ProveCost.cpp - The search for good multipliers --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Idea: multipliers of bytes at all first runs (GapDual) show where memory is
//   short; the rows of the highest multipliers then make a model of peaks
//   (PeakDual), in which what a run needs has a multiplier too. Fewer rows give
//   larger blocks: needs are met in the whole of a block, so that fewer rows
//   are often better, and several numbers of rows are tried.
// Guarantee: the multipliers that are found are rounded and the bound is
//   evaluated in integers.
// Cost: the effort.
//
//===----------------------------------------------------------------------===//

#include "Ascent.h"
#include "FlowMultipliers.h"
#include "RepeatMultipliers.h"
#include "Tuning.h"
#include "memplan/Planner/Bounds/ProvedBound.h"
#include "memplan/Planner/Bounds/ValueCut.h"
#include "memplan/Planner/Thresholds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace memplan;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
class CostProver {
public:
  CostProver(const ContractedStep &step, int64_t budgetBytes,
             std::optional<double> bestKnown,
             const std::optional<StepRepeat> &repeat, int64_t effort)
      : rows(step), budget(budgetBytes), effort(effort),
        window(windowFor(step, repeat)) {
    leastCost = rows.leastCost();
    target = bestKnown ? std::max(0.0, *bestKnown - leastCost)
                       : std::max(tuning::unknownTarget * leastCost,
                                  tuning::lessForShares);
    bestMultipliers.assign(size_t(window.end), 0);
  }

  double prove() {
    for (int32_t op = 0; op < rows.numRows(); ++op)
      if (rows.bytesAt(op) > budget)
        return infinity;
    // Less than a step of an ascent finds no multiplier, and takes its time.
    if (rows.numRows() >= largeStep && effort / tuning::gapShare < window.end)
      return bound;
    for (int treeSize : tuning::treeSizes)
      proveWithGaps(treeSize);
    proveWithPeaks();
    return bound;
  }

private:
  RepeatWindow windowFor(const ContractedStep &step,
                         const std::optional<StepRepeat> &repeat) const;
  bool isClosed() const {
    return bound >= (leastCost + target) * (1 - tuning::lessForShares);
  }
  void proveWithGaps(int treeSize);
  struct WeightedRow {
    int32_t row;
    double multiplier;
  };
  std::vector<WeightedRow> hills(int32_t parts) const;
  void proveWithPeaks();
  void proveWithPeaks(std::vector<WeightedRow> peaks, int32_t horizon);

  const OrderRows rows;
  int64_t budget, effort;
  const RepeatWindow window;
  double leastCost, target, bound = 0, gapBound = -1;
  std::vector<double> bestMultipliers; ///< Multipliers of bytes at all rows.
};
} // namespace

/// Layers of a forward pass repeat too, but memory is short behind them: rows
/// of the window that lack less than half of what others do prove little.
RepeatWindow
CostProver::windowFor(const ContractedStep &step,
                      const std::optional<StepRepeat> &repeat) const {
  const RepeatWindow found = findWindow(step, repeat);
  const std::vector<int64_t> bytes = bytesOfAll(rows);
  int64_t within = 0, most = 0;
  for (int32_t row = 0; row < rows.numRows(); ++row) {
    const int64_t excess = bytes[row] - budget;
    most = std::max(most, excess);
    if (row < found.end)
      within = std::max(within, excess);
  }
  return within < most / 2 ? findWindow(step, std::nullopt) : found;
}

void CostProver::proveWithGaps(int treeSize) {
  if (isClosed())
    return;
  GapDual dual(rows, budget, treeSize, window.end);
  // A fixed share of the effort each.
  const int64_t steps = std::max<int64_t>(
      1, effort / tuning::gapShare / (dual.numItems() + dual.numRows()));
  GapAscent ascent(dual, target);
  for (int round = 0; round < (treeSize == 0 ? 1 : tuning::sharings); ++round) {
    if (round > 0)
      dual.shareByUse();
    ascent.run(steps);
    const double proved = dual.prove(ascent.bestMultipliers());
    if (proved > gapBound) {
      gapBound = proved;
      bestMultipliers = ascent.bestMultipliers();
    }
    bound = std::max(bound, proved);
  }
}

/// Memory is short several times in a step of micro-batches, and what one of
/// them pays the others pay too. The highest multiplier of each such time.
std::vector<CostProver::WeightedRow> CostProver::hills(int32_t parts) const {
  const int32_t apart = std::max(window.end / parts, tuning::leastHill);
  std::vector<WeightedRow> tops;
  double top = 0;
  int32_t last = -1;
  for (int32_t row = 0; row < window.end; ++row) {
    if (bestMultipliers[row] <= 0)
      continue;
    if (last < 0 || row - last > apart) {
      tops.push_back({row, 0});
      top = 0;
    }
    if (bestMultipliers[row] > top)
      tops.back().row = row;
    top = std::max(top, bestMultipliers[row]);
    tops.back().multiplier += bestMultipliers[row];
    last = row;
  }
  // What an ascent has not brought down to 0 proves nothing, and its rows make
  // the blocks of others shorter.
  double highest = 0;
  for (const WeightedRow &each : tops)
    highest = std::max(highest, each.multiplier);
  llvm::erase_if(tops, [&](const WeightedRow &each) {
    return each.multiplier < tuning::leastOfHills * highest;
  });
  return tops;
}

void CostProver::proveWithPeaks() {
  std::vector<WeightedRow> byMultiplier;
  for (int32_t row = 0; row < window.end; ++row)
    if (bestMultipliers[row] > 0)
      byMultiplier.push_back({row, bestMultipliers[row]});
  llvm::sort(byMultiplier, [](const WeightedRow &a, const WeightedRow &b) {
    return a.multiplier != b.multiplier ? a.multiplier > b.multiplier
                                        : a.row < b.row;
  });
  auto proveWithHighest = [&](size_t count) {
    proveWithPeaks({byMultiplier.begin(), byMultiplier.begin() + count},
                   PeakModel::allBlocks);
  };
  // What one turn lacks says nothing of the others.
  size_t last = window.turns > 0 ? 0 : std::min<size_t>(byMultiplier.size(), 1);
  if (last > 0)
    proveWithHighest(last);
  const bool isLarge = rows.numRows() >= largeStep;
  for (int32_t parts : tuning::partsOfHills) {
    const std::vector<WeightedRow> tops = hills(parts);
    if (tops.size() > 1)
      proveWithPeaks(tops, RepeatWindow::horizon);
    // More rows of one time prove little more, for as much work again.
    if (isLarge)
      return;
  }
  for (size_t count : tuning::countsOfPeaks) {
    count = std::min(byMultiplier.size(), count);
    if (count > last)
      proveWithHighest(count);
    last = count;
  }
}

void CostProver::proveWithPeaks(std::vector<WeightedRow> peaks,
                                int32_t horizon) {
  if (isClosed())
    return;
  llvm::sort(peaks, [](const WeightedRow &a, const WeightedRow &b) {
    return a.row < b.row;
  });
  PeakMultipliers multipliers;
  std::vector<int32_t> ops;
  for (const WeightedRow &peak : peaks) {
    ops.push_back(peak.row);
    multipliers.ofRow.push_back(peak.multiplier);
  }
  const PeakModel model(rows, budget, std::move(ops), horizon, window.end);
  multipliers.ofNeed.assign(model.needs.size(), 0);
  PeakDual dual(model);
  PeakMultipliers byFlow = multipliersByFlow(model, dual, multipliers.ofRow,
                                             window.end / tuning::cutsApart);
  PeakMultipliers rise;
  if (dual.evaluate(byFlow, rise) > dual.evaluate(multipliers, rise))
    multipliers = std::move(byFlow);
  // Flows leave nothing to gain at a row by itself.
  if (model.numPeaks() > 1) {
    const int64_t steps = std::max<int64_t>(
        tuning::fewestPeakSteps,
        effort / tuning::peakShare /
            int64_t(model.numPlaces() + model.needs.size() + 1));
    PeakAscent ascent(dual, target, leastCost / rows.numRows(), budget);
    multipliers = ascent.run(std::move(multipliers),
                             std::min(steps, tuning::mostPeakSteps));
  }
  if (window.turns == 0) {
    bound = std::max(bound, dual.prove(multipliers));
    return;
  }
  const PeakModel whole(
      rows, budget, repeatPeaks(window, model.peaks, rows.numRows()), horizon);
  // Of several largest flows, two turns may have two, whose halves do not go
  // together: each turn gets a flow of its own.
  multipliers = repeatMultipliers(window, model, multipliers, whole);
  PeakDual dualOfAll(whole);
  PeakMultipliers flows = multipliersOfFlows(whole, multipliers.ofRow);
  if (dualOfAll.evaluate(flows, rise) > dualOfAll.evaluate(multipliers, rise))
    multipliers = std::move(flows);
  bound = std::max(bound, dualOfAll.prove(multipliers));
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
                               const std::optional<StepRepeat> &repeat,
                               int64_t effort) {
  CostProver prover(step, budgetBytes, bestKnown, repeat,
                    effort > 0 ? effort : tuning::costEffort);
  const double cost = prover.prove();
  return {cost, "fixed-order", cost < infinity ? "rounded-dual" : "exact"};
}
