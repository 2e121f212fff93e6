//===- Graphs.h - Steps as CUDA graphs --------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_GRAPHS_H
#define MEMPLAN_LIB_KERNELS_CUDA_GRAPHS_H

#include "Device.h"

namespace memplan::runtime::cuda {

// The functions of memplan_backend_t of these names. A graph is a
// cudaGraphExec_t.

/// Refused with MEMPLAN_CUDA_WAIT: a capture cannot wait.
memplan_status_t beginCapture(memplan_device_t *device);
memplan_status_t endCapture(memplan_device_t *device, void **graph);
memplan_status_t replay(memplan_device_t *device, void *graph);
void releaseGraph(memplan_device_t *device, void *graph);

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_GRAPHS_H
