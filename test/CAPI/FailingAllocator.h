//===- FailingAllocator.h - Allocations that fail on demand -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FailingAllocator.cpp stands between a program and malloc, calloc, realloc and
// operator new: link it with the options of test/CAPI/CMakeLists.txt.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_CAPI_FAILINGALLOCATOR_H
#define MEMPLAN_TEST_CAPI_FAILINGALLOCATOR_H

#include <cstdint>

/// While it lives, allocation number `nth` of this thread, counted from 0, and
/// all after it fail.
class FailingAllocator {
public:
  explicit FailingAllocator(int64_t nth);
  ~FailingAllocator();
  bool hasFailed() const;

  /// While it lives, allocations succeed and are not counted.
  class Pause {
  public:
    Pause();
    ~Pause();
  };
};

#endif // MEMPLAN_TEST_CAPI_FAILINGALLOCATOR_H
