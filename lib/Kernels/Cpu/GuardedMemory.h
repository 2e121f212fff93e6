//===- GuardedMemory.h - Blocks between guard pages -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_GUARDEDMEMORY_H
#define MEMPLAN_LIB_KERNELS_CPU_GUARDEDMEMORY_H

#include "memplan/Runtime/Support/Status.h"

#include <cstddef>
#include <cstdint>

namespace memplan::runtime::cpu {

/// Memory whose end lies against an inaccessible page, up to the alignment: a
/// write past it faults at once. The bytes that the alignment leaves between
/// the block and the pages around it hold a pattern that check() compares.
class GuardedMemory {
public:
  /// `alignment` is a power of two up to the page size.
  static Result<GuardedMemory> allocate(int64_t bytes, int64_t alignment);
  GuardedMemory(GuardedMemory &&other) noexcept;
  GuardedMemory &operator=(GuardedMemory &&other) noexcept;
  ~GuardedMemory();

  std::byte *base() const { return start; }
  /// MEMPLAN_CHECK_FAILED with the first byte beside the block that changed.
  Status check() const;

private:
  GuardedMemory() = default;

  std::byte *mapping = nullptr; ///< with both guard pages
  size_t mappedBytes = 0;
  std::byte *start = nullptr;
  int64_t bytes = 0;
};

} // namespace memplan::runtime::cpu

#endif // MEMPLAN_LIB_KERNELS_CPU_GUARDEDMEMORY_H
