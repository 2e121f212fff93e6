//===- PlaceCopies.h - From a rewriting to actions -------------*- C++ -*- ===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_PLACECOPIES_H
#define MEMPLAN_LIB_PLANNER_SWAP_PLACECOPIES_H

#include "Rewriting.h"

namespace memplan {

/// The schedule's actions with the copies of a rewriting: a swap-out is issued
/// when its producer is done, a swap-in when its control op is, or else before
/// its first consumer. Two swap-ins of one tensor that overlap are one, and one
/// that is triggered while the tensor is still there is none. What a swap-out
/// leaves behind is given back when the copy should be over, or waited for as
/// soon as the budget needs its bytes. Simulates bytes and the three queues;
/// keeps no budget that cannot be kept so. O(actions * log actions).
std::vector<PlanAction> placeCopies(const RunGraph &graph,
                                    const Rewriting &rewriting);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SWAP_PLACECOPIES_H
