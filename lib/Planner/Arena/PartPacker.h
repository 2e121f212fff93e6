//===- PartPacker.h - One part, packed by an order --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_PARTPACKER_H
#define MEMPLAN_LIB_PLANNER_ARENA_PARTPACKER_H

#include "FirstFit.h"
#include "RankedOrders.h"
#include "SkylineDive.h"

namespace memplan {

/// Packs one part by one order after another, each in time O(n log^2 n) as a
/// rule. What it packs is valid, whatever the part asks for: fixed offsets,
/// gaps, alignments, allocations and further conflicts.
class PartPacker {
public:
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max();

  /// Keeps a view of the part.
  explicit PartPacker(const PackPart &part);

  /// Is every item one rectangle that may go anywhere?
  bool isPlain() const { return plain; }
  /// The items from their first to their last section.
  std::span<const Rectangle> rectangles() const { return items; }
  /// By letters; see RankedOrders.
  std::vector<int32_t> orderBy(std::string_view letters) const {
    return ranked.by(letters);
  }
  std::vector<int32_t> orderBy(const OrderWeights &weights) const {
    return ranked.by(weights);
  }

  /// The lowest valley first, and in it the first item of the order that lives
  /// inside of it. In a part that is not plain, the items then fall as low as
  /// they may, in the order of these offsets. Returns the height; none where it
  /// would be above `limit`.
  std::optional<int64_t> dive(std::span<const int32_t> order,
                              int64_t limit = unlimited);
  /// Each item in turn into the lowest gap that holds it; fixed ones first.
  std::optional<int64_t> firstFit(std::span<const int32_t> order,
                                  int64_t limit = unlimited);

  /// By item; of the last packing that gave a height.
  const std::vector<int64_t> &offsets() const { return placed; }
  /// What has been looked at so far, about a tenth of a microsecond each.
  int64_t work() const { return skyline.work() + fit.work(); }

private:
  bool plain;
  std::vector<Rectangle> items;
  RankedOrders ranked;
  SkylineDive skyline;
  FirstFit fit;
  std::vector<int64_t> placed;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_PARTPACKER_H
