//===- KernelTable.h - The kernel libraries of the CPU backends -----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_KERNELS_CPU_KERNELTABLE_H
#define MEMPLAN_KERNELS_CPU_KERNELTABLE_H

#include "memplan-c/Backend.h"
#include "memplan/Runtime/Support/Status.h"

#include <span>
#include <string>

namespace memplan::runtime {

/// The plain C++ kernels: every op, always built in, the same bytes for every
/// thread count. Sorted by name.
std::span<const memplan_kernel_t> referenceKernels();

/// Kernels through oneDNN, tried before the plain ones of the same name by the
/// backend "cpu". Empty when oneDNN is not built in.
std::span<const memplan_kernel_t> oneDnnKernels();

/// "oneDNN 3.2.0"; "" when not built in.
std::string oneDnnVersion();

/// Instruction sets that the plain kernels are compiled for, each including the
/// one before. All give the same bits.
enum class VectorSet { Baseline, Avx2, Avx512 };

/// The set in use: the widest of this machine, unless limited.
VectorSet vectorSet();

/// Uses no wider set than `limit` from now on, in the whole process; for
/// comparing the sets. Gives the set in use.
VectorSet limitVectorSet(VectorSet limit);

/// Adds a kernel for opaque ops to the CPU backends of this process. The table
/// must live as long as the process uses it.
Status registerKernel(const memplan_kernel_t &kernel);

} // namespace memplan::runtime

#endif // MEMPLAN_KERNELS_CPU_KERNELTABLE_H
