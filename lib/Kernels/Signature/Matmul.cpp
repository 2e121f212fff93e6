//===- Matmul.cpp - What these launches must be like ----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../MatmulShape.h"
#include "../Signature.h"

namespace memplan::runtime::kernels {

static memplan_status_t checkMatmul(const memplan_launch_t *launch) {
  Checker check(launch);
  if (!check.counts(2, 3, 1) || !check.types("T:T"))
    return check.status;
  const memplan_tensor_t &lhs = check.input(0), &rhs = check.input(1);
  if (!check.require(lhs.rank >= 2 && (rhs.rank == 2 || rhs.rank == lhs.rank),
                     "ranks %d and %d cannot be multiplied", lhs.rank,
                     rhs.rank))
    return check.status;
  int64_t wanted[maxRank];
  for (int d = 0; d < lhs.rank; ++d)
    wanted[d] = lhs.shape[d];
  for (int d = 0; d < lhs.rank - 2 && rhs.rank > 2; ++d)
    check.require(lhs.shape[d] == rhs.shape[d],
                  "dimension %d is %lld on the left and %lld on the right", d,
                  static_cast<long long>(lhs.shape[d]),
                  static_cast<long long>(rhs.shape[d]));
  bool swapLhs = intAttribute(launch, "transpose_lhs", 0) != 0;
  MatmulShape shape(launch);
  int64_t rhsK =
      rhs.shape[rhs.rank - (intAttribute(launch, "transpose_rhs", 0) ? 1 : 2)];
  wanted[lhs.rank - 2] = lhs.shape[lhs.rank - (swapLhs ? 1 : 2)];
  wanted[lhs.rank - 1] = shape.n;
  check.require(shape.k == rhsK, "the inner dimensions are %lld and %lld",
                static_cast<long long>(shape.k),
                static_cast<long long>(rhsK)) &&
      check.shapeIs(check.output(0), "the output",
                    {wanted, size_t(lhs.rank)}) &&
      (launch->input_count == 2 ||
       check.shape(check.input(2), "the bias", {shape.n}));
  return check.status;
}

SignatureList matmulSignatures() {
  static constexpr Signature list[] = {
      {"memplan.matmul", checkMatmul, {}},
  };
  return list;
}

} // namespace memplan::runtime::kernels
