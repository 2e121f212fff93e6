//===- OpenMp.cpp - The threads that oneDNN uses --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// This oneDNN runs on GNU's OpenMP library, whose threads spin for a while
// after each region. A second pool beside it would compete with them for the
// cores at every change from one to the other, so the plain kernels run on the
// same threads.
//
//===----------------------------------------------------------------------===//

#include "OpenMp.h"

#include "../ParallelRunner.h"
#include "Waiting.h"

#include <atomic>

extern "C" {
// The library's entry points, as compilers call them.
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads,
                   unsigned flags);
void omp_set_num_threads(int threads);
}

using namespace memplan::runtime;

void onednn::setOpenMpThreads(int32_t threads) { omp_set_num_threads(threads); }

namespace {
struct Job {
  void (*body)(void *data, int64_t task);
  void *data;
  int64_t taskCount;
  std::atomic<int64_t> next{0};
};
} // namespace

static void work(void *argument) {
  Job &job = *static_cast<Job *>(argument);
  for (int64_t task = job.next.fetch_add(1); task < job.taskCount;
       task = job.next.fetch_add(1))
    job.body(job.data, task);
}

static void runOnOpenMp(void *context, int64_t taskCount,
                        void (*body)(void *data, int64_t task), void *data) {
  int32_t threads = static_cast<const memplan_parallel_t *>(context)->threads;
  Job job{body, data, taskCount};
  if (threads <= 1 || taskCount <= 1)
    return work(&job);
  GOMP_parallel(work, &job, unsigned(threads), 0);
}

bool cpu::useLibraryThreads(int32_t threads, memplan_parallel_t &parallel) {
  parallel = {&parallel, threads, runOnOpenMp};
  return memplan_spins() != nullptr;
}
