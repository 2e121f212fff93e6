//===- RuntimeMock.cpp - The CUDA runtime on host memory ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaMock.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <map>
#include <string>

// Never destroyed: programs close their devices as late as they like.
CudaMock &cudaMock() {
  static CudaMock &mock = *new CudaMock;
  return mock;
}

static cudaError_t lastError = cudaSuccess;

static cudaError_t give(cudaError_t code) {
  if (code != cudaSuccess)
    lastError = code;
  return code;
}

static std::map<void *, int64_t> &blocks() {
  static auto &blocks = *new std::map<void *, int64_t>;
  return blocks;
}

/// Streams and events are numbers behind a pointer.
static int numberOf(const void *handle) {
  return handle ? *static_cast<const int *>(handle) : -1;
}

static void note(const std::string &what) {
  if (cudaMock().logs)
    cudaMock().log += what + "; ";
}

static int *makeHandle(int64_t &count) {
  ++cudaMock().liveHandles;
  return new int(int(count++));
}

static cudaError_t allocate(void **base, size_t bytes) {
  CudaMock &mock = cudaMock();
  ++mock.allocations;
  if (int64_t(bytes) > mock.memoryBytes - mock.liveBytes)
    return give(cudaErrorMemoryAllocation);
  // What cudaMalloc leaves in new memory is not defined: make it a NaN.
  size_t rounded = (bytes + 255) / 256 * 256;
  *base = std::aligned_alloc(256, rounded ? rounded : 256);
  std::memset(*base, 0xFF, rounded);
  blocks()[*base] = int64_t(bytes);
  ++mock.liveBlocks;
  mock.liveBytes += int64_t(bytes);
  if (int64_t(bytes) > mock.largestAllocation)
    mock.largestAllocation = int64_t(bytes);
  return cudaSuccess;
}

static cudaError_t release(void *base) {
  auto block = blocks().find(base);
  if (block == blocks().end())
    return give(cudaErrorInvalidValue);
  --cudaMock().liveBlocks;
  cudaMock().liveBytes -= block->second;
  blocks().erase(block);
  std::free(base);
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaGetDeviceCount(int *count) {
  *count = cudaMock().devices;
  return give(cudaError_t(cudaMock().deviceCountError));
}

cudaError_t cudaSetDevice(int device) {
  return give(device >= 0 && device < cudaMock().devices
                  ? cudaSuccess
                  : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
  std::memset(properties, 0, sizeof(*properties));
  std::snprintf(properties->name, sizeof(properties->name), "Mock GPU");
  return cudaSuccess;
}

cudaError_t cudaGetLastError(void) {
  cudaError_t code = lastError;
  lastError = cudaSuccess;
  return code;
}

cudaError_t cudaPeekAtLastError(void) { return lastError; }

const char *cudaGetErrorString(cudaError_t code) {
  switch (code) {
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorNoDevice:
    return "no CUDA-capable device is detected";
  case cudaErrorStubLibrary:
    return "CUDA driver is a stub library";
  default:
    return code == cudaSuccess ? "no error" : "some error of the mock";
  }
}

cudaError_t cudaMalloc(void **base, size_t bytes) {
  return allocate(base, bytes);
}
cudaError_t cudaFree(void *base) { return base ? release(base) : cudaSuccess; }
cudaError_t cudaMallocHost(void **base, size_t bytes) {
  return allocate(base, bytes);
}
cudaError_t cudaFreeHost(void *base) { return release(base); }
cudaError_t cudaHostAlloc(void **base, size_t bytes, unsigned) {
  ++cudaMock().pinned;
  return allocate(base, bytes);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
  *total = size_t(cudaMock().memoryBytes);
  *available = size_t(cudaMock().memoryBytes - cudaMock().liveBytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes,
                            cudaMemcpyKind, cudaStream_t stream) {
  ++cudaMock().copies;
  note("copy " + std::to_string(bytes) + " on " +
       std::to_string(numberOf(stream)));
  std::memmove(target, source, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *target, int value, size_t bytes,
                            cudaStream_t) {
  ++cudaMock().fills;
  std::memset(target, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(makeHandle(cudaMock().streams));
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  --cudaMock().liveHandles;
  delete reinterpret_cast<int *>(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  ++cudaMock().synchronizations;
  note("synchronize " + std::to_string(numberOf(stream)));
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  *event = reinterpret_cast<cudaEvent_t>(makeHandle(cudaMock().events));
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  --cudaMock().liveHandles;
  delete reinterpret_cast<int *>(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  note("record " + std::to_string(numberOf(event)) + " on " +
       std::to_string(numberOf(stream)));
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned) {
  note("wait " + std::to_string(numberOf(event)) + " on " +
       std::to_string(numberOf(stream)));
  return cudaSuccess;
}

// What nvcc's launch syntax calls.

static thread_local struct {
  dim3 grid, block;
  size_t sharedBytes;
  cudaStream_t stream;
} configuration;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                     CUstream_st *stream) {
  configuration = {grid, block, sharedBytes, stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                       size_t *sharedBytes, void *stream) {
  *grid = configuration.grid;
  *block = configuration.block;
  *sharedBytes = configuration.sharedBytes;
  *static_cast<cudaStream_t *>(stream) = configuration.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void *>(function));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3 grid, dim3 block, void **,
                               size_t, cudaStream_t stream) {
  CudaMock &mock = cudaMock();
  ++mock.launches;
  note("launch " + std::to_string(numberOf(stream)));
  uint64_t threads = uint64_t(block.x) * block.y * block.z;
  if (grid.x == 0 || grid.x > 2147483647u || threads == 0 || threads > 1024)
    ++mock.emptyLaunches;
  if (!stream)
    ++mock.misuses;
  cudaError_t code = cudaError_t(mock.launchError);
  mock.launchError = 0;
  return give(code);
}

} // extern "C"
