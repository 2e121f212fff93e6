//===- AllocationCount.cpp - How often the process allocated --------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Runtime/Observe/AllocationCount.h"

// Defined by MemplanAllocationCounter; null in programs without it.
extern "C" [[gnu::weak]] int64_t memplan_counted_allocations(void);

int64_t memplan::runtime::allocationCount() {
  return memplan_counted_allocations ? memplan_counted_allocations() : -1;
}
