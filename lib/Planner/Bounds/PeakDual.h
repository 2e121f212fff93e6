//===- PeakDual.h - What must come back after a peak ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_PEAKDUAL_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_PEAKDUAL_H

#include "ExactCost.h"
#include <limits>

namespace memplan {

/// A few first runs (rows) and the blocks of the step between them. At a row a
/// value stays or goes; in a block an op runs again or not, and what it reads
/// has to be live at some time of that block (docs/Planner/Remat.md,
/// remat_b2). Memory holds at the rows only.
class PeakModel {
public:
  static constexpr int32_t allBlocks = std::numeric_limits<int32_t>::max();

  /// `peaks` are ops, ascending, each once. What is read for the last time more
  /// than `horizon` blocks before is live for free, so that a model of many
  /// peaks far from each other stays small. Values that an op from `endOp` on
  /// makes are left out.
  PeakModel(const OrderRows &rows, int64_t budgetBytes,
            std::vector<int32_t> peaks, int32_t horizon = allBlocks,
            int32_t endOp = allBlocks);

  /// Values over blocks: place `at` belongs to one value in one block and to
  /// the row that ends the block.
  struct Value {
    int32_t value, firstBlock, lastBlock;
    size_t begin;      ///< Place of the first block.
    int32_t lastAgain; ///< Last block in which it can be recomputed, or -1.
    int64_t bytes;
    double cost; ///< Cost of recomputing it.
  };
  /// A run again of one place needs an input at another one; or, an output of
  /// several that is recomputed, the run of the output that pays for the op.
  struct Need {
    int32_t run, input;
    bool ofRun = false;
  };
  int32_t numPeaks() const { return static_cast<int32_t>(peaks.size()); }
  size_t numPlaces() const { return places; }
  /// Workspace that variants of the row's op take beyond the least.
  std::vector<int64_t> variantSizes(int32_t row) const;

  const OrderRows *rows;
  int64_t budgetBytes;
  std::vector<int32_t> peaks;
  /// By row: bytes over budget without the values that stay, at least; bytes
  /// that no choice of them can fill count as taken.
  std::vector<int64_t> excess;
  std::vector<Value> values;
  std::vector<Need> needs;
  /// Needs of runs of a value, from one place to another one.
  std::pair<size_t, size_t> needsOf(int32_t value) const {
    return {firstNeed[value], firstNeed[size_t(value) + 1]};
  }
  /// By row: places of the values that take bytes there, and their bytes.
  std::vector<std::vector<std::pair<size_t, int64_t>>> atRow;
  std::vector<uint8_t> read;    ///< By place: read for the first time there.
  std::vector<uint8_t> touched; ///< By place: the row counts it already.
  int64_t allBytes = 0;

private:
  void findLastUses(const std::vector<int32_t> &blockOf, int32_t horizon);
  void addValues(const std::vector<int32_t> &blockOf, int32_t endOp);
  void addNeeds(const std::vector<int32_t> &blockOf);
  void roundExcess();

  std::vector<int32_t> lastUse;   ///< By op: last block where a run serves.
  std::vector<int32_t> lastUseOf; ///< By value.
  std::vector<size_t> firstNeed;  ///< By value, and their end.
  size_t places = 0;
};

/// Multipliers of the bytes at rows and of needs, all >= 0.
struct PeakMultipliers {
  std::vector<double> ofRow, ofNeed;
};

template <typename Number> struct PathMultipliers;

/// What is decided about a value at the row of a place.
enum class Stay : int8_t { Open = -1, Freed = 0, Kept = 1 };

/// The Lagrangian dual of a PeakModel: values fall apart, and each takes its
/// cheapest way through the blocks.
class PeakDual {
public:
  explicit PeakDual(const PeakModel &model);
  ~PeakDual();

  /// Bounds from now on are for plans that obey decisions, by place, or for
  /// all.
  void decide(llvm::ArrayRef<Stay> decisions) { decided = decisions; }
  /// Counts other bytes over budget than the model's from now on.
  void setExcess(std::vector<int64_t> bytes) { excess = std::move(bytes); }
  /// The bound on the cost beyond one run of each op, and by row and need where
  /// it rises. Leaves the ways that values take.
  double evaluate(const PeakMultipliers &multipliers, PeakMultipliers &rise);
  /// By place, as evaluate() found it last: the value stays across the row.
  llvm::ArrayRef<uint8_t> stays() const { return kept; }
  /// The bound in integers, the costs of one run of each op included: it holds
  /// whatever the multipliers. Infinite where the decisions contradict each
  /// other.
  double prove(const PeakMultipliers &multipliers) const;
  /// As prove(), and decides all open places where the other choice would cost
  /// `cutoff` or more.
  double prove(const PeakMultipliers &multipliers, double cutoff,
               std::vector<Stay> &decisions) const;

  /// The least cost of a value once so many first runs are done.
  struct Later {
    int32_t done, value;
    Int128 kept, freed; ///< If it is live by then, and if not.
  };
  /// All values that were made and may still matter, by first runs done, in
  /// units of ExactCost. Returns the rest of the bound from there on: rows, and
  /// values that are still to be made.
  std::vector<Int128> proveLater(const PeakMultipliers &multipliers,
                                 std::vector<Later> &later) const;

private:
  class Margins;
  Int128 takeExactly(const ExactCost &unit, const PeakMultipliers &multipliers,
                     PathMultipliers<Int128> &exact) const;
  /// Least cost of rows and values together.
  Int128 leastSum(const ExactCost &unit, const PeakMultipliers &multipliers,
                  PathMultipliers<Int128> &exact) const;
  void follow(const PeakModel::Value &value, PeakMultipliers &rise);

  const PeakModel *model;
  std::vector<int64_t> excess; ///< By row.
  llvm::ArrayRef<Stay> decided;
  std::unique_ptr<PathMultipliers<double>> path;
  std::vector<int32_t> spanning; ///< Values with more blocks than one.
  std::vector<uint8_t> runs, isThere, kept; ///< By place.
  std::vector<uint8_t> marks;               ///< By block of one value.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_PEAKDUAL_H
