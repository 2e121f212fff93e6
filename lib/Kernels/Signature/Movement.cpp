//===- Movement.cpp - What these launches must be like --------------------===//
//
// Part of memplan, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Signature.h"

#include <algorithm>

namespace memplan::runtime::kernels {

static bool sameTypes(Checker &check, const memplan_launch_t *launch) {
  int type = launch->input_count > 0 ? launch->inputs[0].dtype : MEMPLAN_F32;
  auto allOf = [&](const memplan_tensor_t *tensors, int count) {
    for (int i = 0; i < count; ++i)
      if (!check.require(tensors[i].dtype == type && tensors[i].rank <= maxRank,
                         "an operand has another element type or a rank above "
                         "%d",
                         maxRank))
        return false;
    return true;
  };
  return allOf(launch->inputs, launch->input_count) &&
         allOf(launch->outputs, launch->output_count);
}

static memplan_status_t checkCopy(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) && sameTypes(check, launch) &&
      check.require(elements(check.input(0)) == elements(check.output(0)),
                    "%lld elements cannot be %lld",
                    static_cast<long long>(elements(check.input(0))),
                    static_cast<long long>(elements(check.output(0))));
  return check.status;
}

/// `parts` have the shape of `whole` except along `dim`, where their sizes add
/// up to it.
static bool checkParts(Checker &check, const memplan_tensor_t &whole,
                       const memplan_tensor_t *parts, int count, int dim) {
  int64_t sum = 0, wanted[maxRank];
  for (int i = 0; i < count; ++i) {
    if (!check.rank(parts[i], "a part", whole.rank))
      return false;
    std::copy_n(whole.shape, whole.rank, wanted);
    wanted[dim] = parts[i].shape[dim];
    sum += wanted[dim];
    if (!check.shapeIs(parts[i], "a part", {wanted, size_t(whole.rank)}))
      return false;
  }
  return check.require(sum == whole.shape[dim],
                       "the parts have %lld along dimension %d, the whole %lld",
                       static_cast<long long>(sum), dim,
                       static_cast<long long>(whole.shape[dim]));
}

static memplan_status_t checkConcat(const memplan_launch_t *launch) {
  Checker check(launch);
  int dim = 0;
  check.require(launch->input_count >= 1 && launch->output_count == 1,
                "at least one input and one output belong") &&
      sameTypes(check, launch) &&
      check.dimension("dim", check.output(0).rank, dim) &&
      checkParts(check, check.output(0), launch->inputs, launch->input_count,
                 dim);
  return check.status;
}

static memplan_status_t checkSplit(const memplan_launch_t *launch) {
  Checker check(launch);
  int dim = 0;
  check.require(launch->output_count >= 1 && launch->input_count == 1,
                "one input and at least one output belong") &&
      sameTypes(check, launch) &&
      check.dimension("dim", check.input(0).rank, dim) &&
      checkParts(check, check.input(0), launch->outputs, launch->output_count,
                 dim);
  return check.status;
}

/// The attribute is there and is `expected`.
static bool says(Checker &check, const memplan_launch_t *launch,
                 const char *name, int64_t expected) {
  return check.require(intAttribute(launch, name, -1) == expected,
                       "attribute '%s' is not %lld", name,
                       static_cast<long long>(expected));
}

/// `part` is [start, start + its size) of `whole` along `dim`.
static bool checkSlicePart(Checker &check, const memplan_launch_t *launch,
                           const memplan_tensor_t &whole,
                           const memplan_tensor_t &part) {
  int dim = 0;
  if (!sameTypes(check, launch) || !check.dimension("dim", whole.rank, dim) ||
      !check.rank(part, "the part", whole.rank))
    return false;
  int64_t wanted[maxRank];
  std::copy_n(whole.shape, whole.rank, wanted);
  wanted[dim] = part.shape[dim];
  int64_t start = intAttribute(launch, "start", 0);
  return check.shapeIs(part, "the part", {wanted, size_t(whole.rank)}) &&
         check.require(start >= 0 && start <= whole.shape[dim] &&
                           part.shape[dim] <= whole.shape[dim] - start,
                       "indices from %lld on, %lld of them, are not in a "
                       "dimension of %lld",
                       static_cast<long long>(start),
                       static_cast<long long>(part.shape[dim]),
                       static_cast<long long>(whole.shape[dim]));
}

static memplan_status_t checkSlice(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) &&
      checkSlicePart(check, launch, check.input(0), check.output(0)) &&
      says(check, launch, "size",
           check.output(0)
               .shape[dimensionAttribute(launch, "dim", check.output(0).rank)]);
  return check.status;
}

static memplan_status_t checkSliceGrad(const memplan_launch_t *launch) {
  Checker check(launch);
  check.counts(1, 1) &&
      checkSlicePart(check, launch, check.output(0), check.input(0)) &&
      says(check, launch, "full_size",
           check.output(0)
               .shape[dimensionAttribute(launch, "dim", check.output(0).rank)]);
  return check.status;
}

SignatureList movementSignatures() {
  static constexpr Signature list[] = {
      {"memplan.concat", checkConcat, {}, anyStrides},
      {"memplan.copy", checkCopy, overFirst},
      {"memplan.reshape", checkCopy, overFirst},
      {"memplan.slice", checkSlice, {}, anyStrides},
      {"memplan.slice_grad", checkSliceGrad, {}},
      {"memplan.split", checkSplit, {}, anyStrides},
  };
  return list;
}

} // namespace memplan::runtime::kernels
