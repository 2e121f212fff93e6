//===- Embedding.cpp - What these launches must be like -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

#include <algorithm>

namespace memplan::runtime::kernels {

/// `rows` is ids with one more dimension of size `width`.
static bool checkRows(Checker &check, const memplan_tensor_t &ids,
                      const memplan_tensor_t &rows, int64_t width) {
  if (!check.require(ids.rank < maxRank, "the ids have rank %d", ids.rank))
    return false;
  int64_t wanted[maxRank];
  std::copy_n(ids.shape, ids.rank, wanted);
  wanted[ids.rank] = width;
  return check.shapeIs(rows, "the rows", {wanted, size_t(ids.rank) + 1});
}

static memplan_status_t checkForward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(2, 1) && check.types("Tl:T") &&
      check.rank(check.input(0), "the table", 2) &&
      checkRows(check, check.input(1), check.output(0),
                check.input(0).shape[1]);
  return check.status;
}

static memplan_status_t checkBackward(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(2, 1) && check.types("lT:T") &&
      check.rank(check.output(0), "the table's gradient", 2) &&
      checkRows(check, check.input(0), check.input(1),
                check.output(0).shape[1]) &&
      check.require(
          intAttribute(launch, "num_embeddings", check.output(0).shape[0]) ==
              check.output(0).shape[0],
          "attribute 'num_embeddings' differs from the output");
  return check.status;
}

SignatureList embeddingSignatures() {
  static constexpr Signature list[] = {
      {"memplan.embedding", checkForward, {}},
      {"memplan.embedding_grad", checkBackward, {}},
  };
  return list;
}

} // namespace memplan::runtime::kernels
