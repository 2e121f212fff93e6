//===- ItemMerger.h - Items that fit together as one ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two items that live at the same points can be stacked, and two of the same
// bytes, one of which begins where the other ends, can follow each other in the
// same place. Either pair is then one larger item. What was cut out of a
// rectangle by straight cuts goes back together in this way, last cut first:
//
//     bytes                 a and b follow each other, then c is stacked upon
//       | ccccccc ddd       them, then d follows.
//       | aaaa bb ddd
//       +--------------> time
//
// A pair may fit by chance. Where something ends and something begins there are
// as many pairs of the same bytes by chance as there are pairs, divided by the
// number of sizes; so those that are least likely to fit by chance go first.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_ITEMMERGER_H
#define MEMPLAN_LIB_PLANNER_ARENA_ITEMMERGER_H

#include "Rectangle.h"
#include <span>
#include <vector>

namespace memplan {

/// Merges items until no pair is left that fits. O(n log n).
class ItemMerger {
public:
  /// All items have the alignment of the first.
  ItemMerger(std::span<const Rectangle> items, int32_t points);

  /// What is left. Their bytes are multiples of the alignment.
  const std::vector<Rectangle> &merged() const { return roots; }
  /// Offsets of the items where those of merged() are given.
  std::vector<int64_t> expand(std::span<const int64_t> offsetsOfMerged) const;

private:
  class Merging;
  struct Node {
    Rectangle rectangle;
    int32_t below = -1, above = -1; ///< Stacked, or one after the other.
    bool isStack = false;
  };

  std::size_t count;       ///< Number of items, which are the first nodes.
  std::vector<Node> nodes; ///< After those they were merged of.
  std::vector<int32_t> rootNode; ///< By root.
  std::vector<Rectangle> roots;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_ITEMMERGER_H
