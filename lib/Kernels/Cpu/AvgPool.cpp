//===- AvgPool.cpp - Average pooling --------------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.avg_pool2d{kernel,strides,padding,count_include_pad}: the sum of the
//   window's pixels over their number, or over the whole window's when
//   count_include_pad.   in x [N,C,H,W]   out y [N,C,Ho,Wo]
// memplan.avg_pool2d_grad{..,input_size}: spreads dy over its window.
//
//===----------------------------------------------------------------------===//

#include "../Pool2dGeometry.h"
#include "Elements.h"

namespace memplan::runtime::cpu {

namespace {
/// Pixels [top, bottom) x [left, right) of the window at (i, j), and what their
/// sum is divided by. Dilation plays no part.
struct Window {
  int64_t top, bottom, left, right;
  float divisor;

  Window(const Pool2dGeometry &g, int64_t i, int64_t j, bool includePadding) {
    int64_t y = i * g.strides.h - g.padding.h;
    int64_t x = j * g.strides.w - g.padding.w;
    top = std::max<int64_t>(y, 0);
    left = std::max<int64_t>(x, 0);
    bottom = std::min(y + g.kernel.h, g.h);
    right = std::min(x + g.kernel.w, g.w);
    // Padding counts, but nothing beyond it does.
    int64_t padded = (std::min(y + g.kernel.h, g.h + g.padding.h) - y) *
                     (std::min(x + g.kernel.w, g.w + g.padding.w) - x);
    divisor = float(includePadding ? padded : (bottom - top) * (right - left));
  }
};
} // namespace

template <typename T>
static memplan_status_t forward(const memplan_launch_t *launch) {
  Pool2dGeometry g(launch, launch->inputs[0], launch->outputs[0]);
  bool includePadding = intAttribute(launch, "count_include_pad", 0) != 0;
  const T *x = dataOf<T>(launch->inputs[0]);
  T *y = dataOf<T>(launch->outputs[0]);
  auto plane = [&](int64_t p) {
    const int64_t step = g.interleaved;
    const T *image = x + firstPixel(p, g.h * g.w, step);
    T *pooled = y + firstPixel(p, g.ho * g.wo, step);
    for (int64_t i = 0; i < g.ho; ++i)
      for (int64_t j = 0; j < g.wo; ++j) {
        Window window(g, i, j, includePadding);
        float sum = 0;
        for (int64_t a = window.top; a < window.bottom; ++a)
          for (int64_t b = window.left; b < window.right; ++b)
            sum += image[(a * g.w + b) * step];
        pooled[(i * g.wo + j) * step] = T(sum / window.divisor);
      }
  };
  parallelFor(launch, g.planes, rowGrain(g.h * g.w),
              [&](int64_t begin, int64_t end) {
                for (int64_t p = begin; p < end; ++p)
                  plane(p);
              });
  return MEMPLAN_OK;
}

static memplan_status_t backward(const memplan_launch_t *launch) {
  Pool2dGeometry g(launch, launch->outputs[0], launch->inputs[0]);
  bool includePadding = intAttribute(launch, "count_include_pad", 0) != 0;
  const float *dy = f32(launch->inputs[0]);
  float *dx = f32(launch->outputs[0]);
  auto plane = [&](int64_t p) {
    float *image = dx + p * g.h * g.w;
    std::fill_n(image, g.h * g.w, 0.0f);
    for (int64_t i = 0; i < g.ho; ++i)
      for (int64_t j = 0; j < g.wo; ++j) {
        Window window(g, i, j, includePadding);
        float share = dy[(p * g.ho + i) * g.wo + j] / window.divisor;
        for (int64_t a = window.top; a < window.bottom; ++a)
          for (int64_t b = window.left; b < window.right; ++b)
            image[a * g.w + b] += share;
      }
  };
  parallelFor(launch, g.planes, rowGrain(g.h * g.w),
              [&](int64_t begin, int64_t end) {
                for (int64_t p = begin; p < end; ++p)
                  plane(p);
              });
  return MEMPLAN_OK;
}

KernelList avgPoolKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.avg_pool2d", inRows<MEMPLAN_TYPED(forward)>),
      makeWidened<inRows<backward>>("memplan.avg_pool2d_grad"),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
