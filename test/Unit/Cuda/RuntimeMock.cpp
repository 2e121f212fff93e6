//===- RuntimeMock.cpp - The CUDA runtime on host memory ------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamMock.h"

#include <cstdlib>
#include <numeric>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <map>
#include <set>
#include <string>

// Never destroyed: programs close their devices as late as they like.
CudaMock &cudaMock() {
  static CudaMock &mock = *new CudaMock;
  return mock;
}

cudaError_t mock::give(cudaError_t code) {
  if (cudaMock().lost != 0)
    code = cudaError_t(cudaMock().lost);
  if (code != cudaSuccess)
    cudaMock().lastError = code;
  return code;
}

using mock::give;
using mock::hold;
using mock::note;
using mock::numberOf;

namespace {
struct Block {
  int64_t taken; ///< of the device's memory
  int64_t bytes;
};
} // namespace

static std::map<void *, Block> &blocks() {
  static auto &blocks = *new std::map<void *, Block>;
  return blocks;
}

void mock::note(const std::string &what) {
  if (cudaMock().logs)
    cudaMock().log += what + "; ";
}

static cudaError_t allocate(void **base, size_t bytes, bool onHost) {
  CudaMock &mock = cudaMock();
  ++mock.allocations;
  if (mock.lost != 0)
    return give(cudaSuccess);
  if (mock::refusesInCapture())
    return cudaErrorStreamCaptureUnsupported;
  const int64_t taken = onHost ? 0
                               : (int64_t(bytes) + mock.pageBytes - 1) /
                                     mock.pageBytes * mock.pageBytes;
  if (int64_t(bytes) > mock.memoryBytes - mock.liveBytes ||
      taken > mock.memoryBytes - mock.liveBytes)
    return give(cudaErrorMemoryAllocation);
  // What cudaMalloc leaves in new memory is not defined: make it a NaN.
  size_t rounded = (bytes + 255) / 256 * 256;
  *base = std::aligned_alloc(256, rounded ? rounded : 256);
  std::memset(*base, 0xFF, rounded);
  blocks()[*base] = {taken, int64_t(rounded)};
  ++mock.liveBlocks;
  mock.liveBytes += taken;
  if (int64_t(bytes) > mock.largestAllocation)
    mock.largestAllocation = int64_t(bytes);
  return give(cudaSuccess);
}

/// As on a GPU, after all work.
static cudaError_t release(void *base) {
  auto block = blocks().find(base);
  if (block == blocks().end())
    return give(cudaErrorInvalidValue);
  if (mock::refusesInCapture())
    return cudaErrorStreamCaptureUnsupported;
  mock::synchronizeAll();
  --cudaMock().liveBlocks;
  cudaMock().liveBytes -= block->second.taken;
  blocks().erase(block);
  std::free(base);
  return give(cudaSuccess);
}

extern "C" {

cudaError_t cudaGetDeviceCount(int *count) {
  *count = cudaMock().devices;
  return give(cudaError_t(cudaMock().deviceCountError));
}

cudaError_t cudaSetDevice(int device) {
  static int64_t generation = -1;
  if (generation != cudaMock().generation)
    cudaMock().liveBytes += cudaMock().contextBytes;
  generation = cudaMock().generation;
  return give(device >= 0 && device < cudaMock().devices
                  ? cudaSuccess
                  : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
  std::memset(properties, 0, sizeof(*properties));
  std::snprintf(properties->name, sizeof(properties->name), "Mock GPU");
  return cudaSuccess;
}

/// What is lost stays lost.
cudaError_t cudaGetLastError(void) {
  auto code = cudaError_t(cudaMock().lastError);
  cudaMock().lastError = cudaMock().lost;
  return code;
}

cudaError_t cudaPeekAtLastError(void) {
  return cudaError_t(cudaMock().lastError);
}

const char *cudaGetErrorString(cudaError_t code) {
  switch (code) {
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorNoDevice:
    return "no CUDA-capable device is detected";
  case cudaErrorIllegalAddress:
    return "an illegal memory access was encountered";
  case cudaErrorStreamCaptureUnsupported:
    return "operation not permitted when stream is capturing";
  case cudaErrorStreamCaptureInvalidated:
    return "operation failed due to a previous error during capture";
  case cudaErrorStubLibrary:
    return "CUDA driver is a stub library";
  default:
    return code == cudaSuccess ? "no error" : "some error of the mock";
  }
}

cudaError_t cudaDriverGetVersion(int *version) {
  *version = 13010;
  return give(cudaSuccess);
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **base, size_t bytes) {
  return allocate(base, bytes, /*onHost=*/false);
}
cudaError_t cudaFree(void *base) { return base ? release(base) : cudaSuccess; }
cudaError_t cudaMallocHost(void **base, size_t bytes) {
  return allocate(base, bytes, /*onHost=*/true);
}
cudaError_t cudaFreeHost(void *base) { return release(base); }
cudaError_t cudaHostAlloc(void **base, size_t bytes, unsigned) {
  ++cudaMock().pinned;
  return allocate(base, bytes, /*onHost=*/true);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
  *total = size_t(cudaMock().memoryBytes);
  *available = size_t(cudaMock().memoryBytes - cudaMock().liveBytes);
  return give(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
  std::snprintf(text, size_t(bytes), "0000:%02x:00.0", device);
  return give(cudaSuccess);
}

// Of the driver's own library.

int nvmlInit_v2(void) { return cudaMock().hasNvml ? 0 : 9; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *busId, void **device) {
  *device = &cudaMock();
  return std::strcmp(busId, "0000:00:00.0") == 0 ? 0 : 6;
}
int nvmlDeviceGetMemoryInfo(void *, unsigned long long memory[3]) {
  memory[0] = uint64_t(cudaMock().memoryBytes);
  memory[2] = uint64_t(cudaMock().liveBytes);
  memory[1] = memory[0] - memory[2];
  return 0;
}

/// Whether `data` lies in a block that was allocated here.
static bool isInBlock(const void *data) {
  auto next = blocks().upper_bound(const_cast<void *>(data));
  if (next == blocks().begin())
    return false;
  const auto &[base, block] = *--next;
  return static_cast<const char *>(data) <
         static_cast<const char *>(base) + block.bytes;
}

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  ++cudaMock().copies;
  cudaMock().pageableCopies +=
      kind == cudaMemcpyHostToDevice && !isInBlock(source);
  note("copy " + std::to_string(bytes) + " on " +
       std::to_string(numberOf(stream)));
  hold(
      stream, [=] { std::memmove(target, source, bytes); },
      /*isKernel=*/false);
  return give(cudaSuccess);
}

cudaError_t cudaMemsetAsync(void *target, int value, size_t bytes,
                            cudaStream_t stream) {
  ++cudaMock().fills;
  hold(
      stream, [=] { std::memset(target, value, bytes); },
      /*isKernel=*/false);
  return give(cudaSuccess);
}

/// Whether this is the first use of the kernel, which loads it.
static bool load(const void *kernel) {
  static auto &loaded = *new std::set<const void *>;
  static int64_t generation = 0;
  if (generation != cudaMock().generation)
    loaded.clear();
  generation = cudaMock().generation;
  if (!loaded.insert(kernel).second)
    return false;
  cudaMock().liveBytes += cudaMock().codeBytes;
  return true;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                  const void *kernel) {
  std::memset(attributes, 0, sizeof(*attributes));
  load(kernel);
  return give(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) {
  return give(cudaSuccess);
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

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                               void **, size_t, cudaStream_t stream) {
  CudaMock &mock = cudaMock();
  ++mock.launches;
  note("launch " + std::to_string(numberOf(stream)));
  uint64_t threads = uint64_t(block.x) * block.y * block.z;
  if (grid.x == 0 || grid.x > 2147483647u || threads == 0 || threads > 1024)
    ++mock.emptyLaunches;
  mock.lateLoads += load(kernel);
  // Its body is code for a GPU: only its place in the order is there.
  hold(stream, [] {});
  cudaError_t code = cudaError_t(mock.launchError);
  mock.launchError = 0;
  return give(code);
}

} // extern "C"

/// From the environment, for tests that do not link the mock.
static int64_t orderOfBlocks() {
  const char *seed = std::getenv("MEMPLAN_TEST_BLOCKS");
  return seed ? std::atoll(seed) : cudaMock().blockSeed;
}

// Steps of a width that shares no factor with the count meet each block once.
int64_t memplanBlockAt(int64_t turn, int64_t count) {
  const int64_t seed = orderOfBlocks();
  if (seed == 0)
    return count - 1 - turn;
  int64_t width = seed * 7919 % count + 1;
  while (std::gcd(width, count) != 1)
    ++width;
  return (turn * width + seed) % count;
}

// Kernels compiled for the host come here instead.
void memplanHoldOnHost(cudaStream_t stream, const void *body, size_t bytes,
                       void (*run)(const void *body)) {
  ++cudaMock().launches;
  note("launch " + std::to_string(numberOf(stream)));
  cudaMock().lateLoads += load(reinterpret_cast<const void *>(run));
  hold(stream, body, bytes, run, /*isKernel=*/true);
}
