//===- OccupiedRanges.h - Which bytes are taken when ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A segment tree over points in time. Each tree node keeps two sets of byte
// ranges, merged where they touch: those taken during the node's whole span,
// and those taken at any of its points.
//
//     time  0   1   2   3            a taken at [0, 4): covers the root
//          [ root          ]         b taken at [1, 2): covers leaf 1 and
//          [ left  ][ right]           touches leaf 1, left and root
//          [0 ][1 ] [2 ][3 ]
//
// What is taken at some point of a query is then the union of the sets
// "touching" of the O(log n) nodes that make up the query, and of the sets
// "covering" of the nodes above them. Buffers packed against each other merge
// into few ranges, so a query costs far less than a walk over all buffers.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_OCCUPIEDRANGES_H
#define MEMPLAN_LIB_PLANNER_ARENA_OCCUPIEDRANGES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan {

/// Bytes [begin, end).
struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0;
};

class OccupiedRanges {
public:
  /// Points in time are 0 .. points-1.
  explicit OccupiedRanges(int32_t points);

  /// Marks the bytes as taken at points [first, last).
  void occupy(int32_t first, int32_t last, ByteRange bytes);

  /// Appends ranges, unsorted and perhaps overlapping, whose union is what is
  /// taken at some point of [first, last).
  void collect(int32_t first, int32_t last,
               std::vector<ByteRange> &ranges) const;

private:
  void occupy(std::size_t node, int32_t low, int32_t high, int32_t first,
              int32_t last, ByteRange bytes);
  void collect(std::size_t node, int32_t low, int32_t high, int32_t first,
               int32_t last, std::vector<ByteRange> &ranges) const;

  using RangeSet =
      std::vector<ByteRange>; ///< Ascending, neither overlapping nor touching.
  static void insert(RangeSet &set, ByteRange bytes);

  int32_t points;
  std::vector<RangeSet> covering; ///< By tree node: taken during its whole
                                  ///< span, but not its parent's.
  std::vector<RangeSet>
      touching; ///< By tree node: taken at some point of its span.
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_OCCUPIEDRANGES_H
