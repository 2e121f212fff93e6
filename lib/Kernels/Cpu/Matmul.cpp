//===- Matmul.cpp - Batched matrix product --------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.matmul: y[..,m,n] = bias[n] + sum over k of lhs[..,m,k] * rhs[..,k,n]
//   in  lhs [..,M,K], rhs [K,N] or [..,K,N], bias [N] (optional)
//   out y [..,M,N]
//   transpose_lhs, transpose_rhs: the operand's last two dimensions are
//   swapped.
// The product is made in tiles of the output; panels of both operands are
// copied to the stack, so that the inner loop runs along n whatever the
// transposes. Each element sums k in order, in blocks whose sums are then
// added.
//
//===----------------------------------------------------------------------===//

#include "../MatmulShape.h"
#include "Elements.h"

#include <algorithm>

namespace memplan::runtime::cpu {

static constexpr int64_t tileM = 32, tileN = 64, tileK = 128;

/// to[r][c] = from[r, c], or from[c, r] when swapped; rows of `from` are
/// `pitch`.
template <typename T, int64_t width>
static void pack(const T *from, int64_t pitch, bool swapped, int64_t rows,
                 int64_t columns, float (*to)[width]) {
  if (swapped) {
    for (int64_t c = 0; c < columns; ++c)
      for (int64_t r = 0; r < rows; ++r)
        to[r][c] = from[c * pitch + r];
    return;
  }
  for (int64_t r = 0; r < rows; ++r)
    std::copy_n(from + r * pitch, columns, to[r]); // as f32
}

/// sum[m][n] += a[m][k] * b[k][n] over one block of k. Full width always: the
/// columns past the tile's end hold garbage that nothing stores.
static void multiplyBlock(const float (*a)[tileK], const float (*b)[tileN],
                          int64_t rows, int64_t depth, float (*sum)[tileN]) {
  for (int64_t m = 0; m < rows; ++m) {
    float line[tileN] = {};
    for (int64_t k = 0; k < depth; ++k) {
      float factor = a[m][k];
      for (int64_t n = 0; n < tileN; ++n)
        line[n] += factor * b[k][n];
    }
    for (int64_t n = 0; n < tileN; ++n)
      sum[m][n] += line[n];
  }
}

template <typename T>
static memplan_status_t matmul(const memplan_launch_t *launch) {
  MatmulShape s(launch);
  const T *lhs = dataOf<T>(launch->inputs[0]);
  const T *rhs = dataOf<T>(launch->inputs[1]);
  const T *bias =
      launch->input_count == 3 ? dataOf<T>(launch->inputs[2]) : nullptr;
  T *out = dataOf<T>(launch->outputs[0]);
  int64_t tilesM = (s.m + tileM - 1) / tileM;
  int64_t tilesN = (s.n + tileN - 1) / tileN;
  auto tile = [&](int64_t number) {
    int64_t batch = number / (tilesM * tilesN);
    int64_t m0 = number / tilesN % tilesM * tileM;
    int64_t n0 = number % tilesN * tileN;
    int64_t rows = std::min(tileM, s.m - m0);
    int64_t columns = std::min(tileN, s.n - n0);
    const T *a = lhs + batch * s.m * s.k;
    const T *b = rhs + (s.batchedRhs ? batch * s.k * s.n : 0);
    T *y = out + batch * s.m * s.n + m0 * s.n + n0;
    float packedA[tileM][tileK], packedB[tileK][tileN] = {};
    float sum[tileM][tileN];
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < tileN; ++n)
        sum[m][n] = bias && n < columns ? float(bias[n0 + n]) : 0.0f;
    for (int64_t k0 = 0; k0 < s.k; k0 += tileK) {
      int64_t depth = std::min(tileK, s.k - k0);
      pack(s.transposeLhs ? a + k0 * s.m + m0 : a + m0 * s.k + k0,
           s.transposeLhs ? s.m : s.k, s.transposeLhs, rows, depth, packedA);
      pack(s.transposeRhs ? b + n0 * s.k + k0 : b + k0 * s.n + n0,
           s.transposeRhs ? s.k : s.n, s.transposeRhs, depth, columns, packedB);
      multiplyBlock(packedA, packedB, rows, depth, sum);
    }
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t n = 0; n < columns; ++n)
        y[m * s.n + n] = T(sum[m][n]);
  };
  parallelFor(launch, s.batches * tilesM * tilesN, 1,
              [&](int64_t begin, int64_t end) {
                for (int64_t number = begin; number < end; ++number)
                  tile(number);
              });
  return MEMPLAN_OK;
}

KernelList matmulKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.matmul", MEMPLAN_TYPED(matmul)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
