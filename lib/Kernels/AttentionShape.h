//===- AttentionShape.h - The sizes of an attention -------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_ATTENTIONSHAPE_H
#define MEMPLAN_LIB_KERNELS_ATTENTIONSHAPE_H

#include "Operands.h"

#include "memplan/Kernels/HostDevice.h"

namespace memplan::runtime::kernels {

/// `heads` attentions of queries [rows, columns] over keys [keys, columns] and
/// values [keys, valueColumns], row-major.
struct AttentionShape {
  int64_t heads = 1, rows = 0, keys = 0, columns = 0, valueColumns = 0;
  float scale = 1;
  bool causal = false;

  /// The queries are input number `query`; the mask, if any, is number `mask`.
  AttentionShape(const memplan_launch_t *launch, int query, int mask) {
    const memplan_tensor_t &q = launch->inputs[query];
    const memplan_tensor_t &v = launch->inputs[query + 2];
    heads = product(q, 0, q.rank - 2);
    rows = q.shape[q.rank - 2];
    columns = q.shape[q.rank - 1];
    keys = v.shape[v.rank - 2];
    valueColumns = v.shape[v.rank - 1];
    scale = float(floatAttribute(launch, "scale", 1));
    causal = intAttribute(launch, "causal", 0) != 0;
    if (mask >= launch->input_count)
      return;
    const memplan_tensor_t &m = launch->inputs[mask];
    // A dimension of size 1 is repeated: its step is 0.
    int64_t step = 1;
    for (int d = q.rank - 1; d >= 0; --d) {
      const int64_t size = alignedDim(m, d, q.rank);
      const int64_t taken = size == 1 ? 0 : step;
      step *= size;
      if (d == q.rank - 1)
        maskKey = taken;
      else if (d == q.rank - 2)
        maskRow = taken;
      else
        maskHead[leading] = taken, leadingSize[leading++] = q.shape[d];
    }
  }

  /// The element of the mask for query 0 and key 0 of a head.
  MEMPLAN_HOST_DEVICE int64_t maskAt(int64_t head) const {
    int64_t at = 0;
    for (int d = 0; d < leading; ++d) {
      at += head % leadingSize[d] * maskHead[d];
      head /= leadingSize[d];
    }
    return at;
  }
  int64_t maskRow = 0, maskKey = 0;

private:
  int leading = 0; ///< dimensions before the rows, the last one first
  int64_t leadingSize[maxRank] = {}, maskHead[maxRank] = {};
};

} // namespace memplan::runtime::kernels

#endif // MEMPLAN_LIB_KERNELS_ATTENTIONSHAPE_H
