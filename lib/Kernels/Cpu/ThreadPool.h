//===- ThreadPool.h - The host threads of a device --------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_THREADPOOL_H
#define MEMPLAN_LIB_KERNELS_CPU_THREADPOOL_H

#include "memplan-c/Backend.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace memplan::runtime::cpu {

/// A fixed set of threads that share out numbered tasks. The thread that calls
/// run works along, so a pool of one has no thread of its own. run allocates
/// nothing and is called by one thread at a time.
class ThreadPool {
public:
  explicit ThreadPool(int32_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;

  void run(int64_t taskCount, void (*body)(void *data, int64_t task),
           void *data);
  const memplan_parallel_t *abi() const { return &table; }

private:
  void work();
  void serve();

  memplan_parallel_t table;
  std::mutex mutex;
  std::condition_variable wake, idle;
  // The current job; written under the mutex while all workers rest.
  void (*body)(void *, int64_t) = nullptr;
  void *data = nullptr;
  int64_t taskCount = 0;
  std::atomic<int64_t> next{0};
  uint64_t job = 0; ///< counts jobs, so that a worker never serves one twice
  int32_t busy = 0; ///< workers that have not finished the current job
  bool stopping = false;
  std::vector<std::thread> workers;
};

} // namespace memplan::runtime::cpu

#endif // MEMPLAN_LIB_KERNELS_CPU_THREADPOOL_H
