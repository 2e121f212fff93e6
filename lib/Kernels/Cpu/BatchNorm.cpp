//===- BatchNorm.cpp - Batch normalization --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Per channel c of x [N,C,...], all f32,
// over the N * inner values of a channel.
// memplan.batch_norm: mean, invstd = 1 / sqrt(biased variance + epsilon),
//   y = (x - mean) * invstd * scale + bias, and the unbiased variance.
//   in x, scale [C], bias [C]   out y (may be x), mean, invstd, variance [C]
// memplan.batch_norm_grad, with h = (x - mean) * invstd and M values:
//   dbias = sum dy, dscale = sum dy h,
//   dx = scale invstd (dy - dbias / M - h dscale / M)
//   in dy, x, scale, mean, invstd   out dx (may be dy or x), dscale, dbias
// memplan.batch_norm_update_stats, for the running mean and variance:
//   r = (1 - momentum) r + momentum * new
//   in runningMean, runningVar, mean, variance
//
//===----------------------------------------------------------------------===//

#include "Vectors.h"

#include <cmath>

namespace memplan::runtime::cpu {

namespace {
struct Extent {
  int64_t n, c, inner;

  explicit Extent(const memplan_tensor_t &x)
      : n(x.shape[0]), c(x.shape[1]), inner(product(x, 2, x.rank)) {}
  int64_t perChannel() const { return n * inner; }
};
} // namespace

namespace {
/// An operand [n, c, inner] whose samples may lie apart.
struct Samples {
  float *data;
  int64_t stride, inner;

  Samples(const memplan_launch_t *launch, int operand, const Extent &extent)
      : data(f32(operandOf(launch, operand))),
        stride(strideOf(launch, operand, 0)), inner(extent.inner) {}
  /// The run of channel c in sample n.
  MEMPLAN_INLINE float *run(int64_t n, int64_t c) const {
    return data + n * stride + c * inner;
  }
};
} // namespace

namespace {
struct Moments {
  double mean, squares; ///< squares: of the distances from the mean
};
} // namespace

/// One pass: distances are taken from the first value, so that a mean far from
/// zero costs no digits.
MEMPLAN_INLINE static inline Moments momentsOf(const Extent &extent, int64_t c,
                                               const Samples &x) {
  LaneSum sum, squares;
  double count = double(extent.perChannel());
  double origin = count > 0 ? *x.run(0, c) : 0;
  for (int64_t n = 0; n < extent.n; ++n) {
    const float *run = x.run(n, c);
    eachBlock(
        extent.inner,
        [&](int64_t i) MEMPLAN_INLINE {
          Floats values;
          load(values, run + i);
          Doubles d = __builtin_convertvector(values, Doubles) - origin;
          sum.lane += d;
          squares.lane += d * d;
        },
        [&](int64_t i, int64_t lane) MEMPLAN_INLINE {
          double d = run[i] - origin;
          sum.lane[lane] += d;
          squares.lane[lane] += d * d;
        });
  }
  double total = sum.total(), offset = total / count;
  double around = squares.total() - total * offset;
  // Not std::max: a NaN must stay one.
  return {origin + offset, around < 0 ? 0 : around};
}

static memplan_status_t forward(const memplan_launch_t *launch) {
  Extent extent(launch->inputs[0]);
  const Samples x(launch, 0, extent), y(launch, launch->input_count, extent);
  const float *scale = f32(launch->inputs[1]);
  const float *bias = f32(launch->inputs[2]);
  float *means = f32(launch->outputs[1]);
  float *invstds = f32(launch->outputs[2]);
  float *variances = f32(launch->outputs[3]);
  double epsilon = floatAttribute(launch, "epsilon", 1e-5);
  double count = double(extent.perChannel());
  auto channels = [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
    for (int64_t c = begin; c < end; ++c) {
      auto [mean, squares] = momentsOf(extent, c, x);
      means[c] = float(mean);
      invstds[c] = float(1.0 / std::sqrt(squares / count + epsilon));
      variances[c] = float(squares / (count > 1 ? count - 1 : 1));
      float m = means[c], factor = invstds[c] * scale[c], shift = bias[c];
      for (int64_t n = 0; n < extent.n; ++n) {
        const float *from = x.run(n, c);
        float *to = y.run(n, c);
        MEMPLAN_INDEPENDENT
        for (int64_t i = 0; i < extent.inner; ++i)
          to[i] = (from[i] - m) * factor + shift;
      }
    }
  };
  vectorFor(launch, extent.c, rowGrain(extent.perChannel()), channels);
  return MEMPLAN_OK;
}

namespace {
struct GradSums {
  double grads, products; ///< of dy, and of dy h
};
} // namespace

MEMPLAN_INLINE static inline GradSums gradSumsOf(const Extent &extent,
                                                 int64_t c, const Samples &dy,
                                                 const Samples &x, float mean,
                                                 float invstd) {
  LaneSum grads, products;
  for (int64_t n = 0; n < extent.n; ++n) {
    const float *dyRun = dy.run(n, c), *run = x.run(n, c);
    eachBlock(
        extent.inner,
        [&](int64_t i) MEMPLAN_INLINE {
          Floats g, values;
          load(g, dyRun + i);
          load(values, run + i);
          Floats h = (values - mean) * invstd;
          Doubles wide = __builtin_convertvector(g, Doubles);
          grads.lane += wide;
          products.lane += wide * __builtin_convertvector(h, Doubles);
        },
        [&](int64_t i, int64_t lane) MEMPLAN_INLINE {
          grads.lane[lane] += dyRun[i];
          products.lane[lane] += double(dyRun[i]) * ((run[i] - mean) * invstd);
        });
  }
  return {grads.total(), products.total()};
}

static memplan_status_t backward(const memplan_launch_t *launch) {
  Extent extent(launch->inputs[1]);
  const Samples dy(launch, 0, extent), x(launch, 1, extent);
  const Samples dx(launch, launch->input_count, extent);
  const float *scale = f32(launch->inputs[2]), *means = f32(launch->inputs[3]);
  const float *invstds = f32(launch->inputs[4]);
  float *dscale = f32(launch->outputs[1]);
  float *dbias = f32(launch->outputs[2]);
  double count = double(extent.perChannel());
  auto channels = [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
    for (int64_t c = begin; c < end; ++c) {
      float mean = means[c], invstd = invstds[c];
      auto [sum, products] = gradSumsOf(extent, c, dy, x, mean, invstd);
      float factor = scale[c] * invstd;
      float meanGrad = float(sum / count),
            meanProduct = float(products / count);
      for (int64_t n = 0; n < extent.n; ++n) {
        const float *values = x.run(n, c), *grads = dy.run(n, c);
        float *to = dx.run(n, c);
        MEMPLAN_INDEPENDENT
        for (int64_t i = 0; i < extent.inner; ++i) {
          float h = (values[i] - mean) * invstd;
          to[i] = factor * (grads[i] - meanGrad - h * meanProduct);
        }
      }
      dscale[c] = float(products);
      dbias[c] = float(sum);
    }
  };
  vectorFor(launch, extent.c, rowGrain(extent.perChannel()), channels);
  return MEMPLAN_OK;
}

static memplan_status_t updateStats(const memplan_launch_t *launch) {
  float momentum = float(floatAttribute(launch, "momentum", 0.1));
  float keep = 1.0f - momentum;
  for (int which = 0; which < 2; ++which) {
    const float *running = f32(launch->inputs[which]);
    const float *fresh = f32(launch->inputs[2 + which]);
    float *out = f32(launch->outputs[which]);
    for (int64_t i = 0; i < elements(launch->outputs[which]); ++i)
      out[i] = keep * running[i] + momentum * fresh[i];
  }
  return MEMPLAN_OK;
}

KernelList batchNormKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeKernel("memplan.batch_norm", forward),
      makeKernel("memplan.batch_norm_grad", backward),
      makeKernel("memplan.batch_norm_update_stats", updateStats),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
