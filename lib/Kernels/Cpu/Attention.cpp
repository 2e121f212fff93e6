//===- Attention.cpp - Scaled dot-product attention -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Per head, with S = scale Q transpose(K) + mask, all f32, at most 1024
// columns: memplan.attention{scale, causal}: O = softmax(S) V, L = log of the
// row sums
//   of exp(S)
//   in  Q [..,N,D], K [..,M,D], V [..,M,E], mask (optional)
//   out O [..,N,E] (may be Q), L [..,N]
// memplan.attention_grad, with P = exp(S - L) and delta = row sums of dO O:
//   dV = transpose(P) dO, G = scale P (dO transpose(V) - delta), dQ = G K,
//   dK = transpose(G) Q
//   in dO, Q, K, V, O, L, mask (optional)   out dQ (may be dO or Q), dK, dV
// memplan.attention_dropout{p, salt} and its gradient have a seed [1] i64
// before the mask: each P becomes 0 or P / (1 - p), by number (head N + n) M +
// m of the Philox stream of seed and salt. L and delta are as without.
//
// S is made in blocks of 64 keys by 32 queries and kept transposed, so that a
// vector holds one key for 16 queries: the statistics of the queries need no
// sum inside of a vector. A row's maximum and sum are corrected when a later
// block has a larger score (Milakov and Gimelshein, 2018; Dao et al., 2022). A
// head is one task of the backward pass, for its blocks of queries add to the
// gradients of all keys. Blocks are taken in order: sums depend on no thread.
//
//===----------------------------------------------------------------------===//

#include "../AttentionShape.h"
#include "../DropoutRule.h"
#include "Elements.h"
#include "Vectors.h"

#include <algorithm>
#include <cmath>

namespace memplan::runtime::cpu {

static constexpr int64_t blockRows = 2 * lanes, blockKeys = 64;
static constexpr int64_t mostColumns = 1024;

namespace {
/// The left side of a product: element (i, k) lies at i * row + k * depth.
struct Left {
  const float *data;
  int64_t row, depth;
};

/// A matrix in memory, `pitch` from row to row.
struct Rows {
  float *data;
  int64_t pitch;
};
} // namespace

/// `tall` rows of `wide` vectors: out (+)= left * right over `depth`.
template <int64_t tall, int64_t wide>
MEMPLAN_INLINE static inline void
multiplyTile(Rows out, Left left, const float *right, int64_t pitch,
             int64_t depth, bool add) {
  Floats sum[tall][wide] = {};
  for (int64_t k = 0; k < depth; ++k) {
    Floats line[wide];
    for (int64_t j = 0; j < wide; ++j)
      load(line[j], right + k * pitch + j * lanes);
    for (int64_t i = 0; i < tall; ++i) {
      const float factor = left.data[i * left.row + k * left.depth];
      for (int64_t j = 0; j < wide; ++j)
        sum[i][j] += factor * line[j];
    }
  }
  for (int64_t i = 0; i < tall; ++i)
    for (int64_t j = 0; j < wide; ++j) {
      float *to = out.data + i * out.pitch + j * lanes;
      if (add) {
        Floats before;
        load(before, to);
        sum[i][j] += before;
      }
      std::memcpy(to, &sum[i][j], sizeof(Floats));
    }
}

/// `count` rows of `wide` vectors.
template <int64_t wide>
MEMPLAN_INLINE static inline void
multiplyPanel(Rows out, int64_t count, Left left, const float *right,
              int64_t pitch, int64_t depth, bool add) {
  constexpr int64_t tall = 8;
  int64_t i = 0;
  for (; i + tall <= count; i += tall)
    multiplyTile<tall, wide>({out.data + i * out.pitch, out.pitch},
                             {left.data + i * left.row, left.row, left.depth},
                             right, pitch, depth, add);
  for (; i < count; ++i)
    multiplyTile<1, wide>({out.data + i * out.pitch, out.pitch},
                          {left.data + i * left.row, left.row, left.depth},
                          right, pitch, depth, add);
}

/// out += left * right for `count` rows of any `width`.
MEMPLAN_INLINE static inline void addProduct(Rows out, int64_t count,
                                             int64_t width, Left left,
                                             const float *right, int64_t pitch,
                                             int64_t depth) {
  int64_t j = 0;
  for (; j + 2 * lanes <= width; j += 2 * lanes)
    multiplyPanel<2>({out.data + j, out.pitch}, count, left, right + j, pitch,
                     depth, true);
  for (; j + lanes <= width; j += lanes)
    multiplyPanel<1>({out.data + j, out.pitch}, count, left, right + j, pitch,
                     depth, true);
  for (; j < width; ++j)
    for (int64_t i = 0; i < count; ++i) {
      float sum = 0;
      for (int64_t k = 0; k < depth; ++k)
        sum += left.data[i * left.row + k * left.depth] * right[k * pitch + j];
      out.data[i * out.pitch + j] += sum;
    }
}

/// to[c][r] = from[r][c] * factor, 0 for rows that are not there.
MEMPLAN_INLINE static inline void packTransposed(const float *from,
                                                 int64_t rows, int64_t columns,
                                                 float factor, float *to) {
  for (int64_t c = 0; c < columns; ++c)
    for (int64_t r = 0; r < blockRows; ++r)
      to[c * blockRows + r] = r < rows ? from[r * columns + c] * factor : 0.0f;
}

namespace {
/// The scores of one block of queries, a block of keys at a time, transposed.
struct Scores {
  const AttentionShape &shape;
  const float *keys, *mask; ///< of the head; no mask is null
  int64_t firstRow, rows;
  float queries[mostColumns * blockRows];
  float block[blockKeys * blockRows];

  MEMPLAN_INLINE Scores(const AttentionShape &shape, const float *allQueries,
                        const float *allKeys, const float *masks, int64_t head,
                        int64_t firstRow)
      : shape(shape), keys(allKeys + head * shape.keys * shape.columns),
        mask(masks ? masks + shape.maskAt(head) : nullptr), firstRow(firstRow),
        rows(std::min(blockRows, shape.rows - firstRow)) {
    packTransposed(allQueries + (head * shape.rows + firstRow) * shape.columns,
                   rows, shape.columns, shape.scale, queries);
  }

  /// Keys that some query of the block sees.
  MEMPLAN_INLINE int64_t visibleKeys() const {
    return shape.causal ? std::min(shape.keys, firstRow + rows) : shape.keys;
  }

  MEMPLAN_INLINE void make(int64_t firstKey, int64_t count) {
    multiplyPanel<2>({block, blockRows}, count,
                     {keys + firstKey * shape.columns, shape.columns, 1},
                     queries, blockRows, shape.columns, false);
    if (mask)
      for (int64_t c = 0; c < count; ++c)
        for (int64_t r = 0; r < rows; ++r)
          block[c * blockRows + r] += mask[(firstRow + r) * shape.maskRow +
                                           (firstKey + c) * shape.maskKey];
    if (shape.causal && firstKey + count - 1 > firstRow)
      for (int64_t c = 0; c < count; ++c)
        for (int64_t r = 0; r < blockRows; ++r)
          if (firstKey + c > firstRow + r)
            block[c * blockRows + r] = -INFINITY;
  }
};

/// What a dropout makes of the softmax; without a seed it keeps all.
struct Kept : kernels::DropoutRule {
  /// The seed, if the kernel has one, is input number `input`.
  Kept(const memplan_launch_t *l, int input, bool drops)
      : DropoutRule(drops ? DropoutRule(l, i64(l->inputs[input]))
                          : DropoutRule()) {}

  /// The factor of each element of a block of scores.
  MEMPLAN_INLINE void factors(const Scores &scores, int64_t head,
                              int64_t firstKey, int64_t count,
                              float *factor) const {
    for (int64_t r = 0; r < scores.rows; ++r) {
      const int64_t row = head * scores.shape.rows + scores.firstRow + r;
      const int64_t first = row * scores.shape.keys + firstKey;
      for (int64_t i = first, end = first + count; i < end;) {
        const PhiloxBlock words = random(i / 4);
        for (int64_t lane = i % 4; lane < 4 && i < end; ++lane, ++i)
          factor[(i - first) * blockRows + r] =
              keeps(words.word[lane]) ? scale : 0.0f;
      }
    }
    for (int64_t r = scores.rows; r < blockRows; ++r)
      for (int64_t c = 0; c < count; ++c)
        factor[c * blockRows + r] = 0;
  }
};

struct Forward {
  AttentionShape shape;
  const float *q, *k, *v, *mask;
  Kept kept;
  float *out, *logsumexp;

  Forward(const memplan_launch_t *l, bool drops)
      : shape(l, 0, 3 + drops), q(f32(l->inputs[0])), k(f32(l->inputs[1])),
        v(f32(l->inputs[2])),
        mask(l->input_count > 3 + drops ? f32(l->inputs[3 + drops]) : nullptr),
        kept(l, 3, drops), out(f32(l->outputs[0])),
        logsumexp(f32(l->outputs[1])) {}

  int64_t blocks() const { return (shape.rows + blockRows - 1) / blockRows; }

  MEMPLAN_INLINE void run(int64_t head, int64_t firstRow) const {
    Scores scores(shape, q, k, mask, head, firstRow);
    const float *values = v + head * shape.keys * shape.valueColumns;
    float sums[mostColumns * blockRows];
    std::fill_n(sums, shape.valueColumns * blockRows, 0.0f);
    float largest[blockRows], total[blockRows] = {};
    std::fill_n(largest, blockRows, -INFINITY);
    for (int64_t c = 0, end = scores.visibleKeys(); c < end; c += blockKeys) {
      const int64_t count = std::min(blockKeys, end - c);
      scores.make(c, count);
      float factor[blockRows];
      addExponentials(scores.block, count, largest, total, factor);
      if (kept.seed) {
        float keep[blockKeys * blockRows];
        kept.factors(scores, head, c, count, keep);
        for (int64_t i = 0; i < count * blockRows; ++i)
          scores.block[i] *= keep[i];
      }
      for (int64_t e = 0; e < shape.valueColumns; ++e)
        for (int64_t r = 0; r < blockRows; ++r)
          sums[e * blockRows + r] *= factor[r];
      multiplyPanel<2>({sums, blockRows}, shape.valueColumns,
                       {values + c * shape.valueColumns, 1, shape.valueColumns},
                       scores.block, blockRows, count, true);
    }
    for (int64_t r = 0; r < scores.rows; ++r) {
      const int64_t row = head * shape.rows + firstRow + r;
      const float inverse = total[r] == 0 ? 0.0f : 1.0f / total[r];
      for (int64_t e = 0; e < shape.valueColumns; ++e)
        out[row * shape.valueColumns + e] = sums[e * blockRows + r] * inverse;
      logsumexp[row] = total[r] == 0
                           ? -INFINITY
                           : float(largest[r] + std::log(double(total[r])));
    }
  }

  /// Makes exponentials of the scores and adds them to `total`; what was
  /// summed before must be multiplied by `factor`.
  MEMPLAN_INLINE static void addExponentials(float *block, int64_t count,
                                             float *largest, float *total,
                                             float *factor) {
    float most[blockRows], sum[blockRows] = {};
    std::copy_n(largest, blockRows, most);
    for (int64_t c = 0; c < count; ++c)
      for (int64_t r = 0; r < blockRows; ++r)
        most[r] = block[c * blockRows + r] > most[r] ? block[c * blockRows + r]
                                                     : most[r];
    for (int64_t r = 0; r < blockRows; ++r) {
      // Of a row without any key yet, exp(-infinity - 0) is 0.
      const float shift = most[r] == -INFINITY ? 0.0f : most[r];
      factor[r] = expOf(largest[r] - shift);
      largest[r] = most[r];
      most[r] = shift;
    }
    for (int64_t c = 0; c < count; ++c)
      for (int64_t r = 0; r < blockRows; ++r) {
        const float power = expOf(block[c * blockRows + r] - most[r]);
        block[c * blockRows + r] = power;
        sum[r] += power;
      }
    for (int64_t r = 0; r < blockRows; ++r)
      total[r] = total[r] * factor[r] + sum[r];
  }
};

struct Backward {
  AttentionShape shape;
  const float *dout, *q, *k, *v, *out, *logsumexp, *mask;
  Kept kept;
  float *dq, *dk, *dv;

  Backward(const memplan_launch_t *l, bool drops)
      : shape(l, 1, 6 + drops), dout(f32(l->inputs[0])), q(f32(l->inputs[1])),
        k(f32(l->inputs[2])), v(f32(l->inputs[3])), out(f32(l->inputs[4])),
        logsumexp(f32(l->inputs[5])),
        mask(l->input_count > 6 + drops ? f32(l->inputs[6 + drops]) : nullptr),
        kept(l, 6, drops), dq(f32(l->outputs[0])), dk(f32(l->outputs[1])),
        dv(f32(l->outputs[2])) {}

  MEMPLAN_INLINE void run(int64_t head) const {
    std::fill_n(dk + head * shape.keys * shape.columns,
                shape.keys * shape.columns, 0.0f);
    std::fill_n(dv + head * shape.keys * shape.valueColumns,
                shape.keys * shape.valueColumns, 0.0f);
    for (int64_t r = 0; r < shape.rows; r += blockRows)
      block(head, r);
  }

  /// One block of queries. Their gradient is written last, for it may lie on
  /// the queries or on the gradient of the output.
  MEMPLAN_INLINE void block(int64_t head, int64_t firstRow) const {
    const int64_t columns = shape.columns, valueColumns = shape.valueColumns;
    const int64_t row = head * shape.rows + firstRow, key = head * shape.keys;
    Scores scores(shape, q, k, mask, head, firstRow);
    const int64_t rows = scores.rows;
    float grads[mostColumns * blockRows], queryGrads[mostColumns * blockRows];
    packTransposed(dout + row * valueColumns, rows, valueColumns, 1.0f, grads);
    std::fill_n(queryGrads, columns * blockRows, 0.0f);
    float delta[blockRows] = {}, shift[blockRows] = {};
    for (int64_t r = 0; r < rows; ++r) {
      double sum = 0;
      for (int64_t i = (row + r) * valueColumns, end = i + valueColumns;
           i < end; ++i)
        sum += double(dout[i]) * out[i];
      delta[r] = float(sum);
      // A row without any key: exp(-infinity - infinity) is 0.
      const float saved = logsumexp[row + r];
      shift[r] = saved == -INFINITY ? INFINITY : saved;
    }
    for (int64_t c = 0, end = scores.visibleKeys(); c < end; c += blockKeys) {
      const int64_t count = std::min(blockKeys, end - c);
      scores.make(c, count);
      float *weights = scores.block;
      for (int64_t i = 0; i < count; ++i)
        for (int64_t r = 0; r < blockRows; ++r)
          weights[i * blockRows + r] =
              expOf(weights[i * blockRows + r] - shift[r]);
      float keep[blockKeys * blockRows], left[blockKeys * blockRows];
      const float *used = weights;
      if (kept.seed) {
        kept.factors(scores, head, c, count, keep);
        for (int64_t i = 0; i < count * blockRows; ++i)
          left[i] = weights[i] * keep[i];
        used = left;
      }
      addProduct({dv + (key + c) * valueColumns, valueColumns}, count,
                 valueColumns, {used, blockRows, 1}, dout + row * valueColumns,
                 valueColumns, rows);
      float scoreGrads[blockKeys * blockRows];
      multiplyPanel<2>({scoreGrads, blockRows}, count,
                       {v + (key + c) * valueColumns, valueColumns, 1}, grads,
                       blockRows, valueColumns, false);
      if (kept.seed)
        for (int64_t i = 0; i < count * blockRows; ++i)
          scoreGrads[i] *= keep[i];
      for (int64_t i = 0; i < count; ++i)
        for (int64_t r = 0; r < blockRows; ++r)
          scoreGrads[i * blockRows + r] =
              weights[i * blockRows + r] *
              (scoreGrads[i * blockRows + r] - delta[r]) * shape.scale;
      addProduct({dk + (key + c) * columns, columns}, count, columns,
                 {scoreGrads, blockRows, 1}, q + row * columns, columns, rows);
      multiplyPanel<2>({queryGrads, blockRows}, columns,
                       {k + (key + c) * columns, 1, columns}, scoreGrads,
                       blockRows, count, true);
    }
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t d = 0; d < columns; ++d)
        dq[(row + r) * columns + d] = queryGrads[d * blockRows + r];
  }
};
} // namespace

template <bool drops>
static memplan_status_t forward(const memplan_launch_t *launch) {
  Forward f(launch, drops);
  const int64_t blocks = f.blocks();
  vectorFor(launch, f.shape.heads * blocks, 1,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              for (int64_t i = begin; i < end; ++i)
                f.run(i / blocks, i % blocks * blockRows);
            });
  return MEMPLAN_OK;
}

template <bool drops>
static memplan_status_t backward(const memplan_launch_t *launch) {
  Backward b(launch, drops);
  vectorFor(launch, b.shape.heads, 1,
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              for (int64_t head = begin; head < end; ++head)
                b.run(head);
            });
  return MEMPLAN_OK;
}

/// The blocks of queries lie on the stack.
template <int query>
static memplan_status_t prepare(const memplan_launch_t *launch,
                                memplan_prepared_t *prepared) {
  if (memplan_status_t status = prepareWidened(launch, prepared))
    return status;
  const AttentionShape shape(launch, query, launch->input_count);
  const int64_t most = std::max(shape.columns, shape.valueColumns);
  return most <= mostColumns
             ? MEMPLAN_OK
             : fail(launch, MEMPLAN_UNAVAILABLE,
                    "an attention of %lld columns; at most %lld are supported",
                    static_cast<long long>(most),
                    static_cast<long long>(mostColumns));
}

KernelList attentionKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      {"memplan.attention", prepare<0>, widened<forward<false>>, nullptr,
       nullptr, 0},
      {"memplan.attention_grad", prepare<1>, widened<backward<false>>, nullptr,
       nullptr, 0},
      {"memplan.attention_dropout", prepare<0>, widened<forward<true>>, nullptr,
       nullptr, 0},
      {"memplan.attention_dropout_grad", prepare<1>, widened<backward<true>>,
       nullptr, nullptr, 0},
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
