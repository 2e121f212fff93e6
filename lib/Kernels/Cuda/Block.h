//===- Block.h - Threads that sum together ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums follow a tree whose form depends on the number of threads only. Without
// threads of a device each call is a loop, last element first; a test defines
// MEMPLAN_DEVICE_THREADS itself and brings threads of the host.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_BLOCK_H
#define MEMPLAN_LIB_KERNELS_CUDA_BLOCK_H

#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define MEMPLAN_DEVICE __device__
#define MEMPLAN_DEVICE_THREADS 1
#else
#define MEMPLAN_DEVICE
#endif
#ifdef MEMPLAN_HOST_THREADS
// The file of a test that brings them.
#include MEMPLAN_HOST_THREADS
#define MEMPLAN_DEVICE_THREADS 1
#endif
/// Before an array that the threads of a block share.
#ifdef __CUDACC__
#define MEMPLAN_SHARED __shared__
#elif MEMPLAN_DEVICE_THREADS
#define MEMPLAN_SHARED static
#else
#define MEMPLAN_SHARED
#endif

namespace memplan::runtime::cuda {

inline constexpr int mostThreads = 1024;
/// Threads of a block whose threads do not sum together, or sum much each.
inline constexpr int elementThreads = 256;
inline constexpr int tileColumns = 32;
/// The most threads of a block that sums columns: all those of several columns
/// each would take more shared memory than there is.
template <int each>
inline constexpr int columnThreads = each == 1 ? mostThreads : elementThreads;

template <int count> struct Sums {
  double value[count];
};

/// The threads that work on one group. All of them make the same calls.
struct Block {
  /// f(i) for i in [0, n); what it writes is visible to the calls that follow.
  template <typename F> MEMPLAN_DEVICE void each(int64_t n, const F &f) const {
#if MEMPLAN_DEVICE_THREADS
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
      f(i);
    __syncthreads();
#else
    for (int64_t i = n - 1; i >= 0; --i)
      f(i);
#endif
  }

  /// The number of this thread; `each` gives it elements that are as far apart
  /// as there are threads.
  MEMPLAN_DEVICE int thread() const {
#if MEMPLAN_DEVICE_THREADS
    return int(threadIdx.x);
#else
    return 0;
#endif
  }

  /// Several sums at once: f(i, sum) adds element i to each sum[k]. Every
  /// thread gets the result.
  template <int count, typename F>
  MEMPLAN_DEVICE Sums<count> sums(int64_t n, const F &f) const {
    Sums<count> total = {};
#if MEMPLAN_DEVICE_THREADS
    MEMPLAN_SHARED double lanes[count][mostThreads];
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
      f(i, total.value);
    for (int k = 0; k < count; ++k)
      lanes[k][threadIdx.x] = total.value[k];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (threadIdx.x < half)
        for (int k = 0; k < count; ++k)
          lanes[k][threadIdx.x] += lanes[k][threadIdx.x + half];
      __syncthreads();
    }
    for (int k = 0; k < count; ++k)
      total.value[k] = lanes[k][0];
    __syncthreads();
#else
    for (int64_t i = n - 1; i >= 0; --i)
      f(i, total.value);
#endif
    return total;
  }

  template <typename F> MEMPLAN_DEVICE double sum(int64_t n, const F &f) const {
    return sums<1>(n, [&](int64_t i, double *sum) { *sum += f(i); }).value[0];
  }

  /// The largest f(i), -infinity for n = 0. NaN never counts.
  template <typename F>
  MEMPLAN_DEVICE float largest(int64_t n, const F &f) const {
    float most = -INFINITY;
#if MEMPLAN_DEVICE_THREADS
    MEMPLAN_SHARED float lanes[mostThreads];
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
      float here = f(i);
      most = here > most ? here : most;
    }
    lanes[threadIdx.x] = most;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (threadIdx.x < half)
        lanes[threadIdx.x] = lanes[threadIdx.x + half] > lanes[threadIdx.x]
                                 ? lanes[threadIdx.x + half]
                                 : lanes[threadIdx.x];
      __syncthreads();
    }
    most = lanes[0];
    __syncthreads();
#else
    for (int64_t i = n - 1; i >= 0; --i) {
      float here = f(i);
      most = here > most ? here : most;
    }
#endif
    return most;
  }

  /// Sums down the columns of a tile that is at most tileColumns wide. A thread
  /// has `each` neighbouring columns: add(r, c, sum) for each row r adds to
  /// sum[e * count + k] for each column c + e that there is. Then finish(c,
  /// sum) once for each column. Neighbouring threads hold neighbouring columns.
  template <int count, int each = 1, typename Add, typename Finish>
  MEMPLAN_DEVICE void columns(int64_t rows, int64_t width, const Add &add,
                              const Finish &finish) const {
#if MEMPLAN_DEVICE_THREADS
    constexpr int across = tileColumns / each;
    MEMPLAN_SHARED double lanes[each * count][columnThreads<each>];
    const int column = int(threadIdx.x) % across * each;
    const int lane = int(threadIdx.x) / across;
    const int laneCount = int(blockDim.x) / across;
    double sum[each * count] = {};
    if (column < width)
      for (int64_t r = lane; r < rows; r += laneCount)
        add(r, int64_t(column), sum);
    for (int k = 0; k < each * count; ++k)
      lanes[k][threadIdx.x] = sum[k];
    __syncthreads();
    for (int half = laneCount / 2; half > 0; half /= 2) {
      if (lane < half)
        for (int k = 0; k < each * count; ++k)
          lanes[k][threadIdx.x] += lanes[k][threadIdx.x + half * across];
      __syncthreads();
    }
    if (lane == 0)
      for (int e = 0; e < each; ++e)
        if (column + e < width) {
          for (int k = 0; k < count; ++k)
            sum[k] = lanes[e * count + k][threadIdx.x];
          finish(int64_t(column + e), sum);
        }
    __syncthreads();
#else
    for (int64_t c = (width + each - 1) / each * each - each; c >= 0;
         c -= each) {
      double sum[each * count] = {};
      for (int64_t r = rows - 1; r >= 0; --r)
        add(r, c, sum);
      for (int e = 0; e < each; ++e)
        if (c + e < width)
          finish(c + e, sum + e * count);
    }
#endif
  }
};

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_BLOCK_H
