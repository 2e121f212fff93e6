//===- PeakDual.h - What must come back after a peak ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_REMAT_BOUNDS_PEAKDUAL_H
#define MEMPLAN_PLANNER_REMAT_BOUNDS_PEAKDUAL_H

#include "memplan/Planner/Remat/Bounds/ExactCost.h"

namespace memplan {

/// A few first runs (rows) and the blocks of the step between them. At a row a
/// value stays or goes; in a block an op runs again or not, and what it reads
/// has to be there at some time of that block (docs/Planner/Remat.md,
/// remat_b2). Memory holds at the rows only.
class PeakModel {
public:
  /// `peaks` are ops, ascending, each once.
  PeakModel(const OrderRows &rows, int64_t budgetBytes,
            std::vector<int32_t> peaks);

  /// Values over blocks: place `at` belongs to one value in one block and to
  /// the row that ends the block.
  struct Value {
    int32_t value, firstBlock, lastBlock;
    size_t begin;      ///< Place of the first block.
    int32_t lastAgain; ///< Last block in which it can be made again, or -1.
    int64_t bytes;
    double cost; ///< Of making it again.
  };
  /// A run again of one place needs an input at another one.
  struct Need {
    int32_t run, input;
  };
  int32_t numPeaks() const { return static_cast<int32_t>(peaks.size()); }
  size_t numPlaces() const { return places; }

  const OrderRows *rows;
  std::vector<int32_t> peaks;
  std::vector<int64_t> excess; ///< By row: bytes over budget without values.
  std::vector<Value> values;
  std::vector<Need> needs;
  std::vector<uint8_t> read;    ///< By place: read for the first time there.
  std::vector<uint8_t> touched; ///< By place: the row counts it already.
  int64_t allBytes = 0;

private:
  void addValues(const std::vector<int32_t> &blockOf);
  void addNeeds(const std::vector<int32_t> &blockOf);

  std::vector<int32_t> lastUse; ///< By op: last block where a run serves.
  size_t places = 0;
};

/// Prices of the bytes at rows and of needs, all >= 0.
struct PeakPrices {
  std::vector<double> ofRow, ofNeed;
};

/// The Lagrangian dual of a PeakModel: values fall apart, and each takes its
/// cheapest way through the blocks.
class PeakDual {
public:
  explicit PeakDual(const PeakModel &model);

  /// The bound on the cost beyond one run of each op, and by row and need where
  /// it rises.
  double evaluate(const PeakPrices &prices, PeakPrices &rise);
  /// The same in integers, the costs of one run of each op included: a bound
  /// whatever the prices.
  double prove(const PeakPrices &prices) const;

private:
  const PeakModel *model;
  std::vector<double> extra, credit;  ///< By place.
  std::vector<uint8_t> runs, isThere; ///< By place.
  std::vector<uint8_t> marks;         ///< By block of one value.
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_REMAT_BOUNDS_PEAKDUAL_H
