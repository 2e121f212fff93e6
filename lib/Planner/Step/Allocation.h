//===- Allocation.h - Placements on their way to buffers --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_ALLOCATION_H
#define MEMPLAN_LIB_PLANNER_STEP_ALLOCATION_H

#include "memplan/Plan/ActionStorages.h"
#include "memplan/Planner/Step/Buffers.h"

namespace memplan {

/// A placement and what its buffer must be.
struct Allocation {
  Placement placement;
  int64_t bytes = 0;
  MemorySpace space = MemorySpace::Device;
  /// Allocations of one storage lie at one offset. Invalid: of its own.
  StorageId storage;
};

/// One buffer for each storage and for each allocation without one, without
/// what the arenas own. `bufferOf` gets the buffer of each storage.
StepBuffers makeBuffers(const Graph &graph, std::vector<Allocation> allocations,
                        int64_t alignmentBytes,
                        std::vector<int32_t> *bufferOf = nullptr);

/// Who may not share bytes though they do not meet in the list.
struct UnorderedPairs {
  /// Of storages, where no order of queues and waits says that the users of the
  /// first are done when the second is taken. None if one stream issues all.
  std::vector<std::pair<int32_t, int32_t>> pairs;
  /// There are more than arenas are packed with: `pairs` is empty.
  bool isTooMany = false;
  /// By storage: the last step at which one of its pairs is taken, or -1.
  std::vector<int32_t> lastTaken;
};
UnorderedPairs findUnorderedPairs(const std::vector<PlanAction> &actions,
                                  const ActionStorages &storages,
                                  size_t mostPairs);

/// makeBuffers() of a list of actions; with more pairs, buffers are live over
/// all that they conflict with instead.
StepBuffers makeBuffers(const GraphIndex &index,
                        const std::vector<PlanAction> &actions,
                        int64_t alignmentBytes, size_t mostPairs);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_ALLOCATION_H
