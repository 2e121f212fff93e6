//===- Tuning.h - The tuned numbers of the search for orders ----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chosen by trial; no record says on which graphs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STREAMS_TUNING_H
#define MEMPLAN_LIB_PLANNER_STREAMS_TUNING_H

#include <cstddef>
#include <cstdint>

namespace memplan::tuning {

/// Temperature at the start, as a share of the best time: an order that was
/// searched for is only to be improved.
constexpr double firstHeat = 5e-4, heatOfStart = 1e-4;
/// A job moves over a quarter of the others at most, mostly over few: the reach
/// halves by that chance down to the least one.
constexpr int32_t reachShare = 4, leastReach = 4;
constexpr double nearerBy = 0.6;
/// Moves from one look at the clock to the next.
constexpr int64_t movesOfLook = 256;
/// Jobs from one state that is kept to the next: a pass begins at the last one
/// before the first change.
constexpr int32_t jobsOfState = 32;
/// Serial times that as many bytes over the limit as the limit itself cost:
/// excess never pays.
constexpr double excessWeight = 1e3;
/// Ready runs that are compared at a time by live bytes: O(n) in all else.
constexpr size_t mostCompared = 2000;

} // namespace memplan::tuning

#endif // MEMPLAN_LIB_PLANNER_STREAMS_TUNING_H
