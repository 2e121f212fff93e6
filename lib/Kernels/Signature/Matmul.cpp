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

/// The operands of a product, and the shape of what it gives in `wanted`.
static bool checkProduct(Checker &check, const memplan_launch_t *launch,
                         int64_t (&wanted)[maxRank]) {
  const memplan_tensor_t &lhs = check.input(0), &rhs = check.input(1);
  if (!check.require(lhs.rank >= 2 && (rhs.rank == 2 || rhs.rank == lhs.rank),
                     "ranks %d and %d cannot be multiplied", lhs.rank,
                     rhs.rank))
    return false;
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
  return check.require(
             shape.k == rhsK, "the inner dimensions are %lld and %lld",
             static_cast<long long>(shape.k), static_cast<long long>(rhsK)) &&
         check.shapeIs(check.output(0), "the output",
                       {wanted, size_t(lhs.rank)});
}

/// The same where the rows of the left side are one matrix.
static bool checkOneProduct(Checker &check, const memplan_launch_t *launch,
                            int64_t (&wanted)[maxRank]) {
  return checkProduct(check, launch, wanted) &&
         check.require(MatmulShape(launch).batches == 1 &&
                           check.input(1).rank == 2,
                       "a product with an epilogue is of one matrix");
}

static memplan_status_t checkMatmul(const memplan_launch_t *launch) {
  Checker check(launch);
  int64_t wanted[maxRank];
  check.counts(2, 3, 1) && check.types("T:T") &&
      checkProduct(check, launch, wanted) &&
      (launch->input_count == 2 ||
       check.shape(check.input(2), "the bias", {MatmulShape(launch).n}));
  return check.status;
}

static memplan_status_t checkMatmulGelu(const memplan_launch_t *launch) {
  Checker check(launch);
  int64_t wanted[maxRank];
  check.counts(3, 2) && check.types("T:T") &&
      checkOneProduct(check, launch, wanted) &&
      check.shape(check.input(2), "the bias", {MatmulShape(launch).n}) &&
      check.same(check.output(1), check.output(0), "output 1");
  return check.status;
}

static memplan_status_t checkMatmulGeluGrad(const memplan_launch_t *launch) {
  Checker check(launch);
  int64_t wanted[maxRank];
  check.counts(3, 2) && check.types("T:T") &&
      checkOneProduct(check, launch, wanted) &&
      check.same(check.input(2), check.output(0), "the preactivation") &&
      check.shape(check.output(1), "the bias gradient",
                  {MatmulShape(launch).n});
  return check.status;
}

static memplan_status_t checkMatmulBiasGrad(const memplan_launch_t *launch) {
  Checker check(launch);
  int64_t wanted[maxRank];
  const bool ofRhs = intAttribute(launch, "sum_rhs", 0);
  check.counts(2, 2) && check.types("T:T") &&
      checkOneProduct(check, launch, wanted) &&
      check.rank(check.input(0), "the left side", 2) &&
      check.shape(check.output(1), "the bias gradient",
                  {ofRhs ? MatmulShape(launch).n : MatmulShape(launch).m});
  return check.status;
}

SignatureList matmulSignatures() {
  static constexpr Signature list[] = {
      {"memplan.matmul", checkMatmul, {}},
      {"memplan.matmul_bias_grad", checkMatmulBiasGrad, {}},
      {"memplan.matmul_gelu", checkMatmulGelu, {}},
      {"memplan.matmul_gelu_grad", checkMatmulGeluGrad, {}},
  };
  return list;
}

} // namespace memplan::runtime::kernels
