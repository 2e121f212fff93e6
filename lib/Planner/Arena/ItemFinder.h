//===- ItemFinder.h - The best item that fits into a span -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An interval tree over points in time. Every item is kept at the lowest tree
// node whose span contains it, so that all items of a node cross its middle.
//
//     points  0 1 2 3 4 5 6 7       a = [1, 3) and c = [3, 6) cross the
//            [       root    ]      middles of their nodes; b = [6, 7) has a
//            [  a  ] c [     ]      leaf of its own
//            [  |  ]   [   |b]
//
// A span of points contains all items of the nodes inside of it. Of the nodes
// that its left end cuts it contains what begins late enough, of those that
// its right end cuts what ends soon enough: one comparison each. Both ends
// matter at one node only, the lowest one that contains the span.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_ITEMFINDER_H
#define MEMPLAN_LIB_PLANNER_ARENA_ITEMFINDER_H

#include "Rectangle.h"
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace memplan {

/// Items that are to be placed, by rank. Memory O(n + points).
class ItemFinder {
public:
  static constexpr int32_t none = std::numeric_limits<int32_t>::max();

  /// Keeps a view of the items. O(n log n).
  ItemFinder(std::span<const Rectangle> items, int32_t points);

  /// All items are there again; the smallest rank is the best. O(n + points).
  void reset(std::span<const int32_t> ranks);

  /// Smallest rank of the items inside [first, last), or none. O(log^2 n),
  /// besides what both ends together exclude at one tree node.
  int32_t best(int32_t first, int32_t last) const;

  /// Takes an item out. O(log n).
  void remove(int32_t item);

private:
  struct Node {
    int32_t slot = 0; ///< Slot of the first item.
    int32_t count = 0;
    int32_t own = none;     ///< Best rank of its items.
    int32_t subtree = none; ///< Best rank of its items and of all below.
  };

  std::size_t nodeAt(int level, int32_t point) const {
    return levelBegin[level] + static_cast<std::size_t>(point >> level);
  }
  void assignSlots();
  int32_t bestBeginningFrom(const Node &node, int32_t first) const;
  int32_t bestEndingBy(const Node &node, int32_t last) const;
  int32_t bestInside(const Node &node, int32_t first, int32_t last) const;
  int32_t bestBelow(const Node &node, std::size_t root, int32_t last,
                    int32_t known) const;
  int32_t bestRightOf(int32_t first, int level, int32_t known) const;
  int32_t bestLeftOf(int32_t last, int level, int32_t known) const;

  std::span<const Rectangle> items;
  std::vector<std::size_t> levelBegin; ///< Leaves are level 0.
  std::vector<Node> nodes;
  std::vector<std::size_t> nodeOf;                 ///< By item.
  std::vector<int32_t> slotByFirst, slotByLast;    ///< By item.
  std::vector<int32_t> firsts, lasts, lastByFirst; ///< By slot.
  // Per node a binary tree of its items' ranks, in the order of their begins
  // and in that of their ends: 2 * count entries from 2 * slot on.
  std::vector<int32_t> rankByFirst, rankByLast;
  std::vector<int32_t> earliestLast; ///< Beside rankByFirst.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_ITEMFINDER_H
