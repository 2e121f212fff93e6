//===- Memory.h - Blocks on the GPU -----------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_MEMORY_H
#define MEMPLAN_LIB_KERNELS_CUDA_MEMORY_H

#include "Device.h"

namespace memplan::runtime::cuda {

inline Device &self(memplan_device_t *device) {
  return *reinterpret_cast<Device *>(device);
}

// The functions of memplan_backend_t of these names.

/// One cudaMalloc, with a guard behind the block.
memplan_status_t allocateBlock(memplan_device_t *device, int64_t bytes,
                               int64_t alignment, void **base);
memplan_status_t freeBlock(memplan_device_t *device, void *base);
/// One cudaHostAlloc, page-locked, with a guard behind the block.
memplan_status_t allocateHostBlock(memplan_device_t *device, int64_t bytes,
                                   int64_t alignment, void **base);
memplan_status_t freeHostBlock(memplan_device_t *device, void *base);
memplan_status_t checkGuards(memplan_device_t *device, void *base);
memplan_status_t copyIn(memplan_device_t *device, void *target,
                        const void *host, int64_t bytes);
memplan_status_t copyOut(memplan_device_t *device, void *host,
                         const void *source, int64_t bytes);
memplan_status_t copyOnDevice(memplan_device_t *device, void *target,
                              const void *source, int64_t bytes);
memplan_status_t fillBytes(memplan_device_t *device, void *target, int32_t byte,
                           int64_t bytes);

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_MEMORY_H
