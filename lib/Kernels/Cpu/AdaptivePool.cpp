//===- AdaptivePool.cpp - Average pooling to a given size -----------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.adaptive_avg_pool2d{output_size}: output (i, j) is the mean of rows
//   [floor(i H / Ho), ceil((i + 1) H / Ho)) and columns likewise.
//   in x [N,C,H,W]   out y [N,C,Ho,Wo]
// memplan.adaptive_avg_pool2d_grad{input_size}: spreads dy over its window.
//
//===----------------------------------------------------------------------===//

#include "../Pool2dGeometry.h"
#include "Elements.h"

namespace memplan::runtime::cpu {

/// Calls f(plane, output element, first row, last row, first column, last
/// column) for every window; the planes run in parallel.
template <typename Begin, typename F>
static void eachWindow(const memplan_launch_t *launch,
                       const memplan_tensor_t &image,
                       const memplan_tensor_t &pooled, const Begin &beginPlane,
                       const F &f) {
  const Pool2dGeometry g(launch, image, pooled);
  const int64_t h = g.h, w = g.w, ho = g.ho, wo = g.wo;
  parallelFor(launch, g.planes, rowGrain(h * w),
              [&](int64_t begin, int64_t end) {
                for (int64_t p = begin; p < end; ++p) {
                  beginPlane(p);
                  for (int64_t i = 0; i < ho; ++i)
                    for (int64_t j = 0; j < wo; ++j)
                      f(p, i * wo + j, i * h / ho, ((i + 1) * h + ho - 1) / ho,
                        j * w / wo, ((j + 1) * w + wo - 1) / wo);
                }
              });
}

template <typename T>
static memplan_status_t forward(const memplan_launch_t *launch) {
  const memplan_tensor_t &image = launch->inputs[0];
  const Pool2dGeometry g(launch, image, launch->outputs[0]);
  const int64_t step = g.interleaved;
  const T *x = dataOf<T>(image);
  T *y = dataOf<T>(launch->outputs[0]);
  eachWindow(
      launch, image, launch->outputs[0], [](int64_t) {},
      [=](int64_t p, int64_t at, int64_t top, int64_t bottom, int64_t left,
          int64_t right) {
        const T *plane = x + firstPixel(p, g.h * g.w, step);
        double sum = 0;
        for (int64_t a = top; a < bottom; ++a)
          for (int64_t b = left; b < right; ++b)
            sum += float(plane[(a * g.w + b) * step]);
        y[firstPixel(p, g.ho * g.wo, step) + at * step] =
            T(float(sum / double((bottom - top) * (right - left))));
      });
  return MEMPLAN_OK;
}

static memplan_status_t backward(const memplan_launch_t *launch) {
  const memplan_tensor_t &image = launch->outputs[0];
  const Pool2dGeometry g(launch, image, launch->inputs[0]);
  const int64_t h = g.h, w = g.w, pooled = g.ho * g.wo;
  const float *dy = f32(launch->inputs[0]);
  float *dx = f32(image);
  eachWindow(
      launch, image, launch->inputs[0],
      [=](int64_t p) { std::fill_n(dx + p * h * w, h * w, 0.0f); },
      [=](int64_t p, int64_t at, int64_t top, int64_t bottom, int64_t left,
          int64_t right) {
        float share =
            dy[p * pooled + at] / float((bottom - top) * (right - left));
        for (int64_t a = top; a < bottom; ++a)
          for (int64_t b = left; b < right; ++b)
            dx[(p * h + a) * w + b] += share;
      });
  return MEMPLAN_OK;
}

KernelList adaptivePoolKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.adaptive_avg_pool2d", inRows<MEMPLAN_TYPED(forward)>),
      makeWidened<inRows<backward>>("memplan.adaptive_avg_pool2d_grad"),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
