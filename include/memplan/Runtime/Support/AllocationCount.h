//===- AllocationCount.h - How often the process allocated ------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_SUPPORT_ALLOCATIONCOUNT_H
#define MEMPLAN_RUNTIME_SUPPORT_ALLOCATIONCOUNT_H

#include <cstdint>

namespace memplan::runtime {

/// Calls of malloc and its kin by all threads since the process began, or -1
/// where calls are not counted. Only programs that link
/// MemplanAllocationCounter count.
int64_t allocationCount();

/// What all threads of the process allocate while the object lives. One at a
/// time: a second watch sets the mark of the first one back.
class AllocationWatch {
public:
  AllocationWatch();
  /// Calls so far, or -1 where calls are not counted.
  int64_t calls() const;
  /// The most bytes that were allocated at one moment beyond those at the
  /// start, or -1 where calls are not counted.
  int64_t mostBytes() const;

private:
  int64_t callsBefore;
  int64_t bytesBefore = 0;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_SUPPORT_ALLOCATIONCOUNT_H
