//===- FlowMultipliers.cpp - Multipliers by largest flows -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Picard, "Maximal closure of a graph" (1976) for one multiplier of
//   bytes. The bound is concave in it and linear between cuts that change, so
//   that the next one to try is where the lines of two cuts meet (Newton's
//   method on a parametric cut; Gallo, Grigoriadis and Tarjan, 1989).
// Guarantee: none; PeakDual::prove() evaluates what comes out.
// Cost: some largest flows a row.
//
//===----------------------------------------------------------------------===//

#include "FlowMultipliers.h"
#include "CutFlow.h"
#include "Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>
#include <optional>

using namespace memplan;

namespace {
class RowFlow {
public:
  RowFlow(const PeakModel &model, int32_t row)
      : model(model), rows(*model.rows), row(row),
        unitsOfCost(rows.leastCost() > 0 ? tuning::unitsOfCut / rows.leastCost()
                                         : 1) {}

  /// The multiplier of a byte of the highest bound; 0: none was found.
  double findBest(double first) const;
  void addTo(double ofByte, PeakMultipliers &multipliers) const;

private:
  /// The bound beyond one run of each op, and what it gains with the
  /// multiplier.
  struct Line {
    double ofByte, bound, slope;
  };
  int64_t unitsOf(double cost) const {
    return int64_t(std::min(cost * unitsOfCost, tuning::mostUnitsOfCut));
  }
  CutFlow flowAt(double ofByte) const {
    auto keep = [&](int32_t value) {
      return unitsOf(ofByte * double(rows.step().values()[value].bytes));
    };
    auto recompute = [&](int32_t op) {
      return unitsOf(rows.step().ops()[op].variants.front().cost);
    };
    // A need that the model does not have can be given no multiplier.
    return CutFlow(rows, model.peaks[row], keep, recompute,
                   [&](int32_t value) { return placeOf(value) >= 0; });
  }
  Line lineAt(double ofByte) const;
  /// Place of the value in the block behind the row; -1: the model has none.
  int32_t placeOf(int32_t value) const {
    const PeakModel::Value &of = model.values[value];
    const int32_t block = row + 1;
    return block < of.firstBlock || block > of.lastBlock
               ? -1
               : int32_t(of.begin) + block - of.firstBlock;
  }
  void addNeed(int32_t run, int32_t input, bool ofRun, double cost,
               PeakMultipliers &multipliers) const;

  const PeakModel &model;
  const OrderRows &rows;
  const int32_t row;
  const double unitsOfCost;
};
} // namespace

RowFlow::Line RowFlow::lineAt(double ofByte) const {
  CutFlow flow = flowAt(ofByte);
  const double cut = double(flow.run()) / unitsOfCost;
  double bytes = double(model.excess[row]);
  for (int32_t value : flow.kept())
    bytes += double(rows.step().values()[value].bytes);
  return {ofByte, ofByte * double(model.excess[row]) + cut, bytes};
}

double RowFlow::findBest(double first) const {
  // All bytes together then count for less than 2^61 units.
  const double most = tuning::mostCostOfBytes * rows.leastCost() /
                      double(std::max<int64_t>(model.allBytes, 1));
  if (!(first > 0) || !(most > first))
    return 0;
  std::optional<Line> low, high;
  double next = first;
  for (int flow = 0; flow < tuning::mostFlowsOfRow; ++flow) {
    const Line line = lineAt(next);
    if (low && high) {
      const double above = low->bound + low->slope * (next - low->ofByte);
      if (line.bound >= above * (1 - tuning::closeOfFlows))
        return next; // Both lines, and no other one below them.
    }
    (line.slope > 0 ? low : high) = line;
    if (low && high)
      next = (high->bound - low->bound + low->slope * low->ofByte -
              high->slope * high->ofByte) /
             (low->slope - high->slope);
    else
      next = low ? next * tuning::growthOfFlows : next / tuning::growthOfFlows;
    if (next > most || next < first * tuning::leastOfFlows)
      break;
  }
  if (low && high)
    return low->bound > high->bound ? low->ofByte : high->ofByte;
  return low ? low->ofByte : 0;
}

void RowFlow::addTo(double ofByte, PeakMultipliers &multipliers) const {
  multipliers.ofRow[row] = ofByte;
  CutFlow flow = flowAt(ofByte);
  flow.run();
  for (const CutFlow::Link &link : flow.links()) {
    const double cost = double(flow.unitsOn(link)) / unitsOfCost;
    if (cost <= 0)
      continue;
    const auto &outputs = rows.step().ops()[link.op].outputs;
    const int32_t payer = *llvm::find_if(
        outputs, [&](int32_t output) { return rows.paysFor(output); });
    if (link.isInput)
      addNeed(payer, link.value, /*ofRun=*/false, cost, multipliers);
    else if (payer != link.value)
      addNeed(link.value, payer, /*ofRun=*/true, cost, multipliers);
  }
}

/// Adds to a need of the block behind the row, where the model has it.
void RowFlow::addNeed(int32_t run, int32_t input, bool ofRun, double cost,
                      PeakMultipliers &multipliers) const {
  const int32_t from = placeOf(run), to = placeOf(input);
  const auto [begin, end] = model.needsOf(run);
  for (size_t i = begin; i < end; ++i)
    if (const PeakModel::Need &need = model.needs[i];
        need.run == from && need.input == to && need.ofRun == ofRun)
      multipliers.ofNeed[i] += cost;
}

PeakMultipliers memplan::multipliersOfFlows(const PeakModel &model,
                                            llvm::ArrayRef<double> ofRow) {
  PeakMultipliers made;
  made.ofRow.assign(size_t(model.numPeaks()), 0);
  made.ofNeed.assign(model.needs.size(), 0);
  for (int32_t row = 0; row < model.numPeaks(); ++row)
    if (ofRow[row] > 0)
      RowFlow(model, row).addTo(ofRow[row], made);
  return made;
}

PeakMultipliers memplan::multipliersByFlow(const PeakModel &model,
                                           PeakDual &dual,
                                           llvm::ArrayRef<double> ofRow,
                                           int32_t apart) {
  PeakMultipliers best, rise;
  best.ofRow.assign(size_t(model.numPeaks()), 0);
  best.ofNeed.assign(model.needs.size(), 0);
  double bound = 0;
  std::vector<int32_t> order(size_t(model.numPeaks()));
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](int32_t a, int32_t b) {
    return ofRow[a] != ofRow[b] ? ofRow[a] > ofRow[b] : a < b;
  });
  for (int32_t row : order) {
    auto isNear = [&](int32_t other) {
      return best.ofRow[other] > 0 &&
             std::abs(model.peaks[row] - model.peaks[other]) < apart;
    };
    if (llvm::any_of(order, isNear))
      continue;
    const RowFlow flow(model, row);
    const double ofByte = flow.findBest(ofRow[row]);
    if (ofByte <= 0)
      continue;
    PeakMultipliers next = best;
    flow.addTo(ofByte, next);
    if (const double value = dual.evaluate(next, rise); value > bound) {
      bound = value;
      best = std::move(next);
    }
  }
  return best;
}
