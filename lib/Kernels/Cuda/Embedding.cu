//===- Embedding.cu - Rows of a table ---------------------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

namespace memplan::runtime::cuda {

static memplan_status_t forward(const Call &call) {
  const float *table = call.in(0);
  const int64_t *ids = call.ints(1);
  float *y = call.out(0);
  int64_t rows = call.input(0).shape[0], width = call.input(0).shape[1];
  int32_t *fault = call.device.fault;
  forEach(call, elements(call.input(1)) * width,
          [=] MEMPLAN_DEVICE(int64_t at) {
            int64_t id = ids[at / width];
            if (id < 0 || id >= rows) {
              raiseFault(fault, IdOutOfRange);
              return;
            }
            y[at] = table[id * width + at % width];
          });
  return MEMPLAN_OK;
}

/// The block at the first position of an id adds up all rows of that id, in
/// their order; the other positions of the id do nothing.
static memplan_status_t backward(const Call &call) {
  const int64_t *ids = call.ints(0);
  const float *dy = call.in(1);
  float *dtable = call.out(0);
  int64_t rows = call.output(0).shape[0], width = call.output(0).shape[1];
  int64_t count = elements(call.input(0));
  int32_t *fault = call.device.fault;
  forEach(call, rows * width, [=] MEMPLAN_DEVICE(int64_t i) { dtable[i] = 0; });
  forEachBlock(
      call, count, width,
      [=] MEMPLAN_DEVICE(const Block &block, int64_t position) {
        int64_t id = ids[position];
        if (id < 0 || id >= rows) {
          block.each(1, [&](int64_t) { raiseFault(fault, IdOutOfRange); });
          return;
        }
        double earlier = block.sum(
            position, [&](int64_t i) { return ids[i] == id ? 1.0 : 0.0; });
        if (earlier > 0)
          return;
        block.each(width, [&](int64_t d) {
          float sum = 0;
          for (int64_t i = position; i < count; ++i)
            if (ids[i] == id)
              sum += dy[i * width + d];
          dtable[id * width + d] = sum;
        });
      });
  return MEMPLAN_OK;
}

KernelTable embeddingKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.embedding", forward},
      {"memplan.embedding_grad", backward},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
