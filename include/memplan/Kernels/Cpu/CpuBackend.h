//===- CpuBackend.h - The backends cpu and reference ------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_KERNELS_CPU_CPUBACKEND_H
#define MEMPLAN_KERNELS_CPU_CPUBACKEND_H

#include "memplan-c/Backend.h"

namespace memplan::runtime {

/// The plain kernels alone.
const memplan_backend_t *referenceBackend();
/// Kernel libraries where they are built in, the plain kernels for the rest.
const memplan_backend_t *cpuBackend();

namespace cpu {
/// Main memory of the machine.
int64_t physicalMemoryBytes();
} // namespace cpu

} // namespace memplan::runtime

#endif // MEMPLAN_KERNELS_CPU_CPUBACKEND_H
