//===- BatchNorm.cpp - Batch normalization --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Per channel c of x [N,C,...], over the N * inner values of a channel; the
// statistics are f32, and scale and bias may be beside an x of 16 bits.
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

#include "Elements.h"
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
template <typename T> struct Samples {
  T *data;
  int64_t stride, inner;

  Samples(const memplan_launch_t *launch, int operand, const Extent &extent)
      : data(dataOf<T>(operandOf(launch, operand))),
        stride(strideOf(launch, operand, 0)), inner(extent.inner) {}
  /// The run of channel c in sample n.
  MEMPLAN_INLINE T *run(int64_t n, int64_t c) const {
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
template <typename T>
MEMPLAN_INLINE static inline Moments momentsOf(const Extent &extent, int64_t c,
                                               const Samples<T> &x) {
  LaneSum sum, squares;
  double count = double(extent.perChannel());
  double origin = count > 0 ? double(*x.run(0, c)) : 0;
  for (int64_t n = 0; n < extent.n; ++n) {
    const T *run = x.run(n, c);
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
          double d = double(run[i]) - origin;
          sum.lane[lane] += d;
          squares.lane[lane] += d * d;
        });
  }
  double total = sum.total(), offset = total / count;
  double around = squares.total() - total * offset;
  // Not std::max: a NaN must stay one.
  return {origin + offset, around < 0 ? 0 : around};
}

template <typename T, typename P>
static memplan_status_t forward(const memplan_launch_t *launch) {
  Extent extent(launch->inputs[0]);
  const Samples<T> x(launch, 0, extent);
  const Samples<T> y(launch, launch->input_count, extent);
  const P *scale = dataOf<P>(launch->inputs[1]);
  const P *bias = dataOf<P>(launch->inputs[2]);
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
        const T *from = x.run(n, c);
        T *to = y.run(n, c);
        MEMPLAN_INDEPENDENT
        for (int64_t i = 0; i < extent.inner; ++i)
          to[i] = T((from[i] - m) * factor + shift);
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

template <typename T>
MEMPLAN_INLINE static inline GradSums
gradSumsOf(const Extent &extent, int64_t c, const Samples<T> &dy,
           const Samples<T> &x, float mean, float invstd) {
  LaneSum grads, products;
  for (int64_t n = 0; n < extent.n; ++n) {
    const T *dyRun = dy.run(n, c), *run = x.run(n, c);
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
          grads.lane[lane] += double(dyRun[i]);
          products.lane[lane] += double(dyRun[i]) * ((run[i] - mean) * invstd);
        });
  }
  return {grads.total(), products.total()};
}

template <typename T, typename P>
static memplan_status_t backward(const memplan_launch_t *launch) {
  Extent extent(launch->inputs[1]);
  const Samples<T> dy(launch, 0, extent), x(launch, 1, extent);
  const Samples<T> dx(launch, launch->input_count, extent);
  const P *scale = dataOf<P>(launch->inputs[2]);
  const float *means = f32(launch->inputs[3]);
  const float *invstds = f32(launch->inputs[4]);
  P *dscale = dataOf<P>(launch->outputs[1]);
  P *dbias = dataOf<P>(launch->outputs[2]);
  double count = double(extent.perChannel());
  auto channels = [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
    for (int64_t c = begin; c < end; ++c) {
      float mean = means[c], invstd = invstds[c];
      auto [sum, products] = gradSumsOf(extent, c, dy, x, mean, invstd);
      float factor = scale[c] * invstd;
      float meanGrad = float(sum / count),
            meanProduct = float(products / count);
      for (int64_t n = 0; n < extent.n; ++n) {
        const T *values = x.run(n, c), *grads = dy.run(n, c);
        T *to = dx.run(n, c);
        MEMPLAN_INDEPENDENT
        for (int64_t i = 0; i < extent.inner; ++i) {
          float h = (values[i] - mean) * invstd;
          to[i] = T(factor * (grads[i] - meanGrad - h * meanProduct));
        }
      }
      dscale[c] = P(float(products));
      dbias[c] = P(float(sum));
    }
  };
  vectorFor(launch, extent.c, rowGrain(extent.perChannel()), channels);
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t updateStats(const memplan_launch_t *launch) {
  float momentum = float(floatAttribute(launch, "momentum", 0.1));
  float keep = 1.0f - momentum;
  for (int which = 0; which < 2; ++which) {
    const T *running = dataOf<T>(launch->inputs[which]);
    const float *fresh = f32(launch->inputs[2 + which]);
    T *out = dataOf<T>(launch->outputs[which]);
    for (int64_t i = 0; i < elements(launch->outputs[which]); ++i)
      out[i] = T(keep * running[i] + momentum * fresh[i]);
  }
  return MEMPLAN_OK;
}

KernelList batchNormKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.batch_norm", MEMPLAN_TYPED_WITH(forward, 1)),
      makeTyped("memplan.batch_norm_grad", MEMPLAN_TYPED_WITH(backward, 2)),
      makeTyped("memplan.batch_norm_update_stats", MEMPLAN_TYPED(updateStats)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
