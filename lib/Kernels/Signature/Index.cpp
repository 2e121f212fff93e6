//===- Index.cpp - What these launches must be like -----------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

#include <algorithm>

namespace memplan::runtime::kernels {

/// `tensor` has the shape of `like` but along `axis`, where it has `length`
/// elements, or any number if that is negative.
static bool checkLines(Checker &check, const memplan_tensor_t &tensor,
                       const char *what, const memplan_tensor_t &like, int axis,
                       int64_t length) {
  int64_t wanted[maxRank];
  std::copy_n(like.shape, like.rank, wanted);
  if (length >= 0)
    wanted[axis] = length;
  else if (tensor.rank == like.rank)
    wanted[axis] = tensor.shape[axis];
  return check.shapeIs(tensor, what, {wanted, size_t(like.rank)});
}

static memplan_status_t checkTopK(const memplan_launch_t *launch) {
  Checker check(launch);
  int axis = 0;
  if (!(check.counts(1, 2) && check.types("T:Tl") &&
        check.dimension("axis", check.input(0).rank, axis)))
    return check.status;
  const int64_t length = check.input(0).shape[axis];
  const int64_t k = intAttribute(launch, "k", 0);
  check.require(k >= 1 && k <= length, "k is %lld, a line has %lld elements",
                static_cast<long long>(k), static_cast<long long>(length)) &&
      checkLines(check, check.output(0), "the values", check.input(0), axis,
                 k) &&
      checkLines(check, check.output(1), "the indices", check.input(0), axis,
                 k);
  return check.status;
}

static bool checkRanks(Checker &check, const memplan_launch_t *launch) {
  for (int i = 0; i < launch->input_count + launch->output_count; ++i)
    if (int rank = operandOf(launch, i).rank;
        !check.require(rank <= maxRank, "operand %d has rank %d; %d at most", i,
                       rank, maxRank))
      return false;
  return true;
}

static memplan_status_t checkGather(const memplan_launch_t *launch) {
  Checker check(launch);
  int axis = 0;
  check.counts(2, 1) && checkRanks(check, launch) &&
      check.require(check.input(1).dtype == MEMPLAN_I64,
                    "the indices are not i64") &&
      check.require(check.output(0).dtype == check.input(0).dtype,
                    "the output has another element type than the input") &&
      check.dimension("axis", check.input(0).rank, axis) &&
      checkLines(check, check.input(1), "the indices", check.input(0), axis,
                 -1) &&
      check.same(check.output(0), check.input(1), "the output");
  return check.status;
}

static memplan_status_t checkGatherGrad(const memplan_launch_t *launch) {
  Checker check(launch);
  int axis = 0;
  check.counts(2, 1) && check.types("lT:T") &&
      check.dimension("axis", check.input(0).rank, axis) &&
      check.same(check.input(1), check.input(0), "the gradient") &&
      checkLines(check, check.output(0), "the output", check.input(0), axis,
                 intAttribute(launch, "size", 0));
  return check.status;
}

static memplan_status_t checkScatter(const memplan_launch_t *launch) {
  Checker check(launch);
  int axis = 0;
  check.counts(2, 3, 1) && checkRanks(check, launch) &&
      check.require(check.input(0).dtype == MEMPLAN_I64,
                    "the indices are not i64") &&
      check.require(check.output(0).dtype == check.input(1).dtype,
                    "the output has another element type than the source") &&
      check.dimension("axis", check.input(0).rank, axis) &&
      check.same(check.input(1), check.input(0), "the source") &&
      checkLines(check, check.output(0), "the output", check.input(0), axis,
                 intAttribute(launch, "size", 0));
  if (check.status == MEMPLAN_OK && launch->input_count > 2)
    check.require(check.input(2).dtype == check.output(0).dtype,
                  "the base has another element type than the output") &&
        check.same(check.input(2), check.output(0), "the base");
  return check.status;
}

static memplan_status_t checkCumSum(const memplan_launch_t *launch) {
  Checker check(launch);
  int axis = 0;
  check.counts(1, 1) && check.types("T:T") && check.allSame() &&
      check.dimension("axis", check.input(0).rank, axis);
  return check.status;
}

SignatureList indexSignatures() {
  static constexpr memplan_in_place_t overBase[] = {{0, 2}};
  static constexpr Signature list[] = {
      {"memplan.topk", checkTopK, {}},
      {"memplan.gather", checkGather, {}},
      {"memplan.gather_grad", checkGatherGrad, {}},
      {"memplan.scatter", checkScatter, overBase},
      {"memplan.cumsum", checkCumSum, overFirst},
  };
  return list;
}

} // namespace memplan::runtime::kernels
