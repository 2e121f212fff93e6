//===- Memory.cpp - Blocks on the GPU -------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "Queues.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

using namespace memplan::runtime;
using namespace memplan::runtime::cuda;

/// Behind every block lies a guard with a pattern.
static constexpr int64_t guardBytes = 256;
static constexpr int guardPattern = 0xA5;
/// What cudaMalloc aligns to at least.
static constexpr int64_t cudaAlignment = 256;

static memplan_status_t outOfMemory(Device &cuda, int64_t bytes) {
  size_t available = 0, total = 0;
  if (cudaMemGetInfo(&available, &total) != cudaSuccess)
    cudaGetLastError();
  return cuda.fail(MEMPLAN_OUT_OF_MEMORY,
                   "%s is out of memory: %lld bytes were asked for in one "
                   "piece, %lld of %lld are free",
                   cuda.name, static_cast<long long>(bytes),
                   static_cast<long long>(available),
                   static_cast<long long>(total));
}

static memplan_status_t hostOutOfMemory(Device &cuda, int64_t bytes) {
  return cuda.fail(MEMPLAN_OUT_OF_MEMORY,
                   "no page-locked host memory for %s: %lld bytes were asked "
                   "for in one piece",
                   cuda.name, static_cast<long long>(bytes));
}

/// Makes a block with room for the alignment and the guard behind it.
template <typename Allocate>
static memplan_status_t
takeBlock(Device &cuda, int64_t bytes, int64_t alignment, bool onHost,
          const Allocate &allocate, const char *what, void **base) {
  if (memplan_status_t status = cuda.enter(); status != MEMPLAN_OK)
    return status;
  if (bytes < 0 || alignment < 1 || (alignment & (alignment - 1)) != 0)
    return cuda.fail(MEMPLAN_INVALID_ARGUMENT,
                     "%lld bytes aligned to %lld cannot be allocated",
                     static_cast<long long>(bytes),
                     static_cast<long long>(alignment));
  int64_t slack = alignment > cudaAlignment ? alignment : 0;
  void *allocation = nullptr;
  cudaError_t code =
      allocate(&allocation, size_t(bytes) + size_t(slack + guardBytes));
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return onHost ? hostOutOfMemory(cuda, bytes + slack + guardBytes)
                  : outOfMemory(cuda, bytes + slack + guardBytes);
  }
  if (memplan_status_t status = cuda.check(code, what); status != MEMPLAN_OK)
    return status;
  auto address = reinterpret_cast<uintptr_t>(allocation);
  if (slack)
    address =
        (address + uintptr_t(alignment) - 1) & ~(uintptr_t(alignment) - 1);
  *base = reinterpret_cast<void *>(address);
  cuda.blocks[*base] = {allocation, bytes, onHost};
  return MEMPLAN_OK;
}

memplan_status_t cuda::allocateBlock(memplan_device_t *device, int64_t bytes,
                                     int64_t alignment, void **base) {
  Device &cuda = self(device);
  auto allocate = [](void **block, size_t size) {
    return cudaMalloc(block, size);
  };
  memplan_status_t status = takeBlock(cuda, bytes, alignment, /*onHost=*/false,
                                      allocate, "cudaMalloc", base);
  if (status != MEMPLAN_OK)
    return status;
  status = cuda.check(cudaMemsetAsync(static_cast<char *>(*base) + bytes,
                                      guardPattern, guardBytes, cuda.stream),
                      "cudaMemsetAsync");
  // Its text stays: giving the block back fails only on a lost device.
  if (status != MEMPLAN_OK && !cuda.lost)
    (void)freeBlock(device, *base);
  return status;
}

memplan_status_t cuda::allocateHostBlock(memplan_device_t *device,
                                         int64_t bytes, int64_t alignment,
                                         void **base) {
  auto allocate = [](void **block, size_t size) {
    return cudaHostAlloc(block, size, cudaHostAllocDefault);
  };
  memplan_status_t status =
      takeBlock(self(device), bytes, alignment, /*onHost=*/true, allocate,
                "cudaHostAlloc", base);
  if (status == MEMPLAN_OK)
    std::memset(static_cast<char *>(*base) + bytes, guardPattern, guardBytes);
  return status;
}

static memplan_status_t giveBack(memplan_device_t *device, void *base,
                                 bool onHost) {
  Device &cuda = self(device);
  if (memplan_status_t status = cuda.enter(); status != MEMPLAN_OK)
    return status;
  auto block = cuda.blocks.find(base);
  if (block == cuda.blocks.end() || block->second.onHost != onHost)
    return cuda.fail(MEMPLAN_INVALID_ARGUMENT,
                     "freed a block that is not there");
  void *allocation = block->second.allocation;
  cuda.blocks.erase(block);
  return onHost ? cuda.check(cudaFreeHost(allocation), "cudaFreeHost")
                : cuda.check(cudaFree(allocation), "cudaFree");
}

memplan_status_t cuda::freeBlock(memplan_device_t *device, void *base) {
  return giveBack(device, base, /*onHost=*/false);
}

memplan_status_t cuda::freeHostBlock(memplan_device_t *device, void *base) {
  return giveBack(device, base, /*onHost=*/true);
}

static memplan_status_t copyAndWait(memplan_device_t *device, void *target,
                                    const void *source, int64_t bytes,
                                    cudaMemcpyKind kind) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.enter();
  if (status == MEMPLAN_OK && bytes > 0)
    status = cuda.check(
        cudaMemcpyAsync(target, source, size_t(bytes), kind, cuda.stream),
        "cudaMemcpyAsync");
  if (status == MEMPLAN_OK)
    status =
        cuda.check(cudaStreamSynchronize(cuda.stream), "cudaStreamSynchronize");
  return status;
}

memplan_status_t cuda::checkGuards(memplan_device_t *device, void *base) {
  Device &cuda = self(device);
  auto block = cuda.blocks.find(base);
  if (block == cuda.blocks.end())
    return cuda.fail(MEMPLAN_INVALID_ARGUMENT,
                     "checked a block that is not there");
  unsigned char guard[guardBytes];
  int64_t bytes = block->second.bytes;
  memplan_status_t status = copyAndWait(
      device, guard, static_cast<char *>(base) + bytes, guardBytes,
      block->second.onHost ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost);
  for (int64_t i = 0; i < guardBytes && status == MEMPLAN_OK; ++i)
    if (guard[i] != guardPattern)
      status = cuda.fail(MEMPLAN_CHECK_FAILED,
                         "byte %lld, %lld beyond a block of %lld, was written",
                         static_cast<long long>(bytes + i),
                         static_cast<long long>(i + 1),
                         static_cast<long long>(bytes));
  return status;
}

/// Copies into page-locked bytes, from where the device reads them in the order
/// of the first stream: the caller's bytes are free at once, and nothing waits
/// but for the end of the buffer.
memplan_status_t cuda::copyIn(memplan_device_t *device, void *target,
                              const void *host, int64_t bytes) {
  Device &cuda = self(device);
  if (!cuda.staging || cuda.waits)
    return copyAndWait(device, target, host, bytes, cudaMemcpyHostToDevice);
  memplan_status_t status = cuda.enter();
  for (int64_t done = 0; done < bytes && status == MEMPLAN_OK;) {
    if (cuda.staged == Device::stagingBytes) {
      status = cuda.check(cudaStreamSynchronize(cuda.stream),
                          "cudaStreamSynchronize");
      cuda.staged = 0;
    }
    const int64_t part =
        std::min(bytes - done, Device::stagingBytes - cuda.staged);
    std::byte *from = cuda.staging + cuda.staged;
    if (status == MEMPLAN_OK)
      std::memcpy(from, static_cast<const char *>(host) + done, size_t(part));
    if (status == MEMPLAN_OK)
      status = cuda.check(cudaMemcpyAsync(static_cast<char *>(target) + done,
                                          from, size_t(part),
                                          cudaMemcpyHostToDevice, cuda.stream),
                          "cudaMemcpyAsync");
    cuda.staged += part;
    done += part;
  }
  return status;
}

memplan_status_t cuda::copyOut(memplan_device_t *device, void *host,
                               const void *source, int64_t bytes) {
  return copyAndWait(device, host, source, bytes, cudaMemcpyDeviceToHost);
}

memplan_status_t cuda::copyOnDevice(memplan_device_t *device, void *target,
                                    const void *source, int64_t bytes) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.enter();
  // While queues run it comes after all of them.
  if (status == MEMPLAN_OK)
    status = joinQueues(cuda);
  return status == MEMPLAN_OK && bytes > 0
             ? cuda.copyAsync(target, source, bytes)
             : status;
}

memplan_status_t cuda::fillBytes(memplan_device_t *device, void *target,
                                 int32_t byte, int64_t bytes) {
  Device &cuda = self(device);
  memplan_status_t status = cuda.enter();
  if (status == MEMPLAN_OK && bytes > 0)
    status =
        cuda.check(cudaMemsetAsync(target, byte, size_t(bytes), cuda.stream),
                   "cudaMemsetAsync");
  return status;
}
