//===- ThreadPool.cpp - The host threads of a device ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadPool.h"

namespace memplan::runtime::cpu {

static void runOnPool(void *context, int64_t taskCount,
                      void (*body)(void *data, int64_t task), void *data) {
  static_cast<ThreadPool *>(context)->run(taskCount, body, data);
}

ThreadPool::ThreadPool(int32_t threads) : table{this, threads, runOnPool} {
  for (int32_t i = 1; i < threads; ++i)
    workers.emplace_back([this] { serve(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::work() {
  for (int64_t task = next.fetch_add(1); task < taskCount;
       task = next.fetch_add(1))
    body(data, task);
}

void ThreadPool::serve() {
  uint64_t served = 0;
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait(lock, [&] { return stopping || job != served; });
    if (stopping)
      return;
    served = job;
    lock.unlock();
    work();
    lock.lock();
    if (--busy == 0)
      idle.notify_one();
  }
}

void ThreadPool::run(int64_t tasks, void (*taskBody)(void *, int64_t),
                     void *taskData) {
  if (workers.empty() || tasks <= 1) {
    for (int64_t task = 0; task < tasks; ++task)
      taskBody(taskData, task);
    return;
  }
  {
    std::lock_guard lock(mutex);
    body = taskBody;
    data = taskData;
    taskCount = tasks;
    next.store(0);
    busy = int32_t(workers.size());
    ++job;
  }
  wake.notify_all();
  work();
  std::unique_lock lock(mutex);
  idle.wait(lock, [&] { return busy == 0; });
}

} // namespace memplan::runtime::cpu
