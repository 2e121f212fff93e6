//===- Queues.h - Streams, copy engines and events of a GPU -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_QUEUES_H
#define MEMPLAN_LIB_KERNELS_CUDA_QUEUES_H

#include "Device.h"

namespace memplan::runtime::cuda {

// The functions of memplan_backend_t of these names. They only queue work.

/// Lets every queue wait for what the first stream was given before.
memplan_status_t beginQueues(memplan_device_t *device,
                             const memplan_queue_counts_t *counts);
memplan_status_t copyAsync(memplan_device_t *device, int32_t queue,
                           void *target, const void *source, int64_t bytes);
memplan_status_t recordEvent(memplan_device_t *device, int32_t event,
                             int32_t queue);
memplan_status_t waitForEvent(memplan_device_t *device, int32_t event,
                              int32_t queue);

/// Lets the first stream wait for all queues of the step, if there are any.
memplan_status_t joinQueues(Device &device);

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_QUEUES_H
