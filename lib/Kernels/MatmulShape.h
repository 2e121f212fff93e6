//===- MatmulShape.h - The sizes of a product -------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_MATMULSHAPE_H
#define MEMPLAN_LIB_KERNELS_MATMULSHAPE_H

#include "Operands.h"

namespace memplan::runtime::kernels {

/// `batches` products [m, k] x [k, n], row-major; the right side is the same
/// for all of them unless `batchedRhs`.
struct MatmulShape {
  int64_t batches = 1, m = 0, n = 0, k = 0;
  bool transposeLhs = false, transposeRhs = false, batchedRhs = false;

  explicit MatmulShape(const memplan_launch_t *launch) {
    const memplan_tensor_t &lhs = launch->inputs[0], &rhs = launch->inputs[1];
    transposeLhs = intAttribute(launch, "transpose_lhs", 0) != 0;
    transposeRhs = intAttribute(launch, "transpose_rhs", 0) != 0;
    batches = product(lhs, 0, lhs.rank - 2);
    batchedRhs = rhs.rank > 2;
    m = lhs.shape[lhs.rank - (transposeLhs ? 1 : 2)];
    k = lhs.shape[lhs.rank - (transposeLhs ? 2 : 1)];
    n = rhs.shape[rhs.rank - (transposeRhs ? 2 : 1)];
    // One shared right side: all rows are one matrix.
    if (!batchedRhs && !transposeLhs) {
      m *= batches;
      batches = 1;
    }
  }
};

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_MATMULSHAPE_H
