//===- Conv2d.cpp - Two-dimensional convolution ---------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.conv2d: y[n,o,i,j] = bias[o] + sum over c, a, b of
//   filter[o,c,a,b] * x[n, c, i s - p + a d, j s - p + b d]
//   in  x [N,C,H,W], filter [O,C/groups,kh,kw], bias [O] (optional)   f32
//   out y [N,O,Ho,Wo]; with `relu` no element is below 0
// A row of the output is summed in pieces that stay in the first cache; the
// order of the sum is c, a, b for every element.
//
//===----------------------------------------------------------------------===//

#include "../Conv2dGeometry.h"
#include "Elements.h"

#include <algorithm>

namespace memplan::runtime::cpu {

static constexpr int64_t tile = 256;

namespace {
/// One output row [n, o, i, :].
struct RowOf {
  const Conv2dGeometry &g;
  const float *x;      ///< image of sample n, at the first channel of the group
  const float *filter; ///< filter o
  int64_t i;
};
} // namespace

/// Adds to sum[j - first] for j in [first, last) all products of the row.
static void sumRow(const RowOf &row, int64_t first, int64_t last, float *sum) {
  const Conv2dGeometry &g = row.g;
  for (int64_t c = 0; c < g.channelsPerGroup(); ++c)
    for (int64_t a = 0; a < g.kh; ++a) {
      int64_t y = row.i * g.strides.h - g.padding.h + a * g.dilation.h;
      if (y < 0 || y >= g.h)
        continue;
      const float *line = row.x + (c * g.h + y) * g.w;
      const float *weights = row.filter + (c * g.kh + a) * g.kw;
      for (int64_t b = 0; b < g.kw; ++b) {
        int64_t offset = b * g.dilation.w - g.padding.w;
        Span valid = validPositions(g.wo, g.w, g.strides.w, offset);
        int64_t begin = std::max(valid.begin, first);
        int64_t end = std::min(valid.end, last);
        float weight = weights[b];
        if (g.strides.w == 1)
          for (int64_t j = begin; j < end; ++j)
            sum[j - first] += weight * line[j + offset];
        else
          for (int64_t j = begin; j < end; ++j)
            sum[j - first] += weight * line[j * g.strides.w + offset];
      }
    }
}

static memplan_status_t conv2d(const memplan_launch_t *launch) {
  Conv2dGeometry g = conv2dGeometry(launch, launch->inputs[0],
                                    launch->inputs[1], launch->outputs[0]);
  const float *x = f32(launch->inputs[0]);
  const float *filter = f32(launch->inputs[1]);
  const float *bias =
      launch->input_count == 3 ? f32(launch->inputs[2]) : nullptr;
  float *y = f32(launch->outputs[0]);
  const bool relu = intAttribute(launch, "relu", 0) != 0;
  int64_t cg = g.channelsPerGroup();
  parallelFor(launch, g.n * g.o, 1, [&](int64_t beginPlane, int64_t endPlane) {
    for (int64_t plane = beginPlane; plane < endPlane; ++plane) {
      int64_t n = plane / g.o, o = plane % g.o;
      int64_t group = o / g.outputsPerGroup();
      RowOf row{g, x + (n * g.c + group * cg) * g.h * g.w,
                filter + o * cg * g.kh * g.kw, 0};
      for (row.i = 0; row.i < g.ho; ++row.i)
        for (int64_t first = 0; first < g.wo; first += tile) {
          float sum[tile];
          int64_t last = std::min(first + tile, g.wo);
          std::fill_n(sum, last - first, bias ? bias[o] : 0.0f);
          sumRow(row, first, last, sum);
          for (int64_t j = 0; relu && j < last - first; ++j)
            sum[j] = sum[j] < 0 ? 0.0f : sum[j];
          std::copy_n(sum, last - first,
                      y + (plane * g.ho + row.i) * g.wo + first);
        }
    }
  });
  return MEMPLAN_OK;
}

KernelList conv2dKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeWidened<inRows<conv2d, 1>>("memplan.conv2d"),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
