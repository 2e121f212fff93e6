//===- AllocationCount.cpp - How often the process allocated --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Support/AllocationCount.h"

#include <algorithm>

// Defined by MemplanAllocationCounter; null in programs without it.
extern "C" {
[[gnu::weak]] int64_t memplan_counted_allocations(void);
[[gnu::weak]] int64_t memplan_allocated_bytes(void);
[[gnu::weak]] int64_t memplan_most_allocated_bytes(void);
[[gnu::weak]] void memplan_restart_most_allocated_bytes(void);
}

namespace memplan::runtime {

int64_t allocationCount() {
  return memplan_counted_allocations ? memplan_counted_allocations() : -1;
}

AllocationWatch::AllocationWatch() : callsBefore(allocationCount()) {
  if (callsBefore < 0)
    return;
  memplan_restart_most_allocated_bytes();
  bytesBefore = memplan_allocated_bytes();
}

int64_t AllocationWatch::calls() const {
  return callsBefore < 0 ? -1 : allocationCount() - callsBefore;
}

int64_t AllocationWatch::mostBytes() const {
  return callsBefore < 0 ? -1
                         : std::max<int64_t>(0, memplan_most_allocated_bytes() -
                                                    bytesBefore);
}

} // namespace memplan::runtime
