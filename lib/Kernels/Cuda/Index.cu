//===- Index.cu - Places along a dimension ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Lines.h"
#include "Launch.h"

namespace memplan::runtime::cuda {

using kernels::CumSumLine;
using kernels::Lines;
using kernels::TopKLine;

static memplan_status_t topK(const Call &call) {
  const Lines lines(call.launch, call.input(0));
  const int64_t length = lines.length(call.input(0));
  const int64_t k = lines.length(call.output(0));
  const bool smallest = intAttribute(call.launch, "smallest", 0) != 0;
  const float *x = call.in(0);
  float *values = call.out(0);
  int64_t *indices = kernels::i64(call.output(1));
  forEach(call, lines.count(), [=] MEMPLAN_DEVICE(int64_t line) {
    int64_t to = lines.first(line, k);
    TopKLine{x + lines.first(line, length),
             values + to,
             indices + to,
             lines.inner,
             length,
             k,
             smallest}();
  });
  return MEMPLAN_OK;
}

/// Calls f with a null pointer of a type as wide as the tensor's elements.
template <typename F>
static void withWidth(const memplan_tensor_t &tensor, const F &f) {
  switch (elementBytes(tensor)) {
  case 1:
    return f(static_cast<int8_t *>(nullptr));
  case 2:
    return f(static_cast<int16_t *>(nullptr));
  case 4:
    return f(static_cast<int32_t *>(nullptr));
  default:
    return f(static_cast<int64_t *>(nullptr));
  }
}

template <typename T> static void gatherAs(const Call &call) {
  const Lines lines(call.launch, call.input(0));
  const int64_t length = lines.length(call.input(0));
  const int64_t count = lines.length(call.output(0)), inner = lines.inner;
  const T *x = static_cast<const T *>(call.input(0).data);
  const int64_t *indices = call.ints(1);
  T *y = static_cast<T *>(call.output(0).data);
  int32_t *fault = call.device.fault;
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t at) {
    int64_t index = indices[at], outer = at / inner / count;
    if (index < 0 || index >= length)
      raiseFault(fault, IdOutOfRange);
    else
      y[at] = x[(outer * length + index) * inner + at % inner];
  });
}

static memplan_status_t gather(const Call &call) {
  withWidth(call.input(0), [&](auto *type) {
    gatherAs<std::remove_pointer_t<decltype(type)>>(call);
  });
  return MEMPLAN_OK;
}

/// Lines one by one: two elements of one line may go to the same place.
template <typename T, typename Put>
static void putInLines(const Call &call, const T *source, T *y,
                       const Put &put) {
  const Lines lines(call.launch, call.input(0));
  const int64_t length = lines.length(call.output(0));
  const int64_t count = lines.length(call.input(0)), inner = lines.inner;
  const int64_t *indices = call.ints(0);
  int32_t *fault = call.device.fault;
  forEach(call, lines.count(), [=] MEMPLAN_DEVICE(int64_t line) {
    int64_t from = lines.first(line, count), to = lines.first(line, length);
    for (int64_t i = 0; i < count; ++i) {
      int64_t index = indices[from + i * inner];
      if (index < 0 || index >= length)
        raiseFault(fault, IdOutOfRange);
      else
        put(y[to + index * inner], source[from + i * inner]);
    }
  });
}

static memplan_status_t gatherGrad(const Call &call) {
  float *dx = call.out(0);
  forEach(call, elements(call.output(0)),
          [=] MEMPLAN_DEVICE(int64_t i) { dx[i] = 0; });
  putInLines(call, call.in(1), dx,
             [] MEMPLAN_DEVICE(float &sum, float value) { sum += value; });
  return MEMPLAN_OK;
}

template <typename T> static void scatterAs(const Call &call) {
  T *y = static_cast<T *>(call.output(0).data);
  const T *base = call.launch->input_count > 2
                      ? static_cast<const T *>(call.input(2).data)
                      : nullptr;
  if (base != y)
    forEach(call, elements(call.output(0)),
            [=] MEMPLAN_DEVICE(int64_t i) { y[i] = base ? base[i] : T(0); });
  putInLines(call, static_cast<const T *>(call.input(1).data), y,
             [] MEMPLAN_DEVICE(T & to, T value) { to = value; });
}

static memplan_status_t scatter(const Call &call) {
  withWidth(call.output(0), [&](auto *type) {
    scatterAs<std::remove_pointer_t<decltype(type)>>(call);
  });
  return MEMPLAN_OK;
}

static memplan_status_t cumSum(const Call &call) {
  const Lines lines(call.launch, call.input(0));
  const int64_t length = lines.length(call.input(0));
  const bool reverse = intAttribute(call.launch, "reverse", 0) != 0;
  const float *x = call.in(0);
  float *y = call.out(0);
  forEach(call, lines.count(), [=] MEMPLAN_DEVICE(int64_t line) {
    int64_t first = lines.first(line, length);
    CumSumLine{x + first, y + first, lines.inner, length, reverse}();
  });
  return MEMPLAN_OK;
}

KernelTable indexKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.topk", topK},
      {"memplan.gather", gather},
      {"memplan.gather_grad", gatherGrad},
      {"memplan.scatter", scatter},
      {"memplan.cumsum", cumSum},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
