//===- Launch.h - Loops on the device ---------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kernel is a loop body handed to forEach (independent elements) or
// forEachBlock (groups whose threads sum together). A body is a lambda marked
// MEMPLAN_DEVICE. Sums follow a tree whose form depends on sizes only: equal
// launches give equal bits. Compiled by a host compiler the same bodies run
// one after the other, on host memory, when the mock's stream lets them, in the
// order that the mock says; a test lets threads of the host run each block.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_LAUNCH_H
#define MEMPLAN_LIB_KERNELS_CUDA_LAUNCH_H

#include "Block.h"
#include "Kernel.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#ifndef __CUDACC__
/// Function of the mock of the CUDA runtime: runs a copy of `body` when the
/// stream's turn comes.
void memplanHoldOnHost(cudaStream_t stream, const void *body, size_t bytes,
                       void (*run)(const void *body));
/// Function of the mock: which of `count` blocks comes at `turn`.
int64_t memplanBlockAt(int64_t turn, int64_t count);
#endif

namespace memplan::runtime::cuda {

inline constexpr int64_t mostElementBlocks = 4096;
inline constexpr int64_t mostGroupBlocks = int64_t(1) << 20;

/// Threads that share a group of about `work` elements: a power of two.
inline int groupThreads(int64_t work) {
  int threads = 64;
  while (threads < mostThreads && threads * 8 < work)
    threads *= 2;
  return threads;
}

/// Keeps the largest fault, so that the report does not depend on the order.
MEMPLAN_DEVICE inline void raiseFault(int32_t *fault, Fault code) {
#ifdef __CUDACC__
  atomicMax(fault, int32_t(code));
#else
  *fault = std::max(*fault, int32_t(code));
#endif
}

/// Shared memory that a block has unless its kernel asks for more.
inline constexpr int64_t plainSharedBytes = 48 << 10;

/// Loads the code of a kernel, which the driver otherwise does in the first
/// launch, in memory that a step may not have. Its launches may then take as
/// much shared memory.
inline void loadCode(const Call &call, const void *kernel,
                     int64_t sharedBytes = 0) {
  cudaFuncAttributes attributes;
  if (call.device.loadStatus == MEMPLAN_OK && sharedBytes > plainSharedBytes)
    call.device.loadStatus = call.device.check(
        cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(sharedBytes)),
        "cudaFuncSetAttribute");
  if (call.device.loadStatus == MEMPLAN_OK)
    call.device.loadStatus = call.device.check(
        cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
}

#ifdef __CUDACC__
template <typename Body>
__global__ void __launch_bounds__(elementThreads)
    elementKernel(int64_t count, Body body) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += int64_t(gridDim.x) * blockDim.x)
    body(i);
}

template <typename Body>
__global__ void __launch_bounds__(mostThreads)
    groupKernel(int64_t groups, Body body) {
  for (int64_t g = blockIdx.x; g < groups; g += gridDim.x)
    body(Block{}, g);
}

/// Fewer threads, so that each may have more registers, and a body that is read
/// where the launch left it.
template <typename Body>
__global__ void __launch_bounds__(elementThreads)
    pieceKernel(int64_t pieces, const __grid_constant__ Body body) {
  for (int64_t p = blockIdx.x; p < pieces; p += gridDim.x)
    body(Block{}, p);
}

template <typename Body>
__global__ void __launch_bounds__(Body::threads, Body::blocks)
    tileKernel(int64_t tiles, const __grid_constant__ Body body) {
  extern __shared__ uint4 shared[];
  for (int64_t t = blockIdx.x; t < tiles; t += gridDim.x)
    body(reinterpret_cast<std::byte *>(shared), t);
}
#else
/// What a launch takes along: the body as it is now, and how often it runs.
template <typename Body> struct HostLaunch {
  int64_t count;
  Body body;
};

/// On each thread of a block.
template <typename F> void onThreads(const F &f) {
#ifdef MEMPLAN_HOST_THREADS
  HostBlock::get().run(f);
#else
  f();
#endif
}

template <typename Body>
void holdOnHost(const Call &call, int64_t count, const Body &body,
                void (*run)(const void *launch)) {
  static_assert(std::is_trivially_copyable_v<Body>);
  if (call.device.loads)
    return loadCode(call, reinterpret_cast<const void *>(run));
  HostLaunch<Body> launch{count, body};
  memplanHoldOnHost(call.device.stream, &launch, sizeof(launch), run);
}
#endif

/// body(i) for i in [0, count), in any order.
template <typename Body>
void forEach(const Call &call, int64_t count, const Body &body) {
  if (count <= 0)
    return;
#ifdef __CUDACC__
  if (call.device.loads)
    return loadCode(call, reinterpret_cast<const void *>(&elementKernel<Body>));
  int64_t blocks = (count + elementThreads - 1) / elementThreads;
  elementKernel<<<unsigned(std::min(blocks, mostElementBlocks)), elementThreads,
                  0, call.device.stream>>>(count, body);
#else
  holdOnHost(call, count, body, [](const void *held) {
    const auto &launch = *static_cast<const HostLaunch<Body> *>(held);
    onThreads([&] {
      Block{}.each(launch.count, [&](int64_t i) { launch.body(i); });
    });
  });
#endif
}

/// body(block, g) for g in [0, groups), in any order; `work` is about how many
/// elements a group has.
template <typename Body>
void forEachBlock(const Call &call, int64_t groups, int64_t work,
                  const Body &body) {
  if (groups <= 0)
    return;
#ifdef __CUDACC__
  if (call.device.loads)
    return loadCode(call, reinterpret_cast<const void *>(&groupKernel<Body>));
  groupKernel<<<unsigned(std::min(groups, mostGroupBlocks)),
                unsigned(groupThreads(work)), 0, call.device.stream>>>(groups,
                                                                       body);
#else
  holdOnHost(call, groups, body, [](const void *held) {
    const auto &launch = *static_cast<const HostLaunch<Body> *>(held);
    onThreads([&] {
      for (int64_t turn = 0; turn < launch.count; ++turn)
        launch.body(Block{}, memplanBlockAt(turn, launch.count));
    });
  });
#endif
}

/// The same for blocks of Body::threads that each take Body::sharedBytes of
/// shared memory, aligned to 16 bytes: body(shared, g). Registers are for
/// Body::blocks at once.
template <typename Body>
void forEachTile(const Call &call, int64_t tiles, const Body &body) {
  if (tiles <= 0)
    return;
#ifdef __CUDACC__
  if (call.device.loads)
    return loadCode(call, reinterpret_cast<const void *>(&tileKernel<Body>),
                    Body::sharedBytes);
  tileKernel<<<unsigned(std::min(tiles, mostGroupBlocks)), Body::threads,
               Body::sharedBytes, call.device.stream>>>(tiles, body);
#else
  holdOnHost(call, tiles, body, [](const void *held) {
    const auto &launch = *static_cast<const HostLaunch<Body> *>(held);
    onThreads([&] {
      alignas(16) MEMPLAN_SHARED std::byte shared[Body::sharedBytes];
      for (int64_t turn = 0; turn < launch.count; ++turn)
        launch.body(shared, memplanBlockAt(turn, launch.count));
    });
  });
#endif
}

/// The same for a large body that knows how much each block has to do.
template <typename Body>
void forEachPiece(const Call &call, int64_t pieces, const Body &body) {
#ifdef __CUDACC__
  if (pieces <= 0)
    return;
  if (call.device.loads)
    return loadCode(call, reinterpret_cast<const void *>(&pieceKernel<Body>));
  pieceKernel<<<unsigned(std::min(pieces, mostGroupBlocks)), elementThreads, 0,
                call.device.stream>>>(pieces, body);
#else
  forEachBlock(call, pieces, elementThreads, body);
#endif
}

/// A place in a tensor from its number: sizes and steps of up to maxRank
/// dimensions.
struct Strided {
  int rank = 0;
  int64_t shape[maxRank] = {}, step[maxRank] = {};

  void add(int64_t size, int64_t by) {
    shape[rank] = size;
    step[rank++] = by;
  }
  int64_t count() const {
    int64_t count = 1;
    for (int d = 0; d < rank; ++d)
      count *= shape[d];
    return count;
  }
  MEMPLAN_DEVICE int64_t offset(int64_t number) const {
    int64_t offset = 0;
    for (int d = rank - 1; d >= 0; --d) {
      offset += number % shape[d] * step[d];
      number /= shape[d];
    }
    return offset;
  }
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_LAUNCH_H
