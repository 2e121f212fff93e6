//===- BatchStack.h - Buffers in an order, at breakpoints -------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_BATCHSTACK_H
#define MEMPLAN_LIB_PLANNER_ARENA_BATCHSTACK_H

#include "memplan/Planner/Arena/BatchArena.h"
#include "llvm/ADT/ArrayRef.h"

namespace memplan {

/// Places buffers in an order, each above those before it that it conflicts
/// with. Lengths are in units of the alignment.
class BatchStack {
public:
  /// Keeps a view of the problem, which was checked.
  explicit BatchStack(const BatchArenaProblem &problem);

  /// Places all buffers. O(conflicts * breakpoints).
  void place(llvm::ArrayRef<int32_t> order);
  /// Bytes of a space at a breakpoint, in the last order.
  int64_t height(size_t point, size_t space) const {
    return points[point].heights[space];
  }
  /// Buffers of the last order that rest on each other from the ground to
  /// the top of a space, the top one first.
  std::vector<int32_t> column(size_t point, size_t space) const;
  BatchArenaPlan plan() const;
  /// What has been looked at so far.
  int64_t work() const { return looked; }
  /// No packing of the space is lower at the breakpoint.
  int64_t bound(size_t point, size_t space) const {
    return points[point].bounds[space];
  }
  size_t numSpaces() const { return numberOfSpaces; }
  size_t numPoints() const { return points.size(); }

private:
  struct Point {
    int64_t samples = 0;               ///< From the breakpoint before it.
    std::vector<int64_t> units, bytes; ///< By buffer.
    std::vector<int64_t> bounds;       ///< By space.
    // Of the last order:
    std::vector<int64_t> offsets; ///< By buffer, in units.
    std::vector<int32_t> below;   ///< By buffer: what it rests on, or -1.
    std::vector<int64_t> heights; ///< By space.
    std::vector<int32_t> tops;    ///< By space; -1: empty.
  };
  void findConflicts();
  void placeOne(size_t number, int32_t next);
  void findHeights(Point &point) const;

  const BatchArenaProblem &problem;
  std::vector<int32_t> spaceOf; ///< By buffer.
  size_t numberOfSpaces = 0;
  std::vector<int32_t> partnerEnds, partners; ///< Conflicts, by buffer.
  std::vector<Point> points;                  ///< By breakpoint.
  std::vector<int32_t> placed;                ///< The last order.
  std::vector<int32_t> rank;                  ///< By buffer, in that order.
  int64_t looked = 0;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_BATCHSTACK_H
