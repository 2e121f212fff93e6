//===- LiveBound.h - What any offsets need ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_PLAN_LIVEBOUND_H
#define MEMPLAN_PLAN_LIVEBOUND_H

#include "memplan/Plan/Plan.h"

namespace memplan {

/// Largest sum of the bytes of an arena's placements that are live at one
/// step: no other offsets for the same steps take fewer. What the arena takes
/// beyond it is lost to packing. O(placements * log placements).
int64_t liveBoundBytes(const Graph &graph, const Plan &plan,
                       const PlanArena &arena);

/// Bytes of the arena for each live byte: 1.01 where packing costs one percent.
/// Empty where the arena does not say its live bytes or has none.
inline std::optional<double> packingRatio(const PlanArena &arena) {
  if (!arena.liveBytes || *arena.liveBytes <= 0)
    return std::nullopt;
  return double(arena.bytes) / double(*arena.liveBytes);
}

} // namespace memplan

#endif // MEMPLAN_PLAN_LIVEBOUND_H
