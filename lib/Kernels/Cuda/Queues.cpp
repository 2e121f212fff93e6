//===- Queues.cpp - Streams, copy engines and events of a GPU -------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queues.h"

#include "Memory.h"

namespace memplan::runtime::cuda {

/// Null: there is no such queue.
static cudaStream_t streamOf(Device &cuda, int32_t queue) {
  if (queue == MEMPLAN_QUEUE_D2H || queue == MEMPLAN_QUEUE_H2D)
    return cuda.engines[queue == MEMPLAN_QUEUE_H2D];
  return queue >= 0 && size_t(queue) < cuda.streams.size()
             ? cuda.streams[size_t(queue)]
             : nullptr;
}

/// Sets `stream` on success only.
static memplan_status_t open(Device &cuda, cudaStream_t &stream) {
  cudaStream_t made = nullptr;
  memplan_status_t status =
      cuda.check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking),
                 "cudaStreamCreateWithFlags");
  if (status == MEMPLAN_OK)
    stream = made;
  return status;
}

static memplan_status_t addEvent(Device &cuda) {
  cudaEvent_t made = nullptr;
  memplan_status_t status =
      cuda.check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming),
                 "cudaEventCreateWithFlags");
  if (status == MEMPLAN_OK)
    cuda.events.push_back(made);
  return status;
}

/// Whatever is not there yet. No caller asks an event when it happened.
static memplan_status_t openAll(Device &cuda,
                                const memplan_queue_counts_t &counts) {
  memplan_status_t status = cuda.enter();
  while (status == MEMPLAN_OK && cuda.streams.size() < size_t(counts.streams)) {
    cudaStream_t made = nullptr;
    status = open(cuda, made);
    if (status == MEMPLAN_OK)
      cuda.streams.push_back(made);
  }
  for (cudaStream_t &engine : cuda.engines)
    if (status == MEMPLAN_OK && !engine)
      status = open(cuda, engine);
  // The last one is the device's own, for the start and the end of a step.
  while (status == MEMPLAN_OK && cuda.events.size() < size_t(counts.events) + 1)
    status = addEvent(cuda);
  return status;
}

static memplan_status_t record(Device &cuda, cudaEvent_t event,
                               cudaStream_t stream) {
  return cuda.check(cudaEventRecord(event, stream), "cudaEventRecord");
}

static memplan_status_t wait(Device &cuda, cudaEvent_t event,
                             cudaStream_t stream) {
  return cuda.check(cudaStreamWaitEvent(stream, event, 0),
                    "cudaStreamWaitEvent");
}

/// Calls `visit` for each queue but the first stream.
template <typename Visit>
static memplan_status_t forOthers(Device &cuda, const Visit &visit) {
  memplan_status_t status = MEMPLAN_OK;
  for (size_t s = 1; s < cuda.streams.size() && status == MEMPLAN_OK; ++s)
    status = visit(cuda.streams[s]);
  for (cudaStream_t engine : cuda.engines)
    if (status == MEMPLAN_OK && engine)
      status = visit(engine);
  return status;
}

memplan_status_t beginQueues(memplan_device_t *device,
                             const memplan_queue_counts_t *counts) {
  Device &cuda = self(device);
  memplan_status_t status = openAll(cuda, *counts);
  if (status == MEMPLAN_OK)
    status = record(cuda, cuda.events.back(), cuda.streams[0]);
  if (status != MEMPLAN_OK)
    return status;
  cuda.inQueues = true;
  return forOthers(cuda, [&](cudaStream_t other) {
    return wait(cuda, cuda.events.back(), other);
  });
}

memplan_status_t joinQueues(Device &cuda) {
  if (!cuda.inQueues)
    return MEMPLAN_OK;
  cuda.inQueues = false;
  return forOthers(cuda, [&](cudaStream_t other) {
    memplan_status_t status = record(cuda, cuda.events.back(), other);
    return status == MEMPLAN_OK
               ? wait(cuda, cuda.events.back(), cuda.streams[0])
               : status;
  });
}

memplan_status_t copyAsync(memplan_device_t *device, int32_t queue,
                           void *target, const void *source, int64_t bytes) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.enter();
  cudaStream_t engine = streamOf(cuda, queue);
  if (status != MEMPLAN_OK || bytes <= 0)
    return status;
  if (queue >= 0 || !engine)
    return cuda.fail(MEMPLAN_INVALID_ARGUMENT, "no copy engine %d", queue);
  status = cuda.check(cudaMemcpyAsync(target, source, size_t(bytes),
                                      queue == MEMPLAN_QUEUE_D2H
                                          ? cudaMemcpyDeviceToHost
                                          : cudaMemcpyHostToDevice,
                                      engine),
                      "cudaMemcpyAsync");
  return status == MEMPLAN_OK && cuda.waits
             ? cuda.check(cudaStreamSynchronize(engine), "the copy")
             : status;
}

/// The stream and the event of these numbers, or a failure.
static memplan_status_t find(Device &cuda, int32_t event, int32_t queue,
                             cudaStream_t &stream) {
  memplan_status_t status = cuda.enter();
  stream = streamOf(cuda, queue);
  if (status == MEMPLAN_OK &&
      (!stream || event < 0 || size_t(event) + 1 >= cuda.events.size()))
    status = cuda.fail(MEMPLAN_INVALID_ARGUMENT,
                       "no queue %d, or no event %d of %zu", queue, event,
                       cuda.events.size());
  return status;
}

memplan_status_t recordEvent(memplan_device_t *device, int32_t event,
                             int32_t queue) {
  Device &cuda = self(device);
  cudaStream_t stream = nullptr;
  memplan_status_t status = find(cuda, event, queue, stream);
  return status == MEMPLAN_OK ? record(cuda, cuda.events[size_t(event)], stream)
                              : status;
}

memplan_status_t waitForEvent(memplan_device_t *device, int32_t event,
                              int32_t queue) {
  Device &cuda = self(device);
  cudaStream_t stream = nullptr;
  memplan_status_t status = find(cuda, event, queue, stream);
  return status == MEMPLAN_OK ? wait(cuda, cuda.events[size_t(event)], stream)
                              : status;
}

} // namespace memplan::runtime::cuda
