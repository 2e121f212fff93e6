//===- CrossEntropy.cpp - Cross entropy of logits -------------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// memplan.cross_entropy{ignore_index, sum}: over the R rows whose label is not
// ignored,
//   loss = mean of (logsumexp[r] - logits[r, labels[r]]), NaN when there are
//   none, or their sum. in logits [R,V], labels [R] i64   out loss [] as the
//   logits or f32, logsumexp [R] f32
// memplan.cross_entropy_grad{ignore_index, sum}:
//   dlogits[r, v] = (exp(logits[r, v] - logsumexp[r]) - [v = label]) dloss /
//   rows, or / 1 of a sum. in logits, labels, logsumexp, dloss []   out
//   dlogits, may be logits
// Errors: MEMPLAN_INVALID_ARGUMENT for a label outside of [0, V).
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Vectors.h"

#include <algorithm>
#include <cmath>

namespace memplan::runtime::cpu {

/// What the sum is divided by: how many labels count, or 1. An error for a
/// label that is out of range.
static memplan_status_t findDivisor(const memplan_launch_t *launch,
                                    int64_t &divisor) {
  const memplan_tensor_t &logits = launch->inputs[0];
  const int64_t *labels = i64(launch->inputs[1]);
  int64_t ignore = intAttribute(launch, "ignore_index", -100);
  int64_t counted = 0;
  for (int64_t r = 0; r < logits.shape[0]; ++r) {
    if (labels[r] == ignore)
      continue;
    if (labels[r] < 0 || labels[r] >= logits.shape[1])
      return fail(launch, MEMPLAN_INVALID_ARGUMENT,
                  "label %lld of row %lld is not in [0, %lld)",
                  static_cast<long long>(labels[r]), static_cast<long long>(r),
                  static_cast<long long>(logits.shape[1]));
    ++counted;
  }
  divisor = intAttribute(launch, "sum", 0) ? 1 : counted;
  return MEMPLAN_OK;
}

/// A NaN may be passed over; it spoils the sum later.
template <typename T>
MEMPLAN_INLINE static inline float largestOf(const T *row, int64_t count) {
  Floats most = Floats{} - INFINITY;
  eachBlock(
      count,
      [&](int64_t i) MEMPLAN_INLINE {
        Floats values;
        load(values, row + i);
        most = values > most ? values : most;
      },
      [&](int64_t i, int64_t lane) MEMPLAN_INLINE {
        most[lane] = row[i] > most[lane] ? float(row[i]) : most[lane];
      });
  float largest = -INFINITY;
  for (int64_t l = 0; l < lanes; ++l)
    largest = most[l] > largest ? most[l] : largest;
  return largest;
}

template <typename T>
MEMPLAN_INLINE static inline float logSumExp(const T *row, int64_t count) {
  constexpr int64_t piece = 32 * lanes;
  float largest = largestOf(row, count), powers[piece];
  LaneSum sum;
  for (int64_t first = 0; first < count; first += piece) {
    int64_t length = std::min(piece, count - first);
    for (int64_t i = 0; i < length; ++i)
      powers[i] = expOf(row[first + i] - largest);
    eachBlock(
        length,
        [&](int64_t i) MEMPLAN_INLINE {
          Floats values;
          load(values, powers + i);
          sum.lane += __builtin_convertvector(values, Doubles);
        },
        [&](int64_t i, int64_t lane)
            MEMPLAN_INLINE { sum.lane[lane] += powers[i]; });
  }
  return float(largest + std::log(sum.total()));
}

template <typename T>
static memplan_status_t forward(const memplan_launch_t *launch) {
  int64_t rows = launch->inputs[0].shape[0];
  int64_t width = launch->inputs[0].shape[1], divisor = 1;
  if (memplan_status_t s = findDivisor(launch, divisor); s != MEMPLAN_OK)
    return s;
  const T *logits = dataOf<T>(launch->inputs[0]);
  const int64_t *labels = i64(launch->inputs[1]);
  float *sums = f32(launch->outputs[1]);
  int64_t ignore = intAttribute(launch, "ignore_index", -100);
  vectorFor(launch, rows, rowGrain(width),
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              for (int64_t r = begin; r < end; ++r)
                sums[r] = logSumExp(logits + r * width, width);
            });
  double loss = 0;
  for (int64_t r = 0; r < rows; ++r)
    if (labels[r] != ignore)
      loss += double(sums[r]) - double(logits[r * width + labels[r]]);
  const auto result = float(loss / double(divisor));
  if (isHalf(launch->outputs[0]))
    *dataOf<T>(launch->outputs[0]) = T(result);
  else
    *f32(launch->outputs[0]) = result;
  return MEMPLAN_OK;
}

template <typename T>
static memplan_status_t backward(const memplan_launch_t *launch) {
  int64_t rows = launch->inputs[0].shape[0];
  int64_t width = launch->inputs[0].shape[1], divisor = 1;
  if (memplan_status_t s = findDivisor(launch, divisor); s != MEMPLAN_OK)
    return s;
  const T *logits = dataOf<T>(launch->inputs[0]);
  const int64_t *labels = i64(launch->inputs[1]);
  const float *sums = f32(launch->inputs[2]);
  T *out = dataOf<T>(launch->outputs[0]);
  const memplan_tensor_t &lossGrad = launch->inputs[3];
  float factor =
      (isHalf(lossGrad) ? float(*dataOf<T>(lossGrad)) : *f32(lossGrad)) /
      float(divisor);
  int64_t ignore = intAttribute(launch, "ignore_index", -100);
  vectorFor(launch, rows, rowGrain(width),
            [=](int64_t begin, int64_t end) MEMPLAN_INLINE {
              for (int64_t r = begin; r < end; ++r) {
                const T *row = logits + r * width;
                T *grad = out + r * width;
                const float sum = sums[r];
                if (labels[r] == ignore) {
                  std::fill_n(grad, width, T(0.0f));
                  continue;
                }
                const float here = row[labels[r]];
                MEMPLAN_INDEPENDENT
                for (int64_t i = 0; i < width; ++i)
                  grad[i] = T(expOf(row[i] - sum) * factor);
                grad[labels[r]] = T(expOf(here - sum) * factor - factor);
              }
            });
  return MEMPLAN_OK;
}

KernelList crossEntropyKernels() {
  static constexpr memplan_kernel_t kernels[] = {
      makeTyped("memplan.cross_entropy", MEMPLAN_TYPED(forward)),
      makeTyped("memplan.cross_entropy_grad", MEMPLAN_TYPED(backward)),
  };
  return kernels;
}

} // namespace memplan::runtime::cpu
