//===- Runnable.h - A step that can be fed and run --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_EXECUTE_RUNNABLE_H
#define MEMPLAN_RUNTIME_EXECUTE_RUNNABLE_H

#include "memplan/Runtime/Program/Program.h"

#include <span>

namespace memplan::runtime {

class StepObserver;

/// What the last step took.
struct StepStats {
  double micros = 0;
  /// Calls of malloc inside the launches, or -1 where calls are not counted.
  int64_t allocations = -1;
  /// The most bytes that one launch had allocated at a moment, beyond those
  /// from before it, or -1 where calls are not counted.
  int64_t allocatedBytes = -1;
};

/// A program that can be fed and run step by step, wherever it is decided where
/// its values lie.
class Runnable {
public:
  virtual ~Runnable() = default;
  virtual const Program &program() const = 0;
  virtual Status writeArgument(int32_t argument, const void *host,
                               int64_t bytes) = 0;
  virtual Status readArgument(int32_t argument, void *host,
                              int64_t bytes) const = 0;
  /// Copies an output of the last run.
  virtual Status readOutput(int32_t output, void *host,
                            int64_t bytes) const = 0;
  virtual Status run(std::span<StepObserver *const> observers = {}) = 0;
  virtual const StepStats &lastStep() const = 0;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_EXECUTE_RUNNABLE_H
