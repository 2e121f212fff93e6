//===- LayerNorm.cpp - Layer normalization --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Per row of x [.., D]; the statistics are f32, and may be scale and bias
// beside an x of 16 bits:
// memplan.layer_norm: mean, rstd = 1 / sqrt(biased variance + epsilon),
//   y = (x - mean) * rstd * scale + bias
//   in x, scale [D], bias [D]   out y (may be x), mean [..], rstd [..]
// memplan.layer_norm_grad, with h = (x - mean) rstd and g = dy scale:
//   dx = rstd (g - mean of g - h mean of (g h)), dscale = sum over rows of dy
//   h, dbias = sum over rows of dy in dy, x, scale, mean, rstd   out dx (may be
//   dy), dscale [D], dbias [D]
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Vectors.h"

#include <algorithm>
#include <cmath>

namespace memplan::runtime::cpu {

template <typename T>
MEMPLAN_INLINE static inline double meanOf(const T *x, int64_t width) {
  LaneSum sum;
  eachBlock(
      width,
      [&](int64_t i) MEMPLAN_INLINE {
        Floats values;
        load(values, x + i);
        sum.lane += __builtin_convertvector(values, Doubles);
      },
      [&](int64_t i, int64_t lane)
          MEMPLAN_INLINE { sum.lane[lane] += double(x[i]); });
  return sum.total() / double(width);
}

template <typename T>
MEMPLAN_INLINE static inline double squaresAround(double mean, const T *x,
                                                  int64_t width) {
  LaneSum sum;
  eachBlock(
      width,
      [&](int64_t i) MEMPLAN_INLINE {
        Floats values;
        load(values, x + i);
        Doubles d = __builtin_convertvector(values, Doubles) - mean;
        sum.lane += d * d;
      },
      [&](int64_t i, int64_t lane) MEMPLAN_INLINE {
        double d = double(x[i]) - mean;
        sum.lane[lane] += d * d;
      });
  return sum.total();
}

template <typename T, typename P>
static memplan_status_t forward(const memplan_launch_t *launch) {
  const memplan_tensor_t &shape = launch->inputs[0];
  int64_t width = shape.shape[shape.rank - 1];
  int64_t rows = product(shape, 0, shape.rank - 1);
  const P *scale = dataOf<P>(launch->inputs[1]);
  const P *bias = dataOf<P>(launch->inputs[2]);
  float *means = f32(launch->outputs[1]), *rstds = f32(launch->outputs[2]);
  double epsilon = floatAttribute(launch, "epsilon", 1e-5);
  const T *in = dataOf<T>(launch->inputs[0]);
  T *out = dataOf<T>(launch->outputs[0]);
  auto body = [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
    for (int64_t r = begin; r < end; ++r) {
      const T *x = in + r * width;
      T *y = out + r * width;
      double mean = meanOf(x, width);
      double squares = squaresAround(mean, x, width);
      float m = float(mean);
      float rstd = float(1.0 / std::sqrt(squares / double(width) + epsilon));
      means[r] = m;
      rstds[r] = rstd;
      MEMPLAN_INDEPENDENT
      for (int64_t i = 0; i < width; ++i)
        y[i] = T((x[i] - m) * rstd * scale[i] + bias[i]);
    }
  };
  vectorFor(launch, rows, rowGrain(width), body);
  return MEMPLAN_OK;
}

namespace {
template <typename T, typename P> struct Backward {
  int64_t rows, width;
  const T *dy, *x;
  const P *scale;
  const float *means, *rstds;
  T *dx;
  P *dscale, *dbias;

  explicit Backward(const memplan_launch_t *l)
      : rows(product(l->inputs[1], 0, l->inputs[1].rank - 1)),
        width(l->inputs[1].shape[l->inputs[1].rank - 1]),
        dy(dataOf<T>(l->inputs[0])), x(dataOf<T>(l->inputs[1])),
        scale(dataOf<P>(l->inputs[2])), means(f32(l->inputs[3])),
        rstds(f32(l->inputs[4])), dx(dataOf<T>(l->outputs[0])),
        dscale(dataOf<P>(l->outputs[1])), dbias(dataOf<P>(l->outputs[2])) {}

  static constexpr int64_t tile = 64;

  /// Column sums over [begin, end), end - begin <= tile.
  MEMPLAN_INLINE void columns(int64_t begin, int64_t end) const {
    double products[tile] = {}, sums[tile] = {};
    for (int64_t r = 0; r < rows; ++r) {
      const T *grads = dy + r * width + begin;
      const T *in = x + r * width + begin;
      float mean = means[r], rstd = rstds[r];
      for (int64_t i = 0; i < end - begin; ++i) {
        double g = double(grads[i]);
        sums[i] += g;
        products[i] += g * ((in[i] - mean) * rstd);
      }
    }
    for (int64_t i = begin; i < end; ++i) {
      dscale[i] = P(float(products[i - begin]));
      dbias[i] = P(float(sums[i - begin]));
    }
  }

  MEMPLAN_INLINE void row(int64_t r) const {
    const T *g = dy + r * width, *in = x + r * width;
    T *out = dx + r * width;
    const float mean = means[r], rstd = rstds[r];
    LaneSum sums, products;
    eachBlock(
        width,
        [&](int64_t i) MEMPLAN_INLINE {
          Floats grads, factors, values;
          load(grads, g + i);
          load(factors, scale + i);
          load(values, in + i);
          Floats h = (values - mean) * rstd;
          Doubles scaled = __builtin_convertvector(grads * factors, Doubles);
          sums.lane += scaled;
          products.lane += scaled * __builtin_convertvector(h, Doubles);
        },
        [&](int64_t i, int64_t lane) MEMPLAN_INLINE {
          double scaled = double(g[i] * scale[i]);
          sums.lane[lane] += scaled;
          products.lane[lane] += scaled * ((in[i] - mean) * rstd);
        });
    float meanGrad = float(sums.total() / double(width));
    float meanProduct = float(products.total() / double(width));
    MEMPLAN_INDEPENDENT
    for (int64_t i = 0; i < width; ++i) {
      float h = (in[i] - mean) * rstd;
      out[i] = T(rstd * (g[i] * scale[i] - meanGrad - h * meanProduct));
    }
  }
};
} // namespace

template <typename T, typename P>
static memplan_status_t backward(const memplan_launch_t *launch) {
  Backward<T, P> b(launch);
  // The columns first: the rows may overwrite dy.
  vectorFor(launch, b.width, Backward<T, P>::tile,
            [=](int64_t begin, int64_t end)
                MEMPLAN_INLINE { b.columns(begin, end); });
  vectorFor(launch, b.rows, rowGrain(b.width),
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              for (int64_t r = begin; r < end; ++r)
                b.row(r);
            });
  return MEMPLAN_OK;
}

KernelList layerNormKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.layer_norm", MEMPLAN_TYPED_WITH(forward, 1)),
      makeTyped("memplan.layer_norm_grad", MEMPLAN_TYPED_WITH(backward, 2)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
