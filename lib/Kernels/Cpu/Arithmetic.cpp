//===- Arithmetic.cpp - Elementwise arithmetic with broadcasting ----------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// add, sub, mul, div broadcast as numpy does: shapes are aligned at their last
// dimension, and a dimension of size 1 repeats. The output may be an operand
// that is not repeated. accumulate takes equal shapes only; scale multiplies by
// a constant.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Vectors.h"

namespace memplan::runtime::cpu {

namespace {
/// Where the rows of the output find their operands: a row is the last
/// dimension, the strides are 0 where the operand repeats.
struct Rows {
  int rank = 0; ///< dimensions before the last
  int64_t count = 1, length = 1;
  int64_t shape[maxRank] = {};
  int64_t stride[2][maxRank] = {};
  int64_t lastStride[2] = {0, 0};

  explicit Rows(const memplan_launch_t *launch) {
    const memplan_tensor_t &out = launch->outputs[0];
    if (out.rank > 0) {
      rank = out.rank - 1;
      length = out.shape[rank];
    }
    count = product(out, 0, rank);
    for (int i = 0; i < 2; ++i) {
      int64_t step = 1;
      for (int d = out.rank - 1; d >= 0; --d) {
        int64_t dim = alignedDim(launch->inputs[i], d, out.rank);
        int64_t here = dim == 1 ? 0 : step;
        step *= dim;
        (d == rank ? lastStride[i] : stride[i][d]) = here;
      }
    }
    for (int d = 0; d < rank; ++d)
      shape[d] = out.shape[d];
  }

  int64_t offset(int input, int64_t row) const {
    int64_t offset = 0;
    for (int d = rank - 1; d >= 0; --d) {
      offset += row % shape[d] * stride[input][d];
      row /= shape[d];
    }
    return offset;
  }
};
} // namespace

template <typename T, typename F>
MEMPLAN_INLINE static inline void row(const T *a, int64_t strideA, const T *b,
                                      int64_t strideB, T *y, int64_t length,
                                      const F &f) {
  if (strideA == 1 && strideB == 1) {
    MEMPLAN_INDEPENDENT
    for (int64_t i = 0; i < length; ++i)
      y[i] = T(f(a[i], b[i]));
  } else if (strideA == 1 && strideB == 0 && length > 0) {
    float repeated = *b;
    MEMPLAN_INDEPENDENT
    for (int64_t i = 0; i < length; ++i)
      y[i] = T(f(a[i], repeated));
  } else {
    for (int64_t i = 0; i < length; ++i)
      y[i] = T(f(a[i * strideA], b[i * strideB]));
  }
}

template <typename T, typename F>
static memplan_status_t combine(const memplan_launch_t *launch, const F &f) {
  const T *a = dataOf<T>(launch->inputs[0]);
  const T *b = dataOf<T>(launch->inputs[1]);
  T *y = dataOf<T>(launch->outputs[0]);
  if (sameShape(launch->inputs[0], launch->inputs[1])) {
    vectorFor(launch, elements(launch->outputs[0]), elementGrain,
              [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
                row(a + begin, 1, b + begin, 1, y + begin, end - begin, f);
              });
    return MEMPLAN_OK;
  }
  Rows rows(launch);
  vectorFor(launch, rows.count, rowGrain(rows.length),
            [=, &rows](int64_t begin, int64_t end) MEMPLAN_INLINE {
              for (int64_t r = begin; r < end; ++r)
                row(a + rows.offset(0, r), rows.lastStride[0],
                    b + rows.offset(1, r), rows.lastStride[1],
                    y + r * rows.length, rows.length, f);
            });
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t add(const memplan_launch_t *launch) {
  return combine<T>(launch,
                    [](float a, float b) MEMPLAN_INLINE { return a + b; });
}

template <typename T>
static memplan_status_t sub(const memplan_launch_t *launch) {
  return combine<T>(launch,
                    [](float a, float b) MEMPLAN_INLINE { return a - b; });
}

template <typename T>
static memplan_status_t mul(const memplan_launch_t *launch) {
  return combine<T>(launch,
                    [](float a, float b) MEMPLAN_INLINE { return a * b; });
}

template <typename T>
static memplan_status_t div(const memplan_launch_t *launch) {
  return combine<T>(launch,
                    [](float a, float b) MEMPLAN_INLINE { return a / b; });
}

template <typename T>
static memplan_status_t scale(const memplan_launch_t *launch) {
  float factor = float(floatAttribute(launch, "factor", 1));
  const T *x = dataOf<T>(launch->inputs[0]);
  T *y = dataOf<T>(launch->outputs[0]);
  vectorFor(launch, elements(launch->outputs[0]), elementGrain,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              MEMPLAN_INDEPENDENT
              for (int64_t i = begin; i < end; ++i)
                y[i] = T(x[i] * factor);
            });
  return MEMPLAN_OK;
}

KernelList arithmeticKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.accumulate", inRows<MEMPLAN_TYPED(add)>),
      makeTyped("memplan.add", inRows<MEMPLAN_TYPED(add)>),
      makeTyped("memplan.div", inRows<MEMPLAN_TYPED(div)>),
      makeTyped("memplan.mul", inRows<MEMPLAN_TYPED(mul)>),
      makeTyped("memplan.scale", inRows<MEMPLAN_TYPED(scale)>),
      makeTyped("memplan.sub", inRows<MEMPLAN_TYPED(sub)>),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
