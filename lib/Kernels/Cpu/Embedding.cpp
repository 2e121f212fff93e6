//===- Embedding.cpp - Rows of a table by id ------------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.embedding: y[.., :] = table[ids[..], :]
//   in table [V,D], ids [..] i64   out y [..,D]
// memplan.embedding_grad{num_embeddings}:
//   dtable[v] = sum of dy where ids is v, in the order of the ids
//   in ids, dy   out dtable [V,D]
// Errors: MEMPLAN_INVALID_ARGUMENT for an id outside of [0, V).
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include <algorithm>

namespace memplan::runtime::cpu {

static memplan_status_t checkIds(const memplan_launch_t *launch,
                                 const int64_t *ids, int64_t count,
                                 int64_t rows) {
  for (int64_t i = 0; i < count; ++i)
    if (ids[i] < 0 || ids[i] >= rows)
      return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                  "id %lld at position %lld is not in [0, %lld)",
                  static_cast<long long>(ids[i]), static_cast<long long>(i),
                  static_cast<long long>(rows));
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t forward(const memplan_launch_t *launch) {
  const T *table = dataOf<T>(launch->inputs[0]);
  const int64_t *ids = i64(launch->inputs[1]);
  T *y = dataOf<T>(launch->outputs[0]);
  int64_t rows = launch->inputs[0].shape[0], width = launch->inputs[0].shape[1];
  int64_t count = elements(launch->inputs[1]);
  if (memplan_status_t s = checkIds(launch, ids, count, rows); s != MEMPLAN_OK)
    return s;
  parallelFor(launch, count, rowGrain(width), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::copy_n(table + ids[i] * width, width, y + i * width);
  });
  return MEMPLAN_OK;
}

static memplan_status_t backward(const memplan_launch_t *launch) {
  const int64_t *ids = i64(launch->inputs[0]);
  const float *dy = f32(launch->inputs[1]);
  float *dtable = f32(launch->outputs[0]);
  int64_t rows = launch->outputs[0].shape[0];
  int64_t width = launch->outputs[0].shape[1];
  int64_t count = elements(launch->inputs[0]);
  if (memplan_status_t s = checkIds(launch, ids, count, rows); s != MEMPLAN_OK)
    return s;
  parallelFor(launch, rows * width, elementGrain,
              [&](int64_t begin, int64_t end) {
                std::fill(dtable + begin, dtable + end, 0.0f);
              });
  // Pieces of the columns: two ids of one row never meet in two threads.
  parallelFor(launch, width, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = 0; i < count; ++i)
      for (int64_t d = begin; d < end; ++d)
        dtable[ids[i] * width + d] += dy[i * width + d];
  });
  return MEMPLAN_OK;
}

KernelList embeddingKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.embedding", MEMPLAN_TYPED(forward)),
      makeWidened<backward>("memplan.embedding_grad"),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
