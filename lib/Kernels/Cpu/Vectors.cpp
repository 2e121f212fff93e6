//===- Vectors.cpp - Which vectors this machine has -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"

#include <algorithm>
#include <atomic>

namespace memplan::runtime {

static VectorSet widestSet() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return VectorSet::Avx512;
  if (__builtin_cpu_supports("avx2"))
    return VectorSet::Avx2;
#endif
  return VectorSet::Baseline;
}

static std::atomic<VectorSet> &allowedSet() {
  static std::atomic<VectorSet> set{widestSet()};
  return set;
}

VectorSet vectorSet() { return allowedSet().load(std::memory_order_relaxed); }

VectorSet limitVectorSet(VectorSet limit) {
  VectorSet set = std::min(limit, widestSet());
  allowedSet().store(set, std::memory_order_relaxed);
  return set;
}

} // namespace memplan::runtime
