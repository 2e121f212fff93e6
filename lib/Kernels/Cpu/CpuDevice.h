//===- CpuDevice.h - An open device of the host -----------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_CPUDEVICE_H
#define MEMPLAN_LIB_KERNELS_CPU_CPUDEVICE_H

#include "GuardedMemory.h"
#include "Queues.h"

#include <map>

namespace memplan::runtime::cpu {

/// What prepare leaves: which kernel, and that kernel's own state.
struct PreparedKernel {
  const memplan_kernel_t *kernel;
  void *state;
};

/// A device of the backend cpu or reference.
struct CpuDevice : Queues::Launcher {
  CpuDevice(int32_t threads, bool accelerated);

  bool accelerated;
  int32_t threads;
  /// The runner on the kernel library's threads, which replaces the pools.
  memplan_parallel_t library;
  bool libraryThreads;
  char name[64];
  char error[512] = "";
  std::map<void *, GuardedMemory> blocks;
  /// By stream: each one has its own threads.
  std::vector<std::unique_ptr<ThreadPool>> pools;
  /// Goes first, with its threads.
  Queues queues{*this};

  const memplan_parallel_t *parallel(int32_t stream) const {
    return libraryThreads ? &library : pools[size_t(stream)]->abi();
  }
  void openStreams(int32_t count);
  memplan_status_t launch(const memplan_launch_t &launch, char *text,
                          int64_t textBytes) override;
  memplan_status_t fail(const Status &status);
};

inline CpuDevice &self(memplan_device_t *device) {
  return *reinterpret_cast<CpuDevice *>(device);
}

/// Streams, events and copies of both backends.
void addQueues(memplan_backend_t &table);

} // namespace memplan::runtime::cpu

#endif // MEMPLAN_LIB_KERNELS_CPU_CPUDEVICE_H
