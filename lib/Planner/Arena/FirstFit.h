//===- FirstFit.h - Each item into the lowest gap ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_FIRSTFIT_H
#define MEMPLAN_LIB_PLANNER_ARENA_FIRSTFIT_H

#include "OccupiedRanges.h"
#include "PackParts.h"
#include "Tuning.h"

namespace memplan {

/// Which of the gaps that hold an item.
enum class GapRule {
  Lowest,   ///< First fit.
  Tightest, ///< Best fit: the fewest bytes to spare, the lowest of equals.
};

/// Packs a part by one order after another: each item in turn into a gap that
/// holds it, on top of all where there is none; the fixed ones first.
class FirstFit {
public:
  /// Keeps a view of the part.
  explicit FirstFit(const PackPart &part, GapRule rule = GapRule::Lowest)
      : part(part), rule(rule), grain(part.grain()) {}

  /// `order`: all items. Returns the height; none where it would be above
  /// `limit`. Small parts cost O(n^2) with a small constant, others
  /// O(n (log n + r log r)) for r separate ranges taken during an item's life.
  std::optional<int64_t> run(std::span<const int32_t> order, int64_t limit);

  /// By item; of the last run, if that gave a height.
  const std::vector<int64_t> &offsets() const { return placed; }
  /// What has been looked at so far.
  int64_t work() const { return looked; }

private:
  class Gaps;

  bool isSmall() const { return part.items.size() <= tuning::smallPart; }
  bool meet(int32_t a, int32_t b) const;
  void findMeetings();
  void findPartners();
  int64_t gapAmongPlaced(int32_t item);
  int64_t gapInTime(int32_t item);
  void place(int32_t item, int64_t offset);

  const PackPart &part;
  GapRule rule;
  int64_t grain;
  std::vector<int64_t> placed; ///< -1: not yet, while packing.
  int64_t looked = 0;

  // Small parts.
  std::size_t words = 0;          ///< Words of a row of `meetings`.
  std::vector<uint64_t> meetings; ///< A bit for each pair that conflicts.
  std::vector<int32_t> byOffset;  ///< What is placed.

  // Others.
  std::vector<int32_t> partnerBegin, partners; ///< Further conflicts, by item.
  std::optional<OccupiedRanges> taken;
  std::vector<ByteRange> ranges;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_FIRSTFIT_H
