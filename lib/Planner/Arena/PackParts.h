//===- PackParts.h - What is to be packed, part by part ---------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solvers see a problem through its parts: one space each, split where nothing
// is live across, without empty buffers, with both alignments in one number and
// time as numbered sections instead of steps. A solver that keeps what a part
// says honours everything that an arena problem may ask for.
//
//     steps     3     7  8     12        a section is a set of buffers that are
//     a         [--------)               live together and not all live in
//     b         [-----)                  another: here {a, b} and {a, c}
//     c                  [-----)
//     sections  0        1     2
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_PACKPARTS_H
#define MEMPLAN_LIB_PLANNER_ARENA_PACKPARTS_H

#include "memplan/Planner/Arena/ArenaProblem.h"

namespace memplan {

/// Sections [begin, end).
struct SectionSpan {
  int32_t begin = 0;
  int32_t end = 0;
};

/// A buffer with bytes.
struct PackItem {
  int32_t buffer = 0;                  ///< Place in ArenaProblem::buffers.
  int32_t firstSpan = 0, lastSpan = 0; ///< [first, last) of PackPart::spans.
  int64_t bytes = 0;
  int64_t alignment = 1; ///< Larger one of the buffer's and the problem's.
  int64_t steps = 0;     ///< From its first step to its last.
  std::optional<int64_t> fixedOffset;
};

/// Buffers of one space that have nothing to do with those of other parts.
struct PackPart {
  int32_t space = 0; ///< Number in PackParts::spaces.
  std::optional<int64_t> budgetBytes;
  int64_t enoughBytes = 0; ///< Lower packings of the space are of no use.
  /// No item crosses a multiple of it, which is one of all alignments.
  std::optional<int64_t> allocationBytes;
  /// Largest live bytes in a section, padded where nothing else can use the
  /// padding, or highest end of a fixed item. Further conflicts may force a
  /// part higher.
  int64_t boundBytes = 0;
  int32_t sections = 0;
  std::vector<PackItem> items;    ///< In the order of the buffers.
  std::vector<SectionSpan> spans; ///< Ascending, disjoint for each item.
  /// Pairs of items that conflict though they may share no section.
  std::vector<std::pair<int32_t, int32_t>> conflicts;

  std::span<const SectionSpan> spansOf(const PackItem &item) const {
    return std::span(spans).subspan(item.firstSpan,
                                    item.lastSpan - item.firstSpan);
  }
  /// The lowest offset from `offset` on at which the item may begin: aligned,
  /// and in one allocation. Never falls where `offset` rises.
  int64_t nextOffset(const PackItem &item, int64_t offset) const {
    if (item.alignment > 1)
      offset = (offset + item.alignment - 1) / item.alignment * item.alignment;
    if (allocationBytes &&
        offset % *allocationBytes + item.bytes > *allocationBytes)
      offset = (offset / *allocationBytes + 1) * *allocationBytes;
    return offset;
  }
  /// All offsets are multiples of it.
  int64_t grain() const;
  /// Height of the items packed at `offsets`.
  int64_t heightOf(std::span<const int64_t> offsets) const;
};

struct PackParts {
  std::vector<std::string> spaces; ///< Sorted.
  std::vector<PackPart> parts;     ///< By space, then by time.
};

/// O(n log n), and linear in the further conflicts.
PackParts makePackParts(const ArenaProblem &problem);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_PACKPARTS_H
