//===- Lines.h - Lines of a tensor along one dimension ----------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One definition for all backends: what a kernel does to one line.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_LINES_H
#define MEMPLAN_LIB_KERNELS_LINES_H

#include "Operands.h"

#include "memplan/Kernels/HostDevice.h"

namespace memplan::runtime::kernels {

/// The lines of tensors that differ in their size along the attribute `axis`
/// alone. Elements of a line are `inner` apart.
struct Lines {
  int64_t outer, inner;

  Lines(const memplan_launch_t *launch, const memplan_tensor_t &like) {
    int axis = dimensionAttribute(launch, "axis", like.rank);
    outer = product(like, 0, axis);
    inner = product(like, axis + 1, like.rank);
  }
  int64_t count() const { return outer * inner; }
  /// Size of a line of `tensor`.
  int64_t length(const memplan_tensor_t &tensor) const {
    return count() ? elements(tensor) / count() : 0;
  }
  /// The first element of line `line` in a tensor whose lines have `length`.
  MEMPLAN_HOST_DEVICE int64_t first(int64_t line, int64_t length) const {
    return line / inner * inner * length + line % inner;
  }
};

/// The first `k` elements of a line in the order of a `memplan.topk`. A heap
/// whose root comes last of what is kept lies where the results will.
struct TopKLine {
  const float *x;   ///< of the line's first element
  float *values;    ///< of the first result
  int64_t *indices; ///< likewise
  int64_t step, length, k;
  bool smallest;

  MEMPLAN_HOST_DEVICE static bool isLarger(float a, float b) {
    return a > b || (a != a && b == b);
  }
  MEMPLAN_HOST_DEVICE bool isBefore(float a, int64_t i, float b,
                                    int64_t j) const {
    if (isLarger(a, b))
      return !smallest;
    if (isLarger(b, a))
      return smallest;
    return i < j;
  }
  /// Puts an element into the heap of `size` places whose root is free.
  MEMPLAN_HOST_DEVICE void put(float value, int64_t index, int64_t at,
                               int64_t size) const {
    for (;;) {
      int64_t child = 2 * at + 1;
      if (child >= size)
        break;
      if (child + 1 < size &&
          isBefore(values[child * step], indices[child * step],
                   values[(child + 1) * step], indices[(child + 1) * step]))
        ++child;
      if (!isBefore(value, index, values[child * step], indices[child * step]))
        break;
      values[at * step] = values[child * step];
      indices[at * step] = indices[child * step];
      at = child;
    }
    values[at * step] = value;
    indices[at * step] = index;
  }
  MEMPLAN_HOST_DEVICE void operator()() const {
    for (int64_t i = 0; i < k; ++i) {
      values[i * step] = x[i * step];
      indices[i * step] = i;
    }
    for (int64_t i = k / 2; i-- > 0;)
      put(values[i * step], indices[i * step], i, k);
    for (int64_t i = k; i < length; ++i)
      if (isBefore(x[i * step], i, values[0], indices[0]))
        put(x[i * step], i, 0, k);
    // The root is the last of what is left.
    for (int64_t i = k; i-- > 1;) {
      float value = values[i * step];
      int64_t index = indices[i * step];
      values[i * step] = values[0];
      indices[i * step] = indices[0];
      put(value, index, 0, i);
    }
  }
};

/// Running sums of one line, from its last element on with `reverse`.
struct CumSumLine {
  const float *x;
  float *y;
  int64_t step, length;
  bool reverse;

  MEMPLAN_HOST_DEVICE void operator()() const {
    double sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      int64_t at = (reverse ? length - 1 - i : i) * step;
      sum += x[at];
      y[at] = float(sum);
    }
  }
};

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_LINES_H
