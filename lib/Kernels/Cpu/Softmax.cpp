//===- Softmax.cpp - Softmax along one dimension --------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.softmax{axis}: y = exp(x - max) / sum of exp(x - max)
//   in x   out y, may be x      f32
// memplan.softmax_grad{axis}: dx = y (dy - sum of dy y)
//   in y, dy   out dx, may be y or dy
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <cmath>

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

static memplan_status_t forward(const memplan_launch_t *launch) {
  const float *x = f32(launch->inputs[0]);
  float *y = f32(launch->outputs[0]);
  eachLine(launch, [=](int64_t first, int64_t step, int64_t length) {
    const float *in = x + first;
    float *out = y + first;
    float largest = -INFINITY;
    for (int64_t i = 0; i < length; ++i)
      largest = in[i * step] > largest ? in[i * step] : largest;
    double sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      float e = std::exp(in[i * step] - largest);
      out[i * step] = e;
      sum += e;
    }
    float factor = float(1.0 / sum);
    for (int64_t i = 0; i < length; ++i)
      out[i * step] *= factor;
  });
  return MEMPLAN_OK;
}

static memplan_status_t backward(const memplan_launch_t *launch) {
  const float *y = f32(launch->inputs[0]), *dy = f32(launch->inputs[1]);
  float *dx = f32(launch->outputs[0]);
  eachLine(launch, [=](int64_t first, int64_t step, int64_t length) {
    double sum = 0;
    for (int64_t i = 0; i < length; ++i)
      sum += double(y[first + i * step]) * dy[first + i * step];
    float mean = float(sum);
    for (int64_t i = 0; i < length; ++i)
      dx[first + i * step] =
          y[first + i * step] * (dy[first + i * step] - mean);
  });
  return MEMPLAN_OK;
}

KernelList softmaxKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeKernel("memplan.softmax", forward),
      makeKernel("memplan.softmax_grad", backward),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
