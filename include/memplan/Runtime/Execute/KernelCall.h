//===- KernelCall.h - A kernel prepared for operands anywhere ---*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_RUNTIME_EXECUTE_KERNELCALL_H
#define MEMPLAN_RUNTIME_EXECUTE_KERNELCALL_H

#include "memplan/Runtime/Execute/Device.h"

#include <memory>
#include <span>

namespace memplan::runtime {

/// One instruction, prepared once and launched any number of times on pointers
/// that each launch gives. `device` must outlive it.
class KernelCall {
public:
  /// Prepares the instruction, whose places are looked at only for outputs that
  /// lie exactly on inputs. Its kernel gets the scratch that it would like, as
  /// far as that takes no more than `scratchLimit` or the workspace of the
  /// instruction. Fails when there is no kernel, or none with so little.
  static Result<KernelCall> prepare(const Device &device,
                                    Instruction instruction,
                                    int64_t scratchLimit = INT64_MAX);
  KernelCall(KernelCall &&) noexcept;
  KernelCall &operator=(KernelCall &&) noexcept;
  ~KernelCall();

  const Instruction &instruction() const;
  /// Scratch of each launch.
  int64_t workspaceBytes() const;

  /// `operands`: inputs, outputs, then the workspace where it takes one.
  /// Allocates nothing unless it fails.
  Status launch(void *const *operands) const;
  /// Microseconds of so many launches in a row, by the clock of the device.
  /// MEMPLAN_UNAVAILABLE where it has none.
  Result<double> time(void *const *operands, int32_t count) const;

private:
  struct State;
  explicit KernelCall(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace memplan::runtime

#endif // MEMPLAN_RUNTIME_EXECUTE_KERNELCALL_H
