//===- OffsetCollector.h - From packed parts to a plan ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_ARENA_OFFSETCOLLECTOR_H
#define MEMPLAN_LIB_PLANNER_ARENA_OFFSETCOLLECTOR_H

#include "PackParts.h"

namespace memplan {

/// Collects the offsets of all parts. Keeps views of problem and parts.
class OffsetCollector {
public:
  OffsetCollector(const ArenaProblem &problem, const PackParts &all);

  /// Offsets by item.
  void add(const PackPart &part, std::span<const int64_t> offsets);
  /// Height of the space, as far as its parts were added.
  int64_t heightOf(int32_t space) const { return heights[space]; }
  /// Says how good the offsets are, or takes them back where they exceed a
  /// budget.
  ArenaPlan finish();

private:
  using Bounds = std::vector<std::pair<std::string, int64_t>>; ///< By space.
  bool isRefused(const Bounds &bounds);

  const ArenaProblem &problem;
  const PackParts &all;
  std::vector<int64_t> heights; ///< By space.
  ArenaPlan plan;
};

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_ARENA_OFFSETCOLLECTOR_H
