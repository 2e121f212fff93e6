//===- Conv2dInputGrad.cpp - Gradient of a convolution by its input -------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.conv2d_input_grad: dx[n,c,y,x] = sum over o, a, b of
//   filter[o,c,a,b] * dy[n,o,i,j]   where y = i s - p + a d and x = j s - p + b
//   d in  dy [N,O,Ho,Wo], filter [O,C/groups,kh,kw]   f32    out dx [N,C,H,W]
// memplan.conv_transpose2d: the same sum plus a bias; its input stands for dy.
//   in  input [N,C',H',W'], filter [C',O'/groups,kh,kw], bias [O'] (optional)
//
//===----------------------------------------------------------------------===//

#include "../Conv2dGeometry.h"
#include "Elements.h"

#include <algorithm>

namespace memplan::runtime::cpu {

/// Adds to one row [n, c, y, :] of the image all products that reach it.
static void sumRow(const Conv2dGeometry &g, const float *dy,
                   const float *filter, int64_t cInGroup, int64_t y,
                   float *row) {
  int64_t cg = g.channelsPerGroup();
  for (int64_t o = 0; o < g.outputsPerGroup(); ++o)
    for (int64_t a = 0; a < g.kh; ++a) {
      int64_t scaled = y + g.padding.h - a * g.dilation.h;
      if (scaled < 0 || scaled % g.strides.h != 0 ||
          scaled / g.strides.h >= g.ho)
        continue;
      const float *line = dy + (o * g.ho + scaled / g.strides.h) * g.wo;
      const float *weights = filter + ((o * cg + cInGroup) * g.kh + a) * g.kw;
      for (int64_t b = 0; b < g.kw; ++b) {
        int64_t offset = b * g.dilation.w - g.padding.w;
        Span valid = validPositions(g.wo, g.w, g.strides.w, offset);
        float weight = weights[b];
        if (g.strides.w == 1)
          for (int64_t j = valid.begin; j < valid.end; ++j)
            row[j + offset] += weight * line[j];
        else
          for (int64_t j = valid.begin; j < valid.end; ++j)
            row[j * g.strides.w + offset] += weight * line[j];
      }
    }
}

static memplan_status_t inputGrad(const memplan_launch_t *launch) {
  Conv2dGeometry g = conv2dGeometry(launch, launch->outputs[0],
                                    launch->inputs[1], launch->inputs[0]);
  const float *dy = f32(launch->inputs[0]);
  const float *filter = f32(launch->inputs[1]);
  const float *bias =
      launch->input_count == 3 ? f32(launch->inputs[2]) : nullptr;
  float *dx = f32(launch->outputs[0]);
  int64_t cg = g.channelsPerGroup(), og = g.outputsPerGroup();
  parallelFor(launch, g.n * g.c, 1, [&](int64_t beginPlane, int64_t endPlane) {
    for (int64_t plane = beginPlane; plane < endPlane; ++plane) {
      int64_t n = plane / g.c, c = plane % g.c, group = c / cg;
      for (int64_t y = 0; y < g.h; ++y) {
        float *row = dx + (plane * g.h + y) * g.w;
        std::fill_n(row, g.w, bias ? bias[c] : 0.0f);
        sumRow(g, dy + (n * g.o + group * og) * g.ho * g.wo,
               filter + group * og * cg * g.kh * g.kw, c % cg, y, row);
      }
    }
  });
  return MEMPLAN_OK;
}

KernelList conv2dInputGradKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeWidened<inRows<inputGrad, 1>>("memplan.conv2d_input_grad"),
      makeWidened<inRows<inputGrad, 1>>("memplan.conv_transpose2d"),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
