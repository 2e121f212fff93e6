//===- Stays.h - Where a swapped tensor is when ----------------*- C++ -*- ===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_SWAP_STAYS_H
#define MEMPLAN_LIB_PLANNER_SWAP_STAYS_H

#include "Rewriting.h"

namespace memplan {

/// A tensor's time on the device from a fetch on.
struct Stay {
  int32_t issueAfter = 0; ///< The run after which the fetch is issued.
  int32_t first = 0;      ///< First run that uses it ...
  int32_t last = 0;       ///< ... and last.
};

/// A value that leaves the device and comes back.
struct CopiedValue {
  int32_t value = 0;       ///< Number in RunGraph::values.
  int32_t lastBefore = 0;  ///< Last run that uses it before it leaves.
  std::vector<Stay> stays; ///< Apart from each other; at least one.
};

/// Stays that overlap are one; a value that never leaves is none of them.
std::vector<CopiedValue> findStays(const RunGraph &graph,
                                   const Rewriting &rewriting);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_SWAP_STAYS_H
