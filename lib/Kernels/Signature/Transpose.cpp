//===- Transpose.cpp - What these launches must be like -------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkTranspose(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(1, 1) || !check.types("a:a") ||
      !check.ints("perm", size_t(check.input(0).rank), 0, false))
    return check.status;
  const memplan_tensor_t &in = check.input(0);
  bool seen[maxRank] = {};
  int64_t wanted[maxRank];
  std::span<const int64_t> perm = intsAttribute(launch, "perm");
  for (int d = 0; d < in.rank; ++d) {
    if (!check.require(perm[size_t(d)] < in.rank && !seen[perm[size_t(d)]],
                       "attribute 'perm' is not a permutation of %d dimensions",
                       in.rank))
      return check.status;
    seen[perm[size_t(d)]] = true;
    wanted[d] = in.shape[perm[size_t(d)]];
  }
  check.shapeIs(check.output(0), "the output", {wanted, size_t(in.rank)});
  return check.status;
}

SignatureList transposeSignatures() {
  static constexpr Signature list[] = {
      {"memplan.transpose", checkTranspose, {}},
  };
  return list;
}

} // namespace memplan::runtime::kernels
