//===- Softmax.cpp - Softmax along one dimension --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.softmax{axis}: y = exp(x - max) / sum of exp(x - max)
//   in x   out y, may be x
// memplan.softmax_grad{axis}: dx = y (dy - sum of dy y)
//   in y, dy   out dx, may be y or dy
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include <cmath>
#include <type_traits>

namespace memplan::runtime::cpu {

/// Calls f(first element, step) for every line along the axis.
template <typename F>
static void eachLine(const memplan_launch_t *launch, const F &f) {
  const memplan_tensor_t &x = launch->inputs[0];
  int axis = dimensionAttribute(launch, "axis", x.rank);
  int64_t length = x.shape[axis], step = product(x, axis + 1, x.rank);
  int64_t lines = product(x, 0, axis) * step;
  parallelFor(launch, lines, rowGrain(length * 8),
              [&](int64_t begin, int64_t end) {
                for (int64_t line = begin; line < end; ++line)
                  f(line / step * step * length + line % step, step, length);
              });
}

template <typename T>
static memplan_status_t forward(const memplan_launch_t *launch) {
  const T *x = dataOf<T>(launch->inputs[0]);
  T *y = dataOf<T>(launch->outputs[0]);
  eachLine(launch, [=](int64_t first, int64_t step, int64_t length) {
    const T *in = x + first;
    T *out = y + first;
    float largest = -INFINITY;
    for (int64_t i = 0; i < length; ++i)
      largest = in[i * step] > largest ? float(in[i * step]) : largest;
    double sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      float e = std::exp(in[i * step] - largest);
      if constexpr (std::is_same_v<T, float>)
        out[i * step] = e;
      sum += e;
    }
    float factor = float(1.0 / sum);
    for (int64_t i = 0; i < length; ++i)
      if constexpr (std::is_same_v<T, float>)
        out[i * step] *= factor;
      else // What is stored above would be rounded twice.
        out[i * step] = T(std::exp(in[i * step] - largest) * factor);
  });
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t backward(const memplan_launch_t *launch) {
  const T *y = dataOf<T>(launch->inputs[0]);
  const T *dy = dataOf<T>(launch->inputs[1]);
  T *dx = dataOf<T>(launch->outputs[0]);
  eachLine(launch, [=](int64_t first, int64_t step, int64_t length) {
    double sum = 0;
    for (int64_t i = 0; i < length; ++i)
      sum += double(y[first + i * step]) * double(dy[first + i * step]);
    float mean = float(sum);
    for (int64_t i = 0; i < length; ++i)
      dx[first + i * step] =
          T(y[first + i * step] * (dy[first + i * step] - mean));
  });
  return MEMPLAN_OK;
}

KernelList softmaxKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.softmax", MEMPLAN_TYPED(forward)),
      makeTyped("memplan.softmax_grad", MEMPLAN_TYPED(backward)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
