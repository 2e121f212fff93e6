//===- EventPlan.h - The events that a step needs ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_RUNTIME_EXECUTE_EVENTPLAN_H
#define MEMPLAN_LIB_RUNTIME_EXECUTE_EVENTPLAN_H

#include "memplan/Runtime/Program/Program.h"

#include <span>

namespace memplan::runtime {

/// Which events a program records and waits for, none of them implied by
/// others.
class EventPlan {
public:
  explicit EventPlan(const Program &program);

  /// What the stream of an instruction waits for before it is issued.
  std::span<const int32_t> waits(size_t instruction) const {
    return waitsOf[instruction];
  }
  /// What is recorded behind an instruction on its queue, or -1.
  int32_t recorded(size_t instruction) const { return records[instruction]; }
  /// What is recorded on the stream of a copy for its engine to wait for, or
  /// -1.
  int32_t issued(size_t copy) const { return issues[copy]; }

  const memplan_queue_counts_t &counts() const { return sum; }

private:
  std::vector<std::vector<int32_t>> waitsOf;
  std::vector<int32_t> records, issues;
  memplan_queue_counts_t sum = {1, 0, 0};
};

} // namespace memplan::runtime

#endif // MEMPLAN_LIB_RUNTIME_EXECUTE_EVENTPLAN_H
