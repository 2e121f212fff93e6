//===- NcclMock.cpp - The part of NCCL that the plugin uses ---------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All ranks have what this one has: a sum is as many times the input, a mean
// the input.
//
//===----------------------------------------------------------------------===//

#include "StreamMock.h"

#include <cstring>
#include <nccl.h>

struct ncclComm {
  int ranks, rank;
};

extern "C" {

ncclResult_t ncclGetVersion(int *version) {
  *version = 22809;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  std::memset(id->internal, 0x5A, sizeof(id->internal));
  return ncclSuccess;
}

/// The id must be what rank 0 made, on every rank.
ncclResult_t ncclCommInitRank(ncclComm_t *communicator, int ranks,
                              ncclUniqueId id, int rank) {
  for (char each : id.internal)
    if (each != 0x5A)
      return ncclInvalidArgument;
  ++cudaMock().liveHandles;
  *communicator = new ncclComm{ranks, rank};
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  --cudaMock().liveHandles;
  delete communicator;
  return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t) { return "an NCCL error"; }

ncclResult_t ncclAllReduce(const void *from, void *to, size_t count,
                           ncclDataType_t type, ncclRedOp_t operation,
                           ncclComm_t communicator, cudaStream_t stream) {
  CudaMock &mock = cudaMock();
  if (type != ncclFloat32 || (operation != ncclSum && operation != ncclAvg))
    return ncclInvalidArgument;
  ++mock.reductions;
  const float factor = operation == ncclSum ? float(communicator->ranks) : 1.0f;
  const auto *x = static_cast<const float *>(from);
  auto *y = static_cast<float *>(to);
  mock::hold(stream, [=] {
    for (size_t i = 0; i < count; ++i)
      y[i] = x[i] * factor;
  });
  return ncclSuccess;
}

} // extern "C"
