//===- Pool.cu - Pooling over two-dimensional windows -----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gradients gather: a thread per pixel adds what the windows over it give, in
// the order of the windows, so that no two threads write one element.
//
//===----------------------------------------------------------------------===//

#include "../Pool2dGeometry.h"
#include "Typed.h"

namespace memplan::runtime::cuda {

using kernels::Pool2dGeometry;

/// Where the pixels of planes [h, w] lie, `interleaved` planes side by side.
struct Planes {
  int64_t h, w, interleaved;

  static Planes images(const Pool2dGeometry &g) {
    return {g.h, g.w, g.interleaved};
  }
  static Planes pooled(const Pool2dGeometry &g) {
    return {g.ho, g.wo, g.interleaved};
  }

  struct Pixel {
    int64_t plane, row, column;
  };
  /// The pixel that is element `at` in memory, so that neighbouring threads
  /// take neighbouring elements.
  MEMPLAN_DEVICE Pixel pixel(int64_t at) const {
    const int64_t side = at % interleaved, pixel = at / interleaved;
    return {pixel / (w * h) * interleaved + side, pixel / w % h, pixel % w};
  }
  MEMPLAN_DEVICE int64_t at(int64_t plane, int64_t row, int64_t column) const {
    return ((plane / interleaved * h + row) * w + column) * interleaved +
           plane % interleaved;
  }
};

//===----------------------------------------------------------------------===//
// Largest
//===----------------------------------------------------------------------===//

template <typename T> static memplan_status_t maxPool(const Call &call) {
  Pool2dGeometry g(call.launch, call.input(0), call.output(0));
  const Reader<T> x(call.input(0));
  const Writer<T> y(call.output(0));
  int8_t *indices = kernels::i8(call.output(1));
  const Planes images = Planes::images(g), pooled = Planes::pooled(g);
  forEach(call, g.planes * g.ho * g.wo, [=] MEMPLAN_DEVICE(int64_t at) {
    const auto [plane, i, j] = pooled.pixel(at);
    float value = -INFINITY;
    int8_t index = 0;
    bool found = false;
    for (int64_t a = 0; a < g.kernel.h; ++a)
      for (int64_t b = 0; b < g.kernel.w; ++b) {
        int64_t row = i * g.strides.h - g.padding.h + a * g.dilation.h;
        int64_t column = j * g.strides.w - g.padding.w + b * g.dilation.w;
        if (row < 0 || row >= g.h || column < 0 || column >= g.w)
          continue;
        float here = x[images.at(plane, row, column)];
        // The first of equals, and the first NaN before any number.
        bool better = here > value || (here != here && value == value);
        if (found && !better)
          continue;
        found = true;
        value = here;
        index = int8_t(a * g.kernel.w + b);
      }
    y[at] = value;
    indices[at] = index;
  });
  return MEMPLAN_OK;
}

static void checkIndices(const Call &call, const Pool2dGeometry &g,
                         const int8_t *indices) {
  int32_t *fault = call.device.fault;
  Pool2dGeometry geometry = g;
  const Planes pooled = Planes::pooled(g);
  forEach(call, g.planes * g.ho * g.wo, [=] MEMPLAN_DEVICE(int64_t at) {
    const Pool2dGeometry &g = geometry;
    const Planes::Pixel pixel = pooled.pixel(at);
    int64_t j = pixel.column, i = pixel.row, index = indices[at];
    int64_t y =
        i * g.strides.h - g.padding.h + index / g.kernel.w * g.dilation.h;
    int64_t x =
        j * g.strides.w - g.padding.w + index % g.kernel.w * g.dilation.w;
    if (index < 0 || index >= g.kernel.h * g.kernel.w || y < 0 || y >= g.h ||
        x < 0 || x >= g.w)
      raiseFault(fault, PoolIndexOutOfRange);
  });
}

template <typename T> static memplan_status_t maxPoolGrad(const Call &call) {
  Pool2dGeometry g(call.launch, call.output(0), call.input(0));
  const Reader<T> dy(call.input(0));
  const int8_t *indices = kernels::i8(call.input(1));
  const Writer<T> dx(call.output(0));
  checkIndices(call, g, indices);
  const Planes images = Planes::images(g), pooled = Planes::pooled(g);
  forEach(call, g.planes * g.h * g.w, [=] MEMPLAN_DEVICE(int64_t at) {
    const auto [plane, y, x] = images.pixel(at);
    float sum = 0;
    // From the last position of the window to the first: windows in order.
    for (int64_t a = g.kernel.h - 1; a >= 0; --a) {
      int64_t row = y + g.padding.h - a * g.dilation.h;
      if (row < 0 || row % g.strides.h != 0 || row / g.strides.h >= g.ho)
        continue;
      // Unrolled, it would not fit into the registers.
#ifdef __CUDACC__
#pragma unroll 1
#endif
      for (int64_t b = g.kernel.w - 1; b >= 0; --b) {
        int64_t column = x + g.padding.w - b * g.dilation.w;
        if (column < 0 || column % g.strides.w != 0 ||
            column / g.strides.w >= g.wo)
          continue;
        int64_t from =
            pooled.at(plane, row / g.strides.h, column / g.strides.w);
        if (indices[from] == a * g.kernel.w + b)
          sum += dy[from];
      }
    }
    dx[at] = sum;
  });
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Mean
//===----------------------------------------------------------------------===//

MEMPLAN_DEVICE static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}
MEMPLAN_DEVICE static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/// The part of a window inside the image, and what its sum is divided by.
struct MeanWindow {
  int64_t top, bottom, left, right;
  float divisor;

  MEMPLAN_DEVICE MeanWindow(const Pool2dGeometry &g, int64_t i, int64_t j,
                            bool includePadding) {
    int64_t y = i * g.strides.h - g.padding.h;
    int64_t x = j * g.strides.w - g.padding.w;
    top = larger(y, 0);
    left = larger(x, 0);
    bottom = smaller(y + g.kernel.h, g.h);
    right = smaller(x + g.kernel.w, g.w);
    // Padding counts, but nothing beyond it does.
    int64_t padded = (smaller(y + g.kernel.h, g.h + g.padding.h) - y) *
                     (smaller(x + g.kernel.w, g.w + g.padding.w) - x);
    divisor = float(includePadding ? padded : (bottom - top) * (right - left));
  }
};

template <typename T> static memplan_status_t avgPool(const Call &call) {
  Pool2dGeometry g(call.launch, call.input(0), call.output(0));
  bool includePadding = intAttribute(call.launch, "count_include_pad", 0) != 0;
  const Reader<T> x(call.input(0));
  const Writer<T> y(call.output(0));
  const Planes images = Planes::images(g), pooled = Planes::pooled(g);
  forEach(call, g.planes * g.ho * g.wo, [=] MEMPLAN_DEVICE(int64_t at) {
    const auto [plane, i, j] = pooled.pixel(at);
    MeanWindow window(g, i, j, includePadding);
    float sum = 0;
    for (int64_t a = window.top; a < window.bottom; ++a)
      for (int64_t b = window.left; b < window.right; ++b)
        sum += x[images.at(plane, a, b)];
    y[at] = sum / window.divisor;
  });
  return MEMPLAN_OK;
}

/// The first window that reaches `position`, which lies `padding` inside.
MEMPLAN_DEVICE static int64_t firstWindow(int64_t position, int64_t kernel,
                                          int64_t stride) {
  int64_t before = position - kernel + 1;
  return before <= 0 ? 0 : (before + stride - 1) / stride;
}

template <typename T> static memplan_status_t avgPoolGrad(const Call &call) {
  Pool2dGeometry g(call.launch, call.output(0), call.input(0));
  bool includePadding = intAttribute(call.launch, "count_include_pad", 0) != 0;
  const Reader<T> dy(call.input(0));
  const Writer<T> dx(call.output(0));
  const Planes images = Planes::images(g), pooled = Planes::pooled(g);
  forEach(call, g.planes * g.h * g.w, [=] MEMPLAN_DEVICE(int64_t at) {
    const auto [plane, row, column] = images.pixel(at);
    const int64_t x = column + g.padding.w, y = row + g.padding.h;
    int64_t lastI = smaller(y / g.strides.h, g.ho - 1);
    int64_t lastJ = smaller(x / g.strides.w, g.wo - 1);
    float sum = 0;
    for (int64_t i = firstWindow(y, g.kernel.h, g.strides.h); i <= lastI; ++i)
      for (int64_t j = firstWindow(x, g.kernel.w, g.strides.w); j <= lastJ; ++j)
        sum += dy[pooled.at(plane, i, j)] /
               MeanWindow(g, i, j, includePadding).divisor;
    dx[at] = sum;
  });
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Mean over windows that cover the image evenly: window i spans
// [floor(i h / ho), ceil((i + 1) h / ho)).
//===----------------------------------------------------------------------===//

MEMPLAN_DEVICE static int64_t spanBegin(int64_t i, int64_t size,
                                        int64_t windows) {
  return i * size / windows;
}
MEMPLAN_DEVICE static int64_t spanEnd(int64_t i, int64_t size,
                                      int64_t windows) {
  return ((i + 1) * size + windows - 1) / windows;
}

template <typename T> static memplan_status_t adaptivePool(const Call &call) {
  const Pool2dGeometry g(call.launch, call.input(0), call.output(0));
  const Planes images = Planes::images(g), pooled = Planes::pooled(g);
  const int64_t h = g.h, w = g.w, ho = g.ho, wo = g.wo;
  const Reader<T> x(call.input(0));
  const Writer<T> y(call.output(0));
  forEachBlock(
      call, elements(call.output(0)), ho * wo > 0 ? h * w / (ho * wo) : 0,
      [=] MEMPLAN_DEVICE(const Block &block, int64_t at) {
        const Planes::Pixel here = pooled.pixel(at);
        const int64_t plane = here.plane, i = here.row, j = here.column;
        int64_t top = spanBegin(i, h, ho), bottom = spanEnd(i, h, ho);
        int64_t left = spanBegin(j, w, wo), right = spanEnd(j, w, wo);
        int64_t width = right - left, count = (bottom - top) * width;
        double sum = block.sum(count, [&](int64_t k) {
          return double(x[images.at(plane, top + k / width, left + k % width)]);
        });
        block.each(1, [&](int64_t) { y[at] = float(sum / double(count)); });
      });
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t adaptivePoolGrad(const Call &call) {
  const Pool2dGeometry g(call.launch, call.output(0), call.input(0));
  const Planes images = Planes::images(g), pooled = Planes::pooled(g);
  const int64_t h = g.h, w = g.w, ho = g.ho, wo = g.wo;
  const Reader<T> dy(call.input(0));
  const Writer<T> dx(call.output(0));
  forEach(call, elements(call.output(0)), [=] MEMPLAN_DEVICE(int64_t at) {
    const auto [plane, y, x] = images.pixel(at);
    // Window i holds y when i h < (y + 1) ho and (i + 1) h > y ho.
    int64_t lastI = smaller(((y + 1) * ho - 1) / h, ho - 1);
    int64_t lastJ = smaller(((x + 1) * wo - 1) / w, wo - 1);
    float sum = 0;
    for (int64_t i = y * ho / h; i <= lastI; ++i)
      for (int64_t j = x * wo / w; j <= lastJ; ++j) {
        int64_t count = (spanEnd(i, h, ho) - spanBegin(i, h, ho)) *
                        (spanEnd(j, w, wo) - spanBegin(j, w, wo));
        sum += dy[pooled.at(plane, i, j)] / float(count);
      }
    dx[at] = sum;
  });
  return MEMPLAN_OK;
}

/// The one of three kernels that is for the elements of the launch.
template <memplan_status_t f32(const Call &),
          memplan_status_t bf16(const Call &),
          memplan_status_t f16(const Call &)>
static memplan_status_t launch(const Call &call) {
  switch (call.input(0).dtype) {
  case MEMPLAN_BF16:
    return bf16(call);
  case MEMPLAN_F16:
    return f16(call);
  default:
    return f32(call);
  }
}

KernelTable poolKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.adaptive_avg_pool2d",
       .launch =
           launch<adaptivePool<F32>, adaptivePool<Bf16>, adaptivePool<F16>>,
       .takesHalves = true},
      {.name = "memplan.adaptive_avg_pool2d_grad",
       .launch = launch<adaptivePoolGrad<F32>, adaptivePoolGrad<Bf16>,
                        adaptivePoolGrad<F16>>,
       .takesHalves = true},
      {.name = "memplan.avg_pool2d",
       .launch = launch<avgPool<F32>, avgPool<Bf16>, avgPool<F16>>,
       .takesHalves = true},
      {.name = "memplan.avg_pool2d_grad",
       .launch = launch<avgPoolGrad<F32>, avgPoolGrad<Bf16>, avgPoolGrad<F16>>,
       .takesHalves = true},
      {.name = "memplan.max_pool2d",
       .launch = launch<maxPool<F32>, maxPool<Bf16>, maxPool<F16>>,
       .takesHalves = true},
      {.name = "memplan.max_pool2d_grad",
       .launch = launch<maxPoolGrad<F32>, maxPoolGrad<Bf16>, maxPoolGrad<F16>>,
       .takesHalves = true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
