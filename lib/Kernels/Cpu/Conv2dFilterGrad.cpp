//===- Conv2dFilterGrad.cpp - Gradient of a convolution by its filter -----===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.conv2d_filter_grad: df[o,c,a,b] = sum over n, i, j of
//   dy[n,o,i,j] * x[n, c, i s - p + a d, j s - p + b d]
//   in  x [N,C,H,W], dy [N,O,Ho,Wo]   f32    out df [O,C/groups,kh,kw]
// A row is summed in eight lanes that are added in a fixed order, rows in
// double: these sums are long.
//
//===----------------------------------------------------------------------===//

#include "../Conv2dGeometry.h"
#include "Elements.h"

namespace memplan::runtime::cpu {

static float dot(const float *a, const float *b, int64_t strideB,
                 int64_t count) {
  constexpr int64_t lanes = 8;
  float lane[lanes] = {};
  int64_t i = 0;
  if (strideB == 1)
    for (; i + lanes <= count; i += lanes)
      for (int64_t l = 0; l < lanes; ++l)
        lane[l] += a[i + l] * b[i + l];
  float sum = ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
              ((lane[2] + lane[6]) + (lane[3] + lane[7]));
  for (; i < count; ++i)
    sum += a[i] * b[i * strideB];
  return sum;
}

namespace {
/// Elements from one sample to the next.
struct Samples {
  int64_t image, grad;
};
} // namespace

static double sumOver(const Conv2dGeometry &g, const Samples &samples,
                      const float *x, const float *dy, int64_t a, int64_t b) {
  int64_t offset = b * g.dilation.w - g.padding.w;
  Span valid = validPositions(g.wo, g.w, g.strides.w, offset);
  double sum = 0;
  for (int64_t n = 0; n < g.n; ++n)
    for (int64_t i = 0; i < g.ho; ++i) {
      int64_t y = i * g.strides.h - g.padding.h + a * g.dilation.h;
      if (y < 0 || y >= g.h || valid.begin >= valid.end)
        continue;
      const float *line = x + n * samples.image + y * g.w;
      const float *grads = dy + n * samples.grad + i * g.wo;
      sum += dot(grads + valid.begin, line + valid.begin * g.strides.w + offset,
                 g.strides.w, valid.end - valid.begin);
    }
  return sum;
}

static memplan_status_t filterGrad(const memplan_launch_t *launch) {
  Conv2dGeometry g = conv2dGeometry(launch, launch->inputs[0],
                                    launch->outputs[0], launch->inputs[1]);
  const float *x = f32(launch->inputs[0]);
  const float *dy = f32(launch->inputs[1]);
  float *df = f32(launch->outputs[0]);
  Samples samples{strideOf(launch, 0, 0), strideOf(launch, 1, 0)};
  int64_t cg = g.channelsPerGroup();
  parallelFor(launch, g.o * cg, 1, [&](int64_t begin, int64_t end) {
    for (int64_t pair = begin; pair < end; ++pair) {
      int64_t o = pair / cg;
      int64_t c = o / g.outputsPerGroup() * cg + pair % cg;
      for (int64_t a = 0; a < g.kh; ++a)
        for (int64_t b = 0; b < g.kw; ++b)
          df[(pair * g.kh + a) * g.kw + b] = float(sumOver(
              g, samples, x + c * g.h * g.w, dy + o * g.ho * g.wo, a, b));
    }
  });
  return MEMPLAN_OK;
}

KernelList conv2dFilterGradKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeWidened<filterGrad>("memplan.conv2d_filter_grad"),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
