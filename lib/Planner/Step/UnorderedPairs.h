//===- UnorderedPairs.h - What no queue orders ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_UNORDEREDPAIRS_H
#define MEMPLAN_LIB_PLANNER_STEP_UNORDEREDPAIRS_H

#include "memplan/Plan/ActionStorages.h"

namespace memplan {

/// Storages that may not share bytes though they do not meet in the list.
struct UnorderedPairs {
  /// Pairs of storages where no order of queues and waits says that the users
  /// of the first are done when the second is taken. None if one stream issues
  /// all.
  std::vector<std::pair<int32_t, int32_t>> pairs;
  /// There are more than arenas are packed with: `pairs` is empty.
  bool isTooMany = false;
  /// By storage: the last step at which one of its pairs is taken, or -1.
  std::vector<int32_t> lastTaken;
};
UnorderedPairs findUnorderedPairs(const std::vector<PlanAction> &actions,
                                  const ActionStorages &storages,
                                  size_t mostPairs);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_UNORDEREDPAIRS_H
