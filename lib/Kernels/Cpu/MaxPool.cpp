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

#include "../Pool2dGeometry.h"
#include "Elements.h"
#include "Vectors.h"

#include <atomic>
#include <cmath>
#include <limits>

namespace memplan::runtime::cpu {

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

namespace {
/// Windows along one dimension.
struct Span {
  int64_t begin, end;
  bool holds(int64_t i) const { return i >= begin && i < end; }
};
} // namespace

/// The windows whose pixels all lie inside.
static Span insideWindows(int64_t size, int64_t windows, int64_t kernel,
                          int64_t stride, int64_t padding, int64_t dilation) {
  int64_t begin = std::min((padding + stride - 1) / stride, windows);
  int64_t room = size - 1 - (kernel - 1) * dilation + padding;
  int64_t end = room < 0 ? 0 : std::min(room / stride + 1, windows);
  return {begin, std::max(begin, end)};
}

static Span insideRows(const Pool2dGeometry &g) {
  return insideWindows(g.h, g.ho, g.kernel.h, g.strides.h, g.padding.h,
                       g.dilation.h);
}

static Span insideColumns(const Pool2dGeometry &g) {
  return insideWindows(g.w, g.wo, g.kernel.w, g.strides.w, g.padding.w,
                       g.dilation.w);
}

/// Takes pixel `tap` of each of `count` windows where it is the largest so far.
/// A `stride` of 0 stands for `step`.
template <int64_t stride>
MEMPLAN_INLINE static inline void takeTap(const float *from, int64_t step,
                                          int32_t tap, int64_t count,
                                          float *values, int32_t *taps) {
  MEMPLAN_INDEPENDENT
  for (int64_t j = 0; j < count; ++j) {
    float here = from[j * (stride ? stride : step)], value = values[j];
    // A NaN is not less or equal, and nothing follows one.
    bool better = !(here <= value) & (value == value);
    values[j] = better ? here : value;
    taps[j] = better ? tap : taps[j];
  }
}

/// Windows in which all columns lie inside, tap by tap: y[j] and indices[j] for
/// j in [begin, end) of output row i.
MEMPLAN_INLINE static inline void insideRow(const Pool2dGeometry &g,
                                            const float *x, int64_t i,
                                            Span columns, float *y,
                                            int8_t *indices) {
  constexpr int64_t piece = 128;
  float values[piece];
  int32_t taps[piece];
  int64_t top = i * g.strides.h - g.padding.h;
  // Taps below 0 and from h on lie in the padding.
  int64_t first = top < 0 ? (-top + g.dilation.h - 1) / g.dilation.h : 0;
  int64_t last = std::min(g.kernel.h, (g.h - 1 - top) / g.dilation.h + 1);
  for (int64_t j0 = columns.begin; j0 < columns.end; j0 += piece) {
    int64_t count = std::min(piece, columns.end - j0);
    std::fill_n(values, count, -INFINITY);
    std::fill_n(taps, count, first < last ? int32_t(first * g.kernel.w) : 0);
    for (int64_t a = first; a < last; ++a)
      for (int64_t b = 0; b < g.kernel.w; ++b) {
        const float *from = x + (top + a * g.dilation.h) * g.w +
                            j0 * g.strides.w - g.padding.w + b * g.dilation.w;
        auto tap = int32_t(a * g.kernel.w + b);
        if (g.strides.w == 1)
          takeTap<1>(from, 1, tap, count, values, taps);
        else if (g.strides.w == 2)
          takeTap<2>(from, 2, tap, count, values, taps);
        else
          takeTap<0>(from, g.strides.w, tap, count, values, taps);
      }
    std::copy_n(values, count, y + j0);
    for (int64_t j = 0; j < count; ++j)
      indices[j0 + j] = int8_t(taps[j]);
  }
}

static memplan_status_t forward(const memplan_launch_t *launch) {
  Pool2dGeometry g(launch, launch->inputs[0], launch->outputs[0]);
  const float *x = f32(launch->inputs[0]);
  float *y = f32(launch->outputs[0]);
  int8_t *indices = i8(launch->outputs[1]);
  Span columns = insideColumns(g);
  auto rows = [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
    for (int64_t row = begin; row < end; ++row) {
      int64_t i = row % g.ho;
      const float *plane = x + row / g.ho * g.h * g.w;
      float *values = y + row * g.wo;
      int8_t *taps = indices + row * g.wo;
      insideRow(g, plane, i, columns, values, taps);
      for (Span edge : {Span{0, columns.begin}, Span{columns.end, g.wo}})
        for (int64_t j = edge.begin; j < edge.end; ++j) {
          taps[j] = 0;
          largestOf(g, plane, i, j, values[j], taps[j]);
        }
    }
  };
  vectorFor(launch, g.planes * g.ho, rowGrain(g.w * g.strides.h), rows);
  return MEMPLAN_OK;
}

namespace {
/// Pixels from the first one of a window to that of each tap.
struct TapOffsets {
  int64_t pixels[std::numeric_limits<int8_t>::max()];

  explicit TapOffsets(const Pool2dGeometry &g) {
    for (int64_t tap = 0; tap < g.kernel.h * g.kernel.w; ++tap)
      pixels[tap] = tap / g.kernel.w * g.dilation.h * g.w +
                    tap % g.kernel.w * g.dilation.w;
  }
};
} // namespace

static memplan_status_t backward(const memplan_launch_t *launch) {
  Pool2dGeometry g(launch, launch->outputs[0], launch->inputs[0]);
  const float *dy = f32(launch->inputs[0]);
  const int8_t *indices = i8(launch->inputs[1]);
  float *dx = f32(launch->outputs[0]);
  const int64_t taps = g.kernel.h * g.kernel.w;
  const TapOffsets offset(g);
  Span rows = insideRows(g), columns = insideColumns(g);
  std::atomic<int> bad{0};
  auto plane = [&](int64_t p) {
    float *image = dx + p * g.h * g.w;
    int64_t cleared = 0;
    // Rows are cleared just before the first gradient may reach them, so that
    // they are still in cache then.
    auto clear = [&](int64_t end) {
      if (end > cleared)
        std::fill_n(image + cleared * g.w, (end - cleared) * g.w, 0.0f);
      cleared = std::max(cleared, end);
    };
    for (int64_t i = 0; i < g.ho; ++i) {
      int64_t top = i * g.strides.h - g.padding.h;
      clear(std::min(g.h, top + (g.kernel.h - 1) * g.dilation.h + 1));
      bool inside = rows.holds(i);
      for (int64_t j = 0; j < g.wo; ++j) {
        int64_t at = (p * g.ho + i) * g.wo + j, index = indices[at];
        int64_t left = j * g.strides.w - g.padding.w;
        if (inside && columns.holds(j) && uint64_t(index) < uint64_t(taps)) {
          image[top * g.w + left + offset.pixels[index]] += dy[at];
          continue;
        }
        int64_t y = top + index / g.kernel.w * g.dilation.h;
        int64_t x = left + index % g.kernel.w * g.dilation.w;
        if (index < 0 || index >= taps || y < 0 || y >= g.h || x < 0 ||
            x >= g.w)
          bad.store(1, std::memory_order_relaxed);
        else
          image[y * g.w + x] += dy[at];
      }
    }
    clear(g.h);
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

//===----------------------------------------------------------------------===//
// Channels last
//===----------------------------------------------------------------------===//

/// Channels of one window that are compared side by side.
static constexpr int64_t mostChannels = 128;

namespace {
/// The pixels of one window that lie in the image, by their first elements.
struct Taps {
  const Pool2dGeometry &g;
  int64_t top, left;

  Taps(const Pool2dGeometry &g, int64_t i, int64_t j)
      : g(g), top(i * g.strides.h - g.padding.h),
        left(j * g.strides.w - g.padding.w) {}
  bool holds(int64_t tap) const {
    int64_t y = top + tap / g.kernel.w * g.dilation.h;
    int64_t x = left + tap % g.kernel.w * g.dilation.w;
    return y >= 0 && y < g.h && x >= 0 && x < g.w;
  }
  /// Calls visit(tap, pixel) in the order of taps.
  template <typename Visit> MEMPLAN_INLINE void each(const Visit &visit) const {
    for (int64_t a = 0; a < g.kernel.h; ++a)
      for (int64_t b = 0; b < g.kernel.w; ++b) {
        int64_t y = top + a * g.dilation.h, x = left + b * g.dilation.w;
        if (y >= 0 && y < g.h && x >= 0 && x < g.w)
          visit(int32_t(a * g.kernel.w + b), y * g.w + x);
      }
  }
};
} // namespace

/// Channels [begin, end) of one window; `x` is the image and `y` and `indices`
/// are those of the window.
MEMPLAN_INLINE static inline void
largestChannels(const Taps &window, const float *x, int64_t channels,
                int64_t begin, int64_t end, float *y, int8_t *indices) {
  float values[mostChannels];
  int32_t taps[mostChannels];
  const int64_t width = end - begin;
  bool first = true;
  window.each([&](int32_t tap, int64_t pixel) MEMPLAN_INLINE {
    const float *from = x + pixel * channels + begin;
    if (first)
      for (int64_t c = 0; c < width; ++c) {
        values[c] = from[c];
        taps[c] = tap;
      }
    else
      for (int64_t c = 0; c < width; ++c) {
        float here = from[c], value = values[c];
        // As takeTap().
        bool better = !(here <= value) & (value == value);
        values[c] = better ? here : value;
        taps[c] = better ? tap : taps[c];
      }
    first = false;
  });
  for (int64_t c = 0; c < width; ++c) {
    y[begin + c] = values[c];
    indices[begin + c] = int8_t(taps[c]);
  }
}

static memplan_status_t forwardLast(const memplan_launch_t *launch) {
  const Pool2dGeometry g(launch, launch->inputs[0], launch->outputs[0]);
  const float *x = f32(launch->inputs[0]);
  float *y = f32(launch->outputs[0]);
  int8_t *indices = i8(launch->outputs[1]);
  const int64_t channels = g.interleaved, samples = g.planes / channels;
  auto rows = [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t j = 0; j < g.wo; ++j) {
        const int64_t at = (row * g.wo + j) * channels;
        const Taps window(g, row % g.ho, j);
        for (int64_t c = 0; c < channels; c += mostChannels)
          largestChannels(window, x + row / g.ho * g.h * g.w * channels,
                          channels, c, std::min(c + mostChannels, channels),
                          y + at, indices + at);
      }
  };
  vectorFor(launch, samples * g.ho, rowGrain(g.w * g.strides.h * channels),
            rows);
  return MEMPLAN_OK;
}

static memplan_status_t backwardLast(const memplan_launch_t *launch) {
  const Pool2dGeometry g(launch, launch->outputs[0], launch->inputs[0]);
  const float *dy = f32(launch->inputs[0]);
  const int8_t *indices = i8(launch->inputs[1]);
  float *dx = f32(launch->outputs[0]);
  const int64_t channels = g.interleaved, samples = g.planes / channels;
  const int64_t pieces = (channels + lanes - 1) / lanes;
  const int64_t taps = g.kernel.h * g.kernel.w;
  const TapOffsets offset(g);
  const Span rows = insideRows(g), columns = insideColumns(g);
  std::atomic<int> bad{0};
  // Windows overlap, so that a task has all of them for some channels.
  auto piece = [&](int64_t sample, int64_t begin, int64_t end) {
    float *image = dx + sample * g.h * g.w * channels;
    for (int64_t pixel = 0; pixel < g.h * g.w; ++pixel)
      std::fill_n(image + pixel * channels + begin, end - begin, 0.0f);
    for (int64_t i = 0; i < g.ho; ++i)
      for (int64_t j = 0; j < g.wo; ++j) {
        const Taps window(g, i, j);
        const int64_t at = ((sample * g.ho + i) * g.wo + j) * channels;
        const int64_t origin = window.top * g.w + window.left;
        const bool inside = rows.holds(i) && columns.holds(j);
        for (int64_t c = begin; c < end; ++c) {
          const int64_t tap = indices[at + c];
          if (tap < 0 || tap >= taps || !(inside || window.holds(tap)))
            bad.store(1, std::memory_order_relaxed);
          else
            image[(origin + offset.pixels[tap]) * channels + c] += dy[at + c];
        }
      }
  };
  parallelFor(launch, samples * pieces, rowGrain(g.h * g.w * lanes),
              [&](int64_t begin, int64_t end) {
                for (int64_t p = begin; p < end; ++p) {
                  const int64_t first = p % pieces * lanes;
                  piece(p / pieces, first, std::min(first + lanes, channels));
                }
              });
  if (bad.load(std::memory_order_relaxed))
    return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                "an index lies outside of its window or of the image");
  return MEMPLAN_OK;
}

/// Gradients of 16 bits add up in f32 copies.
static bool staysLast(const memplan_launch_t *launch) {
  return hasChannelsLast(launch) && elementType(launch) == MEMPLAN_F32;
}

static memplan_status_t prepare(const memplan_launch_t *launch,
                                memplan_prepared_t *prepared) {
  return staysLast(launch) ? checkLaunch(launch, prepared)
                           : prepareWidened(launch, prepared);
}

template <LaunchFunction last, LaunchFunction first>
static memplan_status_t byLayout(const memplan_launch_t *launch) {
  return staysLast(launch) ? inRows<last>(launch)
                           : widened<inRows<first>>(launch);
}

KernelList maxPoolKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      {"memplan.max_pool2d", prepare, byLayout<forwardLast, forward>, nullptr,
       nullptr, 0},
      {"memplan.max_pool2d_grad", prepare, byLayout<backwardLast, backward>,
       nullptr, nullptr, 0},
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
