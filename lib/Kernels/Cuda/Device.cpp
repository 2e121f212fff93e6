//===- Device.cpp - An open GPU -------------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace memplan::runtime::cuda {

memplan_status_t Device::fail(memplan_status_t status, const char *format,
                              ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(error, sizeof(error), format, arguments);
  va_end(arguments);
  return status;
}

memplan_status_t Device::check(cudaError_t code, const char *what) {
  if (code == cudaSuccess)
    return MEMPLAN_OK;
  // An error that is not taken back would be reported by a later, sound call.
  cudaGetLastError();
  return fail(code == cudaErrorMemoryAllocation ? MEMPLAN_OUT_OF_MEMORY
                                                : MEMPLAN_FAILED,
              "%s on CUDA device %d: %s", what, number,
              cudaGetErrorString(code));
}

memplan_status_t Device::enter() {
  if (planOnly)
    return fail(MEMPLAN_UNAVAILABLE, "this device only plans, because "
                                     "MEMPLAN_CUDA_PLAN_ONLY is set");
  return check(cudaSetDevice(number), "cudaSetDevice");
}

memplan_status_t Device::open() {
  if (planOnly) {
    std::snprintf(name, sizeof(name), "cuda, planning only");
    return MEMPLAN_OK;
  }
  cudaDeviceProp properties;
  void *word = nullptr, *hostWord = nullptr;
  memplan_status_t status = enter();
  auto next = [&](cudaError_t code, const char *what) {
    status = check(code, what);
    return status == MEMPLAN_OK;
  };
  if (status != MEMPLAN_OK ||
      !next(cudaGetDeviceProperties(&properties, number),
            "cudaGetDeviceProperties") ||
      !next(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
            "cudaStreamCreateWithFlags") ||
      !next(cudaMalloc(&word, 256), "cudaMalloc"))
    return status;
  streams.push_back(stream);
  fault = static_cast<int32_t *>(word);
  if (!next(cudaMallocHost(&hostWord, sizeof(int32_t)), "cudaMallocHost"))
    return status;
  faultOnHost = static_cast<int32_t *>(hostWord);
  std::snprintf(name, sizeof(name), "cuda:%d, %s", number, properties.name);
  return check(cudaMemsetAsync(fault, 0, 256, stream), "cudaMemsetAsync");
}

/// Errors at the end have no one to tell.
Device::~Device() {
  if (planOnly)
    return;
  cudaSetDevice(number);
  for (cudaStream_t open : streams)
    cudaStreamSynchronize(open);
  for (cudaStream_t engine : engines)
    if (engine)
      cudaStreamSynchronize(engine);
  blas.reset();
  dnn.reset();
  for (auto &[base, block] : blocks)
    block.onHost ? cudaFreeHost(block.allocation) : cudaFree(block.allocation);
  if (fault)
    cudaFree(fault);
  if (faultOnHost)
    cudaFreeHost(faultOnHost);
  for (cudaEvent_t event : events)
    if (event)
      cudaEventDestroy(event);
  for (cudaStream_t engine : engines)
    streams.push_back(engine);
  for (cudaStream_t open : streams)
    if (open)
      cudaStreamDestroy(open);
}

bool planningOnly() {
  const char *variable = std::getenv("MEMPLAN_CUDA_PLAN_ONLY");
  return variable && *variable && std::string_view(variable) != "0";
}

bool mayUseLibrary(const char *library) {
  const char *variable = std::getenv("MEMPLAN_CUDA_WITHOUT");
  std::string_view rest = variable ? variable : "";
  while (!rest.empty()) {
    size_t comma = rest.find(',');
    if (rest.substr(0, comma) == library)
      return false;
    rest = comma == rest.npos ? "" : rest.substr(comma + 1);
  }
  return true;
}

} // namespace memplan::runtime::cuda
