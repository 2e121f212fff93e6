//===- Kernel.h - What the plain kernels share ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A kernel file holds, per kernel, a launch that relies on the check of the
// kernel's signature, which ran once at prepare time, and one table.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_KERNEL_H
#define MEMPLAN_LIB_KERNELS_CPU_KERNEL_H

#include "../Operands.h"
#include "../Signature.h"

namespace memplan::runtime::cpu {

// The words of the room above are the words of the plain kernels.
using namespace kernels;

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

/// Runs `body(begin, end)` over [0, count) in pieces of `grain`. The pieces do
/// not depend on the number of threads, so neither does any result.
template <typename Body>
void parallelFor(const memplan_launch_t *launch, int64_t count, int64_t grain,
                 const Body &body) {
  struct Loop {
    const Body *body;
    int64_t count, grain;
  } loop{&body, count, grain < 1 ? 1 : grain};
  int64_t tasks = (count + loop.grain - 1) / loop.grain;
  auto piece = [](void *data, int64_t task) {
    const Loop &loop = *static_cast<const Loop *>(data);
    int64_t begin = task * loop.grain;
    int64_t end = begin + loop.grain;
    (*loop.body)(begin, end < loop.count ? end : loop.count);
  };
  if (tasks > 1 && launch->parallel)
    return launch->parallel->run(launch->parallel->context, tasks, piece,
                                 &loop);
  for (int64_t task = 0; task < tasks; ++task)
    piece(&loop, task);
}

/// Elements of a cheap elementwise loop worth a task.
inline constexpr int64_t elementGrain = 16384;

/// Rows worth a task when each row costs about `work` elementary steps.
inline int64_t rowGrain(int64_t work) {
  int64_t rows = elementGrain / (work < 1 ? 1 : work);
  return rows < 1 ? 1 : rows;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

using LaunchFunction = memplan_status_t (*)(const memplan_launch_t *);

/// Runs a launch whose operands have gaps as dense launches, one for each index
/// of the dimensions with gaps, of the operands that `inputs` and `outputs`
/// list bit by bit. The others are the same in each.
memplan_status_t launchRows(const memplan_launch_t *launch,
                            LaunchFunction dense, uint32_t inputs,
                            uint32_t outputs);

/// A kernel whose results at one index of its first dimensions depend on its
/// operands at that index alone, each computed as in the dense launch.
template <LaunchFunction dense, uint32_t inputs = ~0u, uint32_t outputs = ~0u>
memplan_status_t inRows(const memplan_launch_t *launch) {
  return launch->strides ? launchRows(launch, dense, inputs, outputs)
                         : dense(launch);
}

/// The check by the kernel's signature.
memplan_status_t checkLaunch(const memplan_launch_t *launch,
                             memplan_prepared_t *prepared);
/// The same, which is all that a plain kernel does to prepare itself; operands
/// of 16 bits are refused.
memplan_status_t prepareBySignature(const memplan_launch_t *launch,
                                    memplan_prepared_t *prepared);

/// A row of a table for a kernel of f32; referenceKernels() adds the aliases of
/// the signature.
constexpr memplan_kernel_t makeKernel(const char *name, LaunchFunction launch) {
  return {name, prepareBySignature, launch, nullptr, nullptr, 0};
}
/// For a kernel of all element types that its signature allows.
constexpr memplan_kernel_t makeTyped(const char *name, LaunchFunction launch) {
  return {name, checkLaunch, launch, nullptr, nullptr, 0};
}

using KernelList = std::span<const memplan_kernel_t>;
KernelList activationKernels();
KernelList adaptivePoolKernels();
KernelList allReduceKernels();
KernelList arithmeticKernels();
KernelList attentionKernels();
KernelList avgPoolKernels();
KernelList batchNormKernels();
KernelList broadcastKernels();
KernelList castKernels();
KernelList causalMaskKernels();
KernelList codecKernels();
KernelList conv2dKernels();
KernelList conv2dFilterGradKernels();
KernelList conv2dInputGradKernels();
KernelList crossEntropyKernels();
KernelList dropoutKernels();
KernelList elementLossKernels();
KernelList embeddingKernels();
KernelList fusedMatmulKernels();
KernelList generatorKernels();
KernelList indexKernels();
KernelList layerNormKernels();
KernelList mapKernels();
KernelList matmulKernels();
KernelList maxPoolKernels();
KernelList movementKernels();
KernelList reduceKernels();
KernelList softmaxKernels();
KernelList transposeKernels();
KernelList updateKernels();

} // namespace memplan::runtime::cpu

#endif // MEMPLAN_LIB_KERNELS_CPU_KERNEL_H
