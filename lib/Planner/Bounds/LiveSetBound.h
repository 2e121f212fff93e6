//===- LiveSetBound.h - What is left to pay from a live set -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dual of a model of peaks, cut in two: after k first runs, each value that
// was made has a least cost from there on, one if it is there and one if it is
// not. Their sum bounds what any completion pays for runs again
// (docs/Planner/Remat.md, Proofs).
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_BOUNDS_LIVESETBOUND_H
#define MEMPLAN_LIB_PLANNER_BOUNDS_LIVESETBOUND_H

#include "LiveSet.h"
#include "PeakDual.h"

namespace memplan {

class LiveSetBound {
public:
  /// Says nothing.
  LiveSetBound() = default;
  LiveSetBound(const PeakModel &model, const PeakMultipliers &multipliers);

  /// No completion after `done` first runs, with those values there, pays less
  /// for runs again and more expensive variants. Infinite where a value is
  /// missing that no run brings back.
  double least(int32_t done, const LiveSet &live) const;
  /// At most what least() rises by where the value goes, by value.
  llvm::ArrayRef<double> losses(int32_t done) const {
    if (lossLists.empty())
      return {};
    return lossLists[done];
  }

private:
  std::vector<Int128> base; ///< By first runs done: all values freed.
  /// By first runs done: what each value that may be there changes.
  struct Change {
    int32_t value;
    Int128 by;
  };
  std::vector<std::vector<Change>> changes;
  std::vector<std::vector<double>> lossLists;
  double totalCost = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_BOUNDS_LIVESETBOUND_H
