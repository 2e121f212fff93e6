//===- ParallelRunner.h - Threads of the kernel library, if any -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_PARALLELRUNNER_H
#define MEMPLAN_LIB_KERNELS_CPU_PARALLELRUNNER_H

#include "memplan-c/Backend.h"

namespace memplan::runtime::cpu {

/// Fills `parallel`, which must then stay where it is, with a runner on the
/// threads of the kernel library. False where that library has none.
bool useLibraryThreads(int32_t threads, memplan_parallel_t &parallel);

} // namespace memplan::runtime::cpu

#endif // MEMPLAN_LIB_KERNELS_CPU_PARALLELRUNNER_H
