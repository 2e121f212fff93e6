//===- Random.h - The same numbers on every machine -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_SUPPORT_RANDOM_H
#define MEMPLAN_SUPPORT_RANDOM_H

#include <bit>
#include <cstdint>

namespace memplan {

/// xorshift64*, seeded explicitly.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15u | 1) {}

  uint64_t next() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
  }
  /// Below `count`, which is positive.
  int32_t below(int32_t count) {
    return static_cast<int32_t>((next() >> 32) * uint64_t(count) >> 32);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Distributed exponentially with mean 1, but for a logarithm that is linear
  /// between powers of two, which every machine rounds alike.
  double exponential() {
    const uint64_t draw = next() | 1;
    const int zeros = std::countl_zero(draw);
    const double fraction =
        zeros == 63
            ? 0
            : static_cast<double>((draw << (zeros + 1)) >> 11) * 0x1p-53;
    return 0.6931471805599453 * (zeros + 1 - fraction);
  }
  bool chance(double probability) { return unit() < probability; }

private:
  uint64_t state;
};

/// exp(x) for x <= 0 by multiplications and divisions only, so that every
/// machine rounds it alike; 0 below -40.
inline double decay(double x) {
  if (x < -40)
    return 0;
  // exp(x) = exp(x / 64)^64, and the small argument needs few terms.
  double y = x / 64, term = 1, sum = 1;
  for (int i = 1; i <= 10; ++i) {
    term *= y / i;
    sum += term;
  }
  for (int i = 0; i < 6; ++i)
    sum *= sum;
  return sum;
}

} // namespace memplan

#endif // MEMPLAN_SUPPORT_RANDOM_H
