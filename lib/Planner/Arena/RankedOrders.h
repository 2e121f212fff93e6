//===- RankedOrders.h - Orders by what items are ----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_RANKEDORDERS_H
#define MEMPLAN_LIB_PLANNER_ARENA_RANKEDORDERS_H

#include "Rectangle.h"
#include <span>
#include <string_view>
#include <vector>

namespace memplan {

/// How much each measure counts in an order by their sum. The ratios of two
/// items count in the first three, and places in the part in the last two.
struct OrderWeights {
  double mostBytes =
      0;            ///< The most bytes that are live at a point of its life.
  double steps = 0; ///< For how many steps it lives.
  double bytes = 0;
  double first = 0, last = 0; ///< Where its life begins and ends.
};

/// What rectangles are measured by.
class RankedOrders {
public:
  /// Keeps a view of the items. O(n log n).
  RankedOrders(std::span<const Rectangle> items, int32_t points);

  /// The items by the letters, first letter first, largest first; equal ones in
  /// the order of the items.
  /// - T: the most bytes that are live at a point of its life
  /// - W: for how many steps it lives
  /// - C: for how many points it lives
  /// - Z: bytes
  /// - A: bytes times steps
  /// - P: how near its life is to the point where most bytes are live
  std::vector<int32_t> by(std::string_view letters) const;
  /// The items by the weighted sum of their measures, largest first; equal ones
  /// in the order of the items. The same on every machine. O(n log n).
  std::vector<int32_t> by(const OrderWeights &weights) const;

private:
  void measureLoads();
  double measure(char letter, std::size_t item) const;

  std::span<const Rectangle> items;
  int32_t points;
  int32_t peak = 0;           ///< Where most bytes are live.
  std::vector<int64_t> mosts; ///< By item.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_RANKEDORDERS_H
