//===- UpdateQueue.h - Updates that share a launch --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An update of one parameter takes microseconds, and its launch as many.
// Updates that follow each other in a plan and do the same wait here for
// whatever comes next, and run as one launch. What comes next is any call of
// the device: none sees memory that an update has yet to write.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_UPDATEQUEUE_H
#define MEMPLAN_LIB_KERNELS_CUDA_UPDATEQUEUE_H

#include <cstddef>
#include <cstdint>

namespace memplan::runtime::cuda {

struct Device;

/// Operands of one update; null beyond those that it has.
struct UpdateRow {
  static constexpr int mostIns = 5, mostOuts = 4;
  const float *in[mostIns] = {};
  float *out[mostOuts] = {};
  int64_t count = 0;

  /// Whether running both at once could differ from one after the other.
  bool disturbs(const UpdateRow &other) const;
};

/// Updates of one kind, on the first stream. Allocates nothing.
struct UpdateQueue {
  static constexpr int most = 320;
  static constexpr size_t mostStepBytes = 128;
  /// Launches all rows and forgets them.
  using Start = void (*)(Device &device);

  Start start = nullptr;
  size_t stepBytes = 0;
  alignas(16) std::byte step[mostStepBytes] = {}; ///< equal for all rows
  int rows = 0;
  UpdateRow row[most];

  /// Whether `added` may run beside what waits here.
  bool takes(Start wanted, const void *wantedStep, size_t bytes,
             const UpdateRow &added) const;
  void add(Start wanted, const void *wantedStep, size_t bytes,
           const UpdateRow &added);
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_UPDATEQUEUE_H
