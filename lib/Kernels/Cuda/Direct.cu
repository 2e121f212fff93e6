//===- Direct.cu - Products and convolutions without libraries ------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread or block per result element. Slow, and there for machines without
// cuBLAS or cuDNN and for shapes that those refuse.
//
//===----------------------------------------------------------------------===//

#include "../Conv2dGeometry.h"
#include "../MatmulShape.h"
#include "Kernel.h"
#include "Launch.h"

namespace memplan::runtime::cuda {

using kernels::Conv2dGeometry;
using kernels::conv2dGeometry;
using kernels::MatmulShape;

static memplan_status_t matmul(const Call &call) {
  MatmulShape s(call.launch);
  const float *lhs = call.in(0), *rhs = call.in(1), *bias = call.in(2);
  float *y = call.out(0);
  forEach(call, s.batches * s.m * s.n, [=] MEMPLAN_DEVICE(int64_t at) {
    int64_t n = at % s.n, m = at / s.n % s.m, batch = at / s.n / s.m;
    const float *a = lhs + batch * s.m * s.k;
    const float *b = rhs + (s.batchedRhs ? batch * s.k * s.n : 0);
    float sum = bias ? bias[n] : 0.0f;
    for (int64_t k = 0; k < s.k; ++k)
      sum += a[s.transposeLhs ? k * s.m + m : m * s.k + k] *
             b[s.transposeRhs ? n * s.k + k : k * s.n + n];
    y[at] = sum;
  });
  return MEMPLAN_OK;
}

KernelTable plainMatmulKernels() {
  static constexpr Kernel kernels[] = {{"memplan.matmul", matmul}};
  return kernels;
}

/// The four numbers of an element of a tensor of rank 4.
struct Numbers4 {
  int64_t n, c, h, w;
};

/// Where the elements of a tensor of c x h x w lie. The layout is known when
/// the kernel is compiled: strides would take registers.
template <bool channelsLast> struct Layout {
  int64_t c, h, w;

  MEMPLAN_DEVICE int64_t place(const Numbers4 &at) const {
    return channelsLast ? ((at.n * h + at.h) * w + at.w) * c + at.c
                        : ((at.n * c + at.c) * h + at.h) * w + at.w;
  }
  MEMPLAN_DEVICE Numbers4 numbers(int64_t place) const {
    if (channelsLast)
      return {place / c / w / h, place % c, place / c / w % h, place / c % w};
    return {place / w / h / c, place / w / h % c, place / w % h, place % w};
  }
};

/// Layouts of the three tensors of a convolution.
template <bool channelsLast> struct ConvLayouts {
  Layout<channelsLast> x, f, y; ///< image, filter (o, c, kh, kw), result

  explicit ConvLayouts(const Conv2dGeometry &g)
      : x{g.c, g.h, g.w}, f{g.channelsPerGroup(), g.kh, g.kw},
        y{g.o, g.ho, g.wo} {}
};

/// y[n,o,i,j] = bias[o] + sum of x[n,c,i s - p + a d,...] filter[o,c,a,b], or 0
/// where that is below and the launch has `relu`.
template <bool channelsLast> static memplan_status_t conv2d(const Call &call) {
  Conv2dGeometry g =
      conv2dGeometry(call.launch, call.input(0), call.input(1), call.output(0));
  const float *x = call.in(0), *filter = call.in(1), *bias = call.in(2);
  float *y = call.out(0);
  const bool relu = intAttribute(call.launch, "relu", 0) != 0;
  int64_t cg = g.channelsPerGroup(), og = g.outputsPerGroup();
  const ConvLayouts<channelsLast> layouts(g);
  forEach(call, g.n * g.o * g.ho * g.wo, [=] MEMPLAN_DEVICE(int64_t at) {
    const auto [n, o, i, j] = layouts.y.numbers(at);
    float sum = bias ? bias[o] : 0.0f;
    for (int64_t c = 0; c < cg; ++c)
      for (int64_t a = 0; a < g.kh; ++a) {
        int64_t row = i * g.strides.h - g.padding.h + a * g.dilation.h;
        if (row < 0 || row >= g.h)
          continue;
      // Unrolled, it would not fit into the registers.
#ifdef __CUDACC__
#pragma unroll 1
#endif
        for (int64_t b = 0; b < g.kw; ++b) {
          int64_t column = j * g.strides.w - g.padding.w + b * g.dilation.w;
          if (column >= 0 && column < g.w)
            sum += filter[layouts.f.place({o, c, a, b})] *
                   x[layouts.x.place({n, o / og * cg + c, row, column})];
        }
      }
    y[at] = relu && sum < 0 ? 0.0f : sum;
  });
  return MEMPLAN_OK;
}

/// Also the transposed convolution, whose image is its output.
template <bool channelsLast>
static memplan_status_t inputGrad(const Call &call) {
  Conv2dGeometry g =
      conv2dGeometry(call.launch, call.output(0), call.input(1), call.input(0));
  const float *dy = call.in(0), *filter = call.in(1), *bias = call.in(2);
  float *dx = call.out(0);
  int64_t cg = g.channelsPerGroup(), og = g.outputsPerGroup();
  const ConvLayouts<channelsLast> layouts(g);
  forEach(call, g.n * g.c * g.h * g.w, [=] MEMPLAN_DEVICE(int64_t at) {
    const auto [n, c, y, x] = layouts.x.numbers(at);
    int64_t firstO = c / cg * og;
    float sum = bias ? bias[c] : 0.0f;
    for (int64_t o = firstO; o < firstO + og; ++o)
      for (int64_t a = 0; a < g.kh; ++a) {
        int64_t row = y + g.padding.h - a * g.dilation.h;
        if (row < 0 || row % g.strides.h != 0 || row / g.strides.h >= g.ho)
          continue;
        for (int64_t b = 0; b < g.kw; ++b) {
          int64_t column = x + g.padding.w - b * g.dilation.w;
          if (column < 0 || column % g.strides.w != 0 ||
              column / g.strides.w >= g.wo)
            continue;
          sum += filter[layouts.f.place({o, c % cg, a, b})] *
                 dy[layouts.y.place(
                     {n, o, row / g.strides.h, column / g.strides.w})];
        }
      }
    dx[at] = sum;
  });
  return MEMPLAN_OK;
}

/// A block per filter element sums over samples and positions.
template <bool channelsLast>
static memplan_status_t filterGrad(const Call &call) {
  Conv2dGeometry g =
      conv2dGeometry(call.launch, call.input(0), call.output(0), call.input(1));
  const float *x = call.in(0), *dy = call.in(1);
  float *df = call.out(0);
  int64_t cg = g.channelsPerGroup(), og = g.outputsPerGroup();
  int64_t positions = g.n * g.ho * g.wo;
  const ConvLayouts<channelsLast> layouts(g);
  forEachBlock(
      call, g.o * cg * g.kh * g.kw, positions,
      [=] MEMPLAN_DEVICE(const Block &block, int64_t at) {
        const Numbers4 f = layouts.f.numbers(at);
        const int64_t o = f.n, c = o / og * cg + f.c, a = f.h, b = f.w;
        double sum = block.sum(positions, [&](int64_t k) {
          int64_t j = k % g.wo, i = k / g.wo % g.ho, n = k / g.wo / g.ho;
          int64_t row = i * g.strides.h - g.padding.h + a * g.dilation.h;
          int64_t column = j * g.strides.w - g.padding.w + b * g.dilation.w;
          if (row < 0 || row >= g.h || column < 0 || column >= g.w)
            return 0.0;
          return double(x[layouts.x.place({n, c, row, column})]) *
                 dy[layouts.y.place({n, o, i, j})];
        });
        block.each(1, [&](int64_t) { df[at] = float(sum); });
      });
  return MEMPLAN_OK;
}

template <memplan_status_t first(const Call &),
          memplan_status_t last(const Call &)>
static memplan_status_t inLayout(const Call &call) {
  return kernels::hasChannelsLast(call.launch) ? last(call) : first(call);
}

KernelTable directConvolutionKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.conv2d", inLayout<conv2d<false>, conv2d<true>>},
      {"memplan.conv2d_filter_grad",
       inLayout<filterGrad<false>, filterGrad<true>>},
      {"memplan.conv2d_input_grad",
       inLayout<inputGrad<false>, inputGrad<true>>},
      {"memplan.conv_transpose2d", inLayout<inputGrad<false>, inputGrad<true>>},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
