//===- OccupiedRanges.cpp - Which bytes are taken when --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OccupiedRanges.h"
#include <algorithm>

using namespace memplan;

OccupiedRanges::OccupiedRanges(int32_t points)
    : points(points), covering(4 * static_cast<size_t>(points)),
      touching(4 * static_cast<size_t>(points)) {}

void OccupiedRanges::insert(RangeSet &set, ByteRange bytes) {
  auto first = std::lower_bound(
      set.begin(), set.end(), bytes.begin,
      [](const ByteRange &range, int64_t begin) { return range.end < begin; });
  auto last = first;
  for (; last != set.end() && last->begin <= bytes.end; ++last) {
    bytes.begin = std::min(bytes.begin, last->begin);
    bytes.end = std::max(bytes.end, last->end);
  }
  if (first == last) {
    set.insert(first, bytes);
    return;
  }
  *first = bytes;
  set.erase(first + 1, last);
}

void OccupiedRanges::occupy(int32_t first, int32_t last, ByteRange bytes) {
  if (first < last)
    occupy(1, 0, points, first, last, bytes);
}

void OccupiedRanges::occupy(size_t node, int32_t low, int32_t high,
                            int32_t first, int32_t last, ByteRange bytes) {
  insert(touching[node], bytes);
  if (first <= low && high <= last) {
    insert(covering[node], bytes);
    return;
  }
  int32_t middle = low + (high - low) / 2;
  if (first < middle)
    occupy(2 * node, low, middle, first, last, bytes);
  if (middle < last)
    occupy(2 * node + 1, middle, high, first, last, bytes);
}

void OccupiedRanges::collect(int32_t first, int32_t last,
                             std::vector<ByteRange> &ranges) const {
  if (first < last)
    collect(1, 0, points, first, last, ranges);
}

void OccupiedRanges::collect(size_t node, int32_t low, int32_t high,
                             int32_t first, int32_t last,
                             std::vector<ByteRange> &ranges) const {
  if (touching[node].empty() && covering[node].empty())
    return;
  bool whole = first <= low && high <= last;
  const RangeSet &taken = whole ? touching[node] : covering[node];
  ranges.insert(ranges.end(), taken.begin(), taken.end());
  if (whole)
    return;
  int32_t middle = low + (high - low) / 2;
  if (first < middle)
    collect(2 * node, low, middle, first, last, ranges);
  if (middle < last)
    collect(2 * node + 1, middle, high, first, last, ranges);
}
