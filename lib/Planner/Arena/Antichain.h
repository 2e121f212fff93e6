//===- Antichain.h - Heaviest set without an order --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Live ranges are ordered by time, except for pairs that happen-before leaves
// open. Those of which none precedes another may all hold bytes at once, so the
// heaviest set of them is a bound of what an arena needs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_ANTICHAIN_H
#define MEMPLAN_LIB_PLANNER_ARENA_ANTICHAIN_H

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace memplan {

/// A half open time in which `owner` holds `weight`.
struct WeightedRange {
  int64_t begin = 0, end = 0;
  int64_t weight = 0;
  int32_t owner = 0; ///< From 0.
};

/// One range precedes another if it ends no later than the other begins and
/// `open` does not name their owners, or if it precedes one that does. Returns
/// the greatest weight of a set of ranges of which none precedes another; none
/// where that takes too long. Ranges of one owner precede each other.
std::optional<int64_t>
heaviestAntichain(std::span<const WeightedRange> ranges,
                  std::span<const std::pair<int32_t, int32_t>> open);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_ANTICHAIN_H
