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
// are counted and do nothing, those compiled for the host compute. Streams hold
// their work back. All of it counts calls, and can be told to fail.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CUDA_CUDAMOCK_H
#define MEMPLAN_TEST_UNIT_CUDA_CUDAMOCK_H

#include <cstdint>
#include <set>
#include <string>
#include <vector>

struct CudaMock {
  // Counts since the last reset.
  int64_t allocations = 0;    ///< cudaMalloc, cudaMallocHost and cudaHostAlloc
  int64_t pinned = 0;         ///< cudaHostAlloc
  int64_t pageableCopies = 0; ///< to the device, of host bytes not page-locked
  int64_t launches = 0;       ///< kernels
  int64_t emptyLaunches = 0;  ///< with a grid or block that CUDA refuses
  int64_t copies = 0, fills = 0, synchronizations = 0;
  int64_t products = 0, convolutions = 0;
  int64_t epilogues = 0;  ///< of products, by cuBLASLt
  int64_t reductions = 0; ///< over ranks
  /// What products and convolutions multiplied: "f32", "tf32", "bf16", "f16".
  /// A step adds nothing, and allocates nothing, once it has run.
  std::set<std::string> productTypes;
  int64_t workspaceQueries = 0;
  int64_t largestAllocation = 0;
  int64_t lateLoads = 0; ///< kernels whose first use is a launch
  /// Library calls given less workspace than they asked for, or a stream other
  /// than the one that was made.
  int64_t misuses = 0;
  /// Launches, copies, events and waits in order, where `logs`: "launch 0;
  /// record 3 on 1; wait 3 on 0; copy 16 on 2; synchronize 0; ", with streams
  /// and events by number since the device was opened.
  std::string log;

  int64_t streams = 0, events = 0; ///< made
  int64_t waits = 0;               ///< cudaStreamWaitEvent
  int64_t replays = 0;             ///< cudaGraphLaunch
  /// The orders of nodes that replays ran in.
  std::set<std::vector<size_t>> replayedOrders;
  /// Engines of cuDNN that ran, as variants are named: "42:2=1,18=0".
  std::vector<std::string> engines;
  /// Of the graph that was captured last, by node: the nodes it waits for.
  std::vector<std::vector<int>> graphInputs;

  // Kept over a reset.
  int64_t liveBlocks = 0, liveBytes = 0; ///< bytes that the device lacks
  int64_t liveHandles = 0; ///< streams, library handles, descriptors

  // Settings.
  /// When streams run what they hold.
  enum Order {
    AllLate, ///< when it is forced
    OneLate, ///< as soon as it may; `lateStream` when it is forced
    AnyOrder ///< at random
  };
  Order order = AllLate;
  int lateStream = -1;
  int64_t droppedWait = -1; ///< number of a wait that orders nothing
  int64_t mostStreams = -1; ///< how many can be made, or -1
  /// The context is lost by error `fault` once so many kernels have run.
  int64_t kernelsUntilFault = 0;
  int32_t fault = 0;
  int32_t lost = 0;      ///< 0, or the cudaError_t that every call returns
  int32_t lastError = 0; ///< for cudaGetLastError
  int32_t devices = 1;
  int32_t deviceCountError = 0;  ///< a cudaError_t
  int32_t launchError = 0;       ///< given once, by the next launch
  int32_t blasError = 0;         ///< a cublasStatus_t of cublasCreate
  int32_t ltError = 0;           ///< a cublasStatus_t of cublasLtCreate
  int32_t dnnError = 0;          ///< a cudnnStatus_t of cudnnCreate
  int32_t leftError = 0;         ///< left behind by products that succeed
  bool productsAllocate = false; ///< as a library may, behind the plan's back
  int64_t memoryBytes = int64_t(1) << 40;
  int64_t pageBytes = 1;    ///< device memory is handed out in multiples
  double kernelMicros = 0;  ///< of the device's clock, for each kernel
  int64_t codeBytes = 0;    ///< that each kernel takes when it is loaded
  int64_t handleBytes = 0;  ///< that each handle of a library takes
  int64_t contextBytes = 0; ///< that the first call after a reset takes
  bool hasNvml = true;      ///< the driver says what is free
  int64_t blockSeed = 0;    ///< 0: the last block of a launch first
  bool logs = false;
  bool refuseConvolutions = false; ///< no algorithm for any shape
  bool refuseEpilogues = false;    ///< no algorithm in cuBLASLt
  bool refuseGraphs = false;       ///< none in the backend interface of cuDNN
  int32_t dnnVersion = 91900;

  int64_t generation = 0; ///< counts resets; no kernel is loaded after one

  void reset() {
    CudaMock fresh;
    fresh.generation = generation + 1;
    fresh.liveBlocks = liveBlocks;
    fresh.liveBytes = liveBytes;
    fresh.liveHandles = liveHandles;
    *this = fresh;
  }
};

CudaMock &cudaMock();

#endif // MEMPLAN_TEST_UNIT_CUDA_CUDAMOCK_H
