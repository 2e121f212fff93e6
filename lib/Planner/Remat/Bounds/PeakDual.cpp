//===- PeakDual.cpp - The cheapest way of each value ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is there or not at each row; a shortest path with two states. One
// template walks it for floating point (the way to good prices) and for
// integers (the proof).
//
//===----------------------------------------------------------------------===//

#include "memplan/Planner/Remat/Bounds/PeakDual.h"
#include "memplan/Planner/Remat/Bounds/Ways.h"
#include <algorithm>

using namespace memplan;

PeakDual::PeakDual(const PeakModel &model)
    : model(&model), extra(model.numPlaces()), credit(model.numPlaces()),
      runs(model.numPlaces()), isThere(model.numPlaces()) {}

namespace {
/// How the cheapest ways to both states at the end of a block came about.
enum : uint8_t { FromKept = 1, LeftAfterUse = 2 };

/// The least cost of one value. `extra` is what a run pays for its needs,
/// `credit` what a value earns by being there. Leaves marks for each block.
template <typename Number> class ValuePath {
public:
  ValuePath(const PeakModel &model, llvm::ArrayRef<Number> priceOfRow,
            llvm::ArrayRef<Number> extra, llvm::ArrayRef<Number> credit)
      : model(model), priceOfRow(priceOfRow), extra(extra), credit(credit) {}

  Number least(const PeakModel::Value &value, Number cost,
               uint8_t *marks) const {
    Number kept = stay(value, 0), gone = 0;
    const int32_t blocks = value.lastBlock - value.firstBlock + 1;
    for (int32_t i = 1; i < blocks; ++i) {
      const size_t at = value.begin + size_t(i);
      const bool again = value.firstBlock + i <= value.lastAgain;
      const Number made = gone + cost + extra[at];
      const bool fromKept = !again || kept <= made;
      const Number there = (fromKept ? kept : made) - credit[at];
      const bool leftAfterUse = model.read[at] || there <= gone;
      marks[i] = uint8_t(fromKept ? FromKept : 0) |
                 uint8_t(leftAfterUse ? LeftAfterUse : 0);
      kept = there + stay(value, i);
      gone = leftAfterUse ? there : gone;
    }
    return gone;
  }

private:
  Number stay(const PeakModel::Value &value, int32_t i) const {
    const int32_t row = value.firstBlock + i;
    return row < model.numPeaks() && !model.touched[value.begin + size_t(i)]
               ? priceOfRow[row] * Number(value.bytes)
               : Number(0);
  }

  const PeakModel &model;
  llvm::ArrayRef<Number> priceOfRow, extra, credit;
};
} // namespace

double PeakDual::prove(const PeakPrices &prices) const {
  const OrderRows &rows = *model->rows;
  const ContractedStep &step = rows.step();
  const ExactCost unit(step.totalCost());
  const std::vector<Int128> ofRow =
      exactPrices(unit, prices.ofRow, model->allBytes);
  const std::vector<Int128> ofNeed = exactPrices(unit, prices.ofNeed, 1);
  auto costOf = [&](double cost) { return unit.floor(cost); };
  Int128 sum = unit.floor(step.costOutside());
  for (const StepOp &op : step.ops())
    sum += costOf(op.ways.front().cost);
  int64_t bytesMore;
  for (int32_t row = 0; row < model->numPeaks(); ++row) {
    const StepOp &op = step.ops()[model->peaks[row]];
    sum += ofRow[row] * model->excess[row] - costOf(op.ways.front().cost) +
           cheapestWay(op, ofRow[row], costOf, bytesMore);
  }
  std::vector<Int128> exactExtra(model->numPlaces(), 0),
      exactCredit(model->numPlaces(), 0);
  for (size_t i = 0; i < model->needs.size(); ++i) {
    exactExtra[model->needs[i].run] += ofNeed[i];
    exactCredit[model->needs[i].input] += ofNeed[i];
  }
  const ValuePath<Int128> path(*model, ofRow, exactExtra, exactCredit);
  std::vector<uint8_t> marks(size_t(model->numPeaks()) + 1);
  for (const PeakModel::Value &value : model->values)
    sum += path.least(value, costOf(value.cost), marks.data());
  return unit.toDouble(sum - 1);
}

double PeakDual::evaluate(const PeakPrices &prices, PeakPrices &rise) {
  const ContractedStep &step = model->rows->step();
  std::fill(extra.begin(), extra.end(), 0);
  std::fill(credit.begin(), credit.end(), 0);
  const std::vector<PeakModel::Need> &needs = model->needs;
  for (size_t i = 0; i < needs.size(); ++i) {
    extra[needs[i].run] += prices.ofNeed[i];
    credit[needs[i].input] += prices.ofNeed[i];
  }
  auto costOf = [](double cost) { return cost; };
  double bound = 0;
  rise.ofRow.resize(size_t(model->numPeaks()));
  for (int32_t row = 0; row < model->numPeaks(); ++row) {
    const StepOp &op = step.ops()[model->peaks[row]];
    int64_t bytesMore = 0;
    bound += prices.ofRow[row] * double(model->excess[row]) +
             cheapestWay(op, prices.ofRow[row], costOf, bytesMore) -
             op.ways.front().cost;
    rise.ofRow[row] = double(model->excess[row]) + double(bytesMore);
  }
  const ValuePath<double> path(*model, prices.ofRow, extra, credit);
  marks.resize(size_t(model->numPeaks()) + 1);
  for (const PeakModel::Value &value : model->values) {
    bound += path.least(value, value.cost, marks.data());
    // Back from the last block, after which nothing stays.
    bool kept = false;
    for (int32_t i = value.lastBlock - value.firstBlock; i >= 0; --i) {
      const size_t at = value.begin + size_t(i);
      const int32_t row = value.firstBlock + i;
      if (kept && row < model->numPeaks() && !model->touched[at])
        rise.ofRow[row] += double(value.bytes);
      isThere[at] = i == 0 || kept || (marks[i] & LeftAfterUse);
      const bool fromKept = isThere[at] && (marks[i] & FromKept);
      runs[at] = i > 0 && isThere[at] && !fromKept;
      kept = fromKept;
    }
  }
  rise.ofNeed.resize(needs.size());
  for (size_t i = 0; i < needs.size(); ++i)
    rise.ofNeed[i] =
        double(runs[needs[i].run]) - double(isThere[needs[i].input]);
  return bound;
}
