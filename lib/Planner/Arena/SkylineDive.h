//===- SkylineDive.h - Packing the lowest valley first ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profile of what has been placed has valleys: spans of time whose
// neighbours are higher. A dive fills one valley after another. Of the items
// that live inside a valley it places the one that comes first in an order on
// the valley's floor; where there is none it raises the floor to the lower of
// the two neighbours.
//
//      bytes                          c does not live inside the valley;
//        |  ####                      b does, and goes to its floor
//        |  ####     ######
//        |  ####.....######           the dots are lost once no item is left
//        |  ####bbb..######           that lives inside of them
//        +---------------------> time
//
// A valley depends on nothing but its walls, which do not change before it is
// full, so that the order in which valleys are filled does not matter: the dive
// stays where its data is warm.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_SKYLINEDIVE_H
#define MEMPLAN_LIB_PLANNER_ARENA_SKYLINEDIVE_H

#include "ItemFinder.h"
#include <optional>

namespace memplan {

/// Packs items by one order after another.
class SkylineDive {
public:
  /// Keeps a view of the items. O(n log n).
  SkylineDive(std::span<const Rectangle> items, int32_t points);

  /// Places every item. order[0] goes first wherever it lives inside a valley.
  /// Returns the height; none as soon as an item would end above `limit`.
  /// Deterministic; time O(n log^2 n) as a rule.
  std::optional<int64_t>
  run(std::span<const int32_t> order,
      int64_t limit = std::numeric_limits<int64_t>::max());

  /// By item; of the last run, if that gave a height.
  const std::vector<int64_t> &offsets() const { return placed; }
  /// Valleys looked at so far in all runs: a count of work.
  int64_t work() const { return looked; }

private:
  /// A span of the profile; kept at its first point.
  struct Span {
    int32_t last = 0;
    int32_t before = -1; ///< First point of the neighbour; -1: none.
    int64_t height = 0;
  };

  int64_t heightBefore(const Span &span) const;
  int64_t heightAfter(const Span &span) const;
  void mergeWithEqualNeighbours(int32_t &at);
  void put(int32_t &at, const Rectangle &item, int64_t top);

  std::span<const Rectangle> items;
  int32_t points;
  int64_t grain; ///< All alignments are multiples of it.
  ItemFinder finder;
  std::vector<int32_t> ranks;
  std::vector<Span> spans; ///< By first point.
  std::vector<int64_t> placed;
  int64_t looked = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_SKYLINEDIVE_H
