//===- MaxPool.cpp - Max pooling with indices -----------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.max_pool2d{kernel,strides,padding,dilation}:
//   in x [N,C,H,W] f32
//   out y [N,C,Ho,Wo] f32, indices i8: which pixel of the window, a * kw + b;
//   the first of equals; a NaN wins.
// memplan.max_pool2d_grad{..,input_size}: every dy goes to the pixel of its
// index.
//   in dy, indices   out dx [N,C,H,W]
// Errors: MEMPLAN_INVALID_ARGUMENT for an index outside of window or image.
//
//===----------------------------------------------------------------------===//

#include "Pool2dGeometry.h"

#include <atomic>
#include <cmath>

namespace memplan::runtime::cpu {

static bool indicesFit(Checker &check, const memplan_launch_t *launch) {
  Pair kernel = pairAttribute(launch, "kernel", 1);
  return check.require(kernel.h * kernel.w <= 127,
                       "a window of %lld pixels has no i8 index; 127 at most",
                       static_cast<long long>(kernel.h * kernel.w));
}

static memplan_status_t checkForward(const memplan_launch_t *launch,
                                     memplan_prepared_t *) {
  Checker check(launch);
  check.counts(1, 2) && check.types({}, {MEMPLAN_F32, MEMPLAN_I8}) &&
      checkPool2d(check, launch, check.input(0), check.output(0)) &&
      check.same(check.output(1), check.output(0), "the indices") &&
      indicesFit(check, launch);
  return check.status;
}

/// The largest pixel of the window at (i, j) of one plane.
static void largestOf(const Pool2dGeometry &g, const float *x, int64_t i,
                      int64_t j, float &value, int8_t &index) {
  value = -INFINITY;
  bool found = false;
  for (int64_t a = 0; a < g.kernel.h; ++a) {
    int64_t y = i * g.strides.h - g.padding.h + a * g.dilation.h;
    if (y < 0 || y >= g.h)
      continue;
    for (int64_t b = 0; b < g.kernel.w; ++b) {
      int64_t column = j * g.strides.w - g.padding.w + b * g.dilation.w;
      if (column < 0 || column >= g.w)
        continue;
      float here = x[y * g.w + column];
      bool better = here > value || (std::isnan(here) && !std::isnan(value));
      if (found && !better)
        continue;
      found = true;
      value = here;
      index = int8_t(a * g.kernel.w + b);
    }
  }
}

static memplan_status_t forward(const memplan_launch_t *launch) {
  Pool2dGeometry g(launch, launch->inputs[0], launch->outputs[0]);
  const float *x = f32(launch->inputs[0]);
  float *y = f32(launch->outputs[0]);
  int8_t *indices = i8(launch->outputs[1]);
  parallelFor(launch, g.planes, rowGrain(g.h * g.w),
              [&](int64_t begin, int64_t end) {
                for (int64_t p = begin; p < end; ++p)
                  for (int64_t i = 0; i < g.ho; ++i)
                    for (int64_t j = 0; j < g.wo; ++j) {
                      int64_t at = (p * g.ho + i) * g.wo + j;
                      indices[at] = 0;
                      largestOf(g, x + p * g.h * g.w, i, j, y[at], indices[at]);
                    }
              });
  return MEMPLAN_OK;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch,
                                      memplan_prepared_t *) {
  Checker check(launch);
  check.counts(2, 1) && check.types({MEMPLAN_F32, MEMPLAN_I8}, {}) &&
      checkInputSize(check, launch, check.output(0)) &&
      checkPool2d(check, launch, check.output(0), check.input(0)) &&
      check.same(check.input(1), check.input(0), "the indices") &&
      indicesFit(check, launch);
  return check.status;
}

static memplan_status_t backward(const memplan_launch_t *launch) {
  Pool2dGeometry g(launch, launch->outputs[0], launch->inputs[0]);
  const float *dy = f32(launch->inputs[0]);
  const int8_t *indices = i8(launch->inputs[1]);
  float *dx = f32(launch->outputs[0]);
  std::atomic<int> bad{0};
  auto plane = [&](int64_t p) {
    float *image = dx + p * g.h * g.w;
    std::fill_n(image, g.h * g.w, 0.0f);
    for (int64_t i = 0; i < g.ho; ++i)
      for (int64_t j = 0; j < g.wo; ++j) {
        int64_t at = (p * g.ho + i) * g.wo + j, index = indices[at];
        int64_t y =
            i * g.strides.h - g.padding.h + index / g.kernel.w * g.dilation.h;
        int64_t x =
            j * g.strides.w - g.padding.w + index % g.kernel.w * g.dilation.w;
        if (index < 0 || index >= g.kernel.h * g.kernel.w || y < 0 ||
            y >= g.h || x < 0 || x >= g.w)
          bad.store(1, std::memory_order_relaxed);
        else
          image[y * g.w + x] += dy[at];
      }
  };
  parallelFor(launch, g.planes, rowGrain(g.h * g.w),
              [&](int64_t begin, int64_t end) {
                for (int64_t p = begin; p < end; ++p)
                  plane(p);
              });
  if (bad.load(std::memory_order_relaxed))
    return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                "an index lies outside of its window or of the image");
  return MEMPLAN_OK;
}

KernelList maxPoolKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeKernel("memplan.max_pool2d", checkForward, forward),
      makeKernel("memplan.max_pool2d_grad", checkBackward, backward),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
