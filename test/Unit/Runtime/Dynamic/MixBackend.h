//===- MixBackend.h - A backend of one kernel that may fail -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_RUNTIME_DYNAMIC_MIXBACKEND_H
#define MEMPLAN_TEST_UNIT_RUNTIME_DYNAMIC_MIXBACKEND_H

#include "memplan/Runtime/Execute/KernelCall.h"

#include <functional>

namespace memplan::runtime::test {

/// Element `i` of output `output` of the op with this salt, where element i of
/// each input, taken round, is among `inputs`.
int64_t mix(int64_t salt, int64_t output, std::span<const int64_t> inputs);

/// The device "mix", in host memory: kernel `mix` on i64 tensors, with the
/// attributes `salt` and `scratch`, bytes of a workspace that it fills.
/// Launches for which `fails` says so fail and write nothing.
struct MixBackend {
  static Result<Device> open();
  static std::function<bool()> fails;
  static int64_t launches;
  /// Launches do nothing at all.
  static bool isIdle;
  /// Blocks of memory that were taken and not freed, for all devices.
  static int64_t blocks;
};

/// A call of `mix` with these element counts; output o lies on input
/// `over[o]` unless that is -1.
std::shared_ptr<const KernelCall> mixCall(const Device &device, int64_t salt,
                                          std::span<const int64_t> inputs,
                                          std::span<const int64_t> outputs,
                                          std::span<const int32_t> over,
                                          int64_t scratch = 0);

} // namespace memplan::runtime::test

#endif // MEMPLAN_TEST_UNIT_RUNTIME_DYNAMIC_MIXBACKEND_H
