//===- Softmax.cu - Softmax along any axis ----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

namespace memplan::runtime::cuda {

/// The lines along the axis: line l begins at first(l), its elements `step`
/// apart.
struct Lines {
  int64_t count, length, step;

  explicit Lines(const Call &call) {
    const memplan_tensor_t &x = call.input(0);
    int axis = dimensionAttribute(call.launch, "axis", x.rank);
    length = x.shape[axis];
    step = product(x, axis + 1, x.rank);
    count = product(x, 0, axis) * step;
  }
  MEMPLAN_DEVICE int64_t first(int64_t line) const {
    return line / step * step * length + line % step;
  }
};

static memplan_status_t forward(const Call &call) {
  const float *x = call.in(0);
  float *y = call.out(0);
  Lines lines(call);
  forEachBlock(call, lines.count, lines.length,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t line) {
                 int64_t first = lines.first(line), step = lines.step;
                 float largest = block.largest(lines.length, [&](int64_t i) {
                   return x[first + i * step];
                 });
                 double sum = block.sum(lines.length, [&](int64_t i) {
                   return double(::expf(x[first + i * step] - largest));
                 });
                 float factor = float(1.0 / sum);
                 block.each(lines.length, [&](int64_t i) {
                   int64_t at = first + i * step;
                   y[at] = ::expf(x[at] - largest) * factor;
                 });
               });
  return MEMPLAN_OK;
}

static memplan_status_t backward(const Call &call) {
  const float *y = call.in(0), *dy = call.in(1);
  float *dx = call.out(0);
  Lines lines(call);
  forEachBlock(call, lines.count, lines.length,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t line) {
                 int64_t first = lines.first(line), step = lines.step;
                 float mean = float(block.sum(lines.length, [&](int64_t i) {
                   return double(y[first + i * step]) * dy[first + i * step];
                 }));
                 block.each(lines.length, [&](int64_t i) {
                   int64_t at = first + i * step;
                   dx[at] = y[at] * (dy[at] - mean);
                 });
               });
  return MEMPLAN_OK;
}

KernelTable softmaxKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.softmax", forward},
      {"memplan.softmax_grad", backward},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
