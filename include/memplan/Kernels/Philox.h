//===- Philox.h - Counter-based random numbers ------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy
// as 1, 2, 3, SC 2011): a bijection of 128-bit counters under a 64-bit key. A
// number depends on its index only, so that threads, recomputations and devices
// agree.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_KERNELS_PHILOX_H
#define MEMPLAN_KERNELS_PHILOX_H

#include "memplan/Kernels/HostDevice.h"
#include <cstdint>

namespace memplan::runtime {

struct PhiloxBlock {
  uint32_t word[4];
};

MEMPLAN_HOST_DEVICE inline PhiloxBlock philox(PhiloxBlock counter,
                                              uint64_t key) {
  uint32_t key0 = uint32_t(key), key1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(0xD2511F53u) * counter.word[0];
    uint64_t product1 = uint64_t(0xCD9E8D57u) * counter.word[2];
    counter = {{uint32_t(product1 >> 32) ^ counter.word[1] ^ key0,
                uint32_t(product1),
                uint32_t(product0 >> 32) ^ counter.word[3] ^ key1,
                uint32_t(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// The block of numbers `4 * index` .. `4 * index + 3` of the stream `salt`.
MEMPLAN_HOST_DEVICE inline PhiloxBlock philoxAt(uint64_t seed, uint64_t salt,
                                                uint64_t index) {
  PhiloxBlock counter = {{uint32_t(index), uint32_t(index >> 32),
                          uint32_t(salt), uint32_t(salt >> 32)}};
  return philox(counter, seed);
}

/// The 24 high bits as a number of [0, 1), exactly.
MEMPLAN_HOST_DEVICE inline float unitFloat(uint32_t word) {
  return float(word >> 8) * (1.0f / 16777216.0f);
}

} // namespace memplan::runtime

#endif // MEMPLAN_KERNELS_PHILOX_H
