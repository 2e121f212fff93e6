//===- IdleGap.h - Where values lie idle across the limit -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLANNER_SEARCH_IDLEGAP_H
#define MEMPLAN_PLANNER_SEARCH_IDLEGAP_H

#include "memplan/Planner/Search/RunSequence.h"

namespace memplan {

/// Where a value lies longest idle across the limit, between two of its users
/// or its producer and the first of them. Copies do not count as users.
struct IdleGap {
  int32_t after = -1, before = -1; ///< Runs.
  int32_t blocks = 0;              ///< Over the limit in between.
};

/// Finds them in a sequence, whose blocks over the limit it counts once for all
/// questions until forget().
class IdleGaps {
public:
  IdleGaps(const SearchStep &step, const RunSequence &runs)
      : step(step), runs(runs) {}

  /// The sequence has changed.
  void forget() { isStale = true; }
  /// The gap of the value that the run makes.
  IdleGap find(int32_t run, int32_t value);

private:
  void countOver();
  /// Blocks over the limit in [first, last].
  int32_t over(int32_t first, int32_t last) const {
    return overBefore[last + 1] - overBefore[first];
  }

  const SearchStep &step;
  const RunSequence &runs;
  std::vector<int32_t> userSlots;
  std::vector<int32_t> overBefore; ///< By block: blocks over before it.
  bool isStale = true;
};

} // namespace memplan

#endif // MEMPLAN_PLANNER_SEARCH_IDLEGAP_H
