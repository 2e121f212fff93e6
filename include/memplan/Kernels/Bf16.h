//===- Bf16.h - The upper half of an f32 ------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers only, so that every backend encodes the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_KERNELS_BF16_H
#define MEMPLAN_KERNELS_BF16_H

#include "memplan/Kernels/HostDevice.h"
#include <cstdint>
#include <cstring>

namespace memplan::runtime {

/// The bfloat16 nearest to the value, ties to even. What is too large becomes
/// infinite. A NaN keeps its sign and upper bits and becomes quiet, since its
/// lower bits may be all that made it one.
MEMPLAN_HOST_DEVICE inline uint32_t bf16Bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  const bool isNaN = (bits & 0x7fffffffu) > 0x7f800000u;
  const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return isNaN ? (bits >> 16 | 0x40u) : rounded;
}

MEMPLAN_HOST_DEVICE inline float floatOfBf16(uint32_t bits) {
  bits <<= 16;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

} // namespace memplan::runtime

#endif // MEMPLAN_KERNELS_BF16_H
