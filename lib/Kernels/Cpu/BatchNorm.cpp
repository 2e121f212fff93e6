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

#include <algorithm>
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

/// Moments of `count` values by the sums of their distances from `origin` and
/// of the squares of these.
MEMPLAN_INLINE static inline Moments momentsFrom(double origin, double sum,
                                                 double squares, double count) {
  double offset = sum / count;
  double around = squares - sum * offset;
  // Not std::max: a NaN must stay one.
  return {origin + offset, around < 0 ? 0 : around};
}

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
  return momentsFrom(origin, sum.total(), squares.total(), count);
}

namespace {
/// What the forward pass reads and writes.
template <typename T, typename P> struct Forward {
  Extent extent;
  Samples<T> x, y;
  const P *scale, *bias;
  float *means, *invstds, *variances;
  double epsilon, count;

  explicit Forward(const memplan_launch_t *launch)
      : extent(launch->inputs[0]), x(launch, 0, extent),
        y(launch, launch->input_count, extent),
        scale(dataOf<P>(launch->inputs[1])), bias(dataOf<P>(launch->inputs[2])),
        means(f32(launch->outputs[1])), invstds(f32(launch->outputs[2])),
        variances(f32(launch->outputs[3])),
        epsilon(floatAttribute(launch, "epsilon", 1e-5)),
        count(double(extent.perChannel())) {}

  MEMPLAN_INLINE void write(int64_t c, const Moments &moments) const {
    means[c] = float(moments.mean);
    invstds[c] = float(1.0 / std::sqrt(moments.squares / count + epsilon));
    variances[c] = float(moments.squares / (count > 1 ? count - 1 : 1));
  }
};
} // namespace

/// Channels that are summed side by side where they are neighbours in memory.
/// Their sums fit the first cache.
static constexpr int64_t mostColumns = 256;

/// Neighbouring channels of a task. What a channel gives does not depend on it.
static int64_t columnGrain(const memplan_launch_t *launch, int64_t channels) {
  const int64_t threads = std::max<int64_t>(1, launch->threads);
  const int64_t share = (channels + threads - 1) / threads;
  return std::min((share + lanes - 1) / lanes * lanes, mostColumns);
}

/// Channels [begin, end), row by row, with the bits of one after the other.
template <typename T, typename P>
MEMPLAN_INLINE static inline void forwardColumns(const Forward<T, P> &f,
                                                 int64_t begin, int64_t end) {
  const int64_t width = end - begin;
  double sum[mostColumns] = {}, squares[mostColumns] = {}, origin[mostColumns];
  float mean[mostColumns], factor[mostColumns], shift[mostColumns];
  for (int64_t i = 0; i < width; ++i)
    origin[i] = f.extent.n > 0 ? double(float(f.x.run(0, begin)[i])) : 0;
  for (int64_t n = 0; n < f.extent.n; ++n) {
    const T *row = f.x.run(n, begin);
    for (int64_t i = 0; i < width; ++i) {
      double d = double(float(row[i])) - origin[i];
      sum[i] += d;
      squares[i] += d * d;
    }
  }
  for (int64_t i = 0, c = begin; c < end; ++i, ++c) {
    f.write(c, momentsFrom(origin[i], sum[i], squares[i], f.count));
    mean[i] = f.means[c];
    factor[i] = f.invstds[c] * f.scale[c];
    shift[i] = f.bias[c];
  }
  for (int64_t n = 0; n < f.extent.n; ++n) {
    const T *from = f.x.run(n, begin);
    T *to = f.y.run(n, begin);
    MEMPLAN_INDEPENDENT
    for (int64_t i = 0; i < width; ++i)
      to[i] = T((from[i] - mean[i]) * factor[i] + shift[i]);
  }
}

template <typename T, typename P>
static memplan_status_t forward(const memplan_launch_t *launch) {
  const Forward<T, P> f(launch);
  const Extent &extent = f.extent;
  if (extent.inner == 1) {
    vectorFor(launch, extent.c, columnGrain(launch, extent.c),
              [=](int64_t begin, int64_t end)
                  MEMPLAN_INLINE { forwardColumns(f, begin, end); });
    return MEMPLAN_OK;
  }
  auto channels = [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
    for (int64_t c = begin; c < end; ++c) {
      f.write(c, momentsOf(f.extent, c, f.x));
      float m = f.means[c], factor = f.invstds[c] * f.scale[c],
            shift = f.bias[c];
      for (int64_t n = 0; n < f.extent.n; ++n) {
        const T *from = f.x.run(n, c);
        T *to = f.y.run(n, c);
        MEMPLAN_INDEPENDENT
        for (int64_t i = 0; i < f.extent.inner; ++i)
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

namespace {
/// What the backward pass reads and writes.
template <typename T, typename P> struct Backward {
  Extent extent;
  Samples<T> dy, x, dx;
  const P *scale;
  const float *means, *invstds;
  P *dscale, *dbias;
  double count;

  explicit Backward(const memplan_launch_t *launch)
      : extent(launch->inputs[1]), dy(launch, 0, extent), x(launch, 1, extent),
        dx(launch, launch->input_count, extent),
        scale(dataOf<P>(launch->inputs[2])), means(f32(launch->inputs[3])),
        invstds(f32(launch->inputs[4])), dscale(dataOf<P>(launch->outputs[1])),
        dbias(dataOf<P>(launch->outputs[2])),
        count(double(extent.perChannel())) {}
};
} // namespace

/// As forwardColumns().
template <typename T, typename P>
MEMPLAN_INLINE static inline void backwardColumns(const Backward<T, P> &b,
                                                  int64_t begin, int64_t end) {
  const int64_t width = end - begin;
  double sum[mostColumns] = {}, products[mostColumns] = {};
  float mean[mostColumns], invstd[mostColumns], factor[mostColumns];
  float meanGrad[mostColumns], meanProduct[mostColumns];
  for (int64_t i = 0; i < width; ++i) {
    mean[i] = b.means[begin + i];
    invstd[i] = b.invstds[begin + i];
    factor[i] = b.scale[begin + i] * invstd[i];
  }
  for (int64_t n = 0; n < b.extent.n; ++n) {
    const T *grads = b.dy.run(n, begin), *values = b.x.run(n, begin);
    for (int64_t i = 0; i < width; ++i) {
      double g = double(float(grads[i]));
      sum[i] += g;
      products[i] += g * double((values[i] - mean[i]) * invstd[i]);
    }
  }
  for (int64_t i = 0; i < width; ++i) {
    meanGrad[i] = float(sum[i] / b.count);
    meanProduct[i] = float(products[i] / b.count);
    b.dscale[begin + i] = P(float(products[i]));
    b.dbias[begin + i] = P(float(sum[i]));
  }
  for (int64_t n = 0; n < b.extent.n; ++n) {
    const T *grads = b.dy.run(n, begin), *values = b.x.run(n, begin);
    T *to = b.dx.run(n, begin);
    MEMPLAN_INDEPENDENT
    for (int64_t i = 0; i < width; ++i) {
      float h = (values[i] - mean[i]) * invstd[i];
      to[i] = T(factor[i] * (grads[i] - meanGrad[i] - h * meanProduct[i]));
    }
  }
}

template <typename T, typename P>
static memplan_status_t backward(const memplan_launch_t *launch) {
  const Backward<T, P> b(launch);
  const Extent &extent = b.extent;
  if (extent.inner == 1) {
    vectorFor(launch, extent.c, columnGrain(launch, extent.c),
              [=](int64_t begin, int64_t end)
                  MEMPLAN_INLINE { backwardColumns(b, begin, end); });
    return MEMPLAN_OK;
  }
  auto channels = [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
    for (int64_t c = begin; c < end; ++c) {
      float mean = b.means[c], invstd = b.invstds[c];
      auto [sum, products] = gradSumsOf(b.extent, c, b.dy, b.x, mean, invstd);
      float factor = b.scale[c] * invstd;
      float meanGrad = float(sum / b.count),
            meanProduct = float(products / b.count);
      for (int64_t n = 0; n < b.extent.n; ++n) {
        const T *values = b.x.run(n, c), *grads = b.dy.run(n, c);
        T *to = b.dx.run(n, c);
        MEMPLAN_INDEPENDENT
        for (int64_t i = 0; i < b.extent.inner; ++i) {
          float h = (values[i] - mean) * invstd;
          to[i] = T(factor * (grads[i] - meanGrad - h * meanProduct));
        }
      }
      b.dscale[c] = P(float(products));
      b.dbias[c] = P(float(sum));
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
