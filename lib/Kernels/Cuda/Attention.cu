//===- Attention.cu - Scaled dot-product attention ------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scores are made a tile at a time and never lie in device memory. Forward
// a block takes some queries of a head and goes over the keys; what it summed
// before is corrected when a later tile has a larger score (Milakov and
// Gimelshein, 2018; Dao et al., 2022). Backward one launch sums the gradients
// of some keys over all queries, and a second one that of some queries over all
// keys, from the saved logarithms of the row sums: each sum is one block's, in
// the order of the tiles, without atomics. lib/Kernels/Cpu/Attention.cpp has
// the formulas.
//
//===----------------------------------------------------------------------===//

#include "../AttentionShape.h"
#include "../DropoutRule.h"
#include "Launch.h"

namespace memplan::runtime::cuda {

using kernels::AttentionShape;

namespace {
/// Queries by keys of a tile of scores, and the columns that fit beside it into
/// the shared memory of a block.
template <int rowCount, int keyCount, int columnCount> struct Tile {
  static constexpr int rows = rowCount, keys = keyCount, columns = columnCount;
};
using QueryTile = Tile<16, 32, 256>;
using KeyTile = Tile<32, 16, 256>;
/// Tile of wide heads.
using WideQueryTile = Tile<4, 32, 1024>;
using WideKeyTile = Tile<32, 4, 1024>;

/// Operands of both directions; those of the other one are null.
struct Heads {
  AttentionShape shape;
  const float *q, *k, *v, *mask;
  const float *dout = nullptr, *out = nullptr, *logsumexp = nullptr;
  /// Dropout of the softmax.
  kernels::DropoutRule dropout = {};

  /// The factor of an element of the softmax.
  MEMPLAN_DEVICE float kept(int64_t head, int64_t row, int64_t key) const {
    return dropout.factor((head * shape.rows + row) * shape.keys + key);
  }
  /// The score of a query and a key; -infinity where it sees it not.
  MEMPLAN_DEVICE float score(int64_t head, int64_t row, int64_t key) const {
    if (shape.causal && key > row)
      return -INFINITY;
    const float *query = q + (head * shape.rows + row) * shape.columns;
    const float *other = k + (head * shape.keys + key) * shape.columns;
    float sum = 0;
    for (int64_t d = 0; d < shape.columns; ++d)
      sum += query[d] * other[d];
    sum *= shape.scale;
    return mask ? sum + mask[shape.maskAt(head) + row * shape.maskRow +
                             key * shape.maskKey]
                : sum;
  }
  /// The weight of a key for a query, from what was saved.
  MEMPLAN_DEVICE float weight(int64_t head, int64_t row, int64_t key) const {
    const float saved = logsumexp[head * shape.rows + row];
    // A row that sees no key has no weights.
    return saved == -INFINITY ? 0.0f : ::expf(score(head, row, key) - saved);
  }
  /// The sum of dO O over a row, which every gradient of its scores lacks.
  MEMPLAN_DEVICE float delta(int64_t head, int64_t row) const {
    const int64_t first = (head * shape.rows + row) * shape.valueColumns;
    double sum = 0;
    for (int64_t e = 0; e < shape.valueColumns; ++e)
      sum += double(dout[first + e]) * out[first + e];
    return float(sum);
  }
  /// The gradient of what is kept of a weight.
  MEMPLAN_DEVICE float keptGrad(int64_t head, int64_t row, int64_t key) const {
    const float *grad = dout + (head * shape.rows + row) * shape.valueColumns;
    const float *value = v + (head * shape.keys + key) * shape.valueColumns;
    float sum = 0;
    for (int64_t e = 0; e < shape.valueColumns; ++e)
      sum += grad[e] * value[e];
    return sum;
  }
};
} // namespace

MEMPLAN_DEVICE static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/// The first rows of a head that a block takes, and how many.
struct Range {
  int64_t head, first, count;

  MEMPLAN_DEVICE Range(int64_t group, int64_t size, int64_t tile) {
    const int64_t tiles = (size + tile - 1) / tile;
    head = group / tiles;
    first = group % tiles * tile;
    count = least(tile, size - first);
  }
};

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

template <typename T>
static void launchForward(const Call &call, const Heads &h) {
  float *out = call.out(0), *logsumexp = call.out(1);
  const AttentionShape s = h.shape;
  const int64_t tiles = (s.rows + T::rows - 1) / T::rows;
  forEachBlock(
      call, s.heads * tiles, T::rows * s.valueColumns,
      [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
        MEMPLAN_SHARED float sums[T::rows * T::columns];
        MEMPLAN_SHARED float scores[T::rows * T::keys];
        MEMPLAN_SHARED float largest[T::rows], total[T::rows], factor[T::rows];
        const Range range(group, s.rows, T::rows);
        const int64_t width = s.valueColumns;
        block.each(range.count * width, [&](int64_t i) { sums[i] = 0; });
        block.each(range.count, [&](int64_t r) {
          largest[r] = -INFINITY;
          total[r] = 0;
        });
        const int64_t end =
            s.causal ? least(s.keys, range.first + range.count) : s.keys;
        for (int64_t key = 0; key < end; key += T::keys) {
          const int64_t keys = least(T::keys, end - key);
          block.each(range.count * keys, [&](int64_t i) {
            const int64_t r = i / keys, c = i % keys;
            scores[r * T::keys + c] =
                h.score(range.head, range.first + r, key + c);
          });
          block.each(range.count, [&](int64_t r) {
            float most = largest[r];
            for (int64_t c = 0; c < keys; ++c)
              most = ::fmaxf(most, scores[r * T::keys + c]);
            // Before a row has a key there is nothing to correct.
            factor[r] = most == -INFINITY ? 1.0f : ::expf(largest[r] - most);
            largest[r] = most;
          });
          block.each(range.count * keys, [&](int64_t i) {
            const int64_t r = i / keys;
            float &score = scores[r * T::keys + i % keys];
            score = largest[r] == -INFINITY ? 0.0f : ::expf(score - largest[r]);
          });
          block.each(range.count, [&](int64_t r) {
            float sum = 0;
            for (int64_t c = 0; c < keys; ++c)
              sum += scores[r * T::keys + c];
            total[r] = total[r] * factor[r] + sum;
          });
          if (h.dropout.seed)
            block.each(range.count * keys, [&](int64_t i) {
              const int64_t r = i / keys, c = i % keys;
              scores[r * T::keys + c] *=
                  h.kept(range.head, range.first + r, key + c);
            });
          block.each(range.count * width, [&](int64_t i) {
            const int64_t r = i / width, e = i % width;
            const float *value = h.v + (range.head * s.keys + key) * width + e;
            float sum = sums[i] * factor[r];
            for (int64_t c = 0; c < keys; ++c)
              sum += scores[r * T::keys + c] * value[c * width];
            sums[i] = sum;
          });
        }
        // The output may lie on the queries, which are not read any more.
        const int64_t row = range.head * s.rows + range.first;
        block.each(range.count * width, [&](int64_t i) {
          const float sum = total[i / width];
          out[row * width + i] = sum == 0 ? 0.0f : sums[i] / sum;
        });
        block.each(range.count, [&](int64_t r) {
          logsumexp[row + r] =
              total[r] == 0 ? -INFINITY
                            : float(largest[r] + ::log(double(total[r])));
        });
      });
}

template <bool drops> static memplan_status_t forward(const Call &call) {
  Heads h{AttentionShape(call.launch, 0, 3 + drops), call.in(0), call.in(1),
          call.in(2), call.in(3 + drops)};
  if (drops)
    h.dropout = kernels::DropoutRule(call.launch, call.ints(3));
  if (std::max(h.shape.columns, h.shape.valueColumns) <= QueryTile::columns)
    launchForward<QueryTile>(call, h);
  else
    launchForward<WideQueryTile>(call, h);
  return MEMPLAN_OK;
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

/// Weights and gradients of the scores of a tile.
template <typename T, typename Weights>
MEMPLAN_DEVICE static void
makeTile(const Block &block, const Heads &h, int64_t head, int64_t firstRow,
         int64_t rows, int64_t firstKey, int64_t keys, Weights &tile) {
  block.each(rows,
             [&](int64_t r) { tile.delta[r] = h.delta(head, firstRow + r); });
  block.each(rows * keys, [&](int64_t i) {
    const int64_t r = i / keys, c = i % keys, at = r * T::keys + c;
    tile.weight[at] = h.weight(head, firstRow + r, firstKey + c);
  });
  block.each(rows * keys, [&](int64_t i) {
    const int64_t r = i / keys, c = i % keys, at = r * T::keys + c;
    tile.grad[at] = h.keptGrad(head, firstRow + r, firstKey + c);
  });
  // A pass each: two sums at once, or what is kept drawn beside one, would not
  // fit into the registers.
  block.each(rows * keys, [&](int64_t i) {
    const int64_t r = i / keys, c = i % keys, at = r * T::keys + c;
    const float kept = h.kept(head, firstRow + r, firstKey + c);
    const float weight = tile.weight[at];
    tile.grad[at] =
        weight * (kept * tile.grad[at] - tile.delta[r]) * h.shape.scale;
    tile.weight[at] = weight * kept;
  });
}

namespace {
template <typename T> struct ScoreTile {
  float weight[T::rows * T::keys], grad[T::rows * T::keys], delta[T::rows];
};
} // namespace

template <typename T>
static void launchKeyGrads(const Call &call, const Heads &h) {
  float *dk = call.out(1), *dv = call.out(2);
  const AttentionShape s = h.shape;
  const int64_t tiles = (s.keys + T::keys - 1) / T::keys;
  forEachBlock(
      call, s.heads * tiles, T::keys * (s.columns + s.valueColumns),
      [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
        MEMPLAN_SHARED float keySums[T::keys * T::columns];
        MEMPLAN_SHARED float valueSums[T::keys * T::columns];
        MEMPLAN_SHARED ScoreTile<T> tile;
        const Range range(group, s.keys, T::keys);
        const int64_t columns = s.columns, width = s.valueColumns;
        block.each(range.count * columns, [&](int64_t i) { keySums[i] = 0; });
        block.each(range.count * width, [&](int64_t i) { valueSums[i] = 0; });
        // Earlier queries see none of these keys.
        const int64_t begin = s.causal ? range.first / T::rows * T::rows : 0;
        for (int64_t first = begin; first < s.rows; first += T::rows) {
          const int64_t rows = least(T::rows, s.rows - first);
          makeTile<T>(block, h, range.head, first, rows, range.first,
                      range.count, tile);
          const int64_t row = range.head * s.rows + first;
          block.each(range.count * width, [&](int64_t i) {
            const int64_t c = i / width, e = i % width;
            float sum = valueSums[i];
            for (int64_t r = 0; r < rows; ++r)
              sum +=
                  tile.weight[r * T::keys + c] * h.dout[(row + r) * width + e];
            valueSums[i] = sum;
          });
          block.each(range.count * columns, [&](int64_t i) {
            const int64_t c = i / columns, d = i % columns;
            float sum = keySums[i];
            for (int64_t r = 0; r < rows; ++r)
              sum += tile.grad[r * T::keys + c] * h.q[(row + r) * columns + d];
            keySums[i] = sum;
          });
        }
        const int64_t key = range.head * s.keys + range.first;
        block.each(range.count * columns,
                   [&](int64_t i) { dk[key * columns + i] = keySums[i]; });
        block.each(range.count * width,
                   [&](int64_t i) { dv[key * width + i] = valueSums[i]; });
      });
}

template <typename T>
static void launchQueryGrads(const Call &call, const Heads &h) {
  float *dq = call.out(0);
  const AttentionShape s = h.shape;
  const int64_t tiles = (s.rows + T::rows - 1) / T::rows;
  forEachBlock(
      call, s.heads * tiles, T::rows * s.columns,
      [=] MEMPLAN_DEVICE(const Block &block, int64_t group) {
        MEMPLAN_SHARED float sums[T::rows * T::columns];
        MEMPLAN_SHARED ScoreTile<T> tile;
        const Range range(group, s.rows, T::rows);
        const int64_t columns = s.columns;
        block.each(range.count * columns, [&](int64_t i) { sums[i] = 0; });
        const int64_t end =
            s.causal ? least(s.keys, range.first + range.count) : s.keys;
        for (int64_t first = 0; first < end; first += T::keys) {
          const int64_t keys = least(T::keys, end - first);
          makeTile<T>(block, h, range.head, range.first, range.count, first,
                      keys, tile);
          const float *key = h.k + (range.head * s.keys + first) * columns;
          block.each(range.count * columns, [&](int64_t i) {
            const int64_t r = i / columns, d = i % columns;
            float sum = sums[i];
            for (int64_t c = 0; c < keys; ++c)
              sum += tile.grad[r * T::keys + c] * key[c * columns + d];
            sums[i] = sum;
          });
        }
        // It may lie on the queries, or on the gradient of the output, of
        // which no other block reads these rows.
        const int64_t row = range.head * s.rows + range.first;
        block.each(range.count * columns,
                   [&](int64_t i) { dq[row * columns + i] = sums[i]; });
      });
}

template <bool drops> static memplan_status_t backward(const Call &call) {
  Heads h{AttentionShape(call.launch, 1, 6 + drops), call.in(1), call.in(2),
          call.in(3), call.in(6 + drops)};
  if (drops)
    h.dropout = kernels::DropoutRule(call.launch, call.ints(6));
  h.dout = call.in(0);
  h.out = call.in(4);
  h.logsumexp = call.in(5);
  if (std::max(h.shape.columns, h.shape.valueColumns) <= QueryTile::columns) {
    launchKeyGrads<KeyTile>(call, h);
    launchQueryGrads<QueryTile>(call, h);
  } else {
    launchKeyGrads<WideKeyTile>(call, h);
    launchQueryGrads<WideQueryTile>(call, h);
  }
  return MEMPLAN_OK;
}

/// What a block sums has to fit into its shared memory.
template <int query>
static memplan_status_t prepare(Device &device,
                                const memplan_launch_t *description,
                                memplan_prepared_t *) {
  const AttentionShape shape(description, query, description->input_count);
  const int64_t most = std::max(shape.columns, shape.valueColumns);
  return most <= WideQueryTile::columns
             ? MEMPLAN_OK
             : device.fail(MEMPLAN_INVALID_ARGUMENT,
                           "an attention of %lld columns; at most %d are "
                           "supported",
                           static_cast<long long>(most),
                           WideQueryTile::columns);
}

KernelTable attentionKernels() {
  static constexpr Kernel kernels[] = {
      {"memplan.attention", forward<false>, prepare<0>},
      {"memplan.attention_grad", backward<false>, prepare<1>},
      {"memplan.attention_dropout", forward<true>, prepare<0>},
      {"memplan.attention_dropout_grad", backward<true>, prepare<1>},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
