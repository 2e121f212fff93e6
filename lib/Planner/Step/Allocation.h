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

/// Pairs of storages that do not meet in the list, but of which no order of
/// queues and waits says that the users of one are done when the other is
/// taken. None if one stream issues everything.
std::vector<std::pair<int32_t, int32_t>>
findUnorderedPairs(const std::vector<PlanAction> &actions,
                   const ActionStorages &storages);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_ALLOCATION_H
