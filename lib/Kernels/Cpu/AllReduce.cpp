//===- AllReduce.cpp - Sums over all ranks --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.all_reduce{ranks,reduction}: in x   out y as x, f32, bf16 or f16;
//   y[i] = sum over all ranks of x[i], over `ranks` for a mean. May be x.
// Ranks are added in f32 in their order, and rounded once.
//
//===----------------------------------------------------------------------===//

#include "../Ranks/Ranks.h"
#include "Elements.h"

#include <cstring>

namespace memplan::runtime::cpu {

template <typename T>
static void loadPiece(const void *from, int64_t count, float *sums) {
  for (int64_t i = 0; i < count; ++i)
    sums[i] = float(static_cast<const T *>(from)[i]);
}

template <typename T>
static void addPiece(const void *from, int64_t count, float *sums) {
  for (int64_t i = 0; i < count; ++i)
    sums[i] += float(static_cast<const T *>(from)[i]);
}

template <typename T>
static void storePiece(const float *sums, int64_t count, float factor,
                       void *to) {
  for (int64_t i = 0; i < count; ++i)
    static_cast<T *>(to)[i] = T(sums[i] * factor);
}

/// The ranks of this process, if they are as many as the program wants.
static memplan_status_t findRanks(const memplan_launch_t *launch,
                                  ranks::Ranks *&found) {
  const int64_t wanted = intAttribute(launch, "ranks", 1);
  if (!ranks::Place::isGiven())
    return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                "the program is for %lld ranks: start as many processes with "
                "MEMPLAN_RANKS=%lld, MEMPLAN_RANK=0 and so on, and "
                "MEMPLAN_RENDEZVOUS=HOST:PORT",
                static_cast<long long>(wanted), static_cast<long long>(wanted));
  std::string error;
  found = ranks::ranksOfProcess(error);
  if (!found)
    return fail(launch, MEMPLAN_INVALID_ARGUMENT, "%s", error.c_str());
  if (found->count() == wanted)
    return MEMPLAN_OK;
  return fail(launch, MEMPLAN_INVALID_ARGUMENT,
              "the program is for %lld ranks, but %s %d",
              static_cast<long long>(wanted),
              found->isByMpi() ? "the processes of MPI are"
                               : "MEMPLAN_RANKS is",
              found->count());
}

/// Connects while the program is compiled, so that no step does; a process that
/// only plans has no ranks.
static memplan_status_t prepare(const memplan_launch_t *launch,
                                memplan_prepared_t *prepared) {
  const memplan_status_t status = checkLaunch(launch, prepared);
  if (status != MEMPLAN_OK || intAttribute(launch, "ranks", 1) == 1)
    return status;
  prepared->workspace_bytes =
      ranks::Ranks::scratchBytes(elements(launch->inputs[0]));
  if (!ranks::Place::isGiven())
    return MEMPLAN_OK;
  ranks::Ranks *found = nullptr;
  return findRanks(launch, found);
}

template <typename T>
static memplan_status_t allReduce(const memplan_launch_t *launch) {
  const memplan_tensor_t &x = launch->inputs[0], &y = launch->outputs[0];
  const int64_t bytes = elements(x) * int64_t(sizeof(T));
  const int64_t count = intAttribute(launch, "ranks", 1);
  if (count == 1) {
    if (x.data != y.data)
      std::memcpy(y.data, x.data, size_t(bytes));
    return MEMPLAN_OK;
  }
  ranks::Ranks *found = nullptr;
  const memplan_status_t status = findRanks(launch, found);
  if (status != MEMPLAN_OK)
    return status;
  ranks::Addition addition;
  addition.input = x.data;
  addition.output = y.data;
  addition.elements = elements(x);
  addition.elementBytes = sizeof(T);
  addition.factor = takesMean(launch) ? 1.0f / float(count) : 1.0f;
  // What tells calls apart that must not meet.
  addition.kind = uint32_t(x.dtype) * 2 + (takesMean(launch) ? 1 : 0);
  addition.load = loadPiece<T>;
  addition.add = addPiece<T>;
  addition.store = storePiece<T>;
  if (found->allReduce(addition,
                       {static_cast<std::byte *>(launch->workspace),
                        size_t(ranks::Ranks::scratchBytes(elements(x)))}))
    return MEMPLAN_OK;
  return fail(launch, MEMPLAN_FAILED, "%s", found->error().c_str());
}

KernelList allReduceKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      {"memplan.all_reduce", prepare, MEMPLAN_TYPED(allReduce), nullptr,
       nullptr, 0},
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
