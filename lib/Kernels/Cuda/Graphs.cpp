//===- Graphs.cpp - Steps as CUDA graphs ----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

#include "Memory.h"
#include "Queues.h"

namespace memplan::runtime::cuda {

memplan_status_t beginCapture(memplan_device_t *device) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.enter();
  if (status == MEMPLAN_OK && cuda.waits)
    status = cuda.fail(MEMPLAN_UNAVAILABLE,
                       "MEMPLAN_CUDA_WAIT waits after each launch");
  // Other threads may do what they like.
  return status != MEMPLAN_OK
             ? status
             : cuda.check(
                   cudaStreamBeginCapture(cuda.streams[0],
                                          cudaStreamCaptureModeThreadLocal),
                   "cudaStreamBeginCapture");
}

memplan_status_t endCapture(memplan_device_t *device, void **graph) {
  Device &cuda = self(device);
  cuda.startUpdates();
  // Every queue joined the capture when the step began.
  memplan_status_t status = joinQueues(cuda);
  cudaGraph_t captured = nullptr;
  const cudaError_t code = cudaStreamEndCapture(cuda.streams[0], &captured);
  if (status == MEMPLAN_OK)
    status = cuda.check(code, "cudaStreamEndCapture");
  cudaGraphExec_t made = nullptr;
  if (status == MEMPLAN_OK && graph)
    status = cuda.check(cudaGraphInstantiate(&made, captured, 0),
                        "cudaGraphInstantiate");
  if (captured)
    cudaGraphDestroy(captured);
  if (status == MEMPLAN_OK && graph)
    *graph = made;
  return status;
}

memplan_status_t replay(memplan_device_t *device, void *graph) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.enter();
  return status == MEMPLAN_OK
             ? cuda.check(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph),
                                          cuda.streams[0]),
                          "cudaGraphLaunch")
             : status;
}

void releaseGraph(memplan_device_t *device, void *graph) {
  if (self(device).enter() == MEMPLAN_OK)
    cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
}

} // namespace memplan::runtime::cuda
