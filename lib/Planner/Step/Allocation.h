//===- Allocation.h - Placements on their way to buffers --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_PLANNER_STEP_ALLOCATION_H
#define MEMPLAN_LIB_PLANNER_STEP_ALLOCATION_H

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

/// One buffer for each storage and for each allocation without one. Without
/// what the arenas own.
StepBuffers makeBuffers(const Graph &graph, std::vector<Allocation> allocations,
                        int64_t alignmentBytes);

} // namespace memplan

#endif // MEMPLAN_LIB_PLANNER_STEP_ALLOCATION_H
