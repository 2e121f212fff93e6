//===- FlashAttention.cu - Attention in tiles of shared memory --*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention.cu computes the same, by the same formulas. Here tiles of queries,
// keys and values lie in shared memory, a warp multiplies 16 rows at a time, on
// tensor cores where the type allows it, and sums stay in registers (Dao,
// 2023). Elements of 16 bits are read as they are; the softmax is rounded to
// their type before it is multiplied with the values. Exponentials are powers
// of 2, so scores are in units of the logarithm to base 2.
//
//===----------------------------------------------------------------------===//

#include "../AttentionShape.h"
#include "../DropoutRule.h"
#include "../Signature.h"
#include "Mma.h"

#include <numbers>

namespace memplan::runtime::cuda {

using kernels::AttentionShape;
using kernels::DropoutRule;

/// Columns of a head that fit into the registers of a block.
static constexpr int mostColumns = 128;
static constexpr float log2e = std::numbers::log2e_v<float>;
static constexpr float ln2 = std::numbers::ln2_v<float>;

namespace {
/// A mask of f32 or of 16 bits.
struct MaskReader {
  const void *data = nullptr;
  int32_t type = MEMPLAN_F32;

  MaskReader(const memplan_launch_t *launch, int input) {
    if (input >= launch->input_count)
      return;
    data = launch->inputs[input].data;
    type = launch->inputs[input].dtype;
  }
  MEMPLAN_DEVICE float operator[](int64_t i) const {
    if (type == MEMPLAN_F32)
      return static_cast<const float *>(data)[i];
    const uint16_t bits = static_cast<const uint16_t *>(data)[i];
    return type == MEMPLAN_BF16 ? Bf16::load(bits) : F16::load(bits);
  }
};

/// Operands of both directions, whose elements are stored as T.
template <typename T> struct Operands {
  using Stored = typename T::Stored;
  AttentionShape shape;
  MaskReader mask;
  DropoutRule dropout;
  const Stored *q, *k, *v;
  bool isAligned;

  Operands(const Call &call, int query, bool drops)
      : shape(call.launch, query, maskOf(query, drops)),
        mask(call.launch, maskOf(query, drops)), q(operand(call.input(query))),
        k(operand(call.input(query + 1))), v(operand(call.input(query + 2))),
        isAligned(areAligned(call)) {
    if (drops)
      dropout = DropoutRule(call.launch, call.ints(maskOf(query, drops) - 1));
  }

  static const Stored *operand(const memplan_tensor_t &tensor) {
    return static_cast<const Stored *>(tensor.data);
  }
  static Stored *result(const memplan_tensor_t &tensor) {
    return static_cast<Stored *>(tensor.data);
  }
  /// The forward pass has three operands before seed and mask, the backward
  /// pass, whose queries are number 1, six.
  static int maskOf(int query, bool drops) {
    return (query == 0 ? 3 : 6) + int(drops);
  }
};

/// The tiles of a block: a warp has `rowBlocks` times 16 of the `rows`, and all
/// warps go over tiles of `others` with them. Rows of the forward pass and of
/// the gradient of queries are queries, and the others are keys; for the
/// gradients of keys and values it is the other way round.
template <typename PolicyType, int columnsThatFit, int otherRows, int rowBlocks>
struct Tiles {
  using Policy = PolicyType;
  using Stored = typename Policy::Stored;
  using Element = typename Policy::Element;
  static constexpr int capacity = columnsThatFit;
  static constexpr int warps = 4, threads = warps * warpThreads;
  static constexpr int warpRows = 16 * rowBlocks;
  static constexpr int rows = warps * warpRows, others = otherRows;
  /// Blocks that a multiprocessor should have registers for.
  static constexpr int blocks = 2;
  static constexpr int rowsOfThread = rowBlocks * Policy::rowsOfThread;
  static constexpr int pitch = capacity + Policy::skew;
  static constexpr int weightPitch = others + 8;

  using Scores = WarpSums<rowBlocks, others>;
  using Out = WarpSums<rowBlocks, capacity>;
  using Rows = Row<rowsOfThread>;
  template <typename T> using Kept = PerThread<T, threads>;

  struct alignas(16) RowTile {
    Stored value[rows * pitch];
  };
  struct alignas(16) OtherTile {
    Stored value[others * pitch];
  };
  struct alignas(16) Weights {
    Stored value[rows * weightPitch];
  };
  /// Which of four neighbouring keys a dropout keeps: a byte each.
  struct alignas(16) KeepBits {
    uint8_t value[rows * others / 4];
  };

  static MEMPLAN_DEVICE int lane(int thread) { return thread % warpThreads; }
  /// The first row of a thread's warp.
  static MEMPLAN_DEVICE int warpRow(int thread) {
    return thread / warpThreads * warpRows;
  }
  /// The row of element e of block m, and which of the thread's rows it is.
  static MEMPLAN_DEVICE int rowOf(int thread, int m, int e) {
    return warpRow(thread) + 16 * m + Policy::row(lane(thread), e);
  }
  static MEMPLAN_DEVICE constexpr int rowNumber(int m, int e) {
    return m * Policy::rowsOfThread + Policy::rowNumber(e);
  }
  static MEMPLAN_DEVICE TileView<Stored> view(const RowTile &tile, int thread) {
    return {tile.value + warpRow(thread) * pitch, pitch};
  }
  static MEMPLAN_DEVICE TileView<Stored> view(const OtherTile &tile) {
    return {tile.value, pitch};
  }
  static MEMPLAN_DEVICE TileView<Stored> view(const Weights &tile, int thread) {
    return {tile.value + warpRow(thread) * weightPitch, weightPitch};
  }

  /// Rows of `width` elements into shared memory; what is not there is 0.
  template <typename Tile>
  static MEMPLAN_DEVICE void load(Tile &tile, const Stored *from, int64_t count,
                                  int width, bool isAligned) {
    constexpr int each = Sixteen<Stored>::count, across = capacity / each;
    constexpr int tileRows = int(sizeof(tile.value) / sizeof(Stored)) / pitch;
    forEachThread<threads>([&](int thread) {
      MEMPLAN_UNROLL
      for (int i = 0; i < tileRows * across / threads; ++i) {
        const int piece = i * threads + thread;
        const int row = piece / across, column = piece % across * each;
        Sixteen<Stored> read = {};
        if (row < count && column < width) {
          const Stored *at = from + row * width + column;
          if (isAligned) {
            read = *reinterpret_cast<const Sixteen<Stored> *>(at);
          } else {
            MEMPLAN_UNROLL
            for (int e = 0; e < each; ++e)
              read.value[e] = at[e];
          }
        }
        MEMPLAN_UNROLL
        for (int e = 0; e < each; ++e)
          read.value[e] = Policy::keep(read.value[e]);
        *reinterpret_cast<Sixteen<Stored> *>(tile.value + row * pitch +
                                             column) = read;
      }
    });
  }

  /// element(m, n, e) of the scores of a thread, as an operand.
  template <typename F>
  static MEMPLAN_DEVICE void storeWeights(Weights &tile, int thread,
                                          const F &element) {
    storeScores<Policy, rowBlocks, others>(tile.value +
                                               warpRow(thread) * weightPitch,
                                           weightPitch, lane(thread), element);
  }

  /// The results of a warp, times a factor of each row of a thread.
  static MEMPLAN_DEVICE void store(Stored *to, int64_t count, int width,
                                   Out &sums, const Rows &factor, int thread) {
    sums.each([&](int m, int n, int e, float &sum) {
      sum *= factor.value[rowNumber(m, e)];
      const int row = rowOf(thread, m, e);
      const int column = Policy::outColumn(lane(thread), n, e);
      if (row < count && column < width)
        to[row * width + column] = Element::store(sum);
    });
  }
};

/// A tile of scores: the head, and the first query and key.
struct Place {
  int64_t head, query, key;
};

/// What a tile of scores is made from, whose rows are queries or keys.
template <typename T, bool keysAreRows>
struct ScoreTiles : Operands<typename T::Element> {
  using Base = Operands<typename T::Element>;
  using Base::Base, Base::shape, Base::mask, Base::dropout;
  using Policy = typename T::Policy;
  static constexpr int queries = keysAreRows ? T::others : T::rows;
  static constexpr int keys = keysAreRows ? T::rows : T::others;

  /// Which block sums what: heads of one place come together, those with most
  /// to do first.
  MEMPLAN_DEVICE Place placeOf(int64_t group) const {
    const int64_t tile = group / shape.heads;
    if constexpr (keysAreRows)
      return {group % shape.heads, 0, tile * T::rows};
    const int64_t tiles = (shape.rows + T::rows - 1) / T::rows;
    return {group % shape.heads, (tiles - 1 - tile) * T::rows, 0};
  }
  int64_t tiles() const {
    const int64_t count = keysAreRows ? shape.keys : shape.rows;
    return shape.heads * ((count + T::rows - 1) / T::rows);
  }
  /// Keys that some query of the block sees.
  MEMPLAN_DEVICE int64_t endOfKeys(const Place &at) const {
    const int64_t end = at.query + T::rows;
    return shape.causal && end < shape.keys ? end : shape.keys;
  }
  /// What is left of a tile of `most`; less than nothing where it ended before.
  static MEMPLAN_DEVICE int countOf(int64_t left, int most) {
    return int(left < -T::rows ? -T::rows : left < most ? left : most);
  }
  /// The depth of a product over columns, which are padded with 0.
  static MEMPLAN_DEVICE int depthOf(int64_t columns) {
    return int(columns + Policy::depthStep - 1) / Policy::depthStep *
           Policy::depthStep;
  }

  MEMPLAN_DEVICE static int queryIn(int thread, int m, int n, int e) {
    return keysAreRows ? Policy::scoreColumn(T::lane(thread), n, e)
                       : T::rowOf(thread, m, e);
  }
  MEMPLAN_DEVICE static int keyIn(int thread, int m, int n, int e) {
    return keysAreRows ? T::rowOf(thread, m, e)
                       : Policy::scoreColumn(T::lane(thread), n, e);
  }

  /// Products of queries and keys become scores, to base 2; -infinity where a
  /// query sees a key not.
  MEMPLAN_DEVICE void finish(typename T::Scores &scores, const Place &at,
                             int thread) const {
    const float factor = shape.scale * log2e;
    scores.each([&](int, int, int, float &score) { score *= factor; });
    const int lastQuery = countOf(shape.rows - at.query, queries);
    const int lastKey = countOf(shape.keys - at.key, keys);
    // A query sees keys up to its own number, and so many more.
    const int more = shape.causal ? countOf(at.query - at.key, keys) : keys;
    if (!mask.data && lastQuery == queries && lastKey == keys &&
        more >= keys - 1)
      return;
    scores.each([&](int m, int n, int e, float &score) {
      const int query = queryIn(thread, m, n, e), key = keyIn(thread, m, n, e);
      if (query >= lastQuery || key >= lastKey || key - query > more)
        score = -INFINITY;
    });
    if (!mask.data)
      return;
    const int64_t first = shape.maskAt(at.head) + at.query * shape.maskRow +
                          at.key * shape.maskKey;
    scores.each([&](int m, int n, int e, float &score) {
      const int query = queryIn(thread, m, n, e), key = keyIn(thread, m, n, e);
      if (query < lastQuery && key < lastKey)
        score +=
            log2e *
            mask[inPlace(first + query * shape.maskRow + key * shape.maskKey)];
    });
  }

  /// Draws what is kept of a tile of scores.
  MEMPLAN_DEVICE void draw(typename T::KeepBits &bits, const Place &at) const {
    if (!dropout.seed)
      return;
    forEachThread<T::threads>([&](int thread) {
      MEMPLAN_ROLLED
      for (int i = thread; i < queries * keys / 4; i += T::threads) {
        const int64_t query = at.query + i / (keys / 4);
        const int64_t key = at.key + i % (keys / 4) * 4;
        const int64_t element =
            (at.head * shape.rows + query) * shape.keys + key;
        const int skipped = int(element & 3);
        unsigned kept = keptOf(element / 4);
        // Four keys that begin inside of a block of random numbers.
        if (skipped)
          kept = (kept | keptOf(element / 4 + 1) << 4) >> skipped;
        bits.value[i] = uint8_t(kept & 15);
      }
    });
  }
  /// Which elements of a thread's scores are kept.
  struct Kept {
    uint32_t word[(sizeof(typename T::Scores) / sizeof(float) + 31) / 32];

    MEMPLAN_DEVICE static constexpr int number(int m, int n, int e) {
      return (m * T::Scores::across + n) * 4 + e;
    }
    MEMPLAN_DEVICE bool has(int m, int n, int e) const {
      const int i = number(m, n, e);
      return word[i / 32] >> (i % 32) & 1;
    }
  };
  /// Read at once, before there are scores, so that these few bits take the
  /// registers of a thread.
  MEMPLAN_DEVICE Kept keptBy(const typename T::KeepBits &bits,
                             typename T::Scores &scores, int thread) const {
    Kept kept = {};
    if (dropout.seed)
      scores.each([&](int m, int n, int e, float &) {
        const int key = keyIn(thread, m, n, e);
        const int four = queryIn(thread, m, n, e) * (keys / 4) + key / 4;
        const int i = Kept::number(m, n, e);
        kept.word[i / 32] |= uint32_t(bits.value[four] >> (key % 4) & 1)
                             << (i % 32);
      });
    return kept;
  }

private:
  MEMPLAN_DEVICE unsigned keptOf(int64_t block) const {
    const PhiloxBlock words = dropout.random(block);
    unsigned kept = 0;
    MEMPLAN_UNROLL
    for (int w = 0; w < 4; ++w)
      kept |= unsigned(dropout.keeps(words.word[w])) << w;
    return kept;
  }
};

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

template <typename T> struct Forward : ScoreTiles<T, false> {
  using Base = ScoreTiles<T, false>;
  using Base::shape, Base::dropout;
  using Policy = typename T::Policy;
  using Stored = typename T::Stored;
  static constexpr int threads = T::threads, blocks = T::blocks;
  struct Shared {
    typename T::RowTile queries;
    typename T::OtherTile keys, values;
    typename T::Weights weights;
    typename T::KeepBits bits;
  };
  static constexpr int64_t sharedBytes = sizeof(Shared);
  Stored *out;
  float *logsumexp;

  Forward(const Call &call, bool drops)
      : Base(call, 0, drops), out(Base::result(call.output(0))),
        logsumexp(call.out(1)) {}

  MEMPLAN_DEVICE void operator()(std::byte *memory, int64_t group) const {
    Shared &shared = *reinterpret_cast<Shared *>(memory);
    MEMPLAN_OF_THREADS typename T::template Kept<typename T::Out> sums;
    MEMPLAN_OF_THREADS typename T::template Kept<typename T::Scores> scores;
    MEMPLAN_OF_THREADS typename T::template Kept<typename T::Rows> most, total,
        largest;
    const int columns = int(shape.columns), width = int(shape.valueColumns);
    Place at = this->placeOf(group);
    const int64_t row = at.head * shape.rows + at.query;
    T::load(shared.queries, this->q + row * columns, shape.rows - at.query,
            columns, this->isAligned);
    forEachThread<threads>([&](int t) {
      sums[t].clear();
      for (int r = 0; r < T::rowsOfThread; ++r) {
        most[t].value[r] = -INFINITY;
        total[t].value[r] = 0;
      }
    });
    for (const int64_t end = this->endOfKeys(at); at.key < end;
         at.key += T::others) {
      const int64_t key = at.head * shape.keys + at.key;
      T::load(shared.keys, this->k + key * columns, shape.keys - at.key,
              columns, this->isAligned);
      T::load(shared.values, this->v + key * width, shape.keys - at.key, width,
              this->isAligned);
      this->draw(shared.bits, at);
      blockBarrier();
      forEachThread<threads>([&](int t) {
        auto &mine = scores[t];
        mine.clear();
        Policy::template multiplyRows<T::capacity>(
            mine, T::view(shared.queries, t), T::view(shared.keys),
            this->depthOf(columns), T::lane(t));
        this->finish(mine, at, t);
        largest[t] = most[t];
        mine.each([&](int m, int, int e, float &score) {
          float &row = largest[t].value[T::rowNumber(m, e)];
          row = ::fmaxf(row, score);
        });
      });
      combineLanes<Policy::lanesOfRow>(
          largest, [](float a, float b) { return ::fmaxf(a, b); });
      forEachThread<threads>([&](int t) {
        typename T::Rows shift, factor;
        MEMPLAN_UNROLL
        for (int r = 0; r < T::rowsOfThread; ++r) {
          const float now = largest[t].value[r];
          // Before a row has a key there is nothing to correct.
          shift.value[r] = now == -INFINITY ? 0.0f : now;
          factor.value[r] = powerOfTwo(most[t].value[r] - shift.value[r]);
          most[t].value[r] = now;
          total[t].value[r] *= factor.value[r];
        }
        auto &mine = scores[t];
        mine.each([&](int m, int, int e, float &score) {
          const int r = T::rowNumber(m, e);
          score = powerOfTwo(score - shift.value[r]);
          total[t].value[r] += score;
        });
        const auto kept = this->keptBy(shared.bits, mine, t);
        sums[t].each([&](int m, int, int e, float &sum) {
          sum *= factor.value[T::rowNumber(m, e)];
        });
        T::storeWeights(shared.weights, t, [&](int m, int n, int e) {
          return !dropout.seed || kept.has(m, n, e) ? mine.value[m][n][e]
                                                    : 0.0f;
        });
      });
      warpBarrier();
      forEachThread<threads>([&](int t) {
        Policy::template multiplyColumns<T::others>(
            sums[t], T::view(shared.weights, t), T::view(shared.values), width,
            T::lane(t));
      });
      blockBarrier();
    }
    combineLanes<Policy::lanesOfRow>(total,
                                     [](float a, float b) { return a + b; });
    // The output may lie on the queries, which are not read any more.
    forEachThread<threads>([&](int t) {
      typename T::Rows factor;
      MEMPLAN_UNROLL
      for (int r = 0; r < T::rowsOfThread; ++r)
        factor.value[r] =
            total[t].value[r] == 0 ? 0.0f : keptScale() / total[t].value[r];
      T::store(out + row * width, shape.rows - at.query, width, sums[t], factor,
               t);
      MEMPLAN_UNROLL
      for (int m = 0; m < T::rowsOfThread / Policy::rowsOfThread; ++m)
        MEMPLAN_UNROLL
      for (int e = 0; e < 4; ++e) {
        const int r = T::rowNumber(m, e);
        const int own = T::rowOf(t, m, e);
        if (T::lane(t) % Policy::lanesOfRow == 0 && at.query + own < shape.rows)
          logsumexp[row + own] =
              total[t].value[r] == 0
                  ? -INFINITY
                  : most[t].value[r] * ln2 + ::logf(total[t].value[r]);
      }
    });
    blockBarrier();
  }

private:
  MEMPLAN_DEVICE float keptScale() const {
    return dropout.seed ? dropout.scale : 1.0f;
  }
};

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

/// What both launches of the backward pass read.
template <typename T, bool keysAreRows>
struct Backward : ScoreTiles<T, keysAreRows> {
  using Base = ScoreTiles<T, keysAreRows>;
  using Base::shape, Base::dropout;
  using Policy = typename T::Policy;
  using Stored = typename T::Stored;
  const Stored *dout;
  const float *logsumexp, *delta;

  Backward(const Call &call, bool drops)
      : Base(call, 1, drops), dout(Base::operand(call.input(0))),
        logsumexp(call.in(5)), delta(call.workspace<float>()) {}

  /// What is subtracted from the scores of a query, to base 2. A row that is
  /// not there, or sees no key, has no weights.
  MEMPLAN_DEVICE float shiftOf(const Place &at, int query) const {
    if (at.query + query >= shape.rows)
      return INFINITY;
    const float saved = logsumexp[at.head * shape.rows + at.query + query];
    return saved == -INFINITY ? INFINITY : saved * log2e;
  }
  MEMPLAN_DEVICE float deltaOf(const Place &at, int query) const {
    return at.query + query < shape.rows
               ? delta[at.head * shape.rows + at.query + query]
               : 0.0f;
  }
  /// Weights become the gradients of scores, but for the factor of the scale;
  /// `grads` holds the products of values and gradients.
  template <typename DeltaOf>
  MEMPLAN_DEVICE void
  makeGrads(typename T::Scores &weights, typename T::Scores &grads,
            const typename Base::Kept &kept, const DeltaOf &deltaOf) const {
    if (dropout.seed)
      grads.each([&](int m, int n, int e, float &grad) {
        grad = kept.has(m, n, e) ? grad * dropout.scale : 0.0f;
      });
    grads.each([&](int m, int n, int e, float &grad) {
      grad = weights.value[m][n][e] * (grad - deltaOf(m, n, e));
    });
  }
};

/// Gradients of keys and values.
template <typename T> struct KeyGrads : Backward<T, true> {
  using Base = Backward<T, true>;
  using Base::shape, Base::dropout;
  using Policy = typename T::Policy;
  using Stored = typename T::Stored;
  static constexpr int threads = T::threads, blocks = T::blocks;
  struct Shared {
    typename T::RowTile keys, values;
    typename T::OtherTile queries, douts;
    typename T::Weights weights;
    typename T::KeepBits bits;
    float shift[T::others], delta[T::others];
  };
  static constexpr int64_t sharedBytes = sizeof(Shared);
  Stored *dk, *dv;

  KeyGrads(const Call &call, bool drops)
      : Base(call, drops), dk(Base::result(call.output(1))),
        dv(Base::result(call.output(2))) {}

  MEMPLAN_DEVICE void operator()(std::byte *memory, int64_t group) const {
    Shared &shared = *reinterpret_cast<Shared *>(memory);
    MEMPLAN_OF_THREADS
    typename T::template Kept<typename T::Out> keySums, valueSums;
    MEMPLAN_OF_THREADS
    typename T::template Kept<typename T::Scores> weights, grads;
    MEMPLAN_OF_THREADS typename T::template Kept<typename Base::Kept> kept;
    const int columns = int(shape.columns), width = int(shape.valueColumns);
    Place at = this->placeOf(group);
    const int64_t key = at.head * shape.keys + at.key;
    T::load(shared.keys, this->k + key * columns, shape.keys - at.key, columns,
            this->isAligned);
    T::load(shared.values, this->v + key * width, shape.keys - at.key, width,
            this->isAligned);
    forEachThread<threads>([&](int t) {
      keySums[t].clear();
      valueSums[t].clear();
    });
    // Earlier queries see none of these keys.
    if (shape.causal)
      at.query = at.key / T::others * T::others;
    for (; at.query < shape.rows; at.query += T::others) {
      const int64_t row = at.head * shape.rows + at.query;
      T::load(shared.queries, this->q + row * columns, shape.rows - at.query,
              columns, this->isAligned);
      T::load(shared.douts, this->dout + row * width, shape.rows - at.query,
              width, this->isAligned);
      this->draw(shared.bits, at);
      forEachThread<threads>([&](int t) {
        if (t < T::others) {
          shared.shift[t] = this->shiftOf(at, t);
          shared.delta[t] = this->deltaOf(at, t);
        }
      });
      blockBarrier();
      forEachThread<threads>([&](int t) {
        auto &mine = weights[t];
        kept[t] = this->keptBy(shared.bits, mine, t);
        mine.clear();
        Policy::template multiplyRows<T::capacity>(
            mine, T::view(shared.keys, t), T::view(shared.queries),
            this->depthOf(columns), T::lane(t));
        this->finish(mine, at, t);
        mine.each([&](int m, int n, int e, float &score) {
          score = powerOfTwo(score - shared.shift[this->queryIn(t, m, n, e)]);
        });
        T::storeWeights(shared.weights, t, [&](int m, int n, int e) {
          return !dropout.seed || kept[t].has(m, n, e) ? mine.value[m][n][e]
                                                       : 0.0f;
        });
      });
      warpBarrier();
      forEachThread<threads>([&](int t) {
        Policy::template multiplyColumns<T::others>(
            valueSums[t], T::view(shared.weights, t), T::view(shared.douts),
            width, T::lane(t));
        grads[t].clear();
        Policy::template multiplyRows<T::capacity>(
            grads[t], T::view(shared.values, t), T::view(shared.douts),
            this->depthOf(width), T::lane(t));
        this->makeGrads(weights[t], grads[t], kept[t],
                        [&](int m, int n, int e) {
                          return shared.delta[this->queryIn(t, m, n, e)];
                        });
      });
      warpBarrier();
      forEachThread<threads>([&](int t) {
        T::storeWeights(shared.weights, t, [&](int m, int n, int e) {
          return grads[t].value[m][n][e];
        });
      });
      warpBarrier();
      forEachThread<threads>([&](int t) {
        Policy::template multiplyColumns<T::others>(
            keySums[t], T::view(shared.weights, t), T::view(shared.queries),
            columns, T::lane(t));
      });
      blockBarrier();
    }
    forEachThread<threads>([&](int t) {
      typename T::Rows factor;
      MEMPLAN_UNROLL
      for (int r = 0; r < T::rowsOfThread; ++r)
        factor.value[r] = shape.scale;
      T::store(dk + key * columns, shape.keys - at.key, columns, keySums[t],
               factor, t);
      MEMPLAN_UNROLL
      for (int r = 0; r < T::rowsOfThread; ++r)
        factor.value[r] = dropout.seed ? dropout.scale : 1.0f;
      T::store(dv + key * width, shape.keys - at.key, width, valueSums[t],
               factor, t);
    });
    blockBarrier();
  }
};

/// The gradient of queries.
template <typename T> struct QueryGrads : Backward<T, false> {
  using Base = Backward<T, false>;
  using Base::shape, Base::dropout;
  using Policy = typename T::Policy;
  using Stored = typename T::Stored;
  static constexpr int threads = T::threads, blocks = T::blocks;
  struct Shared {
    typename T::RowTile queries, douts;
    typename T::OtherTile keys, values;
    typename T::Weights weights;
    typename T::KeepBits bits;
  };
  static constexpr int64_t sharedBytes = sizeof(Shared);
  Stored *dq;

  QueryGrads(const Call &call, bool drops)
      : Base(call, drops), dq(Base::result(call.output(0))) {}

  MEMPLAN_DEVICE void operator()(std::byte *memory, int64_t group) const {
    Shared &shared = *reinterpret_cast<Shared *>(memory);
    MEMPLAN_OF_THREADS typename T::template Kept<typename T::Out> sums;
    MEMPLAN_OF_THREADS
    typename T::template Kept<typename T::Scores> weights, grads;
    MEMPLAN_OF_THREADS
    typename T::template Kept<typename T::Rows> shift, delta;
    const int columns = int(shape.columns), width = int(shape.valueColumns);
    Place at = this->placeOf(group);
    const int64_t row = at.head * shape.rows + at.query;
    T::load(shared.queries, this->q + row * columns, shape.rows - at.query,
            columns, this->isAligned);
    T::load(shared.douts, this->dout + row * width, shape.rows - at.query,
            width, this->isAligned);
    forEachThread<threads>([&](int t) {
      sums[t].clear();
      MEMPLAN_UNROLL
      for (int m = 0; m < T::rowsOfThread / Policy::rowsOfThread; ++m)
        MEMPLAN_UNROLL
      for (int e = 0; e < 4; ++e) {
        const int own = T::rowOf(t, m, e);
        shift[t].value[T::rowNumber(m, e)] = this->shiftOf(at, own);
        delta[t].value[T::rowNumber(m, e)] = this->deltaOf(at, own);
      }
    });
    for (const int64_t end = this->endOfKeys(at); at.key < end;
         at.key += T::others) {
      const int64_t key = at.head * shape.keys + at.key;
      T::load(shared.keys, this->k + key * columns, shape.keys - at.key,
              columns, this->isAligned);
      T::load(shared.values, this->v + key * width, shape.keys - at.key, width,
              this->isAligned);
      this->draw(shared.bits, at);
      blockBarrier();
      forEachThread<threads>([&](int t) {
        auto &mine = weights[t];
        const auto kept = this->keptBy(shared.bits, mine, t);
        mine.clear();
        Policy::template multiplyRows<T::capacity>(
            mine, T::view(shared.queries, t), T::view(shared.keys),
            this->depthOf(columns), T::lane(t));
        this->finish(mine, at, t);
        mine.each([&](int m, int, int e, float &score) {
          score = powerOfTwo(score - shift[t].value[T::rowNumber(m, e)]);
        });
        grads[t].clear();
        Policy::template multiplyRows<T::capacity>(
            grads[t], T::view(shared.douts, t), T::view(shared.values),
            this->depthOf(width), T::lane(t));
        this->makeGrads(mine, grads[t], kept, [&](int m, int, int e) {
          return delta[t].value[T::rowNumber(m, e)];
        });
        T::storeWeights(shared.weights, t, [&](int m, int n, int e) {
          return grads[t].value[m][n][e];
        });
      });
      warpBarrier();
      forEachThread<threads>([&](int t) {
        Policy::template multiplyColumns<T::others>(
            sums[t], T::view(shared.weights, t), T::view(shared.keys), columns,
            T::lane(t));
      });
      blockBarrier();
    }
    // It may lie on the queries, or on the gradient of the output, of which no
    // other block reads these rows.
    forEachThread<threads>([&](int t) {
      typename T::Rows factor;
      MEMPLAN_UNROLL
      for (int r = 0; r < T::rowsOfThread; ++r)
        factor.value[r] = shape.scale;
      T::store(dq + row * columns, shape.rows - at.query, columns, sums[t],
               factor, t);
    });
    blockBarrier();
  }
};

/// The sum of dO O over each row, which every gradient of its scores lacks.
template <typename T> struct Deltas {
  Reader<T> dout, out;
  float *delta;
  int64_t width;
  bool isAligned;

  MEMPLAN_DEVICE void operator()(int64_t row) const {
    constexpr int each = perPiece<T>;
    const Pieces<each> pieces{width, isAligned};
    float sum = 0;
    for (int64_t piece = 0; piece < pieces.count(); ++piece) {
      float left[each], right[each];
      const auto at = [&](int e) { return row * width + piece * each + e; };
      pieces.read(piece, dout, left, at);
      pieces.read(piece, out, right, at);
      pieces.visit(piece, [&](int e) { sum += left[e] * right[e]; });
    }
    delta[row] = sum;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Runs `launch` with the policy for the type of the queries.
template <typename Launch>
static memplan_status_t byPolicy(const Call &call, int query,
                                 const Launch &launch) {
  return byStored(call.input(query), [&](auto type) {
    using T = decltype(type);
    if constexpr (!std::is_same_v<T, F32>)
      return launch(HalfMma<T>());
    else if (kernels::allowsTf32(call.launch))
      return launch(Tf32Mma());
    else
      return launch(FmaMma());
  });
}

static bool isWide(const AttentionShape &shape) {
  return std::max(shape.columns, shape.valueColumns) > 64;
}

/// The tiles of a pass: what fits into the registers of a thread, and for f32
/// into 99 KiB of shared memory, which GPUs since sm_80 give to a block. Twice
/// the rows of a warp read the other operand half as often.
template <typename Policy, int capacity>
using ForwardTiles =
    Tiles<Policy, capacity, sizeof(typename Policy::Stored) == 2 ? 64 : 32,
          sizeof(typename Policy::Stored) == 4 && capacity <= 64 ? 2 : 1>;
template <typename Policy, int capacity>
using BackwardTiles = Tiles<Policy, capacity, capacity <= 64 ? 32 : 16, 1>;

template <bool drops> static memplan_status_t forward(const Call &call) {
  return byPolicy(call, 0, [&](auto policy) {
    using P = decltype(policy);
    const auto launch = [&](const auto &body) {
      forEachTile(call, body.tiles(), body);
    };
    if (isWide(AttentionShape(call.launch, 0, call.launch->input_count)))
      launch(Forward<ForwardTiles<P, 128>>(call, drops));
    else
      launch(Forward<ForwardTiles<P, 64>>(call, drops));
    return MEMPLAN_OK;
  });
}

template <typename T> static void launchBackward(const Call &call, bool drops) {
  using Element = typename T::Element;
  const KeyGrads<T> keys(call, drops);
  const QueryGrads<T> queries(call, drops);
  const AttentionShape &shape = keys.shape;
  forEach(call, shape.heads * shape.rows,
          Deltas<Element>{
              Reader<Element>(call.input(0)), Reader<Element>(call.input(4)),
              call.workspace<float>(), shape.valueColumns, keys.isAligned});
  forEachTile(call, keys.tiles(), keys);
  forEachTile(call, queries.tiles(), queries);
}

template <bool drops> static memplan_status_t backward(const Call &call) {
  return byPolicy(call, 1, [&](auto policy) {
    using P = decltype(policy);
    // What prepare refuses is not compiled.
    if constexpr (sizeof(typename P::Stored) == 2)
      if (isWide(AttentionShape(call.launch, 1, call.launch->input_count))) {
        launchBackward<BackwardTiles<P, 128>>(call, drops);
        return MEMPLAN_OK;
      }
    launchBackward<BackwardTiles<P, 64>>(call, drops);
    return MEMPLAN_OK;
  });
}

/// Sizes alone decide, so that a planned and an unplanned step do the same.
template <int query>
static memplan_status_t prepare(Device &, const memplan_launch_t *description,
                                memplan_prepared_t *prepared) {
  const AttentionShape shape(description, query, description->input_count);
  for (int64_t columns : {shape.columns, shape.valueColumns})
    if (columns % 8 != 0 || columns > mostColumns)
      return MEMPLAN_UNAVAILABLE;
  // The sums of two gradients in f32 would not fit into the registers.
  if (query == 1 && isWide(shape) &&
      description->inputs[query].dtype == MEMPLAN_F32)
    return MEMPLAN_UNAVAILABLE;
  if (query == 1)
    prepared->workspace_bytes =
        shape.heads * shape.rows * int64_t(sizeof(float));
  return MEMPLAN_OK;
}

KernelTable flashAttentionKernels() {
  static constexpr Kernel kernels[] = {
      {.name = "memplan.attention",
       .launch = forward<false>,
       .prepare = prepare<0>,
       .takesHalves = true},
      {.name = "memplan.attention_grad",
       .launch = backward<false>,
       .prepare = prepare<1>,
       .takesHalves = true},
      {.name = "memplan.attention_dropout",
       .launch = forward<true>,
       .prepare = prepare<0>,
       .takesHalves = true},
      {.name = "memplan.attention_dropout_grad",
       .launch = backward<true>,
       .prepare = prepare<1>,
       .takesHalves = true},
  };
  return kernels;
}

} // namespace memplan::runtime::cuda
