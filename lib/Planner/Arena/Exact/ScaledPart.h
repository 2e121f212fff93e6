//===- ScaledPart.h - A part in whole units and at one capacity -*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search counts in units that all offsets worth trying are multiples of, so
// that 32 bits hold them as a rule. Alignment leaves its trace here and nowhere
// else: bytes are rounded up, and what the last buffer of a stack has to spare
// is given back through its latest offset.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_EXACT_SCALEDPART_H
#define MEMPLAN_LIB_PLANNER_ARENA_EXACT_SCALEDPART_H

#include "../PackParts.h"

namespace memplan {

/// Lists of numbers, one list for each item, one after the other.
struct NumberLists {
  std::vector<int32_t> begins = {0};
  std::vector<int32_t> numbers;

  std::span<const int32_t> of(int32_t i) const {
    return {numbers.data() + begins[i], numbers.data() + begins[i + 1]};
  }
  void endList() { begins.push_back(static_cast<int32_t>(numbers.size())); }
};

struct ScaledPart {
  int64_t unitBytes = 1;
  int32_t count = 0;    ///< Number of items, as in the part.
  int32_t sections = 0; ///< As in the part.
  // By item, in units.
  std::vector<int64_t> sizes, alignments;
  std::vector<int64_t> fixed; ///< -1: free.
  int64_t allocation = 0;     ///< 0: of any size.
  /// By item: the sections in which it is live, ascending.
  NumberLists sectionsOf;
  /// By item: those that it conflicts with.
  NumberLists conflicts;
  /// By item: [first, last) of the sections that it keeps together: those of
  /// its life, gaps included, and of those that it further conflicts with.
  std::vector<SectionSpan> hulls;
  std::vector<int64_t> bytes; ///< By item, not rounded.
  std::vector<int64_t> steps; ///< By item.

  /// Nothing where the lists would be too long.
  static std::optional<ScaledPart> make(const PackPart &part);

  /// The highest end of any item, in units, if the height is not to exceed
  /// that many bytes.
  int64_t capacity(int64_t heightBytes) const;
  /// The highest offset of each item for that. Negative: there is none.
  std::vector<int64_t> latestOffsets(int64_t heightBytes) const;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_EXACT_SCALEDPART_H
