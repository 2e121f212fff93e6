//===- OpenMp.h - The threads that oneDNN uses ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_ONEDNN_OPENMP_H
#define MEMPLAN_LIB_KERNELS_CPU_ONEDNN_OPENMP_H

#include "memplan-c/Backend.h"

namespace memplan::runtime::onednn {

/// Threads of the next parallel region of the calling thread.
void setOpenMpThreads(int32_t threads);

} // namespace memplan::runtime::onednn

#endif // MEMPLAN_LIB_KERNELS_CPU_ONEDNN_OPENMP_H
