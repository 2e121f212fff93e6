//===- Mma.h - Products of tiles in shared memory ---------------*- C++ -*-===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp multiplies operands in shared memory; sums stay in the registers of
// its threads. A policy says which element of the result a thread has and how
// it multiplies: on tensor cores in bf16, f16 and TF32, or in f32. Compiled for
// the host, or for GPUs before sm_80, a thread computes the same elements from
// the same operands by loops.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_KERNELS_CUDA_MMA_H
#define MEMPLAN_LIB_KERNELS_CUDA_MMA_H

#include "Typed.h"

#include <cstring>

/// Before a loop whose variable selects registers, and before one whose turns
/// would take too many registers at once.
#ifdef __CUDACC__
#define MEMPLAN_UNROLL _Pragma("unroll")
#define MEMPLAN_ROLLED _Pragma("unroll 1")
#else
#define MEMPLAN_UNROLL
#define MEMPLAN_ROLLED
#endif
/// Before a PerThread: on threads of the host all of them see it.
#ifdef MEMPLAN_HOST_THREADS
#define MEMPLAN_OF_THREADS static
#else
#define MEMPLAN_OF_THREADS
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define MEMPLAN_TENSOR_CORES 1
#endif

namespace memplan::runtime::cuda {

inline constexpr int warpThreads = 32;

//===----------------------------------------------------------------------===//
// Threads that keep registers from one phase to the next
//===----------------------------------------------------------------------===//

/// What each thread of a block keeps.
template <typename T, int threads> struct PerThread {
#ifdef __CUDACC__
  T value;
  MEMPLAN_DEVICE T &operator[](int) { return value; }
#else
  T values[threads];
  T &operator[](int thread) { return values[thread]; }
#endif
};

/// f(t) for each thread of a block. No barrier follows.
template <int threads, typename F>
MEMPLAN_DEVICE inline void forEachThread(const F &f) {
#ifdef __CUDACC__
  f(int(threadIdx.x));
#elif MEMPLAN_DEVICE_THREADS
  for (int t = int(threadIdx.x); t < threads; t += int(blockDim.x))
    f(t);
#else
  for (int t = threads - 1; t >= 0; --t)
    f(t);
#endif
}

/// What the threads of the block wrote is visible to all of them.
MEMPLAN_DEVICE inline void blockBarrier() {
#if MEMPLAN_DEVICE_THREADS
  __syncthreads();
#endif
}

/// The same among the threads of each warp.
MEMPLAN_DEVICE inline void warpBarrier() {
#ifdef __CUDACC__
  __syncwarp();
#elif MEMPLAN_DEVICE_THREADS
  __syncthreads();
#endif
}

template <int count> struct Row {
  float value[count];
};

/// value[k] = op over `lanes` neighbouring threads, in the order of a tree.
template <int lanes, int threads, int count, typename Op>
MEMPLAN_DEVICE inline void combineLanes(PerThread<Row<count>, threads> &row,
                                        const Op &op) {
#ifdef __CUDACC__
  MEMPLAN_UNROLL
  for (int step = 1; step < lanes; step *= 2)
    MEMPLAN_UNROLL
  for (int k = 0; k < count; ++k)
    row.value.value[k] =
        op(row.value.value[k], __shfl_xor_sync(~0u, row.value.value[k], step));
#else
  MEMPLAN_OF_THREADS PerThread<Row<count>, threads> next;
  for (int step = 1; step < lanes; step *= 2) {
    blockBarrier();
    forEachThread<threads>([&](int t) {
      for (int k = 0; k < count; ++k)
        next[t].value[k] = op(row[t].value[k], row[t ^ step].value[k]);
    });
    blockBarrier();
    forEachThread<threads>([&](int t) { row[t] = next[t]; });
  }
  blockBarrier();
#endif
}

/// The value, of which the compiler knows nothing: what is made of it is not
/// computed before a loop, where it would take registers from all turns.
MEMPLAN_DEVICE inline int64_t inPlace(int64_t value) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+l"(value));
#endif
  return value;
}

/// 2 to the power x, to 2^-22 of it.
MEMPLAN_DEVICE inline float powerOfTwo(float x) {
#ifdef __CUDA_ARCH__
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return ::exp2f(x);
#endif
}

//===----------------------------------------------------------------------===//
// Policies
//===----------------------------------------------------------------------===//

/// The elements that a thread has of a result of 16 * `blocks` rows and `width`
/// columns: four of each 16 rows by 8 columns.
template <int blocks, int width> struct WarpSums {
  static constexpr int across = width / 8;
  float value[blocks][across][4];

  MEMPLAN_DEVICE void clear() {
    MEMPLAN_UNROLL
    for (int m = 0; m < blocks; ++m)
      MEMPLAN_UNROLL
    for (int n = 0; n < across; ++n)
      MEMPLAN_UNROLL
    for (int e = 0; e < 4; ++e)
      value[m][n][e] = 0;
  }
  /// f(m, n, e, element).
  template <typename F> MEMPLAN_DEVICE void each(const F &f) {
    MEMPLAN_UNROLL
    for (int m = 0; m < blocks; ++m)
      MEMPLAN_UNROLL
    for (int n = 0; n < across; ++n)
      MEMPLAN_UNROLL
    for (int e = 0; e < 4; ++e)
      f(m, n, e, value[m][n][e]);
  }
};

/// Where an operand of a product lies in shared memory, its rows `pitch` apart.
template <typename Stored> struct TileView {
  const Stored *data;
  int pitch;

  MEMPLAN_DEVICE const Stored *at(int row, int column) const {
    return data + row * pitch + column;
  }
};

/// Results of tensor cores: a thread has two rows of each 16, of which four
/// neighbouring threads have all columns.
struct TensorCoreSums {
  static constexpr int rowsOfThread = 2, lanesOfRow = 4;
  MEMPLAN_DEVICE static int row(int lane, int e) {
    return lane / 4 + e / 2 * 8;
  }
  MEMPLAN_DEVICE static constexpr int rowNumber(int e) { return e / 2; }
  MEMPLAN_DEVICE static int scoreColumn(int lane, int n, int e) {
    return 8 * n + lane % 4 * 2 + e % 2;
  }
  MEMPLAN_DEVICE static int outColumn(int lane, int n, int e) {
    return scoreColumn(lane, n, e);
  }
};

/// Loops in place of tensor cores, for one thread of the warp.
template <typename Policy> struct MmaByLoops {
  template <int blocks, int width, typename Right>
  MEMPLAN_DEVICE static void add(WarpSums<blocks, width> &sums,
                                 TileView<typename Policy::Stored> left,
                                 const Right &right, int depth, int lane) {
    sums.each([&](int m, int n, int e, float &sum) {
      const int row = 16 * m + Policy::row(lane, e);
      const int column = Policy::scoreColumn(lane, n, e);
      for (int k = 0; k < depth; ++k)
        sum += Policy::load(*left.at(row, k)) * Policy::load(*right(k, column));
    });
  }
};

/// bf16 or f16, by mma.m16n8k16.
template <typename Type> struct HalfMma : TensorCoreSums {
  using Element = Type;
  using Stored = uint16_t;
  /// Elements between rows of a tile beside its columns: eight rows then lie in
  /// different banks.
  static constexpr int skew = 8;
  static constexpr int depthStep = 16;

  MEMPLAN_DEVICE static float load(uint16_t bits) { return Type::load(bits); }
  /// As a tile holds what was read; nothing changes.
  MEMPLAN_DEVICE static uint16_t keep(uint16_t bits) { return bits; }
  /// Writes two neighbours.
  MEMPLAN_DEVICE static void storePair(uint16_t *to, float first,
                                       float second) {
#ifdef MEMPLAN_TENSOR_CORES
    unsigned bits;
    if constexpr (std::is_same_v<Type, Bf16>)
      asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
          : "=r"(bits)
          : "f"(second), "f"(first));
    else
      asm("cvt.rn.f16x2.f32 %0, %1, %2;"
          : "=r"(bits)
          : "f"(second), "f"(first));
    *reinterpret_cast<unsigned *>(to) = bits;
#else
    to[0] = Type::store(first);
    to[1] = Type::store(second);
#endif
  }

  /// sums += left [rows, depth] * transpose(right [columns, depth]).
  template <int most, int blocks, int width>
  MEMPLAN_DEVICE static void
  multiplyRows(WarpSums<blocks, width> &sums, TileView<Stored> left,
               TileView<Stored> right, int depth, int lane) {
#ifdef MEMPLAN_TENSOR_CORES
    const unsigned first =
        place(right.at(lane % 8 + lane / 16 * 8, lane / 8 % 2 * 8));
    multiply<most>(sums, left, depth, width, lane, [&](int k, int n, auto &to) {
      read<false>(to, first + bytes(8 * n, k, right.pitch));
    });
#else
    MmaByLoops<HalfMma>::add(
        sums, left, [&](int k, int c) { return right.at(c, k); }, depth, lane);
#endif
  }
  /// sums += left [rows, depth] * right [depth, columns]; columns from `used`
  /// on may be left out.
  template <int most, int blocks, int width>
  MEMPLAN_DEVICE static void
  multiplyColumns(WarpSums<blocks, width> &sums, TileView<Stored> left,
                  TileView<Stored> right, int used, int lane) {
#ifdef MEMPLAN_TENSOR_CORES
    const unsigned first = place(right.at(lane % 16, lane / 16 * 8));
    multiply<most>(sums, left, most, used, lane, [&](int k, int n, auto &to) {
      read<true>(to, first + bytes(k, 8 * n, right.pitch));
    });
#else
    MmaByLoops<HalfMma>::add(
        sums, left, [&](int k, int c) { return right.at(k, c); }, most, lane);
#endif
  }

private:
#ifdef MEMPLAN_TENSOR_CORES
  /// In the addresses of shared memory, so that what is added to one place is a
  /// part of each instruction.
  MEMPLAN_DEVICE static unsigned place(const uint16_t *at) {
    return unsigned(__cvta_generic_to_shared(at));
  }
  MEMPLAN_DEVICE static unsigned bytes(int row, int column, int pitch) {
    return unsigned(row * pitch + column) * unsigned(sizeof(uint16_t));
  }
  /// Four blocks of 8 by 8, whose rows the threads of the warp name.
  template <bool transposed>
  MEMPLAN_DEVICE static void read(unsigned (&to)[4], unsigned at) {
    if constexpr (transposed)
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                   "{%0, %1, %2, %3}, [%4];"
                   : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                   : "r"(at)
                   : "memory");
    else
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                   "{%0, %1, %2, %3}, [%4];"
                   : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                   : "r"(at)
                   : "memory");
  }
  MEMPLAN_DEVICE static void mma(float (&sum)[4], const unsigned (&left)[4],
                                 unsigned first, unsigned second) {
    if constexpr (std::is_same_v<Type, Bf16>)
      asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
          "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
          : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(first),
            "r"(second));
    else
      asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
          "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
          : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(first),
            "r"(second));
  }
  template <int most, int blocks, int width, typename Right>
  MEMPLAN_DEVICE static void
  multiply(WarpSums<blocks, width> &sums, TileView<Stored> left, int depth,
           int used, int lane, const Right &readRight) {
    const unsigned first = place(left.at(lane % 16, lane / 16 * 8));
    MEMPLAN_UNROLL
    for (int k = 0; k < most; k += 16) {
      if (k >= depth)
        break;
      unsigned rows[blocks][4];
      MEMPLAN_UNROLL
      for (int m = 0; m < blocks; ++m)
        read<false>(rows[m], first + bytes(16 * m, k, left.pitch));
      MEMPLAN_UNROLL
      for (int n = 0; n < width / 8; n += 2) {
        if (8 * n >= used)
          break;
        unsigned columns[4];
        readRight(k, n, columns);
        MEMPLAN_UNROLL
        for (int m = 0; m < blocks; ++m) {
          mma(sums.value[m][n], rows[m], columns[0], columns[1]);
          mma(sums.value[m][n + 1], rows[m], columns[2], columns[3]);
        }
      }
    }
  }
#endif
};

/// f32 that is rounded to TF32, by mma.m16n8k8.
struct Tf32Mma : TensorCoreSums {
  using Element = F32;
  using Stored = float;
  static constexpr int skew = 8;
  static constexpr int depthStep = 8;

  MEMPLAN_DEVICE static float load(float value) { return value; }
  /// Rounded to 10 bits, ties away from 0.
  MEMPLAN_DEVICE static float keep(float value) {
    uint32_t bits;
#ifdef MEMPLAN_TENSOR_CORES
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __uint_as_float(bits);
#else
    std::memcpy(&bits, &value, sizeof(bits));
    // Neither infinity nor NaN is rounded.
    if ((bits & 0x7F800000u) != 0x7F800000u)
      bits = (bits + 0x1000u) & ~0x1FFFu;
    std::memcpy(&value, &bits, sizeof(bits));
    return value;
#endif
  }
  MEMPLAN_DEVICE static void storePair(float *to, float first, float second) {
    to[0] = keep(first);
    to[1] = keep(second);
  }

  template <int most, int blocks, int width>
  MEMPLAN_DEVICE static void
  multiplyRows(WarpSums<blocks, width> &sums, TileView<float> left,
               TileView<float> right, int depth, int lane) {
#ifdef MEMPLAN_TENSOR_CORES
    // Neighbours in memory are the elements t and t + 4 of the depth, on both
    // sides: the sum is the same, and they are read at once.
    const int row = lane / 4, at = lane % 4 * 2;
    multiply<most>(
        sums, depth, width,
        [&](int k, int m, auto &to) {
          const float2 low = pair(left.at(16 * m + row, k + at));
          const float2 high = pair(left.at(16 * m + row + 8, k + at));
          to[0] = low.x, to[1] = high.x, to[2] = low.y, to[3] = high.y;
        },
        [&](int k, int n) { return pair(right.at(8 * n + row, k + at)); });
#else
    MmaByLoops<Tf32Mma>::add(
        sums, left, [&](int k, int c) { return right.at(c, k); }, depth, lane);
#endif
  }
  template <int most, int blocks, int width>
  MEMPLAN_DEVICE static void
  multiplyColumns(WarpSums<blocks, width> &sums, TileView<float> left,
                  TileView<float> right, int used, int lane) {
#ifdef MEMPLAN_TENSOR_CORES
    const int row = lane / 4, at = lane % 4;
    multiply<most>(
        sums, most, used,
        [&](int k, int m, auto &to) {
          to[0] = *left.at(16 * m + row, k + at);
          to[1] = *left.at(16 * m + row + 8, k + at);
          to[2] = *left.at(16 * m + row, k + at + 4);
          to[3] = *left.at(16 * m + row + 8, k + at + 4);
        },
        [&](int k, int n) {
          return float2{*right.at(k + at, 8 * n + row),
                        *right.at(k + at + 4, 8 * n + row)};
        });
#else
    MmaByLoops<Tf32Mma>::add(
        sums, left, [&](int k, int c) { return right.at(k, c); }, most, lane);
#endif
  }

private:
#ifdef MEMPLAN_TENSOR_CORES
  MEMPLAN_DEVICE static float2 pair(const float *at) {
    return *reinterpret_cast<const float2 *>(at);
  }
  template <int most, int blocks, int width, typename Left, typename Right>
  MEMPLAN_DEVICE static void multiply(WarpSums<blocks, width> &sums, int depth,
                                      int used, const Left &readLeft,
                                      const Right &readRight) {
    MEMPLAN_UNROLL
    for (int k = 0; k < most; k += 8) {
      if (k >= depth)
        break;
      float rows[blocks][4];
      MEMPLAN_UNROLL
      for (int m = 0; m < blocks; ++m)
        readLeft(k, m, rows[m]);
      MEMPLAN_UNROLL
      for (int n = 0; n < width / 8; ++n) {
        if (8 * n >= used)
          break;
        const float2 columns = readRight(k, n);
        MEMPLAN_UNROLL
        for (int m = 0; m < blocks; ++m)
          mma(sums.value[m][n], rows[m], columns);
      }
    }
  }
  MEMPLAN_DEVICE static void mma(float (&sum)[4], const float (&left)[4],
                                 float2 right) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(__float_as_uint(left[0])), "r"(__float_as_uint(left[1])),
          "r"(__float_as_uint(left[2])), "r"(__float_as_uint(left[3])),
          "r"(__float_as_uint(right.x)), "r"(__float_as_uint(right.y)));
  }
#endif
};

/// f32 by fused multiply-adds: a thread has four rows of each 16, of which
/// eight neighbouring threads have all columns.
struct FmaMma {
  using Element = F32;
  using Stored = float;
  static constexpr int skew = 4;
  static constexpr int depthStep = 4;
  static constexpr int rowsOfThread = 4, lanesOfRow = 8;
  MEMPLAN_DEVICE static int row(int lane, int e) { return lane / 8 + 4 * e; }
  MEMPLAN_DEVICE static constexpr int rowNumber(int e) { return e; }
  MEMPLAN_DEVICE static int scoreColumn(int lane, int n, int) {
    return 8 * n + lane % 8;
  }
  /// Four neighbours, which are read at once.
  MEMPLAN_DEVICE static int outColumn(int lane, int n, int) {
    return n / 4 * 32 + lane % 8 * 4 + n % 4;
  }

  MEMPLAN_DEVICE static float load(float value) { return value; }
  MEMPLAN_DEVICE static float keep(float value) { return value; }

  template <int most, int blocks, int width>
  MEMPLAN_DEVICE static void
  multiplyRows(WarpSums<blocks, width> &sums, TileView<float> left,
               TileView<float> right, int depth, int lane) {
    for (int k = 0; k < depth; k += 4) {
      Sixteen<float> rows[blocks][4];
      readRows(rows, left, k, lane);
      MEMPLAN_UNROLL
      for (int n = 0; n < width / 8; ++n) {
        const Sixteen<float> column = sixteen(right.at(8 * n + lane % 8, k));
        MEMPLAN_UNROLL
        for (int m = 0; m < blocks; ++m)
          MEMPLAN_UNROLL
        for (int e = 0; e < 4; ++e)
          MEMPLAN_UNROLL
        for (int i = 0; i < 4; ++i)
          add(sums.value[m][n][e], rows[m][e].value[i], column.value[i]);
      }
    }
  }
  template <int most, int blocks, int width>
  MEMPLAN_DEVICE static void
  multiplyColumns(WarpSums<blocks, width> &sums, TileView<float> left,
                  TileView<float> right, int used, int lane) {
    for (int k = 0; k < most; k += 4) {
      Sixteen<float> rows[blocks][4];
      readRows(rows, left, k, lane);
      MEMPLAN_UNROLL
      for (int i = 0; i < 4; ++i)
        MEMPLAN_UNROLL
      for (int group = 0; group < width / 32; ++group) {
        if (32 * group >= used)
          break;
        const Sixteen<float> columns =
            sixteen(right.at(k + i, 32 * group + lane % 8 * 4));
        MEMPLAN_UNROLL
        for (int c = 0; c < 4; ++c)
          MEMPLAN_UNROLL
        for (int m = 0; m < blocks; ++m)
          MEMPLAN_UNROLL
        for (int e = 0; e < 4; ++e)
          add(sums.value[m][4 * group + c][e], rows[m][e].value[i],
              columns.value[c]);
      }
    }
  }

private:
  MEMPLAN_DEVICE static Sixteen<float> sixteen(const float *at) {
    return *reinterpret_cast<const Sixteen<float> *>(at);
  }
  template <int blocks>
  MEMPLAN_DEVICE static void readRows(Sixteen<float> (&rows)[blocks][4],
                                      TileView<float> left, int k, int lane) {
    MEMPLAN_UNROLL
    for (int m = 0; m < blocks; ++m)
      MEMPLAN_UNROLL
    for (int e = 0; e < 4; ++e)
      rows[m][e] = sixteen(left.at(16 * m + row(lane, e), k));
  }
  MEMPLAN_DEVICE static void add(float &sum, float a, float b) {
#ifdef __CUDA_ARCH__
    sum = __fmaf_rn(a, b, sum);
#else
    sum += a * b;
#endif
  }
};

/// Writes element(m, n, e) of results of `blocks` times 16 rows and `width`
/// columns into a tile, as an operand of the next product.
template <typename Policy, int blocks, int width, typename Element>
MEMPLAN_DEVICE inline void storeScores(typename Policy::Stored *to, int pitch,
                                       int lane, const Element &element) {
  MEMPLAN_UNROLL
  for (int m = 0; m < blocks; ++m)
    MEMPLAN_UNROLL
  for (int n = 0; n < width / 8; ++n) {
    if constexpr (Policy::lanesOfRow == 4) {
      auto *at = to + (16 * m + Policy::row(lane, 0)) * pitch +
                 Policy::scoreColumn(lane, n, 0);
      Policy::storePair(at, element(m, n, 0), element(m, n, 1));
      Policy::storePair(at + 8 * pitch, element(m, n, 2), element(m, n, 3));
    } else {
      MEMPLAN_UNROLL
      for (int e = 0; e < 4; ++e)
        to[(16 * m + Policy::row(lane, e)) * pitch +
           Policy::scoreColumn(lane, n, e)] = element(m, n, e);
    }
  }
}

} // namespace memplan::runtime::cuda

#endif // MEMPLAN_LIB_KERNELS_CUDA_MMA_H
