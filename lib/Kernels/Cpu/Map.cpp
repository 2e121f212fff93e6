//===- Map.cpp - Expressions of elements ----------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A block of elements goes through all steps before the next one: what the
// steps leave stays in the first cache. The output may be an input, since a
// block is stored when all of it is computed. An expression is read once, at
// prepare time.
//
//===----------------------------------------------------------------------===//

#include "../MapCode.h"
#include "Elements.h"
#include "Vectors.h"

#include <cmath>
#include <memory>
#include <type_traits>

namespace memplan::runtime::cpu {

/// Elements of a block; the steps of the longest expression take 192 KiB.
static constexpr int64_t blockElements = 256;

/// Functions of f32 as vectors, of f64 by the C library.
template <typename T> struct Elementary;
template <> struct Elementary<float> {
  MEMPLAN_INLINE static inline float exp(float x) { return expOf(x); }
  MEMPLAN_INLINE static inline float tanh(float x) { return tanhOf(x); }
  MEMPLAN_INLINE static inline float erf(float x) { return erfOf(x); }
};
template <> struct Elementary<double> {
  static inline double exp(double x) { return std::exp(x); }
  static inline double tanh(double x) { return std::tanh(x); }
  static inline double erf(double x) { return std::erf(x); }
};

/// y[i] = f(a[i], b[i], c[i]) for a block.
template <typename T, typename F>
MEMPLAN_INLINE static inline void each(T *y, const T *const *in, int64_t count,
                                       const F &f) {
  const T *a = in[0], *b = in[1], *c = in[2];
  MEMPLAN_INDEPENDENT
  for (int64_t i = 0; i < count; ++i)
    y[i] = f(a[i], b[i], c[i]);
}

template <typename T>
MEMPLAN_INLINE static inline void compute(MapFunction function, T *y,
                                          const T *const *in, int64_t count) {
  using F = MapFunction;
#define MEMPLAN_MAP_CASE(NAME, ...)                                            \
  case F::NAME:                                                                \
    return each(y, in, count, [](T a, T b, T c) MEMPLAN_INLINE {               \
      (void)b, (void)c;                                                        \
      return T(__VA_ARGS__);                                                   \
    });
  switch (function) {
    MEMPLAN_MAP_CASE(Add, a + b)
    MEMPLAN_MAP_CASE(Sub, a - b)
    MEMPLAN_MAP_CASE(Mul, a * b)
    MEMPLAN_MAP_CASE(Div, a / b)
    MEMPLAN_MAP_CASE(Mod, a - b * std::floor(a / b))
    MEMPLAN_MAP_CASE(Pow, std::pow(a, b))
    // Comparisons that a NaN fails give the NaN.
    MEMPLAN_MAP_CASE(Min, b < a || b != b ? b : a)
    MEMPLAN_MAP_CASE(Max, a < b || b != b ? b : a)
    MEMPLAN_MAP_CASE(Lt, a < b ? 1 : 0)
    MEMPLAN_MAP_CASE(Le, a <= b ? 1 : 0)
    MEMPLAN_MAP_CASE(Eq, a == b ? 1 : 0)
    MEMPLAN_MAP_CASE(Ne, a != b ? 1 : 0)
    MEMPLAN_MAP_CASE(Neg, -a)
    MEMPLAN_MAP_CASE(Abs, std::fabs(a))
    MEMPLAN_MAP_CASE(Sign, a > 0 ? 1 : a < 0 ? -1 : a)
    MEMPLAN_MAP_CASE(Floor, std::floor(a))
    MEMPLAN_MAP_CASE(Ceil, std::ceil(a))
    MEMPLAN_MAP_CASE(Round, std::nearbyint(a))
    MEMPLAN_MAP_CASE(Exp, Elementary<T>::exp(a))
    MEMPLAN_MAP_CASE(Log, std::log(a))
    MEMPLAN_MAP_CASE(Log1p, std::log1p(a))
    MEMPLAN_MAP_CASE(Expm1, std::expm1(a))
    MEMPLAN_MAP_CASE(Sqrt, std::sqrt(a))
    MEMPLAN_MAP_CASE(Rsqrt, T(1) / std::sqrt(a))
    MEMPLAN_MAP_CASE(Sin, std::sin(a))
    MEMPLAN_MAP_CASE(Cos, std::cos(a))
    MEMPLAN_MAP_CASE(Tanh, Elementary<T>::tanh(a))
    MEMPLAN_MAP_CASE(Sigmoid, T(1) / (T(1) + Elementary<T>::exp(-a)))
    MEMPLAN_MAP_CASE(Erf, Elementary<T>::erf(a))
    MEMPLAN_MAP_CASE(Select, a != 0 ? b : c)
  }
#undef MEMPLAN_MAP_CASE
}

/// Through f32 where one of the types has 16 bits.
template <typename To, typename From>
MEMPLAN_INLINE static inline To elementOf(From from) {
  if constexpr (std::is_class_v<To> || std::is_class_v<From>)
    return To(float(from));
  else
    return To(from);
}

template <typename T, typename From>
MEMPLAN_INLINE static inline void gather(T *to, const From *from,
                                         int64_t stride, int64_t count) {
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = elementOf<T>(from[i]);
  } else {
    const T repeated = elementOf<T>(*from);
    for (int64_t i = 0; i < count; ++i)
      to[i] = stride ? elementOf<T>(from[i * stride]) : repeated;
  }
}

/// A block of an input as T, where it lies or copied to `room`.
template <typename T>
MEMPLAN_INLINE static inline const T *fetchBlock(const memplan_tensor_t &input,
                                                 int64_t offset, int64_t stride,
                                                 int64_t count, T *room) {
  if constexpr (std::is_same_v<T, float>)
    if (input.dtype == MEMPLAN_F32 && stride == 1)
      return f32(input) + offset;
  if (input.dtype == MEMPLAN_F32)
    gather(room, f32(input) + offset, stride, count);
  else if (input.dtype == MEMPLAN_BF16)
    gather(room, dataOf<Bf16>(input) + offset, stride, count);
  else if (input.dtype == MEMPLAN_F16)
    gather(room, dataOf<F16>(input) + offset, stride, count);
  else if (input.dtype == MEMPLAN_I64)
    gather(room, i64(input) + offset, stride, count);
  else
    gather(room, i8(input) + offset, stride, count);
  return room;
}

template <typename T>
MEMPLAN_INLINE static inline void storeBlock(const memplan_tensor_t &output,
                                             int64_t offset, const T *from,
                                             int64_t count) {
  if (output.dtype == MEMPLAN_F32)
    gather(f32(output) + offset, from, 1, count);
  else if (output.dtype == MEMPLAN_BF16)
    gather(dataOf<Bf16>(output) + offset, from, 1, count);
  else if (output.dtype == MEMPLAN_F16)
    gather(dataOf<F16>(output) + offset, from, 1, count);
  else if (output.dtype == MEMPLAN_I64)
    gather(i64(output) + offset, from, 1, count);
  else
    gather(i8(output) + offset, from, 1, count);
}

/// Computes `count` elements of one row from `begin` on.
template <typename T>
MEMPLAN_INLINE static inline void
computeBlock(const memplan_launch_t *launch, const MapCode &code,
             const int64_t *offsets, const int64_t *strides, int64_t out,
             int64_t count) {
  alignas(64) T steps[mostMapSteps][blockElements];
  alignas(64) T inputs[mostMapInputs][blockElements];
  alignas(64) T numbers[3][blockElements];
  const T *given[mostMapInputs];
  for (int i = 0; i < launch->input_count; ++i)
    given[i] = fetchBlock<T>(launch->inputs[i], offsets[i], strides[i], count,
                             inputs[i]);
  auto find = [&](const MapOperand &operand, T *room) MEMPLAN_INLINE {
    if (!operand.isNumber)
      return operand.place >= 0
                 ? given[operand.place]
                 : const_cast<const T *>(steps[-1 - operand.place]);
    const T number = T(operand.number);
    for (int64_t i = 0; i < count; ++i)
      room[i] = number;
    return const_cast<const T *>(room);
  };
  for (size_t s = 0; s < code.steps.size(); ++s) {
    const T *in[3];
    for (int i = 0; i < 3; ++i)
      in[i] = find(code.steps[s].operands[i], numbers[i]);
    compute<T>(code.steps[s].function, steps[s], in, count);
  }
  storeBlock(launch->outputs[0], out, find(code.result, numbers[0]), count);
}

template <typename T>
static void computeAll(const memplan_launch_t *launch, const MapCode &code) {
  const MapLoops loops(launch);
  const int last = loops.rank - 1;
  const int64_t length = loops.shape[last];
  const int64_t blocks = (length + blockElements - 1) / blockElements;
  const int64_t rows = elements(launch->outputs[0]) / length;
  int64_t strides[mostMapInputs];
  for (int i = 0; i < launch->input_count; ++i)
    strides[i] = loops.strides[i][last];
  const int64_t grain = rowGrain(std::min(length, blockElements) *
                                 int64_t(1 + code.steps.size()));
  vectorFor(launch, rows * blocks, grain,
            [&](int64_t begin, int64_t end) MEMPLAN_INLINE {
              for (int64_t b = begin; b < end; ++b) {
                int64_t row = b / blocks, first = b % blocks * blockElements;
                int64_t offsets[mostMapInputs] = {};
                int64_t left = row;
                for (int d = last - 1; d >= 0; --d) {
                  for (int i = 0; i < launch->input_count; ++i)
                    offsets[i] += left % loops.shape[d] * loops.strides[i][d];
                  left /= loops.shape[d];
                }
                for (int i = 0; i < launch->input_count; ++i)
                  offsets[i] += first * strides[i];
                computeBlock<T>(launch, code, offsets, strides,
                                row * length + first,
                                std::min(blockElements, length - first));
              }
            });
}

static memplan_status_t map(const memplan_launch_t *launch) {
  const MapCode &code = *static_cast<const MapCode *>(launch->state);
  if (code.wide)
    computeAll<double>(launch, code);
  else
    computeAll<float>(launch, code);
  return MEMPLAN_OK;
}

static memplan_status_t prepareMap(const memplan_launch_t *launch,
                                   memplan_prepared_t *prepared) {
  memplan_status_t status = checkLaunch(launch, prepared);
  if (status != MEMPLAN_OK)
    return status;
  auto code = std::make_unique<MapCode>();
  std::string reason;
  if (!readMapCode(launch, *code, reason))
    return fail(launch, MEMPLAN_INVALID_ARGUMENT, "%s", reason.c_str());
  prepared->state = code.release();
  return MEMPLAN_OK;
}

static void destroyMap(void *state) { delete static_cast<MapCode *>(state); }

KernelList mapKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      {"memplan.map", prepareMap, map, destroyMap, nullptr, 0}};
  return kernels;
}

} // namespace memplan::runtime::cpu
