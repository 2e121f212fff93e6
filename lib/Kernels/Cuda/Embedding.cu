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

//===----------------------------------------------------------------------===//
// The gradient
//===----------------------------------------------------------------------===//

/// A block sorts so many keys in its shared memory.
static constexpr int64_t tileKeys = 1024;

/// A key is an id with the position where it stands: id * count + position.
/// They are sorted in tiles, and each finds its place among all tiles; then the
/// positions of an id lie side by side, in their order.
static memplan_status_t prepareBackward(Device &,
                                        const memplan_launch_t *launch,
                                        memplan_prepared_t *prepared) {
  const int64_t tiles = (elements(launch->inputs[0]) + tileKeys - 1) / tileKeys;
  prepared->workspace_bytes = 2 * tiles * tileKeys * int64_t(sizeof(int64_t));
  return MEMPLAN_OK;
}

/// Ids that are no rows come behind all that are.
static void sortTiles(const Call &call, int64_t rows, int64_t *sorted) {
  const int64_t *ids = call.ints(0);
  const int64_t count = elements(call.input(0));
  int32_t *fault = call.device.fault;
  forEachBlock(call, (count + tileKeys - 1) / tileKeys, 2 * tileKeys,
               [=] MEMPLAN_DEVICE(const Block &block, int64_t tile) {
                 MEMPLAN_SHARED int64_t keys[tileKeys];
                 block.each(tileKeys, [&](int64_t i) {
                   const int64_t position = tile * tileKeys + i;
                   if (position >= count) {
                     keys[i] = INT64_MAX;
                     return;
                   }
                   int64_t id = ids[position];
                   if (id < 0 || id >= rows) {
                     raiseFault(fault, IdOutOfRange);
                     id = rows;
                   }
                   keys[i] = id * count + position;
                 });
                 // Batcher's bitonic sort.
                 for (int64_t run = 2; run <= tileKeys; run *= 2)
                   for (int64_t apart = run / 2; apart > 0; apart /= 2)
                     block.each(tileKeys / 2, [&](int64_t pair) {
                       const int64_t low =
                           pair / apart * 2 * apart + pair % apart;
                       const int64_t high = low + apart;
                       const bool isRising = (low & run) == 0;
                       if ((keys[low] > keys[high]) == isRising) {
                         const int64_t key = keys[low];
                         keys[low] = keys[high];
                         keys[high] = key;
                       }
                     });
                 block.each(tileKeys, [&](int64_t i) {
                   sorted[tile * tileKeys + i] = keys[i];
                 });
               });
}

/// Each key goes behind all smaller ones: its place in its own tile, and in
/// each other one what a binary search says.
static void mergeTiles(const Call &call, const int64_t *tiles,
                       int64_t *merged) {
  const int64_t count = elements(call.input(0));
  const int64_t tileCount = (count + tileKeys - 1) / tileKeys;
  forEach(call, tileCount * tileKeys, [=] MEMPLAN_DEVICE(int64_t i) {
    const int64_t key = tiles[i];
    if (key == INT64_MAX)
      return;
    int64_t place = i % tileKeys;
    for (int64_t t = 0; t < tileCount; ++t) {
      if (t == i / tileKeys)
        continue;
      int64_t begin = 0, end = tileKeys;
      while (begin < end) {
        const int64_t middle = (begin + end) / 2;
        if (tiles[t * tileKeys + middle] < key)
          begin = middle + 1;
        else
          end = middle;
      }
      place += begin;
    }
    merged[place] = key;
  });
}

static memplan_status_t backward(const Call &call) {
  const float *dy = call.in(1);
  float *dtable = call.out(0);
  const int64_t rows = call.output(0).shape[0], width = call.output(0).shape[1];
  const int64_t count = elements(call.input(0));
  forEach(call, rows * width, [=] MEMPLAN_DEVICE(int64_t i) { dtable[i] = 0; });
  int64_t *tiles = call.workspace<int64_t>();
  int64_t *merged = tiles + (count + tileKeys - 1) / tileKeys * tileKeys;
  sortTiles(call, rows, tiles);
  mergeTiles(call, tiles, merged);
  // The block at the first position of an id adds up all rows of that id.
  forEachBlock(
      call, count, width,
      [=] MEMPLAN_DEVICE(const Block &block, int64_t place) {
        const int64_t id = merged[place] / count;
        if (id >= rows || (place > 0 && merged[place - 1] / count == id))
          return;
        block.each(width, [&](int64_t d) {
          float sum = 0;
          for (int64_t i = place; i < count && merged[i] / count == id; ++i)
            sum += dy[merged[i] % count * width + d];
          dtable[id * width + d] = sum;
        });
      });
  return MEMPLAN_OK;
}

KernelTable embeddingKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.embedding", forward},
      {"memplan.embedding_grad", backward, prepareBackward},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
