//===- Attention.cpp - What these launches must be like -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

#include <algorithm>

namespace memplan::runtime::kernels {

/// Queries, keys and values are inputs `first` to `first + 2`, the mask, if
/// any, is input `mask`.
static bool checkOperands(Checker &check, const memplan_launch_t *launch,
                          int first, int mask) {
  const memplan_tensor_t &q = check.input(first);
  const memplan_tensor_t &k = check.input(first + 1);
  const memplan_tensor_t &v = check.input(first + 2);
  if (!check.require(q.rank >= 2, "the queries have rank %d", q.rank) ||
      !check.rank(k, "the keys", q.rank) ||
      !check.rank(v, "the values", q.rank) ||
      !check.require(findAttribute(launch, "scale"),
                     "attribute 'scale' is missing"))
    return false;
  int64_t keyShape[maxRank], valueShape[maxRank];
  std::copy_n(q.shape, q.rank, keyShape);
  std::copy_n(q.shape, q.rank, valueShape);
  const int64_t keys = k.shape[q.rank - 2];
  keyShape[q.rank - 2] = valueShape[q.rank - 2] = keys;
  valueShape[q.rank - 1] = v.shape[q.rank - 1];
  if (!check.shapeIs(k, "the keys", {keyShape, size_t(q.rank)}) ||
      !check.shapeIs(v, "the values", {valueShape, size_t(q.rank)}))
    return false;
  if (mask >= launch->input_count)
    return true;
  const memplan_tensor_t &m = check.input(mask);
  if (!check.require(m.rank <= q.rank, "the mask has rank %d, the queries %d",
                     m.rank, q.rank))
    return false;
  for (int d = 0; d < q.rank; ++d) {
    const int64_t size = alignedDim(m, d, q.rank);
    const int64_t wanted = d == q.rank - 1 ? keys : q.shape[d];
    if (!check.require(size == 1 || size == wanted,
                       "the mask has %lld elements where the scores have %lld",
                       static_cast<long long>(size),
                       static_cast<long long>(wanted)))
      return false;
  }
  return true;
}

/// An output, and the statistics of its rows.
static bool checkRows(Checker &check, const memplan_tensor_t &q,
                      const memplan_tensor_t &v, const memplan_tensor_t &output,
                      const memplan_tensor_t &logsumexp) {
  int64_t shape[maxRank];
  std::copy_n(q.shape, q.rank, shape);
  shape[q.rank - 1] = v.shape[q.rank - 1];
  return check.shapeIs(output, "the output", {shape, size_t(q.rank)}) &&
         check.shapeIs(logsumexp, "logsumexp", {shape, size_t(q.rank - 1)});
}

/// The seed of a dropout is input number `seed`.
static bool checkDropout(Checker &check, const memplan_launch_t *launch,
                         int seed) {
  const double p = floatAttribute(launch, "p", -1);
  return check.shape(check.input(seed), "the seed", {1}) &&
         check.require(p >= 0 && p < 1, "attribute 'p' is %g or missing", p);
}

template <bool drops>
static memplan_status_t checkForward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(3 + drops, 4 + drops, 2) &&
      check.types(drops ? "TTTlP:Tf" : "TTTP:Tf") &&
      (!drops || checkDropout(check, launch, 3)) &&
      checkOperands(check, launch, 0, 3 + drops) &&
      checkRows(check, check.input(0), check.input(2), check.output(0),
                check.output(1));
  return check.status;
}

template <bool drops>
static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(6 + drops, 7 + drops, 3) &&
      check.types(drops ? "TTTTTflP:T" : "TTTTTfP:T") &&
      (!drops || checkDropout(check, launch, 6)) &&
      checkOperands(check, launch, 1, 6 + drops) &&
      checkRows(check, check.input(1), check.input(3), check.input(4),
                check.input(5)) &&
      check.same(check.input(0), check.input(4), "the output's gradient") &&
      check.same(check.output(0), check.input(1), "the queries' gradient") &&
      check.same(check.output(1), check.input(2), "the keys' gradient") &&
      check.same(check.output(2), check.input(3), "the values' gradient");
  return check.status;
}

SignatureList attentionSignatures() {
  static constexpr Signature list[] = {
      {"memplan.attention", checkForward<false>, overFirst},
      {"memplan.attention_grad", checkBackward<false>, overEither},
      {"memplan.attention_dropout", checkForward<true>, overFirst},
      {"memplan.attention_dropout_grad", checkBackward<true>, overEither},
  };
  return list;
}

} // namespace memplan::runtime::kernels
