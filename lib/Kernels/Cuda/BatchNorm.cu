//===- BatchNorm.cu - Batch normalization -----------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

namespace memplan::runtime::cuda {

/// Where element i of channel c lies: samples, channels, the rest.
struct ChannelExtent {
  int64_t n, c, inner;

  explicit ChannelExtent(const memplan_tensor_t &x)
      : n(x.shape[0]), c(x.shape[1]), inner(product(x, 2, x.rank)) {}
  int64_t perChannel() const { return n * inner; }
  MEMPLAN_DEVICE int64_t at(int64_t channel, int64_t i) const {
    return (i / inner * c + channel) * inner + i % inner;
  }
};

/// A block per channel; y may be x: an element is written by the thread that
/// read it, after all sums.
static memplan_status_t forward(const Call &call) {
  ChannelExtent extent(call.input(0));
  const float *x = call.in(0), *scale = call.in(1), *bias = call.in(2);
  float *y = call.out(0), *means = call.out(1), *invstds = call.out(2);
  float *variances = call.out(3);
  double epsilon = floatAttribute(call.launch, "epsilon", 1e-5);
  int64_t per = extent.perChannel();
  forEachBlock(
      call, extent.c, per, [=] MEMPLAN_DEVICE(const Block &block, int64_t c) {
        double mean = block.sum(per, [&](int64_t i) {
          return double(x[extent.at(c, i)]);
        }) / double(per);
        double squares = block.sum(per, [&](int64_t i) {
          double d = x[extent.at(c, i)] - mean;
          return d * d;
        });
        float m = float(mean);
        float invstd = float(1.0 / ::sqrt(squares / double(per) + epsilon));
        block.each(1, [&](int64_t) {
          means[c] = m;
          invstds[c] = invstd;
          variances[c] = float(squares / double(per > 1 ? per - 1 : 1));
        });
        float factor = invstd * scale[c], shift = bias[c];
        block.each(per, [&](int64_t i) {
          int64_t at = extent.at(c, i);
          y[at] = (x[at] - m) * factor + shift;
        });
      });
  return MEMPLAN_OK;
}

static memplan_status_t backward(const Call &call) {
  ChannelExtent extent(call.input(1));
  const float *dy = call.in(0), *x = call.in(1), *scale = call.in(2);
  const float *means = call.in(3), *invstds = call.in(4);
  float *dx = call.out(0), *dscale = call.out(1), *dbias = call.out(2);
  int64_t per = extent.perChannel();
  forEachBlock(call, extent.c, per,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t c) {
                 float mean = means[c], invstd = invstds[c];
                 // The sum of dy, and of dy times the normalized input.
                 Sums<2> sums = block.sums<2>(per, [&](int64_t i, double *sum) {
                   int64_t at = extent.at(c, i);
                   sum[0] += dy[at];
                   sum[1] += double(dy[at]) * ((x[at] - mean) * invstd);
                 });
                 float factor = scale[c] * invstd;
                 float meanGrad = float(sums.value[0] / double(per));
                 float meanProduct = float(sums.value[1] / double(per));
                 block.each(per, [&](int64_t i) {
                   int64_t at = extent.at(c, i);
                   float h = (x[at] - mean) * invstd;
                   dx[at] = factor * (dy[at] - meanGrad - h * meanProduct);
                 });
                 block.each(1, [&](int64_t) {
                   dscale[c] = float(sums.value[1]);
                   dbias[c] = float(sums.value[0]);
                 });
               });
  return MEMPLAN_OK;
}

static memplan_status_t updateStats(const Call &call) {
  float momentum = float(floatAttribute(call.launch, "momentum", 0.1));
  float keep = 1.0f - momentum;
  for (int which = 0; which < 2; ++which) {
    const float *running = call.in(which), *fresh = call.in(2 + which);
    float *out = call.out(which);
    forEach(call, elements(call.output(which)), [=] MEMPLAN_DEVICE(int64_t i) {
      out[i] = keep * running[i] + momentum * fresh[i];
    });
  }
  return MEMPLAN_OK;
}

KernelTable batchNormKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.batch_norm", forward},
      {"memplan.batch_norm_grad", backward},
      {"memplan.batch_norm_update_stats", updateStats},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
