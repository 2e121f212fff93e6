//===- Transpose.cpp - Permuting dimensions -------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.transpose{perm}, of any element type:
// dimension d of the output is dimension perm[d] of the input.
//
// The output is written in order;
// blocks of rows keep the strided reads in cache.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"

#include <algorithm>

namespace memplan::runtime::cpu {

namespace {
/// The output seen as [outer.., rows, columns] with strides into the input.
struct View {
  int outer = 0;
  int64_t shape[maxRank] = {}, stride[maxRank] = {};
  int64_t rows = 1, rowStride = 0, columns = 1, columnStride = 0;

  explicit View(const memplan_launch_t *launch) {
    const memplan_tensor_t &in = launch->inputs[0], &out = launch->outputs[0];
    std::span<const int64_t> perm = intsAttribute(launch, "perm");
    for (int d = 0; d < out.rank; ++d)
      if (out.shape[d] != 1)
        add(out.shape[d], product(in, int(perm[size_t(d)]) + 1, in.rank));
    if (outer > 0) {
      columns = shape[--outer];
      columnStride = stride[outer];
    }
    if (outer > 0) {
      rows = shape[--outer];
      rowStride = stride[outer];
    }
  }

  /// Appends a dimension; one that continues the one before becomes part of it.
  void add(int64_t size, int64_t step) {
    if (outer > 0 && stride[outer - 1] == size * step) {
      shape[outer - 1] *= size;
      stride[outer - 1] = step;
      return;
    }
    shape[outer] = size;
    stride[outer++] = step;
  }

  /// Where a plane of rows and columns begins in the input.
  int64_t offset(int64_t plane) const {
    int64_t offset = 0;
    for (int d = outer - 1; d >= 0; --d) {
      offset += plane % shape[d] * stride[d];
      plane /= shape[d];
    }
    return offset;
  }
};
} // namespace

static constexpr int64_t block = 16;

/// A full block through a small square, so that both sides see runs of memory.
template <typename T>
static void turnBlock(const T *from, int64_t columnStride, T *to,
                      int64_t columns) {
  T square[block][block];
  for (int64_t c = 0; c < block; ++c)
    std::copy_n(from + c * columnStride, block, square[c]);
  for (int64_t r = 0; r < block; ++r)
    for (int64_t c = 0; c < block; ++c)
      to[r * columns + c] = square[c][r];
}

/// Rows [first, last) of a plane.
template <typename T>
static void permuteRows(const View &view, const T *from, int64_t first,
                        int64_t last, T *to) {
  if (view.columnStride == 1) {
    for (int64_t r = first; r < last; ++r)
      std::copy_n(from + r * view.rowStride, view.columns,
                  to + r * view.columns);
    return;
  }
  for (int64_t c0 = 0; c0 < view.columns; c0 += block) {
    int64_t c1 = std::min(c0 + block, view.columns);
    if (view.rowStride == 1 && last - first == block && c1 - c0 == block) {
      turnBlock(from + first + c0 * view.columnStride, view.columnStride,
                to + first * view.columns + c0, view.columns);
      continue;
    }
    for (int64_t r = first; r < last; ++r)
      for (int64_t c = c0; c < c1; ++c)
        to[r * view.columns + c] =
            from[r * view.rowStride + c * view.columnStride];
  }
}

template <typename T> static void permute(const memplan_launch_t *launch) {
  View view(launch);
  const T *x = static_cast<const T *>(launch->inputs[0].data);
  T *y = static_cast<T *>(launch->outputs[0].data);
  int64_t blocks = (view.rows + block - 1) / block, planes = 1;
  for (int d = 0; d < view.outer; ++d)
    planes *= view.shape[d];
  auto oneBlock = [&](int64_t number) {
    int64_t plane = number / blocks, first = number % blocks * block;
    int64_t last = std::min(first + block, view.rows);
    permuteRows(view, x + view.offset(plane), first, last,
                y + plane * view.rows * view.columns);
  };
  parallelFor(launch, planes * blocks, rowGrain(block * view.columns),
              [&](int64_t begin, int64_t end) {
                for (int64_t number = begin; number < end; ++number)
                  oneBlock(number);
              });
}

static memplan_status_t transpose(const memplan_launch_t *launch) {
  switch (elementBytes(launch->outputs[0])) {
  case 1:
    permute<int8_t>(launch);
    break;
  case 2:
    permute<int16_t>(launch);
    break;
  case 4:
    permute<float>(launch);
    break;
  default:
    permute<int64_t>(launch);
  }
  return MEMPLAN_OK;
}

KernelList transposeKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.transpose", transpose),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
