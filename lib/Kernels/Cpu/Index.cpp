//===- Index.cpp - Places along a dimension -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Along the dimension `axis`:
// memplan.topk{k, smallest}: the k largest in order, and where they stand
//   in x f32   out values f32, indices i64
// memplan.gather: y[i] = x[indices[i]]
//   in x of any type, indices i64   out y
// memplan.gather_grad{size}: dx[v] = sum of dy[i] where indices[i] is v
//   in indices, dy f32   out dx
// memplan.scatter{size}: y = base or 0, then y[indices[i]] = source[i] in turn
//   in indices, source, base?   out y, may be base
// memplan.cumsum{reverse}: running sums in f64
//   in x f32   out y, may be x
// Errors: MEMPLAN_INVALID_ARGUMENT for an index outside of the line.
//
//===----------------------------------------------------------------------===//

#include "../Lines.h"
#include "Elements.h"

#include <algorithm>
#include <cstring>

namespace memplan::runtime::cpu {

/// Calls f(outer, begin, end) for pieces of the lines that stand side by side.
template <typename F>
static void eachPiece(const memplan_launch_t *launch, const Lines &lines,
                      int64_t work, const F &f) {
  parallelFor(
      launch, lines.count(), rowGrain(work), [&](int64_t begin, int64_t end) {
        while (begin < end) {
          int64_t outer = begin / lines.inner;
          int64_t stop = std::min(end, (outer + 1) * lines.inner);
          f(outer, begin - outer * lines.inner, stop - outer * lines.inner);
          begin = stop;
        }
      });
}

static memplan_status_t topK(const memplan_launch_t *launch) {
  const Lines lines(launch, launch->inputs[0]);
  const int64_t length = lines.length(launch->inputs[0]);
  const int64_t k = lines.length(launch->outputs[0]);
  const bool smallest = intAttribute(launch, "smallest", 0) != 0;
  const float *x = f32(launch->inputs[0]);
  float *values = f32(launch->outputs[0]);
  int64_t *indices = i64(launch->outputs[1]);
  parallelFor(launch, lines.count(), rowGrain(length * 4),
              [&](int64_t begin, int64_t end) {
                for (int64_t line = begin; line < end; ++line) {
                  int64_t to = lines.first(line, k);
                  TopKLine{x + lines.first(line, length),
                           values + to,
                           indices + to,
                           lines.inner,
                           length,
                           k,
                           smallest}();
                }
              });
  return MEMPLAN_OK;
}

static memplan_status_t checkIndices(const memplan_launch_t *launch,
                                     const memplan_tensor_t &tensor,
                                     int64_t length) {
  const int64_t *indices = i64(tensor);
  for (int64_t i = 0, count = elements(tensor); i < count; ++i)
    if (indices[i] < 0 || indices[i] >= length)
      return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                  "index %lld at position %lld is not in [0, %lld)",
                  static_cast<long long>(indices[i]), static_cast<long long>(i),
                  static_cast<long long>(length));
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

template <typename T>
static void gatherAs(const memplan_launch_t *launch, const Lines &lines,
                     int64_t length) {
  const T *x = static_cast<const T *>(launch->inputs[0].data);
  const int64_t *indices = i64(launch->inputs[1]);
  T *y = static_cast<T *>(launch->outputs[0].data);
  const int64_t count = lines.length(launch->outputs[0]), inner = lines.inner;
  eachPiece(launch, lines, count,
            [&](int64_t outer, int64_t begin, int64_t end) {
              for (int64_t i = 0; i < count; ++i)
                for (int64_t j = begin; j < end; ++j) {
                  int64_t at = (outer * count + i) * inner + j;
                  y[at] = x[(outer * length + indices[at]) * inner + j];
                }
            });
}

static memplan_status_t gather(const memplan_launch_t *launch) {
  const Lines lines(launch, launch->inputs[0]);
  const int64_t length = lines.length(launch->inputs[0]);
  memplan_status_t status = checkIndices(launch, launch->inputs[1], length);
  if (status == MEMPLAN_OK)
    withWidth(launch->inputs[0], [&](auto *type) {
      gatherAs<std::remove_pointer_t<decltype(type)>>(launch, lines, length);
    });
  return status;
}

static memplan_status_t gatherGrad(const memplan_launch_t *launch) {
  const Lines lines(launch, launch->inputs[0]);
  const int64_t length = lines.length(launch->outputs[0]), inner = lines.inner;
  if (memplan_status_t s = checkIndices(launch, launch->inputs[0], length);
      s != MEMPLAN_OK)
    return s;
  const int64_t *indices = i64(launch->inputs[0]);
  const float *dy = f32(launch->inputs[1]);
  float *dx = f32(launch->outputs[0]);
  const int64_t count = lines.length(launch->inputs[0]);
  eachPiece(launch, lines, count + length,
            [&](int64_t outer, int64_t begin, int64_t end) {
              for (int64_t i = 0; i < length; ++i)
                std::fill(dx + (outer * length + i) * inner + begin,
                          dx + (outer * length + i) * inner + end, 0.0f);
              for (int64_t i = 0; i < count; ++i)
                for (int64_t j = begin; j < end; ++j) {
                  int64_t at = (outer * count + i) * inner + j;
                  dx[(outer * length + indices[at]) * inner + j] += dy[at];
                }
            });
  return MEMPLAN_OK;
}

template <typename T>
static void scatterAs(const memplan_launch_t *launch, const Lines &lines,
                      int64_t length) {
  const int64_t *indices = i64(launch->inputs[0]);
  const T *source = static_cast<const T *>(launch->inputs[1].data);
  T *y = static_cast<T *>(launch->outputs[0].data);
  const int64_t count = lines.length(launch->inputs[0]), inner = lines.inner;
  eachPiece(launch, lines, count,
            [&](int64_t outer, int64_t begin, int64_t end) {
              for (int64_t i = 0; i < count; ++i)
                for (int64_t j = begin; j < end; ++j) {
                  int64_t at = (outer * count + i) * inner + j;
                  y[(outer * length + indices[at]) * inner + j] = source[at];
                }
            });
}

static memplan_status_t scatter(const memplan_launch_t *launch) {
  const memplan_tensor_t &out = launch->outputs[0];
  const Lines lines(launch, out);
  const int64_t length = lines.length(out);
  if (memplan_status_t s = checkIndices(launch, launch->inputs[0], length);
      s != MEMPLAN_OK)
    return s;
  const void *base = launch->input_count > 2 ? launch->inputs[2].data : nullptr;
  const size_t bytes = size_t(elements(out) * elementBytes(out));
  if (!base)
    std::memset(out.data, 0, bytes);
  else if (base != out.data)
    std::memcpy(out.data, base, bytes);
  withWidth(out, [&](auto *type) {
    scatterAs<std::remove_pointer_t<decltype(type)>>(launch, lines, length);
  });
  return MEMPLAN_OK;
}

static memplan_status_t cumSum(const memplan_launch_t *launch) {
  const Lines lines(launch, launch->inputs[0]);
  const int64_t length = lines.length(launch->inputs[0]);
  const bool reverse = intAttribute(launch, "reverse", 0) != 0;
  const float *x = f32(launch->inputs[0]);
  float *y = f32(launch->outputs[0]);
  parallelFor(
      launch, lines.count(), rowGrain(length), [&](int64_t begin, int64_t end) {
        for (int64_t line = begin; line < end; ++line) {
          int64_t first = lines.first(line, length);
          CumSumLine{x + first, y + first, lines.inner, length, reverse}();
        }
      });
  return MEMPLAN_OK;
}

KernelList indexKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeWidened<topK>("memplan.topk"),
      makeTyped("memplan.gather", gather),
      makeWidened<gatherGrad>("memplan.gather_grad"),
      makeTyped("memplan.scatter", scatter),
      makeWidened<cumSum>("memplan.cumsum"),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
