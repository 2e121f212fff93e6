//===- NoOneDnn.cpp - A build without oneDNN ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Kernels/Cpu/KernelTable.h"

#include "ParallelRunner.h"

namespace memplan::runtime {

std::span<const memplan_kernel_t> oneDnnKernels() { return {}; }
std::string oneDnnVersion() { return ""; }

bool cpu::useLibraryThreads(int32_t, memplan_parallel_t &) { return false; }

} // namespace memplan::runtime
