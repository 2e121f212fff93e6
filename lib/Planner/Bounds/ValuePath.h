//===- ValuePath.h - The cheapest way of a value ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is live or freed at each row of a PeakModel: a shortest path over its
// blocks with two states. Templates, for floating point (the way to good
// multipliers) and for integers (the proof).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_VALUEPATH_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_VALUEPATH_H

#include "PeakDual.h"

namespace memplan {

/// Multipliers as they act on values.
template <typename Number> struct PathMultipliers {
  std::vector<Number> ofRow;  ///< Multiplier of a byte.
  std::vector<Number> extra;  ///< By place: what a run pays for its needs.
  std::vector<Number> credit; ///< By place: what the value earns there.
  /// By place: what a run earns for the other outputs of its op.
  std::vector<Number> runCredit;
};

/// More than any path costs, and little enough to be added to.
inline double unreachable(double) { return 1e200; }
inline Int128 unreachable(Int128) { return Int128(1) << 110; }

template <typename Number> class ValuePath {
public:
  /// How the cheapest ways to both states at the end of a block came about.
  enum Mark : uint8_t { FromKept = 1, LeftAfterUse = 2, RunsBeside = 4 };

  /// `decided` by place, or empty.
  ValuePath(const PeakModel &model, const PathMultipliers<Number> &multipliers,
            llvm::ArrayRef<Stay> decided)
      : model(model), multipliers(multipliers), decided(decided) {}

  /// The least cost of a value; a run costs `cost`. Marks each block.
  Number least(const PeakModel::Value &value, Number cost,
               uint8_t *marks) const {
    State now = begin(value);
    const int32_t blocks = value.lastBlock - value.firstBlock + 1;
    for (int32_t i = 1; i < blocks; ++i)
      now = next(value, cost, i, now, marks[i]);
    return now.freed;
  }

  struct State {
    Number kept, freed;
  };
  State begin(const PeakModel::Value &value) const {
    return decide(value.begin, {stay(value, 0), Number(0)});
  }
  State next(const PeakModel::Value &value, Number cost, int32_t i, State now,
             uint8_t &mark) const {
    const size_t at = value.begin + size_t(i);
    const Number made = recompute(value, i, now.freed, cost);
    const Number kept = keep(value, i, now.kept, cost);
    const bool fromKept = kept <= made;
    const Number there = (fromKept ? kept : made) - multipliers.credit[at];
    const bool leftAfterUse = model.read[at] || there <= now.freed;
    mark = uint8_t(fromKept ? FromKept : 0) |
           uint8_t(leftAfterUse ? LeftAfterUse : 0) |
           uint8_t(kept < now.kept ? RunsBeside : 0);
    return decide(at,
                  {there + stay(value, i), leftAfterUse ? there : now.freed});
  }
  /// What it costs to make the value in block i, after what was paid before.
  Number recompute(const PeakModel::Value &value, int32_t i, Number before,
                   Number cost) const {
    const size_t at = value.begin + size_t(i);
    return value.firstBlock + i <= value.lastAgain
               ? before + cost + multipliers.extra[at] -
                     multipliers.runCredit[at]
               : unreachable(Number());
  }
  /// As recompute(), if the value is live: its producer may run for other
  /// outputs.
  Number keep(const PeakModel::Value &value, int32_t i, Number before,
              Number cost) const {
    const size_t at = value.begin + size_t(i);
    const Number run = cost + multipliers.extra[at] - multipliers.runCredit[at];
    return run < 0 && value.firstBlock + i <= value.lastAgain ? before + run
                                                              : before;
  }
  /// What staying across the row of block i costs.
  Number stay(const PeakModel::Value &value, int32_t i) const {
    const int32_t row = value.firstBlock + i;
    return row < model.numPeaks() && !model.touched[value.begin + size_t(i)]
               ? multipliers.ofRow[row] * Number(value.bytes)
               : Number(0);
  }

private:
  State decide(size_t at, State state) const {
    if (!decided.empty() && decided[at] == Stay::Freed)
      state.kept = unreachable(Number());
    if (!decided.empty() && decided[at] == Stay::Kept)
      state.freed = unreachable(Number());
    return state;
  }

  const PeakModel &model;
  const PathMultipliers<Number> &multipliers;
  llvm::ArrayRef<Stay> decided;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_VALUEPATH_H
