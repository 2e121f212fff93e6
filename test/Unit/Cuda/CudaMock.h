//===- CudaMock.h - What the mock of the CUDA libraries saw -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libMemplanCudaMock.so stands in for the CUDA runtime, cuBLAS and cuDNN. Its
// device memory is host memory; products and convolutions are computed by
// plain loops, with the libraries' own conventions; kernels compiled by nvcc
// are counted and do nothing. All of it counts calls, and can be told to fail.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CUDA_CUDAMOCK_H
#define MEMPLAN_TEST_UNIT_CUDA_CUDAMOCK_H

#include <cstdint>
#include <string>

struct CudaMock {
  // Counts since the last reset.
  int64_t allocations = 0;   ///< cudaMalloc, cudaMallocHost and cudaHostAlloc
  int64_t pinned = 0;        ///< cudaHostAlloc
  int64_t launches = 0;      ///< kernels
  int64_t emptyLaunches = 0; ///< with a grid or block that CUDA refuses
  int64_t copies = 0, fills = 0, synchronizations = 0;
  int64_t products = 0, convolutions = 0;
  int64_t workspaceQueries = 0;
  int64_t largestAllocation = 0;
  /// Library calls given less workspace than they asked for, or a stream other
  /// than the one that was made.
  int64_t misuses = 0;
  /// Launches, copies, events and waits in order, where `logs`: "launch 0;
  /// record 3 on 1; wait 3 on 0; copy 16 on 2; synchronize 0; ", with streams
  /// and events by number since the device was opened.
  std::string log;

  int64_t streams = 0, events = 0; ///< made

  // Kept over a reset.
  int64_t liveBlocks = 0, liveBytes = 0;
  int64_t liveHandles = 0; ///< streams, library handles, descriptors

  // Settings.
  int32_t devices = 1;
  int32_t deviceCountError = 0; ///< a cudaError_t
  int32_t launchError = 0;      ///< given once, by the next launch
  int64_t memoryBytes = int64_t(1) << 40;
  bool logs = false;
  bool refuseConvolutions = false; ///< no algorithm for any shape

  void reset() {
    CudaMock fresh;
    fresh.liveBlocks = liveBlocks;
    fresh.liveBytes = liveBytes;
    fresh.liveHandles = liveHandles;
    *this = fresh;
  }
};

CudaMock &cudaMock();

#endif // MEMPLAN_TEST_UNIT_CUDA_CUDAMOCK_H
