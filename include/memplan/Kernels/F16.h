//===- F16.h - IEEE 754 binary16 --------------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without a type of the compiler, so that every backend makes the same bits,
// and without branches, so that loops over it become vectors.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_KERNELS_F16_H
#define MEMPLAN_KERNELS_F16_H

#include "memplan/Kernels/HostDevice.h"
#include <cstdint>
#include <cstring>

namespace memplan::runtime {

/// The binary16 nearest to the value, ties to even. What is too large becomes
/// infinite; a NaN keeps its sign and upper bits and becomes quiet.
MEMPLAN_HOST_DEVICE inline uint32_t f16Bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  const uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  // The exponent counts from 15 instead of 127; what rounds up carries into it.
  const uint32_t normal =
      (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  // Below 2^-14 a unit is 2^-24, which is the last bit of a number near 0.5.
  float tiny;
  memcpy(&tiny, &magnitude, sizeof(tiny));
  tiny = (magnitude < 0x38800000u ? tiny : 0.0f) + 0.5f;
  uint32_t subnormal;
  memcpy(&subnormal, &tiny, sizeof(subnormal));
  subnormal -= 0x3f000000u;
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  const bool isNaN = magnitude > 0x7f800000u;
  result = isNaN ? (0x7e00u | (magnitude >> 13 & 0x3ffu)) : result;
  return sign | result;
}

MEMPLAN_HOST_DEVICE inline float floatOfF16(uint32_t half) {
  const uint32_t sign = (half & 0x8000u) << 16, exponent = half & 0x7c00u;
  const uint32_t shifted = (half & 0x7fffu) << 13;
  const uint32_t normal =
      shifted + (exponent == 0x7c00u ? 224u << 23 : 112u << 23);
  // A multiple of 2^-24.
  const float tiny = float(int32_t(half & 0x3ffu)) * 5.9604644775390625e-8f;
  uint32_t subnormal;
  memcpy(&subnormal, &tiny, sizeof(subnormal));
  const uint32_t bits = (exponent == 0 ? subnormal : normal) | sign;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

} // namespace memplan::runtime

#endif // MEMPLAN_KERNELS_F16_H
