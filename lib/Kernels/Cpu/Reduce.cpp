//===- Reduce.cpp - Sums and means over dimensions ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.reduce_sum{dims,keepdims}, memplan.reduce_mean{dims,keepdims}:
//   in x   out y: x without the dimensions `dims` (of size 1 when keepdims) f32
// memplan.global_norm: in any number of tensors f32   out [] f32: the root of
//   the sum of the squares of all elements
// Sums are taken in double, in memory order of the reduced elements.
// Neighbouring outputs are summed together, so that reading stays along memory.
//
//===----------------------------------------------------------------------===//

#include "../DimensionSet.h"
#include "Elements.h"
#include "Vectors.h"

#include <algorithm>
#include <cmath>

namespace memplan::runtime::cpu {

namespace {
/// Dimensions with their strides in the input.
struct Strided {
  int rank = 0;
  int64_t shape[maxRank], stride[maxRank];

  void add(int64_t size, int64_t step) {
    // What continues the dimension before becomes part of it.
    if (rank > 0 && stride[rank - 1] == size * step) {
      shape[rank - 1] *= size;
      stride[rank - 1] = step;
      return;
    }
    shape[rank] = size;
    stride[rank++] = step;
  }
  int64_t count() const {
    int64_t count = 1;
    for (int d = 0; d < rank; ++d)
      count *= shape[d];
    return count;
  }
  int64_t offset(int64_t index) const {
    int64_t offset = 0;
    for (int d = rank - 1; d > 0; --d) {
      offset += index % shape[d] * stride[d];
      index /= shape[d];
    }
    return rank > 0 ? offset + index * stride[0] : offset;
  }
};

struct Reduction {
  Strided kept;      ///< without the inner run
  Strided reduced;   ///< without the inner run
  int64_t inner = 1; ///< elements that lie together at the end
  bool innerKept = false;

  Reduction(const memplan_launch_t *launch, const DimensionSet &set) {
    const memplan_tensor_t &x = launch->inputs[0];
    int last = x.rank;
    // The last dimensions that share the same fate are one run.
    innerKept = x.rank > 0 && !set.has[x.rank - 1];
    while (last > 0 && set.has[last - 1] != innerKept)
      inner *= x.shape[--last];
    for (int d = 0; d < last; ++d)
      (set.has[d] ? reduced : kept).add(x.shape[d], strideOf(launch, 0, d));
  }
};
} // namespace

static constexpr int64_t tile = 128;

/// y[base * inner + i] for i in [begin, end), end - begin <= tile.
template <typename T>
MEMPLAN_INLINE static inline void sumKeptRun(const Reduction &r, const T *x,
                                             int64_t base, int64_t begin,
                                             int64_t end, double factor, T *y) {
  double sum[tile] = {};
  const T *from = x + r.kept.offset(base);
  for (int64_t k = 0, count = r.reduced.count(); k < count; ++k) {
    const T *run = from + r.reduced.offset(k) + begin;
    for (int64_t i = 0; i < end - begin; ++i)
      sum[i] += double(run[i]);
  }
  for (int64_t i = begin; i < end; ++i)
    y[base * r.inner + i] = T(float(sum[i - begin] * factor));
}

/// The sum of all reduced runs at `from`.
template <typename T>
MEMPLAN_INLINE static inline double sumOfRuns(const Reduction &r,
                                              const T *from) {
  LaneSum sum;
  for (int64_t k = 0, runs = r.reduced.count(); k < runs; ++k) {
    const T *run = from + r.reduced.offset(k);
    eachBlock(
        r.inner,
        [&](int64_t i) MEMPLAN_INLINE {
          Floats values;
          load(values, run + i);
          sum.lane += __builtin_convertvector(values, Doubles);
        },
        [&](int64_t i, int64_t lane)
            MEMPLAN_INLINE { sum.lane[lane] += run[i]; });
  }
  return sum.total();
}

template <typename T>
static memplan_status_t reduce(const memplan_launch_t *launch, bool mean) {
  const memplan_tensor_t &in = launch->inputs[0];
  const T *x = dataOf<T>(in);
  T *y = dataOf<T>(launch->outputs[0]);
  Reduction r(launch, DimensionSet::of(launch, in.rank));
  int64_t outputs = elements(launch->outputs[0]);
  int64_t perOutput = r.reduced.count() * (r.innerKept ? int64_t(1) : r.inner);
  double factor = mean ? 1.0 / double(perOutput) : 1.0;
  if (r.innerKept) {
    int64_t tiles = (r.inner + tile - 1) / tile;
    vectorFor(launch, r.kept.count() * tiles, rowGrain(perOutput * tile),
              [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
                for (int64_t t = begin; t < end; ++t) {
                  int64_t first = t % tiles * tile;
                  sumKeptRun(r, x, t / tiles, first,
                             std::min(first + tile, r.inner), factor, y);
                }
              });
    return MEMPLAN_OK;
  }
  vectorFor(launch, outputs, rowGrain(perOutput),
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              for (int64_t o = begin; o < end; ++o)
                y[o] = T(float(sumOfRuns(r, x + r.kept.offset(o)) * factor));
            });
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t reduceSum(const memplan_launch_t *launch) {
  return reduce<T>(launch, false);
}

template <typename T>
static memplan_status_t reduceMean(const memplan_launch_t *launch) {
  return reduce<T>(launch, true);
}

/// Sum of the squares of `count` elements.
template <typename T>
MEMPLAN_INLINE static inline double sumOfSquares(const T *x, int64_t count) {
  LaneSum sum;
  eachBlock(
      count,
      [&](int64_t i) MEMPLAN_INLINE {
        Floats values;
        load(values, x + i);
        Doubles wide = __builtin_convertvector(values, Doubles);
        sum.lane += wide * wide;
      },
      [&](int64_t i, int64_t lane)
          MEMPLAN_INLINE { sum.lane[lane] += double(x[i]) * double(x[i]); });
  return sum.total();
}

template <typename T>
static double sumOfSquares(const memplan_launch_t *launch, int input) {
  const T *x = dataOf<T>(launch->inputs[input]);
  return vectorSum(launch, elements(launch->inputs[input]),
                   [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
                     return sumOfSquares(x + begin, end - begin);
                   });
}

static memplan_status_t globalNorm(const memplan_launch_t *launch) {
  double total = 0;
  for (int i = 0; i < launch->input_count; ++i)
    switch (launch->inputs[i].dtype) {
    case MEMPLAN_BF16:
      total += sumOfSquares<Bf16>(launch, i);
      break;
    case MEMPLAN_F16:
      total += sumOfSquares<F16>(launch, i);
      break;
    default:
      total += sumOfSquares<float>(launch, i);
    }
  *f32(launch->outputs[0]) = float(std::sqrt(total));
  return MEMPLAN_OK;
}

/// How many elements of an input are infinite or NaN.
template <typename T>
static double countNonFinite(const memplan_launch_t *launch, int input) {
  const T *x = dataOf<T>(launch->inputs[input]);
  return vectorSum(launch, elements(launch->inputs[input]),
                   [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
                     int64_t found = 0;
                     for (int64_t i = begin; i < end; ++i) {
                       const float value = x[i];
                       found += value - value != 0;
                     }
                     return double(found);
                   });
}

static memplan_status_t nonFinite(const memplan_launch_t *launch) {
  double found = 0;
  for (int i = 0; i < launch->input_count; ++i)
    switch (launch->inputs[i].dtype) {
    case MEMPLAN_BF16:
      found += countNonFinite<Bf16>(launch, i);
      break;
    case MEMPLAN_F16:
      found += countNonFinite<F16>(launch, i);
      break;
    default:
      found += countNonFinite<float>(launch, i);
    }
  *f32(launch->outputs[0]) = found != 0 ? 1.0f : 0.0f;
  return MEMPLAN_OK;
}

KernelList reduceKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.global_norm", globalNorm),
      makeTyped("memplan.non_finite", nonFinite),
      makeTyped("memplan.reduce_mean", MEMPLAN_TYPED(reduceMean)),
      makeTyped("memplan.reduce_sum", MEMPLAN_TYPED(reduceSum)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
