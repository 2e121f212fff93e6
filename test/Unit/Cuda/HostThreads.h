//===- HostThreads.h - Threads of a block, on the host ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CUDA gives to a kernel, for one block at a time: its threads are threads
// of the host, and shared memory is static, one copy for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CUDA_HOSTTHREADS_H
#define MEMPLAN_TEST_UNIT_CUDA_HOSTTHREADS_H

#include <barrier>
#include <functional>
#include <thread>

struct MemplanIndex {
  unsigned x;
};
inline thread_local MemplanIndex threadIdx = {0};
/// Column sums take two rows of 32 threads, or of fewer with several columns
/// each: the tree of lanes has one level or more.
inline constexpr MemplanIndex blockDim = {64};

namespace memplan::runtime::cuda {

/// The threads wait for work until the process ends.
class HostBlock {
public:
  static HostBlock &get() {
    static HostBlock &block = *new HostBlock;
    return block;
  }
  /// Every thread calls f once; the caller is one of them.
  void run(const std::function<void()> &f) {
    work = &f;
    meeting.arrive_and_wait();
    f();
    meeting.arrive_and_wait();
  }
  void wait() { meeting.arrive_and_wait(); }

private:
  HostBlock() : meeting(blockDim.x) {
    for (unsigned t = 1; t < blockDim.x; ++t)
      std::thread([this, t] {
        threadIdx.x = t;
        while (true) {
          meeting.arrive_and_wait();
          (*work)();
          meeting.arrive_and_wait();
        }
      }).detach();
  }

  std::barrier<> meeting;
  const std::function<void()> *work = nullptr;
};

} // namespace memplan::runtime::cuda

inline void __syncthreads() { memplan::runtime::cuda::HostBlock::get().wait(); }

#endif // MEMPLAN_TEST_UNIT_CUDA_HOSTTHREADS_H
