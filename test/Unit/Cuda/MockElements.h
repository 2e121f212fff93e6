//===- MockElements.h - Elements of the mocked libraries --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_CUDA_MOCKELEMENTS_H
#define MEMPLAN_TEST_UNIT_CUDA_MOCKELEMENTS_H

#include "memplan/Kernels/Bf16.h"
#include "memplan/Kernels/F16.h"

#include <cmath>
#include <cstdint>

namespace mock {

/// What a product multiplies; sums are exact and rounded once.
enum class Element { F32, Tf32, Bf16, F16 };

inline const char *nameOf(Element type) {
  constexpr const char *names[] = {"f32", "tf32", "bf16", "f16"};
  return names[int(type)];
}

/// The nearest number of 11 significant bits, as tensor cores take f32.
inline float toTf32(float value) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = 0;
  const double fraction = std::frexp(double(value), &exponent);
  return float(
      std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11));
}

inline double load(Element type, const void *data, int64_t i) {
  const auto *bits = static_cast<const uint16_t *>(data);
  const auto *floats = static_cast<const float *>(data);
  switch (type) {
  case Element::Bf16:
    return double(memplan::runtime::floatOfBf16(bits[i]));
  case Element::F16:
    return double(memplan::runtime::floatOfF16(bits[i]));
  case Element::Tf32:
    return double(toTf32(floats[i]));
  default:
    return double(floats[i]);
  }
}

/// What lies there already is f32 where the products are TF32.
inline double loadSum(Element type, const void *data, int64_t i) {
  return load(type == Element::Tf32 ? Element::F32 : type, data, i);
}

inline void store(Element type, void *data, int64_t i, double value) {
  auto *bits = static_cast<uint16_t *>(data);
  switch (type) {
  case Element::Bf16:
    bits[i] = uint16_t(memplan::runtime::bf16Bits(float(value)));
    break;
  case Element::F16:
    bits[i] = uint16_t(memplan::runtime::f16Bits(float(value)));
    break;
  default:
    static_cast<float *>(data)[i] = float(value);
  }
}

} // namespace mock

#endif // MEMPLAN_TEST_UNIT_CUDA_MOCKELEMENTS_H
