//===- Vectors.h - Loops compiled for the widest vectors --------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A loop is compiled once per instruction set and picked when it runs. Every
// set gives the same bits: contraction is off, and reductions add up a fixed
// number of lanes in a fixed order.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CPU_VECTORS_H
#define MEMPLAN_LIB_KERNELS_CPU_VECTORS_H

#include "Kernel.h"

#include "memplan/Kernels/Cpu/KernelTable.h"

#include <bit>
#include <cmath>
#include <cstring>

#if defined(__x86_64__)
#define MEMPLAN_TARGET_AVX2 __attribute__((target("avx2")))
#define MEMPLAN_TARGET_AVX512                                                  \
  __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl")))
#endif

/// Bodies of loops: they must become part of each instruction set's copy.
#define MEMPLAN_INLINE __attribute__((always_inline))

/// Before a loop whose outputs may be its inputs, element for element, so that
/// no iteration depends on another. Compilers would find the same addresses and
/// take the scalar loop.
#if defined(__clang__)
#define MEMPLAN_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define MEMPLAN_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace memplan::runtime::cpu {

template <typename Body>
void runBaseline(const Body &body, int64_t begin, int64_t end) {
  body(begin, end);
}
#if defined(__x86_64__)
template <typename Body>
MEMPLAN_TARGET_AVX2 void runAvx2(const Body &body, int64_t begin, int64_t end) {
  body(begin, end);
}
template <typename Body>
MEMPLAN_TARGET_AVX512 void runAvx512(const Body &body, int64_t begin,
                                     int64_t end) {
  body(begin, end);
}
#endif

/// parallelFor on the widest vectors there are. `body` must be marked
/// MEMPLAN_INLINE, and so must be what it calls.
template <typename Body>
void vectorFor(const memplan_launch_t *launch, int64_t count, int64_t grain,
               const Body &body) {
  void (*run)(const Body &, int64_t, int64_t) = runBaseline<Body>;
#if defined(__x86_64__)
  switch (vectorSet()) {
  case VectorSet::Avx512:
    run = runAvx512<Body>;
    break;
  case VectorSet::Avx2:
    run = runAvx2<Body>;
    break;
  case VectorSet::Baseline:
    break;
  }
#endif
  parallelFor(launch, count, grain,
              [&](int64_t begin, int64_t end) { run(body, begin, end); });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The sum over [0, count) of what sumOf(begin, end) gives for pieces of it, in
/// double and in an order that does not depend on the number of threads.
/// `sumOf` must be marked MEMPLAN_INLINE, and so must be what it calls.
template <typename SumOf>
double vectorSum(const memplan_launch_t *launch, int64_t count,
                 const SumOf &sumOf) {
  constexpr int64_t mostParts = 64;
  int64_t grain = (count + mostParts - 1) / mostParts;
  grain = grain < elementGrain ? elementGrain : grain;
  double parts[mostParts] = {};
  vectorFor(launch, count, grain,
            [&](int64_t begin, int64_t end)
                MEMPLAN_INLINE { parts[begin / grain] = sumOf(begin, end); });
  double sum = 0;
  for (double part : parts)
    sum += part;
  return sum;
}

inline constexpr int64_t lanes = 16;
typedef float Floats __attribute__((vector_size(lanes * sizeof(float))));
typedef double Doubles __attribute__((vector_size(lanes * sizeof(double))));

/// Sums in double, value i of a run in lane i modulo the number of lanes.
/// Passed by reference only: the registers for it differ between sets.
struct LaneSum {
  Doubles lane = {};

  MEMPLAN_INLINE double total() const {
    double half[lanes / 2];
    for (int64_t l = 0; l < lanes / 2; ++l)
      half[l] = lane[l] + lane[l + lanes / 2];
    double sum = 0;
    for (int64_t l = 0; l < lanes / 2; ++l)
      sum += half[l];
    return sum;
  }
};

/// Calls block(first element) for each full block of lanes, then
/// rest(element, lane) for what is left.
template <typename Block, typename Rest>
MEMPLAN_INLINE inline void eachBlock(int64_t count, const Block &block,
                                     const Rest &rest) {
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    block(i);
  for (int64_t lane = 0; i < count; ++i, ++lane)
    rest(i, lane);
}

MEMPLAN_INLINE inline void load(Floats &values, const float *from) {
  std::memcpy(&values, from, sizeof(values));
}
/// The same of 16-bit elements.
template <typename T>
MEMPLAN_INLINE inline void load(Floats &values, const T *from) {
  float wide[lanes];
  for (int64_t l = 0; l < lanes; ++l)
    wide[l] = from[l];
  std::memcpy(&values, wide, sizeof(values));
}

//===----------------------------------------------------------------------===//
// exp, tanh, erf
//===----------------------------------------------------------------------===//

/// 2^n for n in [-126, 127].
MEMPLAN_INLINE inline float powerOfTwo(int32_t n) {
  return std::bit_cast<float>((uint32_t(n) + 127u) << 23);
}

/// exp(x) within 1.1 units in the last place, the same bits on every machine:
/// exp(x) = 2^n exp(r) with n the integer nearest to x / ln 2.
MEMPLAN_INLINE inline float expOf(float x) {
  // Beyond these the result is 0 and infinity; a NaN passes.
  x = x < -104.0f ? -104.0f : x;
  x = x > 89.0f ? 89.0f : x;
  // Adding this leaves the integer in the low bits of the significand.
  constexpr float shift = 12582912.0f;
  float shifted = x * 1.44269504f + shift;
  int32_t n = int32_t(std::bit_cast<uint32_t>(shifted) -
                      std::bit_cast<uint32_t>(shift));
  float rounded = shifted - shift;
  // ln 2 in two parts; the first has few bits, so its product is exact.
  float r = (x - rounded * 0.693359375f) - rounded * -2.12194440e-4f;
  float p = 1.9841270e-4f;
  p = p * r + 1.3888889e-3f;
  p = p * r + 8.3333333e-3f;
  p = p * r + 4.1666667e-2f;
  p = p * r + 1.6666667e-1f;
  p = p * r + 0.5f;
  p = (p * r) * r + r + 1.0f;
  // Twice half the exponent: results below the smallest normal number and
  // above the largest come out right.
  int32_t half = n >> 1;
  return p * powerOfTwo(half) * powerOfTwo(n - half);
}

/// Within 2 units in the last place, the same bits on every machine.
MEMPLAN_INLINE inline float tanhOf(float x) {
  const float t = std::fabs(x), square = x * x;
  // Near zero 1 - 2 / (exp(2t) + 1) would lose digits; the polynomial of the
  // square is tanh(x) / x - 1 by Chebyshev nodes of [0, .4].
  float p = 0.00228005f;
  p = p * square - 0.00833294f;
  p = p * square + 0.02176563f;
  p = p * square - 0.05395887f;
  p = p * square + 0.13333302f;
  p = p * square - 0.33333333f;
  const float near = (p * square) * x + x;
  const float far = std::copysign(1.0f - 2.0f / (expOf(2.0f * t) + 1.0f), x);
  return t > 0.625f ? far : near;
}

/// Within 2 units in the last place, the same bits on every machine.
/// N. Juffa's two polynomials: erf(x) / x - 1 of the square near zero, and the
/// logarithm of 1 - erf(t) elsewhere.
MEMPLAN_INLINE inline float erfOf(float x) {
  const float t = std::fabs(x), square = x * x;
  float p = -5.96761703e-4f;
  p = p * square + 4.99119423e-3f;
  p = p * square - 2.67681349e-2f;
  p = p * square + 1.12819925e-1f;
  p = p * square - 3.76125336e-1f;
  p = p * square + 1.28379166e-1f;
  const float near = p * x + x;
  float r = -1.72853470e-5f * t + 3.83197126e-4f;
  r = r * square + (-3.88396438e-3f * t + 2.42546219e-2f);
  r = r * t - 1.06777877e-1f;
  r = r * t - 6.34846687e-1f;
  r = r * t - 1.28717512e-1f;
  const float far = std::copysign(1.0f - expOf(r * t - t), x);
  return t > 0.927734375f ? far : near;
}

} // namespace memplan::runtime::cpu

#endif // MEMPLAN_LIB_KERNELS_CPU_VECTORS_H
