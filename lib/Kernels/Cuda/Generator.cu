//===- Generator.cu - Values from nothing or from a counter -----*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../DropoutRule.h"
#include "Launch.h"

namespace memplan::runtime::cuda {

static memplan_status_t iota(const Call &call) {
  int64_t *y = kernels::i64(call.output(0));
  forEach(call, call.output(0).shape[0],
          [=] MEMPLAN_DEVICE(int64_t i) { y[i] = i; });
  return MEMPLAN_OK;
}

/// Listed values travel with the launch, so that none needs device memory of
/// its own.
template <typename T> struct Chunk {
  static constexpr int64_t length = 256;
  T value[length];
};

template <typename T, typename Source>
static void fillList(const Call &call, const Source *values) {
  T *y = static_cast<T *>(call.output(0).data);
  int64_t count = elements(call.output(0));
  for (int64_t first = 0; first < count; first += Chunk<T>::length) {
    int64_t here = std::min(Chunk<T>::length, count - first);
    Chunk<T> chunk;
    for (int64_t i = 0; i < here; ++i)
      chunk.value[i] = T(values[first + i]);
    forEach(call, here,
            [=] MEMPLAN_DEVICE(int64_t i) { y[first + i] = chunk.value[i]; });
  }
}

template <typename T>
static void fillFrom(const Call &call, const memplan_attribute_t &value) {
  if (value.kind == MEMPLAN_ATTRIBUTE_INTS)
    return fillList<T>(call, value.ints);
  if (value.kind == MEMPLAN_ATTRIBUTE_FLOATS)
    return fillList<T>(call, value.floats);
  T *y = static_cast<T *>(call.output(0).data);
  T one = value.kind == MEMPLAN_ATTRIBUTE_INT ? T(value.int_value)
                                              : T(value.float_value);
  forEach(call, elements(call.output(0)),
          [=] MEMPLAN_DEVICE(int64_t i) { y[i] = one; });
}

static memplan_status_t constant(const Call &call) {
  const memplan_tensor_t &out = call.output(0);
  if (call.launch->input_count == 1) {
    if (out.data == call.input(0).data)
      return MEMPLAN_OK;
    return call.device.copyAsync(out.data, call.input(0).data,
                                 elements(out) * elementBytes(out));
  }
  const memplan_attribute_t &value = *findAttribute(call.launch, "value");
  if (out.dtype == MEMPLAN_F32)
    fillFrom<float>(call, value);
  else if (out.dtype == MEMPLAN_I64)
    fillFrom<int64_t>(call, value);
  else
    fillFrom<int8_t>(call, value);
  return MEMPLAN_OK;
}

/// Four elements share one block of random words, as on the CPU.
static memplan_status_t dropout(const Call &call) {
  const float *x = call.in(0);
  float *y = call.out(0);
  const kernels::DropoutRule rule(call.launch, call.ints(1));
  int64_t count = elements(call.output(0));
  forEach(call, (count + 3) / 4, [=] MEMPLAN_DEVICE(int64_t block) {
    const PhiloxBlock random = rule.random(block);
    for (int lane = 0; lane < 4 && 4 * block + lane < count; ++lane) {
      int64_t i = 4 * block + lane;
      y[i] = rule.keeps(random.word[lane]) ? x[i] * rule.scale : 0.0f;
    }
  });
  return MEMPLAN_OK;
}

static memplan_status_t causalMask(const Call &call) {
  const memplan_tensor_t &shape = call.input(0);
  int64_t width = shape.shape[shape.rank - 1];
  int64_t height = shape.shape[shape.rank - 2];
  float fill = float(floatAttribute(call.launch, "fill", 0));
  const float *x = call.in(0);
  float *y = call.out(0);
  forEach(call, elements(shape), [=] MEMPLAN_DEVICE(int64_t i) {
    y[i] = i % width > i / width % height ? fill : x[i];
  });
  return MEMPLAN_OK;
}

KernelTable generatorKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.causal_mask", causalMask},
      {"memplan.constant", constant},
      {"memplan.dropout", dropout},
      {"memplan.iota", iota},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
