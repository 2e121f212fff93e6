//===- Arithmetic.cu - Element-wise arithmetic with broadcasting *- C++ ---===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "memplan/Kernels/Bf16.h"
#include "memplan/Kernels/F16.h"

namespace memplan::runtime::cuda {

/// Steps of an input along the dimensions of the output: 0 where it repeats.
static Strided broadcastSteps(const memplan_tensor_t &in,
                              const memplan_tensor_t &out) {
  int64_t steps[maxRank] = {}, step = 1;
  for (int d = out.rank - 1; d >= 0; --d) {
    int own = d - (out.rank - in.rank);
    int64_t dim = own < 0 ? 1 : in.shape[own];
    steps[d] = dim == 1 ? 0 : step;
    step *= dim;
  }
  Strided strided;
  for (int d = 0; d < out.rank; ++d)
    strided.add(out.shape[d], steps[d]);
  return strided;
}

template <typename F>
static memplan_status_t combine(const Call &call, const F &f) {
  if (kernels::sameShape(call.input(0), call.input(1)))
    return binary(call, f);
  const float *a = call.in(0), *b = call.in(1);
  float *y = call.out(0);
  Strided inA = broadcastSteps(call.input(0), call.output(0));
  Strided inB = broadcastSteps(call.input(1), call.output(0));
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t i) {
    y[i] = f(a[inA.offset(i)], b[inB.offset(i)]);
  });
  return MEMPLAN_OK;
}

static memplan_status_t add(const Call &call) {
  return combine(call, [] MEMPLAN_DEVICE(float a, float b) { return a + b; });
}
static memplan_status_t sub(const Call &call) {
  return combine(call, [] MEMPLAN_DEVICE(float a, float b) { return a - b; });
}
static memplan_status_t mul(const Call &call) {
  return combine(call, [] MEMPLAN_DEVICE(float a, float b) { return a * b; });
}
static memplan_status_t div(const Call &call) {
  return combine(call, [] MEMPLAN_DEVICE(float a, float b) { return a / b; });
}

static memplan_status_t scale(const Call &call) {
  float factor = float(floatAttribute(call.launch, "factor", 1));
  return unary(call, [=] MEMPLAN_DEVICE(float x) { return x * factor; });
}

void addBias(const Call &call, float *y, const float *bias, int64_t count,
             int64_t channels, int64_t inner, bool relu) {
  forEach(call, count, [=] MEMPLAN_DEVICE(int64_t i) {
    const float sum = y[i] + (bias ? bias[i / inner % channels] : 0.0f);
    y[i] = relu && sum < 0 ? 0.0f : sum;
  });
}

void repeatHalves(const Call &call, void *y, const void *row, int64_t count,
                  int64_t columns) {
  auto *to = static_cast<uint16_t *>(y);
  const auto *from = static_cast<const uint16_t *>(row);
  forEach(call, count,
          [=] MEMPLAN_DEVICE(int64_t i) { to[i] = from[i % columns]; });
}

void addHalfBias(const Call &call, int32_t type, void *y, const void *bias,
                 int64_t count, int64_t channels, int64_t inner, bool relu) {
  auto *to = static_cast<uint16_t *>(y);
  const auto *from = static_cast<const uint16_t *>(bias);
  if (type == MEMPLAN_BF16)
    forEach(call, count, [=] MEMPLAN_DEVICE(int64_t i) {
      const float sum = floatOfBf16(to[i]) +
                        (from ? floatOfBf16(from[i / inner % channels]) : 0.0f);
      to[i] = uint16_t(bf16Bits(relu && sum < 0 ? 0.0f : sum));
    });
  else
    forEach(call, count, [=] MEMPLAN_DEVICE(int64_t i) {
      const float sum = floatOfF16(to[i]) +
                        (from ? floatOfF16(from[i / inner % channels]) : 0.0f);
      to[i] = uint16_t(f16Bits(relu && sum < 0 ? 0.0f : sum));
    });
}

memplan_status_t loadBias(const Call &call) {
  if (call.launch->input_count < 3 && !intAttribute(call.launch, "relu", 0))
    return MEMPLAN_OK;
  const int32_t type = call.input(0).dtype;
  if (type == MEMPLAN_F32) {
    addBias(call, nullptr, nullptr, 1, 1, 1, false);
    return MEMPLAN_OK;
  }
  addHalfBias(call, type, nullptr, nullptr, 1, 1, 1, false);
  repeatHalves(call, nullptr, nullptr, 1, 1);
  return MEMPLAN_OK;
}

KernelTable arithmeticKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.accumulate", add}, {"memplan.add", add},
      {"memplan.div", div},        {"memplan.mul", mul},
      {"memplan.scale", scale},    {"memplan.sub", sub},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
